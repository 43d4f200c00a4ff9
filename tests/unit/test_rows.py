from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from faircall.rows import call_row, dump_json, verdict_row
from faircall.types import Call, Outcome, Reason, Span, State, Verdict


def test_a_verdict_has_the_fields_of_the_contract_in_order():
    verdict = Verdict(
        Outcome.FAIL, State.CALLED, Reason.DECODED, calls=(Call("f", {"x": 1}),), evidence=Span(0, 1, "f")
    )
    row = verdict_row(verdict, id="a")
    assert list(row) == [
        "id", "outcome", "state", "reason", "path", "message", "calls", "filled", "evidence",
    ]  # fmt: skip
    assert json.loads(dump_json(row))["calls"] == [{"f": {"x": 1}}]


def test_positional_arguments_stand_under_a_star():
    assert call_row(Call("f", {"x": 1}, (2, "b"))) == {"f": {"x": 1, "*": [2, "b"]}}


def test_what_json_lacks_becomes_text():
    values = [float("nan"), float("-inf"), {1, 2}, b"x", 1j, "\ud83d"]
    assert json.loads(dump_json(values)) == ["NaN", "-Infinity", [1, 2], "b'x'", "1j", "\ud83d"]


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters())),
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner), st.tuples(inner)),
    )
)
def test_every_value_becomes_json_that_can_be_encoded(value):
    json.loads(dump_json(value).encode("utf-8"))
