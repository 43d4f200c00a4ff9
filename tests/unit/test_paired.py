"""Paired differences and tests, against SciPy, statsmodels and the likelihood worked out in another way."""

from __future__ import annotations

import itertools
import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom, binomtest, bootstrap
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests

from faircall.errors import UsageError
from faircall.paired import (
    LEAST_ONE_WAY,
    Stratum,
    flip_test,
    holm,
    mcnemar,
    paired_difference,
    resample_difference,
    smallest_difference,
)

COUNTS = st.integers(0, 400)


def streams(strata, seed):
    return [random.Random(f"{seed}{stratum.name}") for stratum in strata]  # noqa: S311 - test data


@given(COUNTS, COUNTS)
def test_mcnemar_is_the_exact_test_of_statsmodels_and_scipy(first, second):
    table = [[10, first], [second, 5]]
    assert mcnemar(first, second) == pytest.approx(
        mcnemar_of_statsmodels(table, exact=True).pvalue, rel=1e-10
    )
    if first + second:
        assert mcnemar(first, second) == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-10)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (0, 6), (700, 900), (4000, 4100), (1000, 20)])
def test_mcnemar_of_small_and_large_counts(first, second):
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(first, second) == mcnemar(second, first)


def test_mcnemar_of_counts_beyond_floating_point():
    # 2 / 2**1000 and 2 / 2**5000, of which no float is small enough to hold the second.
    assert mcnemar(1000, 0) == pytest.approx(2.0**-999, rel=1e-12)
    assert mcnemar(5000, 0) == 0.0


def test_runs_that_are_as_good_as_level_have_a_p_of_exactly_1():
    assert all(
        mcnemar(count, other) == 1.0 for count in range(1, 60) for other in (count - 1, count, count + 1)
    )


def test_fewer_than_6_that_differ_are_never_enough():
    assert all(
        mcnemar(one, count - one) >= 0.05 for count in range(LEAST_ONE_WAY) for one in range(count + 1)
    )
    assert mcnemar(LEAST_ONE_WAY, 0) < 0.05


def constrained_score(first, second, n, apart):
    """Tango's statistic, with the nuisance parameter found by maximising the likelihood numerically."""

    def unlikely(share):
        cells = ((first, share + apart), (second, share), (n - first - second, 1 - 2 * share - apart))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in cells if count)

    low, high = max(0.0, -apart), (1 - apart) / 2
    inside = minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    share = min((low, high, inside), key=unlikely)
    return (first - second - n * apart) / math.sqrt(n * (2 * share + apart - apart * apart))


@pytest.mark.parametrize(
    ("first", "second", "n"),
    [(0, 0, 50), (1, 0, 16), (12, 2, 50), (5, 0, 9), (20, 30, 400), (6, 6, 12), (0, 3, 9), (59, 56, 1045)],
)
def test_the_interval_is_where_the_score_test_turns(first, second, n):
    estimate = paired_difference(first, second, n)
    z = 1.959963984540054
    value = (first - second) / n
    high = brentq(
        lambda apart: constrained_score(first, second, n, apart) + z, value + 1e-12, 1 - 1e-10, xtol=1e-13
    )
    low = brentq(
        lambda apart: constrained_score(first, second, n, apart) - z, -1 + 1e-10, value - 1e-12, xtol=1e-13
    )
    assert estimate == pytest.approx((value, low, high), abs=1e-6)


@given(COUNTS, COUNTS, COUNTS)
def test_an_interval_holds_its_value_and_turns_with_the_runs(first, second, alike):
    n = first + second + alike
    if not n:
        return
    estimate, turned = paired_difference(first, second, n), paired_difference(second, first, n)
    assert -1 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert (turned.value, turned.low, turned.high) == (-estimate.value, -estimate.high, -estimate.low)
    assert estimate.high > estimate.low


def test_an_interval_covers_the_truth_as_often_as_it_says():
    # Over all outcomes of 40 entries of which 20 % and 10 % differ either way: enumerated, not simulated.
    n, one, other = 40, 0.2, 0.1
    covered = 0.0
    for first, second in itertools.product(range(n + 1), repeat=2):
        if first + second <= n:
            chance = binom.pmf(first, n, one) * binom.pmf(second, n - first, other / (1 - one))
            if chance > 1e-9:
                estimate = paired_difference(first, second, n)
                covered += chance * (estimate.low <= one - other <= estimate.high)
    assert 0.94 < covered < 0.965


@pytest.mark.parametrize(("first", "second", "n"), [(1, 1, 1), (-1, 0, 5), (0, -1, 5), (0, 0, 0)])
def test_what_is_no_pair_of_counts_is_refused(first, second, n):
    with pytest.raises(UsageError, match="0 <= first"):
        paired_difference(first, second, n)


def test_negative_counts_have_no_test():
    with pytest.raises(UsageError, match="0 or more"):
        mcnemar(-1, 3)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_is_that_of_statsmodels(p_values):
    expected = multipletests(p_values, method="holm")[1] if p_values else []
    assert holm(p_values) == pytest.approx(list(expected))


def exact_power(n, differing, apart):
    """How often McNemar's exact test finds a difference, over all numbers of entries that may differ."""
    differing = max(differing, apart)
    found = 0.0
    for count in range(LEAST_ONE_WAY, n + 1):
        chance = binom.pmf(count, n, differing)
        if chance < 1e-12:
            continue
        rejected = [
            one for one in range(count + 1) if 2 * binom.cdf(min(one, count - one), count, 0.5) < 0.05
        ]
        found += chance * float(np.sum(binom.pmf(rejected, count, (1 + apart / differing) / 2)))
    return found


