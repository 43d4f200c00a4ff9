"""Values of Java and JavaScript calls in the fair profile: source text is read by the schema, variables stay text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.code_calls import SourceText
from faircall.decoding.limits import MAX_DEPTH, LiteralError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from faircall.matching.forms import Forms

_QUOTED: Final = re.compile(r"""\s*(["'])(.*)\1\s*""", re.DOTALL)
_NO_VALUE: Final = re.compile(r"\s*")


class StringLiteral(str):
    """A string of a program, in which nothing more is to be read."""

    __slots__ = ()


def mark_literals(value: Any, depth: int = 0) -> Any:
    """Return a value with its texts marked as string literals, but for those that are source text.

    >>> mark_literals({"x": ["5", SourceText("n")]})["x"][0].__class__.__name__
    'StringLiteral'
    """
    if isinstance(value, str):
        return value if isinstance(value, SourceText) else StringLiteral(value)
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, dict):
        return {name: mark_literals(item, depth + 1) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([mark_literals(item, depth + 1) for item in value])
    return value


def is_source_text(value: Any) -> bool:
    """Return whether a value may be the name of a variable or another expression.

    >>> is_source_text("userName"), is_source_text(5)
    (True, False)
    """
    return isinstance(value, str)


def read_source(value: str, kinds: frozenset[str], language: str) -> Any:
    """Return what a source text says where the schema wants something else than text; other text stays as it is.

    Interfaces with typed arguments are shown the parameters of these languages as strings, and so the values come
    as the text of an expression.

    >>> read_source("new int[]{1, 2}", frozenset({"array"}), "java")
    [1, 2]
    >>> read_source("counts", frozenset({"array"}), "java")
    'counts'
    """
    if isinstance(value, StringLiteral) or not kinds or "string" in kinds or _NO_VALUE.fullmatch(value):
        return value
    written = value.strip()
    try:
        if language == "java":
            from faircall.decoding.java_calls import read_java_value  # noqa: PLC0415 - loads a grammar

            read: Any = read_java_value(written, 0)
        else:
            from faircall.decoding.javascript_calls import read_javascript_value  # noqa: PLC0415

            read = read_javascript_value(written, 0)
    except LiteralError:
        return value
    return value if read is None or isinstance(read, (SourceText, str)) else read


def source_form(text: str) -> Hashable:
    """Return the form of a program's expression, of which all but white space counts.

    >>> source_form("count - 1") == source_form("count-1"), source_form("a.b") == source_form("ab")
    (True, False)
    """
    return ("source", "".join(text.split()))


def spellings(value: Any, kinds: frozenset[str], forms: Forms) -> Iterator[Hashable]:
    """Yield the forms of the other ways in which an answer may write a value: unquoted, or as source text.

    >>> from faircall.matching.forms import Forms
    >>> from faircall.profiles import load_profile
    >>> list(spellings('"a"', frozenset({"string"}), Forms(load_profile("fair-1"))))
    [('text', 'a')]
    """
    if isinstance(value, str):
        if found := _QUOTED.fullmatch(value):
            yield forms.scalar(found[2])
    elif not kinds:
        if value is None or isinstance(value, bool):
            yield forms.scalar({None: "null", True: "true", False: "false"}[value])
        elif isinstance(value, (int, float)):
            yield forms.scalar(repr(value))
