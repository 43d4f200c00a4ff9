"""How a board makes its overall score: a recipe, which is a tree of averages.

The recipe says of each node how its parts are averaged (`weighted`, `unweighted`, or by `entries`), how many
entries a category has, and in which column its figure is printed. `evaluate` rebuilds a node from what is
printed, and keeps apart what is missing from what is 0.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faircall.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_EPSILON: Final = 1e-9  # float noise in sums of a handful of figures; far below any printed digit


class Average(StrEnum):
    """How a node counts its parts: by stated weights, all the same, or by their entries."""

    WEIGHTED = "weighted"
    UNWEIGHTED = "unweighted"
    ENTRIES = "entries"


class Node(msgspec.Struct, frozen=True):
    """A figure of the recipe: a category (no parts) or an average of its parts.

    `entries` counts the entries of a category; `columns` are the places where the figure may be printed.
    """

    name: str
    average: Average = Average.UNWEIGHTED
    weight: float | None = None
    entries: int | None = None
    columns: tuple[str, ...] = ()
    parts: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """Yield this node and every node below it, parents first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def leaves(self) -> Iterator[Node]:
        """Yield the categories below this node, or the node itself if it is one."""
        return (node for node in self.walk() if not node.parts)

    def size(self) -> int | None:
        """Return the number of entries below this node, or None where a category's is not stated."""
        sizes = [leaf.entries for leaf in self.leaves()]
        return None if None in sizes else sum(size for size in sizes if size)

    def shares(self) -> tuple[float, ...]:
        """Return what each part counts for in the average; the shares add up to 1."""
        if self.average is Average.UNWEIGHTED:
            counts: list[float] = [1.0] * len(self.parts)
        elif self.average is Average.WEIGHTED:
            counts = [part.weight or 0.0 for part in self.parts]
        else:
            counts = [float(part.size() or 0) for part in self.parts]
        return tuple(count / sum(counts) for count in counts)


