"""Every entry of scored runs in full, on disk: one file of JSON lines for each category of each run."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Self

import msgspec

from faircall.canonical import canonical_calls
from faircall.reading import FAIR, OFFICIAL
from faircall.rows import call_row, dump_json, verdict_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from faircall.bfcl.data import Entry
    from faircall.bfcl.questions import Questions
    from faircall.profiles import Profile
    from faircall.reading import Readable
    from faircall.types import Tool, Verdict


class Details(msgspec.Struct, frozen=True, weakref=True):
    """Where the entries of runs are kept: a folder, in which a run has the number of its place."""

    folder: str

    @classmethod
    def temporary(cls) -> Self:
        """Return details in a new folder, which is deleted with them."""
        details = cls(mkdtemp(prefix="faircall-"))
        weakref.finalize(details, shutil.rmtree, details.folder, ignore_errors=True)
        return details

    def keep(self, run: int, category: str, rows: Iterable[dict[str, Any]]) -> None:
        """Keep the entries of one category of a run, as `detail_row` gives them."""
        with self._file(run, category).open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(dump_json(row) + "\n" for row in rows)

    def lines(self, run: int, category: str) -> Iterator[str]:
        """Yield the entries of one category of a run as JSON text, in the benchmark's order."""
        with self._file(run, category).open(encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield line.rstrip("\n")

    def _file(self, run: int, category: str) -> Path:
        return Path(self.folder) / f"{run}-{category}.jsonl"


def detail_row(
    reading: Readable, output: Any, profile: Profile, tools: Sequence[Tool], *, switch: str | None
) -> dict[str, Any]:
    """Return an entry in full: what was stored, the verdict under each profile, and the canonical calls.

    `verdicts` are those under the official profile, the fair one and `profile`, by their names; the fields of the last
    stand beside them, as in a verdict's line. `switch` is the one that tells the official outcome from the other;
    `canonical` is there where defaults were filled in or positions bound.
    """
    profiles = {each.name: each for each in (OFFICIAL, FAIR, profile)}
    verdicts = {name: reading.verdict(each) for name, each in profiles.items()}
    verdict = verdicts[profile.name]
    row = {
        **verdict_row(verdict, id=reading.entry.id),
        "output": output,
        "verdicts": {name: _short(made) for name, made in verdicts.items()},
    }
    if switch is not None:
        row["switch"] = switch
    canonical = tuple(made.call for made in canonical_calls(verdict.calls, tools, profile))
    if canonical != verdict.calls:
        row["canonical"] = [call_row(call) for call in canonical]
    return row


def question_row(entry: Entry, questions: Questions) -> dict[str, Any]:
    """Return what an entry asks, offers and accepts, which is the same for every run."""
    expected = questions.benchmark.answers(entry.category).get(entry.id)
    return {"question": entry.question, "tools": entry.tools, "expected": expected}


def _short(verdict: Verdict) -> dict[str, Any]:
    """A verdict under one profile of several."""
    made = {
        "outcome": verdict.outcome,
        "state": verdict.state,
        "reason": verdict.reason,
        "path": verdict.path,
        "message": verdict.message,
        "official_error": verdict.official_error,
    }
    return {name: value for name, value in made.items() if value is not None}
