"""Why calls do not match what was expected."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec


class Why(StrEnum):
    """The reason of a match's outcome, ordered from the nearest miss to the farthest.

    `contradictory-answer` is a call that has what the answer lists and the schema rules out; `unsatisfiable-answer`
    an answer that leaves nothing else. Both are void, as is `evaluator-crash`: the official checker raises.
    """

    MATCHED = "matched"
    CONTRADICTORY_ANSWER = "contradictory-answer"
    WRONG_VALUE = "wrong-value"
    WRONG_TYPE = "wrong-type"
    MISSING_OPTIONAL = "missing-optional"
    MISSING_REQUIRED = "missing-required"
    UNEXPECTED_PARAMETER = "unexpected-parameter"
    WRONG_FUNCTION = "wrong-function"
    DUPLICATE_CALL = "duplicate-call"
    WRONG_COUNT = "wrong-count"
    UNSATISFIABLE_ANSWER = "unsatisfiable-answer"
    EVALUATOR_CRASH = "evaluator-crash"

    @property
    def distance(self) -> int:
        """How far from a match a call with this reason is."""
        return _DISTANCES[self]


_DISTANCES = {why: distance for distance, why in enumerate(Why)}


class Mismatch(msgspec.Struct, frozen=True):
    """The first difference of a call: where, and what was expected and found there, as words for a message.

    `path` is below the call (`args.unit`). `official` is what the official checker calls the error.
    """

    why: Why
    path: str
    message: str
    official: str = ""


class CheckerCrashError(Exception):
    """The official checker would raise here, and take the whole evaluation down with it."""


_WORDS = {dict: "object", list: "array", tuple: "array", str: "string", bool: "boolean", int: "integer"}


def kind_word(value: Any) -> str:
    """Return what JSON Schema calls the kind of a value.

    >>> kind_word(2.5), kind_word(None), kind_word("a")
    ('number', 'null', 'string')
    """
    if value is None:
        return "null"
    if isinstance(value, float):
        return "number"
    for kind in (bool, str, int, list, tuple, dict):
        if isinstance(value, kind):
            return _WORDS[kind]
    return type(value).__name__


def show(value: Any) -> str:
    """Return a value as a message shows it, cut where it is long.

    >>> show("a"), show(5), show(None)
    ('`"a"`', '`5`', '`null`')
    """
    return f"`{_plain(value, 0)[:120]}`"


def _plain(value: Any, depth: int) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return '"' + value[:120].replace("\n", "\\n") + '"'
    if depth > 6:
        return "…"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_plain(item, depth + 1) for item in value[:20]) + "]"
    if isinstance(value, dict):
        pairs = list(value.items())[:20]
        return "{" + ", ".join(f"{_plain(key, 7)}: {_plain(item, depth + 1)}" for key, item in pairs) + "}"
    if isinstance(value, int) and value.bit_length() > 400:
        return "a very long integer"
    return repr(value)


def show_any_of(values: list[Any]) -> str:
    """Return the values of which one was expected.

    >>> show_any_of([1, 2])
    '`1` or `2`'
    """
    shown = list(dict.fromkeys(show(value) for value in values))
    if len(shown) > 5:
        shown = [*shown[:4], f"{len(shown) - 4} others"]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown) or "nothing"
