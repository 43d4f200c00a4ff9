"""The page of scored runs: what each is credited for and why, where the verdicts differ, and every entry in full."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.errors import UsageError
from faircall.report import score_view as view
from faircall.report.page.document import Look, refuse_look, render_document
from faircall.report.page.entry_lists import EntryList, add_entries, add_questions
from faircall.report.page.findings import known, ranked
from faircall.report.page.run_charts import (
    STATES,
    accuracies,
    charts_of_all,
    flip_steps,
    percent,
    states,
)
from faircall.report.page.shards import Shards
from faircall.report.page.tables import Cell, Filter, Heading, Row, SortableTable, number_cell

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from faircall.aggregate import RunScore, Tally
    from faircall.flips import Flip
    from faircall.problems import Problem
    from faircall.report.page.charts import Chart
    from faircall.runs import ScoreReport

_OVERVIEW: Final = (
    Heading("run", "the model's folder", number=False, heads=True),
    Heading("overall", "under the profile of the signature, %"),
    Heading("official", "overall score by the official check, %"),
    Heading("relev.", "calls where a call is wanted, %"),
    Heading("irrel.", "abstains where none is, %"),
    Heading("J", "relevance + irrelevance - 1, as fractions"),
    Heading("entries", "of the categories that were scored"),
    Heading("right", "under the profile of the signature"),
    Heading("officially", "entries that the official check credits"),
    Heading("flips", "entries on which the two differ"),
    Heading("void", "entries that cannot be judged"),
    Heading("decoder", "how the outputs were read", number=False),
)
_CATEGORIES: Final = (
    Heading("category", "as the benchmark names it", number=False, heads=True),
    Heading("entries", "of the benchmark"),
    Heading("official", "credited by the official check"),
    Heading("right", "under the profile of the signature"),
    Heading("accuracy", "of the entries that can be judged, %"),
    Heading("95 %", "Wilson's interval", number=False),
    Heading("abstained", "outputs that make no call"),
    Heading("malformed", "outputs that try to call and fail"),
    Heading("called", "outputs that decode to calls"),
    Heading("void", "entries that cannot be judged"),
    Heading("flips", "entries on which the two differ"),
    Heading("published", "credited in the score files", number=False),
)


class RunView(msgspec.Struct, frozen=True):
    """One run as the page shows it; `id` is what a link to it names."""

    id: str
    title: str
    facts: tuple[str, ...]
    conclusions: tuple[str, ...]
    table: SortableTable
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]
    entries: tuple[EntryList, ...]
    signature: str


def render(report: ScoreReport, look: Look, *, page: Path | None = None) -> str:
    """Return the report as HTML text; `page` is where the text goes, None for standard output.

    Where the entries are too many for one file, they are written to a folder beside `page`. Raises as `refuse_look`
    does, and `UsageError` where that folder has no place, or where the entries were not kept.
    """
    refuse_look(look)
    details = report.details
    if details is None:
        raise UsageError("a page shows every entry: score with keep_entries=True")
    shards = Shards(page)
    names = list(dict.fromkeys(name for run in report.runs for name in run.tallies))
    questions = add_questions(shards, names, report.data)
    views = []
    for number, run in enumerate(report.runs):
        flips = list(report.flips.of_run(number))
        entries = add_entries(shards, number, run.tallies, details, questions)
        views.append(_view(number, run, flips, entries, report.signature))
    overview = _overview(report.runs, views)
    charts = [*charts_of_all(report.runs), *(chart for each in views for chart in each.charts)]
    return render_document(
        "runs.html",
        title=view.headline(report),
        signatures=[report.signature],
        charts=charts,
        look=look,
        data={
            "runs": [{"id": each.id, "title": each.title, "entries": each.entries} for each in views],
            "beside": shards.beside,
        },
        blocks=shards.embedded,
        runs=views,
        overview=overview if len(views) > 1 else None,
        findings=ranked(report.findings),
        known=known(report.known),
        problems=[view.problem_line(problem) for problem in _problems(report)],
        note=shards.note(),
    )


def _problems(report: ScoreReport) -> list[Problem]:
    return [*report.problems, *(problem for run in report.runs for problem in run.problems)]


def _view(
    number: int, run: RunScore, flips: Sequence[Flip], entries: Sequence[EntryList], signature: str
) -> RunView:
    name = f"run-{number + 1}"
    per_category = Counter(flip.category for flip in flips)
    charts = [accuracies(name, run), states(name, run.tallies), flip_steps(name, run, flips)]
    decoder = view.DECODER_FROM[run.decoder_from]
    return RunView(
        id=name,
        title=run.model,
        facts=(f"Decoder: {run.decoder} ({decoder}).",),
        conclusions=tuple(view.conclusions(run)),
        table=SortableTable(
            name,
            f"{run.model}, by category",
            _CATEGORIES,
            tuple(
                _category_row(category, tally, per_category[category], run)
                for category, tally in run.tallies.items()
            ),
        ),
        charts=tuple(chart for chart in charts if chart is not None),
        notes=tuple(view.notes(run)),
        entries=tuple(entries),
        signature=signature,
    )


def _category_row(name: str, tally: Tally, flips: int, run: RunScore) -> Row:
    figures = tally.figures(None)
    interval = figures["interval"]
    published = run.published.get(name)
    cells = (
        Cell(name),
        number_cell(tally.n, 0),
        number_cell(tally.credited["official"], 0),
        number_cell(tally.correct, 0),
        number_cell(percent(figures["accuracy"])),
        Cell(f"{100 * interval[0]:.1f}-{100 * interval[1]:.1f}", interval[0])
        if interval
        else Cell("n/a", ""),
        *(number_cell(tally.states[state], 0) for state in STATES),
        number_cell(tally.void, 0),
        number_cell(flips, 0),
        Cell(f"{published.correct} of {published.n}", published.correct) if published else Cell("-", ""),
    )
    return Row(cells)


def _overview(runs: Sequence[RunScore], views: Sequence[RunView]) -> SortableTable:
    rows = tuple(_overview_row(run, shown.id) for run, shown in zip(runs, views, strict=True))
    decoders = tuple(sorted({run.decoder for run in runs}))
    filters = (Filter("Decoder", len(_OVERVIEW) - 1, decoders),) if len(decoders) > 1 else ()
    return SortableTable("overview", f"{len(runs)} runs", _OVERVIEW, rows, filters)


def _overview_row(run: RunScore, id_: str) -> Row:
    whole = None if run.composite is None else run.composite.whole
    tallies = run.tallies.values()
    decision = run.decision
    overall = percent(None if whole is None else whole.value)
    cell = number_cell(overall)
    if whole is not None and overall is None:
        low, high = whole.bounds
        cell = Cell(f"{100 * low:.1f} to {100 * high:.1f}", "")
    return Row(
        (
            Cell(run.model),
            cell,
            number_cell(percent(run.official_overall)),
            number_cell(percent(decision.relevance)),
            number_cell(percent(decision.irrelevance)),
            number_cell(decision.j, 3),
            number_cell(sum(tally.n for tally in tallies), 0),
            number_cell(sum(tally.correct for tally in tallies), 0),
            number_cell(sum(tally.credited["official"] for tally in tallies), 0),
            number_cell(run.differing, 0),
            number_cell(sum(tally.void for tally in tallies), 0),
            Cell(run.decoder),
        ),
        href=f"#{id_}",
        marked=not decision.attested,
    )
