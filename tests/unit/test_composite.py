"""The overall score from counts: weights, what is missing, bounds, intervals."""

from __future__ import annotations

import pytest

from faircall.board import read_snapshot
from faircall.composite import CategoryFigure, overall, seed_for
from faircall.composition import Average, Node, Recipe, load_recipe
from faircall.errors import UsageError

PAIR = Recipe("pair", Node("overall", parts=(Node("a", entries=100), Node("b", entries=50))))
SIZED = Recipe(
    "sized", Node("overall", average=Average.ENTRIES, parts=(Node("a", entries=100), Node("b", entries=50)))
)


def complete(share: float = 0.5) -> dict[str, CategoryFigure]:
    sizes = {leaf.name: leaf.entries or 0 for leaf in load_recipe().score.leaves()}
    return {name: CategoryFigure(round(n * share), n) for name, n in sizes.items()}


@pytest.mark.parametrize("counts", [(-1, 10, 0), (11, 10, 0), (9, 10, 2), (0, 10, -1), (0, 10, 11)])
def test_a_figure_refuses_counts_that_do_not_add_up(counts):
    with pytest.raises(UsageError, match="0 <= correct <= n - void"):
        CategoryFigure(*counts)


def test_blocks_count_by_their_weights():
    figures = {name: CategoryFigure(0, figure.n) for name, figure in complete().items()}
    figures |= {name: CategoryFigure(155, 155) for name in figures if name.startswith("memory")}
    result = overall(figures)
    assert result.value == pytest.approx(0.4 / 2)
    assert result.blocks["agentic"].value == 0.5
    assert list(result.blocks) == ["non_live", "live", "hallucination", "multi_turn", "agentic"]
    assert result.coverage.missing == ()
    assert result.bounds == (result.value, result.value)


def test_a_block_by_entries_counts_each_entry_once():
    figures = complete() | {"live_simple": CategoryFigure(258, 258), "live_multiple": CategoryFigure(0, 1053)}
    figures |= {"live_parallel": CategoryFigure(16, 16), "live_parallel_multiple": CategoryFigure(0, 24)}
    assert overall(figures).blocks["live"].value == pytest.approx(274 / 1351)


def test_a_missing_category_is_zero_or_not_available():
    figures = complete(1.0)
    del figures["simple_java"]
    official, fair = overall(figures, missing="zero"), overall(figures)
    assert official.value == pytest.approx(1 - 0.1 / 12)
    assert official.parts["simple"].value == pytest.approx(2 / 3)
    assert fair.value is None
    assert fair.interval is None
    assert fair.parts["simple"].value is None
    assert fair.blocks["live"].value == 1.0
    assert fair.bounds == official.bounds == (pytest.approx(1 - 0.1 / 12), pytest.approx(1.0))
    assert fair.coverage.missing == ("simple_java",)
    assert fair.coverage.entries - fair.coverage.judged == 100


def test_nothing_at_all_is_zero_or_not_available():
    assert overall({}, missing="zero").value == 0.0
    nothing = overall({})
    assert (nothing.value, nothing.bounds, nothing.coverage.share) == (None, (0.0, 1.0), 0.0)


def test_void_entries_widen_the_bounds_and_leave_the_share_to_the_judged():
    result = overall({"a": CategoryFigure(40, 100, void=20), "b": CategoryFigure(50, 50)}, recipe=PAIR)
    assert result.value == pytest.approx((0.5 + 1) / 2)
    assert result.bounds == (pytest.approx((0.4 + 1) / 2), pytest.approx((0.6 + 1) / 2))
    assert (result.coverage.judged, result.coverage.entries) == (130, 150)


def test_a_category_that_is_void_throughout_is_missing():
    figures = {"a": CategoryFigure(0, 100, void=100), "b": CategoryFigure(50, 50)}
    result = overall(figures, recipe=PAIR)
    assert (result.value, result.coverage.missing, result.bounds) == (None, ("a",), (0.5, 1.0))
    assert overall(figures, recipe=PAIR, missing="zero").value == 0.5


def test_a_part_of_a_category_weighs_its_own_entries_only_under_the_official_rule():
    figures = {"a": CategoryFigure(10, 10), "b": CategoryFigure(0, 50)}
    assert overall(figures, recipe=SIZED, missing="zero").value == pytest.approx(10 / 60)
    fair = overall(figures, recipe=SIZED)
    assert fair.value == pytest.approx(100 / 150)
    assert fair.bounds == (pytest.approx(10 / 150), pytest.approx(100 / 150))
    assert (fair.coverage.judged, fair.coverage.entries) == (60, 150)


