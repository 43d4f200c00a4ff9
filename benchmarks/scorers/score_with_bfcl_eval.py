"""bfcl-eval's own decoders and checks on faircall's JSON lines: `_evaluate_single_ast_entry` and its neighbours.

The output goes to the handler of a model of its registry whose protocol is that of the case. Entries without expected
calls are irrelevance entries; the others are `simple`, `multiple` or `parallel` by the number of tools and calls.
JSON Schema's names of types are written as the benchmark writes them (`number` is `float`, `object` is `dict`): its
checker knows no others.

WARNING: the released decoders evaluate parts of what they read.
"""

from __future__ import annotations

from typing import Any

from bfcl_eval.constants.enums import Language, ReturnFormat
from bfcl_eval.constants.model_config import MODEL_CONFIG_MAPPING
from bfcl_eval.eval_checker import eval_runner
from lines import answer

MODELS = {"python": "gpt-4o-2024-11-20", "tool-calls": "gpt-4o-2024-11-20-FC", "hermes": "Qwen/Qwen3-8B-FC"}
TYPES = {"number": "float", "object": "dict"}


def make_handler(name: str) -> Any:
    """The handler of a model, without a client: decoding needs neither that nor a key."""
    config = MODEL_CONFIG_MAPPING[name]
    handler = object.__new__(config.model_handler)
    handler.is_fc_model, handler.model_name, handler.registry_name = config.is_fc_model, name, name
    return handler


HANDLERS = {decoder: make_handler(name) for decoder, name in MODELS.items()}


def translate(schema: Any) -> Any:
    """A schema with the benchmark's names of types."""
    if isinstance(schema, list):
        return [translate(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: TYPES.get(value, value) if key == "type" and isinstance(value, str) else translate(value)
        for key, value in schema.items()
    }


def judge(case: dict[str, Any]) -> str:
    model = MODELS[case["decoder"]]
    handler = HANDLERS[case["decoder"]]
    tools = [{**tool, "parameters": translate(tool["parameters"])} for tool in case["tools"]]
    output = case["output"]
    if MODEL_CONFIG_MAPPING[model].underscore_to_dot and isinstance(output, list):
        # Its interface has no dots in names, and the checker knows.
        output = [
            {name.replace(".", "_"): arguments for name, arguments in call.items()}
            if isinstance(call, dict)
            else call
            for call in output
        ]
    entry = {"id": case["id"], "function": tools, "question": []}
    if not case["expected"]:
        found = eval_runner._evaluate_single_relevance_entry(
            handler, case["id"], output, entry, model, "irrelevance"
        )
    else:
        several, offered = len(case["expected"]) > 1, len(tools) > 1
        category = "parallel" if several else "multiple" if offered else "simple_python"
        found = eval_runner._evaluate_single_ast_entry(
            handler,
            case["id"],
            output,
            case["expected"],
            entry,
            model,
            category,
            Language.PYTHON,
            ReturnFormat.PYTHON,
            False,
        )
    return "pass" if found["valid"] else "fail"


if __name__ == "__main__":
    answer(judge)
