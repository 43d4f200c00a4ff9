"""Reasoning that a model wrote before its answer: found, set aside, and kept for the record."""

from __future__ import annotations

import re
from typing import Final

from faircall.types import Span

_PAIRS: Final = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<reasoning>": "</reasoning>",
    "<thought>": "</thought>",
    "<|thought_start|>": "<|thought_end|>",
    "<|start_thinking|>": "<|end_thinking|>",
    "[think]": "[/think]",
    "<|channel|>analysis<|message|>": "<|end|>",
}
_CLOSINGS: Final = frozenset(_PAIRS.values()) - {"<|end|>"}
_TAG: Final = re.compile(
    "|".join(re.escape(tag) for tag in sorted((*_PAIRS, *_CLOSINGS), key=len, reverse=True)), re.IGNORECASE
)
_END: Final = re.compile(r"<\|end\|>|<\|start\|>|<\|return\|>|<\|call\|>")
_MARKER: Final = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)<\|message\|>|<\|start\|>assistant"
    r"|<\|return\|>|<\|end\|>",
)
_FENCE: Final = re.compile(r"\s*(?:```[\w+-]*\s*)?(?:<\|start\|>assistant)?\s*")
_QUOTE: Final = re.compile(r"[\"']")
_CALL_LIKE: Final = re.compile(r"\s*(?:```[\w+-]*\s*)?(?:[\[{]|<[^>\s]{1,40}>|[^\W\d][\w.]*\()")


def set_aside(text: str) -> tuple[str, tuple[Span, ...]]:
    """Return the text with its reasoning blanked out by as many spaces, and the spans of the reasoning.

    Positions in the returned text are therefore positions in the given one. Reasoning is what stands in
    `<think>` (or `<thinking>`, `<reasoning>`, `<|thought_start|>`, `[THINK]`, an analysis channel) and its
    closing tag; what comes before a closing tag that nothing opened (a chat template did); and all that
    follows a tag that opens the answer and is never closed. Tags inside a quoted argument are data.

    >>> set_aside("<think>no</think>[f()]")[0].strip()
    '[f()]'
    """
    if "<" not in text and "[" not in text:
        return text, ()
    tags = [(found.start(), found.end(), found.group().lower()) for found in _TAG.finditer(text)]
    if not tags and "<|" not in text:
        return text, ()
    spans = _find_spans(text, tags)
    kept = []
    at = 0
    for start, end in spans:
        kept.append(text[at:start])
        kept.append(" " * (end - start))
        at = end
    kept.append(text[at:])
    blanked = "".join(kept)
    if "<|channel|>" in blanked or (spans and "<|" in blanked):
        blanked = _MARKER.sub(lambda found: " " * len(found.group()), blanked)
    return blanked, tuple(Span(start, end, text[start:end]) for start, end in spans)


def _find_spans(text: str, tags: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Return the stretches of reasoning in order, found in one pass over the tags."""
    spans: list[tuple[int, int]] = []
    quoted = _Quotes(text)
    answered = 0  # where the answer begins, as far as it is known
    index = 0
    while index < len(tags):
        start, end, tag = tags[index]
        opening = _FENCE.match(text, answered)
        leads = opening is not None and opening.end() >= start
        index += 1
        if tag in _CLOSINGS:
            lonely = not spans and (not _CALL_LIKE.match(text, answered) or not quoted.around(start))
            if lonely:
                spans.append((answered, end))
                answered = end
                quoted.restart(end)
            continue
        if not leads and quoted.around(start):
            continue
        closing = _closing(text, tags, index, tag, end)
        if closing is None:
            if leads:
                spans.append((start, len(text)))
                return spans
            continue
        spans.append((start, closing))
        if leads:
            answered = closing
        quoted.restart(closing)
        while index < len(tags) and tags[index][0] < closing:
            index += 1
    return spans


def _closing(text: str, tags: list[tuple[int, int, str]], index: int, tag: str, end: int) -> int | None:
    wanted = _PAIRS[tag]
    if wanted == "<|end|>":
        found = _END.search(text, end)
        if found is None:
            return None
        return found.end() if found.group() == "<|end|>" else found.start()
    for _, after, other in tags[index : index + 64]:
        if other == wanted:
            return after
    return None


class _Quotes:
    """Says whether a position lies in quoted text, for positions asked in ascending order.

    A quote opens where code would open one (after a bracket, a comma, `=`, `:` or white space) and closes
    where code would close one; an apostrophe inside a word does neither.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open = ""

    def restart(self, position: int) -> None:
        self.at = position
        self.open = ""

    def around(self, position: int) -> bool:
        while True:
            found = _QUOTE.search(self.text, self.at, position)
            if found is None:
                self.at = max(self.at, position)
                return bool(self.open)
            where = found.start()
            self.at = where + 1
            if self.open:
                if found.group() == self.open and not self._escaped(where) and self._ends(where):
                    self.open = ""
            elif where == 0 or self.text[where - 1] in " \t\r\n([{,=:":
                self.open = found.group()

    def _escaped(self, where: int) -> bool:
        slashes = 0
        while slashes < 64 and where - slashes > 0 and self.text[where - slashes - 1] == "\\":
            slashes += 1
        return slashes % 2 == 1

    def _ends(self, where: int) -> bool:
        after = self.text[where + 1 : where + 2]
        return not after or after in ",)]}:; \t\r\n"
