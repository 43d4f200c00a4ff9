"""A call to the letter takes the short way only where every profile agrees that it passes."""

from __future__ import annotations

import pytest

from faircall.matching import compile_answers
from faircall.matching.verbatim import fill_verbatim
from faircall.profiles import SWITCHES
from faircall.types import Call, Outcome, Tool

OFFICIAL = "official-2026.3.23"
PROFILES = [
    OFFICIAL,
    "fair-1",
    *(f"{OFFICIAL}+{switch}=fair" for switch in SWITCHES),
    *(f"fair-1+{switch}=official" for switch in SWITCHES),
]
TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
REAL = {"type": "float"}
TRUTH = {"type": "boolean"}
TEXTS = {"type": "array", "items": TEXT}
SHORT = [
    (TEXT, ["a", "b"], "b"),
    (TEXT, ["", "a"], "a"),
    (TEXT, [1, "a"], "a"),
    (WHOLE, [5], 5),
    (REAL, [5.0], 5),
    (REAL, [5], 5.0),
    (REAL, [True, 1.0], 1),
    (TRUTH, [True], True),
    (TEXTS, [["a", "b"]], ["a", "b"]),
    (TEXTS, ["", ["a"]], ["a"]),
    ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, [["b"]], ["b"]),
    ({"type": "string", "enum": ["x", "X"]}, ["X"], "X"),
]
LONG = [
    (TEXT, ["A"], "a"),
    (TEXT, [""], ""),
    (TEXT, ["1"], 1),
    (WHOLE, [5.0], 5),
    (WHOLE, [True], 1),
    (WHOLE, [1], True),
    (REAL, [True], 1.0),
    (REAL, [float(2**60)], 2**60),
    (REAL, [float("nan")], float("nan")),
    (TRUTH, [1], True),
    (TEXT, "a", "a"),
    ({"type": "string", "enum": ["b"]}, ["a"], "a"),
    ({"type": "integer", "enum": [True]}, [1], 1),
    ({"type": "string", "const": "b"}, ["a"], "a"),
    ({"type": "array", "items": {"type": "string", "enum": ["b"]}}, [["a"]], ["a"]),
    ({"type": "array", "items": TEXT, "enum": ["b"]}, [["a"]], ["a"]),
    ({"type": "array", "items": WHOLE}, [[1.0]], [1]),
    ({"type": "array", "items": WHOLE}, [[True]], [1]),
    ({"type": "array", "items": REAL}, [[1]], [1]),
    (TEXTS, [["a"], 5], ["a"]),
    (TEXTS, [["a"], None], ["a"]),
    (TEXTS, [[""]], [""]),
    (TEXTS, [[]], []),
    ({"type": "array", "items": {"anyOf": [WHOLE]}}, [["a"]], ["a"]),
    ({"type": "array"}, [["a"]], ["a"]),
    ({"type": "number"}, [1], 1),
    ({"type": "dict"}, [{"a": [1]}], {"a": 1}),
    ({"type": ["string"]}, ["a"], "a"),
    ({}, ["a"], "a"),
]


def judged_both_ways(
    parameters, answer, arguments, *, profile, name="f", called=None, others=(), underscores=False
):
    tools = [{"name": name, "parameters": parameters}, *others]
    answers = compile_answers(
        [{name: answer}], tools, profile, category="multiple", underscores=underscores, form="allowed"
    )
    called = called or name
    return (
        answers.match([{called: arguments}]),
        answers.match([Call(called, arguments)]),
        answers.match([{"name": called, "arguments": arguments}]),  # in this form it takes the long way
    )


def left_out(parameters, answer, arguments):
    return fill_verbatim([{"f": arguments}], [{"f": answer}], [Tool("f", "", parameters)])


@pytest.mark.parametrize(("details", "allowed", "value"), [*SHORT, *LONG])
@pytest.mark.parametrize("profile", PROFILES)
def test_both_ways_judge_alike(details, allowed, value, profile):
    parameters = {"properties": {"x": details}, "required": ["x"]}
    first, second, long = judged_both_ways(parameters, {"x": allowed}, {"x": value}, profile=profile)
    assert first == second == long


