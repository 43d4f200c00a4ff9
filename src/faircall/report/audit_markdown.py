"""An audit as GitHub-flavoured Markdown, with nothing in it that a model's name could mark up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faircall.report import audit_view as view
from faircall.report.findings import group_by_rule, known_line
from faircall.report.markdown import escape, finding_lines, table

if TYPE_CHECKING:
    from faircall.auditing import AuditReport


def render(report: AuditReport) -> str:
    """Return the report as Markdown, the signature last."""
    lines = [f"# {escape(view.headline(report))}", ""]
    lines += [f"- {escape(sentence)}" for sentence in report.conclusion]
    lines += ["", "## Composition", ""]
    lines += table(view.COMPOSITION_COLUMNS, view.composition_rows(report))
    lines += ["", *(escape(note) for note in view.composition_notes(report)), "", "## Findings", ""]
    for group in group_by_rule(report.findings):
        lines += finding_lines(group)
    if not report.findings:
        lines += ["None.", ""]
    if report.known:
        lines += [f"{known_line(len(report.known))}.", ""]
    rows = view.shown_rows(report)
    lines += [f"## Rows ({view.rows_title(report, len(rows))})", ""]
    lines += table(view.COLUMNS, [view.row_cells(row) for row in rows])
    lines.append("")
    if report.selection.model is not None and len(rows) <= view.DETAILED:
        for row in rows:
            lines += [f"**{escape(row.model)}**", ""]
            lines += [*(f"- {escape(line)}" for line in view.detail_lines(row)), ""]
    lines += [f"- {escape(head)}: {escape(meaning)}" for head, meaning in view.legend(rows)]
    lines += ["", f"`{report.signature}`"]
    return "\n".join(lines) + "\n"
