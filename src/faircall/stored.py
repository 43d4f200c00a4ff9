"""Files of verdicts read back: what each run adds up to, and every entry of it, without the results themselves."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.aggregate import Tally
from faircall.bfcl.categories import CATEGORIES
from faircall.details import Details
from faircall.errors import InputError, UsageError
from faircall.records import read_lines
from faircall.rows import dump_json
from faircall.signature import sign
from faircall.types import Outcome, State
from faircall.verdicts import PARQUET, read_signature, read_verdict_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CASES: Final = "cases"
"""What stands for the category of verdicts that have none."""
_SCORED: Final = "name a file that `faircall score --verdicts` wrote"


class StoredRun(msgspec.Struct, frozen=True):
    """One run of a file of verdicts: its name, the file, the signature, and the counts of each category."""

    label: str
    source: str
    signature: str
    tallies: dict[str, Tally]


class StoredVerdicts(msgspec.Struct, frozen=True):
    """The runs of files of verdicts, in their order, and every entry of them."""

    runs: tuple[StoredRun, ...]
    details: Details

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signatures of the files, each once."""
        return tuple(dict.fromkeys(run.signature for run in self.runs))


def read_stored(paths: Sequence[str | os.PathLike[str]]) -> StoredVerdicts:
    """Return what the files of verdicts at `paths` hold: those of `score --verdicts`, or the lines that `check` prints.

    The first need their signature beside them. The second have no model: the file's name stands for it, and the
    signature says that the profile is not known. Runs of one name that are in several files are told apart by the
    files' names. Raises `InputError` for files that are no verdicts, or have changed since they were signed, and
    `UsageError` without any file.
    """
    if not paths:
        raise UsageError("no file of verdicts is named")
    details = Details.temporary()
    runs: list[StoredRun] = []
    for path in paths:
        checked = _is_of_check(path)
        signature = "" if checked else read_signature(path)
        found: dict[str, tuple[int, dict[str, Tally]]] = {}
        reader = _Reader(os.fspath(path), details)
        for row in _checked_rows(path) if checked else read_verdict_rows(path):
            if row["model"] not in found:
                found[row["model"]] = (len(runs) + len(found), {})
            number, tallies = found[row["model"]]
            reader.add(row, number, tallies)
        reader.finish()
        if not found:
            raise InputError("holds no verdicts", path=path, hint=_SCORED)
        if checked:
            signature = _sign(path, found[Path(path).name][1][CASES])
        runs += [
            StoredRun(label, os.fspath(path), signature, tallies) for label, (_, tallies) in found.items()
        ]
    named = Counter(run.label for run in runs)
    told_apart = [
        msgspec.structs.replace(run, label=f"{run.label} ({Path(run.source).name})")
        if named[run.label] > 1
        else run
        for run in runs
    ]
    return StoredVerdicts(tuple(told_apart), details)


def _is_of_check(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins with a verdict that has no model, as `faircall check` prints them."""
    if os.fspath(path).lower().endswith(PARQUET):
        return False
    first = next(iter(read_lines(path)), None)
    return first is not None and "outcome" in first.value and "model" not in first.value


def _checked_rows(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of `faircall check` as rows of one run with one category."""
    name = Path(path).name
    for record in read_lines(path):
        row = record.value
        if (
            any(not isinstance(row.get(field), str) for field in ("outcome", "state", "reason"))
            or "id" not in row
        ):
            hint = "name a file of lines that `faircall check` printed"
            raise InputError("is no verdict", path=path, line=record.line, hint=hint)
        yield {
            **row,
            "id": row["id"] if isinstance(row["id"], str) else dump_json(row["id"]),
            "model": name,
            "category": CASES,
        }


def _sign(path: str | os.PathLike[str], tally: Tally) -> str:
    with Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    fields = {
        "bench": Path(path).name,
        "data": f"none#{digest[:8]}",
        "profile": "unknown",
        "n": tally.n,
        "void": tally.void,
        "ci": "wilson95",
    }
    return sign(fields)


class _Reader:
    """Takes the rows of a file, a category of a run after the other, and keeps each category when it is complete."""

    def __init__(self, source: str, details: Details) -> None:
        self.source = source
        self.details = details
        self._place: tuple[int, str] | None = None
        self._rows: list[dict[str, Any]] = []

    def add(self, row: dict[str, Any], number: int, tallies: dict[str, Tally]) -> None:
        """Take a row of the run with this number, and count it."""
        category = row["category"]
        if (number, category) != self._place:
            self.finish()
            if category not in {*CATEGORIES, CASES} or category in tallies:
                raise self._bad(f"{row['id']} is of no category, or not beside the others of its category")
            self._place = (number, category)
            tallies[category] = Tally(category, n=0)
        if row["outcome"] not in set(Outcome):
            raise self._bad(f"{row['id']} has no outcome that there is: {row['outcome']}")
        if row.get("state") not in set(State):
            raise self._bad(f"{row['id']} has no state that there is: {row.get('state')}")
        tally = tallies[category]
        tally.n += 1
        tally.correct += row["outcome"] == Outcome.PASS
        tally.void += row["outcome"] == Outcome.VOID
        tally.states[row["state"]] += 1
        tally.reasons[row["reason"]] += 1
        self._rows.append({name: value for name, value in row.items() if name not in {"model", "category"}})

    def finish(self) -> None:
        """Keep what came last."""
        if self._place is not None:
            self.details.keep(*self._place, self._rows)
        self._rows = []

    def _bad(self, what: str) -> InputError:
        return InputError(what, path=self.source, hint=_SCORED)
