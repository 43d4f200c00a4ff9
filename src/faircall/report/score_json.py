"""A score report as JSON, the contract: one object, written in pieces, with a flip a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.rows import dump_json
from faircall.runs import run_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faircall.runs import ScoreReport


def pieces(report: ScoreReport) -> Iterator[str]:
    """Yield the text of what `report.as_json()` returns."""
    yield "{\n"
    yield from _list("runs", (_indented(run_row(run)) for run in report.runs))
    yield from _list("flips", report.flips.lines())
    yield from _list("findings", map(_indented, report.findings))
    yield f' "known": {report.known},\n'
    yield from _list("problems", (_indented(str(problem)) for problem in report.problems))
    yield f' "signature": {dump_json(report.signature)}\n}}\n'


def _list(name: str, items: Iterable[str]) -> Iterator[str]:
    yield f' "{name}": ['
    separator = "\n  "
    for item in items:
        yield separator + item
        separator = ",\n  "
    yield "],\n" if separator == "\n  " else "\n ],\n"


def _indented(value: Any) -> str:
    return dump_json(value, indent=1).replace("\n", "\n  ")
