"""What an assistant said comes out of every interface's envelope, and nobody else's words do."""

from __future__ import annotations

import pytest

from faircall.decoding import decode
from faircall.decoding.envelopes import holds_other_voices, open_envelope

REFUSAL = "No tool here does that."
RIDE = {"name": "ride", "arguments": '{"to": "home"}'}

SAID = [
    {"role": "assistant", "content": REFUSAL},
    {"role": "assistant", "content": REFUSAL, "tool_calls": []},
    {"content": None, "refusal": REFUSAL},
    {
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": REFUSAL}, "finish_reason": "stop"}
        ]
    },
    {
        "object": "response",
        "output": [{"type": "message", "content": [{"type": "output_text", "text": REFUSAL}]}],
    },
    [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": REFUSAL}]},
    ],
    {"type": "message", "role": "assistant", "content": [{"type": "text", "text": REFUSAL}]},
    [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": REFUSAL}],
    {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": REFUSAL}]}}
        ]
    },
    {"parts": [{"text": REFUSAL}]},
    {"message": {"role": "assistant", "content": REFUSAL}},
    {"output": {"message": {"role": "assistant", "content": [{"text": REFUSAL}]}}},
    [{"role": "user", "content": "[ride(to='x')]"}, {"role": "assistant", "content": REFUSAL}],
    [{"role": "system", "content": "<tool_call>"}, {"role": "model", "parts": [{"text": REFUSAL}]}],
]
CALLED = [
    {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": RIDE}]},
    {"choices": [{"message": {"content": "", "tool_calls": [{"type": "function", "function": RIDE}]}}]},
    {"object": "response", "output": [{"type": "function_call", "call_id": "a", **RIDE}]},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "ride", "input": {"to": "home"}}],
    },
    {"candidates": [{"content": {"parts": [{"functionCall": {"name": "ride", "args": {"to": "home"}}}]}}]},
    {
        "output": {
            "message": {
                "role": "assistant",
                "content": [{"toolUse": {"name": "ride", "input": {"to": "home"}}}],
            }
        }
    },
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ride", "arguments": {"to": "home"}},
    },
    [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [{"type": "function", "function": RIDE}]},
    ],
]


@pytest.mark.parametrize("output", SAID)
def test_words(output):
    assert open_envelope(output) == [REFUSAL]


@pytest.mark.parametrize("output", CALLED)
def test_calls(output):
    found = decode(output, "tool-calls")
    assert [(call.name, call.arguments) for call in found.calls] == [("ride", {"to": "home"})]


@pytest.mark.parametrize(
    "output",
    [
        "text",
        None,
        3,
        [],
        {},
        [{"ride": {"to": "home"}}],
        [{"ride": "{}"}, "text"],
        {"choices": {"a": 1}},
        {"type": []},
    ],
)
def test_what_is_no_envelope_stays(output):
    assert open_envelope(output) is output


def test_nothing_said_and_an_empty_list_of_calls_are_told_apart():
    assert open_envelope({"role": "assistant", "content": ""}) == [""]
    assert open_envelope({"role": "assistant", "content": None, "tool_calls": []}) == []
    assert open_envelope([{"role": "user", "content": "go"}]) == [""]


def test_other_voices():
    assert holds_other_voices([{"role": "user", "content": "go"}])
    assert not holds_other_voices([{"role": "assistant", "content": "go"}, {"ride": {}}])
