"""What a tool's schema refuses in a call, and where; nothing is fetched."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from faircall import InputError, UsageError, check, validate
from faircall.checking import judge_lines, report_checks
from faircall.testing import assert_call
from faircall.types import Call

pytest.importorskip("jsonschema")

RIDE = {
    "name": "ride",
    "parameters": {
        "type": "dict",
        "properties": {
            "km": {"type": "float"},
            "unit": {"type": "STRING", "enum": ["km", "mi"]},
            "when": {"type": "string", "format": "date"},
            "place": {"$ref": "#/$defs/place"},
            "note": {"type": "string", "nullable": True},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "three": {"const": 3},
            "stops": {"type": "tuple", "items": {"type": "integer"}},
        },
        "required": ["km"],
        "additionalProperties": False,
        "$defs": {
            "place": {
                "type": "object",
                "properties": {"floor": {"type": "long", "minimum": 2}},
                "required": ["floor"],
            }
        },
    },
}
REFUSED = [
    ({}, "Expected a value, got none: the parameter is required - at `$.args.km`"),
    ({"km": "far"}, "Expected `float`, got `string` - at `$.args.km`"),
    ({"km": True}, "Expected `float`, got `boolean` - at `$.args.km`"),
    ({"km": 1, "unit": "m"}, 'Expected any of `"km"` or `"mi"`, got `"m"` - at `$.args.unit`'),
    ({"km": 1, "when": "soon"}, 'Expected format `"date"`, got `"soon"` - at `$.args.when`'),
    ({"km": 1, "place": {"floor": 1}}, "Expected minimum `2`, got `1` - at `$.args.place.floor`"),
    ({"km": 1, "place": {"floor": "1"}}, "Expected `long`, got `string` - at `$.args.place.floor`"),
    (
        {"km": 1, "place": {}},
        "Expected a value, got none: the parameter is required - at `$.args.place.floor`",
    ),
    ({"km": 1, "note": 3}, "Expected `string` or `null`, got `integer` - at `$.args.note`"),
    (
        {"km": 1, "either": []},
        "Expected a value that follows any of 2 alternatives, got `[]` - at `$.args.either`",
    ),
    ({"km": 1, "three": 4}, "Expected `3`, got `4` - at `$.args.three`"),
    ({"km": 1, "wheels": 4}, "the schema has no such parameter - at `$.args.wheels`"),
    ({"km": 1, "stops": [1, "x"]}, "Expected `integer`, got `string` - at `$.args.stops[1]`"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_is_refused_is_said_in_the_words_of_the_tool(arguments, message):
    [problem] = validate({"ride": arguments}, [RIDE])
    assert str(problem) == message
    assert message.endswith(f"`{problem.path}`")


@pytest.mark.parametrize(
    "arguments",
    [
        {"km": 5},
        {"km": 5.5, "note": None, "stops": (1, 2)},
        {"km": 1, "when": "2026-05-01", "place": {"floor": 2}, "either": 1},
    ],
)
def test_what_follows_the_schema_is_no_problem(arguments):
    assert validate(Call("ride", arguments), [RIDE]) == ()
    assert validate({"name": "ride", "arguments": json.dumps(arguments)}, [RIDE]) == ()


def test_positional_arguments_are_bound_first():
    assert validate(Call("ride", {}, (5, "km")), [RIDE]) == ()
    assert validate(Call("ride", {}, ("far",)), [RIDE])[0].path == "$.args.km"
    assert validate(Call("ride", {"km": 1}, (5,)), [RIDE])[0].path == "$.args"


def test_several_problems_come_in_the_order_of_their_paths():
    found = validate({"ride": {"unit": "m", "wheels": 4}}, [RIDE])
    assert [problem.path for problem in found] == ["$.args.km", "$.args.unit", "$.args.wheels"]


def test_a_tool_that_is_not_offered():
    [problem] = validate({"walk": {}}, [RIDE])
    assert (problem.path, problem.message) == (
        "$.name",
        'Expected the name of an offered tool, one of `"ride"`, got `"walk"`',
    )


BROKEN = [
    (
        {"properties": {"x": {"$ref": "https://example.com/x.json"}}},
        "parameters: a reference that leads nowhere",
    ),
    ({"properties": {"x": {"$ref": "#/$defs/none"}}}, "parameters: a reference that leads nowhere"),
    ({"properties": {"x": {"type": "strin"}}}, "parameters.properties.x.type: `strin` is no type"),
    ({"properties": {"x": {"pattern": "("}}}, "parameters.properties.x.pattern: "),
    ({"properties": {"x": {"minLength": "long"}}}, "parameters.properties.x.minLength: "),
]


@pytest.mark.parametrize(("parameters", "message"), BROKEN)
def test_a_broken_schema_names_the_tool_and_the_place(parameters, message):
    with pytest.raises(InputError) as failed:
        validate({"f": {"x": "1"}}, [{"name": "f", "parameters": parameters}])
    assert str(failed.value).startswith(f"tool `f`: {message}")


def test_the_draft_that_a_schema_names_is_followed():
    parameters = {
        "properties": {"x": {"type": "array", "items": [{"type": "string"}], "additionalItems": False}}
    }
    draft = {"$schema": "http://json-schema.org/draft-07/schema#", **parameters}
    assert validate({"f": {"x": ["a", 1]}}, [{"name": "f", "parameters": draft}])[0].path == "$.args.x"
    assert validate({"f": {"x": [1]}}, [{"name": "f", "parameters": parameters}])[0].path == "$.args.x[0]"


def test_check_fails_an_invalid_call_where_that_is_asked_for():
    output = [{"ride": {"km": "far"}}]
    assert check(output, tools=[RIDE]).outcome == "pass"
    verdict = check(output, tools=[RIDE], valid=True)
    assert (verdict.outcome, verdict.reason, verdict.path) == ("fail", "invalid-arguments", "$.args.km")
    several = check([{"ride": {"km": 1}}, {"ride": {}}], tools=[RIDE], valid=True)
    assert several.path == "$[1].args.km"
    assert check([{"walk": {}}], tools=[RIDE], valid=True).path == "$.name"
    assert (
        check([{"ride": {"km": 1}}], tools=[RIDE], valid=True, expected=[{"ride": {"km": [1]}}]).outcome
        == "pass"
    )
    assert check("No.", tools=[RIDE], valid=True, expected=[]).outcome == "pass"
    with pytest.raises(AssertionError, match="invalid-arguments"):
        assert_call(output, tools=[RIDE], expected=None, valid=True)
    with pytest.raises(UsageError, match="java"):
        check("[ride(1)]", tools=[RIDE], valid=True, language="java", decoder="java")


def test_the_command_line_validates_and_the_signature_says_so(tmp_path):
    line = {"id": 1, "output": [{"ride": {"km": "far"}}], "tools": [RIDE]}
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(line), "utf-8")
    lines = list(judge_lines(path, valid=True))
    assert "|valid:schema|" in report_checks(lines, name="cases.jsonl", valid=True).signature
    assert "valid" not in report_checks(lines, name="cases.jsonl").signature
    command = [sys.executable, "-m", "faircall.cli", "check", "--valid", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["reason"] == "invalid-arguments"


def test_a_deep_value_is_refused_and_not_raised():
    deep: list = []
    for _ in range(90):
        deep = [deep]
    node = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/node"}}, {"type": "string"}]}
    tool = {
        "name": "f",
        "parameters": {"properties": {"x": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}},
    }
    assert isinstance(validate({"f": {"x": deep}}, [tool]), tuple)
