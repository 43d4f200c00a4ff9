"""The page of a dataset that was looked over: what each rule found, and every finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.report.lint import headline
from faircall.report.page.document import Look, render_document
from faircall.report.page.findings import by_rule, known
from faircall.report.page.tables import Cell, Filter, Heading, Row, SortableTable, number_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.linting import LintReport

_RULES: Final = (
    Heading("rule", "its id", number=False, heads=True),
    Heading("slug", "the defect", number=False),
    Heading("severity", "error, warning or note", number=False),
    Heading("findings", "how often"),
    Heading("entries", "in how many"),
    Heading("points", "of the score that these entries are"),
    Heading("categories", "where", number=False),
)
_FINDINGS: Final = (
    Heading("entry", "the entry's id", number=False, heads=True),
    Heading("rule", "its id", number=False),
    Heading("severity", "error, warning or note", number=False),
    Heading("category", "the entry's", number=False),
    Heading("path", "where in the entry", number=False),
    Heading("message", "what was found", number=False),
    Heading("points", "of the score that the entry is"),
)


def render(reports: Sequence[LintReport], look: Look) -> str:
    """Return what was found in datasets as one HTML file, every finding in a table."""
    return render_document(
        "datasets.html",
        title="; ".join(headline(report) for report in reports),
        signatures=tuple(dict.fromkeys(report.signature for report in reports)),
        charts=[],
        look=look,
        datasets=[
            {
                "id": f"dataset-{number}",
                "title": headline(report),
                "signature": report.signature,
                "rules": _rules(number, report),
                "table": _findings(number, report),
                "findings": by_rule(report.findings, report.rules),
                "known": known(report.known),
            }
            for number, report in enumerate(reports, 1)
        ],
    )


def _rules(number: int, report: LintReport) -> SortableTable:
    rows = tuple(
        Row(
            (
                Cell(count.rule),
                Cell(count.slug),
                Cell(count.severity),
                number_cell(count.findings, 0),
                number_cell(count.entries, 0),
                number_cell(count.points),
                Cell(", ".join(f"{name} {found}" for name, found in count.categories.items()) or "-"),
            )
        )
        for count in report.rules
    )
    return SortableTable(f"rules-{number}", f"{report.dataset}, by rule", _RULES, rows)


def _findings(number: int, report: LintReport) -> SortableTable:
    rows = tuple(
        Row(
            (
                Cell(finding.subject),
                Cell(finding.rule),
                Cell(finding.severity.value),
                *(Cell(str(finding.evidence.get(name) or "-")) for name in ("category", "path")),
                Cell(finding.message),
                number_cell(finding.points, 4),
            )
        )
        for finding in report.findings
    )
    filters = tuple(
        Filter(label, column, tuple(sorted({row.cells[column].text for row in rows})))
        for label, column in (("Rule", 1), ("Severity", 2), ("Category", 3))
    )
    return SortableTable(
        f"findings-{number}", f"{report.dataset}, {len(rows):,} findings", _FINDINGS, rows, filters
    )
