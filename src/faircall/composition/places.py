"""Where in a TOML file a key is written: its reader keeps no lines, and a message needs one."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tomllib
    from collections.abc import Sequence

_PART: Final = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_KEY: Final = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE: Final = re.compile(rf"\s*\[\s*({_KEY})\s*\]")
_PAIR: Final = re.compile(rf"\s*({_KEY})\s*=")
_AT_LINE: Final = re.compile(r"\s*\(at line (\d+), column \d+\)\Z")
_AT_END: Final = re.compile(r"\s*\(at end of document\)\Z")


def line_of_key(text: str, keys: Sequence[str]) -> int | None:
    """Return the line, counted from 1, on which a key is written, or the nearest table that holds it.

    None where not even its first part is there.

    >>> line_of_key("[score.parts]\\nlive.weight = 1\\n", ["score", "parts", "live", "weight"])
    2
    """
    table: list[str] = []
    deepest = 0
    found = None
    for number, line in enumerate(text.split("\n"), 1):
        if head := _TABLE.match(line):
            table = here = _split(head[1])
        elif pair := _PAIR.match(line):
            here = [*table, *_split(pair[1])]
        else:
            continue
        shared = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(here, keys, strict=False)))
        if shared > deepest:
            deepest, found = shared, number
    return found


def split_place(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int | None]:
    """Return what a TOML error says without its place, and the line of the place, counted from 1."""
    message = str(error)
    if place := _AT_LINE.search(message):
        return message[: place.start()], int(place[1])
    if place := _AT_END.search(message):
        return f"{message[: place.start()]} at the end", text.rstrip("\n").count("\n") + 1
    return message, None


def _split(key: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, key)]
