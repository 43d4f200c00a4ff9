"""Java values as the release converts them: expected values come from running it (see tests/parity)."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.errors import FaircallError, InputError
from faircall.matching.java_values import JAVA_TYPES, UnconvertibleError, convert_java

NINES = "9" * 4_301


@pytest.mark.parametrize(
    ("value", "declared", "expected"),
    [
        ("42", "integer", 42),
        ("-42", "byte", -42),
        ("007", "short", 7),
        ("+5", "integer", "+5"),
        ("1_000", "integer", "1_000"),
        ("0x1F", "integer", "0x1F"),
        ("12\n", "integer", 12),
        ("12\n\n", "integer", "12\n\n"),
        ("१२", "integer", 12),
        ("7L", "integer", "7L"),
        ("7L", "long", 7),
        ("7l\n", "long", 7),
        ("7", "long", "7"),
        ("2.5f", "float", 2.5),
        ("-1e3F\n", "float", -1000.0),
        ("2.5", "float", "2.5"),
        ("2.5", "double", 2.5),
        ("3", "double", 3.0),
        ("2.5d", "double", "2.5d"),
        (".5", "double", ".5"),
        ("1e999", "double", float("inf")),
        ("true", "boolean", True),
        ("TRUE", "boolean", "TRUE"),
        ("'x'", "char", "'x'"),
        ("x", "char", "x"),
        ('"word"', "String", '"word"'),
        ("12", "any", "12"),
        ("", "integer", ""),
        ("", "Array", ""),
    ],
)
def test_single_values(value: str, declared: str, expected: Any) -> None:
    assert repr(convert_java(value, declared)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "nested", "expected"),
    [
        ("new int[]{1, 2}", "integer", [1, 2]),
        (
            "new  Object[] {1, 2L, 3f, 4.5, true, \"s\", 'c', x, ,}",
            None,
            [1, 2, 3.0, 4.5, True, "s", "'c'", "x"],
        ),
        ("new int[]{1_000, +5, nan}", None, [1000, 5, float("nan")]),
        ('new String[]{"a, b"}', "String", ['"a', 'b"']),
        ('new String[]{"a"}', None, ["a"]),
        ("new char[]{'a'}", "char", ["'a'"]),
        ("new long[]{1L, 2}", "long", [1, "2"]),
        ("new int[]{}", "Set", []),
        ("{1, 2}", "integer", "{1, 2}"),
        ("new int[3]", "integer", "new int[3]"),
        ("new int[][]{{1}, {2}}", "Array", "new int[][]{{1}, {2}}"),
        ("new a.b.C[]{1}", None, "new a.b.C[]{1}"),
        ("new int[]{1,\n2}", "integer", "new int[]{1,\n2}"),
        ("new int[]{1,\nnew int[]{2}", "integer", [2]),
        ("f(new int[]{1}, new int[]{2})", "integer", [1]),
        ("new int[]{1}", "", [1]),
    ],
)
def test_arrays(value: str, nested: str | None, expected: Any) -> None:
    assert repr(convert_java(value, "Array", nested)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "nested", "expected"),
    [
        ("new ArrayList<Integer>(Arrays.asList(1, 2))", "integer", [1, 2]),
        ('new ArrayList<>(Arrays.asList("a", b))', "String", ["a", ""]),
        ("new ArrayList<>(Arrays.asList('a', 'b'))", "char", ["a", "b"]),
        ("new ArrayList<>(Arrays.asList(f(1), 2))", None, ["f(1)", 2]),
        ("new ArrayList<>(Arrays.asList(f(g(1)), 2))", None, ["f(g(1"]),
        ("new ArrayList<>(Arrays.asList())", "integer", "new ArrayList<>(Arrays.asList())"),
        ("new ArrayList<>(Arrays.asList(1,\n2))", "integer", "new ArrayList<>(Arrays.asList(1,\n2))"),
        ("new ArrayList<>() {{ add(1); add( 2 ); }}", "integer", [1, 2]),
        ("new ArrayList<>() {{\n add(1);\n add(f(2));\n}}", None, [1, "f(2"]),
        ("new ArrayList<>() {{ add(1,\n2); add(3); }}", None, [3]),
        ("new ArrayList<>() {{ add()); }}", None, [")"]),
        ("new ArrayList<>() {{}}; add(1); }}", None, [1]),
        ("new ArrayList<>() {{ }}", "integer", []),
        ("new ArrayList<>() {{}}", "integer", []),
        ("new ArrayList<>()", "integer", []),
        ("new ArrayList<List<String>>()", "any", "new ArrayList<List<String>>()"),
        ("Arrays.asList(1, 2)", "integer", "Arrays.asList(1, 2)"),
        ("List.of(1, 2)", "integer", "List.of(1, 2)"),
        ("new ArrayList<>(List.of(1))", "integer", "new ArrayList<>(List.of(1))"),
    ],
)
def test_array_lists(value: str, nested: str | None, expected: Any) -> None:
    assert repr(convert_java(value, "ArrayList", nested)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); }}', {"a": 1, "b": "x"}),
        ('new HashMap<>() {{ put("a", f(1)); put("b", 2L); }}', {"a": "f(1", "b": 2}),
        ('new HashMap<>() {{ put("a",\n1); put("b",2f); }}', {"a": 1, "b": 2.0}),
        ('new HashMap<>() {{ put("a\nb", 1); put("c", 2); }}', {"c": 2}),
        ('new HashMap<>() {{ put(A, 1); put("b", 2); }}', {"b": 2}),
        ('new HashMap<>() { put("a", 1) }', {"a": 1}),
        ('new HashMap<>() {{ put("a", new B() {}); put("c", 1); }}', {"a": "new B("}),
        ('new HashMap<>() {{ put("a", "x, y"); put("a", null); }}', {"a": "null"}),
        ('new HashMap<>() {{ put("a" , 1); put("b", 2); }}', {'a" , 1); put("b': 2}),
        ("new HashMap<>() {{ }}", {}),
        ("new HashMap<String,\nInteger>()", "new HashMap<String,\nInteger>()"),
        ("new HashMap<String, List<String>> ()", {}),
        ("new HashMap<>(other)", "new HashMap<>(other)"),
        ('Map.of("a", 1)', 'Map.of("a", 1)'),
        ("{a=1}", "{a=1}"),
    ],
)  # fmt: skip
def test_hash_maps(value: str, expected: Any) -> None:
    assert repr(convert_java(value, "HashMap")) == repr(expected)


@pytest.mark.parametrize(
    ("value", "declared", "nested", "raised"),
    [
        ("x", "Set", None, "NotImplementedError"),
        ("x", "Hashtable", None, "NotImplementedError"),
        ("x", "Queue", None, "NotImplementedError"),
        ("x", "Stack", None, "NotImplementedError"),
        ("x", "Tree", None, "ValueError"),
        ("x", "string", None, "ValueError"),
        ("new int[]{1}", "Array", "Set", "NotImplementedError"),
        ("new ArrayList<>(Arrays.asList(1))", "ArrayList", "Tree", "ValueError"),
        (NINES, "integer", None, "ValueError"),
        (NINES + "L", "long", None, "ValueError"),
        (f"new long[]{{{NINES}L}}", "Array", None, "ValueError"),
        (f'new HashMap<>() {{{{ put("a", {NINES}L); }}}}', "HashMap", None, "ValueError"),
    ],
)
def test_where_the_release_raises(value: str, declared: str, nested: str | None, raised: str) -> None:
    with pytest.raises(UnconvertibleError) as caught:
        convert_java(value, declared, nested)
    assert caught.value.raised == raised
    assert isinstance(caught.value, FaircallError)
    assert not isinstance(caught.value, InputError)


def test_digits_within_and_beyond_the_bound() -> None:
    assert convert_java(NINES[1:], "integer") == 10**4_300 - 1
    assert convert_java(f"new int[]{{{NINES}}}", "Array") == [float("inf")]  # read as a float instead


def test_the_bound_holds_where_the_interpreter_has_none() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        with pytest.raises(UnconvertibleError):
            convert_java(NINES, "integer")
        assert convert_java(f"new int[]{{{NINES}}}", "Array") == [float("inf")]
    finally:
        sys.set_int_max_str_digits(before)


MANY = 50_000
HOSTILE = {
    "open arrays": "new A[]{" * MANY,
    "spaces in a block": "new ArrayList<>() {{" + " " * MANY,
    "open lists": "new ArrayList<>(Arrays.asList(" * MANY,
    "open additions": "new ArrayList<>() {{" + "add(" * MANY + "}}",
    "open maps": "new HashMap<" * MANY,
    "closed parameters": "new HashMap<" + ">" * MANY,
    "maps with arguments": "new HashMap<>(x" * MANY,
    "open entries": "new HashMap<>() {{" + 'put("a",' * MANY + "}}",
    "keys without values": "new HashMap<>() {{" + 'put("a",\n1' * MANY + "}}",
    "digits": "9" * MANY,
    "decimals": "9" * MANY + "." + "9" * MANY + "e",
    "spaces": "new" + " " * MANY,
    "words": "new " + "new" * MANY,
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_end_soon(value: str) -> None:
    begin = time.perf_counter()
    for declared in ("Array", "ArrayList", "HashMap", "double", "float", "any"):
        convert_java(value, declared)
    assert time.perf_counter() - begin < 2


@given(
    st.text(alphabet=st.sampled_from('new[]{}()<>,"; \n1aLfput.dHashMpArrLi')),
    st.sampled_from(sorted(JAVA_TYPES)),
)
def test_any_text_has_an_answer(value: str, declared: str) -> None:
    try:
        converted = convert_java(value, declared)
    except UnconvertibleError as error:
        assert error.raised == "NotImplementedError"  # noqa: PT017 - a value of a refused type is no failure
        return
    assert type(converted) in {str, int, float, bool, list, dict}
