"""Readers of values: JSON, and Python literals; each starts at a position and says where it stopped."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from faircall.decoding.limits import MAX_DEPTH, MAX_DIGITS, LiteralError

__all__ = ["LiteralError", "check_depth", "read_json", "read_python_literal", "skip_space"]

_SPACE: Final = re.compile(r"[\s\ufeff\u200b]*+")
_JSON_SPACE: Final = re.compile(r"[ \t\r\n\ufeff]*+")
# The closing quote is optional, so that a string without one is passed over once and not tried again
# from each quote inside it.
_JSON_SHAPE: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_CUT_VALUE: Final = re.compile(r"\s*(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul|\.|\.?[eE][+-]?)?\Z")
_CUT_ESCAPE: Final = re.compile(r"\\?u?[0-9a-fA-F]{0,4}\Z")

_MESSAGES: Final = {
    "Expecting value": "expected a JSON value",
    "Expecting ',' delimiter": "expected `,` or a closing bracket",
    "Expecting ':' delimiter": "expected `:`",
    "Expecting property name enclosed in double quotes": "expected a name in double quotes",
    "Illegal trailing comma before end of object": "expected a name after `,`",
    "Illegal trailing comma before end of array": "expected a value after `,`",
    "Invalid control character at": "a raw control character in a string",
    "Invalid \\escape": "an unknown escape in a string",
    "Invalid \\uXXXX escape": "an incomplete escape in a string",
    "Unterminated string starting at": "a string that is not closed",
}


def skip_space(text: str, pos: int = 0) -> int:
    """Return the position of the first character from `pos` on that is not white space.

    >>> skip_space("  [", 0)
    2
    """
    found = _SPACE.match(text, pos)
    return found.end() if found else pos


def check_depth(text: str, pos: int = 0) -> None:
    """Raise LiteralError if the JSON value that starts at `pos` has more than `MAX_DEPTH` levels.

    >>> check_depth("[" * 50_000)
    Traceback (most recent call last):
    faircall.decoding.limits.LiteralError: nested more than 100 levels deep
    """
    if text.count("[", pos) + text.count("{", pos) <= MAX_DEPTH:
        return
    depth = 0
    for found in _JSON_SHAPE.finditer(text, pos):
        sign = text[found.start()]
        if sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", found.start())
        elif sign in "]}":
            depth -= 1
            if depth <= 0:
                return


def _refuse_constant(name: str) -> NoReturn:
    raise LiteralError(f"`{name}` is not a JSON value", -1)


def _read_float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise LiteralError("a number out of range", -1)
    return number


def _read_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise LiteralError(f"an integer of more than {MAX_DIGITS} digits", -1)
    return int(digits)


_DECODER: Final = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_read_float, parse_int=_read_int
)


def read_json(text: str, pos: int = 0) -> tuple[Any, int]:
    """Return the JSON value at `pos` (white space before it is skipped) and the position after it.

    A name that occurs twice in an object keeps its last value; `NaN` and `Infinity` are refused, as are
    raw control characters in strings. Raises LiteralError; `truncated` is set where the text ends inside
    the value.

    >>> read_json('{"a": [1, null]} and more')
    ({'a': [1, None]}, 16)
    """
    start = _JSON_SPACE.match(text, pos)
    begin = start.end() if start else pos
    check_depth(text, begin)
    try:
        return _DECODER.raw_decode(text, begin)
    except LiteralError as refused:
        raise LiteralError(refused.message, begin) from None
    except json.JSONDecodeError as failed:
        message = _MESSAGES.get(failed.msg, failed.msg[:1].lower() + failed.msg[1:])
        ending = _CUT_ESCAPE if failed.msg.startswith("Invalid \\") else _CUT_VALUE
        cut = failed.msg.startswith("Unterminated") or ending.match(text, failed.pos) is not None
        raise LiteralError(message, min(failed.pos, len(text)), truncated=cut) from None


def read_python_literal(text: str, pos: int = 0) -> tuple[Any, int]:
    """Return the Python literal at `pos` and the position after it.

    Reads what a call's argument may be (see `faircall.decoding.expressions`), so a bare name is its text
    and constant arithmetic is worked out. Raises LiteralError.

    >>> read_python_literal("{'a': (1, True)} rest")
    ({'a': (1, True)}, 16)
    """
    from faircall.decoding.expressions import ExpressionReader  # noqa: PLC0415 - it imports this module

    reader = ExpressionReader(text, pos)
    value = reader.value(0)
    return value, reader.pos
