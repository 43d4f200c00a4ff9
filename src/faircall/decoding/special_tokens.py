"""Protocols with a grammar of their own: DeepSeek, GLM and FunctionGemma."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.call_lists import read_answer, read_python
from faircall.decoding.fences import whole_fence
from faircall.decoding.json_calls import calls_of_value, read_json_answer
from faircall.decoding.limits import MAX_CALLS, MAX_DEPTH, MAX_DIGITS, LiteralError
from faircall.decoding.literals import read_json, skip_space
from faircall.decoding.typed_text import read_typed, type_of_parameter
from faircall.schema import find_tool
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.decoding.call_lists import ReadCalls

# DeepSeek writes its tokens with full-width bars and low lines; servers and copies turn them into ASCII.
_DS: Final = re.compile(r"<[｜|]tool[▁_](?:(calls)[▁_](begin|end)|(call)[▁_](begin|end)|(sep))[｜|]>")
_DS_TYPE: Final = re.compile(r"\s*+function\s*+\Z")
_NAME: Final = re.compile(r"\s*+([^\s<>{}()\[\]\"'`,;:]{1,256})\s*+")
_GLM_LINE: Final = re.compile(r"[ \t]*+([^\W\d][\w.\-]{0,255})[ \t]*+\r?\n[ \t\r\n]*+(?=\{)")
_GLM_KEY: Final = re.compile(r"\s*+<arg_key>([^<]*+)</arg_key>\s*+<arg_value>")

_GEMMA_OPEN: Final = "<start_function_call>"
_GEMMA_CLOSE: Final = "<end_function_call>"
_ESCAPE: Final = "<escape>"
_GEMMA_NAME: Final = re.compile(r"\s*+call:\s*+([^\s{<]{1,256})\s*+")
_GEMMA_KEY: Final = re.compile(r"\s*+(?:<escape>([^<]*+)<escape>|([^:{}\[\],<]{1,256}?))\s*+:")
_GEMMA_BARE: Final = re.compile(r"[^,{}\[\]<]*+")
_NUMBER: Final = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_GEMMA_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None, "None": None}


def read_deepseek(text: str, tools: Sequence[Tool], read: ReadCalls = read_python) -> Sequence[Call]:
    """Return the calls between DeepSeek's tool-call tokens, or of a Python or JSON list without them.

    Read are the form of V3 and R1 (a type, the name, and JSON in a fence) and that of V3.1 (the name and
    bare JSON). Text before the tokens is allowed.
    """
    tokens = list(_DS.finditer(text))
    if not tokens:
        begin = skip_space(text)
        fence = whole_fence(text, begin, len(text))
        inner = skip_space(text, fence.body_start) if fence else begin
        if re.match(r"\[\s*+\{|\{", text[inner : inner + 1000]):
            return read_json_answer(text, 0, len(text), tools)
        return read_answer(text, tools, read)
    calls: list[Call] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.group(4) != "begin":
            index += 1
            continue
        separator = tokens[index + 1] if index + 1 < len(tokens) else None
        if separator is None or not separator.group(5):
            raise LiteralError("a call without its separator", token.end(), truncated=separator is None)
        closing = tokens[index + 2] if index + 2 < len(tokens) else None
        end = closing.start() if closing else len(text)
        calls.append(_read_deepseek_call(text, token.end(), separator, end, tools))
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", token.start())
        index += 2
    if not calls:
        raise LiteralError("no call between the tokens", tokens[0].end(), truncated=len(tokens) == 1)
    return calls


def _read_deepseek_call(
    text: str, start: int, separator: re.Match[str], end: int, tools: Sequence[Tool]
) -> Call:
    at = separator.end()
    head = text[start : separator.start()]
    if _DS_TYPE.match(head):
        named = _NAME.match(text, at, end)
        if not named:
            raise LiteralError("expected the name of a tool", at, truncated=at >= len(text.rstrip()))
        name, at = named.group(1), named.end()
    else:
        name = head.strip()
        if not name:
            raise LiteralError("expected the name of a tool", start)
    fence = whole_fence(text, skip_space(text, at), end)
    body_end = end
    if fence:
        at, body_end = fence.body_start, fence.body_end
    value, after = _read_json_part(text, at, body_end)
    if text[after:body_end].strip():
        raise LiteralError("text after the arguments", skip_space(text, after))
    return calls_of_value({"name": name, "arguments": value}, start, tools)[0]


def read_glm(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of GLM: a name, a line break and JSON (GLM-4), or `<arg_key>` tags (GLM-4.5).

    In the tagged form text outside the tags is allowed, and values take the type that the schema gives
    them; without a schema, what reads as JSON is JSON. In the plain form the calls are all of the answer.
    """
    if "<tool_call>" in text:
        return _read_glm_tags(text, tools)
    calls: list[Call] = []
    at = skip_space(text)
    while at < len(text):
        named = _GLM_LINE.match(text, at)
        if not named:
            rest = text[at:].strip()
            if calls:
                raise LiteralError("text after the calls", at, reason=Reason.WRAPPED_CALL)
            if rest == "[]":
                return []
            offered = find_tool(rest, tools) is not None
            raise LiteralError(
                "stops after the name" if offered else "no call list found", at, truncated=offered
            )
        value, after = _read_json_part(text, named.end(), len(text))
        calls.extend(calls_of_value({"name": named.group(1), "arguments": value}, at, tools))
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = skip_space(text, after)
    return calls


