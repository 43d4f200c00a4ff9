"""What matching takes for a value of a schema is what `jsonschema` takes for one, on the words that matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.canonical import suits
from faircall.canonical.shapes import shape_of
from faircall.dialects import standard_schema
from faircall.types import Tool

jsonschema = pytest.importorskip("jsonschema")

KEYS = ("a", "b")
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(0, 2)
    | st.sampled_from([0.5, 1.0])
    | st.sampled_from(["x", "y", ""])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from((*KEYS, "c")), inner, max_size=3)
    ),
    max_leaves=5,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
PLAIN = st.one_of(
    st.builds(lambda kind: {"type": kind}, TYPES),
    st.builds(lambda kinds: {"type": kinds}, st.lists(TYPES, min_size=2, max_size=3, unique=True)),
    st.builds(lambda kind: {"type": kind, "nullable": True}, TYPES),
    st.builds(lambda values: {"enum": values}, st.lists(SCALARS, min_size=1, max_size=3)),
    st.builds(lambda value: {"const": value}, SCALARS),
    st.just({"$ref": "#/$defs/one"}),
    st.just({}),
)


def _objects(inner):
    return st.builds(
        lambda fields, required, extra: {
            "type": "object",
            "properties": fields,
            **({"required": sorted(required)} if required else {}),
            **({} if extra is None else {"additionalProperties": extra}),
        },
        st.dictionaries(st.sampled_from(KEYS), inner, min_size=1, max_size=2),
        st.sets(st.sampled_from(KEYS), max_size=2),
        st.none() | st.booleans() | inner,
    )


def _schemas(inner):
    return st.one_of(
        _objects(inner),
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(
            lambda parts, word: {word: parts}, st.lists(inner, min_size=2, max_size=3), st.just("anyOf")
        ),
        # Parts that leave something: what contradicts itself is taken as if either part were meant.
        st.builds(_both, inner, inner),
        st.builds(lambda part: {"allOf": [part]}, inner),
        st.builds(_narrowed, st.lists(TYPES, min_size=1, max_size=3, unique=True), st.integers(0, 2)),
    )


def _both(first, second):
    return {
        "allOf": [
            {"type": "object", "properties": {"a": first}},
            {"type": "object", "properties": {"b": second}},
        ]
    }


def _narrowed(kinds, most):
    narrow = {"type": kinds[: most + 1]}
    return {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": kinds}}},
            {"properties": {"a": narrow}, "type": "object"},
        ]
    }


SCHEMAS = st.recursive(PLAIN, _schemas, max_leaves=5)
ONE = st.one_of(
    st.just({"type": "string"}), st.builds(lambda part: {"type": "object", "properties": {"a": part}}, PLAIN)
)


def compare(schema, one, value):
    parameters = {"type": "object", "properties": {"x": schema}, "$defs": {"one": one}}
    validator = jsonschema.Draft202012Validator(standard_schema(parameters))
    shape = shape_of(Tool("f", "", parameters))
    return suits({"x": value}, shape), validator.is_valid({"x": value})


@settings(max_examples=1000)
@given(schema=SCHEMAS, one=ONE, value=VALUES)
def test_matching_and_jsonschema_take_the_same_values(schema, one, value):
    found, expected = compare(schema, one, value)
    assert found == expected
