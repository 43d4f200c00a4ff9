"""Answers in a prompt's format: a call list, and the wrappers that are allowed around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.decoding.fences import find_fences, whole_fence
from faircall.decoding.limits import MAX_SEARCHES, LiteralError
from faircall.decoding.literals import skip_space
from faircall.decoding.python_calls import read_calls
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    ReadCalls = Callable[[str, Sequence[Tool]], Sequence[Call]]

_TAG: Final = ("<TOOLCALL>", "</TOOLCALL>")
_BURIED: Final = re.compile(r"\[\s*+(?=[^\W\d][\w.]*+\()|(?<![\w.\-])[^\W\d][\w.]*+\(")
_CALL_LIKE: Final = re.compile(r"[\[(]|[^\W\d][\w.]*+[ \t]*+\(")


def read_python(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of a bare Python call list."""
    return read_calls(text, names=frozenset(tool.name for tool in tools))


def read_answer(text: str, tools: Sequence[Tool], read: ReadCalls = read_python) -> Sequence[Call]:
    """Return the calls of an answer that is a call list and nothing else; raises LiteralError.

    Allowed around the list: white space, one code fence (or several, each with calls), the `<TOOLCALL>`
    tag that some prompts ask for, back-ticks, one pair of quotes. Other text is refused: with the reason
    WRAPPED_CALL where a sound call is in it, as TRUNCATED where a call in it stops at the end.

    >>> read_answer("```python\\n[f(x=1)]\\n```", ())[0].name
    'f'
    """
    start, end = _unwrap(text, skip_space(text), len(text.rstrip()))
    if start >= end:
        raise LiteralError("nothing where calls were expected", start)
    several = _read_fences(text, start, end, tools, read)
    if several is not None:
        return several
    try:
        return _read_part(text, start, end, tools, read)
    except LiteralError as failed:
        if failed.reason is Reason.WRAPPED_CALL or _starts_like_a_call(text, start, tools):
            raise
        raise _find_buried(text, start, end, tools, read) from None


def _read_part(text: str, start: int, end: int, tools: Sequence[Tool], read: ReadCalls) -> Sequence[Call]:
    try:
        return read(text[start:end], tools)
    except LiteralError as failed:
        raise failed.moved(start, closed=end < len(text.rstrip())) from None


def _read_fences(
    text: str, start: int, end: int, tools: Sequence[Tool], read: ReadCalls
) -> list[Call] | None:
    """Read an answer that is several fences with calls and nothing between them; None for any other."""
    fences = find_fences(text[start:end]) if text.startswith("```", start) else []
    if not 1 < len(fences) <= MAX_SEARCHES:
        return None
    at = start
    calls: list[Call] = []
    for fence in fences:
        if text[at : start + fence.start].strip():
            return None
        inner = _unwrap(text, start + fence.start, start + fence.end)
        calls.extend(_read_part(text, *inner, tools, read))
        at = start + fence.end
    return calls if not text[at:end].strip() else None


def _unwrap(text: str, start: int, end: int) -> tuple[int, int]:
    """Return what is left of `text[start:end]` inside its wrappers."""
    for _ in range(4):
        start, end = skip_space(text, start), start + len(text[start:end].rstrip())
        if start >= end:
            return start, max(start, end)
        fence = whole_fence(text, start, end)
        if fence is not None:
            start, end = fence.body_start, fence.body_end
        elif text.startswith(_TAG[0], start) and text.endswith(_TAG[1], start, end):
            start, end = start + len(_TAG[0]), end - len(_TAG[1])
        elif text.startswith("```", start):
            return start, end
        elif text[start] in "`'\"" and end - start > 1 and text[end - 1] == text[start]:
            start, end = start + 1, end - 1
        else:
            return start, end
    return skip_space(text, start), start + len(text[start:end].rstrip())


def _starts_like_a_call(text: str, start: int, tools: Sequence[Tool]) -> bool:
    if _CALL_LIKE.match(text, start):
        return True
    return any(text.startswith(tool.name + "(", start) for tool in tools)


def _find_buried(text: str, start: int, end: int, tools: Sequence[Tool], read: ReadCalls) -> LiteralError:
    """Return the failure of an answer that does not begin with its calls: buried, cut off, or not there."""
    cut: LiteralError | None = None
    for fence in find_fences(text[start:end])[:MAX_SEARCHES]:
        inner = _unwrap(text, start + fence.body_start, start + fence.body_end)
        if inner[0] < inner[1] and _CALL_LIKE.match(text, inner[0]):
            try:
                if read(text[slice(*inner)], tools):
                    return LiteralError("text around the calls", inner[0], reason=Reason.WRAPPED_CALL)
            except LiteralError as failed:
                if failed.truncated and fence.end >= len(text[start:end]):
                    cut = cut or failed.moved(inner[0])
    for count, found in enumerate(_BURIED.finditer(text, start, end)):
        if count >= MAX_SEARCHES:
            break
        try:
            read(text[found.start() : end], tools)
        except LiteralError as failed:
            if failed.reason is Reason.WRAPPED_CALL:
                return LiteralError("text around the calls", found.start(), reason=Reason.WRAPPED_CALL)
            if failed.truncated:
                cut = cut or failed.moved(found.start())
        else:
            return LiteralError("text before the calls", found.start(), reason=Reason.WRAPPED_CALL)
    return cut or LiteralError("no call list found", start)
