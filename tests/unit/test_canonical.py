from __future__ import annotations

import pytest

from faircall.canonical import canonicalise
from faircall.canonical.shapes import ABSENT, shape_of
from faircall.types import Call, Tool

LEG = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "by": {"type": "string", "default": "rail"}},
    "required": ["to"],
}
TRIP = Tool(
    "trip",
    "",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "untitled"},
            "legs": {"type": "array", "items": LEG},
            "home": LEG,
            "seats": {"type": "integer", "default": 1},
        },
        "required": ["name", "legs"],
    },
)


def test_defaults_at_every_depth_and_what_was_filled_in():
    call = Call("trip", {"name": "a", "legs": [{"to": "x"}, {"to": "y", "by": "ship"}], "home": {"to": "z"}})
    found = canonicalise(call, TRIP)
    assert found.call.arguments == {
        "name": "a",
        "legs": [{"to": "x", "by": "rail"}, {"to": "y", "by": "ship"}],
        "home": {"to": "z", "by": "rail"},
        "seats": 1,
    }
    assert found.filled == ("$.args.legs[0].by", "$.args.home.by", "$.args.seats")
    assert call.arguments["home"] == {"to": "z"}


def test_required_parameters_are_never_filled_in_and_absent_objects_not_made_up():
    found = canonicalise(Call("trip", {"legs": []}), TRIP)
    assert found.call.arguments == {"legs": [], "seats": 1}


def test_unknown_parameters_stay():
    assert canonicalise(Call("trip", {"mood": 1}), TRIP).call.arguments == {"mood": 1, "seats": 1}


def test_null_is_a_value():
    assert canonicalise(Call("trip", {"seats": None}), TRIP).filled == ()


@pytest.mark.parametrize(
    ("schema", "broken"),
    [
        ({"type": "integer", "default": "many"}, True),
        ({"type": "string", "enum": ["a", "b"], "default": "c"}, True),
        ({"type": "boolean", "default": 0}, True),
        ({"type": "number", "default": 0}, False),
        ({"type": "string", "default": None}, False),
        ({"type": "string", "enum": ["a"], "default": "a"}, False),
    ],
)
def test_a_default_that_breaks_its_schema_is_used_and_said(schema, broken):
    found = canonicalise(Call("f"), Tool("f", "", {"properties": {"x": schema}}))
    assert found.call.arguments == {"x": schema["default"]}
    assert found.problems == (("the default of `x` breaks its own schema - at `$.args.x`",) if broken else ())


def test_positional_arguments_in_the_order_of_the_schema():
    found = canonicalise(Call("trip", {"seats": 2}, ("a", [])), TRIP)
    assert found.call == Call("trip", {"name": "a", "legs": [], "seats": 2})


def test_a_lone_object_of_parameters_is_the_arguments():
    found = canonicalise(Call("trip", {}, ({"name": "a", "legs": []},)), TRIP)
    assert found.call.arguments["name"] == "a"
    tool = Tool("f", "", {"properties": {"body": {"type": "object"}, "name": {"type": "string"}}})
    assert canonicalise(Call("f", {}, ({"name": "a"},)), tool).call.arguments == {"body": {"name": "a"}}


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (Call("trip", {"name": "a"}, ("b",)), "`name` is given by position and by name"),
        (Call("trip", {}, (1, 2, 3, 4, 5)), "5 positional arguments for 4 parameters"),
    ],
)
def test_positional_arguments_that_cannot_be_bound_stay(call, problem):
    found = canonicalise(call, TRIP)
    assert found.problems == (problem,)
    assert found.call.positional == call.positional


def test_each_part_can_be_left_out():
    call = Call("trip", {}, ("a",))
    assert canonicalise(call, TRIP, positional=False).call.positional == ("a",)
    assert canonicalise(call, TRIP, defaults=False).filled == ()


def test_defaults_of_objects_are_canonical_themselves():
    tool = Tool("f", "", {"properties": {"home": {**LEG, "default": {"to": "x"}}}})
    found = canonicalise(Call("f"), tool)
    assert found.call.arguments == {"home": {"to": "x", "by": "rail"}}
    assert canonicalise(found.call, tool).call == found.call


def test_a_default_that_holds_itself_is_left_out():
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node", "default": {}}}}
    tool = Tool("f", "", {"$defs": {"node": node}, "properties": {"at": {"$ref": "#/$defs/node"}}})
    assert canonicalise(Call("f", {"at": {}}), tool).call.arguments == {"at": {}}


def test_shapes_of_unusual_schemas():
    shape = shape_of(
        Tool(
            "f",
            "",
            {
                "properties": {
                    "a": {"type": ["STRING", "null"]},
                    "b": {"type": "integer", "nullable": True},
                    "c": {"allOf": [{"type": "string"}, {"enum": ["x"]}]},
                    "d": {"type": "mystery"},
                    "e": True,
                    "f": {"type": "array", "enum": ["p", "q"], "items": {"type": "string"}},
                    "g": {"$ref": "#/nowhere"},
                    "h": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
                    "version": {"type": "string"},
                    "conversion": {"type": "string", "description": "a conversion"},
                }
            },
        )
    )
    assert shape.field("a").kinds == {"string", "null"}
    assert shape.field("b").kinds == {"integer", "null"}
    assert (shape.field("c").kinds, shape.field("c").enum) == ({"string"}, ("x",))
    assert shape.field("d").kinds == shape.field("e").kinds == shape.field("g").kinds == set()
    assert (shape.field("f").enum, shape.field("f").item(0).enum) == ((), ("p", "q"))
    assert [shape.field("h").item(index).kinds for index in (0, 1)] == [{"integer"}, {"string"}]
    assert (shape.field("version").reading, shape.field("conversion").reading) == ("label", "")
    assert shape.field("a").default is ABSENT
