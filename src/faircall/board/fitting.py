"""Which recipe a board was made with: the given ones are tried, then the small space of plausible ones.

The space: each block as printed, or averaged anew over its parts in the other ways; the blocks averaged
unweighted, by entries, or by weights that are recovered from the rows themselves. What is found is named only
where the rows are enough for what was chosen, and nothing as simple fits as many of them.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faircall.board.weights import Line, recover_weights, rows_needed
from faircall.composition import Average, Node, Printed, Rebuilt, Recipe, agrees, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MAX_VARIANTS: Final = 96
_ENOUGH: Final = 0.9  # of the rows; past it, a recipe with more changes is not looked for


class Match(msgspec.Struct, frozen=True):
    """How well a recipe reproduces the published scores of the rows that can be compared.

    `largest` is the largest difference of all of them, `largest_matching` that of the rows that match;
    `tolerance` is the most by which the rounding of the printed figures can move a difference.
    """

    compared: int
    matching: int
    largest: float
    largest_matching: float
    tolerance: float

    @property
    def full(self) -> bool:
        """Whether every row is reproduced."""
        return self.compared > 0 and self.matching == self.compared

    @property
    def most(self) -> bool:
        """Whether more than half of the rows are reproduced."""
        return 2 * self.matching > self.compared


class Doubt(StrEnum):
    """Why no recipe is named, though the scores may well be made of the blocks."""

    FEW_ROWS = "few-rows"
    SEVERAL = "several-recipes"


class Fit(msgspec.Struct, frozen=True):
    """The recipe that reproduces the board, `how` it was come by, and how well each candidate does.

    `how` is `stated` (the kind of average that the page states), `given` (the recipe as loaded), `searched`
    (found in the search), or `none`; `recipe` is then the one that was given. With `none`, `doubt` says whether
    something fits that cannot be told from others: `fitting` rows follow it, and `needed` would have to. Without
    a doubt, nothing that was tried reproduces more than half of the rows.
    """

    recipe: Recipe
    how: str
    match: Match
    stated: Match
    given: Match
    doubt: Doubt | None = None
    fitting: int = 0
    needed: int = 0


Row = tuple[Printed, "Mapping[str, Printed | None]"]
Changed = tuple[tuple[Node, ...], tuple[str, ...]]


def fit_recipe(recipe: Recipe, rows: Sequence[Row]) -> Fit:
    """Return the recipe that reproduces most of `rows`, each a published score and the row's cells.

    The stated kind of average is preferred to the given recipe where both do as well, and both to anything
    that a search finds; the search runs only where neither reproduces more than half of the rows.
    """
    whole = _complete(recipe.score.parts, rows)
    stated = recipe.with_average(recipe.stated)
    stated_match, given_match = (_match(each.score.shares(), whole) for each in (stated, recipe))
    if stated_match.most and stated_match.matching >= given_match.matching:
        return Fit(stated, "stated", stated_match, stated_match, given_match)
    if given_match.most:
        return Fit(recipe, "given", given_match, stated_match, given_match)
    found = _search(recipe, rows) if whole else None
    if found is not None and found.doubt is None:
        return Fit(found.recipe, "searched", found.match, stated_match, given_match)
    doubt, fitting, needed = None, 0, rows_needed(len(recipe.score.parts) - 1)
    if found is not None:
        doubt, fitting, needed = found.doubt, found.match.matching, rows_needed(found.unknowns)
    elif len(whole) < needed and 2 * (within := sum(map(_within, whole))) > len(whole):
        doubt, fitting = Doubt.FEW_ROWS, within
    return Fit(recipe, "none", given_match, stated_match, given_match, doubt, fitting, needed)


def _within(line: Line) -> bool:
    """Return whether some average of the blocks makes the published score."""
    low = min(part.zero - part.half for part in line.parts)
    high = max(part.zero + part.half for part in line.parts)
    return low - line.published.half <= line.published.value <= high + line.published.half


def _complete(blocks: Sequence[Node], rows: Sequence[Row]) -> list[Line]:
    """Return the rows in which every block has a figure."""
    lines = []
    for published, cells in rows:
        parts = [evaluate(block, cells) for block in blocks]
        if not any(part.missing for part in parts):
            lines.append(Line(published, parts))
    return lines


def _match(shares: Sequence[float], lines: Sequence[Line]) -> Match:
    matching = 0
    largest = largest_matching = tolerance = 0.0
    for line in lines:
        value, half = line.at(shares)
        gap = abs(value - line.published.value)
        largest = max(largest, gap)
        tolerance = max(tolerance, half + line.published.half)
        if agrees(value, half, line.published):
            matching += 1
            largest_matching = max(largest_matching, gap)
    return Match(len(lines), matching, largest, largest_matching, tolerance)


class _Found(NamedTuple):
    """What the search came to; `unknowns` counts what was chosen to fit the rows."""

    recipe: Recipe
    match: Match
    unknowns: int
    several: bool

    @property
    def doubt(self) -> Doubt | None:
        if self.match.matching < rows_needed(self.unknowns):
            return Doubt.FEW_ROWS
        return Doubt.SEVERAL if self.several else None


def _search(recipe: Recipe, rows: Sequence[Row]) -> _Found | None:
    """Return the plausible recipe that reproduces most rows, and more than half, with the fewest unknowns.

    The kinds of average that need no new weights come first: they leave less to choose.
    """
    best: _Found | None = None
    for tops, least in ((_known_tops, 0), (_recovered_top, len(recipe.score.parts) - 1)):
        for blocks, changes in _variants(recipe, rows):
            enough = best is not None and best.match.matching >= _ENOUGH * best.match.compared
            if best is not None and enough and len(changes) + least > best.unknowns:
                break
            lines = _complete(blocks, rows)
            for kind, weights, unknowns, several in tops(recipe, blocks, lines):
                named = _named(recipe, blocks, changes, kind, weights)
                match = _match(named.score.shares(), lines)
                found = _Found(named, match, len(changes) + unknowns, several)
                if match.most:
                    best = found if best is None else _better(best, found)
    return best


def _better(best: _Found, other: _Found) -> _Found:
    """Return the one that reproduces more rows with fewer unknowns; where they tie, the first, in doubt."""
    ranks = [(-each.match.matching, each.unknowns) for each in (best, other)]
    if ranks[0] != ranks[1]:
        return best if ranks[0] < ranks[1] else other
    same = best.recipe.score.parts == other.recipe.score.parts and all(
        abs(one - two) < 1e-9
        for one, two in zip(best.recipe.score.shares(), other.recipe.score.shares(), strict=True)
    )
    return best if same else best._replace(several=True)


def _named(
    recipe: Recipe,
    blocks: tuple[Node, ...],
    changes: tuple[str, ...],
    kind: Average,
    weights: Sequence[float],
) -> Recipe:
    """Return `recipe` with other blocks, weights and kind of average, and with the changes in its label."""
    weighed = tuple(
        msgspec.structs.replace(block, weight=weight) for block, weight in zip(blocks, weights, strict=True)
    )
    if kind is Average.WEIGHTED and list(weights) != [block.weight for block in recipe.score.parts]:
        changes = ("weights=" + "/".join(f"{weight:g}" for weight in weights), *changes)
    return recipe.with_blocks(weighed, average=kind, changes=changes)


def _variants(recipe: Recipe, rows: Sequence[Row]) -> Iterator[Changed]:
    """Yield the blocks as the recipe has them, then with blocks averaged anew; with what was changed."""
    choices = [_block_variants(block, rows) for block in recipe.score.parts]
    options = sorted(product(*choices), key=lambda option: sum(bool(change) for _, change in option))
    for option in options[:_MAX_VARIANTS]:
        yield (
            tuple(node for node, _ in option),
            tuple(f"{node.name}={change}" for node, change in option if change),
        )


def _block_variants(block: Node, rows: Sequence[Row]) -> list[tuple[Node, str]]:
    kept = [(block, "")]
    seen = [[evaluate(block, cells) for _, cells in rows]]
    flat = tuple(leaf for leaf in block.leaves() if leaf is not block)
    kinds: list[tuple[tuple[Node, ...], Average, str]] = [
        (block.parts, Average.UNWEIGHTED, "unweighted"),
        (block.parts, Average.ENTRIES, "entries"),
        (flat, Average.UNWEIGHTED, "categories-unweighted"),
        (flat, Average.ENTRIES, "categories-by-entries"),
    ]
    for parts, kind, label in kinds:
        if not parts or (kind is Average.ENTRIES and not all(part.size() for part in parts)):
            continue
        node = Node(block.name, average=kind, weight=block.weight, parts=parts)
        figures = [evaluate(node, cells) for _, cells in rows]
        known = [figure for figure in figures if not figure.missing]
        if known and not any(_same(figures, other) for other in seen):
            kept.append((node, label))
            seen.append(figures)
    return kept


def _same(ones: Sequence[Rebuilt], others: Sequence[Rebuilt]) -> bool:
    return all(
        one.missing == other.missing and agrees(one.zero, one.half, Printed(other.zero, other.half))
        for one, other in zip(ones, others, strict=True)
    )


_Top = tuple[Average, "Sequence[float]", int, bool]


def _known_tops(recipe: Recipe, blocks: tuple[Node, ...], lines: Sequence[Line]) -> Iterator[_Top]:
    """Yield the kinds of average of the top level that need no new weights, with the weights as they are."""
    stated = [block.weight or 0.0 for block in recipe.score.parts]
    if recipe.score.average is Average.WEIGHTED:
        yield Average.WEIGHTED, stated, 0, False
    yield Average.UNWEIGHTED, stated, 0, False
    if all(block.size() for block in blocks):
        yield Average.ENTRIES, stated, 0, False


def _recovered_top(recipe: Recipe, blocks: tuple[Node, ...], lines: Sequence[Line]) -> Iterator[_Top]:
    """Yield the weights that the rows themselves give, where they give any."""
    recovered = recover_weights(lines)
    if recovered is not None:
        yield Average.WEIGHTED, recovered.weights, len(blocks) - 1, recovered.several
