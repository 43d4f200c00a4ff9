"""Values that a protocol writes as plain text, read by the type that the tool's schema gives them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.limits import MAX_DIGITS, LiteralError
from faircall.decoding.literals import read_json, read_python_literal

if TYPE_CHECKING:
    from faircall.types import Tool

_KINDS: Final = {
    "string": "string", "str": "string", "text": "string", "char": "string",
    "integer": "integer", "int": "integer", "long": "integer", "short": "integer", "byte": "integer",
    "float": "number", "number": "number", "double": "number",
    "boolean": "boolean", "bool": "boolean",
    "array": "array", "list": "array", "tuple": "array", "arraylist": "array", "set": "array",
    "object": "object", "dict": "object", "hashmap": "object", "map": "object",
    "null": "null", "none": "null", "any": "any",
}  # fmt: skip
_INTEGER: Final = re.compile(r"[+-]?\d++")
_FLOAT: Final = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}


def kind_of(schema: object) -> str:
    """Return the kind of value that a parameter's schema asks for, `""` where it does not say.

    >>> kind_of({"type": "INTEGER"}), kind_of({"type": ["string", "null"]}), kind_of({})
    ('integer', 'string', '')
    """
    if not isinstance(schema, dict):
        return ""
    stated = schema.get("type")
    names = stated if isinstance(stated, list) else [stated]
    kinds = [_KINDS.get(name.lower(), "") for name in names if isinstance(name, str)]
    kinds = [kind for kind in kinds if kind != "null"] or kinds
    return kinds[0] if len(kinds) == 1 else ("any" if kinds else "")


def type_of_parameter(tool: Tool | None, name: str) -> str:
    """Return the kind of a parameter of a tool, `""` where the schema does not say.

    >>> from faircall.types import Tool
    >>> type_of_parameter(Tool("f", "", {"properties": {"x": {"type": "float"}}}), "x")
    'number'
    """
    declared = tool.parameters.get("properties") if tool else None
    return kind_of(declared.get(name)) if isinstance(declared, dict) else ""


def named_kind(name: str | None) -> str:
    """Return the kind that a `type` attribute names, `""` for one that is unknown or not there.

    >>> named_kind("dict")
    'object'
    """
    return _KINDS.get(name.strip().lower(), "") if name else ""


def read_typed(written: str, kind: str, position: int) -> Any:
    """Return the value of a text by its kind; text that is not of that kind stays text.

    Numbers, booleans (`true`, `false`, `1`, `0`), arrays and objects (JSON, else a Python literal) are
    read; `any` reads what is JSON and leaves the rest. Raises LiteralError for numbers beyond the limits.

    >>> read_typed("3", "integer", 0), read_typed("3", "string", 0), read_typed("[1, true]", "array", 0)
    (3, '3', [1, True])
    """
    plain = written.strip()
    if kind == "null":
        return None
    if kind == "boolean":
        return _TRUTH.get(plain.lower(), written)
    if kind in {"integer", "number"}:
        return _read_number(plain, position) if _FLOAT.fullmatch(plain) else written
    if kind in {"array", "object"}:
        value = _read_container(plain)
        wanted: type | tuple[type, ...] = dict if kind == "object" else (list, tuple)
        return value if isinstance(value, wanted) else written
    if kind == "any":
        try:
            value, end = read_json(plain)
        except LiteralError:
            return written
        return value if end == len(plain) else written
    return written


def _read_number(plain: str, position: int) -> int | float:
    if len(plain) > MAX_DIGITS:
        raise LiteralError(f"a number of more than {MAX_DIGITS} digits", position)
    if _INTEGER.fullmatch(plain):
        return int(plain)
    number = float(plain)
    if number in (float("inf"), float("-inf")):
        raise LiteralError("a number out of range", position)
    return number


def _read_container(plain: str) -> Any:
    for read in (read_json, read_python_literal):
        try:
            value, end = read(plain)
        except LiteralError:
            continue
        if not plain[end:].strip():
            return value
    return None
