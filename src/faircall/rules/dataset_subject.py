"""What the rules on datasets look at: entries with their keys, and how the examples in the register are read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from faircall.dataset import Dataset, Item, read_dataset
from faircall.keys import KeyCall, key_calls
from faircall.rules.points import points_of
from faircall.rules.register import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY_DATASET: Final = "BFCL v4's data, and JSON lines with `tools` and `expected`"
"""What most rules on datasets apply to."""


def read_example(text: str) -> Dataset:
    """Return the dataset of an example: JSON lines."""
    return read_dataset(io.BytesIO(text.encode()), name="example.jsonl")


def keyed(dataset: Dataset) -> Iterator[tuple[Item, list[KeyCall]]]:
    """Yield each entry that has a key, with the expected calls."""
    for item in dataset.items:
        if item.expected:
            yield item, key_calls(item.expected, item.tools, item.language)


def observed(item: Item, path: str, message: str, **evidence: Any) -> Observed:
    """Return what was seen at a path of an entry's key or tools."""
    points = points_of(item.category, 1)
    where = {"category": item.category, "path": path, "where": item.where}
    shown = {name: value for name, value in where.items() if value is not None}
    place = item.id if item.where is None else f"{item.where} ({item.id})"
    return Observed(item.id, f"{place}: {message} - at `{path}`.", {**shown, **evidence}, points=points)
