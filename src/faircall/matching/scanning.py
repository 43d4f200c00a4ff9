"""What the two official converters share: plain words, searches that read a text once, and the way they fail."""

from __future__ import annotations

import re
from typing import Final

from faircall.decoding.limits import MAX_DIGITS
from faircall.errors import FaircallError

SPACE: Final = re.compile(r"\s*")


class UnconvertibleError(FaircallError):
    """The official converter raises on this value; `raised` names the class of its exception.

    >>> UnconvertibleError("ValueError", "no such type: Tree").raised
    'ValueError'
    """

    def __init__(self, raised: str, message: str) -> None:
        super().__init__(f"{raised}: {message}")
        self.raised = raised


class Ahead:
    """Where `needle` next occurs in `text`; the text's length where it does not.

    Asked at positions that never go down, it reads the text once in all.

    >>> colon = Ahead("a: b", ":")
    >>> colon(0), colon(1), colon(2)
    (1, 1, 4)
    """

    def __init__(self, text: str, needle: str) -> None:
        self._text = text
        self._needle = needle
        self._found = -1

    def __call__(self, start: int) -> int:
        """Return the first position of the needle at or after `start`."""
        if self._found < start:
            found = self._text.find(self._needle, start)
            self._found = found if found >= 0 else len(self._text)
        return self._found


def skip_space(text: str, start: int) -> int:
    """Return the first position at or after `start` that holds no white space.

    >>> skip_space("a  b", 1)
    3
    """
    found = SPACE.match(text, start)
    return found.end() if found else start


def read_integer(text: str) -> int:
    """Return the integer that `text` spells for Python, with no more digits than Python reads by default.

    Raises ValueError for any other text. The bound holds even where the interpreter's own has been lifted.

    >>> read_integer("1_000")
    1000
    """
    if len(text) > MAX_DIGITS and sum(map(str.isdecimal, text)) > MAX_DIGITS:
        raise ValueError("too many digits")
    return int(text)


def read_number(text: str) -> int | float | str:
    """Return the integer or else the float that `text` spells for Python, or `text` itself.

    >>> read_number("7"), read_number("1e3"), read_number("0x1F")
    (7, 1000.0, '0x1F')
    """
    try:
        return read_integer(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
