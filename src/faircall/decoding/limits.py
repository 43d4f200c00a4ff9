"""What a decoder refuses to read, and the failure that all readers raise among themselves.

Text beyond a limit is refused as a whole; it is never cut and read in part.
"""

from __future__ import annotations

from typing import Final

from faircall.types import Reason, Span

MAX_DEPTH: Final = 100
"""Levels of brackets, in any protocol."""
MAX_TEXT: Final = 1_000_000
"""Characters of one output, reasoning included."""
MAX_DIGITS: Final = 4_300
"""Digits of one integer; Python's own bound for reading one from text."""
MAX_OPERATORS: Final = 1_000
"""Operators in one arithmetic expression."""
MAX_CALLS: Final = 1_000
"""Calls in one output."""
MAX_SEARCHES: Final = 16
"""Places at which a call buried in other text is looked for, so that the search stays linear."""


class LiteralError(ValueError):
    """Text that a reader cannot read: what, at which character, and whether the text simply stops there.

    Raised among the readers only; `decode` turns it into `Decoded.error`.

    >>> LiteralError("expected a value", 7, truncated=True).reason
    <Reason.TRUNCATED: 'truncated'>
    """

    def __init__(
        self, message: str, position: int, *, truncated: bool = False, reason: Reason | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.truncated = truncated
        self.reasoning: tuple[Span, ...] = ()
        self.reason = reason or (Reason.TRUNCATED if truncated else Reason.SYNTAX_ERROR)

    def moved(self, by: int, *, closed: bool = False) -> LiteralError:
        """Return the same failure, `by` characters later; `closed` says that the text does go on after it."""
        if closed and self.truncated:
            return LiteralError(self.message, self.position + by)
        return LiteralError(self.message, self.position + by, truncated=self.truncated, reason=self.reason)
