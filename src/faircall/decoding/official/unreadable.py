"""The exception by which a reader says that the official handler would raise, and the check for text."""

from __future__ import annotations

import re
from typing import Final

from faircall.types import Reason

RAISED: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What the handlers' operations raise on text and stored values of every shape."""

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")

MAX_NESTING: Final = 200
"""Levels of brackets: the bound of Python's own tokenizer, held for every format."""


class UnreadableError(Exception):
    """The handler raises here. `position` is the character of the stored text, where one is known.

    It is no ValueError, so that a reader which mirrors a handler's own `except` lets it through.
    """

    def __init__(self, message: str, position: int = 0, *, reason: Reason = Reason.SYNTAX_ERROR) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.reason = reason


def describe(raised: Exception) -> str:
    """Return what was raised as words that are the same every time: some messages hold an address in memory.

    >>> describe(ValueError("malformed node: <ast.Name object at 0x7f3a>"))
    'ValueError: malformed node: <ast.Name object>'
    """
    return f"{type(raised).__name__}: {_ADDRESS.sub('', str(raised))}"


def require_text(output: object) -> str:
    """The output itself; raises UnreadableError where it is no string, as string methods would."""
    if not isinstance(output, str):
        raise UnreadableError(f"expected text, got {type(output).__name__}")
    return output
