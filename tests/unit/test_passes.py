from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.errors import UsageError
from faircall.passes import Passes, count_outcomes, read_share
from faircall.report.passes import share_sentence, threshold_sentence

COUNTS = st.integers(0, 10_000)


def test_a_share_is_of_what_was_judged():
    found = count_outcomes(["pass", "pass", "pass", "fail", "void"])
    assert found == Passes(passed=3, failed=1, void=1)
    assert (found.judged, found.n, found.bounds) == (4, 5, (0.6, 0.8))
    # statsmodels 0.14: proportion_confint(3, 4, method="wilson")
    assert found.share == pytest.approx((0.75, 0.30064184, 0.95441274), abs=1e-8)


def test_nothing_judged_is_not_zero():
    for found in (Passes(), Passes(void=3)):
        assert found.share is None
        assert not found.meets(0.0)
    assert Passes().bounds is None
    assert Passes(void=3).bounds == (0.0, 1.0)


@given(COUNTS, COUNTS, COUNTS, st.fractions(0, 1, max_denominator=1000))
def test_a_share_meets_itself_and_nothing_above(passed, failed, void, minimum):
    found = Passes(passed, failed, void)
    if found.judged:
        assert found.meets(passed / (passed + failed))
        exact = Fraction(passed, passed + failed)
        assert found.meets(float(minimum)) is (exact >= minimum)


@given(COUNTS, COUNTS, COUNTS)
def test_void_cases_never_move_the_verdict(passed, failed, void):
    for minimum in (0.0, 0.5, 1.0):
        assert Passes(passed, failed).meets(minimum) is Passes(passed, failed, void).meets(minimum)


@pytest.mark.parametrize("text", ["1.5", "-0.1", "nan", "inf", "90%", "", "much"])
def test_what_is_no_share(text):
    with pytest.raises(UsageError, match="--fail-under takes a share from 0 to 1"):
        read_share(text, option="--fail-under")


@pytest.mark.parametrize(
    ("found", "minimum", "said"),
    [
        (Passes(9, 1, 0), 0.9, "met"),
        (Passes(9, 1, 1), 0.9, "met, but not if what is void failed"),
        (Passes(8, 2, 0), 0.9, "not met"),
        (Passes(8, 2, 10), 0.9, "not met, but it would be if what is void passed"),
        (Passes(0, 0, 2), 0.0, "not met, nothing was judged"),
        (Passes(), 0.0, "not met, nothing was judged"),
    ],
)
def test_a_threshold_says_what_void_cases_could_change(found, minimum, said):
    option = "--fail-under"
    assert threshold_sentence(found, minimum, option=option) == f"{option} {minimum} (of the judged): {said}"


def test_sentences():
    assert share_sentence(Passes()) == "there are no cases"
    assert share_sentence(Passes(void=2)) == "none of 2 could be judged: all are void"
    assert share_sentence(Passes(3, 1)) == "3 of 4 judged pass: 75.00 % (95 % interval 30.1-95.4)"
    assert share_sentence(Passes(3, 1, 1)).endswith("; 1 void (60.00-80.00 % if it failed or passed)")
    assert share_sentence(Passes(3, 1, 2)).endswith("; 2 void (50.00-83.33 % if they failed or passed)")
