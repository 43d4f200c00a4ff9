"""Columns of training data: tools and expected calls, which tables keep best as JSON text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from faircall.errors import InputError
from faircall.jsontext import parse_json

_KEPT: Final = 2048


def read_tools_cell(value: Any, *, where: str) -> list[Any]:
    """Return the tools of one row as a list, in any dialect; JSON text is read.

    Arrow and Parquet give every object of a column the same fields and fill them with null, so that calls and schemas
    come back changed; text comes back as it was. Raises `InputError` for text that is no JSON.

    >>> read_tools_cell('[{"name": "ride"}]', where="row 0")
    [{'name': 'ride'}]
    """
    tools = _read(value, where)
    if tools is None:
        return []
    return tools if isinstance(tools, list) else list(tools) if isinstance(tools, tuple) else [tools]


def read_expected_cell(value: Any, *, where: str) -> list[Any] | None:
    """Return the expected calls of one row; None where nothing is known of them. JSON text is read.

    Raises `InputError` for text that is no JSON, and for what is no list of calls.

    >>> read_expected_cell('[{"ride": {"km": [5]}}]', where="row 0"), read_expected_cell([], where="row 0")
    ([{'ride': {'km': [5]}}], [])
    """
    expected = _read(value, where)
    if expected is None or isinstance(expected, list):
        return expected
    if isinstance(expected, tuple):
        return list(expected)
    raise InputError("is not a list of calls", path=where, hint="write [] where no call is wanted")


def _read(value: Any, where: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return _parse(value)
    except InputError as error:
        raise InputError(f"is no JSON ({error.what})", path=where) from error


@lru_cache(maxsize=_KEPT)
def _parse(text: str) -> Any:
    """What a text says; callers share it, and do not change it."""
    return parse_json(text)
