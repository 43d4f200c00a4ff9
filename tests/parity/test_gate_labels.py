"""The gate against hand labels of real outputs, and the official policy against official verdicts."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from faircall.bfcl.models import find_model
from faircall.gate import judge
from faircall.gate.policies import decode_officially, literal_state, official_state
from faircall.types import State

pytestmark = pytest.mark.shared


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def confusion(rows, *, decoder=None):
    counts = Counter()
    for row in rows:
        info = find_model(row["model"])
        name = decoder or (info.decoder if info else "auto")
        counts[row["state"], judge(row["output"], row["tools"], decoder=name).state] += 1
    return counts


@pytest.mark.parametrize("decoder", [None, "auto", "python", "tool-calls", "hermes"])
def test_labels_of_2024(shared, decoder):
    """99 % right on abstained or not whatever protocol is declared, and at most one broken call credited."""
    counts = confusion(rows_of(shared / "gold" / "abstention_dev.jsonl"), decoder=decoder)
    judged = {key: n for key, n in counts.items() if key[0] != "AMBIGUOUS"}
    wrong = sum(n for (label, state), n in judged.items() if (label == "ABSTAINED") != (state == "ABSTAINED"))
    assert sum(judged.values()) == 478
    assert wrong <= 4
    assert counts["MALFORMED", State.ABSTAINED] <= 1


def test_labels_of_2025(shared):
    counts = confusion(rows_of(shared / "gold" / "abstention_dev_2025.jsonl"))
    wrong = sum(
        n
        for (label, state), n in counts.items()
        if label != "AMBIGUOUS" and (label == "ABSTAINED") != (state == "ABSTAINED")
    )
    assert wrong <= 1


def test_official_policy_gives_the_official_credit(shared):
    """Every labelled output of 2025 says whether the released tool credited it, and whether it raised."""
    for row in rows_of(shared / "gold" / "abstention_dev_2025.jsonl"):
        decoded = decode_officially(row["output"], decoder=find_model(row["model"]).decoder)
        assert (official_state(decoded) is State.ABSTAINED) == row["official_credited"], row["id"]
        assert (literal_state(decoded) is State.MALFORMED) == bool(row["official_raised"]), row["id"]


def test_cases_of_public_reports_get_the_state_they_should(shared):
    for row in rows_of(shared / "cases" / "single_turn.jsonl"):
        found = judge(row["output"], row["tools"], decoder=row["decoder"])
        assert found.state in row["want"]["state"], (row["id"], found)
