"""JavaScript values as bfcl-eval 2026.3.23 converts them before it compares, mistakes included.

The released converter looks for a few notations by pattern and hands back any other text unchanged. Items are cut at
every comma, quoted or not; an object ends at its first closing brace, so that one within another is never read; the
values of an object lose their quotes and are then read once more. All of that is kept here: the fair profile reads
JavaScript another way.

The released patterns take exponential time on an array of arrays that does not end (seconds for 24 rows, twice as
long for each further one) and quadratic time on an object without a colon. The searches below give the answers that
the release would come to, in time proportional to the text. Nothing recurs further than an array within an array or
an object.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.matching.scanning import UnconvertibleError, read_integer, read_number, skip_space

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["JAVASCRIPT_TYPES", "UnconvertibleError", "convert_javascript"]

JAVASCRIPT_TYPES: Final = frozenset(
    {"String", "integer", "float", "Bigint", "Boolean", "dict", "array", "any"}
)
"""The declared types that the released converter knows."""

# `$` lets one line feed follow, as in the release
_INTEGER: Final = re.compile(r"-?\d+$")
_FLOAT: Final = re.compile(r"-?\d+(?:\.\d+)?$")
_BIGINT: Final = re.compile(r"-?\d+n$")

_ROWS: Final = re.compile(r"\[\s*\[|new\s+Array\(\s*\[")
_ROW: Final = re.compile(r"\[([^\]\n]*)\]")
_ARRAY: Final = re.compile(r"\[([^\]\n]*)\]|new\s+Array\(([^)\n]*)\)")
_OBJECT: Final = re.compile(r"\{([^}\n]*)\}")


def convert_javascript(value: str, declared_type: str, nested_type: str | None = None) -> Any:
    """Return what the released converter makes of a JavaScript value of `declared_type`, items of `nested_type`.

    Text that it does not recognise comes back unchanged, or without the white space around it where an array or
    an object was declared. Raises UnconvertibleError where it raises: for a declared type that it does not know,
    for integers of more than 4,300 digits, and for a big integer before a line feed. (The released checker
    stops with a KeyError before that on a type that is not in `JAVASCRIPT_TYPES`.)

    >>> convert_javascript("[1, 'a']", "array", "any")
    ['1', "'a'"]
    >>> convert_javascript("{a: 1, b: 'x'}", "dict")
    {'a': 1, 'b': 'x'}
    """
    if declared_type not in JAVASCRIPT_TYPES:
        raise UnconvertibleError("ValueError", f"no such JavaScript type: {declared_type}")
    if declared_type == "String":
        return value[1:-1] if _is_quoted(value) else value
    if declared_type == "integer":
        return _read_integer(value) if _INTEGER.match(value) else value
    if declared_type == "float":
        return float(value) if _FLOAT.match(value) else value
    if declared_type == "Bigint":
        # the last character goes, even where that is a line feed and the `n` stays
        return _read_integer(value[:-1]) if _BIGINT.match(value) else value
    if declared_type == "Boolean":
        return value == "true" if value in {"true", "false"} else value
    if declared_type == "array":
        return _read_array(value.strip(), nested_type)
    if declared_type == "dict":
        return _read_object(value.strip())
    return value


def _is_quoted(text: str) -> bool:
    return (text.startswith('"') and text.endswith('"')) or (text.startswith("'") and text.endswith("'"))


def _read_integer(text: str) -> int:
    try:
        return read_integer(text)
    except ValueError as error:
        raise UnconvertibleError("ValueError", str(error)) from error


def _read_by_looks(text: str) -> Any:
    """An item or a value whose type nobody declared."""
    text = text.strip()
    if text in {"true", "false"}:
        return text == "true"
    return text[1:-1] if _is_quoted(text) else read_number(text)


def _read_array(code: str, nested_type: str | None) -> list[Any] | str:
    end = _end_of_rows(code)
    if end is not None:
        return list(_rows(code[:end]))
    found = _ARRAY.match(code)
    if found is None:
        return code
    content = (found[1] if found[1] is not None else found[2]).strip()
    items = [item.strip() for item in content.split(",")] if content else []
    if not nested_type:
        return [_read_by_looks(item) for item in items]
    try:
        return [convert_javascript(item, nested_type) for item in items]
    except UnconvertibleError:
        return code


def _rows(code: str) -> Iterator[list[Any]]:
    """The rows of an array of arrays: each bracket that closes on its line, whatever it stands in."""
    for index, row in enumerate(_ROW.findall(code)):
        content = row.strip()
        if index == 0:
            content = content.removeprefix("[")  # the outer bracket has taken the first row's for content
        yield [_read_by_looks(item) for item in content.split(",")]


def _end_of_rows(code: str) -> int | None:
    """Where the array of arrays that begins `code` ends; None where there is none.

    The released pattern reads a row to a `]`; if that is followed by a comma and a `[`, it tries to go on with
    another row, then to end the array, then to make the row longer. It goes back on each choice. What it finds
    after a `]` does not depend on how it came there, so one pass from the last `]` to the first gives its answer.
    """
    head = _ROWS.match(code)
    if head is None:
        return None
    closer = "]" if code[0] == "[" else ")"
    end: int | None = None
    following = len(code)
    for found in reversed(list(re.finditer(r"\]", code))):
        after = skip_space(code, found.end())
        resumed = found.end()
        if code.startswith(",", after):
            row = skip_space(code, after + 1)
            if code.startswith("[", row):
                resumed = row + 1
        if code.startswith(closer, after):
            end = after + 1
        elif code.find("\n", resumed, following) >= 0:
            end = None  # a row stays on its line
        following = found.start()
    return end if code.find("\n", head.end(), following) < 0 else None


def _read_object(code: str) -> dict[str, Any] | str:
    found = _OBJECT.match(code)
    if found is None:
        return code
    return {key.strip().strip("'\""): _read_property(value.strip()) for key, value in _properties(found[1])}


def _read_property(value: str) -> Any:
    if value.startswith("[") and value.endswith("]"):
        return _read_array(value, None)
    return _read_by_looks(value.strip("'\""))


def _properties(content: str) -> Iterator[tuple[str, str]]:
    """Key and value of each property: a value ends at a comma that a colon follows before the next comma."""
    position, length = 0, len(content)
    while position < length:
        if content[position] == ":":  # a key has at least one character
            position += 1
            continue
        colon = content.find(":", position)
        if colon < 0:
            return
        key = content[position:colon]
        start = skip_space(content, colon + 1)
        end, position = _end_of_property(content, start)
        yield key, content[start:end]


def _end_of_property(content: str, start: int) -> tuple[int, int]:
    """Where a value ends, and where the next key begins."""
    end = content.find(",", start)
    while end >= 0:
        following = content.find(",", end + 1)
        colon = content.rfind(":", end + 1, following if following >= 0 else len(content))
        begin = skip_space(content, end + 1)
        if colon > begin:
            return end, begin
        if colon == begin > end + 1:
            return end, begin - 1  # nothing but white space for a key
        end = following
    return len(content), len(content)
