"""Calls written as JSON objects: `{"name": …, "arguments": {…}}` and the spellings of it in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.fences import find_fences
from faircall.decoding.limits import MAX_CALLS, MAX_SEARCHES, LiteralError
from faircall.decoding.literals import read_json, skip_space
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME_KEYS: Final = ("name", "function", "tool_name", "function_name")
ARGUMENT_KEYS: Final = ("arguments", "parameters", "args", "input")


def calls_of_value(value: Any, position: int, tools: Sequence[Tool] = ()) -> list[Call]:
    """Return the calls that a JSON value states: one object, or a list of them; raises LiteralError.

    The name may stand under `name`, `function` or `tool_name`, the arguments under `arguments` or
    `parameters`, whichever of them the protocol's prompt uses; other keys (`id`, `type`) are ignored.
    Arguments must be an object. An object that repeats a tool's schema in place of arguments is no call.

    >>> calls_of_value([{"name": "f", "arguments": {"x": 1}}], 0)
    [Call(name='f', arguments={'x': 1}, positional=())]
    """
    if isinstance(value, list):
        if len(value) > MAX_CALLS:
            raise LiteralError(f"more than {MAX_CALLS} calls", position)
        return [call_of_object(item, position, tools) for item in value]
    return [call_of_object(value, position, tools)]


def call_of_object(item: Any, position: int, tools: Sequence[Tool] = ()) -> Call:
    """Return the call that a JSON object states; raises LiteralError.

    >>> call_of_object({"function": "f", "parameters": {}}, 0).name
    'f'
    """
    if not isinstance(item, dict):
        raise LiteralError("expected a call: an object with a name and arguments", position)
    inner = item.get("function")
    if isinstance(inner, dict):
        return call_of_object(inner, position, tools)
    name = next((item[key] for key in NAME_KEYS if isinstance(item.get(key), str)), None)
    if not name or not name.strip():
        raise LiteralError("an object without the name of a tool", position)
    name = name.strip()
    for key in ARGUMENT_KEYS:
        if key in item:
            arguments = item[key]
            break
    else:
        if any(tool.name == name for tool in tools) and set(item) <= {*NAME_KEYS, "id", "type"}:
            return Call(name)
        raise LiteralError(f"`{name}` without arguments", position)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise LiteralError(f"the arguments of `{name}` are not an object", position)
    refuse_schema(name, arguments, position, tools)
    return Call(name, arguments)


def refuse_schema(name: str, arguments: dict[str, Any], position: int, tools: Sequence[Tool] = ()) -> None:
    """Raise LiteralError where arguments are a schema: the tool is repeated and not called."""
    properties = arguments.get("properties")
    if not isinstance(properties, dict) or arguments.get("type") not in {"object", "dict", "OBJECT"}:
        return
    for tool in tools:
        declared = tool.parameters.get("properties")
        if tool.name == name and isinstance(declared, dict) and "properties" in declared:
            return
    raise LiteralError(f"the schema of `{name}` in place of arguments", position, reason=Reason.SCHEMA_ECHO)


def read_list(text: str, start: int, end: int, tools: Sequence[Tool] = ()) -> list[Call]:
    """Return the calls of `text[start:end]`, which has to be one JSON value and nothing else.

    Raises LiteralError; the reason is WRAPPED_CALL where sound calls are followed by other text.

    >>> read_list('[{"name": "f", "arguments": {}}]', 0, 32)
    [Call(name='f', arguments={}, positional=())]
    """
    part = text[start:end]
    if not part.strip():
        raise LiteralError("nothing where calls were expected", start)
    try:
        value, after = read_json(part)
    except LiteralError as failed:
        raise failed.moved(start, closed=end < len(text.rstrip())) from None
    calls = calls_of_value(value, skip_space(text, start), tools)
    rest = skip_space(part, after)
    if rest < len(part):
        raise LiteralError(
            "text after the calls" if calls else "text after the empty list",
            start + rest,
            reason=Reason.WRAPPED_CALL if calls else Reason.SYNTAX_ERROR,
        )
    return calls


def read_json_answer(text: str, start: int, end: int, tools: Sequence[Tool] = ()) -> list[Call]:
    """Return the calls of an answer that is a JSON list of calls, bare or in one fence; raises LiteralError.

    Text around the list is refused with the reason WRAPPED_CALL if the list itself is sound.

    >>> read_json_answer('```json\\n[]\\n```', 0, 15)
    []
    """
    begin = skip_space(text, start)
    if text.startswith(("[", "{"), begin):
        return read_list(text, begin, end, tools)
    fences = find_fences(text[begin:end])
    if (
        fences
        and not text[begin : begin + fences[0].start].strip()
        and fences[0].end == len(text[begin:end].rstrip())
    ):
        fence = fences[0]
        return read_list(text, begin + fence.body_start, begin + fence.body_end, tools)
    raise find_buried(text, begin, end, tools)


def find_buried(text: str, start: int, end: int, tools: Sequence[Tool] = ()) -> LiteralError:
    """Return the failure of an answer that does not begin with its calls: buried, cut off, or not there.

    >>> find_buried('Sure: [{"name": "f", "arguments": {}}]', 0, 38).reason
    <Reason.WRAPPED_CALL: 'wrapped-call'>
    """
    cut: LiteralError | None = None
    at = start
    for _ in range(MAX_SEARCHES):
        opening = min((found for sign in "[{" if (found := text.find(sign, at, end)) >= 0), default=-1)
        if opening < 0:
            break
        at = opening + 1
        try:
            value, after = read_json(text[opening:end])
            if calls_of_value(value, opening, tools):
                return LiteralError("text around the calls", opening, reason=Reason.WRAPPED_CALL)
            at = opening + after
        except LiteralError as failed:
            if failed.truncated and cut is None and '"' in text[opening : opening + 20]:
                cut = failed.moved(opening)
    return cut or LiteralError("no call list found", start)
