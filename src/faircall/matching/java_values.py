"""Java values as bfcl-eval 2026.3.23 converts them before it compares, mistakes included.

The released converter looks for a few notations by pattern and hands back any other text unchanged. Items are cut at
every comma, quoted or not; a nested collection ends at the first bracket that could end the outer one; a character
never loses its quotes. All of that is kept here: the fair profile reads Java another way.

The released patterns take quadratic time or worse on some unfinished collections. The searches below give the same
answers in time proportional to the text. Nothing recurs: an item of a collection is converted by its own type, and
the items of that item, if any, by their looks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.matching.scanning import Ahead, UnconvertibleError, read_integer, read_number, skip_space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["JAVA_TYPES", "UnconvertibleError", "convert_java"]

JAVA_TYPES: Final = frozenset(
    {"byte", "short", "integer", "long", "float", "double", "boolean", "char", "String", "any"}
    | {"Array", "ArrayList", "HashMap", "Set", "Hashtable", "Queue", "Stack"}
)
"""The declared types that the released converter knows; it refuses to convert the last four."""

_REFUSED: Final = frozenset({"Set", "Hashtable", "Queue", "Stack"})

# `$` lets one line feed follow, as in the release
_INTEGER: Final = re.compile(r"-?\d+$")
_LONG: Final = re.compile(r"-?\d+[lL]$")
_DOUBLE: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$")
_FLOAT: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fF]$")

_ARRAY: Final = re.compile(r"new\s+\w+\[\]\s*\{")
_LIST: Final = re.compile(r"new\s+ArrayList<\w*>\(\)")
_LIST_OF: Final = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\(")
_LIST_BLOCK: Final = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{\s*")
_MAP: Final = re.compile(r"new\s+HashMap<")
_MAP_ARGUMENTS: Final = re.compile(r">\s*\(\)")
_MAP_BLOCK: Final = re.compile(r">\s*\(\)\s*\{\s*\{?\s*")


def convert_java(value: str, declared_type: str, nested_type: str | None = None) -> Any:
    """Return what the released converter makes of a Java value of `declared_type`, items being of `nested_type`.

    Text that it does not recognise comes back unchanged. Raises UnconvertibleError where it raises: for the types
    that it does not know or refuses, declared or nested, and for integers of more than 4,300 digits. (The released
    checker stops with a KeyError before that on a type that is not in `JAVA_TYPES`.)

    >>> convert_java("new int[]{1, 2}", "Array", "integer")
    [1, 2]
    >>> convert_java("3.5f", "float"), convert_java("3.5", "float")
    (3.5, '3.5')
    """
    if declared_type not in JAVA_TYPES:
        raise UnconvertibleError("ValueError", f"no such Java type: {declared_type}")
    if declared_type in _REFUSED:
        raise UnconvertibleError("NotImplementedError", f"no conversion to {declared_type}")
    convert = _CONVERTERS.get(declared_type)
    if convert is not None:
        return convert(value)
    if declared_type == "Array":
        return _read_array(value, nested_type)
    if declared_type == "ArrayList":
        return _read_list(value, nested_type)
    return value


def _read_integer(value: str) -> int:
    try:
        return read_integer(value)
    except ValueError as error:
        raise UnconvertibleError("ValueError", str(error)) from error


def _without_suffix(value: str) -> str:
    """A number without its last letter, which a line feed may follow."""
    return value.rstrip("\n")[:-1]


def _convert_integer(value: str) -> int | str:
    return _read_integer(value) if _INTEGER.match(value) else value


def _convert_long(value: str) -> int | str:
    return _read_integer(_without_suffix(value)) if _LONG.match(value) else value


def _convert_float(value: str) -> float | str:
    return float(_without_suffix(value)) if _FLOAT.match(value) else value


def _convert_double(value: str) -> float | str:
    return float(value) if _DOUBLE.match(value) else value


def _convert_boolean(value: str) -> bool | str:
    return value == "true" if value in {"true", "false"} else value


def _read_by_looks(value: str) -> Any:
    """An item whose type nobody declared."""
    if value in {"true", "false"}:
        return value == "true"
    if value.startswith('"') and value.endswith('"'):
        return value[1:-1]
    if _LONG.match(value):
        return _convert_long(value)
    if _FLOAT.match(value):
        return _convert_float(value)
    return read_number(value)


def _convert_item(value: str, nested_type: str | None) -> Any:
    return convert_java(value, nested_type) if nested_type else _read_by_looks(value)


def _read_array(value: str, nested_type: str | None) -> list[Any] | str:
    brace, line_end = Ahead(value, "}"), Ahead(value, "\n")
    for head in _ARRAY.finditer(value):
        start = head.end()
        end = brace(start)
        if end < line_end(start):
            items = [item.strip() for item in value[start:end].split(",")]
            return [_convert_item(item, nested_type) for item in items if item]
    return value


def _read_list(value: str, nested_type: str | None) -> list[Any] | str:
    items = _listed_items(value)
    if items is None:
        items = _added_items(value)
    if items is None:
        return [] if _LIST.search(value) else value
    items = [item.strip() for item in items]
    if nested_type in {"char", "String"}:
        return [item[1:-1] for item in items]  # quotes, or whatever stands in their place
    return [_convert_item(item, nested_type) for item in items]


def _listed_items(value: str) -> list[str] | None:
    """The items of `new ArrayList<>(Arrays.asList(…))`; None where there is none on one line."""
    closed, line_end = Ahead(value, "))"), Ahead(value, "\n")
    for head in _LIST_OF.finditer(value):
        start = head.end()
        end = closed(start + 1)  # at least one character is an item
        if end < line_end(start):
            return value[start:end].split(",")
    return None


def _added_items(value: str) -> list[str] | None:
    """What the block of `new ArrayList<>() {{ add(…); }}` adds; None where there is no such block."""
    head = _LIST_BLOCK.search(value)
    if head is None:
        return None
    start = head.end()
    end = value.find("}}", start + 1)  # a block holds at least one character, so `{{}}` does not end here
    return list(_additions(value[start:end])) if end >= 0 else None


def _additions(block: str) -> Iterator[str]:
    closed, line_end = Ahead(block, ")"), Ahead(block, "\n")
    position = block.find("add(")
    while position >= 0:
        start = position + len("add(")
        end = closed(start + 1)
        if end < line_end(start):
            yield block[start:end]
            start = end + 1
        position = block.find("add(", start)


def _read_map(value: str) -> dict[str, Any] | str:
    head = _MAP.search(value)
    if head is None:
        return value
    block = _MAP_BLOCK.search(value, head.end())
    end = value.find("}", block.end()) if block else -1
    if block and end >= 0:
        return {key: _read_by_looks(item.strip()) for key, item in _puts(value[block.end() : end])}
    return {} if _is_empty_map(value) else value


def _is_empty_map(value: str) -> bool:
    """Whether `new HashMap<…>()` stands somewhere, its type parameters on one line."""
    line_end = Ahead(value, "\n")
    arguments = _MAP_ARGUMENTS.search(value)
    for head in _MAP.finditer(value):
        start = head.end()
        while arguments is not None and arguments.start() < start:
            arguments = _MAP_ARGUMENTS.search(value, arguments.end())
        if arguments is None:
            return False
        if arguments.start() < line_end(start):
            return True
    return False


def _puts(block: str) -> Iterator[tuple[str, str]]:
    """Key and value of each `put("…", …)`: a value ends at the first parenthesis, quoted or not."""
    key_line_end, entries = Ahead(block, "\n"), _entry_ends(block)
    key_end, value_start, value_end = -1, -1, -1
    position = block.find('put("')
    while position >= 0:
        start = position + len('put("')
        while key_end < start:
            key_end, value_start, value_end = next(entries, (len(block),) * 3)
        if key_end == len(block):
            return
        if key_end < key_line_end(start):
            yield block[start:key_end], block[value_start:value_end]
            start = value_end + 1
        position = block.find('put("', start)


def _entry_ends(block: str) -> Iterator[tuple[int, int, int]]:
    """Each place where a key could end, with the ends of the value that follows on one line."""
    closed, line_end = Ahead(block, ")"), Ahead(block, "\n")
    key_end = block.find('",')
    while key_end >= 0:
        start = skip_space(block, key_end + 2)
        end = closed(start)
        if end < line_end(start):
            yield key_end, start, end
        key_end = block.find('",', key_end + 2)


_CONVERTERS: Final[dict[str, Callable[[str], Any]]] = {
    "byte": _convert_integer,
    "short": _convert_integer,
    "integer": _convert_integer,
    "long": _convert_long,
    "float": _convert_float,
    "double": _convert_double,
    "boolean": _convert_boolean,
    "HashMap": _read_map,
}
"""The types without items; `char`, `String` and `any` keep their text."""
