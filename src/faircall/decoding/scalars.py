"""Python's numbers and quoted texts, read without evaluating them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from faircall.decoding.limits import MAX_DIGITS, LiteralError
from faircall.types import Reason

_NUMBER: Final = re.compile(
    r"0[xX](?:_?[0-9a-fA-F])++|0[oO](?:_?[0-7])++|0[bB](?:_?[01])++"
    r"|(?:\d(?:_?\d)*+(?:\.(?:\d(?:_?\d)*+)?)?|\.\d(?:_?\d)*+)(?:[eE][+-]?\d(?:_?\d)*+)?"
)
_STRING: Final = re.compile(r"([bBrRuUfF]{0,2})('''|\"\"\"|'|\")")
_BODIES: Final = {
    quote: re.compile(rf"(?:[^{quote[0]}\\]|\\.|{quote[0]}(?!{quote[0] * 2}))*+" if len(quote) == 3
                      else rf"(?:[^{quote}\\]|\\.)*+", re.DOTALL)
    for quote in ("'''", '"""', "'", '"')
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]{1,100})\}|(\r\n|.))",
    re.DOTALL,
)
_SIMPLE_ESCAPES: Final = {
    "\n": "", "\r\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n",
    "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
_TOO_LARGE: Final = 10**MAX_DIGITS
_BASES: Final = {"0x": 16, "0o": 8, "0b": 2}


def read_number(text: str, pos: int) -> tuple[int | float | str, int]:
    """Return the number at `pos` and the position after it; raises LiteralError.

    An integer with leading zeros is a code and not a number to Python: it stays text.

    >>> read_number("0417)", 0), read_number("1_000.5", 0)
    (('0417', 4), (1000.5, 7))
    """
    found = _NUMBER.match(text, pos)
    if not found:
        raise LiteralError("expected a number", pos, truncated=not text[pos:].strip())
    end = found.end()
    after = text[end : end + 1]
    if after and (after == "_" or after.isalnum()):
        raise LiteralError("a number runs into a name", pos)
    written = found.group()
    plain = written.replace("_", "")
    base = _BASES.get(plain[:2].lower())
    if base or plain.isdigit():
        if len(plain) > MAX_DIGITS:
            raise LiteralError(f"an integer of more than {MAX_DIGITS} digits", pos)
        if base:
            value = int(plain[2:], base)
            if value >= _TOO_LARGE:
                raise LiteralError(f"an integer of more than {MAX_DIGITS} digits", pos)
            return value, end
        return (written if plain[0] == "0" and plain.strip("0") else int(plain)), end
    number = float(plain)
    if number == float("inf"):
        raise LiteralError("a number out of range", pos)
    return number, end


def starts_string(text: str, pos: int) -> bool:
    """Return whether a quoted text, with or without a prefix, starts at `pos`.

    >>> starts_string("r'a'", 0), starts_string("ra", 0)
    (True, False)
    """
    return _STRING.match(text, pos) is not None


def read_string(text: str, pos: int) -> tuple[str, int]:
    """Return the quoted text at `pos` and the position after it; raw line breaks in it are kept.

    Raises LiteralError, with the reason UNSAFE_EXPRESSION for an f-string that has a field.

    >>> read_string("'one\\\\ttwo' rest", 0)
    ('one\\ttwo', 10)
    """
    opened = _STRING.match(text, pos)
    if not opened:
        raise LiteralError("expected quoted text", pos)
    prefix, quote = opened.group(1).lower(), opened.group(2)
    body = _BODIES[quote].match(text, opened.end())
    if not body or not text.startswith(quote, body.end()):
        # A text that ends in a bracket is more likely to lack a quote than to have been cut off.
        cut = not text.rstrip().endswith((")", "]", "}"))
        raise LiteralError("a string that is not closed", pos, truncated=cut)
    written = body.group()
    if "b" in prefix:
        raise LiteralError("bytes are not a value of a call", pos)
    if "\r" in written:
        written = written.replace("\r\n", "\n").replace("\r", "\n")
    if "f" in prefix:
        if "{" in written.replace("{{", ""):
            raise LiteralError(
                "an f-string with a field would have to be run", pos, reason=Reason.UNSAFE_EXPRESSION
            )
        written = written.replace("{{", "{").replace("}}", "}")
    if "r" not in prefix and "\\" in written:
        written = _ESCAPE.sub(_unescape, written)
    return written, body.end() + len(quote)


def _unescape(found: re.Match[str]) -> str:
    octal, two, four, eight, name, other = found.groups()
    if octal:
        return chr(int(octal, 8))
    if two or four:
        return chr(int(two or four, 16))
    if eight:
        code = int(eight, 16)
        return chr(code) if code < 0x110000 else found.group()
    if name:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            return found.group()
    return _SIMPLE_ESCAPES.get(other, found.group())
