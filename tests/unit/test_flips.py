from __future__ import annotations

import json

import pytest

from faircall import flips as module
from faircall.flips import Flip, Flips, make_flip, write_flips
from faircall.types import Call, Outcome, Reason, Span, State, Verdict


def flip(id_, *, official=Outcome.PASS, fair=Outcome.FAIL, arguments=None):
    verdict = Verdict(
        Outcome.FAIL, State.CALLED, Reason.DECODED, "$.args.x", "Expected `1`, got `2`",
        calls=(Call("f", arguments or {"x": 2}, (1,)),), evidence=Span(0, 4, "f(2)"),
    )  # fmt: skip
    return make_flip(
        verdict, model="kite", category="multiple", id=id_, switch="numbers", official=official, fair=fair,
        states={"official": State.CALLED, "evidence": State.CALLED}, expected=[{"f": {"x": [1]}}],
    )  # fmt: skip


@pytest.mark.parametrize("in_memory", [10, 10_000_000])
def test_flips_come_back_as_they_were(monkeypatch, in_memory):
    monkeypatch.setattr(module, "_IN_MEMORY", in_memory)
    first = [flip("a"), flip("b", arguments={"x": "naïve \n\x1b"})]
    second = [flip("c")]
    kept = Flips()
    kept.add(write_flips(first))
    kept.add([])
    kept.add(write_flips(second))
    assert len(kept) == 3
    assert list(kept) == [*first, *second]
    assert [list(kept.of_run(number)) for number in range(3)] == [first, [], second]
    assert list(kept.of_run(0, first=1)) == first[:1]
    both = zip(kept, kept, strict=True)  # two readers do not disturb each other
    assert all(one == other for one, other in both)
    assert [json.loads(line) for line in kept.lines()] == list(kept.rows())


def test_those_first_whose_outcome_differs():
    still = flip("a", fair=Outcome.PASS)
    assert not still.moves
    assert [json.loads(line)["id"] for line in write_flips([still, flip("b"), flip("c")])] == ["b", "c", "a"]


def test_whatever_a_model_wrote_can_be_kept():
    odd = flip("a", arguments={"x": float("nan"), "y": "\ud800", "z": 10**400})
    kept = Flips()
    kept.add(write_flips([odd]))
    [back] = kept
    assert isinstance(back, Flip)
    assert back.calls == [{"f": {"x": "NaN", "y": "\ud800", "z": back.calls[0]["f"]["z"], "*": [1]}}]
