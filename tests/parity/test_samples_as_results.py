"""What is judged as a sample of a task has the verdict that `faircall score` gives it as a stored result."""

from __future__ import annotations

from collections import Counter

import pytest

from faircall.bfcl.offering import EXECUTABLE, offered_categories, offers
from faircall.bfcl.questions import Questions
from faircall.keys import key_calls, replay_key, shorten_key
from faircall.profiles import load_profile
from faircall.reading import ReadAs, read_output
from faircall.rows import dump_json
from faircall.samples import judge_sample, read_sample
from faircall.schema import read_tools

PROTOCOL = ReadAs("tool-calls", "option", True)
REFUSAL = "None of the tools does that."


def outputs_of(offer):
    """The key, the same without what may be left out, with another value in it, twice; and a refusal."""
    yield []
    if not isinstance(offer.expected, list) or not offer.expected:
        yield [{offer.tools[0]["name"]: {}}] if offer.tools else []
        return
    calls = key_calls(offer.expected, read_tools(offer.documents), offer.language)
    key = replay_key(calls)
    yield key
    yield shorten_key(calls)
    yield [*key[:-1], {name: {**given, "not_there": 1} for name, given in key[-1].items()}]
    yield [*key, key[0]]


def as_sample(offer, calls):
    made = [{"function": name, "arguments": given} for call in calls for name, given in call.items()]
    message = {"role": "assistant", "content": "" if made else REFUSAL, "tool_calls": made}
    metadata = {
        "tools": offer.documents, "form": offer.form, "language": offer.language, "category": offer.category,
    }  # fmt: skip
    stored = {
        "id": offer.id,
        "target": dump_json(offer.expected),
        "metadata": metadata,
        "messages": [message],
    }
    return read_sample(stored)


@pytest.mark.parametrize("profile", ["fair-1", "official-2026.3.23"])
@pytest.mark.parametrize("category", [name for name in offered_categories() if name not in EXECUTABLE])
def test_the_same_verdict(data, category, profile):
    switches, questions = load_profile(profile), Questions(data)
    counts, wrong = Counter(), []
    for offer in offers(data, category):
        entry = data.entries(category)[offer.id]
        for calls in outputs_of(offer):
            stored = [{name: dump_json(given)} for call in calls for name, given in call.items()] or REFUSAL
            expected = read_output(entry, stored, questions, PROTOCOL).verdict(switches)
            found = judge_sample(as_sample(offer, calls), switches, decoder="tool-calls")
            counts[expected.outcome] += 1
            if (found.outcome, found.state, found.reason) != (
                expected.outcome,
                expected.state,
                expected.reason,
            ):
                wrong.append((offer.id, calls, expected, found))
    assert not wrong[:1]
    assert counts["pass"]
    assert counts["fail"]
