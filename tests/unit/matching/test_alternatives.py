"""`anyOf` and `oneOf`: a value follows one of the alternatives, whatever their order."""

from __future__ import annotations

from itertools import permutations

import pytest

from faircall import check
from faircall.canonical.shapes import shape_of
from faircall.matching import match
from faircall.types import Tool

BOAT = {
    "type": "object",
    "properties": {"kind": {"const": "boat"}, "sails": {"type": "integer"}},
    "required": ["kind"],
}
CART = {
    "type": "object",
    "properties": {"kind": {"const": "cart"}, "wheels": {"type": "integer", "default": 2}},
    "required": ["kind"],
}
WHOLES = {"type": "array", "items": {"type": "integer"}}
TEXTS = {"type": "array", "items": {"type": "string"}}
COLOUR = {"type": "string", "enum": ["red", "blue"]}
NOTHING = {"type": "null"}


def judged(members, value, allowed, *, word="anyOf"):
    schema = {word: members}
    tool = {"name": "hire", "parameters": {"properties": {"what": schema}, "required": ["what"]}}
    return check(
        [{"hire": {"what": value}}],
        tools=[tool],
        expected=[{"hire": {"what": allowed}}],
        decoder="tool-calls",
    )


ONE = {
    "type": "object",
    "properties": {
        "field": {"type": "string"},
        "is": {"type": "number"},
        "negate": {"type": "boolean", "default": False},
    },
    "required": ["field", "is"],
}
SPAN = {
    "type": "object",
    "properties": {"field": {"type": "string"}, "is": WHOLES, "closed": {"type": "boolean", "default": True}},
    "required": ["field", "is"],
}
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "unit": {"type": "string", "default": "c"}},
    "additionalProperties": False,
}
POINT = {
    "type": "object",
    "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
    "additionalProperties": False,
}


def tagged(tag, default):
    meta = {"type": "object", "properties": {"kind": {"const": tag}}, "required": ["kind"]}
    properties = {"meta": meta, "n": {"type": "integer", "default": default}}
    return {"type": "object", "properties": properties, "required": ["meta"]}


CASES = [
    ([ONE, SPAN], {"field": "price", "is": [1, 5]}, [{"field": ["price"], "is": [[1, 5]]}], "pass"),
    ([ONE, SPAN], {"field": "price", "is": 5}, [{"field": ["price"], "is": [5], "negate": [False]}], "pass"),
    ([ONE, SPAN], {"field": "price", "is": [1, 5], "closed": False}, [{"field": ["price"], "is": [[1, 5]]}], "fail"),
    ([CITY, POINT], {"lat": 1, "lon": 2}, [{"lat": [1], "lon": [2]}], "pass"),
    ([CITY, POINT], {"city": "Oslo", "unit": "c"}, [{"city": ["Oslo"]}], "pass"),
    ([CITY, POINT], {"city": "Oslo", "unit": "f"}, [{"city": ["Oslo"]}], "fail"),
    ([tagged("a", 1), tagged("b", 2)], {"meta": {"kind": "b"}}, [{"meta": [{"kind": ["b"]}], "n": [2]}], "pass"),
    ([tagged("a", 1), tagged("b", 2)], {"meta": {"kind": "b"}}, [{"meta": [{"kind": ["b"]}], "n": [1]}], "fail"),
    ([{"anyOf": [{"type": "number"}, WHOLES, NOTHING]}, {"type": "string"}], None, [None], "pass"),
    ([BOAT, CART], {"kind": "boat", "sails": 9}, [{"kind": ["boat"], "sails": [9]}], "pass"),
    ([BOAT, CART], {"kind": "boat", "sails": 8}, [{"kind": ["boat"], "sails": [9]}], "fail"),
    ([BOAT, CART], {"kind": "cart"}, [{"kind": ["boat"], "sails": [9]}], "fail"),
    ([BOAT, CART], {"kind": "cart"}, [{"kind": ["cart"], "wheels": [2]}], "pass"),
    ([BOAT, CART], {"kind": "cart", "wheels": 2}, [{"kind": ["cart"]}], "pass"),
    ([BOAT, CART], {"kind": "cart", "wheels": 3}, [{"kind": ["cart"]}], "fail"),
    ([BOAT, CART], {"kind": "raft"}, [{"kind": ["raft"]}], "void"),
    ([WHOLES, TEXTS], [1], [[1]], "pass"),
    ([WHOLES, TEXTS], ["a"], [["a"]], "pass"),
    ([WHOLES, TEXTS], [1], [["1"]], "fail"),
    ([TEXTS, {"type": "string"}], "a", ["a"], "pass"),
    ([TEXTS, {"type": "string"}], ["a"], [["a"]], "pass"),
    ([COLOUR, NOTHING], "red", ["red"], "pass"),
    ([COLOUR, NOTHING], None, [None], "pass"),
    ([COLOUR, NOTHING], "green", ["green"], "void"),
    ([COLOUR, {"type": "integer"}], 7, [7], "pass"),
    ([COLOUR, {"type": "integer"}], "green", ["green"], "void"),
    ([{"type": "string"}, {"type": "number"}, NOTHING], "5", [5], "fail"),
    ([{"type": "array", "items": {"anyOf": [BOAT, CART]}}, NOTHING], [{"kind": "cart"}, {"kind": "boat"}],
     [[{"kind": ["cart"]}, {"kind": ["boat"]}]], "pass"),
]  # fmt: skip


