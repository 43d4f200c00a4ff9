"""An audit for the terminal: the conclusion first, then composition, findings and rows, without colour."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from faircall.report import audit_view as view
from faircall.report.findings import finding_lines, group_by_rule, known_line
from faircall.report.tables import cell_width, clean, lay_out, pad, wrap

if TYPE_CHECKING:
    from faircall.auditing import AuditReport

_LEAST_WIDTH: Final = 60


def render(report: AuditReport, *, width: int = 100) -> str:
    """Return the report in lines of at most `width` cells (60 at the least), the signature last."""
    width = max(width, _LEAST_WIDTH)
    lines = wrap(clean(view.headline(report)), width)
    lines.append("=" * min(width, max(cell_width(line) for line in lines)))
    for sentence in report.conclusion:
        lines += wrap(clean(sentence), width, first="* ")
    lines += ["", "COMPOSITION", ""]
    lines += [
        "  " + line for line in lay_out(view.COMPOSITION_COLUMNS, view.composition_rows(report), width - 2)
    ]
    lines.append("")
    for note in view.composition_notes(report):
        lines += wrap(clean(note), width, first="  ")
    lines += ["", "FINDINGS", ""]
    for group in group_by_rule(report.findings):
        lines += [*finding_lines(group, width, most=view.MOST_SUBJECTS), ""]
    if not report.findings:
        lines += ["  none", ""]
    if report.known:
        lines += [f"  {known_line(len(report.known))}", ""]
    rows = view.shown_rows(report)
    lines += [*wrap(f"ROWS ({view.rows_title(report, len(rows))})", width), ""]
    lines += lay_out(
        view.COLUMNS, [[clean(cell) for cell in view.row_cells(row)] for row in rows], width, gap=" "
    )
    lines.append("")
    if report.selection.model is not None and len(rows) <= view.DETAILED:
        for row in rows:
            lines += wrap(clean(row.model), width)
            for line in view.detail_lines(row):
                lines += wrap(clean(line), width, first="  ")
        lines.append("")
    lines += [*_legend(view.legend(rows), width), "", clean(report.signature)]
    return "\n".join(lines) + "\n"


def _legend(entries: list[tuple[str, str]], width: int) -> list[str]:
    """Return what the headings mean, in two columns."""
    items = [f"{head} = {meaning}" for head, meaning in entries]
    half = (len(items) + 1) // 2
    pairs = list(zip_longest(items[:half], items[half:], fillvalue=""))
    left = max(cell_width(item) for item, _ in pairs) + 4
    lines = [f"{pad(first, left)}{second}".rstrip() for first, second in pairs]
    return (
        lines
        if max(map(cell_width, lines)) <= width
        else [line for item in items for line in wrap(item, width)]
    )
