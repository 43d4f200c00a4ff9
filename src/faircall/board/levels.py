"""The levels below the top: whether each printed figure is the average of its parts that the recipe says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faircall.composition import Average, Node, Printed, Rebuilt, Recipe, agrees, average, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Level(msgspec.Struct, frozen=True):
    """A printed figure that has parts: the kind of average that reproduces it, and in how many rows.

    `given` is the recipe's kind; `average` the one that reproduces most rows, the recipe's where it does as
    well as any.
    """

    name: str
    given: Average
    average: Average
    compared: int
    matching: int
    given_matching: int


def check_levels(recipe: Recipe, rows: Sequence[Mapping[str, Printed | None]]) -> tuple[Level, ...]:
    """Return every level below the top that can be checked: its figure and all its parts are printed."""
    levels = []
    for node in [node for part in recipe.score.parts for node in part.walk()]:
        pairs = [pair for pair in (printed_and_parts(node, cells) for cells in rows) if pair is not None]
        if not pairs:
            continue
        counts = {}
        for kind in sorted(Average, key=lambda kind: kind is not node.average):
            changed = msgspec.structs.replace(node, average=kind)
            if _possible(changed):
                counts[kind] = sum(level_agrees(changed, *pair) for pair in pairs)
            if counts[node.average] == len(pairs):
                break
        best = max(counts, key=lambda kind: counts[kind])
        levels.append(Level(node.name, node.average, best, len(pairs), counts[best], counts[node.average]))
    return tuple(levels)


def printed_and_parts(
    node: Node, cells: Mapping[str, Printed | None]
) -> tuple[Printed, list[Rebuilt]] | None:
    """Return what is printed of `node` and its rebuilt parts, or None where one of them is not there."""
    own = next((cells[column] for column in node.columns if cells.get(column) is not None), None)
    parts = [evaluate(part, cells) for part in node.parts]
    if own is None or not parts or any(part.missing for part in parts):
        return None
    return own, parts


def level_agrees(node: Node, own: Printed, parts: Sequence[Rebuilt]) -> bool:
    """Return whether the parts of `node`, averaged as it says, make its printed figure."""
    rebuilt = average(node.shares(), parts)
    return agrees(rebuilt.zero, rebuilt.half, own)


def _possible(node: Node) -> bool:
    if node.average is Average.WEIGHTED:
        return all(part.weight is not None for part in node.parts) and any(part.weight for part in node.parts)
    return node.average is not Average.ENTRIES or all(part.size() for part in node.parts)
