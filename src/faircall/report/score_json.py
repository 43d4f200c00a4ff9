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
    yield from json_list("runs", (indented(run_row(run)) for run in report.runs))
    yield from json_list("flips", report.flips.lines())
    yield from json_list("findings", map(indented, report.findings))
    yield from json_list("known", map(indented, report.known))
    yield from json_list("problems", (indented(str(problem)) for problem in report.problems))
    yield f' "signature": {dump_json(report.signature)}\n}}\n'


def json_list(name: str, items: Iterable[str]) -> Iterator[str]:
    """Yield an object's field that is a list, of items that are JSON text, with the comma behind it."""
    yield f' "{name}": ['
    separator = "\n  "
    for item in items:
        yield separator + item
        separator = ",\n  "
    yield "],\n" if separator == "\n  " else "\n ],\n"


def indented(value: Any) -> str:
    """Return a value as JSON text that stands two levels deep."""
    return dump_json(value, indent=1).replace("\n", "\n  ")
