"""When two values are the same, under the `numbers` and `strings` switches: their forms are equal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from faircall.canonical.readings import names_label
from faircall.matching.texts import official_text, text_form

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from faircall.profiles import Profile

_LITERAL = frozenset({str, int, float, bool})
_TRUTH = {True: ("truth", True), False: ("truth", False)}


def is_to_the_letter(value: Any, values: Sequence[Any]) -> bool:
    """Return whether a text, a number or a boolean is among the values, with its very type.

    >>> is_to_the_letter(1, [1, 2]), is_to_the_letter(1, [1.0, True])
    (True, False)
    """
    kind = type(value)
    if kind in _LITERAL:
        for item in values:  # a loop takes half as long as `any`, and this is asked of every value
            if type(item) is kind and item == value:
                return True
    return False


def _reading_of(name: object) -> str:
    return "label" if isinstance(name, str) and names_label(name) else ""


class Forms:
    """How values are compared under a profile: `by_value` is the `numbers` switch, `fair_texts` the `strings` one."""

    __slots__ = ("by_value", "fair_texts")

    def __init__(self, profile: Profile) -> None:
        self.by_value = profile.numbers != "official"
        self.fair_texts = profile.strings != "official"

    def text(self, text: str, *, reading: str = "") -> Hashable:
        """Return the form of a text."""
        return text_form(text, reading=reading) if self.fair_texts else official_text(text)

    def scalar(self, value: Any, *, reading: str = "") -> Hashable:
        """Return the form of a value that is no list and no object."""
        if isinstance(value, str):
            return ("text", self.text(value, reading=reading))
        if isinstance(value, bool):
            return _TRUTH[value] if self.by_value else value
        if value is None or isinstance(value, int):
            return value
        if isinstance(value, float):
            return value if not math.isnan(value) else ("not a number",)
        return ("foreign", type(value).__name__, repr(value))

    def deep(self, value: Any, *, reading: str = "") -> Hashable:
        """Return the form of any value; tuples are lists."""
        if isinstance(value, (list, tuple)):
            return ("list", tuple([self.deep(item, reading=reading) for item in value]))
        if isinstance(value, dict):
            return (
                "object",
                frozenset([(key, self.deep(item, reading=_reading_of(key))) for key, item in value.items()]),
            )
        return self.scalar(value, reading=reading)

    def apart(self, value: Any) -> Any:
        """Return a value in which booleans never equal numbers, everything else being compared as Python does."""
        if not self.by_value:
            return value
        if isinstance(value, bool):
            return _TRUTH[value]
        if isinstance(value, list):
            return [self.apart(item) for item in value]
        if isinstance(value, dict):
            return {key: self.apart(item) for key, item in value.items()}
        return value

    def is_kind(self, value: Any, kinds: frozenset[str], *, top: bool = False) -> bool:
        """Return whether a value is of one of the kinds; no kinds allow every one.

        One number type by value: a whole float is an integer, and an integer a number. The official way is that an
        integer is written without a point, and a number with one, but for the top level.
        """
        if not kinds:
            return True
        if isinstance(value, str):
            return "string" in kinds
        if isinstance(value, bool):
            return "boolean" in kinds
        if isinstance(value, int):
            return "integer" in kinds or ("number" in kinds and (top or self.by_value))
        if isinstance(value, float):
            return "number" in kinds or ("integer" in kinds and self.by_value and value.is_integer())
        if isinstance(value, (list, tuple)):
            return "array" in kinds
        if isinstance(value, dict):
            return "object" in kinds
        return value is None and "null" in kinds
