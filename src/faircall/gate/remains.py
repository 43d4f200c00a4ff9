"""What is left of a call of which a bracket or a quote is missing or replaced.

Such remains hold no call in any syntax, and words do not look like them: an offered tool's name between the signs that
a call would have around it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.gate.attempt import Attempt, stands_alone
from faircall.types import Reason

if TYPE_CHECKING:
    from faircall.gate.offered import Offered

_NAME_BEFORE: Final = re.compile(r"(?i)\b(?:name|function|tool)[^\w\n]{1,8}\Z")
_ARGUMENTS_AFTER: Final = re.compile(
    r"(?i)[^\w\n]{1,8}(?:arguments|parameters|args|params|input|kwargs)[^\w\n]{2,8}"
)
_OPENING: Final = re.compile(r"\[\s*+\Z")
# `[name x=1)]`, `[name), …`: the bracket behind the name is gone.
_CLOSED_ALONE: Final = re.compile(r"[^\n()]{0,400}\)\s*+[\],]")
# `[namex=1)]`: and the name runs into what was behind it.
_RUN_TOGETHER: Final = re.compile(r"\[\s*+[^\W\d][\w.\\\-]*+\s*+=(?!=)[^\n()]{0,400}\)\s*+[\],]")
# `name(x=1)]`: the bracket of the list is gone, or the name is not read for the sign in its place.
_LIST_END: Final = re.compile(r"\([^\n]{0,400}?\)\s*+\]")
_FIELD: Final = re.compile(r"[^\w\n(]{1,3}([^\W\d]\w*+)\s?=\s?(?=[^\s=])")
_MOST: Final = 64


def find_remains(text: str, offered: Offered) -> Attempt | None:
    """Return the first remains of a call in the text, as an attempt whose syntax is broken; None where there are none.

    >>> from faircall.gate.offered import Offered
    >>> from faircall.types import Tool
    >>> offered = Offered((Tool("ride"),))
    >>> find_remains("[ride km=3)]", offered).end
    12
    >>> find_remains("You may ride (it is 3 km) home.", offered)
    """
    together = _RUN_TOGETHER.search(text)
    if together is not None:
        start, end = together.span()
        return Attempt(start, end, None, True, Reason.SYNTAX_ERROR, standing=stands_alone(text, start, end))
    pattern = offered.pattern_in(text)
    if pattern is None:
        return None
    for count, found in enumerate(pattern.finditer(text)):
        if count >= _MOST:
            break
        start = found.start()
        stop = _end_of(text, start, found.end(), offered)
        if stop is not None:
            standing = stands_alone(text, start, stop)
            return Attempt(start, stop, found.group(), True, Reason.SYNTAX_ERROR, standing=standing)
    return None


def _end_of(text: str, start: int, end: int, offered: Offered) -> int | None:
    """Where the remains around a name end; None where it is a word like others."""
    if _NAME_BEFORE.search(text, max(0, start - 20), start):
        after = _ARGUMENTS_AFTER.match(text, end)
        if after is not None and any(sign in text[max(0, start - 8) : after.end()] for sign in '{}"'):
            return after.end()
    if _OPENING.search(text, max(0, start - 8), start) and (closed := _CLOSED_ALONE.match(text, end)):
        return closed.end()
    listed = _LIST_END.match(text, end)
    if listed is not None and text.count("]", 0, listed.end()) > text.count("[", 0, listed.end()):
        return listed.end()
    field = _FIELD.match(text, end)
    if field is not None and field.group(1) in offered.parameters:
        return field.end()
    return None
