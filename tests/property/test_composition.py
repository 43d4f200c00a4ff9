"""Properties of recipes, of figures rebuilt with gaps, and of weights recovered from rows."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.board.cells import read_score
from faircall.board.weights import Line, recover_weights
from faircall.composition import Average, Node, Printed, Rebuilt, average, evaluate
from faircall.stats import combine, wilson

figures = st.integers(0, 10000).map(lambda hundredths: Printed(hundredths / 100, 0.005))


@st.composite
def trees(draw, depth: int = 2, name: str = "n"):
    """A tree of averages of every kind, its leaves printed in a column each."""
    if depth == 0 or draw(st.booleans()):
        return Node(name, weight=draw(st.integers(1, 9)), entries=draw(st.integers(1, 500)), columns=(name,))
    count = draw(st.integers(1, 4))
    parts = tuple(draw(trees(depth - 1, f"{name}{place}")) for place in range(count))
    return Node(name, average=draw(st.sampled_from(Average)), weight=draw(st.integers(1, 9)), parts=parts)


@st.composite
def boards(draw):
    """A tree and a row of cells for it, some of them N/A."""
    tree = draw(trees())
    cells = {leaf.name: draw(st.one_of(st.none(), figures)) for leaf in tree.leaves()}
    return tree, cells


@given(trees())
def test_shares_add_up_to_one(tree):
    for node in tree.walk():
        if node.parts:
            assert sum(node.shares()) == pytest.approx(1)
            assert min(node.shares()) > 0


@given(trees(), figures)
def test_an_average_of_equal_figures_is_that_figure(tree, figure):
    rebuilt = evaluate(tree, {leaf.name: figure for leaf in tree.leaves()})
    assert rebuilt.value == pytest.approx(figure.value)
    assert rebuilt.half == pytest.approx(figure.half)


@given(boards(), st.data())
def test_bounds_hold_whatever_the_gaps_turn_out_to_be(board, data):
    tree, cells = board
    rebuilt = evaluate(tree, cells)
    filled = {name: cell or data.draw(figures) for name, cell in cells.items()}
    whole = evaluate(tree, filled)
    assert whole.value is not None
    assert rebuilt.low - 1e-9 <= whole.value <= rebuilt.high + 1e-9
    assert rebuilt.missing == tuple(leaf.name for leaf in tree.leaves() if cells[leaf.name] is None)
    assert rebuilt.zero == pytest.approx(
        evaluate(tree, {name: cell or Printed(0.0, 0.0) for name, cell in cells.items()}).value
    )


@given(boards())
def test_what_is_left_out_lies_between_the_bounds(board):
    rebuilt = evaluate(*board)
    if rebuilt.left_out is not None:
        assert rebuilt.low - 1e-9 <= rebuilt.left_out <= rebuilt.high + 1e-9
    assert rebuilt.unknown == all(cell is None for cell in board[1].values())


@given(boards(), figures)
def test_a_printed_figure_of_a_whole_node_is_never_recomputed(board, own):
    tree, cells = board
    whole = {name: cell or Printed(1.0, 0.005) for name, cell in cells.items()}
    top = Node("top", columns=("top",), parts=(tree,))
    assert evaluate(top, {**whole, "top": own}).value == own.value


@given(st.integers(0, 10000), st.booleans())
def test_a_printed_percentage_is_read_back(hundredths, signed):
    assert read_score(f"{hundredths / 100:.2f}{'%' if signed else ''}") == Printed(hundredths / 100, 0.005)


@st.composite
def weightings(draw):
    """Weights of three to six blocks in steps of 5 % that add up to 100."""
    width = draw(st.integers(3, 6))
    cuts = sorted(draw(st.lists(st.integers(0, 20), min_size=width - 1, max_size=width - 1)))
    return [5.0 * (high - low) for low, high in zip([0, *cuts], [*cuts, 20], strict=True)]


@settings(max_examples=40, deadline=None)
@given(weightings(), st.integers(0, 2**32))
def test_round_weights_are_recovered_from_rounded_scores(weights, seed):
    rng = random.Random(seed)  # noqa: S311 - made-up figures
    lines = []
    for _ in range(4 * len(weights)):
        values = [round(rng.uniform(0, 100), 2) for _ in weights]
        score = sum(weight * value for weight, value in zip(weights, values, strict=True)) / 100
        parts = [Rebuilt(value, value, value, value, 0.005) for value in values]
        lines.append(Line(Printed(round(score, 2), 0.005), parts))
    assert recover_weights(lines) == (weights, len(lines), False)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=6))
def test_an_interval_of_a_mean_holds_it_and_is_no_wider_than_the_widest(counts):
    estimates = [wilson(min(right, n), n) for right, n in counts]
    mean = combine([(1 / len(estimates), estimate) for estimate in estimates])
    assert mean.low <= mean.value <= mean.high
    assert mean.value - mean.low <= max(each.value - each.low for each in estimates) + 1e-12
    assert mean.high - mean.value <= max(each.high - each.value for each in estimates) + 1e-12


@given(st.lists(figures, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_the_parts_does_not_matter(values, rng):
    parts = [
        Rebuilt(figure.value, figure.value, figure.value, figure.value, figure.half) for figure in values
    ]
    shuffled = rng.sample(parts, len(parts))
    shares = [1 / len(parts)] * len(parts)
    assert average(shares, parts).zero == pytest.approx(average(shares, shuffled).zero)
