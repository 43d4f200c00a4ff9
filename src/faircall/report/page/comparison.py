"""The page of runs compared: who is told apart from whom, by how much, and on which entries they differ."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from faircall.report import compare_view as view
from faircall.report.page.charts import Chart, whiskers
from faircall.report.page.document import Look, render_document
from faircall.report.page.tables import Cell, Filter, Heading, Row, SortableTable, number_cell
from faircall.report.score_view import problem_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.comparing import Comparison, Pair
    from faircall.contrasts import Figure

_PAIRS: Final = (
    Heading("pair", "the runs by their letters", number=False, heads=True),
    Heading("shared", "entries that were judged in both"),
    Heading("difference", "first less second, in points"),
    Heading("95 %", "interval of the difference", number=False),
    Heading("p", "two-sided"),
    Heading("adjusted p", "corrected for all pairs"),
    Heading("told apart", "an adjusted p of at most 0.05", number=False),
)
_DIFFERING: Final = (
    Heading("entry", "the entry's id", number=False, heads=True),
    Heading("category", "the entry's", number=False),
    Heading("first", "outcome in the first run", number=False),
    Heading("reason in first", "why", number=False),
    Heading("second", "outcome in the second run", number=False),
    Heading("reason in second", "why", number=False),
)


def render(comparison: Comparison, look: Look, *, pairs: int) -> str:
    """Return the comparison as one HTML file: all pairs in a table, up to `pairs` in full."""
    shown = list(islice(comparison.ranked(), pairs))
    views = [_pair(comparison, pair, number) for number, pair in enumerate(shown, 1)]
    many = len(comparison.pairs) > 1
    return render_document(
        "comparison.html",
        title=view.headline(comparison),
        signatures=[comparison.signature],
        charts=[each["chart"] for each in views if each["chart"] is not None],
        look=look,
        run_columns=["run", "name", "judged", "entries", "from"],
        run_rows=view.run_cells(comparison),
        overview=_pairs(comparison, {id(pair): number for number, pair in enumerate(shown, 1)})
        if many
        else None,
        pair_heading=view.pair_heading(comparison),
        pairs=views,
        rest=view.rest_line(comparison, len(shown), how="--pairs N shows more in full, ") if many else None,
        problems=[problem_line(problem) for problem in comparison.problems],
    )


def _name(pair: Pair) -> str:
    return f"{view.letter(pair.first)}-{view.letter(pair.second)}"


def _pairs(comparison: Comparison, numbers: dict[int, int]) -> SortableTable:
    rows = []
    for pair in comparison.ranked():
        figure = comparison.total_of(pair)
        apart = comparison.apart(pair)
        number = numbers.get(id(pair))
        rows.append(
            Row(
                (
                    Cell(_name(pair)),
                    number_cell(sum(counts.n for counts, _ in pair.categories.values()), 0),
                    _points(figure.difference),
                    _interval(figure),
                    _p(figure.p),
                    _p(figure.p_adjusted),
                    Cell("n/a" if apart is None else "yes" if apart else "no"),
                ),
                href="" if number is None else f"#pair-{number}",
                marked=bool(apart),
            )
        )
    filters = (Filter("Told apart", 6, ("yes", "no")),)
    return SortableTable("pairs", f"{len(rows):,} pairs", _PAIRS, tuple(rows), filters)


def _points(share: float | None) -> Cell:
    return Cell(view.points(share), "" if share is None else share)


def _p(value: float | None) -> Cell:
    return Cell(view.p_text(value), "" if value is None else value)


def _interval(figure: Figure) -> Cell:
    if figure.interval is None:
        return Cell("n/a", "")
    low, high = (100 * bound for bound in figure.interval)
    return Cell(f"{low:.2f} to {high:.2f}", low)


def _pair(comparison: Comparison, pair: Pair, number: int) -> dict[str, Any]:
    first, second = (comparison.runs[place].label for place in (pair.first, pair.second))
    scores = view.score_cells(pair)
    return {
        "id": f"pair-{number}",
        "title": f"{view.letter(pair.first)} {first} - {view.letter(pair.second)} {second}",
        "conclusions": view.conclusions(comparison, pair),
        "chart": _chart(pair, number),
        "category_columns": [column.head for column in view.category_columns(pair)],
        "category_rows": view.category_cells(pair),
        "score_columns": [column.head for column in view.score_columns(pair)],
        "score_rows": scores,
        "notes": view.notes(comparison, pair),
        "table": _differing(comparison, pair, number),
    }


def _chart(pair: Pair, number: int) -> Chart | None:
    figures = {"overall": pair.composite.overall, **pair.composite.blocks}
    figures |= {name: figure for name, (_, figure) in pair.categories.items()}
    there = {name: figure for name, figure in figures.items() if figure.difference is not None}
    if not there:
        return None
    spans = [
        None if figure.interval is None else (100 * figure.interval[0], 100 * figure.interval[1])
        for figure in there.values()
    ]
    return Chart(
        f"difference-{number}",
        f"The difference {_name(pair)} with its 95 % interval",
        "Right of zero the first run is ahead. An interval that holds zero does not tell the two apart by itself.",
        whiskers(
            list(there),
            [100 * (figure.difference or 0.0) for figure in there.values()],
            spans,
            [],
            axis="points",
        ),
        ("figure", "difference", "95 % interval"),
        tuple(
            (name, view.points(figure.difference), _interval(figure).text) for name, figure in there.items()
        ),
    )


def _differing(comparison: Comparison, pair: Pair, number: int) -> SortableTable:
    rows: Sequence[Row] = [
        Row(
            (
                Cell(str(row["id"])),
                Cell(row["category"]),
                *(
                    Cell(str(row[side][part]))
                    for side in ("first", "second")
                    for part in ("outcome", "reason")
                ),
            )
        )
        for row in comparison.differing(pair)
    ]
    filters = tuple(
        Filter(label, column, tuple(sorted({row.cells[column].text for row in rows})))
        for label, column in (("Category", 1), ("First", 2))
    )
    caption = f"{_name(pair)}: {len(rows):,} entries that one run has right and the other wrong"
    return SortableTable(f"differing-{number}", caption, _DIFFERING, tuple(rows), filters)
