"""The released evaluator's checker as an oracle: random schemas, answers and calls, and the verdict on each.

`Oracle` starts this file again inside the environment that FAIRCALL_ORACLE names (a virtual environment in which
`bfcl-eval` is installed) and asks it for `ast_checker`'s verdict. Run by hand, it draws cases and counts agreements:

    FAIRCALL_ORACLE=ENV python tests/parity/oracle_matching.py --rounds 20000 --seed 1

Half of the cases are invented from nothing (schemas of every declared type and of none, answers of any shape, calls
near and far from them); where the benchmark's data can be found, the other half are its own entries with mutated
calls. A verdict agrees when the outcome and the name of the error are the same, or when both sides raise.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import Any

from oracle_process import OracleProcess, run_by_hand

OFFICIAL = "official-2026.3.23"
PLAIN_MODEL, UNDERSCORE_MODEL = "claude-opus-4-5-20251101", "gpt-4o-2024-11-20-FC"


def pack(value: Any) -> Any:
    """A value as JSON, with tuples marked."""
    if isinstance(value, tuple):
        return {"__tuple__": [pack(item) for item in value]}
    if isinstance(value, list):
        return [pack(item) for item in value]
    if isinstance(value, dict):
        return {key: pack(item) for key, item in value.items()}
    return value


def unpack(value: Any) -> Any:
    """The value that was packed."""
    if isinstance(value, dict):
        if set(value) == {"__tuple__"}:
            return tuple(unpack(item) for item in value["__tuple__"])
        return {key: unpack(item) for key, item in value.items()}
    return [unpack(item) for item in value] if isinstance(value, list) else value


class Oracle(OracleProcess):
    """The oracle process; a context manager."""

    def __init__(self, environment: str) -> None:
        super().__init__(environment, __file__)

    def check(self, cases: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        """For each case `(valid, error type)`, or `("raised", class name)`."""
        return [tuple(row) for row in self.put(pack(cases))]


def _serve() -> None:
    """Answer lists of cases from standard input until it ends. Runs inside the oracle's environment."""
    import contextlib  # noqa: PLC0415
    import io  # noqa: PLC0415
    import signal  # noqa: PLC0415

    from bfcl_eval.constants.enums import Language  # type: ignore[import-not-found]  # noqa: PLC0415
    from bfcl_eval.eval_checker.ast_eval.ast_checker import (  # type: ignore[import-not-found]  # noqa: PLC0415
        ast_checker,
    )

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)

    def judge(case: dict[str, Any]) -> tuple[Any, ...]:
        model = UNDERSCORE_MODEL if case["underscores"] else PLAIN_MODEL
        signal.alarm(10)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = ast_checker(
                    case["tools"],
                    case["calls"],
                    case["answers"],
                    Language(case["language"]),
                    case["category"],
                    model,
                )
        except Exception as error:  # noqa: BLE001 - whatever the checker raises is the answer
            return "raised", type(error).__name__
        finally:
            signal.alarm(0)
        return bool(result["valid"]), None if result["valid"] else result.get("error_type")

    for line in sys.stdin:
        print(json.dumps([judge(case) for case in unpack(json.loads(line))]), flush=True)


# ---------------------------------------------------------------------------------------------- drawing cases

