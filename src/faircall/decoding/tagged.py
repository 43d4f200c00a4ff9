"""Calls as JSON between tags or behind a token: Hermes, Granite, Falcon, Mistral, Phi, Cohere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from faircall.decoding.fences import whole_fence
from faircall.decoding.json_calls import calls_of_value, find_buried, read_json_answer
from faircall.decoding.limits import MAX_CALLS, LiteralError
from faircall.decoding.literals import read_json, skip_space
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_CALL_NAMES: Final = frozenset({"no_function", "directly_answer", "directly-answer"})
_ROLE: Final = re.compile(r"\s*+(?:assistant|ai|bot)\s*+:?\s*+", re.IGNORECASE)
_MISTRAL_CALL: Final = re.compile(
    r"\s*+([^\s\[{(]{1,256})\s*+(?:\[CALL_ID\]\s*+\w{1,64}\s*+)?(?:\[ARGS\])?\s*+(?=\{)"
)
_COHERE_ACTION: Final = re.compile(r"(?:^|\n)[ \t]*+Action:[ \t]*+\n?")
_FUNCTOOLS: Final = re.compile(r"\s*+functools\s*+(?=\[)")


class Mark(NamedTuple):
    """How a protocol marks its calls: an opening tag or token, and what may close it."""

    opening: str
    closings: tuple[str, ...] = ()
    text_after: bool = True
    """Whether the protocol allows text after the calls."""
    closed: bool = False
    """Whether each call but the last has to be closed before the next one opens."""


HERMES: Final = Mark("<tool_call>", ("</tool_call>",), closed=True)
GRANITE: Final = (
    Mark("<|tool_call|>", ("<|/tool_call|>", "</tool_call>"), text_after=False),
    Mark("<tool_call>", ("</tool_call>",), text_after=False),
)
GRANITE_20B: Final = Mark("<function_call>", ("</function_call>",), text_after=False)
PHI: Final = Mark("<|tool_call|>", ("<|/tool_call|>",))
MINING: Final = Mark("<tool_calls>", ("</tool_calls>",), closed=True)
COHERE: Final = Mark("<|START_ACTION|>", ("<|END_ACTION|>",), closed=True)


def read_hermes(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls in `<tool_call>` tags, one JSON object (or a list of them) in each.

    White space inside the tags is free, text outside them is allowed (the template puts the assistant's
    words before its calls), and the last closing tag may be missing, as where it served as a stop word.
    """
    return read_marked(text, HERMES, tools)


