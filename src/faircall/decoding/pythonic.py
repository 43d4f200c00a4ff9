"""Python call lists between tags or behind tokens: Nemotron, MiniCPM, Gorilla, Gemini's prompt, Llama."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.decoding.call_lists import read_answer, read_python
from faircall.decoding.json_calls import read_json_answer
from faircall.decoding.limits import MAX_CALLS, LiteralError
from faircall.decoding.literals import skip_space
from faircall.decoding.python_calls import read_calls
from faircall.types import Call, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.decoding.call_lists import ReadCalls

_LLAMA_TOKENS: Final = re.compile(r"\s*+(?:<\|python_tag\|>|<\|python_start\|>)|<\|python_end\|>\s*+\Z")
_GEMINI_NAMESPACE: Final = "default_api."


def read_llama(text: str, tools: Sequence[Tool], read: ReadCalls = read_python) -> Sequence[Call]:
    """Return the calls of a Python call list, which `<|python_tag|>` or `<|python_start|>` may open."""
    blanked = _LLAMA_TOKENS.sub(lambda found: " " * len(found.group()), text) if "<|python_" in text else text
    return read_answer(blanked, tools, read)


def read_nemotron(text: str, tools: Sequence[Tool], read: ReadCalls = read_python) -> Sequence[Call]:
    """Return the calls in `<TOOLCALL>` tags: a Python call list or a JSON list.

    Text outside the tags is allowed; the last closing tag may be missing.
    """
    bodies = find_bodies(text, "<TOOLCALL>", "</TOOLCALL>")
    calls: list[Call] = []
    for start, end in bodies:
        begin = skip_space(text, start)
        if re.match(r"\[\s*\{|\{", text[begin:end]):
            calls.extend(read_json_answer(text, begin, end, tools))
        else:
            calls.extend(_read_body(text, begin, end, tools, read))
    return calls


def read_minicpm(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls between the tool-call tokens: Python calls, one a line, in a fence.

    Text outside the tokens is allowed. Where a server stripped the tokens, the calls have to be all of
    the answer. Names come as the protocol writes them, with `_` for each dot.
    """
    opening = "<|tool_call_start|>"
    if opening not in text and not _stops_inside(text, opening):
        return read_answer(text, tools)
    calls: list[Call] = []
    for start, end in find_bodies(text, opening, "<|tool_call_end|>"):
        calls.extend(_read_body(text, start, end, tools, read_python))
    return calls


def read_gorilla(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls behind `<<function>>`, or of a Python call list without brackets."""
    opening = "<<function>>"
    if opening not in text:
        return read_answer(text, tools)
    first = text.find(opening)
    if text[:first].strip():
        raise LiteralError("text before the calls", skip_space(text))
    calls: list[Call] = []
    at = first
    while at >= 0:
        start = at + len(opening)
        following = text.find(opening, start)
        calls.extend(_read_body(text, start, following if following >= 0 else len(text), tools, read_python))
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = following
    return calls


def read_gemini(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of a Python call list, fenced as `tool_code` or bare.

    Gemini's own habit of printing the result of `default_api.name(…)` is part of that format.
    """
    return read_answer(text, tools, _read_tool_code)


def _read_tool_code(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    if "print(" in text:
        text = _blank_print(text)
    calls = read_python(text, tools)
    offered = {tool.name for tool in tools}
    return [
        Call(call.name.removeprefix(_GEMINI_NAMESPACE), call.arguments, call.positional)
        if call.name not in offered
        else call
        for call in calls
    ]


_PRINT: Final = re.compile(r"(?:(?<=\n)|\A)[ \t]*+print\((?=\s*+[\w.]++\()")


def _blank_print(text: str) -> str:
    """Return the text with each `print(` that opens a line, and its closing bracket, turned into spaces."""
    signs = list(text)
    for found in _PRINT.finditer(text):
        line_end = text.find("\nprint(", found.end())
        closing = text.rfind(")", found.end(), line_end if line_end >= 0 else len(text))
        if closing < 0:
            continue
        inner = text[found.end() : closing]
        try:
            read_calls(inner)
        except LiteralError:
            continue
        signs[found.start() : found.end()] = " " * (found.end() - found.start())
        signs[closing] = " "
    return "".join(signs)


def find_bodies(text: str, opening: str, closing: str) -> list[tuple[int, int]]:
    """Return where the bodies of a tag pair begin and end; an unclosed last one runs to the end.

    >>> find_bodies("<a>1</a><a>2", "<a>", "</a>")
    [(3, 4), (11, 12)]
    """
    bodies = []
    at = text.find(opening)
    if at < 0:
        if _stops_inside(text, opening):
            raise LiteralError(f"stops inside `{opening}`", len(text.rstrip()), truncated=True)
        raise LiteralError("no call list found", skip_space(text))
    while at >= 0:
        start = at + len(opening)
        end = text.find(closing, start)
        if end < 0:
            bodies.append((start, len(text)))
            break
        bodies.append((start, end))
        if len(bodies) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = text.find(opening, end)
    return bodies


def _stops_inside(text: str, opening: str) -> bool:
    kept = text.rstrip()
    return any(kept.endswith(opening[:length]) for length in range(4, len(opening)))


def _read_body(text: str, start: int, end: int, tools: Sequence[Tool], read: ReadCalls) -> Sequence[Call]:
    try:
        return read_answer(text[start:end], tools, read)
    except LiteralError as failed:
        if end >= len(text) and failed.message.startswith(("no call", "nothing")):
            raise LiteralError(f"stops before a call: {failed.message}", len(text), truncated=True) from None
        raise failed.moved(start, closed=end < len(text.rstrip())) from None
