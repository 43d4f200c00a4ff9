"""Explicit empty call lists in text: alone, quoted, fenced, or at the end of a sentence."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from faircall.decoding import decode

if TYPE_CHECKING:
    from faircall.gate.offered import Offered

EMPTY_LIST = re.compile(
    r"""[\[({]\s*+(?:(?:[\[({]\s*+[\])}]|none|null|["']{2})\s*+,?\s*+)?[\])}]""", re.IGNORECASE
)
"""Brackets with nothing, an empty pair, or a null in them."""

_MOST = 500
_LAYERS = 8
_CALL_KEY = re.compile(
    r"""(?i)^\{\s*["'](?:tool_calls?|function_calls?|calls|actions|tools)["']\s*:\s*(?:\[\s*\]|null)\s*\}$"""
)
_OPENING_TAG = re.compile(r"<(\w+)>")
_LABEL = re.compile(r"""[\s>*`"'#\-=]*(?:[\w ]{1,40}:)?[\s*`"']*$""")
_REMARK = re.compile(r"""[`"'*.;,\s]*(?:$|\(\w|#|//)""")
_SAID = re.compile(
    r"(?i)\b(?:is|be|return|returned|returning|output|with|list|array)\s*[*`\"']*$|:\s*[*`\"']*$"
)
_WORDS = re.compile(r"[^\W\d_]+")
_CODE_LINE = re.compile(r"^\s*(?:return|yield|self\.|[\w.\[\]]+\s*=|def |class |if |for |while |\})")


def opens_with_empty_list(text: str) -> bool:
    """Whether an explicit empty list opens the text and only words follow it, no further bracket."""
    found = EMPTY_LIST.match(text.lstrip())
    return found is not None and not re.search(r"[\[{]|\w\(", text.lstrip()[found.end() :])


def is_empty_list(text: str) -> bool:
    """Whether the text is nothing but an explicit empty call list, in a tag or under a key such as `tool_calls`.

    >>> is_empty_list("[ ]"), is_empty_list('{"tool_calls": []}'), is_empty_list("<answer>[]</answer>")
    (True, True, True)
    """
    text = text.strip()
    for _ in range(_LAYERS):
        tag = _OPENING_TAG.match(text)
        if tag is None or not text.endswith(closing := f"</{tag.group(1)}>"):
            break
        text = text[tag.end() :].removesuffix(closing).strip()
    if text.startswith("return "):
        text = text.removeprefix("return ").strip()
    return EMPTY_LIST.fullmatch(text) is not None or _CALL_KEY.match(text) is not None


def reads_as_empty(text: str, offered: Offered) -> bool:
    """Whether some protocol reads the text as an explicit empty call list, whatever protocol was declared."""
    found = decode(text, "auto", tools=offered.tools)
    return found.error is None and not found.calls


def find_empty_list(text: str) -> tuple[int, int] | None:
    """Return where the text gives an explicit empty list as its answer, or None.

    It counts on a line of its own (a label in front and a remark behind allowed), in quotes, or at the end of
    words such as "I would return"; an empty list in a line of code does not.
    """
    for found in islice(EMPTY_LIST.finditer(text), _MOST):
        if _is_answer(text, *found.span()):
            return found.span()
    return None


def _is_answer(text: str, start: int, end: int) -> bool:
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    lead = text[max(line_start, start - 300) : start]
    tail = text[end : len(text) if line_end < 0 else line_end][:300]
    if _LABEL.match(lead) and _REMARK.match(tail):
        return True
    quoted = lead[-1:] in {'"', "'", "`"} and tail[:1] == lead[-1:]
    if quoted and text[start] == "[" and not _CODE_LINE.match(lead):
        return True
    if _CODE_LINE.match(lead) or len(_WORDS.findall(lead)) < 2:
        return False
    ends = not tail or tail[0] in " .;*`\"'"
    return ends and _SAID.search(lead) is not None
