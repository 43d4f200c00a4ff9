"""The released evaluator's verdict on whole outputs as an oracle: decoding, the format check and the comparison in one.

`Oracle` starts this file again inside the environment that FAIRCALL_ORACLE names and asks it for what `bfcl evaluate`
would say of one output of one model. Run by hand, it draws outputs and counts agreements:

    FAIRCALL_ORACLE=ENV python tests/parity/oracle_outputs.py --rounds 20000 --seed 1

An output is a call that an entry's answer allows, mutated, and written as one of the registry's models writes calls;
then, now and then, the text itself is cut, doubled, wrapped or misspelt. One model stands for each handler and each way
with dots. A verdict agrees when the outcome and, for calls, the name of the error are the same.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from oracle_process import OracleProcess, run_by_hand

if TYPE_CHECKING:
    from collections.abc import Callable


class Oracle(OracleProcess):
    """The oracle process; a context manager."""

    def __init__(self, environment: str) -> None:
        super().__init__(environment, __file__)

    def judge(self, cases: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        """For each case `(valid, error type)`, or `("raised", class name)`."""
        return [tuple(row) for row in self.put(cases)]


def _serve() -> None:
    """Answer lists of cases from standard input until it ends. Runs inside the oracle's environment."""
    import contextlib  # noqa: PLC0415
    import io  # noqa: PLC0415
    import signal  # noqa: PLC0415
    import warnings  # noqa: PLC0415

    from bfcl_eval.constants.enums import Language, ReturnFormat  # type: ignore[import-not-found]  # noqa: PLC0415
    from bfcl_eval.constants.model_config import (  # type: ignore[import-not-found]  # noqa: PLC0415
        MODEL_CONFIG_MAPPING,
    )
    from bfcl_eval.eval_checker import eval_runner  # type: ignore[import-not-found]  # noqa: PLC0415

    warnings.simplefilter("ignore")
    made: dict[str, Any] = {}
    for name, config in MODEL_CONFIG_MAPPING.items():
        handler = object.__new__(config.model_handler)  # no client and no key: decoding needs neither
        handler.is_fc_model, handler.model_name, handler.registry_name = config.is_fc_model, name, name
        made[name] = handler

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)

    def judge(case: dict[str, Any]) -> tuple[Any, ...]:
        handler, category = made[case["model"]], case["category"]
        item = {"id": "entry_0", "result": case["output"]}
        prompt = {"function": case["tools"]}
        signal.alarm(10)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                if case["answers"] is None:
                    result = eval_runner._evaluate_single_relevance_entry(
                        handler, item["id"], item["result"], prompt, case["model"], category
                    )
                else:
                    result = eval_runner._evaluate_single_ast_entry(
                        handler, item["id"], item["result"], case["answers"], prompt, case["model"], category,
                        Language(case["language"]), ReturnFormat(case["language"]),
                    )  # fmt: skip
        except Exception as error:  # noqa: BLE001 - whatever the evaluator raises is the answer
            return "raised", type(error).__name__
        finally:
            signal.alarm(0)
        return bool(result["valid"]), None if result["valid"] else result.get("error_type")

    for line in sys.stdin:
        print(json.dumps([judge(case) for case in json.loads(line)]), flush=True)


# ----------------------------------------------------------------------------------------------- writing calls


def write_calls(draw: random.Random, decoder: str, calls: list[dict[str, Any]], language: str) -> Any:
    """The calls as a model of that decoder's protocol writes them, or as another one does."""
    writer = WRITERS.get(decoder if draw.random() < 0.93 else draw.choice(sorted(WRITERS)), _call_list)
    return writer(draw, calls, language)


def _value(draw: random.Random, value: Any, language: str) -> str:
    if language != "python":
        if isinstance(value, str) and draw.random() < 0.6:
            return value
        return json.dumps(value, default=str)
    if isinstance(value, int) and not isinstance(value, bool) and draw.random() < 0.1:
        return draw.choice([f"{value} + 0", f"{value}*1", f"-({-value})", f"+{value}", f"({value})"])
    if isinstance(value, str) and value.isidentifier() and draw.random() < 0.05:
        return value
    return repr(value)


def _call_list(draw: random.Random, calls: list[dict[str, Any]], language: str) -> str:
    written = []
    for name, arguments in (pair for call in calls for pair in call.items()):
        parts = [f"{key}={_value(draw, value, language)}" for key, value in arguments.items()]
        if parts and draw.random() < 0.03:
            parts[0] = parts[0].partition("=")[2]
        written.append(f"{name}({', '.join(parts)})")
    return f"[{', '.join(written)}]"


