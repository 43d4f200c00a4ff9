"""What `lint` found as text, JSON, Markdown or CSV. JSON is the contract; the others are views of it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError
from faircall.problems import count_of
from faircall.report import markdown
from faircall.report.audit_csv import guard
from faircall.report.findings import finding_lines, group_by_rule, known_line
from faircall.report.tables import Column, cell_width, clean, lay_out
from faircall.rows import dump_json

if TYPE_CHECKING:
    from faircall.linting import LintReport, RuleCount

FORMATS: Final = ("text", "json", "markdown", "csv")
COLUMNS: Final = (
    Column("rule", right=False),
    Column("slug", right=False),
    Column("severity", right=False),
    Column("findings"),
    Column("entries"),
    Column("points"),
    Column("categories", right=False, shrink=True, drop=1),
)


def render_lint(report: LintReport, format: str = "text", *, most: int = 5, width: int = 100) -> str:  # noqa: A002
    """Return the report as text in lines of `width` cells, or as `json`, `markdown` or `csv`.

    Text shows up to `most` findings of each rule. Raises UsageError for any other format.
    """
    if format == "json":
        return dump_json(report.as_json(), indent=1) + "\n"
    if format == "csv":
        return _csv(report)
    if format == "markdown":
        return _markdown(report)
    if format == "text":
        return _text(report, most, width)
    raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")


def headline(report: LintReport) -> str:
    """Return which dataset it is, in one line."""
    version = f" {report.version}" if report.version != "none" else ""
    return (
        f"Lint of {report.dataset}{version}: {count_of(report.entries, 'entry')}, {report.keyed:,} with a key"
    )


def count_cells(count: RuleCount) -> list[str]:
    """Return the cells of a rule's count under `COLUMNS`."""
    points = "-" if count.points is None else f"{count.points:.2f}"
    places = ", ".join(f"{name} {number}" for name, number in count.categories.items())
    return [count.rule, count.slug, count.severity, str(count.findings), str(count.entries), points, places]


def _text(report: LintReport, most: int, width: int) -> str:
    title = clean(headline(report))
    lines = [title, "=" * min(width, cell_width(title)), ""]
    if report.rules:
        lines += [*lay_out(COLUMNS, [count_cells(count) for count in report.rules], width), ""]
    for group in group_by_rule(report.findings):
        lines += [*finding_lines(group, width, most=most, points=False), ""]
    if not report.findings:
        lines += ["Nothing was found.", ""]
    if report.known:
        lines += [known_line(len(report.known)), ""]
    return "\n".join([*lines, clean(report.signature)]) + "\n"


def _markdown(report: LintReport) -> str:
    lines = [f"# {markdown.escape(headline(report))}", ""]
    if report.rules:
        lines += [*markdown.table(COLUMNS, [count_cells(count) for count in report.rules]), ""]
    for group in group_by_rule(report.findings):
        lines += markdown.finding_lines(group)
    if not report.findings:
        lines += ["Nothing was found.", ""]
    if report.known:
        lines += [f"{known_line(len(report.known))}.", ""]
    return "\n".join([*lines, f"`{report.signature}`"]) + "\n"


def _csv(report: LintReport) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    head = [
        "rule",
        "slug",
        "severity",
        "subject",
        "category",
        "path",
        "where",
        "message",
        "points",
        "signature",
    ]
    writer.writerow(head)
    for finding in report.findings:
        texts = [
            finding.subject,
            *(str(finding.evidence.get(name) or "") for name in head[4:7]),
            finding.message,
        ]
        cells = [finding.rule, finding.slug, finding.severity.value, *map(guard, texts)]
        writer.writerow([*cells, finding.points, report.signature])
    return stream.getvalue()
