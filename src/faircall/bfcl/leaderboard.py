"""Runs as the six tables of BFCL's board: `data_overall.csv` and its five companions.

Under an official profile the tables are the official ones: the same columns in the same order, the same digits,
the same order of rows. A category that was not run then counts as 0 in the overall figures, as in the official
tool, while other figures that it is part of read N/A. Two things differ: cells with a comma or a quote are
quoted, which the official tool does not do, and rows with equal figures keep the order of the runs, where the
official tool has that in which the file system lists the folders.

Under any other profile the same columns come first. A figure of which a category was not run reads N/A, and so
does the rank by it; the columns that `faircall.bfcl.columns` names extra say how much was judged, and within
which bounds the figure lies.

Cost and latency are those of the official tool under every profile; see `Usage.cost` for what they assume.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.columns import (
    EXTRA_COLUMNS,
    EXTRA_OVERALL_COLUMNS,
    RELEVANCE,
    SIGNATURE_COLUMN,
    TABLES,
    Column,
    Source,
    TableLayout,
)
from faircall.bfcl.models import ModelFacts, find_facts, find_model
from faircall.bfcl.scores import read_scores
from faircall.bfcl.sensitivity import Sensitivity
from faircall.bfcl.usage import Usage
from faircall.composite import RESAMPLES, CategoryFigure, Composite, Part, missing_under, overall, seed_for
from faircall.composition import Node, Recipe
from faircall.errors import InputError
from faircall.files import writing
from faircall.profiles import Profile, load_profile

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from faircall.problems import Problem

NOT_AVAILABLE: Final = "N/A"
_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class BoardRun(msgspec.Struct, frozen=True):
    """A run as the tables need it; `model` is a name of the registry or of a results folder.

    `published` are counts of published score files, used for categories that `figures` do not have. `facts`
    and `display_name` take the place of what the registry says, or say it of a model that it does not have.
    `label` tells runs of one model apart; where it is given, it stands behind the model's name.
    """

    model: str
    figures: dict[str, CategoryFigure]
    published: dict[str, CategoryFigure] = {}
    usage: Usage = Usage()
    sensitivity: Sensitivity | None = None
    facts: ModelFacts | None = None
    display_name: str | None = None
    label: str | None = None


class BoardTable(msgspec.Struct, frozen=True):
    """A table as it is written: the name of its file, its columns, and the cells of each row."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_csv(self) -> str:
        """Return the table as CSV text, without a line end at its end, as the board's page reads it.

        >>> BoardTable("data.csv", ("Rank", "Model"), (("1", "Kite, large"),)).as_csv()
        'Rank,Model\\n1,"Kite, large"'
        """
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue().removesuffix("\n")


def write_tables(
    folder: str | os.PathLike[str],
    runs: Sequence[BoardRun],
    *,
    profile: str | Profile,
    signature: str = "",
) -> list[Path]:
    """Write the six tables of `runs` into `folder`, which is made if need be, and return their paths.

    See `build_tables`. Each file appears whole or not at all. Raises `InputError` where `folder` cannot be
    written to.

    >>> from tempfile import TemporaryDirectory
    >>> run = BoardRun("kite-7b", {"simple_python": CategoryFigure(300, 400)})
    >>> with TemporaryDirectory() as folder:
    ...     paths = write_tables(folder, [run], profile="official-2026.3.23")
    ...     paths[1].read_text().splitlines()[1]
    '1,kite-7b,6.25%,N/A,N/A,75.00%,N/A,N/A,N/A,N/A,N/A,N/A'
    """
    tables = build_tables(runs, profile=profile, signature=signature)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"is no folder to write to ({error.strerror})", path=target) from error
    paths = []
    for table in tables:
        path = target / table.file
        with writing(path) as stream:
            stream.write(table.as_csv())
        paths.append(path)
    return paths


