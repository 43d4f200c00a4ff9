"""A comparison for the terminal: who is compared, the pairs, and each pair in full, the conclusion first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from faircall.report import compare_view as view
from faircall.report.score_view import problem_line
from faircall.report.tables import cell_width, clean, lay_out, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.comparing import Comparison, Pair
    from faircall.report.tables import Column


def render(comparison: Comparison, *, entries: int, pairs: int, width: int = 100) -> str:
    """Return the report in lines of at most `width` cells, with up to `pairs` pairs and `entries` entries of each."""
    title = view.headline(comparison)
    lines = [title, "=" * cell_width(title), ""]
    lines += _table(view.RUN_COLUMNS, view.run_cells(comparison), width)
    if len(comparison.pairs) > 1:
        lines += ["", *wrap(clean(view.pair_heading(comparison)), width), ""]
        lines += _table(view.PAIR_COLUMNS, view.pair_cells(comparison), width)
        if rest := view.rest_line(comparison, view.MOST_ROWS):
            lines += wrap(rest, width, first="  ")
    shown = list(islice(comparison.ranked(), pairs))
    for pair in shown:
        lines += ["", *_pair(comparison, pair, entries, width)]
    if len(comparison.pairs) > 1 and (
        rest := view.rest_line(comparison, len(shown), how="--pairs N shows more, ")
    ):
        lines += ["", *wrap(rest, width)]
    for problem in comparison.problems:
        lines += wrap(clean(problem_line(problem)), width)
    lines += ["", clean(comparison.signature)]
    return "\n".join(lines) + "\n"


def _pair(comparison: Comparison, pair: Pair, entries: int, width: int) -> list[str]:
    lines = []
    if len(comparison.pairs) > 1:
        first, second = (
            f"{view.letter(number)} {comparison.runs[number].label}" for number in (pair.first, pair.second)
        )
        lines += wrap(clean(f"{first} - {second}"), width)
    for sentence in view.conclusions(comparison, pair):
        lines += wrap(clean(sentence), width, first="* ")
    if pair.categories:
        lines += ["", *_category_table(view.category_columns(pair), view.category_cells(pair), width)]
    if scores := view.score_cells(pair):
        lines += ["", *_table(view.score_columns(pair), scores, width)]
    notes = view.notes(comparison, pair)
    lines += [""] if notes else []
    for note in notes:
        lines += wrap(clean(note), width, first="  ")
    if shown := view.entry_lines(comparison, pair, entries):
        lines += ["", f"  {view.entry_heading(pair, entries)}"]
        for line in shown:
            lines += wrap(clean(line), width, first="  - ")
    return lines


def _table(columns: Sequence[Column], cells: Sequence[Sequence[str]], width: int) -> list[str]:
    cleaned = [[clean(cell) for cell in row] for row in cells]
    return ["  " + line for line in lay_out(columns, cleaned, width - 2)]


def _category_table(columns: Sequence[Column], cells: Sequence[Sequence[str]], width: int) -> list[str]:
    """The table of categories, with a word on what it has no room for."""
    lines = _table(columns, cells, width)
    left_out = [column.head for column in columns if column.drop and f" {column.head} " not in lines[0]]
    if left_out:
        lines += wrap(
            f"No room for {', '.join(left_out)}: --format markdown or csv has them", width, first="  "
        )
    return lines
