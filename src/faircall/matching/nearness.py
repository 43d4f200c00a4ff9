"""How much of calls that are not the expected ones is right.

Where one call is expected, it is right by ``right / (wanted + extra)``: `wanted` are the arguments that it has to have,
`right` those of them that are as wanted, `extra` the arguments that are not wanted, or wanted otherwise where they may
be left out. A call with another name is right by 0, and so is one without a right argument; where no argument has to be
given, it is ``1 / (1 + extra)``. Arguments count once they are canonical, so that a default weighs the same passed and
left out.

Where several are expected, it is the share of them that a best one-to-one pairing finds made as wanted. A call that is
partly right counts nothing there: otherwise one more call of the same tool, whatever is in it, would pay.

Nothing is right of more calls than are expected: otherwise guessing would pay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faircall.matching.pairing import assign

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faircall.matching.expected_calls import ExpectedCall, Given


class Nearness(msgspec.Struct, frozen=True):
    """How near calls come to the expected ones, each from 0 to 1.

    `share` is how much of them is right, `names` how many of the expected calls are made by name, `exact` how many are
    made as wanted.
    """

    share: float = 0.0
    names: float = 0.0
    exact: float = 0.0


def measure(answers: Sequence[ExpectedCall], given: Sequence[Given]) -> Nearness:
    """Return how near the given calls come to the answers; the order of either does not matter."""
    if not given or len(given) > len(answers):
        return Nearness()
    if len(answers) == 1:
        share = answers[0].weigh(given[0])
        exact = answers[0].check(given[0])[0] is None
        return Nearness(share or 0.0, float(share is not None), float(exact))
    exact_share = _paired(answers, given, lambda answer, call: answer.check(call)[0] is None)
    names = _paired(answers, given, lambda answer, call: answer.is_named(call))
    return Nearness(exact_share, names, exact_share)


def _paired(
    answers: Sequence[ExpectedCall], given: Sequence[Given], fits: Callable[[ExpectedCall, Given], bool]
) -> float:
    """The share of the answers that a best pairing gives a call that fits."""
    made = len(given)
    assigned = assign(len(answers), lambda answer, call: call < made and fits(answers[answer], given[call]))
    return sum(call is not None for call in assigned) / len(answers)
