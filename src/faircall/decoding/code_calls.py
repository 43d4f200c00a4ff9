"""What Java and JavaScript call lists share: `[name(parameter=value), …]` with values in that language."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.arithmetic import FoldError, fold
from faircall.decoding.limits import MAX_CALLS, MAX_DEPTH, MAX_DIGITS, LiteralError
from faircall.decoding.literals import skip_space
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    ReadValue = Callable[[str, int], Any]

MAX_SYNTAX: Final = 20_000
"""Characters of one value that are given to a syntax-tree parser."""

_NAME: Final = re.compile(r"(?:[^\W\d]|\$)[\w$]*+(?:\.(?:[^\W\d]|\$)[\w$]*+)*+")
_PARAMETER: Final = re.compile(r"\s*+([\w$](?:[\w$.-]*[\w$])?)\s*+=(?![=>])\s*+")
# Type arguments (`<String, Integer>`) are passed over in one piece, so that their commas separate nothing.
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"""'
    r'|"(?:[^"\\]|\\.)*+(?:"|\Z)'
    r"|'(?:[^'\\]|\\.)*+(?:'|\Z)"
    r"|`(?:[^`\\]|\\.)*+(?:`|\Z)"
    r"|(?<=\w)<[\w\s,.?&\[\]<>]{0,200}>"
    r"|[()\[\]{},]",
    re.DOTALL,
)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_STRING: Final = re.compile(r"\"[^\"\\\r\n]*+\"|'[^'\\\r\n]*+'")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9]\d*+)[lL]?")
_FLOAT: Final = re.compile(r"[+-]?(?:\d++\.\d*+|\.\d++|\d++(?=[eE]))(?:[eE][+-]?\d++)?")
_WORDS: Final[dict[str, bool | None]] = {
    "true": True, "false": False, "null": None, "undefined": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u+([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL
)
_SIMPLE: Final = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "s": " ", "0": "\0", "\n": "",
    "\r\n": "",
}  # fmt: skip
_OPERATORS: Final[dict[str, type[ast.operator]]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "%": ast.Mod, "**": ast.Pow, "<<": ast.LShift,
    ">>": ast.RShift, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor,
}  # fmt: skip


class SourceText(str):
    """A value that is only source text, because running it would be needed to get more: a variable, an expression."""

    __slots__ = ()


def read_code_calls(text: str, tools: Sequence[Tool], read_value: ReadValue) -> tuple[Call, ...]:
    """Return the calls of a bare list; `read_value` reads the text of one argument. Raises LiteralError."""
    at = skip_space(text)
    if at >= len(text):
        raise LiteralError("nothing to read", at, reason=Reason.EMPTY_OUTPUT)
    closing = {"[": "]", "(": ")"}.get(text[at], "")
    if closing:
        at = skip_space(text, at + 1)
    calls: list[Call] = []
    while True:
        if closing and text.startswith(closing, at):
            _refuse_rest(text, skip_space(text, at + 1), calls)
            return tuple(calls)
        if closing and text.startswith(("[]", "()"), at):
            at += 2
        else:
            try:
                call, at = _read_call(text, at, tools, read_value)
            except LiteralError as failed:
                if calls and not closing and not failed.truncated and not _NAME.match(text, at):
                    _refuse_rest(text, at, calls)
                raise
            calls.append(call)
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = _pass_separator(text, at, closing, calls)
        if at >= len(text):
            if closing:
                raise LiteralError(f"expected `,` or `{closing}`", at, truncated=True)
            return tuple(calls)


def _pass_separator(text: str, end: int, closing: str, calls: Sequence[Call]) -> int:
    """Return where the next call or the closing bracket begins, past a comma, a semicolon or a line break."""
    at = skip_space(text, end)
    if at < len(text) and text[at] in ",;":
        return skip_space(text, at + 1)
    if at < len(text) and "\n" not in text[end:at] and not (closing and text.startswith(closing, at)):
        if closing:
            raise LiteralError(f"expected `,` or `{closing}`", at)
        _refuse_rest(text, at, calls)
    return at


def _refuse_rest(text: str, at: int, calls: Sequence[Call]) -> None:
    if text.startswith(";", at):
        at = skip_space(text, at + 1)
    if at < len(text):
        raise LiteralError(
            "text after the calls" if calls else "text after the empty list",
            at,
            reason=Reason.WRAPPED_CALL if calls else Reason.SYNTAX_ERROR,
        )


def _read_call(text: str, at: int, tools: Sequence[Tool], read_value: ReadValue) -> tuple[Call, int]:
    named = _NAME.match(text, at)
    name = named.group() if named else ""
    for tool in tools:
        if text.startswith(tool.name + "(", at) and len(tool.name) > len(name):
            name = tool.name
    opening = skip_space(text, at + len(name))
    if not name or not text.startswith("(", opening):
        raise LiteralError("expected a call", at, truncated=bool(name) and opening >= len(text))
    pieces, end = _split_arguments(text, opening)
    arguments: dict[str, Any] = {}
    positional: list[Any] = []
    for start, stop in pieces:
        parameter = _PARAMETER.match(text, start, stop)
        if parameter and parameter.end() <= stop:
            key = parameter.group(1)
            if key in arguments:
                raise LiteralError(f"the parameter `{key}` is given twice", start)
            arguments[key] = read_argument(text, parameter.end(), stop, read_value)
        elif arguments:
            raise LiteralError("a positional argument after a named one", start)
        else:
            positional.append(read_argument(text, start, stop, read_value))
    return Call(name, arguments, tuple(positional)), end


def _split_arguments(text: str, opening: int) -> tuple[list[tuple[int, int]], int]:
    """Return where the arguments between the brackets begin and end, and the position after the brackets."""
    pieces: list[tuple[int, int]] = []
    expected = [")"]
    start = opening + 1
    at = start
    while found := _TOKEN.search(text, at):
        at = found.end()
        sign = found.group()
        if sign in _CLOSING:
            expected.append(_CLOSING[sign])
            if len(expected) > MAX_DEPTH:
                raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", found.start())
        elif sign == ",":
            if len(expected) == 1:
                pieces.append((start, found.start()))
                start = at
        elif sign in {")", "]", "}"}:
            if sign != expected.pop():
                raise LiteralError(f"`{sign}` closes nothing here", found.start())
            if not expected:
                if text[start : found.start()].strip():
                    pieces.append((start, found.start()))
                return pieces, at
        elif sign[0] in "\"'`" and (len(sign) == 1 or sign[-1] != sign[0]):
            cut = not text.rstrip().endswith((")", "]", "}"))
            raise LiteralError("a string that is not closed", found.start(), truncated=cut)
    raise LiteralError(f"expected `{expected[-1]}`", len(text), truncated=True)


def read_argument(text: str, start: int, stop: int, read_value: ReadValue) -> Any:
    """Return the value of `text[start:stop]`; common literals here, others by `read_value`."""
    written = text[start:stop].strip()
    begin = skip_space(text, start)
    if not written:
        raise LiteralError("expected a value", begin)
    if _STRING.fullmatch(written):
        return written[1:-1]
    if written in _WORDS:
        return _WORDS[written]
    if _INTEGER.fullmatch(written):
        return read_integer(written, begin)
    if _FLOAT.fullmatch(written):
        return read_float(written, begin)
    if len(written) > MAX_SYNTAX:
        return SourceText(written)
    return read_value(written, begin)


def read_integer(written: str, position: int, base: int = 10) -> int:
    """Return the integer of a literal without its suffix; raises LiteralError past the digit limit."""
    digits = written.rstrip("lLn").replace("_", "")
    if len(digits) > MAX_DIGITS:
        raise LiteralError(f"an integer of more than {MAX_DIGITS} digits", position)
    return int(digits, base)


def read_float(written: str, position: int) -> float:
    """Return the number of a literal; raises LiteralError where it is not finite."""
    number = float(written.replace("_", ""))
    if not math.isfinite(number):
        raise LiteralError("a number out of range", position)
    return number


def unescape(written: str) -> str:
    """Return the text of a string literal's body.

    >>> unescape(r"a\\tb")
    'a\\tb'
    """
    if "\\" not in written:
        return written
    return _ESCAPE.sub(_unescape, written)


def _unescape(found: re.Match[str]) -> str:
    braced, four, two, other = found.groups()
    digits = braced or four or two
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else found.group()
    return _SIMPLE.get(other, other)


def fold_binary(left: Any, sign: str, right: Any) -> Any:
    """Return the value of an operation on two constants, or None where it has none that is sure.

    Division is left alone: the languages differ on it.

    >>> fold_binary(60, "*", 5)
    300
    """
    if sign not in _OPERATORS:
        return None
    for part in (left, right):
        if isinstance(part, (SourceText, bool)) or not isinstance(part, (int, float, str)):
            return None
    if isinstance(left, str) is not isinstance(right, str) or (isinstance(left, str) and sign != "+"):
        return None
    try:
        value = fold(ast.BinOp(ast.Constant(left), _OPERATORS[sign](), ast.Constant(right)))
    except FoldError:
        return None
    return (
        None
        if isinstance(value, complex) or (isinstance(value, float) and not math.isfinite(value))
        else value
    )
