"""The official verdict, case by case, and what the fair profile makes of the benchmark's own answers."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter

import pytest
from oracle_matching import OFFICIAL, Oracle, compare, unpack

from faircall.gate import judge
from faircall.matching import compile_answers, match
from faircall.types import Call, State

PYTHON = (
    "simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple", "live_parallel",
    "live_parallel_multiple",
)  # fmt: skip


def compiled(data, category, name, profile):
    entry = data.entries(category)[name]
    return compile_answers(
        data.answers(category)[name], entry.tools, profile, entry.language, category=category, form="allowed"
    )


@pytest.mark.shared
def test_mutated_calls(shared, data):
    path = shared / "parity" / "match_dev.jsonl.gz"
    prepared = {}
    wrong, count = [], 0
    for line in gzip.decompress(path.read_bytes()).decode().strip().split("\n"):
        case = json.loads(line)
        key = case["category"], case["entry_id"]
        if key not in prepared:
            prepared[key] = compiled(data, *key, OFFICIAL)
        found = prepared[key].match(unpack(case["calls"]))
        count += 1
        if (found.outcome == "pass", found.official_error) != (case["valid"], case["error_type"]):
            wrong.append((case["id"], found))
    assert count == 5002
    assert not wrong


@pytest.mark.shared
def test_small_cases_from_public_reports(shared):
    """The whole way: decoder, gate, match."""
    wrong, count = [], 0
    for line in (shared / "cases" / "single_turn.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        outcome, state = whole_way(case)
        count += 1
        if outcome != case["want"]["outcome"] or state not in case["want"]["state"]:
            wrong.append((case["id"], outcome, state))
    assert count == 45
    assert not wrong


def whole_way(case):
    language = case["decoder"] if case["decoder"] in {"java", "javascript"} else "python"
    judgement = judge(case["output"], case["tools"], decoder=case["decoder"], language=language)
    if judgement.state is State.ERROR:
        return "void", judgement.state
    if not case["expected"]:
        return ("pass" if judgement.state is State.ABSTAINED else "fail"), judgement.state
    if judgement.state is not State.CALLED:
        return "fail", judgement.state
    calls = judgement.decoded.calls
    return match(calls, case["expected"], tools=case["tools"], language=language).outcome, judgement.state


def as_output(answer):
    """The first allowed value of everything that an answer names, other than the omission marker."""
    if isinstance(answer, list):
        return [as_output(item) for item in answer]
    if not isinstance(answer, dict):
        return answer
    made = {}
    for name, allowed in answer.items():
        values = [item for item in allowed if item != ""] if isinstance(allowed, list) else [allowed]
        if values:
            made[name] = as_output(values[0])
    return made


def replayed(answers):
    return [{name: as_output(allowed) for name, allowed in answer.items()} for answer in answers]


def test_every_answer_as_an_output(data):
    counts = Counter()
    for category in (*PYTHON, "simple_java", "simple_javascript"):
        language = "python" if category in PYTHON else category
        for name, answers in data.answers(category).items():
            for profile in (OFFICIAL, "fair-1"):
                found = compiled(data, category, name, profile).match(replayed(answers))
                counts[profile, language, str(found.outcome)] += 1
    assert counts[OFFICIAL, "python", "fail"] == 7
    assert not counts["fair-1", "python", "fail"]
    assert counts["fair-1", "simple_java", "pass"] == 100
    assert counts["fair-1", "simple_javascript", "pass"] == 50


def omitting(answers, tools):
    """An answer as a call that leaves out whatever it may."""
    required = {tool["name"]: set(tool["parameters"]["required"]) for tool in tools}
    made = []
    for answer in answers:
        name, allowed = next(iter(answer.items()))
        kept = {key: value for key, value in allowed.items() if "" not in value or key in required[name]}
        empty = {key: "" for key, value in kept.items() if value == [""]}
        made.append({name: as_output(kept) | empty})
    return made


def with_and_without_defaults(calls, tools):
    schemas = {tool["name"]: tool["parameters"] for tool in tools}
    for index, call in enumerate(calls):
        name, arguments = next(iter(call.items()))
        for parameter, schema in schemas[name]["properties"].items():
            if "default" not in schema or parameter in schemas[name]["required"]:
                continue
            other = dict(arguments)
            if parameter not in arguments:
                other[parameter] = schema["default"]
            elif repr(arguments[parameter]) == repr(schema["default"]):
                del other[parameter]
            else:
                continue
            yield [*calls[:index], {name: other}, *calls[index + 1 :]]


def test_writing_a_default_out_or_leaving_it_out(data):
    flipped = Counter()
    entries = 0
    for category in PYTHON:
        for name, entry in data.entries(category).items():
            entries += 1
            calls = omitting(data.answers(category)[name], entry.tools)
            for profile in (OFFICIAL, "fair-1"):
                answers = compiled(data, category, name, profile)
                outcome = answers.match(calls).outcome
                flipped[profile] += any(
                    answers.match(other).outcome != outcome
                    for other in with_and_without_defaults(calls, entry.tools)
                )
    assert entries == 2351
    assert (flipped[OFFICIAL], flipped["fair-1"]) == (77, 0)


EXECUTABLE = {
    # entry: the one call that is right, the parameter with a default, whether the call has the default there
    "exec_simple_78": ({"array": [34, 2, 56, 7, 9, 12], "reverse": True}, "reverse", False),
    "exec_simple_79": ({"array": [1, 2, 2, 7, 7, 10], "reverse": False}, "reverse", True),
    "exec_simple_86": (
        {
            "initial_investment": 10000, "annual_contribution": 1000, "years": 5, "annual_return": 0.05,
            "inflation_rate": [0.01, 0.02, 0.03, 0.04, 0.04],
        },
        "adjust_for_inflation",
        True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXECUTABLE)
def test_answers_of_the_executable_categories(data, name):
    rows = data.read("data/unused_datasets/question/BFCL_v4_exec_simple.json").decode().splitlines()
    entry = next(row for row in map(json.loads, rows) if row["id"] == name)
    tools = entry["function"]
    arguments, parameter, is_default = EXECUTABLE[name]
    tool = tools[0]["name"]
    default = tools[0]["parameters"]["properties"][parameter]["default"]

    def outcome(given):
        return match([Call(tool, given)], [{tool: arguments}], tools=tools).outcome

    without = {key: value for key, value in arguments.items() if key != parameter}
    assert outcome(arguments) == "pass"
    assert outcome(without) == ("pass" if is_default else "fail")
    assert outcome({**without, parameter: default}) == ("pass" if is_default else "fail")
    assert outcome({**without, parameter: not default}) == ("fail" if is_default else "pass")


@pytest.mark.skipif("FAIRCALL_ORACLE" not in os.environ, reason="no environment with the released evaluator")
def test_random_cases_against_the_released_checker():
    with Oracle(os.environ["FAIRCALL_ORACLE"]) as oracle:
        counts, wrong = compare(oracle, 4000, seed=20)
    assert not wrong
    assert sum(counts[kind] for kind in counts if not kind.startswith("  ")) == 4000
