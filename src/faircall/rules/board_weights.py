"""Rules on what entries count for: their weight in the score, their number, and what a constant output would get."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from faircall.rules import board_examples as examples
from faircall.rules.board_subject import ANY_BOARD, counted, listed, plain, read_example, two
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.board import RebuiltBoard
    from faircall.composition import Node, Printed, Recipe

_CONSTANT: Final = Path(__file__).parent.parent / "snapshot" / "constant-outputs.json"
_TIMES: Final = 10
"""How many times as much as another an entry has to count before it is worth a word."""
_TELLING: Final = 3
"""How many different figures it takes to say of how many entries they are shares."""
_MOST_SIZE: Final = 5000
"""Entries from which every figure with two decimals is a share of them."""


class ConstantOutput(msgspec.Struct, frozen=True):
    """What a model that writes one output alone is credited officially: entries by category."""

    name: str
    output: Any
    decoder: str
    credited: dict[str, int]


class _ConstantOutputs(msgspec.Struct, frozen=True):
    data: str
    profile: str
    outputs: tuple[ConstantOutput, ...]


@cache
def constant_outputs() -> tuple[ConstantOutput, ...]:
    """Return what is known of constant outputs, from the table inside the package.

    benchmarks/make_constant_scores.py makes it by scoring such runs.

    >>> constant_outputs()[0].credited["irrelevance"]
    240
    """
    return msgspec.json.decode(_CONSTANT.read_bytes(), type=_ConstantOutputs).outputs


def _entry_weights(board: RebuiltBoard) -> Iterator[Observed]:
    if not board.known:
        return
    shares = board.recipe.leaf_shares()
    each = {
        leaf.name: 100 * shares[leaf.name] / leaf.entries
        for leaf in board.recipe.score.leaves()
        if leaf.entries and shares[leaf.name]
    }
    if len(each) < 2 or max(each.values()) < _TIMES * min(each.values()):
        return
    ordered = sorted(each, key=lambda name: (-each[name], name))
    first = {f"{each[name]:.4f}": name for name in reversed(ordered)}
    parts = [f"{plain(first[value])} {value}" for value in sorted(first, reverse=True)]
    relevance = board.recipe.relevance
    nothing = "" if relevance is None else f"; one of {plain(relevance.name)} moves it by nothing at all"
    times = each[ordered[0]] / each[ordered[-1]]
    yield Observed(
        board.board.name,
        f"An entry's weight in the score differs {times:.0f} times. Points for one entry, of categories that count "
        f"the same the first: {', '.join(parts)}{nothing}.",
        {"points_per_entry": {name: round(each[name], 6) for name in ordered}, "times": round(times, 2)},
    )


def _counts_differ(board: RebuiltBoard) -> Iterator[Observed]:
    recipe = board.given
    leaves = [*recipe.score.leaves(), *([recipe.relevance] if recipe.relevance else [])]
    for leaf in leaves:
        figures = [figure for row in board.rows if (figure := _printed(leaf, row.cells)) is not None]
        if not leaf.entries or leaf.entries > _MOST_SIZE or not figures:
            continue
        odd = [figure for figure in figures if not _is_share(figure, leaf.entries)]
        if not odd:
            continue
        near = range(leaf.entries // 2 + 1, 2 * leaf.entries)
        several = len({figure.value for figure in figures}) >= _TELLING
        fits = (size for size in near if several and all(_is_share(figure, size) for figure in figures))
        other = next(fits, None)
        message = (
            f"{len(odd)} of {counted(len(figures), 'figure')} printed for {plain(leaf.name)} "
            f"{'is' if len(odd) == 1 else 'are'} no share of its {leaf.entries} entries, such as {two(odd[0].value)} %"
        )
        message += f"; all of them are shares of {other}." if other else "."
        yield Observed(
            board.board.name,
            message,
            {
                "category": leaf.name,
                "entries": leaf.entries,
                "figures": len(figures),
                "odd": [figure.value for figure in odd[:10]],
                "fits": other,
            },
        )


def _printed(node: Node, cells: dict[str, Printed | None]) -> Printed | None:
    return next((figure for key in node.columns if (figure := cells.get(key)) is not None), None)


def _is_share(figure: Printed, entries: int) -> bool:
    """Whether a percentage is that of some whole number of entries, up to the rounding of the printed figure."""
    slack = figure.half + 1e-9
    nearest = round(figure.value * entries / 100)
    return any(
        abs(100 * count / entries - figure.value) <= slack
        for count in (nearest - 1, nearest, nearest + 1)
        if 0 <= count <= entries
    )


class _Constant(NamedTuple):
    name: str
    score: float


def _constant_scores(recipe: Recipe) -> list[_Constant]:
    """Return what constant outputs score by a recipe; none where the recipe's categories are not BFCL's."""
    leaves = list(recipe.score.leaves())
    found = []
    for one in constant_outputs():
        if any(leaf.name not in one.credited or not leaf.entries for leaf in leaves):
            return []
        shares = recipe.leaf_shares()
        value = sum(
            100 * shares[leaf.name] * one.credited[leaf.name] / (leaf.entries or 1) for leaf in leaves
        )
        found.append(_Constant(one.name, value))
    return found


def _beaten_by_constant(board: RebuiltBoard) -> Iterator[Observed]:
    scores = _constant_scores(board.recipe) if board.known else []
    if not scores:
        return
    best = max(scores, key=lambda one: one.score)
    same = [one.name for one in scores if abs(one.score - best.score) < 1e-9]
    for row in board.rows:
        if row.published is None or row.published.value - row.published.half > best.score:
            continue
        more = best.score - row.published.value
        beaten = f"would have {two(best.score)}" if more > row.published.half else "would have as much"
        yield Observed(
            row.model,
            f"{row.model} has {two(row.published.value)}; a model that always writes one and the same {beaten} "
            f"({listed(same, most=6)}).",
            {
                "published": row.published.value,
                "rank": row.rank,
                "constant": {one.name: round(one.score, 4) for one in scores},
            },
            points=max(more, 0.0),
            words={"MODEL": row.model},
        )


WEIGHT_RULES: Final[tuple[Rule[RebuiltBoard], ...]] = (
    Rule(
        id="B014",
        slug="entry-weights-differ",
        severity=Severity.NOTE,
        versions=ANY_BOARD,
        claim=f"One entry of some category moves the score by {_TIMES} times as much as one of another, or more.",
        not_claimed="that entries should count the same; only what they do count, which no page says",
        wrong_if="the recipe has the wrong number of entries",
        command="faircall audit BOARD --select B014",
        reports=(f"{ISSUES}/601", f"{ISSUES}/1129"),
        bad=examples.SOUND,
        good=examples.NO_RECIPE,
        check=_entry_weights,
        read=read_example,
    ),
    Rule(
        id="B015",
        slug="counts-differ",
        severity=Severity.WARNING,
        versions=ANY_BOARD,
        claim="A printed figure is no share of the number of entries that the benchmark's data has in its category.",
        not_claimed="which entries are missing or added; a figure that is such a share may be of another number too",
        wrong_if="the figure is printed with another rounding, or the category was averaged over several runs",
        command="faircall audit BOARD --select B015",
        reports=(f"{ISSUES}/601",),
        bad=examples.SOUND.replace("75.00%", "77.78%"),
        good=examples.SOUND,
        check=_counts_differ,
        read=read_example,
    ),
    Rule(
        id="B016",
        slug="beaten-by-constant-output",
        severity=Severity.WARNING,
        versions="boards with BFCL v4's categories; the constant outputs were scored as bfcl-eval 2026.3.23 does",
        claim="A row's score is no higher than that of a model that writes one and the same output for everything.",
        not_claimed="that the model is of no use: what it gets right counts in other categories than what silence gets",
        wrong_if="the board is of another version of the benchmark, in which other outputs are credited",
        command="faircall audit BOARD --model MODEL --select B016",
        reports=(f"{ISSUES}/443", f"{ISSUES}/601"),
        bad=examples.BELOW_CONSTANT,
        good=examples.SOUND,
        check=_beaten_by_constant,
        read=read_example,
    ),
)
"""The rules on what entries count for, in the order of their ids."""
