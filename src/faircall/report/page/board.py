"""The page of an audit: the conclusion, the findings, the board as a table, and four charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.report import audit_view as view
from faircall.report.page.charts import PALETTE, Bar, Chart, Point, decisions, stacked_bars, whiskers
from faircall.report.page.document import Look, render_document
from faircall.report.page.findings import known, ranked
from faircall.report.page.tables import Cell, Filter, Heading, Row, SortableTable, number_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.auditing import AuditReport, ReportRow

_LOST: Final = "lost-calls-credited"
_COLUMNS: Final = (
    Heading("#", "rank as published"),
    Heading("model", "as the board names it", number=False, heads=True),
    Heading("score", "as published"),
    Heading("rebuilt", "by the recipe that is used"),
    Heading("# rebuilt", "rank by the rebuilt score"),
    Heading("stated", "the recipe that the page states"),
    Heading("# stated", "rank by the stated recipe"),
    Heading("irrel.", "accuracy where no call is wanted, %"),
    Heading("relev.", "accuracy where a call is wanted, %"),
    Heading("J", "irrelevance + relevance - 1, as fractions"),
    Heading("share", "% of the score that is for not calling"),
    Heading("95 %", "interval, from the number of entries", number=False),
    Heading("alike", "ranks that cannot be told apart", number=False),
    Heading("findings", "rules that name the row", number=False),
)


def render(report: AuditReport, look: Look) -> str:
    """Return the report as one HTML file, with every row that was asked for."""
    return render_document(
        "board.html",
        title=view.headline(report),
        signatures=[report.signature],
        charts=_charts(report),
        look=look,
        conclusion=report.conclusion,
        findings=ranked(report.findings),
        known=known(report.known),
        rows_title=f"Rows: {len(report.rows)} of {report.board.models}. Choose a heading to sort.",
        table=_table(report),
        composition_columns=[column.head for column in view.COMPOSITION_COLUMNS],
        composition_rows=view.composition_rows(report),
        composition_notes=view.composition_notes(report),
    )


def _table(report: AuditReport) -> SortableTable:
    rules = _rules_by_model(report)
    rows = tuple(_row(number, row, rules.get(row.model, ())) for number, row in enumerate(report.rows, 1))
    used = sorted({name for names in rules.values() for name in names})
    filters = (Filter("Finding", len(_COLUMNS) - 1, tuple(used), words=True),) if used else ()
    return SortableTable("board", f"{report.board.name}, {len(rows)} rows", _COLUMNS, rows, filters)


def _rules_by_model(report: AuditReport) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for finding in report.findings:
        found.setdefault(finding.subject, {})[finding.rule] = None
    return {model: tuple(rules) for model, rules in found.items()}


def _row(number: int, row: ReportRow, rules: Sequence[str]) -> Row:
    interval = row.interval if row.bounds is None else row.bounds
    return Row(
        (
            number_cell(row.rank, 0),
            Cell(row.model),
            number_cell(row.published),
            number_cell(row.weighted),
            number_cell(row.rank_weighted, 0),
            number_cell(row.unweighted),
            number_cell(row.rank_unweighted, 0),
            number_cell(row.irrelevance),
            number_cell(row.relevance),
            number_cell(row.J),
            number_cell(row.irrelevance_share, 1),
            Cell(
                view.span(interval) if row.bounds is None else f"bounds {view.span(row.bounds)}",
                "" if interval is None else interval[0],
            ),
            Cell(view.ranks(row.alike), "" if row.alike is None else row.alike[0]),
            Cell(" ".join(rules) or view.NONE),
        ),
        id=f"row-{number}",
        marked=bool(rules),
    )


def _charts(report: AuditReport) -> list[Chart]:
    made = [_decisions(report), _makeup(report), _intervals(report)]
    return [chart for chart in made if chart is not None]


def _decisions(report: AuditReport) -> Chart | None:
    lost = {finding.subject for finding in report.findings if finding.slug == _LOST}
    points = [
        Point(row.model, row.relevance, row.irrelevance, row.model in lost)
        for row in report.rows
        if row.relevance is not None and row.irrelevance is not None
    ]
    if not points:
        return None
    return Chart(
        "decisions",
        "Relevance against irrelevance",
        "A model that decides well stands at the upper right. On a line, Youden's J is the same: on J 0, a model calls "
        "as often where a call is wanted as where none is. A run that never calls stands in the upper left corner, "
        f"whatever its irrelevance: {sum(point.lost for point in points)} of {len(points)} here.",
        decisions(points),
        ("model", "relevance %", "irrelevance %", "J"),
        tuple(
            (row.model, view.figure(row.relevance), view.figure(row.irrelevance), view.figure(row.J))
            for row in report.rows
            if row.relevance is not None and row.irrelevance is not None
        ),
    )


def _makeup(report: AuditReport) -> Chart | None:
    weights = report.composition.actual
    if weights is None:
        return None
    labels = [f"{row.rank}. {row.model}" for row in report.rows]
    bars = [
        Bar(
            f"{view.plain(name)} ({weight:g} %)",
            tuple(_points(row.blocks.get(name), weight) for row in report.rows),
            PALETTE[number % len(PALETTE)],
        )
        for number, (name, weight) in enumerate(weights.items())
    ]
    return Chart(
        "makeup",
        "The score by block",
        "How many points of the score each block gives, by the weights that are used. A row that is all of one colour "
        "has its points from one block alone.",
        stacked_bars(labels, bars, axis="points of the score", unit=" points"),
        ("model", *(bar.name for bar in bars), "in all"),
        tuple(
            (label, *(view.figure(bar.values[place]) for bar in bars), view.figure(row.weighted))
            for place, (label, row) in enumerate(zip(labels, report.rows, strict=True))
        ),
    )


def _points(value: float | None, weight: float) -> float | None:
    return None if value is None else round(value * weight / 100, 3)


def _intervals(report: AuditReport) -> Chart | None:
    rows = [row for row in report.rows if row.published is not None and row.interval is not None]
    if not rows:
        return None
    bands = _bands(rows)
    return Chart(
        "intervals",
        "Scores with their 95 % intervals",
        "From the number of entries alone. Each band, shaded or not, begins with a row and holds the rows below it "
        f"that cannot be told apart from that one: {len(bands)} bands for {len(rows)} rows.",
        whiskers(
            [f"{row.rank}. {row.model}" for row in rows],
            [row.published for row in rows],
            [row.interval for row in rows],
            bands,
            axis="score",
        ),
        ("model", "score", "95 % interval", "ranks alike"),
        tuple(
            (row.model, view.figure(row.published), view.span(row.interval), view.ranks(row.alike))
            for row in rows
        ),
    )


def _bands(rows: Sequence[ReportRow]) -> list[tuple[int, int]]:
    """Return stretches of rows: each ends with the last that its first row cannot be told apart from."""
    bands: list[tuple[int, int]] = []
    first = 0
    while first < len(rows):
        alike = rows[first].alike
        last = first
        while alike is not None and last + 1 < len(rows) and rows[last + 1].rank <= alike[1]:
            last += 1
        bands.append((first, last))
        first = last + 1
    return bands
