"""`fold` computes what Python computes, and refuses the rest."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faircall.decoding.arithmetic import Budget, FoldError, UnsafeExpressionError, fold


def folded(text: str, **options: Any) -> Any:
    return fold(ast.parse(text, mode="eval").body, **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4 / 2", 5.0),
        ("7 // 2 % 2", 1),
        ("2 ** -1", 0.5),
        ("-2 ** 2", -4),
        ("(-8) ** 0.5", (-8) ** 0.5),
        ("~5 + (not 0)", -5),
        ("1 << 4 | 3 & 2 ^ 1", 19),
        ("'ab' * 2 + 'c'", "ababc"),
        ("b'a' + b'b'", b"ab"),
        ("[1] + [None] * 2", [1, None, None]),
        ("(1,) * 0", ()),
        ("{1} | {2}", {1, 2}),
        ("{'a': 1, **{'b': 2}}", {"a": 1, "b": 2}),
        ("[*'ab', *(1, 2)]", ["a", "b", 1, 2]),
        ("[1, 2, 3][1:] + [0]", [2, 3, 0]),
        ("{'a': 5}['a'] * 2", 10),
        ("(1 if 2 < 3 <= 3 else 0) + 1", 2),
        ("(0 or 'x') + 'y'", "xy"),
        ("('a' in 'abc') + 1", 2),
        ("0 and undefined", 0),
        ("f'a' + 'b'", "ab"),
        ("True + True", 2),
        ("1e999 * 0", math.nan),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert repr(folded(text)) == repr(expected)


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0", "0 ** -1", "'a' + 1", "None + 1", "1 @ 2", "10 ** 400 * 1.0", "2.0 ** 10000", "x + 1", "1 + x.y",
        "unknown(open('x')) + 1", "[1][5]", "{[]: 1}", "{*[[]]}", "{**[]}", "1 << -1", "[*5]", "-'a'", "1 < 'a'",
    ],
)  # fmt: skip
def test_what_python_raises_on(text: str) -> None:
    with pytest.raises(FoldError) as raised:
        folded(text)
    assert not isinstance(raised.value, UnsafeExpressionError)


@pytest.mark.parametrize(
    "text",
    [
        "len('a') + 1", "(1).real + 1", "max * 2", "(lambda: 1) + 1", "[y for y in [1]] * 2", "'%s' % 1", "b'%d' % 1",
        "f'{1}' + 'a'", "(y := 1) + 1", "(1 is 1) + 1", "9 ** 9 ** 9", "1 << 10 ** 6", "10 ** 4299 * 10 ** 4299",
        "'a' * 10 ** 7", "10 ** 7 * [0]", "[[0] * 1000] * 1000",
        "'a' * 60000 + 'b' * 60000", "[*('a' * 99999)] + [*'ab']",
        "+".join("1" * 400), "-" * 400 + "1 + 1",
    ],
)  # fmt: skip
def test_what_is_refused(text: str) -> None:
    with pytest.raises(UnsafeExpressionError):
        folded(text)


def test_numbers_at_the_limit() -> None:
    assert folded("10 ** 4299") == 10**4299
    with pytest.raises(UnsafeExpressionError):
        folded("10 ** 4300")


def test_one_budget_serves_several_expressions() -> None:
    budget = Budget(10)
    assert folded("'a' * 6", budget=budget) == "aaaaaa"
    with pytest.raises(UnsafeExpressionError):
        folded("'a' * 6", budget=budget)


def test_an_error_names_its_place() -> None:
    with pytest.raises(FoldError) as raised:
        folded("1 +\\\n (2 / 0)")
    assert (raised.value.line, raised.value.column) == (2, 2)


def test_names_of_another_namespace() -> None:
    with pytest.raises(UnsafeExpressionError):
        folded("secret + 1", namespace=frozenset({"secret"}))
    with pytest.raises(FoldError, match="name 'len' is not defined"):
        folded("len + 1", namespace=frozenset())


numbers = st.one_of(st.integers(-50, 50), st.floats(-9, 9, width=16))


@given(numbers, numbers, numbers, st.sampled_from("+-*/%&|"), st.sampled_from(["+", "-", "*", "//", "<<"]))
def test_agrees_with_python(a: float, b: float, c: float, first: str, second: str) -> None:
    operations = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": lambda x, y: x / y,
        "%": lambda x, y: x % y,
        "//": lambda x, y: x // y,
        "&": lambda x, y: x & y,
        "|": lambda x, y: x | y,
        "<<": lambda x, y: x << y,
    }
    try:
        expected = operations[second](operations[first](a, b), c)
    except (ArithmeticError, TypeError, ValueError):
        expected = None
    try:
        found = folded(f"(({a!r}) {first} ({b!r})) {second} ({c!r})")
    except UnsafeExpressionError:
        assume(condition=False)
    except FoldError:
        found = None
    assert repr(found) == repr(expected)
