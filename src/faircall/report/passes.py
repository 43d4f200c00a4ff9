"""How many cases pass, in a sentence, and whether that is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faircall.passes import Passes


def share_sentence(passes: Passes) -> str:
    """Return how many cases pass, with the interval, and the bounds where some are void.

    >>> from faircall.passes import Passes
    >>> share_sentence(Passes(passed=3, failed=1, void=1))
    '3 of 4 judged pass: 75.00 % (95 % interval 30.1-95.4); 1 void (60.00-80.00 % if it failed or passed)'
    """
    if passes.share is None:
        return f"none of {passes.n:,} could be judged: all are void" if passes.n else "there are no cases"
    value, low, high = (100 * figure for figure in passes.share)
    text = (
        f"{passes.passed:,} of {passes.judged:,} judged pass: {value:.2f} % "
        f"(95 % interval {low:.1f}-{high:.1f})"
    )
    if not passes.void or passes.bounds is None:
        return text
    least, most = (100 * bound for bound in passes.bounds)
    which = "it" if passes.void == 1 else "they"
    return f"{text}; {passes.void:,} void ({least:.2f}-{most:.2f} % if {which} failed or passed)"


def threshold_sentence(passes: Passes, minimum: float, *, option: str) -> str:
    """Return whether enough of the judged cases pass, and whether the void ones could change that.

    >>> from faircall.passes import Passes
    >>> threshold_sentence(Passes(passed=9, failed=1, void=1), 0.9, option="--fail-under")
    '--fail-under 0.9 (of the judged): met, but not if what is void failed'
    """
    head = f"{option} {minimum} (of the judged)"
    if passes.bounds is None or not passes.judged:
        return f"{head}: not met, nothing was judged"
    low, high = passes.bounds
    if passes.meets(minimum):
        return f"{head}: met" + (", but not if what is void failed" if low < minimum else "")
    return f"{head}: not met" + (", but it would be if what is void passed" if high >= minimum else "")
