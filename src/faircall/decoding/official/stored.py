"""Handlers whose outputs are stored as structures, by the API or by the handler itself."""

from __future__ import annotations

from typing import Any, Final

from faircall.decoding.official.json_text import load_json
from faircall.decoding.official.listed import name_calls
from faircall.decoding.official.unreadable import UnreadableError

_NOTHING: Final = object()


def read_tool_calls(output: Any) -> list[dict[Any, Any]]:
    """The first name of each item, with its arguments loaded from JSON text. Empty text is an empty list."""
    calls = []
    for item in output:
        name = next(iter(item.keys()), _NOTHING)
        if name is _NOTHING:
            raise UnreadableError("a call without a name")
        calls.append({name: load_json(item[name])})
    return calls


def read_gemini(output: Any) -> list[Any]:
    """The output itself, in a list if it is none."""
    return output if isinstance(output, list) else [output]


def read_list(output: Any) -> list[Any]:
    """The output itself, if it is a list."""
    if not isinstance(output, list):
        raise UnreadableError(f"expected a list, got {type(output).__name__}")
    return output


def read_object_list(output: Any) -> list[Any]:
    """The output itself, if it is a list of objects."""
    if any(not isinstance(item, dict) for item in read_list(output)):
        raise UnreadableError("expected a list of objects")
    return output  # type: ignore[no-any-return]


def read_cohere(output: Any) -> list[dict[Any, Any]]:
    """`tool_name` and `parameters` of each item; anything but a list is an empty list, as released."""
    items = output if isinstance(output, list) else []
    return [{item["tool_name"]: item["parameters"]} for item in items]


def read_mining(output: Any) -> list[dict[Any, Any]]:
    """`name` and `arguments` of each item; empty text is an empty list."""
    return name_calls(output)
