"""Two runs on the same entries: differences of paired proportions, exact tests, corrections, resampling.

Everything here is plain numbers. Of `n` entries that both runs were judged on, `first` are right in the first run
alone and `second` in the second alone; the entries on which both are right, or neither is, say nothing of the
difference.
"""

from __future__ import annotations

from bisect import bisect_right
from math import comb, exp, floor, log, log1p, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from faircall.errors import UsageError
from faircall.stats import Z95, Estimate, binomial_table

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

ALPHA: Final = 0.05
"""The two-sided level at which two runs are told apart."""
POWER: Final = 0.8
"""How often a difference of the smallest size that can be resolved is found."""
Z_POWER: Final = 0.8416212335729143
"""The standard normal quantile below which `POWER` lies."""
LEAST_ONE_WAY: Final = 6
"""So many entries have to differ, all one way, before the exact test can find p < 0.05: 2 / 2**6 is 0.031."""


class Stratum(NamedTuple):
    """A category in a weighted difference: what it counts for, its counts, and the name of its random numbers."""

    name: str
    weight: float
    first: int
    second: int
    n: int


def mcnemar(first: int, second: int) -> float:
    """Return the two-sided p-value of McNemar's exact test: the binomial test of `first` against `second` at 1/2.

    It is twice the smaller tail, and at most 1; without a differing entry it is 1. The largest term is exact, made of
    whole numbers, so that no count is too large. Raises UsageError for negative counts.

    Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12 (1947), 153-157.

    >>> mcnemar(6, 0), mcnemar(5, 5)
    (0.03125, 1.0)
    """
    if first < 0 or second < 0:
        raise UsageError(f"a test needs counts of 0 or more, got {first} and {second}")
    if abs(first - second) <= 1:
        return 1.0  # the two tails are all there is
    total, least = first + second, min(first, second)
    largest: float = comb(total, least) / 2**total
    term = tail = 1.0  # in units of the largest term, from which the others follow by ratios
    for count in range(least, 0, -1):
        term *= count / (total - count + 1)
        tail += term
        if term < 1e-18 * tail:
            break
    return min(1.0, 2 * tail * largest)


def paired_difference(first: int, second: int, n: int, *, z: float = Z95) -> Estimate:
    """Return (first - second) / n, the difference of two shares on the same entries, with Tango's score interval.

    The interval never leaves -1 to 1, keeps its width where no entry differs, and changes its sign where the runs
    change places. Raises UsageError unless n > 0, no count is negative and first + second <= n.

    Source: T. Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design", Statistics in Medicine 17 (1998), 891-908.

    >>> estimate = paired_difference(0, 0, 50)
    >>> f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
    '0.000 [-0.071, 0.071]'
    """
    _check(first, second, n)
    value = (first - second) / n
    return Estimate(value, -_upper_bound(second, first, n, z), _upper_bound(first, second, n, z))


def _check(first: int, second: int, n: int) -> None:
    if not (n > 0 and first >= 0 and second >= 0 and first + second <= n):
        counts = f"{first} and {second} of {n}"
        raise UsageError(f"a paired difference needs n > 0 and 0 <= first + second <= n, got {counts}")


def _upper_bound(first: int, second: int, n: int, z: float) -> float:
    """Return the largest difference that the score test does not reject, by halving the way up to 1."""
    low, high = (first - second) / n, 1.0
    while low < (middle := (low + high) / 2) < high:
        if _score_squared(first, second, n, middle) <= z * z:
            low = middle
        else:
            high = middle
    return high if _score_squared(first, second, n, high) <= z * z else low


def _score_squared(first: int, second: int, n: int, apart: float) -> float:
    """Return the square of Tango's score statistic at the difference `apart`."""
    distance = first - second - n * apart
    # The likeliest share of entries that only the second has right, given the difference.
    half = first + second - (2 * n - first + second) * apart
    product = 8 * n * second * apart * (1 - apart)
    root = sqrt(max(0.0, half * half + product))
    only_second = (root + half) / (4 * n) if half >= 0 else product / (root - half) / (4 * n)
    variance = n * (2 * only_second + apart * (1 - apart))
    if variance > 0:
        return distance * distance / variance
    return 0.0 if distance == 0 else float("inf")


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for being several, in their order, by Holm's step-down method.

    Where those at or below 0.05 are called differences, the chance that any of them is none is at most 0.05, however
    the tests depend on each other.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979), 65-70.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def smallest_difference(n: int, differing: float) -> float | None:
    """Return the smallest difference that McNemar's exact test finds four times in five at the level 0.05, two-sided.

    `differing` is the share of the `n` entries on which the runs differ. A difference cannot be larger than that;
    where none that is small enough would be found, so many entries are taken to differ as it takes, all one way.
    None: there are too few entries for any.

    Source: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics
    43 (1987), 207-211, solved for the difference; and 1 / n for the steps in which an exact test moves, after
    B. Levin and X. Chen, "Is the one-half continuity correction used once or twice to derive a well-known approximate
    sample size formula to compare two independent binomial distributions?", The American Statistician 53 (1999), 62-66.

    >>> f"{smallest_difference(400, 0.1):.4f}", smallest_difference(5, 0.0)
    ('0.0467', None)
    """
    if n < LEAST_ONE_WAY:
        return None
    slope = (Z95 * sqrt(n) + Z_POWER * sqrt(n + Z_POWER**2 - Z95**2)) / (n + Z_POWER**2)
    found = slope * max(sqrt(differing), slope) + 1 / n
    return found if found <= 1 else None