TEXTS = [
    "a", "A", "a b", "a_b", "A.B", "ab", "", " ", "...", "1.5", "15", "-5", "5", "it's", 'it"s', "é", "É", "İ", "ß",
    "true", "2024-01-02", "2024/01/02", "x^2", "x2", "New York, NY", "日本",
]  # fmt: skip
SCALARS = [0, 1, 5, -5, 15, 0.0, 1.0, 5.0, 1.5, -0.0, True, False, None, 10**25, float("nan"), 1e300]
NAMES = ["a", "b", "c", "d.e", "kind"]
PYTHON_TYPES = ["string", "integer", "float", "boolean", "array", "tuple", "dict", "any"]
JAVA_TYPES = [
    "byte", "short", "integer", "float", "double", "long", "boolean", "char", "Array", "ArrayList", "Set", "HashMap",
    "Hashtable", "Queue", "Stack", "String", "any",
]  # fmt: skip
JAVASCRIPT_TYPES = ["String", "integer", "float", "Bigint", "Boolean", "dict", "array", "any"]
TYPES = {"python": PYTHON_TYPES, "java": JAVA_TYPES, "javascript": JAVASCRIPT_TYPES}
SOURCES = [
    "5", "-5", "5L", "1.5", "1.5f", "1e3", "true", "false", "null", "'a'", '"a"', '"a b"', "name", "new int[]{1, 2}",
    'new String[]{"a", "b"}', "new ArrayList<>(Arrays.asList(1, 2))",
    'new ArrayList<String>() {{ add("a"); add("b"); }}',
    "new ArrayList<>()", "new HashMap<>()", 'new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); }}', "[1, 2]",
    "['a', 'b']", "[]", "{}", "{a: 1, b: 'x'}", '{"a": [1, 2]}', "[[1, 2], [3, 4]]", "5n", "new Array(1, 2)", "1.0", "",
    "[true, 1.5]", "{'a': {'b': 1}}",
]  # fmt: skip
CONVERTED = [
    1, 2, 5, -5, 1.5, 1000.0, True, False, "a", "b", "x", "name", [1, 2], ["a", "b"], [], {}, {"a": [1], "b": ["x"]},
    {"a": 1}, [[1, 2], [3, 4]], '"a"', "'a'", [True, 1.5], "", [""], [{"a": [1]}],
]  # fmt: skip
CATEGORIES = [
    "simple",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
]


def any_value(draw: random.Random, depth: int = 0) -> Any:
    """A value of any shape."""
    kind = draw.random()
    if kind < 0.35 or depth > 2:
        return draw.choice(TEXTS)
    if kind < 0.7:
        return draw.choice(SCALARS)
    if kind < 0.85:
        made = [any_value(draw, depth + 1) for _ in range(draw.randrange(4))]
        return tuple(made) if draw.random() < 0.2 else made
    return {draw.choice(NAMES): any_value(draw, depth + 1) for _ in range(draw.randrange(3))}


def typed_value(draw: random.Random, kind: str, items: str | None, depth: int = 0) -> Any:
    """A value of a declared type, mostly."""
    if draw.random() < 0.06:
        return any_value(draw, depth)
    if kind == "integer":
        return draw.choice([0, 1, 5, -5, 15])
    if kind == "float":
        return draw.choice([0.0, 1.0, 5.0, 1.5, 5, 1])
    if kind == "boolean":
        return draw.choice([True, False])
    if kind in {"array", "tuple"}:
        made = [typed_value(draw, items or "string", "integer", depth + 1) for _ in range(draw.randrange(4))]
        return tuple(made) if draw.random() < (0.5 if kind == "tuple" else 0.05) else made
    if kind == "dict":
        return {name: typed_value(draw, draw.choice(PYTHON_TYPES[:4]), None, depth + 1)
                for name in draw.sample(NAMES, draw.randrange(4))}  # fmt: skip
    return draw.choice(TEXTS)


def answer_for(draw: random.Random, kind: str, items: str | None) -> Any:
    """The allowed values of a parameter."""
    roll = draw.random()
    if roll < 0.02:
        return any_value(draw)
    allowed = [
        _as_answer(draw, typed_value(draw, kind, items)) for _ in range(draw.choice([0, 1, 1, 1, 2, 3]))
    ]
    if draw.random() < 0.35:
        allowed.insert(draw.randrange(len(allowed) + 1), "")
    if draw.random() < 0.08:
        allowed.insert(draw.randrange(len(allowed) + 1), any_value(draw))
    return _jsonable(allowed)


def _as_answer(draw: random.Random, value: Any) -> Any:
    """A value as an answer writes it: the fields of objects are lists of allowed values."""
    if isinstance(value, dict):
        return {
            name: item if draw.random() < 0.05 else [item] + ([""] if draw.random() < 0.3 else [])
            for name, item in value.items()
        }
    return [_as_answer(draw, item) for item in value] if isinstance(value, list | tuple) else value


def _jsonable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return {key: _jsonable(item) for key, item in value.items()} if isinstance(value, dict) else value


def call_value(draw: random.Random, allowed: Any) -> Any:
    """A value that an answer allows, or one near it."""
    if isinstance(allowed, list) and allowed:
        chosen = draw.choice([item for item in allowed if item != ""] or allowed)
        return mutated(draw, _from_answer(draw, chosen))
    return any_value(draw)


