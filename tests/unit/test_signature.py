"""The signature line: one line, splits at its bars, cannot be forged by a value."""

from __future__ import annotations

import pytest

import faircall
from faircall.errors import UsageError
from faircall.signature import hash8, parse_signature, sign


def test_fields_keep_their_order_and_the_version_ends_the_line():
    line = sign({"board": "bfcl-v4", "date": None, "rows": "109#1a2b3c4d"})
    assert line == f"board:bfcl-v4|date:none|rows:109#1a2b3c4d|v:{faircall.__version__}"


@pytest.mark.parametrize(
    ("value", "printed"),
    [("a|v:9.9.9", "a_v:9.9.9"), ("a\nb", "a_b"), ("über board", "_ber_board"), ("\x1b[31m", "_[31m")],
)
def test_a_value_cannot_break_the_line(value, printed):
    line = sign({"board": value})
    assert parse_signature(line)["board"] == printed
    assert len(line.splitlines()) == 1
    assert line.isascii()


def test_what_is_signed_is_read_back():
    fields = {"board": "x", "rows": "3#00000000", "ci": "wilson95"}
    assert parse_signature(sign(fields)) == {**fields, "v": faircall.__version__}


@pytest.mark.parametrize("fields", [{}, {"v": "1"}, {"Board": "x"}, {"a b": "x"}])
def test_a_bad_key_is_refused(fields):
    with pytest.raises(UsageError):
        sign(fields)


@pytest.mark.parametrize("line", ["", "board", "board:x|board:y", "board:x||v:1"])
def test_what_is_no_signature_is_refused(line):
    with pytest.raises(UsageError, match="not a field"):
        parse_signature(line)


def test_the_hash_tells_pieces_apart():
    assert hash8(["ab", "c"]) != hash8(["a", "bc"])
    assert len(hash8([])) == 8
    assert hash8(["\ud800"]) == hash8(["\ud800"])
