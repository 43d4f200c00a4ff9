from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.aggregate import POLICIES, Judged, Tally, decide
from faircall.gate import Judgement
from faircall.scoring import Wanted, verdict_on
from faircall.types import Outcome, Reason, State

STATES = st.sampled_from(list(State))
WANTED = {True: Wanted(State.CALLED), False: Wanted(State.ABSTAINED)}


def tally_of(category, states, *, missing=0):
    tally = Tally(category, n=len(states) + missing)
    tally.add_missing(missing)
    for number, state in enumerate(states):
        verdict = verdict_on(Judgement(state, Reason.DECODED, ""), WANTED[tally.wants_call])
        credit = dict.fromkeys(POLICIES, verdict.outcome is Outcome.PASS)
        tally.add(Judged(str(number), verdict, Reason.DECODED, credit))
    return tally


@pytest.mark.parametrize(
    ("category", "state", "correct"),
    [
        ("irrelevance", State.ABSTAINED, 1),
        ("irrelevance", State.MALFORMED, 0),
        ("irrelevance", State.CALLED, 0),
        ("live_relevance", State.CALLED, 1),
        ("live_relevance", State.MALFORMED, 0),
        ("live_relevance", State.ABSTAINED, 0),
    ],
)
def test_which_state_is_credited(category, state, correct):
    assert tally_of(category, [state]).figures(None)["correct"] == correct


def test_void_entries_are_neither_wrong_nor_dropped():
    tally = tally_of("irrelevance", [State.ABSTAINED, State.ERROR], missing=2)
    figures = tally.figures(None)
    assert (figures["n"], figures["void"], figures["correct"]) == (4, 3, 1)
    assert figures["accuracy"] == 1
    assert figures["bounds"] == [0.25, 1.0]
    assert figures["states"]["ERROR"] == 3
    assert tally.official_n == 2


def test_nothing_judged_has_no_accuracy():
    figures = tally_of("irrelevance", [], missing=3).figures(None)
    assert figures["accuracy"] is None
    assert figures["interval"] is None
    assert figures["bounds"] == [0, 1]


@given(st.lists(STATES, min_size=1), st.integers(0, 5))
def test_every_entry_is_counted_once(states, missing):
    figures = tally_of("irrelevance", states, missing=missing).figures(None)
    assert sum(figures["states"].values()) == sum(figures["reasons"].values()) == figures["n"]
    low, high = figures["bounds"]
    assert 0 <= low <= high <= 1


def test_a_run_that_never_calls_has_a_j_of_zero():
    for unwanted in ([State.ABSTAINED] * 9, [State.MALFORMED] * 9):
        decision = decide(
            [tally_of("irrelevance", unwanted), tally_of("live_relevance", [State.ABSTAINED] * 4)]
        )
        assert decision.j == 0
        assert not decision.attested


def test_a_perfect_run_has_a_j_of_one():
    decision = decide(
        [tally_of("irrelevance", [State.ABSTAINED] * 9), tally_of("live_relevance", [State.CALLED] * 4)]
    )
    assert decision.j == 1
    assert decision.attested


def test_without_one_side_there_is_no_j():
    decision = decide([tally_of("irrelevance", [State.ABSTAINED])])
    assert decision.relevance is None
    assert decision.j is None
    assert decide([tally_of("irrelevance", [State.ABSTAINED])], calls_elsewhere=True).attested


@given(st.lists(STATES, min_size=1), st.lists(STATES, min_size=1))
def test_j_lies_in_its_interval(unwanted, wanted):
    decision = decide([tally_of("irrelevance", unwanted), tally_of("live_relevance", wanted)])
    if decision.j is not None:
        low, high = decision.interval
        assert -1 <= low <= decision.j <= high <= 1
