"""Finding the end of a bracketed stretch in text that may be broken, in linear time."""

from __future__ import annotations

import re
from typing import Final

import msgspec

_TOKEN = re.compile(r"""[()\[\]{}"']|\\.""", re.DOTALL)
_QUOTED = {quote: re.compile(rf"(?:[^\\{quote}\n]|\\.)*{quote}") for quote in "\"'"}
_PAIR: Final = {"(": ")", "[": "]", "{": "}"}
REACH: Final = 20_000
"""How many characters a bracketed stretch may span before it counts as unclosed."""


READING_BUDGET: Final = 100_000
"""How many characters of bracketed stretches are looked at in one text, so that nesting costs no more than reading."""


class Stretch(msgspec.Struct, frozen=True):
    """A bracketed stretch: `end` is behind its closing bracket, or where the search gave up.

    `closed` is false when the closing bracket is missing; `crossed` is true when a bracket of another kind
    stands where it should be.
    """

    start: int
    end: int
    closed: bool
    crossed: bool = False


def close_bracket(text: str, start: int) -> Stretch:
    """Return the stretch that the opening bracket at `start` begins.

    Quoted strings are skipped where they close on their line; a lone apostrophe is ordinary text.

    >>> close_bracket("f(a='(') tail", 1).end
    8
    """
    stack: list[str] = []
    limit = min(len(text), start + REACH)
    position = start
    while (token := _TOKEN.search(text, position, limit)) is not None:
        mark = token.group()
        position = token.end()
        if mark in _PAIR:
            stack.append(_PAIR[mark])
        elif mark in ")]}":
            if not stack or stack[-1] != mark:
                return Stretch(start, position, closed=False, crossed=True)
            stack.pop()
            if not stack:
                return Stretch(start, position, closed=True)
        elif mark in "\"'" and not _inside_word(text, token.start()):
            quoted = _QUOTED[mark].match(text, position, limit)
            if quoted is not None:
                position = quoted.end()
    return Stretch(start, limit, closed=False)


def _inside_word(text: str, at: int) -> bool:
    return text[at] == "'" and 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
