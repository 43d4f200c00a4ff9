"""Cases that try a scorer: each is what it says, by a plain comparison of its own and by faircall's."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from faircall.bfcl.data import find
from faircall.errors import InputError
from faircall.mutants import make_cases, read_bases
from faircall.mutants.cases import hash_cases
from faircall.mutants.hostile import MARKER
from faircall.mutants.writing import write_python
from faircall.rules.scorer import SCORER_RULES
from faircall.scoring import check

OWN = make_cases(read_bases().entries)
BY_ID = {case.id: case for case in OWN}


def disagreements(cases):
    """The cases on which faircall's own check says otherwise than what is wanted."""
    got = {
        case.id: check(
            case.output, tools=case.tools, expected=case.expected, decoder=case.decoder
        ).outcome.value
        for case in cases
    }
    return [
        (case.id, case.change, got[case.id])
        for case in cases
        if (got[case.id] == "pass" if case.wanted == "void" else got[case.id] != case.wanted)
    ]


def is_same(left, right):
    """Equality with types, of which a number is one."""
    numbers = (int, float)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, numbers) and isinstance(right, numbers):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(is_same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(is_same(left[key], right[key]) for key in left)
    return left == right


def calls_of(case):
    return [(name, json.loads(arguments)) for call in case.output for name, arguments in call.items()]


def is_the_key(case):
    """Whether a case makes the very calls of its entry's key, in any order."""
    key = calls_of(BY_ID[case.id.split("/")[0] + "/S401-key/tool-calls"])
    for name, arguments in calls_of(case):
        found = next((one for one in key if one[0] == name and is_same(one[1], arguments)), None)
        if found is None:
            return False
        key.remove(found)
    return not key


def test_faircall_agrees_with_every_case_of_its_own_entries():
    assert disagreements(OWN) == []


@pytest.mark.slow
def test_faircall_agrees_with_every_case_of_the_benchmark():
    try:
        find()
    except InputError as error:
        pytest.skip(str(error))
    bases = read_bases("bfcl")
    # 150 entries in Java and JavaScript, and those whose answer nothing can satisfy, are left out.
    assert len(bases.entries) + bases.left_out == 3625
    cases = make_cases(bases.entries)
    assert len(cases) > 50_000
    assert disagreements(cases) == []


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in OWN
        if case.decoder == "tool-calls" and case.expected and case.rule not in {"S402", "S413", "S424"}
    ],
    ids=lambda case: case.id,
)
def test_a_case_that_has_to_pass_is_the_key_and_no_other_is(case):
    assert is_the_key(case) is (case.wanted == "pass")


def test_every_rule_with_cases_has_some_in_both_protocols():
    rules = Counter(case.rule for case in OWN)
    assert {rule.id for rule in SCORER_RULES} - set(rules) == {"S420"}
    for rule in set(rules) - {"S411", "S412", "S423"}:
        assert {case.decoder for case in OWN if case.rule == rule} >= {"python", "tool-calls"}, rule


@pytest.mark.parametrize(
    ("id_", "change"),
    [
        ("trim/S404-text/tool-calls", {"heel": "5"}),
        ("trim/S405-text/tool-calls", {"draft": "15"}),
        ("freezer/S404-number/tool-calls", {"celsius": 18.5}),
        ("freezer/S405-number/tool-calls", {"celsius": -185}),
        ("freezer/S406-for-number/tool-calls", {"drawer": True}),
        ("freezer/S406-for-boolean/tool-calls", {"alarm": 1}),
        ("choir/S407-text/tool-calls", {"rows": ["7", 1, 0]}),
        ("ferry/S408-extra/tool-calls", {"not_in_the_schema": 7}),
        ("ferry/S416-null/tool-calls", {"port": None}),
        ("ferry/S417-text/tool-calls", {"passengers": "3"}),
        ("ferry/S402-written-out/tool-calls", {"bicycles": 0}),
    ],
)
def test_a_mutant_differs_from_the_key_in_one_argument(id_, change):
    [(name, arguments)] = calls_of(BY_ID[id_])
    [(same, key)] = calls_of(BY_ID[id_.split("/")[0] + "/S401-key/tool-calls"])
    assert name == same
    assert is_same(arguments, {**key, **change})


