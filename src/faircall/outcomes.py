"""The outcomes of runs, an entry a few bytes: from results that are scored now, or from files of verdicts."""

from __future__ import annotations

import os
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, parse_file_name
from faircall.bfcl.layout import discover
from faircall.errors import InputError
from faircall.jsontext import parse_json
from faircall.profiles import DEFAULT_PROFILE
from faircall.reading import protocol_of
from faircall.runs import score
from faircall.signature import parse_signature
from faircall.types import Outcome, Reason
from faircall.verdicts import read_signature, read_verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from faircall.problems import Problem
    from faircall.profiles import Profile

_BY_MODEL: Final = frozenset({"by-model", "auto", "auto+by-model"})


class Column(msgspec.Struct, frozen=True):
    """The outcomes of one category in a run, in the benchmark's order.

    `ids` are shared by all runs. `kinds` are numbers, one for each pair of an outcome and a reason. In `right`,
    `judged` and `absent` bit i stands for entry i: it passed; it has a verdict; the results do not have it.
    """

    ids: tuple[str, ...]
    kinds: array[int]
    right: int
    judged: int
    absent: int


class RunOutcomes(msgspec.Struct, frozen=True):
    """One run: its name, where it comes from, the signature of its verdicts, and its categories by name.

    `named` is the path by which it was named, `source` its own folder, or the file.
    """

    label: str
    named: str
    source: str
    signature: str
    columns: dict[str, Column]
    kinds: list[tuple[str, str]]
    """The outcome and the reason that each number of a column's `kinds` stands for."""
    asked: str | None = None
    """The decoder that was asked for, where that is known."""

    @property
    def judged(self) -> int:
        """How many entries have a verdict that is not void."""
        return sum(column.judged.bit_count() for column in self.columns.values())

    @property
    def entries(self) -> int:
        """How many entries the categories have."""
        return sum(len(column.ids) for column in self.columns.values())

    def told(self, category: str, place: int) -> tuple[str, str]:
        """Return the outcome and the reason of an entry."""
        return self.kinds[self.columns[category].kinds[place]]


class Shelf:
    """Keeps ids and kinds once for all runs that are put on it."""

    def __init__(self) -> None:
        self.kinds: list[tuple[str, str]] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._ids: dict[tuple[str, ...], tuple[str, ...]] = {}

    def number(self, outcome: str, reason: str) -> int:
        """Return the number of a kind."""
        kind = (outcome, reason)
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = len(self.kinds)
            self.kinds.append(kind)
        return number

    def column(self, ids: Sequence[str], kinds: array[int]) -> Column:
        """Return the column of these entries."""
        key = tuple(ids)
        right = judged = absent = 0
        for number in set(kinds):
            outcome, reason = self.kinds[number]
            places = int("".join("1" if kind == number else "0" for kind in reversed(kinds)), 2)
            if outcome == Outcome.VOID:
                absent |= places if reason == Reason.MISSING else 0
            else:
                judged |= places
                right |= places if outcome == Outcome.PASS else 0
        return Column(self._ids.setdefault(key, key), kinds, right, judged, absent)


class _Collector:
    """Takes verdicts, as lines or as rows, a category of a run after the other, and keeps the outcomes."""

    def __init__(self, shelf: Shelf, wanted: Sequence[str], source: str) -> None:
        self.shelf = shelf
        self.wanted = frozenset(wanted)
        self.source = source
        self.runs: dict[str, dict[str, Column]] = {}
        self._place: tuple[str, str] | None = None
        self._ids: list[str] = []
        self._kinds: array[int] = array("H")

    def write(self, text: str, /) -> None:
        for line in text.split("\n"):
            if line:
                self.add(parse_json(line))

    def add(self, row: Mapping[str, str]) -> None:
        place = (row["model"], row["category"])
        if place != self._place:
            self.finish()
            self._place = place
            if place[1] not in CATEGORIES or place[1] in self.runs.get(place[0], ()):
                raise self._bad(f"{row['id']} is of no category, or not beside the others of its category")
        if row["outcome"] not in set(Outcome):
            raise self._bad(f"{row['id']} has no outcome that there is: {row['outcome']}")
        self._ids.append(row["id"])
        self._kinds.append(self.shelf.number(row["outcome"], row["reason"]))

    def finish(self) -> None:
        """Put away what came last."""
        if self._place is None:
            return
        model, category = self._place
        if len(set(self._ids)) < len(self._ids):
            raise self._bad(f"{category} of {model} has an entry twice")
        if category in self.wanted:
            self.runs.setdefault(model, {})[category] = self.shelf.column(self._ids, self._kinds)
        self._place, self._ids, self._kinds = None, [], array("H")

    def _bad(self, what: str) -> InputError:
        hint = "score the results again: faircall score RESULTS --verdicts FILE"
        return InputError(f"is no file of verdicts: {what}", path=self.source, hint=hint)


