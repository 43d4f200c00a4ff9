"""The page of stored verdicts: what each run adds up to, and every entry as far as the verdicts tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.problems import count_of
from faircall.report.page.document import Look, refuse_look, render_document
from faircall.report.page.entry_lists import EntryList, add_entries, add_questions
from faircall.report.page.run_charts import STATES, percent, states
from faircall.report.page.runs import RunView
from faircall.report.page.shards import Shards
from faircall.report.page.tables import Cell, Heading, Row, SortableTable, number_cell

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from faircall.aggregate import Tally
    from faircall.stored import StoredRun, StoredVerdicts

_COUNTS: Final = (
    Heading("entries", "that have a verdict"),
    Heading("right", "under the profile of the signature"),
    Heading("accuracy", "of the entries that can be judged, %"),
    Heading("95 %", "Wilson's interval", number=False),
    Heading("abstained", "outputs that make no call"),
    Heading("malformed", "outputs that try to call and fail"),
    Heading("called", "outputs that decode to calls"),
    Heading("void", "entries that cannot be judged"),
)
_CATEGORIES: Final = (Heading("category", "as the benchmark names it", number=False, heads=True), *_COUNTS)
_OVERVIEW: Final = (
    Heading("run", "as its verdicts name it", number=False, heads=True),
    *(heading for heading in _COUNTS if heading.title not in {"accuracy", "95 %"}),
)


def render(
    stored: StoredVerdicts,
    look: Look,
    *,
    page: Path | None = None,
    data: str | None = None,
    questions: bool = True,
) -> str:
    """Return the page as HTML text; `page` is where it goes, None for standard output.

    What the entries ask is shown where `questions` is set, from the benchmark's data at `data`. Raises as the page of
    scored runs does.
    """
    refuse_look(look)
    shards = Shards(page)
    names = list(dict.fromkeys(name for run in stored.runs for name in run.tallies))
    asked = add_questions(shards, names, data) if questions else {}
    views = [
        _view(number, run, add_entries(shards, number, run.tallies, stored.details, asked))
        for number, run in enumerate(stored.runs)
    ]
    entries = sum(tally.n for run in stored.runs for tally in run.tallies.values())
    return render_document(
        "runs.html",
        title=f"Verdicts on {count_of(len(views), 'run')}, {count_of(entries, 'entry')}",
        signatures=stored.signatures,
        charts=[chart for each in views for chart in each.charts],
        look=look,
        data={
            "runs": [{"id": each.id, "title": each.title, "entries": each.entries} for each in views],
            "beside": shards.beside,
        },
        blocks=shards.embedded,
        runs=views,
        overview=_overview(stored.runs, views) if len(views) > 1 else None,
        findings=None,
        known="",
        problems=[],
        note=shards.note(),
    )


def _view(number: int, run: StoredRun, entries: tuple[EntryList, ...]) -> RunView:
    name = f"run-{number + 1}"
    rows = tuple(
        Row((Cell(category), *_count_cells(tally, shares=True))) for category, tally in run.tallies.items()
    )
    return RunView(
        id=name,
        title=run.label,
        facts=(f"From {run.source}.",),
        conclusions=tuple(
            _sentence(category, tally) for category, tally in run.tallies.items() if tally.void
        ),
        table=SortableTable(name, f"{run.label}, by category", _CATEGORIES, rows),
        charts=(states(name, run.tallies),),
        notes=tuple(
            f"{category}: {', '.join(f'{reason} {count}' for reason, count in tally.reasons.most_common())}."
            for category, tally in run.tallies.items()
        ),
        entries=entries,
        signature=run.signature,
    )


def _sentence(category: str, tally: Tally) -> str:
    low, high = tally.figures(None)["bounds"]
    void = count_of(tally.void, "void entry")
    return f"{category}: with {void} the accuracy lies between {100 * low:.2f} and {100 * high:.2f} %."


def _count_cells(tally: Tally, *, shares: bool) -> list[Cell]:
    cells = [number_cell(tally.n, 0), number_cell(tally.correct, 0)]
    if shares:
        figures = tally.figures(None)
        interval = figures["interval"]
        cells.append(number_cell(percent(figures["accuracy"]), none="n/a"))
        cells.append(
            Cell(f"{100 * interval[0]:.1f}-{100 * interval[1]:.1f}", interval[0])
            if interval
            else Cell("n/a", "")
        )
    return [*cells, *(number_cell(tally.states[state], 0) for state in STATES), number_cell(tally.void, 0)]


def _overview(runs: Sequence[StoredRun], views: Sequence[RunView]) -> SortableTable:
    rows = []
    for run, shown in zip(runs, views, strict=True):
        columns = zip(*(_count_cells(tally, shares=False) for tally in run.tallies.values()), strict=True)
        sums = [number_cell(sum(int(cell.value or 0) for cell in column), 0) for column in columns]
        rows.append(Row((Cell(run.label), *sums), href=f"#{shown.id}"))
    return SortableTable("overview", count_of(len(runs), "run"), _OVERVIEW, tuple(rows))