class Recipe(msgspec.Struct, frozen=True):
    """A board's tree of averages, with the files and columns that its figures are printed in.

    `stated` is the kind of average that the board's page states for the top level, `abstention` the node that
    credits not calling, `relevance` the figure beside it that credits calling where a call is wanted.
    """

    name: str
    score: Node
    about: str = ""
    stated: Average = Average.WEIGHTED
    abstention: str | None = None
    relevance: Node | None = None
    tables: dict[str, str] = msgspec.field(default_factory=lambda: {"overall": "data_overall.csv"})
    model_column: str = "Model"
    rank_column: str = "Rank"
    changes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name, the kind of average at the top and what was changed, as signatures print it."""
        return "+".join([f"{self.name}-{self.score.average.value}", *self.changes])

    def weights(self) -> dict[str, float]:
        """Return what each block counts for in the overall score, in percent."""
        shares = self.score.shares()
        return {
            part.name: round(100 * share, 4) for part, share in zip(self.score.parts, shares, strict=True)
        }

    def leaf_shares(self) -> dict[str, float]:
        """Return what each category counts for in the overall score, as a fraction.

        >>> pair = Node("all", parts=(Node("a"), Node("b", parts=(Node("c"), Node("d")))))
        >>> Recipe("halves", pair).leaf_shares()
        {'a': 0.5, 'c': 0.25, 'd': 0.25}
        """
        found: dict[str, float] = {}

        def descend(node: Node, share: float) -> None:
            if not node.parts:
                found[node.name] = share
            for part, own in zip(node.parts, node.shares() if node.parts else (), strict=True):
                descend(part, share * own)

        descend(self.score, 1.0)
        return found

    def share_of(self, name: str) -> float:
        """Return what the node `name` counts for in the overall score, as a fraction."""
        leaves = self.leaf_shares()
        node = next(node for node in self.score.walk() if node.name == name)
        return sum(leaves[leaf.name] for leaf in node.leaves())

    def with_average(self, average: Average) -> Recipe:
        """Return the recipe with another kind of average at the top."""
        score = msgspec.structs.replace(self.score, average=average)
        check_average(score, self.name)
        return msgspec.structs.replace(self, score=score)

    def with_blocks(self, blocks: tuple[Node, ...], *, average: Average, changes: tuple[str, ...]) -> Recipe:
        """Return the recipe with other blocks at the top; `changes` are what its label says of it."""
        score = msgspec.structs.replace(self.score, parts=blocks, average=average)
        return msgspec.structs.replace(self, score=score, changes=changes)


class Printed(NamedTuple):
    """A figure as printed: the number, and half a unit of its last digit: how far off it may be."""

    value: float
    half: float = 0.0


class Rebuilt(NamedTuple):
    """A figure rebuilt from what is printed.

    `half` is how far the rounding of the printed figures can move it. With categories missing (`missing`
    names them), `low` and `high` are the figure with all of them at 0 and at 100, and `left_out` is the
    average over what is there; `zero` is what comes out when a missing figure is taken as 0.
    """

    low: float
    high: float
    zero: float
    left_out: float | None
    half: float
    missing: tuple[str, ...] = ()
    stated_missing: bool = False
    """Whether the board itself says that something is missing (an N/A), rather than having no such column."""

    @property
    def unknown(self) -> bool:
        """Whether nothing at all is known of the figure."""
        return bool(self.missing) and self.left_out is None

    @property
    def value(self) -> float | None:
        """The figure, or None where a category is missing."""
        return None if self.missing else self.zero

    def fits(self, printed: Printed) -> bool:
        """Whether the figure is `printed`, up to the rounding of both; False where a category is missing."""
        return not self.missing and agrees(self.zero, self.half, printed)


def agrees(value: float, half: float, printed: Printed) -> bool:
    """Return whether a value known to within `half` can have been printed as `printed`.

    >>> agrees(77.469, 0.005, Printed(77.47, 0.005)), agrees(77.45, 0.005, Printed(77.47, 0.005))
    (True, False)
    """
    return abs(value - printed.value) <= half + printed.half + _EPSILON


def evaluate(node: Node, cells: Mapping[str, Printed | None]) -> Rebuilt:
    """Return `node` rebuilt from the printed cells of one row.

    `cells` maps a column to its figure, or to None where the board prints that there is none (N/A); a column
    that the board does not have is not in it. A printed figure of the node itself is used as it is, unless
    the board says that something below it is missing and the figure is what the rest of it makes, with the
    missing part as 0 or left out: such a figure is no measurement of the whole.

    >>> pair = Node("pair", parts=(Node("a", columns=("A",)), Node("b", columns=("B",))))
    >>> evaluate(pair, {"A": Printed(80.0, 0.005), "B": None}).zero
    40.0
    """
    own = next((cells[column] for column in node.columns if cells.get(column) is not None), None)
    says_none = own is None and any(column in cells for column in node.columns)
    parts = [evaluate(part, cells) for part in node.parts]
    told = says_none or any(part.stated_missing for part in parts)
    whole = None if own is None else Rebuilt(own.value, own.value, own.value, own.value, own.half)
    if whole is not None and not told:
        return whole
    if all(part.unknown for part in parts):
        if whole is not None and whole.zero > 0:
            return whole  # the parts were not published, but something was measured
        below = tuple(name for part in parts for name in part.missing)
        return Rebuilt(0.0, 100.0, 0.0, None, 0.0, below or (node.name,), told)
    rebuilt = average(node.shares(), parts)
    if own is None or not rebuilt.missing:
        # A part that counts for nothing cannot leave the figure incomplete.
        return whole or rebuilt
    as_zero = agrees(rebuilt.zero, rebuilt.half, own)
    as_left_out = rebuilt.left_out is not None and agrees(rebuilt.left_out, rebuilt.half, own)
    return (
        rebuilt if as_zero or as_left_out else Rebuilt(own.value, own.value, own.value, own.value, own.half)
    )


def average(shares: Sequence[float], parts: Sequence[Rebuilt]) -> Rebuilt:
    """Return the average of rebuilt figures, each counting for its share; the shares add up to 1.

    >>> whole, lost = evaluate(Node("a", columns=("A",)), {"A": Printed(80.0)}), evaluate(Node("b"), {})
    >>> average((0.25, 0.75), (whole, lost))[:4]
    (20.0, 95.0, 20.0, 80.0)
    """
    low = high = zero = half = there = sum_there = 0.0
    missing: tuple[str, ...] = ()
    told = False
    for share, part in zip(shares, parts, strict=True):
        if share == 0:
            continue
        low += share * part.low
        high += share * part.high
        zero += share * part.zero
        half += share * part.half
        if part.left_out is not None:
            there += share
            sum_there += share * part.left_out
        missing += part.missing
        told = told or part.stated_missing
    return Rebuilt(low, high, zero, sum_there / there if there else None, half, missing, told)


def check_average(node: Node, name: str) -> None:
    """Raise UsageError unless the parts of `node` have what its kind of average needs."""
    if not node.parts:
        return
    if node.average is Average.WEIGHTED:
        bare = [part.name for part in node.parts if part.weight is None]
        if bare:
            raise UsageError(f"`{name}` is weighted, but {', '.join(bare)} has no `weight`")
        if not sum(part.weight or 0.0 for part in node.parts) > 0:
            raise UsageError(f"the weights of `{name}` add up to 0")
    if node.average is Average.ENTRIES and not all(part.size() for part in node.parts):
        raise UsageError(f"`{name}` is averaged by entries, but a category below it states none")
