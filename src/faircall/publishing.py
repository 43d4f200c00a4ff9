"""Scored runs as BFCL's tables, so that pages which read those tables can be fed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faircall.bfcl.categories import Kind
from faircall.bfcl.leaderboard import BoardRun, read_figures, write_tables
from faircall.bfcl.sensitivity import Sensitivity, read_sensitivity
from faircall.bfcl.usage import read_usage

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from pathlib import Path

    from faircall.aggregate import RunScore
    from faircall.bfcl.layout import Run
    from faircall.problems import Problem
    from faircall.profiles import Profile


def publish_tables(
    scored: Iterable[tuple[Run, Run | None, RunScore]],
    folder: str | os.PathLike[str],
    *,
    profile: Profile,
    official: bool,
    signature: str,
    problems: list[Problem] | None = None,
) -> list[Path]:
    """Write BFCL's six ``data_*.csv`` of scored runs into a folder and return their paths.

    Each run comes with its result files, its published score files or None, and its scores. Categories that were
    not scored are taken from the published files where there are any. Costs and latencies are those of the result
    files. Raises `InputError` where the folder cannot be written to.
    """
    rows = []
    for run, scores, score in scored:
        others = (
            {name: path for name, path in scores.files.items() if name not in score.tallies} if scores else {}
        )
        rows.append(
            BoardRun(
                model=run.model,
                figures={name: tally.figure(official=official) for name, tally in score.tallies.items()},
                published=read_figures(others, problems=problems),
                usage=read_usage(run.files.values()),
                sensitivity=_sensitivity(score, others),
                label=run.label if run.label != run.model else None,
            )
        )
    return write_tables(folder, rows, profile=profile, signature=signature)


def _sensitivity(score: RunScore, others: dict[str, Path]) -> Sensitivity | None:
    """Return the sensitivity that was scored, or else the published one."""
    name = Kind.FORMAT_SENSITIVITY.value
    if name in score.tallies:
        return score.tallies[name].sensitivity()
    return read_sensitivity(others[name]) if name in others else None
