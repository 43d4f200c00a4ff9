"""JavaScript values as the release converts them: expected values come from running it (see tests/parity)."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.matching.javascript_values import JAVASCRIPT_TYPES, UnconvertibleError, convert_javascript

NINES = "9" * 4_301


@pytest.mark.parametrize(
    ("value", "declared", "expected"),
    [
        ("'a'", "String", "a"),
        ('"it\'s"', "String", "it's"),
        ("'a\"", "String", "'a\""),
        ('"', "String", ""),
        ("`a`", "String", "`a`"),
        (" 'a' ", "String", " 'a' "),
        ("12", "integer", 12),
        ("12\n", "integer", 12),
        ("1e3", "integer", "1e3"),
        ("1.5", "float", 1.5),
        ("2", "float", 2.0),
        ("1e3", "float", "1e3"),
        ("-5n", "Bigint", -5),
        ("5", "Bigint", "5"),
        ("BigInt(5)", "Bigint", "BigInt(5)"),
        ("false", "Boolean", False),
        ("False", "Boolean", "False"),
        ("'a'", "any", "'a'"),
        ("null", "integer", "null"),
    ],
)
def test_single_values(value: str, declared: str, expected: Any) -> None:
    assert repr(convert_javascript(value, declared)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "nested", "expected"),
    [
        ("[1, 'two', true, null, 1.5]", None, [1, "two", True, "null", 1.5]),
        ("[1, '2', 3.0]", "integer", [1, "'2'", "3.0"]),
        ("['a, b']", "String", ["'a", "b'"]),
        (" [] ", "integer", []),
        ("[,]", None, ["", ""]),
        ("[1,\n2]", "integer", "[1,\n2]"),
        ("[1] tail", "integer", [1]),
        ("new Array(1, 2)", "integer", [1, 2]),
        ("new Array(f(1), 2)", None, ["f(1"]),
        ("newArray(1)", None, "newArray(1)"),
        ("new Set([1])", None, "new Set([1])"),
        (" x ", "any", "x"),
        ("[{a: 1}, {b: 2}]", "dict", [{"a": 1}, {"b": 2}]),
        ("[{a: 1, b: 2}]", "dict", ["{a: 1", "b: 2}"]),
        ("[1n, 2n]", "Bigint", [1, 2]),
        ("[1, 2]", "Tree", "[1, 2]"),
        (f"[{NINES}]", "integer", f"[{NINES}]"),
        (f"[{NINES}]", None, [float("inf")]),
    ],
)
def test_arrays(value: str, nested: str | None, expected: Any) -> None:
    assert repr(convert_javascript(value, "array", nested)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[[1, 2], ['a']]", [[1, 2], ["a"]]),
        ("[ [1] ,\n [2] ]", [[1], [2]]),
        ("[\n[1],\n[2]\n]", [[1], [2]]),
        ("[[1,\n2]]", "[[1,\n2]]"),
        ("[[], []]", [[""], [""]]),
        ("[[[1]]]", [["[1"]]),
        ("[[1], 2, [3]]", [[1], [3]]),
        ("[[1], 2]", ["[1"]),
        ("[[1]], [[2]]", [[1]]),
        ("[[1], [2]", ["[1"]),
        ("[[1] x\n, [2]]", ["[1"]),
        ("[['a]', 'b'], [2]]", [["'a"], [2]]),
        ("new Array([1, 2], [3])", [[1, 2], [3]]),
        ("new Array([1], 2)", ["[1]", 2]),
        ("new Map([['a', 1]])", "new Map([['a', 1]])"),
    ],
)
def test_arrays_of_arrays(value: str, expected: Any) -> None:
    assert repr(convert_javascript(value, "array")) == repr(expected)
    if not isinstance(expected, str) and all(isinstance(row, list) for row in expected):
        assert convert_javascript(value, "array", "String") == expected  # the rows' own type goes unused


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{}", {}),
        ("{ }", {}),
        ("{a: 1, 'b': 'x', \"c\": true}", {"a": 1, "b": "x", "c": True}),
        ("{a: '1'}", {"a": 1}),
        ("{a: 'x, y', b: 2}", {"a": "x, y", "b": 2}),
        ("{a: 'x, y: z'}", {"a": "x", "y": "z"}),
        ("{a: [1, 'b'], c: [[1], [2]]}", {"a": [1, "b"], "c": [[1], [2]]}),
        ("{a: {b: 1}, c: 2}", {"a": "{b: 1"}),
        ("{a: 1,}", {"a": "1,"}),
        ("{a, b}", {}),
        ("{...rest, a: 1}", {"...rest, a": 1}),
        ("{a: 1, : 2}", {"a": 1, "": 2}),
        ("{a: 1,: 2}", {"a": "1,: 2"}),
        ("{a: (x) => x, b: null}", {"a": "(x) => x", "b": "null"}),
        ("{a: new Date('2024-01-02T10:00')}", {"a": "new Date('2024-01-02T10:00')"}),
        ("{\n a: 1\n}", "{\n a: 1\n}"),
        ("{a: 1", "{a: 1"),
        ("{a: 1}; b", {"a": 1}),
        (" state ", "state"),
    ],
)
def test_objects(value: str, expected: Any) -> None:
    assert repr(convert_javascript(value, "dict")) == repr(expected)


@pytest.mark.parametrize(
    ("value", "declared"),
    [("x", "Tree"), ("x", "boolean"), (NINES, "integer"), (NINES + "n", "Bigint"), ("5n\n", "Bigint")],
)
def test_where_the_release_raises(value: str, declared: str) -> None:
    with pytest.raises(UnconvertibleError) as caught:
        convert_javascript(value, declared)
    assert caught.value.raised == "ValueError"


MANY = 50_000
HOSTILE = {
    "rows without an end": "[[" + "1],[" * MANY,
    "rows of a constructor": "new Array([" + "1],[" * MANY,
    "open brackets": "[" * MANY,
    "brackets": "[" * MANY + "]" * MANY,
    "rows on lines": "[[" + "1],\n[\n" * MANY,
    "words": "{" + "a" * MANY + "}",
    "commas": "{" + "," * MANY + "}",
    "colons": "{" + ":" * MANY + "}",
    "commas in a value": "{a: " + ", " * MANY + "}",
    "commas and colons": "{a:1" + ",:" * MANY + "}",
    "spaces": "{a:1," + " " * MANY + "}",
    "open objects": "{a:" * MANY,
    "nested arrays": "{a:" + "[" * MANY + "]" * MANY + "}",
    "digits": "9" * MANY,
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_end_soon(value: str) -> None:
    begin = time.perf_counter()
    for declared in ("dict", "array", "float", "String", "any"):
        convert_javascript(value, declared)
    assert time.perf_counter() - begin < 2


@given(
    st.text(alphabet=st.sampled_from("[]{}()'\",:; \n1a")),
    st.sampled_from(sorted(JAVASCRIPT_TYPES)),
    st.sampled_from([None, *sorted(JAVASCRIPT_TYPES)]),
)
def test_any_text_has_an_answer(value: str, declared: str, nested: str | None) -> None:
    assert type(convert_javascript(value, declared, nested)) in {str, int, float, bool, list, dict}
