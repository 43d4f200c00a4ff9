from __future__ import annotations

import pytest

from faircall.decoding.limits import MAX_DEPTH, MAX_DIGITS, LiteralError
from faircall.decoding.literals import read_json, read_python_literal
from faircall.types import Reason


def failure(read, text, pos=0):
    with pytest.raises(LiteralError) as failed:
        read(text, pos)
    return failed.value


def test_json_says_where_it_stopped():
    assert read_json('  {"a": [1.5, null, "]"]} rest', 0) == ({"a": [1.5, None, "]"]}, 25)
    assert read_json("xx[true]", 2) == ([True], 8)


@pytest.mark.parametrize(
    ("text", "position", "truncated"),
    [
        ('{"a": ', 6, True),
        ('{"a": tr', 6, True),
        ('{"a": "x', 6, True),
        ('{"a": "\\u00', 8, True),
        ("[1", 2, True),
        ("[1.", 2, True),
        ("[-", 1, True),
        ("", 0, True),
        ("[1,]", 3, False),
        ('{"a": bad}', 6, False),
        ('{"a": bad', 6, False),
        ("{'a': 1}", 1, False),
        ('["a\nb"]', 3, False),
        ("[NaN]", 0, False),
        ("[-Infinity]", 0, False),
        ("[1e999]", 0, False),
        ("nothing", 0, False),
    ],
)
def test_json_that_is_not(text, position, truncated):
    failed = failure(read_json, text)
    assert (failed.position, failed.truncated) == (position, truncated)
    assert failed.reason is (Reason.TRUNCATED if truncated else Reason.SYNTAX_ERROR)


def test_depth_and_digits_have_limits():
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)[1] == 2 * MAX_DEPTH
    for read in (read_json, read_python_literal):
        assert "levels" in failure(read, "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).message
        assert "levels" in failure(read, "[" * 50_000).message
        assert "digits" in failure(read, "[" + "9" * (MAX_DIGITS + 1) + "]").message
    assert read_json("9" * MAX_DIGITS)[0] > 0


def test_brackets_in_text_are_not_levels():
    text = '["' + "[" * 500 + '"]'
    assert read_json(text)[1] == len(text)
    assert read_python_literal(text)[1] == len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1f", 31),
        ("0b101", 5),
        ("0o17", 15),
        ("007", "007"),
        ("000", 0),
        ("1_0", 10),
        ("5.", 5.0),
        (".5e1", 5.0),
        ("-2**2", -4),
        ("(1 + 2) * 3", 9),
        ("7 // 2 % 2", 1),
        ("- - 5", 5),
        ("~5", -6),
        ("'a' + 'b' * 2", "abb"),
        ("...", "..."),
        ("{1, 2}", [1, 2]),
        ("{**{'a': 1}, 'b': 2}", {"a": 1, "b": 2}),
        ("(1,)", (1,)),
        ("()", ()),
        ("(1)", 1),
        ("{}", {}),
        ("name", "name"),
        ("a.b[0](c)", "a.b[0](c)"),
        ("'''it's\n\"so\"'''", 'it\'s\n"so"'),
        ('"""a""b"""', 'a""b'),
        ("f'{{plain}}'", "{plain}"),
        (r"'\x41\101\N{BULLET}\q'", "AA•\\q"),
        ("'a\\\nb'", "ab"),
    ],
)
def test_python_values(text, value):
    read, end = read_python_literal(text)
    assert read == value
    assert type(read) is type(value)
    assert end == len(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 if x else 2", Reason.UNSAFE_EXPRESSION),
        ("a or b", Reason.UNSAFE_EXPRESSION),
        ("1 < 2", Reason.UNSAFE_EXPRESSION),
        ("-x", Reason.UNSAFE_EXPRESSION),
        ("True + 1", Reason.UNSAFE_EXPRESSION),
        ("~True", Reason.UNSAFE_EXPRESSION),
        ("[1] * 3", Reason.UNSAFE_EXPRESSION),
        ("f() + 1", Reason.UNSAFE_EXPRESSION),
        ("'a' * 10 ** 9", Reason.UNSAFE_EXPRESSION),
        ("2 ** 10 ** 10", Reason.UNSAFE_EXPRESSION),
        ("1" + "+1" * 2_000, Reason.UNSAFE_EXPRESSION),
        ("'%s' % 1", Reason.UNSAFE_EXPRESSION),
        ("not True", Reason.UNSAFE_EXPRESSION),
        ("await x", Reason.UNSAFE_EXPRESSION),
        ("[*xs]", Reason.SYNTAX_ERROR),
        ("1 / 0", Reason.SYNTAX_ERROR),
        ("1e308 * 10", Reason.SYNTAX_ERROR),
        ("(-8) ** 0.5", Reason.SYNTAX_ERROR),
        ("b'a'", Reason.SYNTAX_ERROR),
        ("1j", Reason.SYNTAX_ERROR),
        ("{[1]: 2}", Reason.SYNTAX_ERROR),
        ("{'a': 1, 2}", Reason.SYNTAX_ERROR),
        ("'abc", Reason.TRUNCATED),
        ("[1,", Reason.TRUNCATED),
        ("{'a':", Reason.TRUNCATED),
    ],
)
def test_python_values_that_are_refused(text, reason):
    assert failure(read_python_literal, text).reason is reason


def test_long_chains_cost_no_stack():
    assert read_python_literal("-" * 50_000 + "1")[0] == 1
    assert read_python_literal("a" + ".a" * 50_000)[1] == 100_001