def holds_verdicts(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a file that cannot be one of BFCL's results, and so is taken for one of verdicts."""
    file = Path(path)
    return file.is_file() and parse_file_name(file.name) is None


def score_outcomes(
    paths: Sequence[str | os.PathLike[str]],
    shelf: Shelf,
    *,
    profile: str | Profile = DEFAULT_PROFILE,
    decoder: str | None = None,
    wanted: Sequence[str] = tuple(CATEGORIES),
    data: str | os.PathLike[str] | None = None,
    workers: int | None = 1,
    advance: Callable[[int, int], None] | None = None,
) -> tuple[list[RunOutcomes], list[Problem]]:
    """Return the outcomes of the runs at several paths, scored now, and what is odd about their files.

    Options are those of `faircall.score`, and so is what is raised.
    """
    collector = _Collector(shelf, wanted, ", ".join(map(str, paths)))
    report = score(
        paths,
        profile=profile,
        decoder=decoder,
        categories=wanted,
        verdicts=collector,
        data=data,
        workers=workers,
        advance=advance,
    )
    collector.finish()
    folders = {run.label: run.folder for run in discover(paths)}
    named = {run.folder: os.fspath(path) for path in reversed(paths) for run in discover(path)}
    runs = [
        RunOutcomes(
            label,
            named[folders[label]],
            _from_here(folders[label]),
            report.signature,
            columns,
            shelf.kinds,
            decoder,
        )
        for label, columns in collector.runs.items()
    ]
    return runs, [*report.problems, *(problem for run in report.runs for problem in run.problems)]


def _from_here(folder: Path) -> str:
    here = Path.cwd()
    return str(folder.relative_to(here) if folder != here and folder.is_relative_to(here) else folder)


def read_outcomes(
    path: str | os.PathLike[str], shelf: Shelf, *, wanted: Sequence[str] = tuple(CATEGORIES)
) -> list[RunOutcomes]:
    """Return the outcomes of the runs in a file of verdicts.

    Raises `InputError` where the file has no signature or has changed since it was signed, and for a file of
    anything else.
    """
    signature = read_signature(path)
    source = os.fspath(path)
    collector = _Collector(shelf, wanted, source)
    for row in read_verdicts(path):
        collector.add(row)
    collector.finish()
    return [
        RunOutcomes(label, source, source, signature, columns, shelf.kinds)
        for label, columns in collector.runs.items()
    ]


def signed_fields(run: RunOutcomes) -> dict[str, str]:
    """Return the fields of a run's signature that have to be the same in two runs that are compared.

    What a run turned out to be (`n` and `void`) is not among them. A decoder that comes from the model's name, or fits
    each output because the name is not known, is one way to choose it, `by-model`: it only says which
    models are in the file.
    """
    fields = parse_signature(run.signature)
    for outcome in ("n", "void"):
        fields.pop(outcome, None)
    if run.asked is not None:
        fields["decoder"] = run.asked
    elif fields.get("decoder") in _BY_MODEL and _as_by_model(run.label, fields["decoder"]):
        fields["decoder"] = "by-model"
    return fields


def _as_by_model(label: str, decoder: str) -> bool:
    """Whether a run would have been read as it was, had no decoder been asked for."""
    known = protocol_of(label.rpartition("/")[2]).source == "registry"
    return known is ("by-model" in decoder) or "+" in decoder