def _from_answer(draw: random.Random, value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _from_answer(draw, draw.choice(item)) if isinstance(item, list) and item else item
            for name, item in value.items()
            if draw.random() < 0.9
        }
    return [_from_answer(draw, item) for item in value] if isinstance(value, list) else value


def mutated(draw: random.Random, value: Any) -> Any:
    """A value, changed a little in one case of three."""
    if draw.random() < 0.66:
        return value
    if isinstance(value, bool):
        return draw.choice([not value, int(value), str(value)])
    if isinstance(value, int):
        return draw.choice(
            [float(value) if abs(value) < 10**30 else 1, value + 1, str(value), bool(value), -value]
        )
    if isinstance(value, float):
        return draw.choice([int(value) if abs(value) < 1e30 else 1, value + 1, str(value), -value])
    if isinstance(value, str):
        return draw.choice(
            [value.upper(), value + " ", value.replace("a", "b"), value + ".", "-" + value, [value], None]
        )
    if isinstance(value, list):
        return draw.choice(
            [tuple(value), value[::-1], value[:-1], [mutated(draw, item) for item in value], {}]
        )
    if isinstance(value, dict):
        made = {name: mutated(draw, item) for name, item in value.items()}
        if draw.random() < 0.3:
            made[draw.choice(NAMES)] = any_value(draw)
        return made
    return any_value(draw)


def draw_schema(draw: random.Random, types: list[str]) -> dict[str, Any]:
    """The schema of one parameter, of a declared type that now and then does not exist."""
    kind: Any = draw.choice(types)
    if draw.random() < 0.02:
        kind = draw.choice(["number", "object", ["string", "null"], None])
    schema: dict[str, Any] = {"type": kind}
    if kind in ("array", "tuple", "Array", "ArrayList") and draw.random() < 0.97:
        schema["items"] = {"type": draw.choice(types)}
    if draw.random() < 0.01:
        del schema["type"]
    if draw.random() < 0.3:
        schema["default"] = any_value(draw)
    return schema


def draw_case(draw: random.Random) -> dict[str, Any]:
    """A case from nothing."""
    language = draw.choice(["python", "python", "python", "java", "javascript"])
    types = TYPES[language]
    tools = []
    for name in draw.sample(["f", "g.h", "g_h", "k.l.m"], draw.choice([1, 1, 2, 3])):
        properties = {
            parameter: draw_schema(draw, types) for parameter in draw.sample(NAMES, draw.randrange(4))
        }
        required = [parameter for parameter in properties if draw.random() < 0.4]
        schema: dict[str, Any] = {"type": "dict", "properties": properties, "required": required}
        if draw.random() < 0.01:
            del schema[draw.choice(["properties", "required"])]
        tools.append({"name": name, "description": "", "parameters": schema})
    category = draw.choice(CATEGORIES)
    count = draw.choice([1, 2, 2, 3]) if "parallel" in category else 1
    answers = []
    for _ in range(count if draw.random() < 0.98 else 0):
        tool = draw.choice(tools) if category != "simple" else tools[0]
        answer = {}
        for parameter, declared in (tool["parameters"].get("properties") or {}).items():
            if draw.random() < 0.92:
                kind, items = declared.get("type"), (declared.get("items") or {}).get("type")
                if language == "python":
                    answer[parameter] = answer_for(draw, kind if isinstance(kind, str) else "string", items)
                else:
                    answer[parameter] = [draw.choice(CONVERTED) for _ in range(draw.choice([1, 1, 2]))]
        if draw.random() < 0.03:
            answer[draw.choice(NAMES)] = [1]
        answers.append({tool["name"] if draw.random() < 0.98 else "nowhere": answer})
    calls = [_draw_call(draw, answer, language) for answer in answers]
    return _finish(draw, tools, answers, calls, language, category)


def _draw_call(draw: random.Random, answer: dict[str, Any], language: str) -> Any:
    name, allowed = next(iter(answer.items()))
    arguments: dict[str, Any] = {}
    for parameter, values in allowed.items():
        if draw.random() < 0.12:
            continue
        if language == "python":
            arguments[parameter] = call_value(draw, values)
        else:
            arguments[parameter] = draw.choice(SOURCES) if draw.random() < 0.95 else any_value(draw)
    if draw.random() < 0.05:
        arguments[draw.choice(NAMES)] = any_value(draw)
    if draw.random() < 0.06:
        name = draw.choice(["f", "g.h", "g_h", name.replace(".", "_")])
    return {name: arguments}