def test_a_block_that_counts_for_nothing_cannot_be_missing():
    parts = (Node("a", weight=1, entries=10), Node("b", weight=0, entries=10))
    recipe = Recipe("half", Node("overall", average=Average.WEIGHTED, parts=parts))
    result = overall({"a": CategoryFigure(5, 10)}, recipe=recipe)
    assert (result.value, result.coverage.missing, result.coverage.entries) == (0.5, (), 10)


def test_figures_without_a_place_are_named():
    assert overall(complete() | {"live_relevance": CategoryFigure(1, 16)}).unused == ("live_relevance",)


def test_the_interval_is_seeded_and_about_as_wide_as_theory_says():
    figures = {"a": CategoryFigure(50, 100), "b": CategoryFigure(10, 50)}
    first = overall(figures, recipe=PAIR, seed=1, resamples=20_000)
    assert first == overall(dict(reversed(figures.items())), recipe=PAIR, seed=1, resamples=20_000)
    assert first.interval != overall(figures, recipe=PAIR, seed=2, resamples=20_000).interval
    assert first.interval is not None
    low, high = first.interval
    error = ((0.25 / 100 + 0.16 / 50) / 4) ** 0.5
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.06)
    assert low < first.value < high


def variance_of(node, figures):
    """The variance and the entries of a node's mean, its categories being independent."""
    if not node.parts:
        figure = figures[node.name]
        share = figure.correct / figure.n
        return share * (1 - share) / figure.n, figure.n
    below = [variance_of(part, figures) for part in node.parts]
    sizes = [size for _, size in below]
    weights = {
        Average.UNWEIGHTED: [1.0] * len(below),
        Average.ENTRIES: sizes,
        Average.WEIGHTED: [part.weight or 0.0 for part in node.parts],
    }[node.average]
    total = sum(weights)
    variance = sum((weight / total) ** 2 * own for weight, (own, _) in zip(weights, below, strict=True))
    return variance, sum(sizes)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_intervals_of_all_levels_are_about_as_wide_as_theory_says(share):
    """The categories are drawn independently of each other, on every level of the tree."""
    figures = complete(share)
    tree = load_recipe().score
    result = overall(figures, resamples=4000)
    for node in [tree, *tree.parts]:
        part = result.whole if node is tree else result.blocks[node.name]
        expected = 2 * 1.96 * variance_of(node, figures)[0] ** 0.5
        assert part.interval[1] - part.interval[0] == pytest.approx(expected, rel=0.08), node.name


def test_an_interval_does_not_depend_on_other_blocks():
    figures = complete(0.7)
    changed = figures | {"multi_turn_base": CategoryFigure(1, 200)}
    before, after = overall(figures, seed=5), overall(changed, seed=5)
    assert before.blocks["live"] == after.blocks["live"]
    assert before.blocks["multi_turn"] != after.blocks["multi_turn"]


def test_without_resamples_there_is_no_interval():
    result = overall(complete(), resamples=0)
    assert result.interval is None
    assert result.parts["live_simple"].interval is not None
    with pytest.raises(UsageError, match="resamples"):
        overall(complete(), resamples=-1)


def test_seeds_tell_runs_and_profiles_apart():
    seeds = {seed_for(run, profile) for run in ("kite", "crane") for profile in ("fair-1", "fair-2")}
    assert len(seeds) == 4
    # The seed is part of how published intervals are made: it must not change from release to release.
    assert seed_for("kite", "fair-1") == 8446928605891484018


def test_an_unknown_recipe_is_refused():
    with pytest.raises(UsageError, match="no recipe named"):
        overall({}, recipe="bfcl-v9")


def test_a_category_of_unknown_size_cannot_be_weighed():
    recipe = Recipe("odd", Node("overall", average=Average.ENTRIES, parts=(Node("a"), Node("b"))))
    with pytest.raises(UsageError, match="by entries"):
        overall({}, recipe=recipe)


def test_the_snapshot_rebuilds_from_its_category_columns():
    recipe = load_recipe()
    board = read_snapshot()
    for row in board.rows:
        figures = {}
        for leaf in recipe.score.leaves():
            printed = next((row.cells[column] for column in leaf.columns if row.cells.get(column)), None)
            if printed is not None:
                n = leaf.entries or 0
                figures[leaf.name] = CategoryFigure(round(printed.value * n / 100), n)
        result = overall(figures, missing="zero", resamples=0)
        assert result.value is not None
        assert row.published is not None
        assert f"{result.value * 100:.2f}" == f"{row.published.value:.2f}", row.model
