"""Structured outputs: what a harness stored of the calls and text blocks of a function-calling interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from faircall.decoding.json_calls import refuse_schema
from faircall.decoding.limits import MAX_CALLS, MAX_DEPTH, MAX_TEXT, LiteralError
from faircall.decoding.literals import read_json
from faircall.types import Call, Reason, Span, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

_CALL_PLACES: Final = ("function", "functionCall", "function_call", "toolUse", "tool_use", "tool_call")
_NAMES: Final = ("name", "tool_name", "function", "function_name")
_ARGUMENTS: Final = ("arguments", "input", "args", "parameters", "arguments_json")
_REASONING_TYPES: Final = frozenset({"thinking", "redacted_thinking", "reasoning", "thought"})
_TEXT_TYPES: Final = frozenset({"text", "output_text", "input_text", "refusal", "message"})
_CALL_TYPES: Final = frozenset({"function", "tool_use", "function_call", "tool_call", "server_tool_use"})
_MESSAGE_KEYS: Final = (
    "tool_calls",
    "content",
    "parts",
    "output",
    "choices",
    "candidates",
    "message",
    "function_call",
)

_TELLING: Final = frozenset({
    *_CALL_PLACES, *_NAMES, *_ARGUMENTS, *_MESSAGE_KEYS, "type", "thought", "thinking", "text", "refusal", "role",
})  # fmt: skip
"""The keys by which an object may be something else than `{name: arguments}`."""


class Contents(NamedTuple):
    """What a stored output holds: calls, text blocks with their index, and reasoning that is set aside."""

    calls: list[Call]
    texts: list[tuple[int, str]]
    reasoning: list[Span]
    empty: bool
    """Whether the output is, in so many words, an empty list of calls."""


def read_stored(output: list[Any] | dict[str, Any], tools: Sequence[Tool] = ()) -> Contents:
    """Return the calls and the text blocks of a stored list, or of a whole message; raises LiteralError.

    Reads `{name: arguments}`, with arguments as an object or as JSON text, OpenAI's `tool_calls` (and the
    message around them), Anthropic's `tool_use`, Gemini's `functionCall`, the `function_call` items of the
    Responses interface, Amazon's `toolUse`, and `{name, arguments}` or `{tool_name, parameters}` objects.

    >>> read_stored([{"area": '{"width": 2}'}, "Working on it."]).calls
    [Call(name='area', arguments={'width': 2}, positional=())]
    """
    contents = Contents([], [], [], _is_empty(output))
    _read_into(contents, output, 0, tools, 0)
    if len(contents.calls) > MAX_CALLS:
        raise LiteralError(f"more than {MAX_CALLS} calls", 0)
    return contents


def _is_empty(output: object) -> bool:
    if isinstance(output, dict):
        calls = output.get("tool_calls")
        return isinstance(calls, list) and not calls and not output.get("content")
    return isinstance(output, list) and not output


def _read_into(contents: Contents, item: object, index: int, tools: Sequence[Tool], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", 0)
    if isinstance(item, str):
        contents.texts.append((index, item))
    elif isinstance(item, dict):
        _read_object(contents, item, index, tools, depth)
    elif isinstance(item, (list, tuple)):
        for place, part in enumerate(item):
            if isinstance(part, (list, tuple)) and depth == 0:
                raise LiteralError("a list in the list: decode one step of a dialogue at a time", 0)
            _read_into(contents, part, place if depth == 0 else index, tools, depth + 1)
    elif item is not None:
        raise LiteralError(f"expected calls or text, got {type(item).__name__}", 0)


def _read_object(
    contents: Contents, item: dict[str, Any], index: int, tools: Sequence[Tool], depth: int
) -> None:
    if item and (_TELLING.isdisjoint(item) or is_offered_call(item, tools)):
        contents.calls.extend(_named_call(name, arguments, tools) for name, arguments in item.items())
        return
    kind = item.get("type")
    kind = kind if isinstance(kind, str) else ""
    if kind in _REASONING_TYPES or item.get("thought") is True:
        written = item.get("thinking") or item.get("text") or item.get("reasoning") or ""
        if isinstance(written, str) and written:
            contents.reasoning.append(Span(0, len(written), written, index))
        return
    call = _stated_call(item, kind, tools)
    if call is not None:
        contents.calls.append(call)
        return
    if kind in _TEXT_TYPES or _is_text_block(item):
        for key in ("text", "refusal", "content"):
            if isinstance(item.get(key), (str, list)):
                _read_into(contents, item[key], index, tools, depth + 1)
                return
        raise LiteralError(f"a `{kind}` block without text", 0)
    if _is_message(item):
        _read_message(contents, item, index, tools, depth)
        return
    if not item:
        raise LiteralError("an empty object where a call was expected", 0)
    contents.calls.extend(_named_call(name, arguments, tools) for name, arguments in item.items())


def is_offered_call(item: dict[str, Any], tools: Sequence[Tool]) -> bool:
    """Whether an object's only key is the name of an offered tool, and its value an object: arguments, then.

    >>> is_offered_call({"message": {"to": "Ada"}}, [Tool("message")]), is_offered_call({"message": {}}, [])
    (True, False)
    """
    if len(item) != 1:
        return False
    [(name, arguments)] = item.items()
    return isinstance(arguments, dict) and any(tool.name == name for tool in tools)


def _is_text_block(item: dict[str, Any]) -> bool:
    return (
        set(item) == {"text"} and isinstance(item["text"], str) and not item["text"].lstrip().startswith("{")
    )


def _is_message(item: dict[str, Any]) -> bool:
    if "role" in item:
        return True
    holders = [key for key in _MESSAGE_KEYS if isinstance(item.get(key), list)]
    content = item.get("content")
    if isinstance(content, dict) and isinstance(content.get("parts"), list):
        return True
    return bool(holders) or isinstance(item.get("message"), dict)


def _read_message(
    contents: Contents, item: dict[str, Any], index: int, tools: Sequence[Tool], depth: int
) -> None:
    thought = item.get("reasoning_content") or item.get("reasoning")
    if isinstance(thought, str) and thought:
        contents.reasoning.append(Span(0, len(thought), thought, index))
    for key in _MESSAGE_KEYS:
        part = item.get(key)
        if part is None or part == "":
            continue
        if key == "function_call":
            part = {"function": part} if isinstance(part, dict) else part
        if isinstance(part, (str, list, dict)):
            _read_into(contents, part, index, tools, depth + 1)
        else:
            raise LiteralError(f"expected calls or text under `{key}`, got {type(part).__name__}", 0)


def _stated_call(item: dict[str, Any], kind: str, tools: Sequence[Tool]) -> Call | None:
    """Return the call of an object that names its tool under a key, or None for other objects."""
    for place in _CALL_PLACES:
        inner = item.get(place)
        if isinstance(inner, dict) and any(isinstance(inner.get(key), str) for key in _NAMES):
            return _stated_call(inner, "function", tools)
    name = next((item[key] for key in _NAMES if isinstance(item.get(key), str)), None)
    if name is None:
        return None
    arguments = next((item[key] for key in _ARGUMENTS if key in item), None)
    if arguments is None and kind not in _CALL_TYPES and not any(key in item for key in _ARGUMENTS):
        return None
    return _named_call(name, arguments, tools)


def _named_call(name: object, arguments: object, tools: Sequence[Tool]) -> Call:
    if not isinstance(name, str) or not name.strip():
        raise LiteralError("a call without the name of a tool", 0)
    if isinstance(arguments, str):
        arguments = _read_arguments(name, arguments)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise LiteralError(f"the arguments of `{name}` are not an object", 0)
    refuse_schema(name, arguments, 0, tools)
    _check_depth(arguments)
    return Call(name, arguments)


def _check_depth(value: object) -> None:
    """Raise LiteralError where a stored value has more levels than any text may have."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            part
            for item in level
            for part in (item.values() if isinstance(item, dict) else item)  # type: ignore[attr-defined]
            if isinstance(part, (dict, list, tuple))
        ]
        if not level:
            return
    raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", 0)


def _read_arguments(name: str, written: str) -> object:
    if not written.strip():
        return {}
    if len(written) > MAX_TEXT:
        raise LiteralError(f"the arguments of `{name}`: more than {MAX_TEXT} characters", MAX_TEXT)
    try:
        value, end = read_json(written)
    except LiteralError as failed:
        raise LiteralError(
            f"the arguments of `{name}`: {failed.message}",
            failed.position,
            truncated=failed.truncated,
            reason=failed.reason,
        ) from None
    if written[end:].strip():
        raise LiteralError(
            f"the arguments of `{name}`: text after the object", end, reason=Reason.SYNTAX_ERROR
        )
    return value
