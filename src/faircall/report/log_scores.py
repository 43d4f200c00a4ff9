"""Re-scored logs as text or JSON; JSON is the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError
from faircall.inspect_logs import ALL
from faircall.problems import count_of
from faircall.report.tables import Column, clean, lay_out, wrap
from faircall.rows import dump_json
from faircall.samples import JUDGED

if TYPE_CHECKING:
    from faircall.inspect_logs import LogReport, LogScore
    from faircall.samples import Count
    from faircall.stats import Estimate

FORMATS: Final = ("text", "json")
COLUMNS: Final = (
    Column("category", right=False, shrink=True),
    *map(
        Column,
        ("outputs", "abstained", "malformed", "called", "void", "right", "accuracy %", "95 % interval"),
    ),
)


def render_logs(report: LogReport, format: str = "text", *, width: int = 100) -> str:  # noqa: A002
    """Return the report as text for a terminal of `width` cells, or as `json`. Raises UsageError for another format."""
    if format == "json":
        return dump_json(report.as_json(), indent=2) + "\n"
    if format != "text":
        raise UsageError(f"logs of Inspect are reported as {' or '.join(FORMATS)}, not as {format}")
    lines: list[str] = []
    for log in report.logs:
        lines += [*_log(log, width), ""]
    return "\n".join([*lines, clean(report.signature)]) + "\n"


def _log(log: LogScore, width: int) -> list[str]:
    run = "" if log.status == "success" else f"; the run's status is {log.status}"
    lines = wrap(clean(f"{log.log}: {log.task}, {log.model}{run}"), width)
    rows = [*log.categories.items()]
    if len(rows) != 1:
        rows.append((ALL, log.total))
    lines += ["", *("  " + line for line in lay_out(COLUMNS, [_cells(*row) for row in rows], width - 2)), ""]
    for note in _notes(log.total):
        lines += wrap(note, width, first="  ")
    return lines


def _cells(name: str, count: Count) -> list[str]:
    accuracy = count.accuracy
    states = (count.states[state] for state in JUDGED)
    shown = ["n/a", ""] if accuracy is None else [f"{100 * accuracy.value:.2f}", _range(accuracy)]
    return [clean(name), *(f"{number:,}" for number in (count.n, *states, count.void, count.correct)), *shown]


def _range(estimate: Estimate) -> str:
    return f"{100 * estimate.low:.1f}-{100 * estimate.high:.1f}"


def _notes(count: Count) -> list[str]:
    """Return what the table does not say: what void means for the score, and whether the run can tell when to call."""
    notes = []
    if count.void and count.bounds is not None:
        low, high = count.bounds
        number = count_of(count.void, "output")
        notes.append(f"{number} void: all counted wrong {100 * low:.2f} %, all right {100 * high:.2f} %.")
    decision = count.decision
    if decision is None:
        notes.append("J n/a: it needs samples where a call is wanted, and samples where none is.")
    else:
        low, high = decision.low, decision.high
        notes.append(
            f"J = {decision.value:.3f} ({low:.3f} to {high:.3f}): P(call | wanted) - P(call | none wanted)."
        )
    return notes
