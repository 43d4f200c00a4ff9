"""Differences of categories, blocks and the whole, against figures worked out apart from them."""

from __future__ import annotations

import random
import statistics

import pytest
from scipy.stats import binomtest

from faircall.composite import CategoryFigure, overall
from faircall.composition import load_recipe
from faircall.contrasts import Counts, contrast, contrast_composite

RECIPE = load_recipe()


def whole(seed=1):
    """Counts for every category of the recipe, all of its entries judged."""
    chance = random.Random(seed)  # noqa: S311 - test data
    made = {}
    for leaf in RECIPE.score.leaves():
        n = leaf.entries
        first, second, neither = (chance.randrange(n // 8 + 1) for _ in range(3))
        made[leaf.name] = Counts(n - first - second - neither, first, second, neither, n)
    return made


def test_a_category_has_its_shares_and_the_exact_test():
    figure = contrast(Counts(both=60, first_only=12, second_only=2, neither=26, entries=100))
    assert (figure.first, figure.second) == (0.72, 0.62)
    assert figure.difference == pytest.approx(0.1)
    assert figure.p == pytest.approx(binomtest(2, 14).pvalue)
    assert figure.interval[0] < 0.1 < figure.interval[1]


def test_repeated_entries_are_not_tested():
    figure = contrast(
        Counts(both=60, first_only=12, second_only=2, neither=26, entries=100), independent=False
    )
    assert figure.difference == pytest.approx(0.1)
    assert figure.interval is figure.p is figure.resolvable is None


def test_nothing_judged_is_no_difference_of_0():
    assert contrast(Counts(entries=7, void_first=7)).difference is None


def test_the_whole_is_the_difference_of_the_scores():
    counts = whole()
    made = contrast_composite(counts, RECIPE, seed=3)
    scores = [
        overall(
            {name: CategoryFigure(each.both + getattr(each, side), each.n) for name, each in counts.items()},
            resamples=0,
        )
        for side in ("first_only", "second_only")
    ]
    assert made.overall.difference == pytest.approx(scores[0].value - scores[1].value)
    assert (made.overall.first, made.overall.second) == pytest.approx([score.value for score in scores])
    for name, figure in made.blocks.items():
        assert figure.difference == pytest.approx(scores[0].blocks[name].value - scores[1].blocks[name].value)


def test_the_interval_is_as_wide_as_the_variances_of_the_categories_make_it():
    counts = whole(5)
    made = contrast_composite(counts, RECIPE, seed=3, resamples=20_000)
    error = 0.0
    for name, share in RECIPE.leaf_shares().items():
        each = counts[name]
        apart = (each.first_only - each.second_only) / each.n
        error += share**2 * ((each.first_only + each.second_only) / each.n - apart**2) / each.n
    error **= 0.5
    low, high = made.overall.interval
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.03)
    assert made.overall.resolvable == pytest.approx((1.96 + 0.8416) * error, rel=0.03)


def test_a_category_without_a_shared_entry_leaves_no_figure():
    counts = whole()
    counts["irrelevance"] = Counts(entries=240, absent_second=240)
    del counts["memory_kv"]
    made = contrast_composite(counts, RECIPE, seed=3)
    assert made.overall.difference is made.overall.p is made.overall.interval is None
    assert set(made.overall.missing) == {"irrelevance", "memory_kv"}
    assert made.blocks["hallucination"].missing == ("irrelevance",)
    assert made.blocks["live"].difference is not None


def test_a_result_depends_on_the_seed_alone_and_not_on_other_categories():
    counts = whole()
    made = contrast_composite(counts, RECIPE, seed=3)
    again = contrast_composite(dict(reversed(counts.items())), RECIPE, seed=3)
    assert made == again
    live = {leaf.name for leaf in RECIPE.score.leaves() if leaf.name.startswith("live_")}
    alone = contrast_composite({name: counts[name] for name in live if name in counts}, RECIPE, seed=3)
    assert alone.blocks["live"] == made.blocks["live"]
    assert contrast_composite(counts, RECIPE, seed=4).overall.interval != made.overall.interval


def test_where_no_entry_differs_there_is_no_interval():
    counts = {leaf.name: Counts(leaf.entries, 0, 0, 0, leaf.entries) for leaf in RECIPE.score.leaves()}
    figure = contrast_composite(counts, RECIPE, seed=3).overall
    assert (figure.difference, figure.interval, figure.resolvable, figure.p) == (0.0, None, None, 1.0)


def test_counts_add_up_and_turn():
    one, other = Counts(1, 2, 3, 4, 12, 1, 0, 1, 0), Counts(10, 0, 0, 0, 10)
    assert one + other == Counts(11, 2, 3, 4, 22, 1, 0, 1, 0)
    assert (one.n, one.left_out) == (10, 2)
    assert one.swapped() == Counts(1, 3, 2, 4, 12, 0, 1, 0, 1)
    assert one.swapped().swapped() == one


def test_draws_are_few_only_where_asked_for():
    figure = contrast_composite(whole(), RECIPE, seed=3, resamples=0).overall
    assert figure.interval is None
    assert figure.difference is not None
    spread = [contrast_composite(whole(), RECIPE, seed=seed, resamples=500).overall.p for seed in range(5)]
    assert statistics.stdev(spread) < 0.1
