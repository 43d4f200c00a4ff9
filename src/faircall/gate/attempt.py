"""One call attempt found in text, and how it stands among the words around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from faircall.types import Reason

# Each part takes all it can, so that a long run of marks is passed over once.
_LINE_LEAD = re.compile(
    r"""(?x)^[\s>*\-+•`"'\[({|]*+(?:\d+[.)]\s++)?[\s`"'\[({]*+
    (?:
      (?: await | return | print\( | >>> | \$
        | (?:(?:const|let|var|final|auto|String|int|double)\s+)?[A-Za-z_]\w*+\s*+(?::\s*+\w++\s*+)?=(?!=)
      )\s*+
    )*+
    [\s`"'\[({]*+$"""
)
_LINE_TAIL = re.compile(
    r"""(?x)^[\s\])}`"'*;,]*+
    (?: \[[^\[\]\n]{0,60}\] | \.\w{1,40}(?:\(\))? | \) )*+
    [\s\])}`"'*;,.|:!]*+
    (?:(?:\#|//).*)?$"""
)

_AROUND = 400
_ALL_LEAD = re.compile(r"""[\s>*\-`"'\[({]*+(?:(?<=`)[a-z_]{1,20}\s++)?+[\s`"'\[({]*+""")
_ALL_TAIL = re.compile(r"""[\s\])}`"'*;,.!]*+""")

# Further calls or objects may follow on the same line, separated by a comma or a semicolon.
_NEXT_CALL = re.compile(r"""\s*+[,;]\s*+(?:[\w.\\\-]++\s*+\(|\{\s*+["'\w])""")


class Attempt(msgspec.Struct, frozen=True):
    """A stretch of text in call syntax.

    `broken` is why the syntax fails by itself, None where it is sound. `standing` tells whether it stands by
    itself (on lines of its own, in brackets or tags) rather than within a sentence. `hinted` marks a sketch:
    arguments left out as dots or in angle brackets.
    """

    start: int
    end: int
    name: str | None
    offered: bool
    broken: Reason | None = None
    standing: bool = True
    tagged: bool = False
    written: str = "object"
    """How the call is written: as an `object`, in the way of `python`, with a `label`, or in sound `markup`."""
    hinted: bool = False


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but brackets, quotes, list marks or an assignment shares the lines of the stretch.

    >>> stands_alone("So:\\n[f(x=1)]\\nDone.", 5, 11)
    True
    >>> stands_alone("I could use f(x=1) here.", 12, 18)
    False
    """
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    lead = text[max(line_start, start - 400) : start]
    tail = text[end : len(text) if line_end < 0 else line_end][:400]
    return _LINE_LEAD.match(lead) is not None and _tail_is_quiet(tail)


def is_all(text: str, start: int, end: int) -> bool:
    """Whether the stretch is all of the text, but for a fence, brackets and marks around it.

    >>> is_all("```\\nf(x=1)\\n```", 4, 10), is_all("So: f(x=1)", 4, 10)
    (True, False)
    """
    # The tail is looked at first: where many calls follow one another, that settles it at no cost.
    if _ALL_TAIL.fullmatch(text[end : end + _AROUND].rstrip()) is None or text[end + _AROUND :].strip():
        return False
    lead = text[:start].lstrip()
    return len(lead) <= _AROUND and _ALL_LEAD.fullmatch(lead) is not None


def _tail_is_quiet(tail: str) -> bool:
    return _LINE_TAIL.match(tail) is not None or _NEXT_CALL.match(tail) is not None
