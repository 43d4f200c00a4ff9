"""The rows of an audit as CSV, safe to open in a spreadsheet; each row carries the signature."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from faircall.report.tables import clean

if TYPE_CHECKING:
    from faircall.auditing import AuditReport

_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # fmt: skip


def guard(text: str) -> str:
    """Return text that a spreadsheet takes for text: an apostrophe stands before what it would compute.

    >>> guard("=1+1"), guard("Kite")
    ("'=1+1", 'Kite')
    """
    text = clean(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def render(report: AuditReport) -> str:
    """Return the rows that were asked for, a line each; a figure that is missing is an empty cell.

    A row with a gap has bounds, with what is missing at 0 and at 100, and no interval.
    """
    blocks = list(report.composition.blocks)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ["rank", "model", "published", "weighted", "unweighted", "irrelevance", "relevance"]
    head += [
        "irrelevance_share",
        "interval_low",
        "interval_high",
        "J",
        "J_low",
        "J_high",
        "alike_first",
        "alike_last",
    ]
    writer.writerow(
        [*head, *(f"block_{name}" for name in blocks), "bounds_low", "bounds_high", "missing", "signature"]
    )
    for row in report.rows:
        writer.writerow(
            [
                row.rank,
                guard(row.model),
                row.published,
                row.weighted,
                row.unweighted,
                row.irrelevance,
                row.relevance,
                row.irrelevance_share,
                *(row.interval or (None, None)),
                row.J,
                *(row.J_interval or (None, None)),
                *(row.alike or (None, None)),
                *(row.blocks[name] for name in blocks),
                *(row.bounds or (None, None)),
                " ".join(row.missing),
                report.signature,
            ]
        )
    return text.getvalue()
