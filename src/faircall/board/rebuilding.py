"""A board rebuilt: every row by its recipe, with shares, intervals, and what it can be told apart from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faircall.board.fitting import Fit, fit_recipe
from faircall.board.levels import Level, check_levels
from faircall.composition import Node, Printed, Rebuilt, Recipe, average, evaluate
from faircall.stats import Estimate, combine, difference, effective_size, separation, wilson, youden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faircall.board.reading import Board, BoardRow


class Neighbour(msgspec.Struct, frozen=True):
    """The row below: how far down it is, and by how many standard errors."""

    model: str
    difference: float
    separation: float
    told_apart: bool


class RebuiltRow(msgspec.Struct, frozen=True):
    """One model: what is printed, what the recipe makes of it, and how sure that is. All in percent but `j`.

    `blocks`, `weighted` and `share` follow the recipe that the board was made with; `unweighted` is the plain
    average of the blocks. `alike` are the best and the worst rank that the row cannot be told apart from.
    """

    rank: int
    model: str
    published: Printed | None
    cells: dict[str, Printed | None]
    blocks: dict[str, Rebuilt]
    weighted: Rebuilt
    unweighted: Rebuilt
    irrelevance: float | None = None
    relevance: float | None = None
    share: float | None = None
    j: Estimate | None = None
    interval: Estimate | None = None
    alike: tuple[int, int] | None = None
    below: Neighbour | None = None

    @property
    def matches(self) -> bool:
        """Whether the recipe reproduces the published score."""
        return self.published is not None and self.weighted.fits(self.published)

    def block_points(self, recipe: Recipe) -> dict[str, float]:
        """Return the points of the score that each block brings, where it is not missing."""
        shares = recipe.score.shares()
        return {
            part.name: share * self.blocks[part.name].zero
            for share, part in zip(shares, recipe.score.parts, strict=True)
            if not self.blocks[part.name].missing
        }


class RebuiltBoard(msgspec.Struct, frozen=True):
    """A board with its rows rebuilt, in the order of their ranks.

    `recipe` is the one that the scores were made with (`fit` says how it was found); `given` the one that was
    loaded; `ranked` says whether the board prints ranks itself.
    """

    board: Board
    given: Recipe
    fit: Fit
    rows: tuple[RebuiltRow, ...]
    levels: tuple[Level, ...]
    ranked: bool

    @property
    def recipe(self) -> Recipe:
        """The recipe that the published scores were made with, or the given one where none is found."""
        return self.fit.recipe

    @property
    def known(self) -> bool:
        """Whether the recipe that the scores were made with is known."""
        return self.fit.how != "none"

    def pairs(self) -> list[tuple[RebuiltRow, Neighbour]]:
        """Return each row that has one below it with the comparison of the two."""
        return [(row, row.below) for row in self.rows if row.below is not None]


def rebuild(board: Board, recipe: Recipe) -> RebuiltBoard:
    """Return `board` rebuilt by `recipe`, or by the recipe that fits it where `recipe` does not.

    >>> from faircall.board.reading import read_snapshot
    >>> from faircall.composition import load_recipe
    >>> board = rebuild(read_snapshot(), load_recipe())
    >>> board.fit.match.matching, board.fit.stated.matching
    (109, 0)
    """
    fit = fit_recipe(recipe, [(row.published, row.cells) for row in board.rows if row.published is not None])
    ranks = _ranks(board.rows)
    rows = [
        _rebuild_row(row, rank, fit.recipe, known=fit.how != "none")
        for row, rank in zip(board.rows, ranks, strict=True)
    ]
    rows.sort(key=lambda row: row.rank)
    return RebuiltBoard(
        board=board,
        given=recipe,
        fit=fit,
        rows=tuple(_compare(rows)),
        levels=check_levels(recipe, [row.cells for row in board.rows]),
        ranked=all(row.rank is not None for row in board.rows),
    )


def _ranks(rows: Sequence[BoardRow]) -> list[int]:
    """Return the printed ranks, or those that the published scores give; rows without a score come last."""
    printed = [row.rank for row in rows if row.rank is not None]
    if len(printed) == len(rows):
        return printed
    order = sorted(
        range(len(rows)),
        key=lambda place: (score := rows[place].published) is None or -score.value,
    )
    ranks = [0] * len(rows)
    for rank, place in enumerate(order, 1):
        ranks[place] = rank
    return ranks


def _rebuild_row(row: BoardRow, rank: int, recipe: Recipe, *, known: bool) -> RebuiltRow:
    parts = [evaluate(part, row.cells) for part in recipe.score.parts]
    weighted = average(recipe.score.shares(), parts)
    credit = _named(recipe, recipe.abstention)
    wanted = recipe.relevance
    irrelevance = evaluate(credit, row.cells).value if credit else None
    relevance = evaluate(wanted, row.cells).value if wanted else None
    share = None
    if credit and known and irrelevance is not None and row.published and row.published.value > 0:
        share = 100 * recipe.share_of(credit.name) * irrelevance / row.published.value
    j = None
    if credit and wanted:
        sides = [_interval(node, row.cells) for node in (wanted, credit)]
        if sides[0] is not None and sides[1] is not None:
            j = youden(sides[0], sides[1])
    return RebuiltRow(
        rank=rank,
        model=row.model,
        published=row.published,
        cells=row.cells,
        blocks={part.name: value for part, value in zip(recipe.score.parts, parts, strict=True)},
        weighted=weighted,
        unweighted=average([1 / len(parts)] * len(parts), parts),
        irrelevance=irrelevance,
        relevance=relevance,
        share=share,
        j=j,
        interval=_score_interval(recipe.score, row) if known else None,
    )


def _named(recipe: Recipe, name: str | None) -> Node | None:
    return next((node for node in recipe.score.walk() if node.name == name), None)


def _interval(node: Node, cells: Mapping[str, Printed | None]) -> Estimate | None:
    """Return the figure of a node as a fraction, with its interval; None where it is missing or has no size.

    Where the categories below it are printed, their Wilson intervals are combined; where only the node itself
    is, the interval is that of a sample of its effective size.
    """
    parts = [_interval(part, cells) for part in node.parts]
    if parts and all(parts):
        return combine([(share, part) for share, part in zip(node.shares(), parts, strict=True) if part])
    figure = evaluate(node, cells)
    sizes = [(share, leaf.entries) for share, leaf in _leaf_shares(node)]
    if figure.missing or not all(size for _, size in sizes):
        return None
    n = effective_size((share, size) for share, size in sizes if size and share > 0)
    return wilson(min(1.0, figure.zero / 100) * n, n)


def _leaf_shares(node: Node, share: float = 1.0) -> list[tuple[float, Node]]:
    if not node.parts:
        return [(share, node)]
    return [
        leaf
        for own, part in zip(node.shares(), node.parts, strict=True)
        for leaf in _leaf_shares(part, share * own)
    ]


def _score_interval(score: Node, row: BoardRow) -> Estimate | None:
    """Return the interval around the published score, in percent: the rebuilt one, moved onto it."""
    if row.published is None:
        return None
    kept = [(share, part) for share, part in zip(score.shares(), score.parts, strict=True) if share > 0]
    blocks = [_interval(part, row.cells) for _, part in kept]
    if not all(blocks):
        return None
    rebuilt = combine([(share, block) for (share, _), block in zip(kept, blocks, strict=True) if block])
    value = row.published.value
    return Estimate(
        value,
        max(0.0, value - 100 * (rebuilt.value - rebuilt.low)),
        min(100.0, value + 100 * (rebuilt.high - rebuilt.value)),
    )


def _compare(rows: list[RebuiltRow]) -> list[RebuiltRow]:
    """Return the rows with the ranks that each cannot be told apart from, and its comparison with the
    next."""
    scored = [row for row in rows if row.published is not None and row.interval is not None]
    scored.sort(key=lambda row: -(row.published.value if row.published else 0.0))
    seen: dict[str, tuple[tuple[int, int], Neighbour | None]] = {}
    for place, row in enumerate(scored):
        up = down = place
        while up > 0 and not _apart(scored[up - 1], row):
            up -= 1
        while down + 1 < len(scored) and not _apart(row, scored[down + 1]):
            down += 1
        ranks = [other.rank for other in scored[up : down + 1]]
        below = _neighbour(row, scored[place + 1]) if place + 1 < len(scored) else None
        seen[row.model] = ((min(ranks), max(ranks)), below)
    return [
        msgspec.structs.replace(row, alike=seen[row.model][0], below=seen[row.model][1])
        if row.model in seen
        else row
        for row in rows
    ]


def _apart(above: RebuiltRow, below: RebuiltRow) -> bool:
    if above.interval is None or below.interval is None:
        return False
    return difference(above.interval, below.interval).low > 0


def _neighbour(row: RebuiltRow, other: RebuiltRow) -> Neighbour | None:
    if row.interval is None or other.interval is None:
        return None
    return Neighbour(
        model=other.model,
        difference=row.interval.value - other.interval.value,
        separation=separation(row.interval, other.interval),
        told_apart=_apart(row, other),
    )
