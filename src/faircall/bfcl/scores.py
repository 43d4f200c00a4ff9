"""Score files: the verdicts that the official tool wrote, and what can be learned from a shortened one."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.errors import InputError
from faircall.problems import Problem, count_of, first_few
from faircall.records import read_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Collection


class PublishedScore(msgspec.Struct, frozen=True):
    """What one score file states: `correct` of `n`, and which entries are wrong.

    `wrong_ids` is None where the listed entries do not account for all that the summary counts as wrong; then
    `listed_ids` are those that are listed. `error_types` are the official tool's reasons, by id.
    """

    path: Path
    correct: int
    n: int
    wrong_ids: frozenset[str] | None
    listed_ids: frozenset[str] = frozenset()
    error_types: dict[str, str] = {}
    problems: tuple[Problem, ...] = ()

    def credited(self, ids: Collection[str]) -> frozenset[str] | None:
        """Return which of the entries `ids` the official tool credited, or None where the file does not say.

        The file lists wrong entries only, so that `ids` have to be those that were scored.
        """
        return None if self.wrong_ids is None else frozenset(ids) - self.wrong_ids


def read_scores(path: str | os.PathLike[str], known_ids: Collection[str] | None = None) -> PublishedScore:
    """Return what a score file states: its first object is the summary, each later one an entry marked wrong.

    With `known_ids`, ids that do not belong to the category and a summary over another number of entries are
    reported. Raises `InputError` where the summary is absent or holds no counts, and as `read_lines` does.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "BFCL_v4_multiple_score.json"
    ...     _ = file.write_text('{"correct_count": 1, "total_count": 2}\\n{"id": "multiple_0"}')
    ...     read_scores(file).credited(["multiple_0", "multiple_1"])
    frozenset({'multiple_1'})
    """
    path = Path(path)
    where = str(path)
    problems: list[Problem] = []
    records = read_lines(path, problems=problems)
    summary = next(records, None)
    if summary is None:
        raise InputError("the score file is empty", path=path, hint="its first line has to be the summary")
    correct = _count(path, summary.line, summary.value, "correct_count")
    total = _count(path, summary.line, summary.value, "total_count")
    listed: dict[str, str] = {}
    repeated: dict[str, int] = {}
    nameless: list[int] = []
    for record in records:
        name = record.value.get("id")
        if not isinstance(name, str):
            nameless.append(record.line)
        elif name in listed:
            repeated.setdefault(name, record.line)
        else:
            listed[name] = _error_type(record.value)
    if nameless:
        message = f"{count_of(len(nameless), 'wrong entry')} without a text `id`"
        problems.append(Problem("no-id", message, where, nameless[0]))
    if repeated:
        message = f"{count_of(len(repeated), 'wrong entry')} listed more than once: {first_few(repeated)}"
        line = next(iter(repeated.values()))
        problems.append(Problem("duplicate-ids", message, where, line, tuple(repeated)))
    if known_ids is not None:
        _compare(problems, where, total, listed, known_ids)
    problems.extend(_contradictions(where, summary.value, correct, total, len(listed)))
    complete = total - correct == len(listed)
    return PublishedScore(
        path,
        correct,
        total,
        frozenset(listed) if complete else None,
        frozenset(listed),
        {name: error for name, error in listed.items() if error},
        tuple(problems),
    )


def _count(path: Path, line: int, summary: dict[str, Any], field: str) -> int:
    value = summary.get(field)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(
            f"the first object of a score file is its summary, and this one has no `{field}`",
            path=path,
            line=line,
            hint="pass the file as the official tool wrote it",
        )
    return value


def _error_type(entry: dict[str, Any]) -> str:
    """Return the official reason, which some files nest in `error`; empty where there is none."""
    for holder in (entry, entry.get("error")):
        if isinstance(holder, dict) and isinstance(holder.get("error_type"), str):
            return str(holder["error_type"])
    return ""


def _compare(
    problems: list[Problem], where: str, total: int, listed: dict[str, str], known_ids: Collection[str]
) -> None:
    known = frozenset(known_ids)
    unknown = tuple(name for name in listed if name not in known)
    if unknown:
        message = f"{count_of(len(unknown), 'wrong entry')} not of the category: {first_few(unknown)}"
        problems.append(Problem("unknown-ids", message, where, None, unknown))
    if total != len(known_ids):
        message = f"the summary is over {count_of(total, 'entry')}, the category has {len(known_ids):,}"
        problems.append(Problem("partial-score", message, where, 1))


def _contradictions(
    where: str, summary: dict[str, Any], correct: int, total: int, listed: int
) -> list[Problem]:
    problems = []
    wrong = total - correct
    if 0 <= listed < wrong:
        message = f"{listed:,} of {wrong:,} wrong entries are listed; only the counts are known"
        problems.append(Problem("reduced-score", message, where))
    elif listed > wrong:
        message = f"the summary counts {wrong:,} wrong entries, and {listed:,} are listed"
        problems.append(Problem("contradictory-score", message, where, 1))
    accuracy = summary.get("accuracy")
    if isinstance(accuracy, (int, float)) and not isinstance(accuracy, bool):
        stated = correct / total if total else math.nan
        if total and not math.isclose(accuracy, stated, abs_tol=5e-5):
            message = f"the summary states an accuracy of {accuracy}, and {correct:,} of {total:,} correct"
            problems.append(Problem("contradictory-score", message, where, 1))
    return problems
