"""A comparison as JSON, the contract: one object, written in pieces, a pair each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faircall.report.score_json import indented, json_list
from faircall.rows import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.comparing import Comparison


def pieces(comparison: Comparison, *, all_entries: bool) -> Iterator[str]:
    """Yield the text of what `comparison.as_json()` returns."""
    yield "{\n"
    for name, value in comparison.head_row().items():
        text = dump_json(value, indent=1).replace("\n", "\n ")
        yield f' "{name}": {text},\n'
    listed = comparison.lists_entries(all_entries=all_entries)
    rows = (indented(comparison.pair_row(pair, entries=listed)) for pair in comparison.pairs)
    yield from json_list("pairs", rows)
    yield f' "signature": {dump_json(comparison.signature)}\n}}\n'
