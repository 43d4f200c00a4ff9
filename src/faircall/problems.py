"""What is odd about a file that could be read all the same, as records with stable codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ID_SHOWN: Final = 80

PROBLEMS: Final[dict[str, Severity]] = {
    # the file
    "byte-order-mark": Severity.NOTE,
    "line-ends": Severity.NOTE,
    "blank-lines": Severity.NOTE,
    "json-array": Severity.NOTE,
    "wide-encoding": Severity.NOTE,
    "lone-surrogate": Severity.NOTE,
    "non-finite-number": Severity.NOTE,
    "encoding": Severity.WARNING,
    "joined-lines": Severity.WARNING,
    "long-number": Severity.WARNING,
    "duplicate-keys": Severity.WARNING,
    "truncated-last-line": Severity.WARNING,
    "empty-file": Severity.WARNING,
    # its entries
    "duplicate-ids": Severity.NOTE,
    "conflicting-ids": Severity.WARNING,
    "missing-ids": Severity.WARNING,
    "unknown-ids": Severity.WARNING,
    "no-id": Severity.WARNING,
    "no-result": Severity.WARNING,
    # the folder
    "ignored-file": Severity.NOTE,
    "duplicate-file": Severity.WARNING,
    "not-a-file": Severity.WARNING,
    "other-version": Severity.WARNING,
    "symlink-loop": Severity.WARNING,
    "unknown-category": Severity.WARNING,
    "nothing-to-score": Severity.NOTE,
    "unreadable-folder": Severity.WARNING,
    # score files
    "unpaired-scores": Severity.WARNING,
    "reduced-score": Severity.WARNING,
    "partial-score": Severity.WARNING,
    "contradictory-score": Severity.ERROR,
    # the benchmark's data
    "other-data": Severity.WARNING,
    "changed-data": Severity.ERROR,
}
"""Every code of a `Problem`, with its severity. The codes are stable; docs/data.md explains each."""


class Problem(msgspec.Struct, frozen=True):
    """What is odd about a file that could be read all the same: a stable code and a plain sentence."""

    code: str
    message: str
    path: str | None = None
    line: int | None = None
    ids: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        """How much it matters: a `note` changes no value, a `warning` may, an `error` contradicts itself."""
        return PROBLEMS[self.code]

    def __str__(self) -> str:
        where = "" if self.path is None else self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.message}" if where else self.message


def first_few(ids: Iterable[str], *, limit: int = 3) -> str:
    """Return the first `limit` of `ids` as text that is safe to print, and how many more there are.

    >>> first_few(["a_1", "a\\n_2", "a_3", "a_4", "a_5"])
    'a_1, a\\\\n_2, a_3 and 2 more'
    """
    every = list(ids)
    shown = ", ".join(_printable(name) for name in every[:limit])
    return shown if len(every) <= limit else f"{shown} and {len(every) - limit:,} more"


def _printable(name: str) -> str:
    """Return an id, which a file may have got from anywhere, without line breaks and control characters."""
    if len(name) > MAX_ID_SHOWN:
        name = name[:MAX_ID_SHOWN] + "…"
    if name.isprintable():
        return name
    escaped = (character if character.isprintable() else ascii(character)[1:-1] for character in name)
    return "".join(escaped)


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it takes one.

    >>> count_of(1, "line"), count_of(2000, "entry")
    ('1 line', '2,000 entries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