def _finish(
    draw: random.Random, tools: Any, answers: Any, calls: list[Any], language: str, category: str
) -> dict[str, Any]:
    if draw.random() < 0.2:
        draw.shuffle(calls)
    if calls and draw.random() < 0.05:
        calls = calls[:-1] if draw.random() < 0.5 else [*calls, draw.choice(calls)]
    if calls and draw.random() < 0.01:
        calls[0] = draw.choice(
            [{}, {"f": []}, {"f": None}, "f", ["f"], None, {"f": {}, "g.h": {}}, {"f": "a b"}]
        )
    return {
        "tools": tools,
        "answers": answers,
        "calls": calls,
        "language": language,
        "category": category,
        "underscores": draw.random() < 0.3,
    }


def mutate_entry(
    draw: random.Random, tools: Any, answers: Any, language: str, category: str
) -> dict[str, Any]:
    """A benchmark's entry with a call that its answer allows, mutated."""
    calls = []
    for answer in answers:
        name, allowed = next(iter(answer.items()))
        arguments: dict[str, Any] = {}
        for parameter, values in allowed.items():
            if (isinstance(values, list) and "" in values and draw.random() < 0.5) or draw.random() < 0.04:
                continue
            value = call_value(draw, values)
            if language != "python" and draw.random() < 0.95:
                value = value if isinstance(value, str) else json.dumps(value, default=str)
                value = draw.choice(SOURCES) if draw.random() < 0.15 else value
            arguments[parameter] = value
        if draw.random() < 0.05:
            arguments[draw.choice(NAMES)] = any_value(draw)
        calls.append({name.replace(".", "_") if draw.random() < 0.3 else name: arguments})
    return _finish(draw, tools, answers, calls, language, category)


def verdict(case: dict[str, Any]) -> tuple[Any, ...]:
    """Our verdict on a case, in the oracle's words."""
    from faircall.matching import match  # noqa: PLC0415 - not in the oracle's environment

    found = match(
        case["calls"],
        case["answers"],
        tools=case["tools"],
        profile=OFFICIAL,
        language=case["language"],
        category=case["category"],
        underscores=case["underscores"],
        form="allowed",
    )
    if found.outcome == "void":
        return "raised", (found.official_error or "").removeprefix("raises:")
    return found.outcome == "pass", found.official_error


def entries() -> list[tuple[Any, Any, str, str]]:
    """The benchmark's entries, or none where its data is not here."""
    from faircall.bfcl.categories import CATEGORIES as KNOWN  # noqa: PLC0415
    from faircall.bfcl.categories import Kind  # noqa: PLC0415
    from faircall.bfcl.data import find  # noqa: PLC0415
    from faircall.errors import InputError  # noqa: PLC0415

    wanted = {Kind.SIMPLE, Kind.MULTIPLE, Kind.PARALLEL, Kind.PARALLEL_MULTIPLE}
    try:
        data = find()
        return [
            (entry.tools, data.answers(name)[entry.id], entry.language, name)
            for name, category in KNOWN.items()
            if category.kind in wanted
            for entry in data.entries(name).values()
        ]
    except InputError:
        return []


def compare(oracle: Oracle, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Counts of what agreed, and a line for each disagreement."""
    draw = random.Random(seed)  # noqa: S311 - drawing test cases
    known = entries()
    counts: Counter[str] = Counter()
    wrong = []
    for start in range(0, rounds, 200):
        cases = [
            mutate_entry(draw, *draw.choice(known)) if known and draw.random() < 0.5 else draw_case(draw)
            for _ in range(min(200, rounds - start))
        ]
        cases = unpack(
            json.loads(json.dumps(pack(cases)))
        )  # both sides read the same text: NaN is one object
        for case, theirs in zip(cases, oracle.check(cases), strict=True):
            ours = verdict(case)
            if ours == theirs:
                counts["agreed"] += 1
                counts[f"  {theirs[0] if theirs[0] == 'raised' else theirs[1] or 'valid'}"] += 1
            elif ours[0] == theirs[0] == "raised":
                counts["agreed, but for the class of the exception"] += 1
            else:
                counts["wrong"] += 1
                wrong.append(f"{theirs} and not {ours}: {case}")
    return counts, wrong


if __name__ == "__main__":
    run_by_hand("Compare random calls with the released checker.", Oracle, serve=_serve, compare=compare)