def _stored(draw: random.Random, calls: list[dict[str, Any]], _: str) -> Any:
    return [
        {
            name: _json(draw, arguments) if draw.random() < 0.95 else arguments
            for name, arguments in call.items()
        }
        for call in calls
    ]


def _objects(calls: list[dict[str, Any]], named: str = "name", given: str = "arguments") -> list[Any]:
    return [{named: name, given: arguments} for call in calls for name, arguments in call.items()]


def _json(draw: random.Random, value: Any) -> str:
    return json.dumps(value, ensure_ascii=draw.random() < 0.5, default=str)


def _wrapped(before: str, after: str, given: str = "arguments", between: str = "\n") -> Callable[..., str]:
    def write(draw: random.Random, calls: list[dict[str, Any]], _: str) -> str:
        return between.join(before + _json(draw, call) + after for call in _objects(calls, given=given))

    return write


def _listed(before: str, after: str = "", given: str = "arguments") -> Callable[..., str]:
    def write(draw: random.Random, calls: list[dict[str, Any]], _: str) -> str:
        return before + _json(draw, _objects(calls, given=given)) + after

    return write


WRITERS: dict[str, Callable[..., Any]] = {
    "python": _call_list,
    "tool-calls": _stored,
    "hermes": _wrapped("<tool_call>\n", "\n</tool_call>"),
    "arch": _wrapped("<tool_call>\n", "\n</tool_call>"),
    "llama-json": _wrapped("", "", "parameters", "; "),
    "granite-20b": _wrapped("<function_call> ", " ", between=""),
    "granite": _listed("<|tool_call|>"),
    "mistral": _listed("[TOOL_CALLS] "),
    "phi": _listed("<|tool_call|>", "<|/tool_call|>"),
    "xlam": _listed(""),
    "hammer": _listed("```\n", "\n```"),
    "bitagent": _listed(""),
    "glm": _wrapped("", ""),
    "nova": lambda _draw, calls, _language: calls,
    "cohere": lambda _draw, calls, _language: _objects(calls, "tool_name", "parameters"),
    "mining": lambda _draw, calls, _language: _objects(calls),
    "gemini": lambda _draw, calls, _language: calls,
    "nemotron": lambda draw, calls, language: f"<TOOLCALL>{_call_list(draw, calls, language)}</TOOLCALL>",
    "phi-prompt": lambda draw, calls, language: f"```python\n{_call_list(draw, calls, language)}\n```",
    "gemini-prompt": lambda draw, calls, language: f"```tool_code\n{_call_list(draw, calls, language)}\n```",
}
WORDS = [
    "I cannot do that.", "", "[]", "[{}]", "None", [], [{}], None, "null", "<tool_call></tool_call>", ["no"], [""],
    "Error during inference: time-out", "{}", "``` ```", "[TOOL_CALLS]",
]  # fmt: skip


def spoil(draw: random.Random, output: Any) -> Any:
    """The output, its text changed in one case of four."""
    if not isinstance(output, str) or draw.random() < 0.75 or not output:
        return output
    at = draw.randrange(len(output))
    return draw.choice(
        [
            output[:at],
            output[:at] + output[at + 1 :],
            output[:at] + draw.choice("[](){}'\",=:\\` \n<>|x1") + output[at:],
            output + output,
            f"Here it is: {output}",
            f"```python\n{output}\n```",
            f"<think>Hm.</think>\n{output}",
            output.replace("'", '"'),
            output.replace('"', "'"),
            output.replace("\n", " "),
            f" {output}\n",
            output.strip("[]"),
            f"[{output}]",
        ]
    )


def draw_case(draw: random.Random, known: list[Any], models: list[Any], empty: list[Any]) -> dict[str, Any]:
    """One output of one model to one entry."""
    from oracle_matching import mutate_entry  # noqa: PLC0415 - not in the oracle's environment

    model = draw.choice(models)
    tools, answers, language, category = draw.choice(known)
    case = mutate_entry(draw, tools, answers, language, category)
    calls = [
        {name: inner for name, inner in call.items() if isinstance(inner, dict)}
        for call in case["calls"]
        if isinstance(call, dict)
    ]
    if model.underscore_to_dot and draw.random() < 0.9:
        calls = [{name.replace(".", "_"): inner for name, inner in call.items()} for call in calls]
    if draw.random() < 0.05:
        output = draw.choice(WORDS)
    else:
        output = spoil(draw, write_calls(draw, model.decoder, calls, language))
    if draw.random() < 0.15:
        answers, (tools, category) = None, draw.choice(empty)
        language = "python"
    return {
        "model": model.name, "output": output, "tools": tools, "answers": answers, "language": language,
        "category": category,
    }  # fmt: skip


