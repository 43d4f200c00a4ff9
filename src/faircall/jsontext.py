"""One JSON text to its value: msgspec where it can, Python's own parser where msgspec refuses.

Both give the same values. Python's parser is asked for NaN and Infinity, for lone surrogates and for numbers
out of range, all of which occur in stored results, because `json.dumps` writes them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

from faircall.errors import InputError

MAX_DEPTH: Final = 256
MAX_DIGITS: Final = 4300  # of a whole number; Python refuses to print longer ones

_FAST: Final = msgspec.json.Decoder()
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_UNFINISHED: Final = re.compile(
    r"t|tr|tru|f|fa|fal|fals|n|nu|nul|N|Na|-?(I|In|Inf|Infi|Infin|Infini|Infinit)|-|[.]|[eE][+-]?|"
)


def parse_json(text: str | bytes) -> Any:
    """Return the value of one JSON text, as Python's own parser gives it, but sooner.

    Takes what `json.loads` takes, NaN, Infinity and lone surrogates included. A whole number of more than
    `MAX_DIGITS` digits becomes a float. Raises `InputError` on anything else, and on values that are nested
    deeper than `MAX_DEPTH`.

    >>> parse_json('{"a": [1, -Infinity]}')
    {'a': [1, -inf]}
    """
    try:
        return parse_fast(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        pass
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8 at byte {error.start}") from error
    try:
        return parse_slowly(text, set())
    except json.JSONDecodeError as error:
        raise InputError(describe_error(error)) from error


def parse_fast(text: str | bytes) -> Any:
    """Return the value of a JSON text, or raise `msgspec.DecodeError`: the slow parser has to decide then.

    Raises `InputError` on values that are nested deeper than `MAX_DEPTH`.

    >>> parse_fast(b'{"a": 1.5}')
    {'a': 1.5}
    """
    try:
        value = _FAST.decode(text)
    except RecursionError as error:
        raise _too_deep() from error
    if len(text) > 2 * MAX_DEPTH:  # a shorter text has no room for so many brackets
        _refuse_deep(text, value)
    return value


def parse_slowly(text: str, oddities: set[str]) -> Any:
    """Return the value of a JSON text by Python's own parser, and add to `oddities` what is unusual in it.

    The oddities are `non-finite-number`, `long-number`, `lone-surrogate` and `duplicate-keys`. Raises
    `json.JSONDecodeError`, and `InputError` on values that are nested deeper than `MAX_DEPTH`.

    >>> found = set()
    >>> parse_slowly('{"a": NaN, "a": 1}', found), sorted(found)
    ({'a': 1}, ['duplicate-keys', 'non-finite-number'])
    """
    value, end = scan_value(text, skip_space(text, 0), oddities)
    if (end := skip_space(text, end)) < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def scan_value(text: str, start: int, oddities: set[str]) -> tuple[Any, int]:
    """Return the JSON value that begins at `start`, and where it ends; see `parse_slowly`.

    >>> scan_value('1 {"a": 2}', 2, set())
    ({'a': 2}, 10)
    """

    def constant(name: str) -> float:
        oddities.add("non-finite-number")
        return float(name)

    def whole(digits: str) -> int | float:
        if len(digits.removeprefix("-")) <= MAX_DIGITS:
            return int(digits)
        oddities.add("long-number")
        return float(digits)

    def decimal(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            oddities.add("non-finite-number")
        return value

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            oddities.add("duplicate-keys")
        return value

    decoder = json.JSONDecoder(
        parse_constant=constant, parse_int=whole, parse_float=decimal, object_pairs_hook=pairs
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except RecursionError as error:
        raise _too_deep() from error
    _refuse_deep(text, value)
    if _has_lone_surrogate(value):
        oddities.add("lone-surrogate")
    return value, end


def skip_space(text: str, position: int) -> int:
    """Return the first position from `position` on that holds no JSON white space.

    >>> skip_space("[  1]", 1)
    3
    """
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def describe_error(error: json.JSONDecodeError) -> str:
    """Return a parser's complaint as a phrase.

    >>> describe_error(json.JSONDecodeError("Expecting value", "[1,]", 3))
    'not JSON: expecting value at character 3'
    """
    if error.pos < len(error.doc) and error.doc[error.pos] == "\x00":
        return f"not JSON: a NUL byte at character {error.pos}"
    message = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
    return f"not JSON: {message} at character {error.pos}"


def is_cut_off(error: json.JSONDecodeError) -> bool:
    """Return whether the text that a parser refused stops too soon, and is sound up to there.

    >>> def refused(text):
    ...     try:
    ...         json.loads(text)
    ...     except json.JSONDecodeError as error:
    ...         return error
    >>> is_cut_off(refused('{"id": "a", "resu')), is_cut_off(refused('{"id": a}'))
    (True, False)
    """
    text = error.doc.rstrip(" \t\r\n")
    if error.msg.startswith("Unterminated string"):
        return True
    rest = text[error.pos :]
    if error.msg.startswith("Illegal trailing comma"):
        return rest == ","
    if "uXXXX" in error.msg:
        return '"' not in rest and len(rest) <= 6
    return _UNFINISHED.fullmatch(rest) is not None


def _too_deep() -> InputError:
    return InputError(f"nested deeper than {MAX_DEPTH} levels")


def _refuse_deep(text: str | bytes, value: Any) -> None:
    brackets = (
        text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    )
    if brackets <= MAX_DEPTH:
        return
    level = [value]
    for _ in range(MAX_DEPTH):
        following: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                following.extend(item.values())
            elif isinstance(item, list):
                following.extend(item)
        if not following:
            return
        level = following
    if any(isinstance(item, (dict, list)) for item in level):
        raise _too_deep()


def _has_lone_surrogate(value: Any) -> bool:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if _SURROGATE.search(item):
                return True
        elif isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False
