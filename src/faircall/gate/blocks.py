"""The texts of a stored output: a string, or the text blocks of a stored list."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from faircall.gate.peeling import Peeled, peel
from faircall.types import Span

_TEXT_KEYS = frozenset({"type", "text", "annotations", "citations"})
_SENTENCE_END = re.compile(r"[.!?。！？]\s|\n")


class Block(msgspec.Struct, frozen=True):
    """One stored text: the index of its block, the text, and what of it the model said."""

    index: int
    text: str
    peeled: Peeled

    def span(self, start: int, end: int) -> Span:
        """The span of the stored text that a stretch of the peeled text came from."""
        start, end = self.peeled.origin(start, end)
        return Span(start, end, self.text[start:end], self.index)

    @property
    def whole(self) -> Span:
        """All of the stored text."""
        return Span(0, len(self.text), self.text, self.index)

    @property
    def opening(self) -> Span:
        """The first sentence of what was said, 160 characters at most."""
        said = self.peeled.text
        start = len(said) - len(said.lstrip())
        stop = _SENTENCE_END.search(said[start : start + 160])
        return self.span(start, min(len(said.rstrip()), start + (stop.start() + 1 if stop else 160)))


def read_blocks(output: Any) -> list[Block]:
    """Return the texts of an output; items that hold a call or are no text are left out.

    >>> [block.text for block in read_blocks(["No.", {"type": "text", "text": "None fits."}, {"f": {}}])]
    ['No.', 'None fits.']
    """
    texts = ((index, _text_of(item)) for index, item in enumerate(items_of(output)))
    return [Block(index, text, peel(text)) for index, text in texts if text is not None]


def items_of(output: Any) -> list[Any]:
    """Return the items of a stored list, or the output itself as the only one."""
    return list(output) if isinstance(output, list | tuple) else [output]


def holds_nested_calls(output: Any) -> bool:
    """Whether an item of the output is itself a list with objects in it, which no protocol stores."""
    return any(
        isinstance(item, list | tuple)
        and any(isinstance(part, dict) and _text_of(part) is None for part in item)
        for item in items_of(output)
    )


def holds_structure(output: Any) -> bool:
    """Whether an item of the output is an object that is no text: a stored call, or what was meant as one."""
    return any(isinstance(item, dict) and _text_of(item) is None for item in items_of(output))


def _text_of(item: Any) -> str | None:
    """The words of a stored item: a string or a text block."""
    if not isinstance(item, dict):
        return item if isinstance(item, str) else None
    return str(item["text"]) if isinstance(item.get("text"), str) and set(item) <= _TEXT_KEYS else None
