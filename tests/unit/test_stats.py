"""Intervals, against values printed in the literature."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from faircall.errors import UsageError
from faircall.stats import (
    Estimate,
    combine,
    difference,
    effective_size,
    quantile,
    resample_share,
    separation,
    wilson,
    youden,
)


# R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998),
# table I, method 3.
@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_the_published_interval(successes, n, low, high):
    estimate = wilson(successes, n)
    assert estimate.value == successes / n
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


# R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
# Medicine 17 (1998), table II, method 10: Wilson intervals joined as here.
@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_difference_is_the_published_interval(first, second, low, high):
    apart = difference(wilson(*first), wilson(*second))
    assert (round(apart.low, 4), round(apart.high, 4)) == (low, high)


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 10), (11, 10), (0, -3)])
def test_wilson_refuses_what_is_no_share(successes, n):
    with pytest.raises(UsageError, match="0 <= successes <= n"):
        wilson(successes, n)


def test_the_ends_are_exact():
    assert wilson(0, 7).low == 0
    assert wilson(7, 7).high == 1
    assert wilson(0, 7).high == pytest.approx(1 - wilson(7, 7).low)


def test_a_sum_adds_distances_in_quadrature():
    total = combine([(0.5, Estimate(0.4, 0.1, 0.8)), (0.5, Estimate(0.6, 0.2, 0.7))])
    assert total.value == pytest.approx(0.5)
    assert total.low == pytest.approx(0.5 - 0.5 * (0.3**2 + 0.4**2) ** 0.5)
    assert total.high == pytest.approx(0.5 + 0.5 * (0.4**2 + 0.1**2) ** 0.5)


def test_a_negative_factor_swaps_the_bounds():
    flipped = combine([(-1.0, Estimate(0.4, 0.1, 0.8))])
    assert flipped == pytest.approx((-0.4, -0.8, -0.1))


def test_separation_agrees_with_the_interval_of_the_difference():
    for low in range(0, 101, 5):
        one, other = wilson(60, 100), wilson(low, 100)
        larger, smaller = (one, other) if one.value >= other.value else (other, one)
        assert (separation(one, other) > 1.959963984540054) == (difference(larger, smaller).low > 0)
        assert separation(one, other) == separation(other, one) >= 0


def test_separation_of_exact_values():
    assert separation(Estimate(0.5, 0.5, 0.5), Estimate(0.5, 0.5, 0.5)) == 0
    assert separation(Estimate(0.6, 0.6, 0.6), Estimate(0.5, 0.5, 0.5)) == float("inf")


def test_the_effective_size_is_that_of_one_sample_with_the_same_variance():
    shares, sizes, p = (0.5, 0.3, 0.2), (100, 40, 10), 0.3
    variance = sum(share**2 * p * (1 - p) / n for share, n in zip(shares, sizes, strict=True))
    assert effective_size(zip(shares, sizes, strict=True)) == pytest.approx(p * (1 - p) / variance)


@pytest.mark.parametrize("parts", [[(1.0, 0)], [(0.0, 10)], []])
def test_an_effective_size_needs_entries(parts):
    with pytest.raises(UsageError):
        effective_size(parts)


@pytest.mark.parametrize(
    ("called", "declined", "j"),
    [((0, 16), (240, 240), 0.0), ((16, 16), (0, 240), 0.0), ((16, 16), (240, 240), 1.0)],
)
def test_youden_is_0_for_whatever_decides_without_looking(called, declined, j):
    estimate = youden(wilson(*called), wilson(*declined))
    assert estimate.value == j
    assert -1 <= estimate.low <= estimate.value <= estimate.high <= 1


# numpy.quantile of NumPy 1.26 on the same values.
@pytest.mark.parametrize(("share", "value"), [(0, 1.0), (0.1, 1.5), (0.5, 3.5), (0.95, 8.25), (1, 9.0)])
def test_quantiles_are_those_of_numpy(share, value):
    assert quantile([1.0, 2.0, 3.0, 4.0, 6.0, 9.0], share) == pytest.approx(value)


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], -0.1), ([1.0], 1.1), ([1.0], math.nan)])
def test_a_quantile_needs_values_and_a_share(values, share):
    with pytest.raises(UsageError, match="at least one value"):
        quantile(values, share)


@pytest.mark.parametrize(("successes", "n"), [(1, 2), (3, 16), (240, 1053), (1050, 1053), (2, 3)])
def test_resampled_shares_have_the_binomial_mean_and_spread(successes, n):
    shares = resample_share(successes, n, size=20_000, stream=random.Random(4))  # noqa: S311 - test data
    p = successes / n
    error = (p * (1 - p) / n) ** 0.5
    assert statistics.mean(shares) == pytest.approx(p, abs=4 * error / 20_000**0.5)
    assert statistics.stdev(shares) == pytest.approx(error, rel=0.03)


@pytest.mark.parametrize(("successes", "n"), [(1, 7), (6, 7), (5, 12)])
def test_resampled_shares_follow_the_binomial_distribution(successes, n):
    size = 50_000
    shares = resample_share(successes, n, size=size, stream=random.Random(9))  # noqa: S311 - test data
    p = successes / n
    for count in range(n + 1):
        expected = math.comb(n, count) * p**count * (1 - p) ** (n - count)
        found = sum(round(share * n) == count for share in shares) / size
        assert found == pytest.approx(expected, abs=5 * (expected * (1 - expected) / size) ** 0.5 + 1e-9)


def test_a_share_at_an_end_does_not_vary():
    stream = random.Random(1)  # noqa: S311 - test data
    assert resample_share(0, 9, size=3, stream=stream) == [0.0, 0.0, 0.0]
    assert resample_share(9, 9, size=2, stream=stream) == [1.0, 1.0]
    with pytest.raises(UsageError, match="0 <= successes <= n"):
        resample_share(1, 0, size=1, stream=stream)