def _read_glm_tags(text: str, tools: Sequence[Tool]) -> list[Call]:
    calls: list[Call] = []
    at = text.find("<tool_call>")
    while at >= 0:
        start = at + len("<tool_call>")
        named = _NAME.match(text, start)
        if not named:
            raise LiteralError("expected the name of a tool", start, truncated=not text[start:].strip())
        name, place = named.group(1), named.end()
        tool = find_tool(name, tools)
        arguments: dict[str, Any] = {}
        while key := _GLM_KEY.match(text, place):
            end = text.find("</arg_value>", key.end())
            if end < 0:
                raise LiteralError("a value without its closing tag", key.end(), truncated=True)
            written = text[key.end() : end]
            kind = type_of_parameter(tool, key.group(1).strip())
            arguments[key.group(1).strip()] = read_typed(written, kind or "any", key.end())
            place = end + len("</arg_value>")
        place = skip_space(text, place)
        if not text.startswith("</tool_call>", place):
            cut = "</tool_call>" not in text[place:]
            if place < len(text.rstrip()) or not arguments:
                raise LiteralError("expected `<arg_key>` or `</tool_call>`", place, truncated=cut)
        calls.append(Call(name, arguments))
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = text.find("<tool_call>", place)
    return calls


def read_functiongemma(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of FunctionGemma: `call:name{key:value}` between its tokens.

    Text is written between `<escape>` marks; a bare word is a number, a boolean, `null`, or else text.
    Text outside the tokens is allowed.
    """
    calls: list[Call] = []
    at = text.find(_GEMMA_OPEN)
    if at < 0:
        kept = text.rstrip()
        cut = any(kept.endswith(_GEMMA_OPEN[:length]) for length in range(4, len(_GEMMA_OPEN)))
        raise LiteralError("no call list found", skip_space(text), truncated=cut)
    while at >= 0:
        start = at + len(_GEMMA_OPEN)
        named = _GEMMA_NAME.match(text, start)
        if not named:
            raise LiteralError("expected `call:` and a name", start, truncated=len(text) - start < 8)
        place = named.end()
        arguments: dict[str, Any] = {}
        if text.startswith("{", place):
            arguments, place = _read_gemma_object(text, place, 1)
        place = skip_space(text, place)
        if text.startswith(_GEMMA_CLOSE, place):
            place += len(_GEMMA_CLOSE)
        elif place < len(text):
            cut = _GEMMA_CLOSE.startswith(text[place:].rstrip())
            if not cut:
                raise LiteralError(f"expected `{_GEMMA_CLOSE}`", place)
        elif not arguments and text[place - 1 : place] != "}":
            raise LiteralError("stops after the name", place, truncated=True)
        calls.append(Call(named.group(1), arguments))
        if len(calls) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", at)
        at = text.find(_GEMMA_OPEN, place)
    return calls


def _read_gemma_object(text: str, start: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = skip_space(text, start + 1)
    while not text.startswith("}", at):
        key = _GEMMA_KEY.match(text, at)
        if not key:
            raise LiteralError("expected a name and `:`", at, truncated=_runs_out(text, at))
        name = key.group(1) if key.group(1) is not None else key.group(2)
        found[name.strip()], at = _read_gemma_value(text, skip_space(text, key.end()), depth)
        at = _pass_comma(text, at, "}")
    return found, at + 1


def _read_gemma_value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", at)
    if text.startswith(_ESCAPE, at):
        end = text.find(_ESCAPE, at + len(_ESCAPE))
        if end < 0:
            raise LiteralError("text without its closing `<escape>`", at, truncated=True)
        return text[at + len(_ESCAPE) : end], skip_space(text, end + len(_ESCAPE))
    if text.startswith("{", at):
        value, after = _read_gemma_object(text, at, depth + 1)
        return value, skip_space(text, after)
    if text.startswith("[", at):
        items: list[Any] = []
        at = skip_space(text, at + 1)
        while not text.startswith("]", at):
            item, at = _read_gemma_value(text, at, depth + 1)
            items.append(item)
            at = _pass_comma(text, at, "]")
        return items, skip_space(text, at + 1)
    bare = _GEMMA_BARE.match(text, at)
    word = bare.group().strip() if bare else ""
    if not bare or not word:
        raise LiteralError("expected a value", at, truncated=_runs_out(text, at))
    return _read_word(word, at), bare.end()


def _read_word(word: str, at: int) -> Any:
    if word in _GEMMA_WORDS:
        return _GEMMA_WORDS[word]
    if not _NUMBER.fullmatch(word):
        return word
    if len(word) > MAX_DIGITS:
        raise LiteralError(f"a number of more than {MAX_DIGITS} digits", at)
    if word.lstrip("+-").isdigit():
        return int(word)
    number = float(word)
    if number in (float("inf"), float("-inf")):
        raise LiteralError("a number out of range", at)
    return number


def _pass_comma(text: str, at: int, closing: str) -> int:
    at = skip_space(text, at)
    if text.startswith(",", at):
        return skip_space(text, at + 1)
    if not text.startswith(closing, at):
        raise LiteralError(f"expected `,` or `{closing}`", at, truncated=_runs_out(text, at))
    return at


def _runs_out(text: str, at: int) -> bool:
    """Whether the text has no structure left after `at`, so that it stops there."""
    return not any(sign in text[at:] for sign in ("}", "<end_function_call>", "]"))


def _read_json_part(text: str, start: int, end: int) -> tuple[Any, int]:
    try:
        value, after = read_json(text[start:end])
    except LiteralError as failed:
        raise failed.moved(start, closed=end < len(text.rstrip())) from None
    return value, start + after