@pytest.mark.parametrize("n", [8, 16, 50, 200, 400])
@pytest.mark.parametrize("differing", [0.0, 0.05, 0.2, 0.4])
def test_the_smallest_difference_is_found_four_times_in_five(n, differing):
    smallest = smallest_difference(n, differing)
    assert exact_power(n, differing, smallest) > 0.8
    # A third less is not, so that the figure is not far too large either.
    assert exact_power(n, differing, 2 / 3 * smallest) < 0.8


def test_too_few_entries_resolve_nothing():
    assert smallest_difference(5, 0.4) is None
    assert smallest_difference(6, 0.0) is None
    assert smallest_difference(16, 0.0) == pytest.approx(0.485, abs=0.001)


def variance(stratum):
    share = (stratum.first - stratum.second) / stratum.n
    return ((stratum.first + stratum.second) / stratum.n - share * share) / stratum.n


@pytest.mark.parametrize("counts", [(30, 10, 100), (1, 0, 16), (59, 56, 1045), (4, 6, 10), (0, 9, 200)])
def test_draws_have_the_mean_and_the_variance_of_the_multinomial(counts):
    stratum = Stratum("a", 1.0, *counts)
    draws = resample_difference(stratum, size=20_000, stream=random.Random(3))  # noqa: S311 - test data
    error = variance(stratum) ** 0.5
    assert statistics.mean(draws) == pytest.approx((counts[0] - counts[1]) / counts[2], abs=4 * error / 141)
    assert statistics.stdev(draws) == pytest.approx(error, rel=0.03)


def test_draws_have_the_error_of_scipy():
    first = np.array([1] * 12 + [0] * 4 + [1] * 30 + [0] * 14)
    second = np.array([0] * 12 + [1] * 4 + [1] * 30 + [0] * 14)
    theirs = bootstrap(
        (first, second),
        lambda one, other, axis: np.mean(one - other, axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(5),
        method="percentile",
    )
    ours = sorted(resample_difference(Stratum("a", 1.0, 12, 4, 60), size=20_000, stream=random.Random(5)))  # noqa: S311
    assert statistics.stdev(ours) == pytest.approx(theirs.standard_error, rel=0.03)
    assert ours[500] == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours[19_500] == pytest.approx(theirs.confidence_interval.high, abs=0.02)


def exact_exchange(strata):
    """The p-value of all exchanges, by enumeration of the sums that they can have."""
    sums = {0.0: 1.0}
    observed = abs(sum(each.weight * (each.first - each.second) / each.n for each in strata))
    for each in strata:
        count, step = each.first + each.second, each.weight / each.n
        grown = {}
        for (total, chance), ones in itertools.product(sums.items(), range(count + 1)):
            key = round(total + step * (2 * ones - count), 12)
            grown[key] = grown.get(key, 0.0) + chance * float(binom.pmf(ones, count, 0.5))
        sums = grown
    return sum(chance for total, chance in sums.items() if abs(total) >= observed - 1e-9)


@pytest.mark.parametrize(
    "strata",
    [
        [Stratum("a", 1.0, 6, 0, 100)],
        [Stratum("a", 1.0, 3, 4, 20)],
        [Stratum("a", 0.3, 10, 2, 200), Stratum("b", 0.1, 3, 6, 50)],
        [Stratum("a", 0.3, 40, 2, 200), Stratum("b", 0.1, 3, 6, 50), Stratum("c", 0.01, 1, 0, 16)],
        [Stratum("a", 0.5, 20, 0, 1000), Stratum("b", 0.5, 4, 0, 16)],
        [Stratum("a", 1.0, 60, 2, 200), Stratum("b", 1.0, 0, 0, 10)],
    ],
)
def test_exchanges_give_the_p_value_of_all_exchanges(strata):
    made = [flip_test(strata, size=2000, streams=streams(strata, seed)) for seed in range(10)]
    assert statistics.mean(made) == pytest.approx(exact_exchange(strata), rel=0.05)


def test_exchanges_of_one_stratum_are_mcnemars_test():
    stratum = [Stratum("a", 0.7, 31, 12, 300)]
    made = [flip_test(stratum, size=2000, streams=streams(stratum, seed)) for seed in range(50)]
    assert statistics.mean(made) == pytest.approx(binomtest(12, 43).pvalue, rel=0.03)


def test_a_sum_of_nothing_is_no_difference():
    level = [Stratum("a", 0.5, 4, 4, 40), Stratum("b", 0.5, 0, 0, 40)]
    assert flip_test(level, size=100, streams=streams(level, 1)) == 1.0


@given(
    st.lists(st.tuples(st.floats(0.001, 1), st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=6)
)
def test_any_exchange_has_a_p_value(counts):
    strata = [
        Stratum(str(number), weight, first, second, first + second + 1)
        for number, (weight, first, second) in enumerate(counts)
    ]
    p = flip_test(strata, size=50, streams=streams(strata, 2))
    assert 0 <= p <= 1
    turned = [each._replace(first=each.second, second=each.first) for each in strata]
    assert flip_test(turned, size=50, streams=streams(strata, 2)) == pytest.approx(p, rel=1e-6)


def test_p_values_of_equal_runs_are_not_too_small():
    # 400 pairs of runs of which each differing entry goes either way: one in twenty may be below 0.05.
    chance = random.Random(11)  # noqa: S311 - test data
    below = 0
    for trial in range(400):
        strata = []
        for name, weight, count, n in (("a", 0.6, 14, 100), ("b", 0.3, 30, 240), ("c", 0.1, 5, 16)):
            first = sum(chance.random() < 0.5 for _ in range(count))
            strata.append(Stratum(name, weight, first, count - first, n))
        below += flip_test(strata, size=300, streams=streams(strata, trial)) <= 0.05
    assert below <= binom.ppf(0.999, 400, 0.05)
    assert below >= binom.ppf(0.001, 400, 0.05)
