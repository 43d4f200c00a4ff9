"""How many cases pass, of those that could be judged, and whether that is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faircall.errors import UsageError
from faircall.stats import Estimate, wilson
from faircall.types import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable


class Passes(msgspec.Struct, frozen=True):
    """Cases by their outcome. Void cases could not be judged, and count as neither."""

    passed: int = 0
    failed: int = 0
    void: int = 0

    @property
    def judged(self) -> int:
        """How many cases have a verdict: those that pass and those that fail."""
        return self.passed + self.failed

    @property
    def n(self) -> int:
        """How many cases there are, the void ones included."""
        return self.judged + self.void

    @property
    def share(self) -> Estimate | None:
        """The share of the judged cases that pass, with its 95 % Wilson interval; None where none is judged."""
        return wilson(self.passed, self.judged) if self.judged else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The share of all cases that pass if every void one failed, and if every one passed; None for no cases."""
        return (self.passed / self.n, (self.passed + self.void) / self.n) if self.n else None

    def meets(self, minimum: float) -> bool:
        """Return whether the share of the judged cases that pass is at least `minimum`; False where none is judged.

        >>> Passes(passed=9, failed=1, void=5).meets(0.9), Passes(void=5).meets(0)
        (True, False)
        """
        return bool(self.judged) and self.passed / self.judged >= minimum


def count_outcomes(outcomes: Iterable[str]) -> Passes:
    """Return the outcomes, counted.

    >>> count_outcomes(["pass", "void", "pass"])
    Passes(passed=2, failed=0, void=1)
    """
    counts = dict.fromkeys(Outcome, 0)
    for outcome in outcomes:
        counts[Outcome(outcome)] += 1
    return Passes(counts[Outcome.PASS], counts[Outcome.FAIL], counts[Outcome.VOID])


def read_share(text: str, *, option: str) -> float:
    """Return the share that was given for an option: a number from 0 to 1; raises `UsageError` for anything else.

    >>> read_share("0.9", option="--fail-under")
    0.9
    """
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if 0 <= share <= 1:
        return share
    raise UsageError(f"{option} takes a share from 0 to 1, such as 0.9 for 90 %, and not {text!r}")
