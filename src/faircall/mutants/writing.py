"""Calls written as outputs: as function-calling interfaces store them, and as Python text."""

from __future__ import annotations

import json
import keyword
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faircall.mutants.sites import Calls


def write_tool_calls(calls: Calls) -> list[dict[str, str]]:
    """Return calls as function-calling interfaces store them: the arguments are JSON text.

    >>> write_tool_calls([("ride", {"to": "Lyon"})])
    [{'ride': '{"to": "Lyon"}'}]
    """
    return [{name: json.dumps(arguments, ensure_ascii=False)} for name, arguments in calls]


def write_python(calls: Calls) -> str | None:
    """Return calls as a list in Python's syntax; None where a name or a value cannot be written in it.

    >>> write_python([("ride", {"to": "Lyon", "km": 2})])
    "[ride(to='Lyon', km=2)]"
    """
    parts = []
    for name, arguments in calls:
        words = [*name.split("."), *arguments]
        if not all(word.isidentifier() and not keyword.iskeyword(word) for word in words):
            return None
        if not all(map(_is_literal, arguments.values())):
            return None
        parts.append(f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})")
    return f"[{', '.join(parts)}]"


def _is_literal(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_literal, value.values()))
    if isinstance(value, list):
        return all(map(_is_literal, value))
    return not isinstance(value, float) or math.isfinite(value)
