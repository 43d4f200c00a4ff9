"""Markdown code fences in a model's answer."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_TICKS: Final = re.compile(r"`{3,}+")
_LANGUAGE: Final = re.compile(r"[ \t]*+([A-Za-z][\w+#.-]*+)?(?=[ \t]*+(?:\r?\n|\Z)|[ \t])")
_LINE_REST: Final = re.compile(r"[ \t]*+(?:\r?\n|\Z)")


class Fence(NamedTuple):
    """One fence: `text[start:end]` with its ticks, `text[body_start:body_end]` without them."""

    start: int
    end: int
    body_start: int
    body_end: int
    language: str


def find_fences(text: str) -> list[Fence]:
    """Return the fences of `text` in order; one that is never closed runs to the end of the text.

    A fence that opens on a line of its own is closed by the next run of ticks that ends a line (so ticks
    inside quoted code do not close it); one that has its body on the same line, by the next run of ticks.

    >>> [fence.language for fence in find_fences("```json\\n[]\\n```")]
    ['json']
    """
    ticks = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
    ends_line = [_LINE_REST.match(text, end) is not None for _, end in ticks]
    # For each run of ticks, the next one that ends a line: computed backwards, so that the whole is linear.
    closers = [len(ticks)] * (len(ticks) + 1)
    for index in range(len(ticks) - 1, -1, -1):
        closers[index] = index if ends_line[index] else closers[index + 1]
    fences = []
    index = 0
    while index < len(ticks):
        start, end = ticks[index]
        language = ""
        body = end
        named = _LANGUAGE.match(text, end)
        if named:
            language = (named.group(1) or "").lower()
            body = named.end()
        rest = _LINE_REST.match(text, body)
        if rest:
            body = rest.end()
        closing = closers[index + 1] if rest else index + 1
        if closing >= len(ticks):
            closing = index + 1
        if closing >= len(ticks):
            # A text that was cut off may end in a part of the closing ticks.
            finish = max(min(body, len(text)), len(text.rstrip().rstrip("`")))
            fences.append(Fence(start, len(text), min(body, len(text)), finish, language))
            break
        fences.append(
            Fence(start, ticks[closing][1], min(body, ticks[closing][0]), ticks[closing][0], language)
        )
        index = closing + 1
    return fences


def whole_fence(text: str, start: int, end: int) -> Fence | None:
    """Return the one fence that is all of `text[start:end]` but white space, if there is one.

    >>> whole_fence("```\\n[]\\n```", 0, 10).body_start
    4
    """
    if not text.startswith("```", start):
        return None
    fences = find_fences(text[start:end])
    if len(fences) != 1 or text[start + fences[0].end : end].strip():
        return None
    found = fences[0]
    return Fence(
        found.start + start,
        found.end + start,
        found.body_start + start,
        found.body_end + start,
        found.language,
    )
