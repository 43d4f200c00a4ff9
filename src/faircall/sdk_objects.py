"""Objects of the providers' own libraries as plain data, told by what they can do; no library is imported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

_PLAIN: Final = (str, int, float, bool, dict, list, tuple, type(None))
_WAYS: Final = ("model_dump", "to_json_dict", "to_dict", "dict")
"""Methods that give an object's data: of pydantic, MCP and LangChain; of proto-plus; of others."""
_DEEPEST: Final = 100


def plain_data(value: Any) -> Any:
    """Return the value with every object of a provider's library in it turned to dictionaries, lists and scalars.

    Objects are told by `model_dump`, `to_json_dict`, `to_dict` or `dict`, by being dataclasses or mappings, and by the
    `to_dict` of their class, as proto-plus has it. What is plain already comes back as it is, and so does an object
    that cannot be turned; nothing raises.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Reply:
    ...     content: str
    >>> plain_data([Reply("No.")])
    [{'content': 'No.'}]
    """
    return value if is_plain(value) else _turned(value, 0)


def is_plain(value: Any) -> bool:
    """Whether a value, and each item of a list, is of a plain type; what is inside an object is not looked at.

    >>> is_plain([{"a": 1}]), is_plain([object()])
    (True, False)
    """
    if isinstance(value, (list, tuple)):
        return all(isinstance(item, _PLAIN) for item in value)
    if isinstance(value, dict):
        return all(
            is_plain(item) if type(item) is list else isinstance(item, _PLAIN) for item in value.values()
        )
    return isinstance(value, _PLAIN)


def object_data(value: Any) -> Any:
    """Return the data of one object as a dictionary, or None where it has no way to give it.

    >>> object_data(3) is None
    True
    """
    if isinstance(value, type):
        return None
    try:
        if hasattr(type(value), "to_dict") and hasattr(
            type(value), "pb"
        ):  # proto-plus: a method of the class
            given = type(value).to_dict(value, use_integers_for_enums=False)
            return given if isinstance(given, dict) else None
        for way in _WAYS:
            method = getattr(value, way, None)
            if callable(method):
                given = method()
                if isinstance(given, dict):
                    return given
        if dataclasses.is_dataclass(value):
            return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        if isinstance(value, Mapping):
            return dict(value)
    except (TypeError, ValueError, AttributeError, KeyError, RecursionError):
        return None
    return None


def _turned(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {key: _turned(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_turned(item, depth + 1) for item in value]
    if isinstance(value, _PLAIN):
        return value
    data = object_data(value)
    return value if data is None else _turned(data, depth + 1)
