"""A score report as CSV, a line for each category of each run; each line carries the signature."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from faircall.aggregate import POLICIES
from faircall.report.audit_csv import guard
from faircall.types import State

if TYPE_CHECKING:
    from faircall.runs import ScoreReport


def render(report: ScoreReport) -> str:
    """Return a line for each category of each run; a figure that is missing is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = [
        "model",
        "decoder",
        "category",
        "n",
        "correct",
        "accuracy",
        "interval_low",
        "interval_high",
        "void",
    ]
    head += [state.lower() for state in State]
    head += [f"credited_{policy}" for policy in POLICIES]
    writer.writerow([*head, "published_correct", "published_n", "J", "signature"])
    for run in report.runs:
        for name, tally in run.tallies.items():
            figures = tally.figures(None)
            published = run.published.get(name)
            writer.writerow(
                [
                    guard(run.model),
                    run.decoder,
                    name,
                    tally.n,
                    tally.correct,
                    figures["accuracy"],
                    *(figures["interval"] or (None, None)),
                    tally.void,
                    *(tally.states[state] for state in State),
                    *(tally.credited[policy] for policy in POLICIES),
                    *((published.correct, published.n) if published else (None, None)),
                    run.decision.j,
                    report.signature,
                ]
            )
    return text.getvalue()
