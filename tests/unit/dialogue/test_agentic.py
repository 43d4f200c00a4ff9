"""Verdicts on agentic entries: which of the stored steps is the answer, officially and fairly."""

from __future__ import annotations

import json

import pytest

from faircall.dialogue.agentic import mentions, verdict_of_answer
from faircall.dialogue.steps import read_steps
from faircall.profiles import load_profile
from faircall.schema import read_tools

OFFICIAL, FAIR = "official-2026.3.23", "fair-1"
TOOLS = read_tools([
    {"name": "find", "parameters": {"properties": {"query": {"type": "string"}}, "required": ["query"]}}
])  # fmt: skip
FIND = [{"find": json.dumps({"query": "Lima"})}]
ANSWER = "{'answer': 'Lima', 'context': 'The page says so.'}"


def judge(stored, profile=FAIR, *, accepted=("Lima",), decoder="tool-calls"):
    steps = read_steps(stored, TOOLS, decoder=decoder)
    return verdict_of_answer(steps, accepted, load_profile(profile), {"find"})


@pytest.mark.parametrize(
    ("stored", "official", "fair", "reason"),
    [
        ([[FIND, ANSWER]], "pass", "pass", "answer-asserted"),
        ([[ANSWER]], "pass", "pass", "answer-asserted"),
        ([[FIND, "It is not Lima."]], "pass", "fail", "answer-denied"),
        ([[FIND, "Lima or Cusco"]], "pass", "fail", "several-answers"),
        ([["I think of Lima.", FIND]], "pass", "fail", "no-final-answer"),
        ([[FIND]], "fail", "fail", "no-final-answer"),
        ([[]], "fail", "fail", "no-final-answer"),
        ([], "fail", "fail", "wrong-number-of-turns"),
        ([[ANSWER], [ANSWER]], "fail", "fail", "wrong-number-of-turns"),
        ([[FIND, {"answer": "Lima", "context": "The page says so."}]], "pass", "pass", "answer-asserted"),
        ([[FIND, [{"type": "text", "text": "It is Lima."}]]], "pass", "pass", "answer-asserted"),
        ([[FIND, {"role": "assistant", "content": "It is Lima."}]], "pass", "pass", "answer-asserted"),
        (ANSWER, "fail", "fail", "no-dialogue"),
        ([ANSWER], "fail", "pass", "answer-asserted"),
        ([[FIND, ""]], "fail", "fail", "empty-output"),
        ([[[{"find": '{"query": "Lima"'}]]], "pass", "fail", "truncated"),
        ("Error during inference: Error code: 429", "fail", "void", "harness-error"),
        ([["Error during inference: Error code: 429"]], "fail", "void", "harness-error"),
    ],
)
def test_which_step_is_the_answer(stored, official, fair, reason):
    assert judge(stored, OFFICIAL).outcome == official
    verdict = judge(stored)
    assert (verdict.outcome, verdict.reason) == (fair, reason)


@pytest.mark.parametrize("text", ["answer(value='Lima')", "final_answer('Lima')"])
def test_words_that_look_like_a_call_are_malformed_and_not_missing(text):
    stored = [[text]]
    assert judge(stored, OFFICIAL, decoder="python").official_error == "agentic:no_last_message"
    verdict = judge(stored, decoder="python")
    assert (verdict.outcome, verdict.state, verdict.reason) == ("fail", "MALFORMED", "invented-tool")


@pytest.mark.parametrize(
    "decoder", ["python", "hermes", "json", "llama-json", "xlam", "auto", "tool-calls", "phi"]
)
def test_the_object_that_the_prompt_asks_for_is_an_answer_under_every_decoder(decoder):
    for text in (
        ANSWER,
        '{"answer": "Lima", "context": "x"}',
        '```json\n{"answer": "Lima", "context": "x"}\n```',
    ):
        assert judge([[text]], decoder=decoder).outcome == "pass"


@pytest.mark.parametrize("decoder", ["python", "hermes", "llama-json", "xlam", "auto"])
def test_a_broken_call_that_quotes_the_answer_is_no_answer(decoder):
    broken = {
        "python": "[find(query='Lima'",
        "hermes": '<tool_call>\n{"name": "find", "arguments": {"query": "Lima"',
        "llama-json": '{"name": "find", "parameters": {"query": "Lima"',
        "xlam": '[{"name": "find", "arguments": {"query": "Lima"',
        "auto": '<tool_call>\n{"name": "find", "arguments": {"query": "Lima"',
    }[decoder]
    assert judge([[broken]], OFFICIAL, decoder=decoder).outcome == "pass"
    verdict = judge([[broken]], decoder=decoder)
    assert (verdict.outcome, verdict.state) == ("fail", "MALFORMED")


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ("The trail is 35 km long.", "3.5", "3.5"),
        ("From 1914-1918", "1918", None),
        ("O'BRIEN", "o'brien", "o'brien"),
        ("20%", "20%", None),
        ("xLimax", "Lima", None),
    ],
)
def test_what_the_official_check_finds(text, answer, found):
    assert mentions(text, [answer]) == found


def test_switches_of_their_own():
    assert judge([[FIND, "It is not Lima."]], f"{FAIR}+answers=official").outcome == "pass"
    assert judge([[FIND, "It is not Lima."]], f"{OFFICIAL}+answers=fair").outcome == "fail"


@pytest.mark.parametrize(
    "text", ["Lima (Peru)", "Python (3)", "Michael (Mike)", "AI", "{'answer': 'AI', 'context': 'x'}"]
)
@pytest.mark.parametrize("decoder", ["python", "hermes", "tool-calls", "auto"])
def test_answers_that_look_like_something_else_to_a_decoder(text, decoder):
    accepted = ["Lima", "Python", "Michael", "AI"]
    assert judge([[text]], accepted=accepted, decoder=decoder).outcome == "pass"


def test_words_beside_a_call_may_answer_and_words_in_it_do_not():
    for text in ("It is Lima (from find(query='capital')).", "{'answer': 'Lima'}\n[find(query='x')]"):
        assert judge([[text]], decoder="python").outcome == "pass"
    assert judge([["Let me call find(query='Lima') once more."]], decoder="python").outcome == "fail"
