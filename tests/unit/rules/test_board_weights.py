"""What entries count for: weights, counts that a figure betrays, and what silence would get."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.bfcl.categories import CATEGORIES
from faircall.composition import Printed, load_recipe
from faircall.rules import board_examples as examples
from faircall.rules import find_rule
from faircall.rules.board_subject import read_example
from faircall.rules.board_weights import _constant_scores, _is_share, constant_outputs


def test_the_weight_of_one_entry_is_printed_for_each_kind():
    [finding] = find_rule("B014").run(read_example(examples.SOUND))
    each = finding.evidence["points_per_entry"]
    # 100 * 40 % / 2 halves / 3 memories / 155 entries; and 100 * 10 % / 1351 live entries.
    assert each["memory_kv"] == pytest.approx(100 * 0.4 / 2 / 3 / 155, abs=1e-6)
    assert each["live_simple"] == pytest.approx(100 * 0.1 / 1351, abs=1e-6)
    assert "relevance moves it by nothing" in finding.message


@pytest.mark.parametrize(("figure", "entries", "fits"), [
    (75.0, 16, True), (77.78, 16, False), (77.78, 18, True), (0.0, 7, True), (100.0, 7, True), (43.75, 16, True),
    (33.33, 3, True), (33.34, 3, False),
])  # fmt: skip
def test_a_figure_is_a_share_of_so_many_entries_or_not(figure, entries, fits):
    assert _is_share(Printed(figure, 0.005), entries) is fits


@given(st.integers(1, 3000), st.data())
def test_every_share_is_one_once_it_is_rounded(entries, data):
    count = data.draw(st.integers(0, entries))
    assert _is_share(Printed(round(100 * count / entries, 2), 0.005), entries)


def test_counts_that_differ_are_told_with_a_number_that_fits():
    [finding] = find_rule("B015").run(
        read_example(
            examples.SOUND.replace("75.00%", "77.78%").replace("87.50%", "88.89%").replace("62.50%", "61.11%")
        )
    )
    assert (finding.evidence["category"], finding.evidence["entries"], finding.evidence["fits"]) == (
        "relevance",
        16,
        18,
    )


def test_constant_outputs_are_counted_for_every_category():
    scored = {name for name, category in CATEGORIES.items() if category.group != "format_sensitivity"}
    for one in constant_outputs():
        assert set(one.credited) == scored
        assert all(0 <= one.credited[name] <= CATEGORIES[name].entries for name in scored)


def test_declining_everything_is_worth_the_whole_block():
    assert {round(one.score, 6) for one in _constant_scores(load_recipe())} == {10.0}


def test_a_board_of_other_categories_says_nothing_of_constant_outputs(tmp_path):
    path = tmp_path / "other.toml"
    path.write_text(
        'name = "other"\n[score]\naverage = "unweighted"\ncolumn = "All"\n[score.parts]\n'
        'one = { entries = 10, column = "One" }\ntwo = { entries = 10, column = "Two" }\n'
    )
    assert _constant_scores(load_recipe(path)) == []


def test_a_row_that_ties_with_silence_is_named_as_such():
    text = examples.SOUND + "Faint,10.00%,10.00%,10.00%,80.00%,0.00%,0.00%,0.00%,37.50%\n"
    [finding] = find_rule("B016").run(read_example(text))
    assert "would have as much" in finding.message
    assert finding.points == 0.0
