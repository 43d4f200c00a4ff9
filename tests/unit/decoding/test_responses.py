"""What an assistant said comes out of every interface's envelope, and nobody else's words do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faircall import check
from faircall.decoding import decode
from faircall.decoding.responses import read_response

REFUSAL = "No tool here does that."
RIDE = {"name": "ride", "arguments": '{"to": "home"}'}
TOOL = {
    "name": "ride",
    "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
}

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
    assert read_response(output).items == [REFUSAL]


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
    assert read_response(output) is None


def test_nothing_said_and_an_empty_list_of_calls_are_told_apart():
    assert read_response({"role": "assistant", "content": ""}).items == [""]
    assert read_response({"role": "assistant", "content": None, "tool_calls": []}).items == []
    assert read_response([{"role": "user", "content": "go"}]).items == [""]


CASES = Path(__file__).parents[2] / "cases" / "responses.jsonl"
FAULTS = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("decoder", ["auto", "tool-calls"])
@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case["reason"])
def test_why_a_response_stopped_counts(case, decoder):
    verdict = check(case["output"], tools=["ride"], decoder=decoder)
    assert (verdict.state, verdict.reason) == (case["state"], case["reason"]), verdict.message
    assert (verdict.outcome == "void") is (case["state"] == "ERROR")


@pytest.mark.parametrize("tool", ["error", "message", "response", "output", "content", "result", "choices"])
def test_a_tool_may_have_the_name_of_a_part(tool):
    output = [{tool: {"message": "x", "type": "y"}}]
    assert decode(output, "tool-calls", tools=[tool]).calls[0].name == tool


def test_a_call_of_a_tool_named_error_is_no_error_of_the_endpoint():
    assert (
        decode({"error": {"message": "x", "code": 1}}, "tool-calls", tools=["error"]).calls[0].name == "error"
    )


ODD_CALLS = [
    ({"type": "custom_tool_call", "name": "sh", "input": "ls"}, ("sh", {"input": "ls"})),
    ({"type": "mcp_call", "name": "find", "arguments": '{"q": 1}', "output": "x"}, ("find", {"q": 1})),
    (
        {"type": "web_search_call", "status": "completed", "action": {"query": "x"}},
        ("web_search", {"query": "x"}),
    ),
    ({"type": "code_interpreter_call", "code": "1+1"}, ("code_interpreter", {"code": "1+1"})),
    (
        {"type": "server_tool_use", "name": "web_search", "input": {"query": "x"}},
        ("web_search", {"query": "x"}),
    ),
]


@pytest.mark.parametrize(("item", "call"), ODD_CALLS)
def test_calls_of_every_kind_of_item(item, call):
    aside = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "mcp_list_tools"},
    ]
    for output in (
        [*aside, item],
        {"object": "response", "output": [*aside, item, {"type": "function_call_output"}]},
    ):
        decoded = decode(output, "tool-calls")
        assert [(one.name, one.arguments) for one in decoded.calls] == [call]
        assert decoded.reasoning[0].text == "hm"


WRAPPED = [
    lambda body: {"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": None},
    lambda body: {"custom_id": "a", "result": {"type": "succeeded", "message": body}},
    lambda body: {"key": "a", "response": body},
    lambda body: {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": body},
]


@pytest.mark.parametrize("wrap", WRAPPED)
def test_lines_of_batches_and_serialised_messages(wrap):
    body = {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": RIDE}]}
    assert decode(wrap(body), "auto").calls[0].arguments == {"to": "home"}


def test_calls_that_a_message_lists_are_not_read_again_from_its_content():
    blocks = [
        {"type": "text", "text": "Going."},
        {"type": "tool_use", "name": "ride", "input": {"to": "home"}},
    ]
    listed = [{"name": "ride", "args": {"to": "home"}, "id": "a", "type": "tool_call"}]
    assert len(decode({"type": "ai", "content": blocks, "tool_calls": listed}, "auto").calls) == 1


def test_the_choice_of_index_0_is_read():
    choices = [{"index": 1, "message": {"content": REFUSAL}}]
    choices.append({"index": 0, "message": {"tool_calls": [{"function": RIDE}]}})
    assert decode({"choices": choices}, "auto").calls[0].name == "ride"
    assert decode({"choices": choices[::-1]}, "auto").calls[0].name == "ride"
    assert read_response({"choices": choices[:1]}).items == [REFUSAL]


def test_the_official_profile_reads_a_response_as_its_harness_stores_it():
    output = {"choices": [{"message": {"tool_calls": [{"function": RIDE}]}}]}
    for profile in ("fair-1", "official-2026.3.23"):
        verdict = check(
            output,
            tools=[TOOL],
            expected=[{"ride": {"to": ["home"]}}],
            decoder="tool-calls",
            profile=profile,
        )
        assert verdict.outcome == "pass", verdict


def test_text_in_a_response_is_read_by_the_protocol_of_the_model():
    text = '<tool_call>{"name": "ride", "arguments": {"to": "home"}}</tool_call>'
    output = {
        "choices": [
            {"message": {"role": "assistant", "content": text, "tool_calls": []}, "finish_reason": "stop"}
        ]
    }
    assert decode(output, "auto").decoder == "hermes"
    assert decode(output, "hermes").calls[0].arguments == {"to": "home"}


def test_a_stream_that_has_lost_its_beginning_is_truncated():
    chunks = [{"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{"}}}}]
    assert check(chunks, tools=["ride"]).reason == "truncated"


def test_text_of_a_model_that_looks_like_a_stream_stays_text():
    text = 'data: {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"name": "ride"}}]}}]}'
    assert check(text, tools=["ride"]).state != "CALLED"
