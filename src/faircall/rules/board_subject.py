"""What the board rules look at, and how the examples in the register are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.board import assemble, parse_table, rebuild
from faircall.composition import Recipe, load_recipe

if TYPE_CHECKING:
    from faircall.board import RebuiltBoard, RebuiltRow

_SECTION: Final = re.compile(r"^\[(\w+)\]\n", re.MULTILINE)

ANY_BOARD: Final = "any board that a recipe describes; BFCL v4's is inside the package"
"""What most rules on boards apply to."""
NEAR_ZERO_J: Final = 0.05
"""J up to which a row tells a question that wants a call from one that does not no better than chance."""
HIGH_IRRELEVANCE: Final = 75.0
"""Percent of the questions that want no call, from which a row that never calls looks like restraint."""
ONE_BLOCK_SHARE: Final = 75.0
"""Percent of a score from one block, from which the score says little of the others."""
LEADERS: Final = 10
"""How many rows from the top the control looks at."""


def read_example(text: str) -> RebuiltBoard:
    """Return the rebuilt board of an example: CSV of the first table, and of others after `[table]` lines."""
    recipe = load_recipe()
    pieces = _SECTION.split(text.lstrip())
    tables = {next(iter(recipe.tables)): parse_table(pieces[0], "example.csv")}
    for name, content in zip(pieces[1::2], pieces[2::2], strict=True):
        tables[name] = parse_table(content, f"example_{name}.csv")
    return rebuild(assemble(tables, recipe, name="example"), recipe)


def has_lost_calls(row: RebuiltRow) -> bool:
    """Return whether the row never calls where a call is wanted, and is credited for that elsewhere."""
    return row.relevance == 0 and row.irrelevance is not None and row.irrelevance >= HIGH_IRRELEVANCE


def abstention_name(recipe: Recipe) -> str:
    """Return the name of the part that credits not calling, as sentences use it."""
    return plain(recipe.abstention or "abstention")


def plain(name: str) -> str:
    """Return a node's name in words: `multi_turn` is multi-turn."""
    return name.replace("_", "-")


def two(value: float) -> str:
    """Return a figure with two decimals, never as a negative zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def ranged(low: float, high: float, *, digits: int) -> str:
    """Return a range of figures, as one number where both ends are printed the same.

    >>> ranged(10.9, 13.4, digits=1), ranged(62.4, 62.5, digits=0)
    ('10.9 to 13.4', '62')
    """
    first, last = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return first if first == last else f"{first} to {last}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return the number with its noun: `1 row`, `3 rows`.

    >>> counted(1, "row"), counted(3, "row")
    ('1 row', '3 rows')
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def listed(items: list[str], *, most: int = 3) -> str:
    """Return items as a sentence lists them, the first `most` by name.

    >>> listed(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    if len(items) > most:
        return f"{', '.join(items[:most])} and {len(items) - most} more"
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]