def resample_difference(stratum: Stratum, *, size: int, stream: random.Random) -> list[float]:
    """Return `size` differences (first - second) / n, each of `n` pairs of outcomes drawn anew with replacement.

    Pairs stay pairs: the counts of such a draw follow the multinomial distribution of the counts there are, from
    which they are drawn one after the other, two random numbers each. Weights are not applied.

    Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 8.

    >>> import random
    >>> draws = resample_difference(Stratum("a", 1.0, 30, 10, 100), size=1000, stream=random.Random(1))
    >>> abs(sum(draws) / 1000 - 0.2) < 0.01
    True
    """
    first, second, n = stratum.first, stratum.second, stratum.n
    _check(first, second, n)
    least, shares = _counts(n, first, n - first)
    tables: dict[int, tuple[int, list[float]]] = {}
    draws = []
    for _ in range(size):
        ones = least + bisect_right(shares, stream.random())
        rest = n - ones
        if rest not in tables:
            tables[rest] = _counts(rest, second, n - first - second)
        least_second, shares_second = tables[rest]
        draws.append((ones - least_second - bisect_right(shares_second, stream.random())) / n)
    return draws


def _counts(n: int, for_: float, against: float) -> tuple[int, list[float]]:
    """Return the table of the binomial distribution whose odds are `for_` to `against`; either may be 0."""
    if for_ == 0 or n == 0:
        return 0, [1.0]
    if against == 0:
        return n, [1.0]
    return binomial_table(n, for_ / against, mode=min(n, floor((n + 1) * for_ / (for_ + against))))


def flip_test(strata: Sequence[Stratum], *, size: int, streams: Sequence[random.Random]) -> float:
    """Return the two-sided p-value of a weighted sum of differences, by `size` random exchanges of the two runs.

    Were both runs the same, each entry that differs would as likely do so the other way. Draws in which the differing
    entries of each stratum change sides at random say how often the sum comes out as far from 0 as observed. They are
    made likelier to come out far, and weighted for that: plain draws, of which none may reach the sum, cannot give a
    p-value below one in their number, which is too coarse to be corrected for many comparisons. The observed sum counts
    as one of the draws, so that the p-value is never too small on average. `streams` are one for each stratum.

    Source: M. T. Harrison, "Conservative hypothesis tests and confidence intervals using importance sampling",
    Biometrika 99 (2012), 57-69; the exchange is that of E. J. G. Pitman's tests (1937).

    >>> import random
    >>> p = flip_test([Stratum("a", 1.0, 6, 0, 100)], size=2000, streams=[random.Random(1)])
    >>> 0.029 < p < 0.034
    True
    """
    steps = [stratum.weight / stratum.n for stratum in strata]
    differing = [stratum.first + stratum.second for stratum in strata]
    reach = sum(step * count for step, count in zip(steps, differing, strict=True))
    observed = abs(sum(step * (each.first - each.second) for step, each in zip(steps, strata, strict=True)))
    if observed <= 1e-12 * reach:
        return 1.0
    tilt = _tilt(observed, steps, differing)
    sums = [0.0] * size
    for step, count, stream in zip(steps, differing, streams, strict=True):
        least_ones, shares = _counts(count, 1.0, exp(-2 * tilt * step))
        start, double = step * (2 * least_ones - count), 2 * step
        sums = [total + start + double * bisect_right(shares, stream.random()) for total in sums]
    least = observed - 1e-9 * reach  # sums of floats that are equal on paper
    # The logarithm of how much likelier a draw was made, but for the part that depends on its sum.
    scale = sum(count * _log_cosh(tilt * step) for step, count in zip(steps, differing, strict=True))
    weights = [exp(scale - tilt * total) for total in (observed, *sums) if total >= least]
    return min(1.0, 2 * sum(weights) / (size + 1))


def _tilt(observed: float, steps: Sequence[float], differing: Sequence[int]) -> float:
    """Return how strongly to prefer one side so that the mean of the draws is what was observed, or near its reach."""

    def mean(tilt: float) -> float:
        pulls = (step * (1 - 2 / (exp(min(700.0, 2 * tilt * step)) + 1)) for step in steps)
        return sum(pull * count for pull, count in zip(pulls, differing, strict=True))

    # At the very end of what is possible the pull would have no limit.
    largest = 20 / min(step for step, count in zip(steps, differing, strict=True) if count and step)
    low, high = 0.0, largest
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < observed else (low, middle)
    return low


def _log_cosh(x: float) -> float:
    return abs(x) + log1p(exp(-2 * abs(x))) - log(2)