def read_granite(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls after `<|tool_call|>` or `<tool_call>`: a JSON list, or objects.

    A role before the token (`assistant`, `AI:`) and other text before it are allowed, text after the
    calls is not. The token may be missing (it is a special token, which many servers strip), but then the
    list has to be all of the answer.
    """
    for mark in GRANITE:
        if mark.opening in text:
            return read_marked(text, mark, tools)
    role = _ROLE.match(text)
    return _read_bare(text, role.end() if role else 0, GRANITE[0].opening, tools)


def read_granite_20b(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls after `<function_call>` tokens, one JSON object each; `no_function` is no call."""
    if GRANITE_20B.opening in text:
        return read_marked(text, GRANITE_20B, tools)
    return _read_bare(text, 0, GRANITE_20B.opening, tools)


def read_falcon(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls in `<tool_call>` tags: a JSON list or an object, which may be fenced in the tag.

    Text outside the tags is allowed, and the last closing tag may be missing.
    """
    return read_marked(text, HERMES, tools)


def read_phi(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls after `<|tool_call|>` or `functools`: a JSON list, or objects.

    Text outside the tokens is allowed. Without a token, the list has to be all of the answer.
    """
    if PHI.opening in text:
        return read_marked(text, PHI, tools)
    named = _FUNCTOOLS.match(text)
    return _read_bare(text, named.end() if named else 0, PHI.opening, tools)


def read_mining(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls in `<tool_calls>` tags, a JSON list; without the tag the list is all of the answer."""
    if MINING.opening in text:
        return read_marked(text, MINING, tools)
    return _read_bare(text, 0, MINING.opening, tools)


def read_cohere(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls between the action tokens, or after `Action:`; `directly_answer` is no call.

    A plan before the action is part of the protocol; the list may be fenced.
    """
    if COHERE.opening in text:
        return read_marked(text, COHERE, tools)
    action = _COHERE_ACTION.search(text)
    return _read_bare(text, action.end() if action else 0, COHERE.opening, tools)


def read_mistral(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls after `[TOOL_CALLS]`: a JSON list, or (since version 11) `name[ARGS]{…}` each.

    Text before the token is allowed, text after the calls is not. Without the token, the list has to be
    all of the answer.
    """
    opening = "[TOOL_CALLS]"
    at = text.find(opening)
    if at < 0:
        return _read_bare(text, 0, opening, tools)
    calls: list[Call] = []
    while text.startswith(opening, at):
        at += len(opening)
        named = _MISTRAL_CALL.match(text, at)
        if named:
            value, end = _read_value(text, named.end())
            calls.extend(calls_of_value({"name": named.group(1), "arguments": value}, named.start(1), tools))
        else:
            value, end = _read_value(text, at)
            calls.extend(calls_of_value(value, skip_space(text, at), tools))
        _check_count(calls, at)
        at = skip_space(text, end)
    _refuse_rest(text, at, calls)
    return calls


def read_llama_json(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of an answer that is JSON objects separated by semicolons, commas or line breaks.

    `<|python_tag|>` may stand before them, one fence around them; other text is not allowed.
    """
    start = skip_space(text)
    if text.startswith("<|python_tag|>", start):
        start = skip_space(text, start + len("<|python_tag|>"))
    fence = whole_fence(text, start, len(text))
    end = len(text)
    if fence:
        start, end = skip_space(text, fence.body_start), fence.body_end
    if not text.startswith(("{", "["), start):
        raise find_buried(text, start, end, tools)
    calls, after = _read_sequence(text, start, end, tools, closed=fence is not None)
    _refuse_rest(text[:end], after, calls)
    return calls


def read_marked(text: str, mark: Mark, tools: Sequence[Tool]) -> list[Call]:
    """Return the calls behind every opening mark in `text`; raises LiteralError at the first unsound one.

    >>> read_marked('<c>{"name": "f", "arguments": {}}</c>', Mark("<c>", ("</c>",)), ())
    [Call(name='f', arguments={}, positional=())]
    """
    calls: list[Call] = []
    at = text.find(mark.opening)
    if at < 0:
        raise _missing_mark(text, mark.opening, tools)
    while at >= 0:
        start = at + len(mark.opening)
        ends = [found for closing in mark.closings if (found := text.find(closing, start)) >= 0]
        end = min(ends, default=-1)
        body_end = end if end >= 0 else _without_cut(text, mark.closings)
        fence = whole_fence(text, skip_space(text, start), body_end)
        if fence:
            start, body_end = fence.body_start, fence.body_end
        if start >= body_end or not text[start:body_end].strip():
            raise LiteralError(f"nothing after `{mark.opening}`", start, truncated=end < 0)
        more, after = _read_sequence(text, start, body_end, tools, closed=end >= 0)
        calls.extend(more)
        _check_count(calls, at)
        after = min(skip_space(text, after), body_end)
        following = text.find(mark.opening, after)
        if after < body_end and not (end < 0 and following == after and not mark.closed):
            if mark.text_after or end >= 0:
                raise LiteralError("text after the call, inside its tag", after)
            _refuse_rest(text, after, calls)
        closing = next((item for item in mark.closings if text.startswith(item, end)), "") if end >= 0 else ""
        at = text.find(mark.opening, end + len(closing)) if end >= 0 else following
        if at < 0 and end >= 0 and not mark.text_after:
            _refuse_rest(text, skip_space(text, end + len(closing)), calls)
    return calls


def _without_cut(text: str, closings: Sequence[str]) -> int:
    """Return the length of the text without the beginning of a closing tag at which it stops."""
    kept = text.rstrip()
    for closing in closings:
        for length in range(len(closing) - 1, 1, -1):
            if kept.endswith(closing[:length]):
                return len(kept) - length
    return len(text)


def _read_sequence(
    text: str, start: int, end: int, tools: Sequence[Tool], *, closed: bool
) -> tuple[list[Call], int]:
    """Read JSON values up to `end`, separated by nothing but white space, commas or semicolons."""
    calls: list[Call] = []
    at = start
    while True:
        value, after = _read_value(text, at, end, closed=closed)
        items = value if isinstance(value, list) else [value]
        wanted = [item for item in items if not _is_no_call(item)]
        calls.extend(calls_of_value(wanted, skip_space(text, at), tools))
        _check_count(calls, at)
        at = skip_space(text, after)
        if at < end and text[at] in ",;":
            at = skip_space(text, at + 1)
        if at >= end or text[at] not in "{[" or text.startswith("[TOOL_CALLS]", at):
            return calls, after if at > end else at


def _is_no_call(item: object) -> bool:
    """Whether an object names the protocol's own word for calling nothing."""
    if not isinstance(item, dict):
        return False
    name = item.get("name", item.get("tool_name"))
    return isinstance(name, str) and name in _NO_CALL_NAMES


def _read_value(text: str, start: int, end: int | None = None, *, closed: bool = False) -> tuple[object, int]:
    """Read one JSON value of `text[start:end]`, with positions in `text`; `closed` if something ends it."""
    part = text[start:] if end is None else text[start:end]
    try:
        value, after = read_json(part)
    except LiteralError as failed:
        raise failed.moved(start, closed=closed) from None
    return value, start + after


def _read_bare(text: str, start: int, opening: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Read an answer without its token: a list that is all of it, or a failure."""
    cut = _cut_mark(text, opening)
    if cut:
        raise cut
    return [
        call for call in read_json_answer(text, start, len(text), tools) if call.name not in _NO_CALL_NAMES
    ]


def _cut_mark(text: str, opening: str) -> LiteralError | None:
    """Return the failure of a text that stops inside its opening mark."""
    kept = text.rstrip()
    for length in range(min(len(opening) - 1, len(kept)), 3, -1):
        if kept.endswith(opening[:length]):
            return LiteralError(f"stops inside `{opening}`", len(kept) - length, truncated=True)
    return None


def _missing_mark(text: str, opening: str, tools: Sequence[Tool]) -> LiteralError:
    """Return the failure of a text without its mark."""
    cut = _cut_mark(text, opening)
    if cut:
        return cut
    buried = find_buried(text, 0, len(text), tools)
    if buried.reason is Reason.WRAPPED_CALL:
        return LiteralError(f"calls without `{opening}`", buried.position, reason=Reason.FOREIGN_FORMAT)
    return LiteralError("no call list found", skip_space(text))


def _refuse_rest(text: str, at: int, calls: Sequence[Call]) -> None:
    if at < len(text.rstrip()):
        raise LiteralError(
            "text after the calls" if calls else "text after the empty list",
            at,
            reason=Reason.WRAPPED_CALL if calls else Reason.SYNTAX_ERROR,
        )


def _check_count(calls: Sequence[Call], at: int) -> None:
    if len(calls) > MAX_CALLS:
        raise LiteralError(f"more than {MAX_CALLS} calls", at)
