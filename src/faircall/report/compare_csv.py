"""A comparison as CSV, a line for each figure of each pair of runs; each line carries the signature."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.contrasts import Counts
from faircall.report.audit_csv import guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.comparing import Comparison, Pair
    from faircall.contrasts import Figure

_COUNTS = Counts.__struct_fields__


def render(comparison: Comparison) -> str:
    """Return the figures: of each category, all entries, each block and the whole; what is missing is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["first", "second", "figure", "name", "n", *_COUNTS, "first_share", "second_share", "difference"]
    head += ["interval_low", "interval_high", "p", "p_adjusted", "resolvable", "missing", "signature"]
    writer.writerow(head)
    for pair in comparison.pairs:
        labels = [guard(comparison.runs[number].label) for number in (pair.first, pair.second)]
        writer.writerows([*labels, *row, comparison.signature] for row in _rows(pair))
    return text.getvalue()


def _rows(pair: Pair) -> Iterator[list[Any]]:
    for name, (counts, figure) in pair.categories.items():
        yield ["category", name, *_counts(counts), *_cells(figure)]
    yield ["pooled", "", *_counts(pair.pooled_counts), *_cells(pair.pooled)]
    nothing = [None] * (1 + len(_COUNTS))
    for name, figure in pair.composite.blocks.items():
        yield ["block", name, *nothing, *_cells(figure)]
    yield ["overall", "", *nothing, *_cells(pair.composite.overall)]


def _counts(counts: Counts) -> list[int]:
    return [counts.n, *msgspec.structs.astuple(counts)]


def _cells(figure: Figure) -> list[Any]:
    return [
        figure.first,
        figure.second,
        figure.difference,
        *(figure.interval or (None, None)),
        figure.p,
        figure.p_adjusted,
        figure.resolvable,
        " ".join(figure.missing),
    ]
