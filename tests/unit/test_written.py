"""What the outputs of a category add up to: repeats, lost and cut-off outputs, attempts that are not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.gate import judge
from faircall.schema import read_tools
from faircall.scoring import Wanted, verdict_on
from faircall.types import State
from faircall.written import SAMPLED, Fit, Gathering, find_fit

TOOLS = read_tools(["book_table"])


def gathered(outputs, decoder="python"):
    gathering = Gathering()
    for number, output in enumerate(outputs):
        verdict = verdict_on(judge(output, TOOLS, decoder=decoder), Wanted(State.CALLED))
        gathering.add(f"multiple_{number}", output, verdict, TOOLS, "python")
    return gathering


def test_the_commonest_output_is_counted_and_shown_by_its_beginning():
    long = "[book_table(note='" + "x" * 200 + "')]"
    written = gathered([long, "[book_table(seats=2)]", long]).finish()
    assert (written.n, written.commonest) == (3, 2)
    assert written.sample == long[:80] + "…"
    assert gathered([[{"book_table": "{}"}]] * 2, "tool-calls").finish().sample == '[{"book_table": "{}"}]'
    assert gathered([]).finish().sample == ""


def test_values_that_are_equal_in_python_alone_are_different_outputs():
    written = gathered(
        [[{"book_table": {"seats": 1}}], [{"book_table": {"seats": True}}]], "tool-calls"
    ).finish()
    assert written.commonest == 1


def test_lost_and_cut_off_outputs_come_with_the_first_of_their_ids():
    written = gathered(["", "[book_table(note='by the wi", "", "[book_table(seats=2)]", "No."]).finish()
    assert written.counts == {"empty-output": 2, "truncated": 1}
    assert written.ids == {"empty-output": ["multiple_0", "multiple_2"], "truncated": ["multiple_1"]}
    assert (written.unread, written.called, written.single) == (1, 1, 1)


def test_several_calls_are_not_a_single_one():
    written = gathered(["[book_table(seats=1), book_table(seats=2)]"]).finish()
    assert (written.called, written.single) == (1, 0)


@pytest.mark.parametrize(
    ("output", "decoder", "fit"),
    [
        ('<tool_call>{"name": "book_table", "arguments": {}}</tool_call>', "python", "hermes"),
        ("[book_table(seats=2)]", "hermes", "python"),
    ],
)
def test_the_decoder_that_reads_the_outputs_is_found(output, decoder, fit):
    found = find_fit(gathered([output] * 1000, decoder).unread, beside=decoder)
    assert found is not None
    assert (found.decoder, found.read) == (fit, found.tried)
    assert SAMPLED <= found.tried < 2 * SAMPLED


def test_outputs_from_all_of_a_file_are_tried():
    found = find_fit(
        gathered(["[book_table(", *["?("] * 99] + ["[book_table(seats=2)]"] * 900, "hermes").unread,
        beside="hermes",
    )
    assert found is not None
    assert (found.decoder, 10 * found.read > 8 * found.tried) == ("python", True)


def test_a_name_with_underscores_for_dots_is_an_offered_one():
    tools = read_tools(["math.area"])
    assert find_fit([("[math_area(x=1)]", tools, "python")], beside="hermes") == Fit("python", 1, 1)


def test_calls_of_tools_that_were_not_offered_do_not_make_a_decoder_fit():
    assert find_fit([("[other(x=1)]", TOOLS, "python")], beside="hermes") is None
    assert find_fit([], beside="hermes") is None


@given(
    st.lists(st.sampled_from(["", "No.", "[book_table(seats=2)]", "[book_table(seats=", "?"]), max_size=12)
)
def test_the_counts_do_not_depend_on_the_order(outputs):
    one, other = gathered(outputs).finish(), gathered(outputs[::-1]).finish()
    assert (one.n, one.commonest, one.counts, one.unread, one.called) == (
        other.n, other.commonest, other.counts, other.unread, other.called,
    )  # fmt: skip
    assert one.commonest == max(map(outputs.count, outputs), default=0)


def test_a_fit_says_how_much_it_reads():
    assert find_fit([("[book_table()]", TOOLS, "python"), ("?", TOOLS, "python")], beside="json") == Fit(
        "python", 1, 2
    )
