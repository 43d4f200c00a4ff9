"""A comparison as GitHub-flavoured Markdown; nothing that a file is called can mark it up."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from faircall.report import compare_view as view
from faircall.report.markdown import escape, table
from faircall.report.score_view import problem_line

if TYPE_CHECKING:
    from faircall.comparing import Comparison, Pair


def render(comparison: Comparison, *, entries: int, pairs: int) -> str:
    """Return the report as Markdown, with up to `pairs` pairs and `entries` entries of each, the signature last."""
    lines = [f"# {escape(view.headline(comparison))}", ""]
    lines += [*table(view.RUN_COLUMNS, view.run_cells(comparison)), ""]
    if len(comparison.pairs) > 1:
        lines += [f"{escape(view.pair_heading(comparison))}:", ""]
        lines += [*table(view.PAIR_COLUMNS, view.pair_cells(comparison)), ""]
        if rest := view.rest_line(comparison, view.MOST_ROWS):
            lines += [escape(rest), ""]
    shown = list(islice(comparison.ranked(), pairs))
    for pair in shown:
        lines += _pair(comparison, pair, entries)
    if len(comparison.pairs) > 1 and (
        rest := view.rest_line(comparison, len(shown), how="--pairs N shows more, ")
    ):
        lines += [escape(rest), ""]
    lines += [f"- {escape(problem_line(problem))}" for problem in comparison.problems]
    lines += [f"`{comparison.signature}`"]
    return "\n".join(lines) + "\n"


def _pair(comparison: Comparison, pair: Pair, entries: int) -> list[str]:
    first, second = (comparison.runs[number].label for number in (pair.first, pair.second))
    lines = [
        f"## {view.letter(pair.first)} {escape(first)} - {view.letter(pair.second)} {escape(second)}",
        "",
    ]
    lines += [f"- {escape(sentence)}" for sentence in view.conclusions(comparison, pair)]
    if pair.categories:
        lines += ["", *table(view.category_columns(pair), view.category_cells(pair))]
    if scores := view.score_cells(pair):
        lines += ["", *table(view.score_columns(pair), scores)]
    if notes := view.notes(comparison, pair):
        lines += ["", *(f"- {escape(note)}" for note in notes)]
    if shown := view.entry_lines(comparison, pair, entries):
        lines += ["", f"### {view.entry_heading(pair, entries)}", ""]
        lines += [f"- {escape(line)}" for line in shown]
    return [*lines, ""]