@pytest.mark.parametrize(("details", "allowed", "value"), SHORT)
def test_what_is_to_the_letter_needs_no_comparison(details, allowed, value):
    parameters = {"properties": {"x": details}, "required": ["x"]}
    assert left_out(parameters, {"x": allowed}, {"x": value}) == [()]


@pytest.mark.parametrize(("details", "allowed", "value"), LONG)
def test_what_is_less_plain_is_left_to_the_comparison(details, allowed, value):
    parameters = {"properties": {"x": details}, "required": ["x"]}
    assert left_out(parameters, {"x": allowed}, {"x": value}) is None


@pytest.mark.parametrize(
    ("other", "answer"),
    [
        ({"type": "string", "default": "m"}, {}),
        ({"type": "string", "default": "m"}, {"y": [""]}),
        ({"type": "string", "default": "m"}, {"y": ["m"]}),
        ({"type": "string", "default": None}, {}),
        ({"type": "array", "default": []}, {}),
        ({"type": "array", "items": {"properties": {"z": {"default": 1}}}, "default": [{}]}, {}),
        ({"type": "dict", "properties": {"z": {"default": 1}}, "default": {}}, {}),
        ({"type": "dict", "default": {}}, {}),
        ({"type": "string", "required": True, "default": "m"}, {}),
        ({"anyOf": [{"type": "string", "default": "m"}]}, {}),
        ({"type": "string"}, {"y": ["m"]}),
        ({"type": "string"}, {"y": ["", "m"]}),
        ({"type": "string"}, {}),
        (True, {}),
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_parameter_that_is_left_out_is_judged_alike(other, answer, profile):
    parameters = {"properties": {"x": TEXT, "y": other}, "required": ["x"]}
    first, second, long = judged_both_ways(parameters, {"x": ["a"], **answer}, {"x": "a"}, profile=profile)
    assert first == second == long


@pytest.mark.parametrize("name", ["f", "g.f"])
@pytest.mark.parametrize("called", ["f", "g.f", "g_f", "g\\_f"])
@pytest.mark.parametrize("others", [(), ("g_f",), ("g.f",), ("f", "h.f")])
@pytest.mark.parametrize("underscores", [True, False])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_spelling_of_the_name_is_judged_alike(name, called, others, underscores, profile):
    parameters = {"properties": {"x": TEXT}, "required": ["x"]}
    first, second, long = judged_both_ways(
        parameters,
        {"x": ["a"]},
        {"x": "a"},
        profile=profile,
        name=name,
        called=called,
        others=others,
        underscores=underscores,
    )
    assert first == second == long


@pytest.mark.parametrize("profile", PROFILES)
def test_a_schema_that_is_not_bfcl_writes_it_is_judged_alike(profile):
    for parameters in (
        {"properties": {"x": TEXT}},
        {"properties": {"x": TEXT}, "required": ["y"]},
        {"properties": {"x": TEXT}, "required": [1]},
        {"properties": {"x": TEXT}, "required": "x"},
        {"properties": [], "required": []},
        {"properties": {"x": TEXT}, "required": ["x"], "anyOf": [{"required": ["z"]}]},
        {},
    ):
        first, second, long = judged_both_ways(parameters, {"x": ["a"]}, {"x": "a"}, profile=profile)
        assert first == second == long


def test_a_positional_argument_is_left_to_the_comparison():
    parameters = {"properties": {"x": TEXT}, "required": ["x"]}
    tool = Tool("f", "", parameters)
    assert fill_verbatim([Call("f", {}, ("a",))], [{"f": {"x": ["a"]}}], [tool]) is None
    answers = compile_answers([{"f": {"x": ["a"]}}], [tool], form="allowed")
    assert answers.match([Call("f", {}, ("a",))]).outcome is Outcome.PASS