def verdict(case: dict[str, Any], decoder: str, *, underscores: bool) -> tuple[Any, ...]:
    """Our verdict on a case, in the oracle's words."""
    from faircall.gate.policies import decode_officially  # noqa: PLC0415 - not in the oracle's environment
    from faircall.matching import compile_answers  # noqa: PLC0415
    from faircall.profiles import load_profile  # noqa: PLC0415
    from faircall.schema import read_tools  # noqa: PLC0415
    from faircall.scoring import Wanted, verdict_officially  # noqa: PLC0415
    from faircall.types import State  # noqa: PLC0415

    profile = load_profile("official-2026.3.23")
    if case["answers"] is None:
        state = State.ABSTAINED if "irrelevance" in case["category"] else State.CALLED
        wanted = Wanted(state)
    else:
        answers = compile_answers(
            case["answers"], read_tools(case["tools"]), profile, case["language"], category=case["category"],
            underscores=underscores, form="allowed",
        )  # fmt: skip
        wanted = Wanted(State.CALLED, answers)
    decoded = decode_officially(case["output"], decoder=decoder, language=case["language"])
    found = verdict_officially(decoded, wanted, profile)
    if found.outcome == "void":
        return "raised", (found.official_error or "").removeprefix("raises:")
    return found.outcome == "pass", None if case["answers"] is None else found.official_error


def representatives() -> list[Any]:
    """One model of the registry for each decoder and each way with dots."""
    from faircall.bfcl.models import registry  # noqa: PLC0415 - not in the oracle's environment

    found: dict[tuple[str, bool], Any] = {}
    for model in registry().models:
        found.setdefault((model.decoder, model.underscore_to_dot), model)
    return list(found.values())


def wordless() -> list[tuple[Any, str]]:
    """The tools of entries that ask only whether a call is made, with their categories."""
    from faircall.bfcl.data import find  # noqa: PLC0415 - not in the oracle's environment

    data = find()
    return [
        (entry.tools, name)
        for name in ("irrelevance", "live_irrelevance", "live_relevance")
        for entry in data.entries(name).values()
    ]


def compare(oracle: Oracle, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Counts of what agreed, and a line for each disagreement."""
    from official_texts import is_harmless  # noqa: PLC0415 - not in the oracle's environment
    from oracle_matching import entries  # noqa: PLC0415

    from faircall.gate.policies import decode_officially  # noqa: PLC0415
    from faircall.types import Reason  # noqa: PLC0415

    draw = random.Random(seed)  # noqa: S311 - drawing test cases
    known, models, empty = entries(), representatives(), wordless()
    by_name = {model.name: model for model in models}
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    while sum(counts[kind] for kind in ("agreed", "unsafe", "wrong")) < rounds:
        drawn = [draw_case(draw, known, models, empty) for _ in range(100)]
        cases = json.loads(json.dumps([case for case in drawn if is_harmless(case["output"])], default=str))
        for case, (valid, error) in zip(cases, oracle.judge(cases), strict=True):
            theirs = (valid, error if valid == "raised" or case["answers"] is not None else None)
            model = by_name[case["model"]]
            ours = verdict(case, model.decoder, underscores=model.underscore_to_dot)
            if ours == theirs or (ours[0] == theirs[0] == "raised"):
                counts["agreed"] += 1
                counts[f"  {theirs[1] or ('valid' if theirs[0] else 'credited or not')}"] += 1
                continue
            decoded = decode_officially(case["output"], decoder=model.decoder, language=case["language"])
            if decoded.error is not None and decoded.error.reason is Reason.UNSAFE_EXPRESSION:
                counts["unsafe"] += 1
            else:
                counts["wrong"] += 1
                wrong.append(f"{theirs} and not {ours}: {model.decoder} {case}")
    return counts, wrong


if __name__ == "__main__":
    run_by_hand("Compare random outputs with the released evaluator.", Oracle, serve=_serve, compare=compare)
