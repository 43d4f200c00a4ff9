"""The Python call list: `[name(parameter=value), …]`, the format that BFCL's default prompt asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.expressions import ExpressionReader
from faircall.decoding.limits import MAX_CALLS, MAX_DEPTH, LiteralError
from faircall.types import Call, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE_SPACE: Final = re.compile(r"[ \t\ufeff\u200b]*+(?:#[^\n]*+)?")
_ASSIGNMENT: Final = re.compile(r"[^\W\d]\w*+[ \t]*+=(?!=)")

# The commonest answer by far: one call whose arguments are plain texts, numbers and truth values.
_SCALAR: Final = r"""(?:'[^'\\\r\n]*+'|"[^"\\\r\n]*+"|0|-?[1-9][0-9]{0,14}+|True|False)"""
_ARGUMENT: Final = rf"[A-Za-z_][A-Za-z0-9_]*+={_SCALAR}"
_SIMPLE: Final = re.compile(
    rf"\[([A-Za-z_][A-Za-z0-9_]*+(?:\.[A-Za-z_][A-Za-z0-9_]*+)*+)\(({_ARGUMENT}(?:, ?{_ARGUMENT})*+)?\)\]"
)
_PART: Final = re.compile(r"""(\w+)=(?:'([^']*)'|"([^"]*)"|(T)rue|(F)alse|(-?[0-9]+))""")


def read_calls(text: str, *, names: Iterable[str] = frozenset()) -> tuple[Call, ...]:
    """Return the calls that all of `text` is, or no calls where it is an explicit empty list.

    Reads one call, or calls separated by commas or line breaks, with or without `[ ]` (or `( )`) around
    them. Fences and other wrappers are not read here. `names` are offered tool names: one that is not a
    Python name (`get-weather`) can be read only if it is among them. Raises LiteralError with the
    position, `truncated` where the text ends inside a call, and the reason WRAPPED_CALL where calls that
    are sound are followed by other text.

    >>> read_calls("[area(width=2, unit='cm')]")
    (Call(name='area', arguments={'width': 2, 'unit': 'cm'}, positional=()),)
    """
    simple = _read_simple(text)
    return _read_any(text, names) if simple is None else (simple,)


def _read_simple(text: str) -> Call | None:
    """The one call of plain arguments that the text is; None for any other text."""
    found = _SIMPLE.fullmatch(text)
    if found is None:
        return None
    name, written = found.groups()
    arguments: dict[str, Any] = {}
    if written:
        for key, single, double, true, false, number in _PART.findall(written):
            if key in arguments:
                return None
            arguments[key] = int(number) if number else True if true else False if false else single or double
    return Call(name, arguments)


def _read_any(text: str, names: Iterable[str]) -> tuple[Call, ...]:
    reader = ExpressionReader(text, 0, names)
    opening = reader.skip()
    if not opening:
        raise LiteralError("nothing to read", 0, reason=Reason.EMPTY_OUTPUT)
    if opening in "[(":
        calls = _bracketed_calls(reader, 1)
        if reader.skip():
            _refuse_rest(reader, calls)
        return tuple(calls)
    return tuple(_loose_calls(reader))


def _bracketed_calls(reader: ExpressionReader, depth: int) -> list[Call]:
    """Read `[call, …]`; a list that holds nothing but empty lists is empty too."""
    if depth > MAX_DEPTH:
        raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", reader.pos)
    closing = "]" if reader.text[reader.pos] == "[" else ")"
    reader.pos += 1
    calls: list[Call] = []
    while True:
        sign = reader.skip()
        if sign == closing:
            reader.pos += 1
            return calls
        if sign and sign in "[(":
            at = reader.pos
            if _bracketed_calls(reader, depth + 1):
                reader.fail("a list inside the list of calls", at=at)
        else:
            calls.append(_one_call(reader))
            _check_count(calls, reader)
        end = reader.pos
        sign = reader.skip()
        if sign == ",":
            reader.pos += 1
        elif sign != closing and "\n" not in reader.text[end : reader.pos]:
            reader.fail(f"expected `,` or `{closing}`")


def _loose_calls(reader: ExpressionReader) -> list[Call]:
    """Read calls that no bracket holds together."""
    calls: list[Call] = []
    while True:
        at = reader.pos
        try:
            calls.append(_one_call(reader))
        except LiteralError as failed:
            reader.pos = at
            if calls and not failed.truncated and reader.call_name() is None:
                _refuse_rest(reader, calls)
            raise
        _check_count(calls, reader)
        space = _LINE_SPACE.match(reader.text, reader.pos)
        here = space.end() if space else reader.pos
        separator = reader.text[here : here + 1]
        if separator and separator in ",;":
            reader.pos = here + 1
        if not reader.skip():
            return calls
        if separator not in {",", ";", "\n", "\r"}:
            _refuse_rest(reader, calls)


def _one_call(reader: ExpressionReader) -> Call:
    at = reader.pos
    name = reader.call_name()
    if name is None:
        if _ASSIGNMENT.match(reader.text, at):
            reader.fail("an assignment where a call was expected", at=at)
        reader.fail("expected a call", at=at)
    arguments, positional = reader.arguments(1)
    after = reader.text[reader.pos : reader.pos + 1]
    if after and after in ".([":
        reader.refuse("an operation on the result of a call", at)
    return Call(name, arguments, positional)


def _check_count(calls: list[Call], reader: ExpressionReader) -> None:
    if len(calls) > MAX_CALLS:
        raise LiteralError(f"more than {MAX_CALLS} calls", reader.pos)


def _refuse_rest(reader: ExpressionReader, calls: list[Call]) -> None:
    reader.skip()
    raise LiteralError(
        "text after the calls" if calls else "text after the empty list",
        reader.pos,
        reason=Reason.WRAPPED_CALL if calls else Reason.SYNTAX_ERROR,
    )