@pytest.mark.parametrize(("members", "value", "allowed", "outcome"), CASES)
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_the_order_of_alternatives_does_not_matter(members, value, allowed, outcome, word):
    for ordered in permutations(members):
        verdict = judged(list(ordered), value, allowed, word=word)
        assert verdict.outcome == outcome, verdict.message


def test_the_difference_is_that_from_the_nearest_alternative():
    verdict = judged([CART, BOAT], {"kind": "boat", "sails": 8}, [{"kind": ["boat"], "sails": [9]}])
    assert verdict.path == "$.args.what.sails"


def test_an_alternative_follows_what_stands_beside_it_as_well():
    schema = {
        "type": "object",
        "properties": {"to": {"type": "string"}, "by": {"type": "string"}},
        "anyOf": [{"required": ["to"]}, {"required": ["by"]}],
    }
    tool = {"name": "go", "parameters": {"properties": {"how": schema}, "required": ["how"]}}
    for value, outcome in (({"to": "Oslo"}, "pass"), ({"by": "sea"}, "fail"), ({}, "fail")):
        answer = [{"go": {"how": [{"to": ["Oslo"], "by": [""]}]}}]
        assert check([{"go": {"how": value}}], tools=[tool], expected=answer).outcome == outcome


def chained(levels):
    """Each level may be either of two references to the next one."""
    made = {f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(levels)}
    return {**made, f"d{levels}": {"type": "string"}}


def crossed(count):
    """Each of many kinds of node may hold any other."""
    return {
        f"d{index}": {
            "anyOf": [
                *(
                    {"type": "object", "properties": {"in": {"$ref": f"#/$defs/d{other}"}}}
                    for other in range(count)
                ),
                {"type": "string"},
            ]
        }
        for index in range(count)
    }


def doubled(levels):
    """Each default has two below it."""
    made = {
        f"d{level}": {
            "type": "object",
            "default": {},
            "properties": {side: {"$ref": f"#/$defs/d{level + 1}"} for side in ("left", "right")},
        }
        for level in range(levels)
    }
    return {**made, f"d{levels}": {"type": "string", "default": "leaf"}}


def diamonds(levels):
    """Each level is two references to the next one at once."""
    made = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2, "description": "either way"}
        for level in range(levels)
    }
    return {**made, f"d{levels}": {"type": "object", "properties": {"in": {"type": "string"}}}}


