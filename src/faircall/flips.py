"""Flips: the entries that two profiles judge differently, kept so that memory does not grow with their number."""

from __future__ import annotations

import weakref
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.jsontext import parse_json
from faircall.rows import call_row, dump_json, span_row
from faircall.types import Outcome, State  # noqa: TC001 - msgspec reads the types of the fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faircall.types import Verdict

_IN_MEMORY: Final = 4 * 2**20
"""Bytes from which on flips go to a temporary file."""


class Flip(msgspec.Struct, frozen=True):
    """One entry that two profiles judge differently: outcomes, the switch that makes the difference, and why.

    `states` are the gate's states by policy. `calls` is what the model called and `expected` what was expected, both as
    the JSON contract writes them.
    """

    model: str
    category: str
    id: str
    switch: str
    official: Outcome
    fair: Outcome
    states: dict[str, State]
    reason: str
    path: str | None
    message: str | None
    calls: list[dict[str, Any]]
    expected: Any
    evidence: dict[str, Any] | None

    @property
    def moves(self) -> bool:
        """Whether the outcomes differ, and not only what some gate policy credits."""
        return self.official is not self.fair


def make_flip(
    verdict: Verdict,
    *,
    model: str,
    category: str,
    id: str,  # noqa: A002 - a record's field
    switch: str,
    official: Outcome,
    fair: Outcome,
    states: dict[str, State],
    expected: Any,
) -> Flip:
    """Return a flip with what there is to see in a verdict."""
    return Flip(
        model, category, id, switch, official, fair, states, verdict.reason, verdict.path, verdict.message,
        [call_row(call) for call in verdict.calls], expected, span_row(verdict.evidence),
    )  # fmt: skip


def write_flips(flips: Iterable[Flip]) -> list[str]:
    """Return the flips of one run as JSON lines, those first whose outcomes differ."""
    return [dump_json(flip) for flip in sorted(flips, key=lambda flip: not flip.moves)]


class Flips:
    """The flips of all runs, read back from a temporary file as often as they are asked for.

    >>> flips = Flips()
    >>> flips.add(['{"model": "kite"}'])
    >>> len(flips), list(flips.rows())
    (1, [{'model': 'kite'}])
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY, mode="w+b")  # noqa: SIM115 - lives as long as this
        weakref.finalize(self, self._file.close)
        self._runs: list[tuple[int, int]] = []

    def add(self, lines: list[str]) -> None:
        """Add the flips of the next run, as `write_flips` gives them."""
        self._file.seek(0, 2)
        self._runs.append((self._file.tell(), len(lines)))
        for line in lines:
            self._file.write(line.encode() + b"\n")

    def __len__(self) -> int:
        return sum(count for _, count in self._runs)

    def __iter__(self) -> Iterator[Flip]:
        return (msgspec.convert(row, Flip) for row in self.rows())

    def of_run(self, number: int, *, first: int | None = None) -> Iterator[Flip]:
        """Yield the flips of a run, by the number in which it was added, or only the first so many."""
        for line in islice(self._lines(number), first):
            yield msgspec.convert(parse_json(line), Flip)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all flips as the JSON contract names them."""
        return (parse_json(line) for line in self.lines())

    def lines(self) -> Iterator[str]:
        """Yield all flips as JSON text, a line each."""
        for number in range(len(self._runs)):
            yield from self._lines(number)

    def _lines(self, number: int) -> Iterator[str]:
        position, count = self._runs[number]
        for _ in range(count):
            self._file.seek(position)  # whoever else reads may have moved it
            line = self._file.readline()
            position += len(line)
            yield line.decode().rstrip("\n")
