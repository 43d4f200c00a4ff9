"""Samples of a framework: what is read of them, the verdict on them, and what they add up to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from faircall.errors import InputError
from faircall.profiles import load_profile
from faircall.samples import Count, judge_sample, judged_row, read_sample

FAIR = load_profile("fair-1")
OFFICIAL = load_profile("official-2026.3.23")
RIDE = {
    "name": "ride",
    "parameters": {
        "type": "object",
        "properties": {"to": {"type": "string"}, "km": {"type": "integer", "default": 5}},
        "required": ["to"],
    },
}
KEY = '[{"ride": {"to": ["Lyon"]}}]'
TAGGED = '<tool_call>{"name": "ride", "arguments": {"to": "Lyon"}}</tool_call>'


def call(arguments, **more):
    return {"id": "1", "function": "ride", "arguments": arguments, **more}


def assistant(content="", calls=None, **more):
    message = {"role": "assistant", "content": content, "source": "generate", **more}
    return message if calls is None else {**message, "tool_calls": calls}


def sample(*messages, target=KEY, **metadata):
    asked = [{"role": "user", "content": "Take me to Lyon."}]
    return {
        "id": "a",
        "target": target,
        "metadata": {"tools": [RIDE], **metadata},
        "messages": [*asked, *messages],
    }


def verdict(*messages, profile=FAIR, decoder="auto", **more):
    return judge_sample(read_sample(sample(*messages, **more)), profile, decoder=decoder)


@pytest.mark.parametrize(
    ("message", "outcome", "state", "reason"),
    [
        (assistant(calls=[call({"to": "Lyon"})]), "pass", "CALLED", "decoded"),
        (assistant(calls=[call({"to": "Lyon", "km": 5})]), "pass", "CALLED", "decoded"),
        (assistant(calls=[call({"to": "Lyon", "km": 6})]), "fail", "CALLED", "unexpected-argument"),
        (assistant("On it.", [call({"to": "Lyon"})]), "pass", "CALLED", "decoded"),
        (assistant("No tool here sells tickets."), "fail", "ABSTAINED", "prose"),
        (assistant(""), "fail", "MALFORMED", "empty-output"),
        (
            assistant([{"type": "reasoning", "reasoning": "[ride(to='Lyon')]"}]),
            "fail", "MALFORMED", "empty-output",
        ),
        (assistant([{"type": "text", "text": TAGGED}]), "pass", "CALLED", "decoded"),
        (assistant(calls=[call({}, parse_error="Error parsing: {\"to\": ")]), "fail", "MALFORMED", "syntax-error"),
    ],
)  # fmt: skip
def test_verdicts(message, outcome, state, reason):
    found = verdict(message)
    assert (found.outcome, found.state) == (outcome, state)
    if outcome == "pass" or state != "CALLED":
        assert found.reason == reason


@pytest.mark.parametrize("decoder", ["auto", "tool-calls", "hermes"])
def test_a_tagged_call_left_in_the_text_is_no_abstention(decoder):
    found = verdict(assistant(TAGGED), target="[]", decoder=decoder)
    assert (found.outcome, found.state) == ("fail", "MALFORMED" if decoder == "tool-calls" else "CALLED")


def test_a_call_that_could_not_be_parsed_is_no_abstention_either():
    broken = assistant(calls=[call({}, parse_error='Error parsing {"to"')])
    found = verdict(broken, target="[]")
    assert (found.outcome, found.state) == ("fail", "MALFORMED")
    assert found.evidence.text == 'Error parsing {"to"'
    # The official check credits it, as it does every output that cannot be decoded.
    assert verdict(broken, target="[]", profile=OFFICIAL).outcome == "pass"
    assert verdict(broken, target="[]", profile=load_profile("fair-1+gate=literal")).outcome == "fail"


def test_one_broken_call_beside_a_sound_one_is_malformed():
    found = verdict(assistant(calls=[call({"to": "Lyon"}), call({}, parse_error="x")]))
    assert found.state == "MALFORMED"


def test_messages_of_the_input_are_not_the_models():
    shown = assistant(calls=[call({"to": "Lyon"})], source="input")
    assert verdict(shown, assistant("No.")).state == "ABSTAINED"
    assert verdict(shown).outcome == "void"
    # Only what follows the last question is the answer to it.
    again = {"role": "user", "content": "And now?"}
    assert verdict(assistant(calls=[call({"to": "Nice"})]), again, assistant("No.")).state == "ABSTAINED"


def test_calls_of_all_messages_after_the_input_are_taken_together():
    result = {"role": "tool", "content": "ok"}
    two = json.dumps([{"ride": {"to": ["Lyon"]}}, {"ride": {"to": ["Nice"]}}])
    first, second = (assistant(calls=[call({"to": town})]) for town in ("Nice", "Lyon"))
    assert verdict(first, result, second, assistant("Both are booked."), target=two).outcome == "pass"


def test_no_message_and_an_error_are_void():
    assert (verdict().outcome, verdict().reason) == ("void", "missing")
    failed = judge_sample(read_sample({**sample(), "error": {"message": "rate limit"}}), FAIR)
    assert (failed.outcome, failed.reason, failed.message) == ("void", "harness-error", "rate limit")


@pytest.mark.parametrize(
    ("target", "metadata", "expected"),
    [
        (KEY, {}, [{"ride": {"to": ["Lyon"]}}]),
        ([KEY], {}, [{"ride": {"to": ["Lyon"]}}]),
        ('{"ride": {"to": "Lyon"}}', {}, [{"ride": {"to": "Lyon"}}]),
        ("[]", {}, []),
        ("any-call", {}, "any-call"),
        ('"any-call"', {}, "any-call"),
        ("", {"category": "irrelevance"}, []),
        ("", {"category_name": "live_relevance"}, "any-call"),
        ("", {"parsed_ground_truth": [{"ride": {}}]}, [{"ride": {}}]),
        (KEY, {"expected": []}, []),
    ],
)
def test_what_is_expected(target, metadata, expected):
    assert read_sample(sample(target=target, **metadata)).expected == expected


def test_a_category_of_the_benchmark_says_the_language():
    # inspect_evals writes `js`.
    assert read_sample(sample(category_name="simple_javascript", language="js")).language == "javascript"
    assert read_sample(sample(language="java")).language == "java"


@pytest.mark.parametrize("target", ["", "Lyon", "7", "[1]", ["[]", "[]"], None])
def test_without_expected_calls_one_line_says_what_is_missing(target):
    with pytest.raises(InputError, match=r"^sample a: no expected calls; write them as JSON in the target"):
        read_sample(sample(target=target))


def test_without_tools_one_line_says_what_is_missing():
    with pytest.raises(InputError, match=r"^sample a: no tools; put them under `tools`"):
        read_sample({**sample(), "metadata": {}})
    assert read_sample({**sample(), "metadata": {}}, tools=[RIDE]).tools[0].name == "ride"
    assert read_sample({**sample(), "metadata": {"tools": []}}).tools == ()


@pytest.mark.parametrize(
    "messages", [[1], "no", [{"content": "a"}], [{"role": "assistant", "tool_calls": [{}]}]]
)
def test_messages_of_another_shape_are_refused(messages):
    with pytest.raises(InputError, match="messages that cannot be read"):
        read_sample({**sample(), "messages": messages})


def test_any_call_wants_some_call():
    assert verdict(assistant(calls=[call({"to": "Nice"})]), target="any-call").outcome == "pass"
    assert verdict(assistant("No."), target="any-call").outcome == "fail"


@given(st.text())
def test_whatever_a_message_says_there_is_a_verdict(text):
    for target in (KEY, "[]"):
        assert verdict(assistant(text), target=target).outcome in {"pass", "fail", "void"}
        broken = verdict(assistant(calls=[call({}, parse_error="x" + text)]), target=target)
        assert (broken.outcome, broken.state) == ("fail", "MALFORMED")


def counted(*rows):
    count = Count()
    for id_, outcome, state, wanted in rows:
        count.add(id_, {"outcome": outcome, "state": state, "reason": "x", "wanted": wanted})
    return count


def test_counts_keep_void_apart():
    count = counted(
        ("a", "pass", "CALLED", "CALLED"), ("b", "void", "ERROR", "CALLED"), ("c", "fail", "CALLED", "ABSTAINED"),
        ("d", "void", "CALLED", "ABSTAINED"),
    )  # fmt: skip
    figures = count.as_json()
    assert (figures["n"], figures["correct"], figures["void"], figures["accuracy"]) == (4, 1, 2, 0.5)
    assert figures["bounds"] == [0.25, 0.75]
    assert figures["states"] == {"ABSTAINED": 0, "MALFORMED": 0, "CALLED": 2}
    # It calls wherever it is asked, whether or not a call is wanted.
    assert figures["decision"]["J"] == 0


def test_nothing_judged_is_no_figure_and_not_0():
    figures = counted(("a", "void", "ERROR", "CALLED")).as_json()
    assert figures["accuracy"] is None
    assert figures["interval"] is None
    assert figures["decision"]["J"] is None


def test_a_question_asked_again_does_not_narrow_the_interval():
    once = counted(("a", "pass", "CALLED", "CALLED"), ("b", "fail", "CALLED", "CALLED"))
    rows = [("a", "pass", "CALLED", "CALLED"), ("b", "fail", "CALLED", "CALLED")] * 10
    assert counted(*rows).accuracy == once.accuracy


def test_intervals_are_those_of_statsmodels():
    rows = [(str(number), "pass" if number < 7 else "fail", "CALLED", "CALLED") for number in range(10)]
    found = counted(*rows).accuracy
    assert (found.low, found.high) == pytest.approx(proportion_confint(7, 10, method="wilson"))


def test_a_row_says_what_was_wanted():
    read = read_sample(sample(assistant("No."), target="[]"))
    row = judged_row(read, judge_sample(read, FAIR))
    assert (row["outcome"], row["wanted"], row["state"]) == ("pass", "ABSTAINED", "ABSTAINED")