def test_ids_are_unique_and_the_hash_stands_for_what_is_wanted():
    assert len(BY_ID) == len(OWN)
    assert hash_cases(OWN) == hash_cases(make_cases(read_bases().entries))
    assert hash_cases(OWN) != hash_cases(OWN[1:])


def test_what_is_allowed_elsewhere_is_no_mutant(tmp_path):
    tool = {
        "name": "step",
        "parameters": {"properties": {"by": {"type": "integer"}}, "required": ["by"]},
    }
    entry = {"tools": [tool], "expected": [{"step": {"by": [2]}}, {"step": {"by": [-2, 2]}}]}
    path = tmp_path / "entries.jsonl"
    path.write_text(json.dumps(entry), "utf-8")
    cases = make_cases(read_bases(path).entries)
    # With the sign of the first call changed, the calls are the key all the same.
    assert not [case for case in cases if case.rule == "S404"]
    assert disagreements(cases) == []


def test_entries_of_a_file_are_read_in_every_form_of_a_call(tmp_path):
    tool = {
        "type": "function",
        "function": {
            "name": "knit",
            "parameters": {
                "type": "object",
                "properties": {
                    "rows": {"type": "integer"},
                    "colours": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["rows"],
            },
        },
    }
    arguments = {"rows": 4, "colours": ["teal", "sand"]}
    forms = [
        {"knit": arguments},
        {"knit": {"rows": [4, 5], "colours": [["teal", "sand"]]}},
        {"knit": {"rows": [4], "colours": ["", ["teal", "sand"]]}},
        {"type": "function", "function": {"name": "knit", "arguments": json.dumps(arguments)}},
    ]
    path = tmp_path / "entries.jsonl"
    path.write_text(
        "".join(json.dumps({"tools": [tool], "expected": [form]}) + "\n" for form in forms), "utf-8"
    )
    bases = read_bases(path)
    assert [base.calls for base in bases.entries] == [[("knit", arguments)]] * 4
    assert [base.id for base in bases.entries] == ["1", "2", "3", "4"]
    assert disagreements(make_cases(bases.entries)) == []


def test_an_entry_that_cannot_be_judged_is_left_out_and_counted(tmp_path):
    tool = {"name": "knit", "parameters": {"properties": {"rows": {"type": "integer"}}, "required": ["rows"]}}
    lines = [
        {"tools": [tool], "expected": [{"knit": {"rows": ["many"]}}]},
        {"tools": [tool]},
        {"tools": [tool], "expected": [{"knit": {"rows": [1]}}], "language": "java"},
        {"tools": [tool], "expected": [{"knit": {"rows": [1]}}]},
    ]
    path = tmp_path / "entries.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    bases = read_bases(path)
    assert ([base.id for base in bases.entries], bases.left_out) == (["4"], 3)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"tools": [], "expected": {"f": {}}}', "entries.jsonl:1: `expected` is not a list of calls"),
        ('{"tools": [7], "expected": []}', "entries.jsonl:1: "),
        ('{"tools": ["f"], "expected": [7]}', "entries.jsonl:1: "),
        ('{"id": "a", "expected": []}\n{"id": "a", "expected": []}', "entries.jsonl:2: a second entry"),
        ('{"tools": ["f"]}', "no entry whose key can be replayed"),
        ("{", "entries.jsonl"),
    ],
)
def test_unusable_entries_are_refused(tmp_path, lines, message):
    path = tmp_path / "entries.jsonl"
    path.write_text(lines, "utf-8")
    with pytest.raises(InputError) as caught:
        read_bases(path)
    assert message in str(caught.value)


def test_hostile_texts_that_would_leave_a_file_say_where():
    marked = [case for case in OWN if case.rule == "S413" and MARKER in json.dumps(case.output)]
    assert len(marked) >= 12


def test_what_python_cannot_write_is_not_written():
    assert write_python([("f", {"from": 1})]) is None
    assert write_python([("f-g", {"x": 1})]) is None
    assert write_python([("f", {"x": [float("inf")]})]) is None
    assert write_python([("a.f", {"x": [None, True]})]) == "[a.f(x=[None, True])]"
