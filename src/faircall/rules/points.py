"""What entries count for in BFCL v4's overall score."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from faircall.composition import load_recipe

if TYPE_CHECKING:
    from collections.abc import Iterable


@cache
def _entry_points() -> dict[str, float]:
    recipe = load_recipe()
    shares = recipe.leaf_shares()
    return {
        leaf.name: 100 * shares[leaf.name] / leaf.entries for leaf in recipe.score.leaves() if leaf.entries
    }


def sum_points(parts: Iterable[float | None]) -> float | None:
    """Return the sum of points, or None where none of them is known.

    >>> sum_points([1.0, None]), sum_points([None])
    (1.0, None)
    """
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def points_of(category: str | None, entries: int) -> float | None:
    """Return how many points of BFCL v4's overall score some entries of a category are; None if it has no part in it.

    >>> points_of("live_irrelevance", 884), points_of("live_relevance", 16)
    (5.0, None)
    """
    each = _entry_points().get(category or "")
    return None if each is None else round(each * entries, 6)
