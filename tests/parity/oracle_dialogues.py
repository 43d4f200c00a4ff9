"""The released evaluator's checks of dialogues, final answers and formats as an oracle, beside faircall's verdicts.

    FAIRCALL_ORACLE=ENV python tests/parity/oracle_dialogues.py --rounds 2000 --seed 1

Drawn are the benchmark's own entries with outputs made of their answer keys: whole, with calls left out, added, moved,
with other values, in several protocols, and with text around them. The oracle loads the environments anew for each
question, since the released tool keeps what one entry leaves behind.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections import Counter
from typing import Any

from oracle_process import OracleProcess, run_by_hand

MODELS = {
    "gpt-4o-2024-11-20-FC": "tool-calls",
    "claude-opus-4-5-20251101": "python",
    "Qwen/Qwen3-8B-FC": "hermes",
    "meta-llama/Llama-3.1-8B-Instruct-FC": "llama-json",
    "Salesforce/Llama-xLAM-2-8b-fc-r": "xlam",
}
ODD_NAMES = ("ls", "pwd", "no_tool", "\uff4cs", "ls\n", "ls\\\n", "(ls)", "ls()#", "os.ls", " ls")
"""Names among which some are read as others: letters that look like others, white space, pieces of code."""
KINDS = ("multi_turn", "multi_turn", "multi_turn", "agentic", "format")


class Oracle(OracleProcess):
    """The oracle process; a context manager."""

    def __init__(self, environment: str) -> None:
        super().__init__(environment, __file__)

    def judge(self, category: str, id_: str, output: Any, model: str) -> dict[str, Any]:
        """`{"valid", "error_type"}`, or `{"raised": class name}`."""
        return dict(self.put({"category": category, "id": id_, "output": output, "model": model}))


def _serve() -> None:
    """Answer questions from standard input until it ends. Runs inside the oracle's environment."""
    import contextlib  # noqa: PLC0415
    import copy  # noqa: PLC0415
    import functools  # noqa: PLC0415
    import io  # noqa: PLC0415
    import signal  # noqa: PLC0415

    from bfcl_eval.constants.enums import Language, ReturnFormat  # type: ignore[import-not-found]  # noqa: PLC0415
    from bfcl_eval.constants.model_config import (  # type: ignore[import-not-found]  # noqa: PLC0415
        MODEL_CONFIG_MAPPING,
    )
    from bfcl_eval.eval_checker import eval_runner  # type: ignore[import-not-found]  # noqa: PLC0415
    from bfcl_eval.model_handler.utils import (  # type: ignore[import-not-found]  # noqa: PLC0415
        parse_prompt_variation_params,
    )
    from bfcl_eval.utils import (  # type: ignore[import-not-found]  # noqa: PLC0415
        load_dataset_entry,
        load_ground_truth_entry,
    )

    @functools.cache
    def dataset(category: str) -> dict[str, Any]:
        entries = load_dataset_entry(category, include_prereq=False, include_language_specific_hint=False)
        keys = load_ground_truth_entry(category)
        return {entry["id"]: (entry, keys[at]["ground_truth"]) for at, entry in enumerate(entries)}

    @functools.cache
    def handler(name: str) -> Any:
        config = MODEL_CONFIG_MAPPING[name]
        made = object.__new__(config.model_handler)
        made.model_name, made.is_fc_model, made.registry_name = config.model_name, config.is_fc_model, name
        made.model_name_huggingface = config.model_name
        return made

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    asked = 0

    def judge(question: dict[str, Any]) -> dict[str, Any]:
        nonlocal asked
        asked += 1
        entry, key = copy.deepcopy(dataset(question["category"])[question["id"]])
        category, id_, output, model = (question[name] for name in ("category", "id", "output", "model"))
        for name in [name for name in sys.modules if ".func_source_code." in name]:
            del sys.modules[name]
        if category.startswith("multi_turn"):
            made = eval_runner._evaluate_single_multi_turn_entry(
                handler(model), id_, output, key, entry, f"model{asked}", category
            )
        elif category == "format_sensitivity":
            form, tag, *_ = parse_prompt_variation_params(id_.split(":")[1])
            made = eval_runner._evaluate_single_ast_entry(
                handler(model), id_, output, key, entry, model, category,
                language=Language.PYTHON, return_format=ReturnFormat(form), has_tool_call_tag=tag,
            )  # fmt: skip
        else:
            made = eval_runner._evaluate_single_agentic_entry(
                handler(model), id_, output, key, entry, model, category
            )
        error = made.get("error")
        kind = error.get("error_type") if isinstance(error, dict) else made.get("error_type")
        return {"valid": bool(made["valid"]), "error_type": None if made["valid"] else kind}

    for line in sys.stdin:
        signal.alarm(20)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                answer = judge(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever the tool raises is the answer
            answer = {"raised": type(error).__name__}
        finally:
            signal.alarm(0)
        print(json.dumps(answer), flush=True)


class Drawn:
    """Draws entries and outputs for them."""

    def __init__(self, seed: int) -> None:
        from faircall.bfcl.data import find  # noqa: PLC0415 - not in the oracle's environment

        self.random = random.Random(seed)  # noqa: S311 - drawing cases, nothing secret
        self.data = find()

    def question(self) -> tuple[str, str, Any, str]:
        """Return a category, an id, an output and a model."""
        kind = self.random.choice(KINDS)
        if kind == "format":
            return self._formatted()
        model = self.random.choice(list(MODELS))
        if kind == "agentic":
            category = self.random.choice(("memory_kv", "web_search_base", "web_search_no_snippet"))
            id_ = self.random.choice(list(self.data.entries(category)))
            return category, id_, self._answers(category, id_, model), model
        category = "multi_turn_" + self.random.choice(("base", "miss_func", "miss_param", "long_context"))
        id_ = self.random.choice(list(self.data.entries(category)))
        return category, id_, self._dialogue(category, id_, model), model

    def _dialogue(self, category: str, id_: str, model: str) -> Any:
        entry, key = self.data.entries(category)[id_], self.data.answers(category)[id_]
        order = {tool["name"]: list(tool["parameters"]["properties"]) for tool in entry.tools}
        turns = [[call_of(line, order) for line in turn] for turn in key]
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            self._change(turns, list(order))
        stored: list[Any] = [self._steps(turn, model) for turn in turns]
        roll = self.random.random()
        if roll < 0.03:
            stored = stored[:-1]
        elif roll < 0.05:
            return self.random.choice(("Error during inference: 500", None, 3, {"a": 1}, []))
        return stored

    def _change(self, turns: list[list[tuple[str, dict[str, Any]]]], names: list[str]) -> None:
        turn = self.random.choice(turns)
        roll = self.random.random()
        if roll < 0.2 and turn:
            turn.pop(self.random.randrange(len(turn)))
        elif roll < 0.4:
            name = self.random.choice([*names, *ODD_NAMES])
            turn.insert(self.random.randint(0, len(turn)), (name, {}))
        elif roll < 0.5 and turn:
            turn.append(self.random.choice(turn))
        elif roll < 0.6:
            self.random.shuffle(turn)
        elif roll < 0.7 and turn:
            other = self.random.choice(turns)
            other.append(turn.pop())
        else:
            calls = [call for each in turns for call in each if call[1]]
            if calls:
                _, arguments = self.random.choice(calls)
                name = self.random.choice(list(arguments))
                arguments[name] = self._value(arguments[name])

    def _value(self, value: Any) -> Any:
        others = [
            f"{value} (see note)",
            "ls (x)",
            {"a": {"b": 1}},
            {},
            [value],
            None,
            True,
            -1,
            2.5,
            "é\ud83d'\"\\n",
            10**30,
        ]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            others += [float(value), value + 1]
        if isinstance(value, str):
            others += [value.upper(), value + " ", value.replace("'", '"')]
        return self.random.choice(others)

    def _steps(self, calls: list[tuple[str, dict[str, Any]]], model: str) -> list[Any]:
        steps: list[Any] = []
        rest = list(calls)
        while rest:
            size = self.random.choice((1, 1, 2, len(rest)))
            steps.append(self._write(rest[:size], model))
            rest = rest[size:]
        if self.random.random() < 0.5:
            steps.append(self.random.choice(("Done.", "", [], "All is well (ls).", "[]", "{}", None)))
        if self.random.random() < 0.05:
            steps.insert(
                0,
                self.random.choice(
                    ("[ls(", "[ls()", "ls()", 7, {"ls": {}}, [{"ls": "{}"}, "x"], "[ls(x)]", "[1]")
                ),
            )
        return steps

    def _write(self, calls: list[tuple[str, dict[str, Any]]], model: str) -> Any:
        decoder = MODELS[model]
        if decoder == "tool-calls":
            return [{name: json.dumps(arguments)} for name, arguments in calls]
        if decoder == "python":
            lines = [
                f"{name}({', '.join(f'{key}={value!r}' for key, value in made.items())})"
                for name, made in calls
            ]
            if self.random.random() < 0.1 and len(lines) > 1:
                return f"[{calls[0][0]}(content={lines[1]})]"
            if self.random.random() < 0.1:
                lines[0] = f"{calls[0][0]}({', '.join(map(repr, calls[0][1].values()))})"
            text = f"[{', '.join(lines)}]"
            return self.random.choice(
                (text, text, text, f"```python\n{text}\n```", text[:-1], f"Sure: {text}", f" {text}\n")
            )
        if decoder == "hermes":
            return "\n".join(
                f"<tool_call>\n{json.dumps({'name': name, 'arguments': made})}\n</tool_call>"
                for name, made in calls
            )
        key = "parameters" if decoder == "llama-json" else "arguments"
        written = [json.dumps({"name": name, key: made}) for name, made in calls]
        return (
            self.random.choice(("; ", ";")).join(written)
            if decoder == "llama-json"
            else f"[{', '.join(written)}]"
        )

    def _answers(self, category: str, id_: str, model: str) -> Any:
        accepted = self.data.answers(category)[id_]
        answer = self.random.choice(accepted)
        texts = [
            f"{{'answer': '{answer}', 'context': 'x'}}",
            answer,
            answer.upper(),
            f"It is {answer}.",
            f"Not {answer}!",
            f"x{answer}y",
            f"{answer}s",
            answer.replace(" ", ""),
            answer.replace("-", " "),
            f"({answer})",
            f"“{answer}”",
            "I do not know",
            "",
            f"_{answer}_",
            f"1{answer}",
            f"{answer}.5",
            f"[find(x='{answer}')]",
            f"{answer}\n{answer}",
        ]
        step = self.random.choice(texts)
        call = self._write([("archival_memory_list_keys", {}), ("x", {"q": answer})], model)
        shapes: list[Any] = [
            [[step]],
            [[call, step]],
            [[step, call]],
            [[call]],
            [[]],
            [],
            [[step], [step]],
            step,
            [step],
            [[[step]]],
            [[[]]],
            [[None]],
            [[{"answer": answer}]],
            [[call, [], step, "[]"]],
            [[7, step]],
            {"a": step},
            [[[step, "x"]]],
        ]
        return self.random.choice(shapes[:4] * 4 + shapes)

    def _formatted(self) -> tuple[str, str, Any, str]:
        entries = self.data.entries("format_sensitivity")
        id_ = self.random.choice(list(entries))
        style = dict(part.split("=") for part in id_.split(":")[1].split("&"))
        key = self.data.answers("format_sensitivity")[id_]
        calls = [
            (name, {each: values[0] for each, values in made.items() if values[0] != ""})
            for call in key
            for name, made in call.items()
        ]
        if self.random.random() < 0.3 and calls:
            self.random.choice(calls)[1]["other"] = 1
        asked = (
            style["ret_fmt"]
            if self.random.random() < 0.85
            else self.random.choice(("python", "json", "verbose_xml", "concise_xml"))
        )
        text = in_format(asked, calls)
        if (style["tool_call_tag"] == "True") == (self.random.random() < 0.85):
            text = f"<TOOLCALL>{text}</TOOLCALL>"
        text = self.random.choice((text, text, text, f"```\n{text}\n```", f"Here: {text}", text[:-1], ""))
        return "format_sensitivity", id_, text, "claude-opus-4-5-20251101"


def in_format(form: str, calls: list[tuple[str, dict[str, Any]]]) -> str:
    """Return calls in one of the prompt's return formats."""
    if form == "python":
        lines = [
            f"{name}({', '.join(f'{key}={value!r}' for key, value in made.items())})" for name, made in calls
        ]
        return f"[{', '.join(lines)}]"
    if form == "json":
        return json.dumps([{"function": name, "parameters": made} for name, made in calls])
    kinds = {bool: "boolean", int: "integer", float: "float", list: "array", dict: "dict", str: "string"}
    inner = ""
    for name, made in calls:
        inner += f'<function name="{name}">'
        parameters = ""
        for key, value in made.items():
            kind = kinds.get(type(value), "string")
            written = value if isinstance(value, str) else json.dumps(value)
            written = written.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
            if form == "verbose_xml":
                parameters += f'<param name="{key}" value="{written}" type="{kind}"/>'
            else:
                parameters += f'<param name="{key}" type="{kind}">{written}</param>'
        inner += f"<params>{parameters}</params>" if form == "verbose_xml" else parameters
        inner += "</function>"
    return f"<functions>{inner}</functions>"


def call_of(line: str, order: dict[str, list[str]]) -> tuple[str, dict[str, Any]]:
    """Return the name and the arguments of an expected call; positional ones by the tool's parameters."""
    body = ast.parse(line.strip(), mode="eval").body
    assert isinstance(body, ast.Call)
    assert isinstance(body.func, ast.Name)
    names = order.get(body.func.id, [])
    positional = {names[at]: ast.literal_eval(part) for at, part in enumerate(body.args) if at < len(names)}
    named = {str(part.arg): ast.literal_eval(part.value) for part in body.keywords}
    return body.func.id, positional | named


def compare(oracle: Oracle, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return what was found, and a line for each disagreement."""
    from faircall.bfcl.questions import Questions  # noqa: PLC0415 - not in the oracle's environment
    from faircall.profiles import PROFILES  # noqa: PLC0415
    from faircall.reading import protocol_of, read_entry  # noqa: PLC0415
    from faircall.replay import Player  # noqa: PLC0415

    drawn = Drawn(seed)
    questions = Questions(drawn.data)
    counts: Counter[str] = Counter()
    wrong = []
    with Player(drawn.data) as player:
        for _ in range(rounds):
            category, id_, output, model = drawn.question()
            group = "multi_turn" if category.startswith("multi_turn") else category
            official = oracle.judge(category, id_, output, model)
            entry = questions.entries(category)[id_]
            reading = read_entry(entry, output, questions, protocol_of(model), play=player.play)
            verdict = reading.verdict(PROFILES["official-2026.3.23"])
            reading.verdict(PROFILES["fair-1"])
            mine = {"valid": verdict.outcome == "pass", "error_type": verdict.official_error}
            if "raised" in official:
                counts[f"{group}: the tool raises, faircall says {verdict.outcome}"] += 1
            elif mine == official:
                counts[f"{group}: agreed, {official['error_type'] or 'valid'}"] += 1
            elif mine["valid"] == official["valid"]:
                counts[
                    f"{group}: agreed but for the error, {mine['error_type']} for {official['error_type']}"
                ] += 1
            else:
                counts[f"{group}: WRONG"] += 1
                wrong.append(
                    f"{id_} {model} {json.dumps(output)[:500]}: {mine} for {official}; {verdict.message}"
                )
    return counts, wrong


if __name__ == "__main__":
    run_by_hand(str(__doc__), Oracle, serve=_serve, compare=compare)
