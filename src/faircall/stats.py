"""Intervals over plain numbers: one proportion, a weighted sum of proportions, a difference; resampling.

Everything here takes and returns fractions (0 to 1) or whatever unit the caller keeps to; nothing knows what
a benchmark is.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import floor, inf, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from faircall.errors import UsageError

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

Z95: Final = 1.959963984540054
"""The standard normal quantile that leaves 2.5 % on either side."""


class Estimate(NamedTuple):
    """A value with the interval around it."""

    value: float
    low: float
    high: float


def wilson(successes: float, n: float, *, z: float = Z95) -> Estimate:
    """Return the share `successes / n` with its Wilson score interval, as fractions.

    `successes` and `n` need not be whole, so that an effective number of entries can be used. The interval
    never leaves 0 to 1 and keeps its width at 0 and at `n` successes. Raises UsageError unless
    0 <= successes <= n and n > 0.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212.

    >>> estimate = wilson(0, 16)
    >>> f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
    '0.000 [0.000, 0.194]'
    """
    if not (n > 0 and 0 <= successes <= n):
        raise UsageError(f"an interval needs 0 <= successes <= n and n > 0, got {successes} of {n}")
    share = successes / n
    spread = z * z / n
    centre = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    # At the two ends the bound is exactly the end; floating point would miss it by a hair.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(share, low, high)


def combine(terms: Iterable[tuple[float, Estimate]]) -> Estimate:
    """Return the sum of `factor * estimate` over independent terms, with its interval.

    The distances of each term's bounds are added in quadrature, the bound being swapped where the factor is
    negative. With Wilson bounds the interval is as long on each side as the terms allow, and it does not
    shrink to nothing for a term at 0 or 1. It does not know of dependence between the terms.

    Source: G. Y. Zou, W. Huang and X. Zhang, "A note on confidence interval estimation for a linear function
    of binomial proportions", Computational Statistics & Data Analysis 53 (2009), 1080-1085.

    >>> half = wilson(50, 100)
    >>> total = combine([(0.5, half), (0.5, half)])
    >>> f"{total.value:.2f} [{total.low:.3f}, {total.high:.3f}]"
    '0.50 [0.432, 0.568]'
    """
    value = below = above = 0.0
    for factor, term in terms:
        down, up = factor * (term.value - term.low), factor * (term.high - term.value)
        if factor < 0:
            down, up = -up, -down
        value += factor * term.value
        below += down * down
        above += up * up
    return Estimate(value, value - sqrt(below), value + sqrt(above))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return `first - second` with its interval, for two independent estimates.

    The two can be told apart where the interval leaves out 0. Where both were measured on the same entries, a
    paired comparison of the entries is sharper than this.

    >>> difference(wilson(90, 100), wilson(50, 100)).low > 0
    True
    """
    return combine([(1.0, first), (-1.0, second)])


def separation(first: Estimate, second: Estimate, *, z: float = Z95) -> float:
    """Return how many standard errors apart two independent estimates are; never negative.

    The standard error is the one that the interval of their difference implies on the side of 0, so that a
    separation above `z` says the same as an interval that leaves out 0.

    >>> round(separation(wilson(90, 100), wilson(50, 100)), 1)
    6.4
    """
    if first.value < second.value:
        first, second = second, first
    apart = difference(first, second)
    reach = apart.value - apart.low
    if reach == 0:
        return inf if apart.value > 0 else 0.0
    return z * apart.value / reach


def effective_size(parts: Iterable[tuple[float, float]]) -> float:
    """Return the number of entries that a weighted mean is worth, from (share, entries) of its parts.

    It is 1 / sum(share² / entries): the size of one simple sample with the same variance, exact where the
    parts have the same accuracy. Raises UsageError for parts without entries.

    >>> round(effective_size([(1 / 3, 400), (1 / 3, 100), (1 / 3, 50)]))
    277
    """
    total = 0.0
    for share, entries in parts:
        if entries <= 0:
            raise UsageError("every part needs a number of entries above 0")
        total += share * share / entries
    if total == 0:
        raise UsageError("at least one part needs a share above 0")
    return 1 / total


def youden(relevance: Estimate, irrelevance: Estimate) -> Estimate:
    """Return J = P(call | call wanted) + P(no call | none wanted) - 1, from -1 to 1, with its interval.

    J is 0 for whatever decides without looking: always calling, never calling, or tossing a coin.

    Source: W. J. Youden, "Index for rating diagnostic tests", Cancer 3 (1950), 32-35.

    >>> youden(wilson(0, 16), wilson(240, 240)).value
    0.0
    """
    total = combine([(1.0, relevance), (1.0, irrelevance)])
    return Estimate(total.value - 1, max(-1.0, total.low - 1), min(1.0, total.high - 1))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie, between two of them by straight line.

    `ordered` has to be in ascending order. Raises UsageError for no values, and for a share outside 0 to 1.

    Source: definition 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
    Statistician 50 (1996), 361-365; the default of NumPy and R, to the last bit of NumPy's.

    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    if not ordered or not 0 <= share <= 1:
        raise UsageError("a quantile needs at least one value and a share from 0 to 1")
    place = share * (len(ordered) - 1)
    below = min(floor(place), len(ordered) - 1)
    above = min(below + 1, len(ordered) - 1)
    rest = place - below
    low, high = ordered[below], ordered[above]
    # From the nearer end, as NumPy does: the result does not pass the other end by a hair.
    return high - (high - low) * (1 - rest) if rest >= 0.5 else low + (high - low) * rest


def resample_share(successes: int, n: int, *, size: int, stream: random.Random) -> list[float]:
    """Return `size` shares of success, each of `n` entries drawn with replacement from `successes` of `n`.

    The count in such a draw follows the binomial distribution of n and successes / n, from which it is drawn
    by its distribution function, with one random number each. Raises UsageError unless 0 <= successes <= n, n > 0.

    >>> import random
    >>> shares = resample_share(50, 100, size=1000, stream=random.Random(1))
    >>> abs(sum(shares) / 1000 - 0.5) < 0.01
    True
    """
    if not (n > 0 and 0 <= successes <= n):
        raise UsageError(f"resampling needs 0 <= successes <= n and n > 0, got {successes} of {n}")
    if successes in {0, n}:
        return [successes / n] * size
    # The mean of the distribution is a whole number, and so its mode.
    first, cumulative = binomial_table(n, successes / (n - successes), mode=successes)
    return [(first + bisect_right(cumulative, stream.random())) / n for _ in range(size)]


def binomial_table(n: int, odds: float, *, mode: int) -> tuple[int, list[float]]:
    """Return the first count, and the distribution function from it on, of the successes in `n` by `odds` of success.

    Counts without hope are left out, so that a random number below 1 falls to a count by bisection. `mode` is the
    likeliest count, from which the distribution is made outwards by ratios of neighbours: no factorials, and the
    same bits on every machine.

    >>> binomial_table(2, 1.0, mode=1)
    (0, [0.25, 0.75, 1.0])
    """
    up, down = [1.0], []
    count = mode
    while count < n and up[-1] > 1e-18:
        up.append(up[-1] * (n - count) / (count + 1) * odds)
        count += 1
    count = mode
    weight = 1.0
    while count > 0 and weight > 1e-18:
        weight *= count / (n - count + 1) / odds
        down.append(weight)
        count -= 1
    sums = list(accumulate([*reversed(down), *up]))
    return count, [value / sums[-1] for value in sums]