def build_tables(
    runs: Sequence[BoardRun],
    *,
    profile: str | Profile,
    signature: str = "",
) -> list[BoardTable]:
    """Return the six tables of `runs`, the one with the overall score first.

    The profile's base decides on the columns, its switch `missing` on how a category counts that was not run.
    `signature` fills the last column of every table that is not an official one.

    >>> run = BoardRun("kite-7b", {"simple_python": CategoryFigure(300, 400)})
    >>> build_tables([run], profile="fair-1")[1].rows[0][-4:]
    ('34.78%', '6.25%', '97.92%', '')
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    official = switches.base.startswith("official")
    rows = [_prepare(run, switches, intervals=not official) for run in runs]
    return [_table(layout, rows, extended=not official, signature=signature) for layout in TABLES]


def read_figures(
    files: Mapping[str, str | os.PathLike[str]], *, problems: list[Problem] | None = None
) -> dict[str, CategoryFigure]:
    """Return the counts that published score files state, by category; `files` are those of one run.

    A file over no entries says nothing and is left out. Raises `InputError` for a file that counts more correct
    entries than entries, and as `read_scores` does.

    >>> read_figures({})
    {}
    """
    figures = {}
    for name, path in files.items():
        score = read_scores(path)
        if problems is not None:
            problems.extend(score.problems)
        if score.correct > score.n:
            what = f"the summary counts {score.correct:,} correct entries of {score.n:,}"
            raise InputError(what, path=path, line=1, hint="pass the file as the official tool wrote it")
        if score.n:
            figures[name] = CategoryFigure(score.correct, score.n)
    return figures


class _Row(NamedTuple):
    """A run with everything that its cells are made from."""

    run: BoardRun
    name: str
    facts: ModelFacts | None
    composite: Composite
    relevance: Part

    def part(self, name: str) -> Part:
        """The figure of a node of the recipe, of the whole, or of relevance."""
        if name == RELEVANCE:
            return self.relevance
        return self.composite.whole if name == "overall" else self.composite.parts[name]

    def number(self, column: Column) -> float | None:
        """What the column shows, before it is printed; None where that is N/A."""
        sensitivity = self.run.sensitivity or Sensitivity()
        if column.source is Source.SCORE:
            return self.part(column.name).value
        if column.source is Source.FIGURE:
            part = self.part(column.name)
            return None if part.coverage.missing else part.value
        if column.source is Source.CONFIG:
            return sensitivity.accuracies.get(column.name)
        if column.source is Source.SENSITIVITY:
            number: float | None = getattr(sensitivity, column.name)
            return number
        number = (
            self.run.usage.cost(self.facts) if column.name == "cost" else getattr(self.run.usage, column.name)
        )
        return None if number is None else round(number, 2)


_RELEVANCE_ALONE: Final = Recipe(
    RELEVANCE, Node("relevance", parts=(Node(RELEVANCE, entries=CATEGORIES[RELEVANCE].entries),))
)


def _prepare(run: BoardRun, profile: Profile, *, intervals: bool) -> _Row:
    model = find_model(run.model)
    name = run.display_name or (model.display_name if model else run.model)
    if run.label and run.label != run.model:
        name = f"{name} [{run.label}]"
    figures = run.published | run.figures
    missing = missing_under(profile)
    seed = seed_for(run.label or run.model, profile.name)
    return _Row(
        run,
        name,
        run.facts or find_facts(run.model),
        overall(figures, missing=missing, seed=seed, resamples=RESAMPLES if intervals else 0),
        overall(figures, recipe=_RELEVANCE_ALONE, missing=missing, resamples=0).whole,
    )


def _table(layout: TableLayout, rows: Sequence[_Row], *, extended: bool, signature: str) -> BoardTable:
    ranked = sorted(rows, key=lambda row: _rank_key(row.number(layout.ranked_by)), reverse=True)
    titles = [column.title for column in layout.columns]
    if extended:
        titles += [*_extra_titles(layout), SIGNATURE_COLUMN]
    cells = []
    for place, row in enumerate(ranked, 1):
        ranks = not extended or row.number(layout.ranked_by) is not None
        rank = str(place) if ranks else NOT_AVAILABLE
        line = [rank if column.source is Source.RANK else _cell(column, row) for column in layout.columns]
        if extended:
            line += [*_extra_cells(layout, row), signature]
        cells.append(tuple(line))
    return BoardTable(layout.file, tuple(titles), tuple(cells))


def _rank_key(number: float | None) -> float:
    return -1.0 if number is None else number


def _cell(column: Column, row: _Row) -> str:
    if column.source is Source.MODEL:
        return _plain(row.name)
    if column.source is Source.FACT:
        return _plain(getattr(row.facts, column.name)) if row.facts else NOT_AVAILABLE
    number = row.number(column)
    if column.source in {Source.USAGE, Source.SENSITIVITY}:
        return NOT_AVAILABLE if number is None else str(number)
    return _percent(number)


def _percent(fraction: float | None) -> str:
    return NOT_AVAILABLE if fraction is None else f"{fraction * 100:.2f}%"


def _extra_titles(layout: TableLayout) -> tuple[str, ...]:
    if layout.score is None:
        return ()
    return (*EXTRA_COLUMNS, *(EXTRA_OVERALL_COLUMNS if layout.score == "overall" else ()))


def _extra_cells(layout: TableLayout, row: _Row) -> list[str]:
    if layout.score is None:
        return []
    part = row.part(layout.score)
    cells = [_percent(part.coverage.share), *map(_percent, part.bounds)]
    if layout.score == "overall":
        used = set(row.composite.parts) | {RELEVANCE}
        borrowed = [name for name in row.run.published if name in used and name not in row.run.figures]
        cells += map(_percent, part.interval or (None, None))
        cells += [" ".join(part.coverage.missing), " ".join(borrowed)]
    return cells


def _plain(text: str) -> str:
    """Return text that stays one cell, encodes as UTF-8, and is no formula to a spreadsheet."""
    text = _UNPRINTABLE.sub("?", text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
