"""Properties of overall scores made from random counts by random recipes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.composite import CategoryFigure, overall
from faircall.composition import Average, Node, Printed, Recipe, evaluate
from faircall.stats import quantile, resample_share

TOLERANCE = 1e-9


@st.composite
def trees(draw, depth: int = 2, name: str = "n"):
    count = draw(st.integers(1, 4)) if depth == 2 or (depth and draw(st.booleans())) else 0
    if not count:
        return Node(name, weight=draw(st.integers(1, 9)), entries=draw(st.integers(1, 300)), columns=(name,))
    parts = tuple(draw(trees(depth - 1, f"{name}{place}")) for place in range(count))
    return Node(name, average=draw(st.sampled_from(Average)), weight=draw(st.integers(1, 9)), parts=parts)


@st.composite
def figure_of(draw, entries: int, *, whole: bool):
    n = entries if whole else draw(st.integers(0, entries))
    void = 0 if whole else draw(st.integers(0, n))
    return CategoryFigure(draw(st.integers(0, n - void)), n, void)


@st.composite
def scored(draw, *, whole: bool = False):
    """A recipe with figures for it: all of them whole, or some absent and some with void entries."""
    tree = draw(trees())
    figures = {
        leaf.name: draw(figure_of(leaf.entries or 0, whole=whole))
        for leaf in tree.leaves()
        if whole or draw(st.booleans())
    }
    return Recipe("drawn", tree), figures


@given(scored(whole=True))
def test_a_complete_score_is_that_of_the_printed_figures(drawn):
    recipe, figures = drawn
    cells = {name: Printed(100 * figure.correct / figure.n) for name, figure in figures.items()}
    rebuilt = evaluate(recipe.score, cells)
    for missing in ("zero", "na"):
        result = overall(figures, recipe=recipe, missing=missing, resamples=0)
        assert result.value == pytest.approx(rebuilt.zero / 100)
        assert result.bounds == (pytest.approx(result.value), pytest.approx(result.value))
        assert result.coverage.share == 1


@given(scored(), st.sampled_from(["zero", "na"]))
def test_every_value_lies_within_its_bounds(drawn, missing):
    recipe, figures = drawn
    result = overall(figures, recipe=recipe, missing=missing, resamples=0)
    for part in (result.whole, *result.parts.values()):
        low, high = part.bounds
        assert -TOLERANCE <= low <= high + TOLERANCE <= 1 + 2 * TOLERANCE
        if part.value is not None:
            assert low - TOLERANCE <= part.value <= high + TOLERANCE
        assert (part.value is None) == (missing == "na" and bool(part.coverage.missing))
        assert 0 <= part.coverage.judged <= part.coverage.entries


@given(scored(), st.data())
def test_bounds_hold_however_the_open_entries_turn_out(drawn, data):
    recipe, figures = drawn
    open_score = overall(figures, recipe=recipe, resamples=0)
    settled = {}
    for leaf in recipe.score.leaves():
        figure = figures.get(leaf.name, CategoryFigure(0, 0))
        left = (leaf.entries or 0) - figure.judged
        settled[leaf.name] = CategoryFigure(
            figure.correct + data.draw(st.integers(0, left)), leaf.entries or 0
        )
    value = overall(settled, recipe=recipe, resamples=0).value
    assert value is not None
    assert open_score.bounds[0] - TOLERANCE <= value <= open_score.bounds[1] + TOLERANCE


@given(scored(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_the_figures_does_not_matter(drawn, shuffler):
    recipe, figures = drawn
    names = list(figures)
    shuffler.shuffle(names)
    shuffled = {name: figures[name] for name in names}
    for missing in ("zero", "na"):
        first = overall(figures, recipe=recipe, missing=missing, seed=3, resamples=50)
        assert first == overall(shuffled, recipe=recipe, missing=missing, seed=3, resamples=50)


@given(scored(whole=True))
@settings(max_examples=40)
def test_an_interval_lies_between_0_and_1_and_around_where_the_draws_are(drawn):
    recipe, figures = drawn
    result = overall(figures, recipe=recipe, seed=11, resamples=200)
    assert result.interval is not None
    low, high = result.interval
    assert -TOLERANCE <= low <= high <= 1 + TOLERANCE


@given(st.integers(1, 400), st.data(), st.integers())
def test_shares_drawn_anew_are_counts_of_the_same_size(n, data, seed):
    successes = data.draw(st.integers(0, n))
    stream = random.Random(seed)  # noqa: S311 - test data
    shares = resample_share(successes, n, size=20, stream=stream)
    assert len(shares) == 20
    for share in shares:
        assert 0 <= share <= 1
        assert share * n == pytest.approx(round(share * n))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_quantiles_rise_with_the_share_and_stay_among_the_values(values, one, other):
    ordered = sorted(values)
    low, high = sorted((one, other))
    assert quantile(ordered, 0) == ordered[0]
    assert quantile(ordered, 1) == ordered[-1]
    assert quantile(ordered, low) <= quantile(ordered, high) + 1e-6
