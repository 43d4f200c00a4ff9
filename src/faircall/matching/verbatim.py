"""Calls that are a listed answer to the letter, which pass under every profile.

Most right calls are: they name the tool as it is spelled, and give each argument one of the values that the answer
lists, of the declared type. No switch can tell such a call from its answer, so that nothing has to be compiled for it.
Whatever is less plain (objects, composed schemas, types that only one side knows) is left to the comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.canonical import step
from faircall.matching.forms import is_to_the_letter
from faircall.schema import plain_name
from faircall.types import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Tool

_SCALARS: Final[dict[Any, type]] = {"string": str, "integer": int, "float": float, "boolean": bool}
"""The types on whose names all profiles agree."""
_UNCLEAR: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "const", "prefixItems"})
_SAME_AS_FLOAT: Final = 2**53


def fill_verbatim(
    calls: Sequence[Any],
    expected: Sequence[Any],
    tools: Sequence[Tool],
    *,
    underscores: bool = False,
    resolved: bool = False,
) -> list[tuple[str, ...]] | None:
    """Return, for each call that is its expected one to the letter, the paths of the defaults that it leaves out.

    None where the calls are anything else; they may still be right. `underscores` says that names are spelled without
    dots, `resolved` that the tool's own name counts all the same.

    >>> from faircall.types import Tool
    >>> tool = Tool("ride", "", {"properties": {"to": {"type": "string"}, "km": {"type": "integer", "default": 5}},
    ...                          "required": ["to"]})
    >>> fill_verbatim([{"ride": {"to": "Oslo"}}], [{"ride": {"to": ["Oslo"]}}], [tool])
    [('.km',)]
    >>> fill_verbatim([{"ride": {"to": "oslo"}}], [{"ride": {"to": ["Oslo"]}}], [tool])
    """
    if len(calls) != len(expected):
        return None
    found = []
    for call, wanted in zip(calls, expected, strict=True):
        ((name, answer),) = wanted.items()
        called, arguments = _read(call)
        if called == name:
            if underscores and not resolved and "." in name:
                return None
        elif not (underscores and called == name.replace(".", "_") and _is_only(called, tools)):
            return None
        for tool in tools:
            if tool.name == name:
                break
        else:
            return None
        left_out = _left_out(arguments, answer, tool.parameters)
        if left_out is None:
            return None
        found.append(tuple(left_out))
    return found


def _read(call: Any) -> tuple[Any, Any]:
    """The name and the named arguments of a call in one of the two forms that decoders give; else nothing."""
    if isinstance(call, Call):
        return (call.name, call.arguments) if not call.positional else (None, None)
    if type(call) is dict and len(call) == 1:
        return next(iter(call.items()))
    return None, None


def _is_only(name: str, tools: Sequence[Tool]) -> bool:
    """Whether a name without dots can mean one tool alone."""
    plain = plain_name(name)
    return sum(plain_name(tool.name) == plain for tool in tools) == 1


def _left_out(arguments: Any, answer: Any, parameters: dict[str, Any]) -> list[str] | None:
    """The paths of the declared defaults that a call leaves out, where all that it gives is listed to the letter."""
    properties, required = parameters.get("properties"), parameters.get("required")
    if (
        type(arguments) is not dict
        or type(answer) is not dict
        or type(properties) is not dict
        or type(required) is not list
        or not _UNCLEAR.isdisjoint(parameters)
    ):
        return None
    for name, value in arguments.items():
        details = properties.get(name)
        if type(details) is not dict or not _is_listed(value, answer.get(name), details):
            return None
    for name, allowed in answer.items():
        if name not in arguments and (type(allowed) is not list or "" not in allowed):
            return None
    for name in required:
        if type(name) is not str or name not in arguments:
            return None
    left_out = []
    for name, details in properties.items():
        if name in arguments or type(details) is not dict:
            continue
        if details.get("required") is True or not _UNCLEAR.isdisjoint(details):
            return None
        if "default" in details:
            if not _is_whole(details["default"], details):
                return None
            left_out.append(step(name))
    return left_out


def _is_whole(default: Any, details: dict[str, Any]) -> bool:
    """Whether a default has no parts that have defaults of their own."""
    if isinstance(default, dict):
        return "properties" not in details
    return not isinstance(default, list) or not any(isinstance(item, (list, dict)) for item in default)


def _is_listed(value: Any, allowed: Any, details: dict[str, Any]) -> bool:
    declared = details.get("type")
    if type(allowed) is not list or type(declared) is not str or not _UNCLEAR.isdisjoint(details):
        return False
    if declared == "array":
        return _is_listed_array(value, allowed, details)
    kind, written = _SCALARS.get(declared), type(value)
    if kind is float and (written is int or written is float):
        listed = -_SAME_AS_FLOAT < value < _SAME_AS_FLOAT and any(
            item == value and (type(item) is int or type(item) is float) for item in allowed
        )
    else:
        listed = written is kind and value != "" and is_to_the_letter(value, allowed)
    return listed and ("enum" not in details or _is_one_of(details["enum"], value))


def _is_listed_array(value: Any, allowed: list[Any], details: dict[str, Any]) -> bool:
    items = details.get("items")
    if (
        type(value) is not list
        or not value
        or type(items) is not dict
        or "enum" in details
        or not _UNCLEAR.isdisjoint(items)
    ):
        return False
    declared = items.get("type")
    kind = _SCALARS.get(declared) if type(declared) is str else None
    for item in value:
        if type(item) is not kind or item == "" or ("enum" in items and not _is_one_of(items["enum"], item)):
            return False
    # Where an allowed value is neither a list nor a text, the released checker may stop with an exception.
    return all(type(item) is list or item == "" for item in allowed) and any(
        item == value and all(map(_same_type, item, value)) for item in allowed
    )


def _is_one_of(values: Any, value: Any) -> bool:
    return type(values) is list and is_to_the_letter(value, values)


def _same_type(left: Any, right: Any) -> bool:
    return type(left) is type(right)