@pytest.mark.parametrize("definitions", [chained(60), crossed(12), doubled(60), diamonds(60)])
def test_a_schema_that_refers_to_itself_many_times_is_read_in_time(definitions):
    parameters = {"properties": {"what": {"$ref": "#/$defs/d0"}}, "required": [], "$defs": definitions}
    assert shape_of(Tool("f", "", parameters)).properties["what"] is not None
    tool = {"name": "f", "parameters": parameters}
    for value in ("a", {"in": {"in": "a"}}, {}):
        check([{"f": {"what": value}}], tools=[tool], expected=[{"f": {"what": [value]}}])


def test_a_deep_value_of_a_recursive_union_is_compared_in_time():
    node = {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"type": "null"}]}
    kinds = {
        kind: {
            "type": "object",
            "properties": {"child": node, "kind": {"const": kind}},
            "required": ["kind"],
        }
        for kind in "ab"
    }
    parameters = {"properties": {"tree": node}, "required": ["tree"], "$defs": kinds}
    tool = {"name": "f", "parameters": parameters}
    tree, other = {"kind": "a"}, {"kind": "b"}
    for level in range(60):
        tree, other = ({"child": inner, "kind": "ab"[level % 2]} for inner in (tree, other))
    for value, outcome in ((tree, "pass"), (other, "fail")):
        call = [{"name": "f", "arguments": {"tree": value}}]
        assert match(call, [{"f": {"tree": tree}}], tools=[tool], form="plain").outcome == outcome


def test_two_enumerations_hold_at_once():
    both = {"allOf": [{"type": "string", "enum": ["a", "b"]}, {"enum": ["b", "c"]}]}
    tool = {"name": "f", "parameters": {"properties": {"x": both}, "required": ["x"]}}
    for value, outcome in (("b", "pass"), ("a", "void"), ("c", "void")):
        assert (
            match([{"f": {"x": value}}], [{"f": {"x": value}}], tools=[tool], form="plain").outcome == outcome
        )


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


@pytest.mark.parametrize(
    ("definitions", "value"),
    [
        (
            {"A": {"anyOf": [ref("B"), {"type": "string"}]}, "B": {"anyOf": [ref("A"), {"type": "integer"}]}},
            5,
        ),
        ({"A": {"anyOf": [ref("A"), {"type": "string"}]}}, "a"),
        ({"A": {"allOf": [ref("B")]}, "B": {"allOf": [ref("A"), {"type": "integer"}]}}, 5),
        ({"A": ref("B"), "B": ref("A")}, 5),
        (
            {
                "A": {"anyOf": [ref("B"), {"type": "string", "default": "a"}]},
                "B": {
                    "anyOf": [
                        ref("A"),
                        {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}},
                    ]
                },
            },
            {"n": 2},
        ),
    ],
)
def test_references_in_a_circle_come_to_an_end(definitions, value):
    tool = {
        "name": "f",
        "parameters": {"properties": {"x": ref("A")}, "required": ["x"], "$defs": definitions},
    }
    assert match([{"f": {"x": value}}], [{"f": {"x": value}}], tools=[tool], form="plain").outcome == "pass"


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("listed", [True, False])
def test_a_deep_value_with_defaults_is_filled_in_and_compared_in_time(told, listed):
    node = {"anyOf": [ref("a"), ref("b"), {"type": "null"}]}
    child = {"type": "array", "items": node} if listed else node
    kinds = {
        kind: {
            "type": "object",
            "properties": {"child": child, "n": {"type": "integer", "default": 1}}
            | ({"kind": {"const": kind}} if told else {kind: {"type": "integer"}}),
        }
        for kind in "ab"
    }
    tool = {"name": "f", "parameters": {"properties": {"tree": node}, "required": ["tree"], "$defs": kinds}}
    tree, other = {"n": 2}, {"n": 3}
    for level in range(40):
        mark = {"kind": "ab"[level % 2]} if told else {"ab"[level % 2]: 1}
        tree, other = ({"child": [inner] if listed else inner, **mark} for inner in (tree, other))
    for value, outcome in ((tree, "pass"), (other, "fail")):
        call = [{"name": "f", "arguments": {"tree": value}}]
        assert match(call, [{"f": {"tree": tree}}], tools=[tool], form="plain").outcome == outcome
