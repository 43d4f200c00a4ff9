"""Calls written in each provider's shapes come back the same: from a response, from its stream however it is cut."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall import assemble, check
from faircall.decoding import decode
from faircall.types import State

SCALARS = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,11}", fullmatch=True)
CALLS = st.lists(
    st.tuples(NAMES, st.dictionaries(st.text(max_size=6), VALUES, max_size=3)), min_size=1, max_size=4
)
WORDS = st.sampled_from(["", "I will look that up.", "Two things: é, 車, \N{GRINNING FACE}."])
CUTS = st.lists(st.integers(0, 200), max_size=12)


def pieces(text, cuts):
    """Cut a text at places given in any order, which leaves empty pieces too."""
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def chat_call(number, name, arguments):
    return {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def chat(calls, words):
    message = {"role": "assistant", "content": words or None}
    message["tool_calls"] = [chat_call(number, *call) for number, call in enumerate(calls)]
    return {
        "id": "c1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }


def chat_stream(calls, words, cuts):
    def chunk(delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""} if words else {"role": "assistant"})
    for piece in pieces(words, cuts) if words else ():
        yield chunk({"content": piece})
    queues = []
    for number, (name, arguments) in enumerate(calls):
        begun = {
            "index": number,
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": ""},
        }
        yield chunk({"tool_calls": [begun]})
        queues.append([(number, piece) for piece in pieces(json.dumps(arguments), cuts)])
    while any(queues):  # the pieces of parallel calls in turn
        for queue in queues:
            if queue:
                number, piece = queue.pop(0)
                yield chunk({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls")
    yield {"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 3}}


def responses_items(calls, words):
    if words:
        content = [{"type": "output_text", "text": words, "annotations": []}]
        yield {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
    for number, (name, arguments) in enumerate(calls):
        yield {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "name": name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }


def responses(calls, words):
    return {
        "id": "r",
        "object": "response",
        "status": "completed",
        "error": None,
        "output": [*responses_items(calls, words)],
    }


def responses_stream(calls, words, cuts, *, last=True):
    whole = responses(calls, words)
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    for place, item in enumerate(whole["output"]):
        begun = {**item, "status": "in_progress"}
        if item["type"] == "message":
            yield {
                "type": "response.output_item.added",
                "output_index": place,
                "item": {**begun, "content": []},
            }
            for piece in pieces(words, cuts):
                yield {
                    "type": "response.output_text.delta",
                    "output_index": place,
                    "content_index": 0,
                    "delta": piece,
                }
        else:
            yield {
                "type": "response.output_item.added",
                "output_index": place,
                "item": {**begun, "arguments": ""},
            }
            for piece in pieces(item["arguments"], cuts):
                yield {
                    "type": "response.function_call_arguments.delta",
                    "output_index": place,
                    "delta": piece,
                }
        yield {"type": "response.output_item.done", "output_index": place, "item": item}
    if last:
        yield {"type": "response.completed", "response": whole}


def anthropic_blocks(calls, words):
    yield {"type": "thinking", "thinking": "Which tool?", "signature": "c2ln"}
    if words:
        yield {"type": "text", "text": words}
    for number, (name, arguments) in enumerate(calls):
        yield {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}


def anthropic(calls, words):
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [*anthropic_blocks(calls, words)],
        "stop_reason": "tool_use",
        "stop_sequence": None,
    }


def anthropic_stream(calls, words, cuts):
    whole = anthropic(calls, words)
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
    yield {"type": "ping"}
    for place, block in enumerate(whole["content"]):
        if block["type"] == "tool_use":
            begun, deltas = {**block, "input": {}}, pieces(json.dumps(block["input"]), cuts)
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in deltas]
        elif block["type"] == "text":
            begun = {**block, "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"], cuts)]
        else:
            begun = {**block, "thinking": "", "signature": ""}
            deltas = [
                {"type": "thinking_delta", "thinking": piece} for piece in pieces(block["thinking"], cuts)
            ]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        yield {"type": "content_block_start", "index": place, "content_block": begun}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": place, "delta": delta}
        yield {"type": "content_block_stop", "index": place}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}}
    yield {"type": "message_stop"}


def gemini(calls, words):
    parts = [{"text": words}] if words else []
    parts += [{"functionCall": {"name": name, "args": arguments}} for name, arguments in calls]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}]
    }


def gemini_stream(calls, words, cuts):
    def chunk(*parts, **fields):
        return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "index": 0, **fields}]}

    for piece in pieces(words, cuts) if words else ():
        yield chunk({"text": piece})
    for name, arguments in calls:
        yield chunk({"functionCall": {"name": name, "args": arguments}})
    yield chunk(finishReason="STOP")


def mistral(calls, words):
    whole = chat(calls, words)
    for call in whole["choices"][0]["message"]["tool_calls"]:
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return whole


def mistral_stream(calls, words, cuts):
    for piece in pieces(words, cuts) if words else ():
        yield {
            "data": {
                "id": "c1",
                "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}],
            }
        }
    listed = [{**chat_call(number, *call), "index": number} for number, call in enumerate(calls)]
    choice = {"index": 0, "delta": {"tool_calls": listed}, "finish_reason": "tool_calls"}
    yield {"data": {"id": "c1", "choices": [choice]}}


def cohere(calls, words):
    message = {
        "role": "assistant",
        "tool_calls": [chat_call(number, *call) for number, call in enumerate(calls)],
    }
    if words:
        message["tool_plan"] = words
    return {"id": "c1", "finish_reason": "TOOL_CALL", "message": message}


def cohere_stream(calls, words, cuts):
    yield {"type": "message-start", "id": "c1", "delta": {"message": {"role": "assistant"}}}
    for piece in pieces(words, cuts) if words else ():
        yield {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": piece}}}
    for number, (name, arguments) in enumerate(calls):
        begun = {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": ""}}
        yield {"type": "tool-call-start", "index": number, "delta": {"message": {"tool_calls": begun}}}
        for piece in pieces(json.dumps(arguments), cuts):
            delta = {"message": {"tool_calls": {"function": {"arguments": piece}}}}
            yield {"type": "tool-call-delta", "index": number, "delta": delta}
        yield {"type": "tool-call-end", "index": number}
    yield {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}


def bedrock(calls, words):
    content = [{"text": words}] if words else []
    content += [
        {"toolUse": {"toolUseId": f"t{number}", "name": name, "input": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}


def bedrock_stream(calls, words, cuts):
    yield {"messageStart": {"role": "assistant"}}
    for place, block in enumerate(bedrock(calls, words)["output"]["message"]["content"]):
        if "text" in block:
            deltas = [{"text": piece} for piece in pieces(block["text"], cuts)]
        else:
            begun = {"toolUseId": block["toolUse"]["toolUseId"], "name": block["toolUse"]["name"]}
            yield {"contentBlockStart": {"contentBlockIndex": place, "start": {"toolUse": begun}}}
            written = json.dumps(block["toolUse"]["input"])
            deltas = [{"toolUse": {"input": piece}} for piece in pieces(written, cuts)]
        for delta in deltas:
            yield {"contentBlockDelta": {"contentBlockIndex": place, "delta": delta}}
        yield {"contentBlockStop": {"contentBlockIndex": place}}
    yield {"messageStop": {"stopReason": "tool_use"}}


def ollama(calls, words):
    listed = [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
    message = {"role": "assistant", "content": words, "tool_calls": listed}
    return {"model": "m", "message": message, "done": True, "done_reason": "stop"}


def ollama_stream(calls, words, cuts):
    for piece in pieces(words, cuts):
        yield {"model": "m", "message": {"role": "assistant", "content": piece}, "done": False}
    for call in ollama(calls, words)["message"]["tool_calls"]:
        yield {
            "model": "m",
            "message": {"role": "assistant", "content": "", "tool_calls": [call]},
            "done": False,
        }
    yield {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}


def langchain(calls, words):
    listed = [{"name": name, "args": arguments, "id": "a", "type": "tool_call"} for name, arguments in calls]
    return {"type": "ai", "content": words, "tool_calls": listed, "invalid_tool_calls": []}


def mcp(calls, words):
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for name, arguments in calls
    ]


def run(calls, words):
    listed = [chat_call(number, *call) for number, call in enumerate(calls)]
    action = {"type": "submit_tool_outputs", "submit_tool_outputs": {"tool_calls": listed}}
    return {"object": "thread.run", "status": "requires_action", "required_action": action}


WRITERS = {
    "chat": (chat, chat_stream),
    "responses": (responses, responses_stream),
    "anthropic": (anthropic, anthropic_stream),
    "gemini": (gemini, gemini_stream),
    "mistral": (mistral, mistral_stream),
    "cohere": (cohere, cohere_stream),
    "bedrock": (bedrock, bedrock_stream),
    "ollama": (ollama, ollama_stream),
    "langchain": (langchain, None),
    "mcp": (mcp, None),
    "run": (run, None),
}
STREAMED = [name for name, (_, stream) in WRITERS.items() if stream is not None]


def read(output, decoder="tool-calls"):
    decoded = decode(output, decoder)
    assert decoded.error is None, decoded.error
    return [(call.name, call.arguments) for call in decoded.calls]


@pytest.mark.parametrize("name", WRITERS)
@given(calls=CALLS, words=WORDS)
def test_calls_come_back_from_a_response(name, calls, words):
    response = WRITERS[name][0](calls, words)
    assert read(response) == read(response, "auto") == calls


@pytest.mark.parametrize("name", STREAMED)
@given(calls=CALLS, words=WORDS, cuts=CUTS)
def test_a_stream_is_joined_to_the_response(name, calls, words, cuts):
    whole, stream = WRITERS[name]
    chunks = list(stream(calls, words, cuts))
    joined = assemble(chunks)
    assert "stream_cut" not in joined
    joined.pop("usage", None)
    expected = whole(calls, words)
    if name == "mistral":
        expected = chat(calls, words)
    assert joined == {**expected, **{key: joined[key] for key in joined.keys() - expected.keys()}}
    assert joined.keys() - expected.keys() <= {"object"}
    assert read(chunks) == read(chunks, "auto") == read(joined) == calls


@pytest.mark.parametrize("name", STREAMED)
@given(calls=CALLS, words=WORDS, cuts=CUTS, data=st.data())
def test_a_stream_that_stops_in_the_middle_is_truncated(name, calls, words, cuts, data):
    chunks = list(WRITERS[name][1](calls, words, cuts))
    # Before the event that says how the response ended.
    endings = [
        n
        for n, chunk in enumerate(chunks)
        if 'stop_reason": "t' in json.dumps(chunk)
        or any(
            word in json.dumps(chunk)
            for word in (
                '"finish_reason": "',
                "finishReason",
                "messageStop",
                '"done": true',
                "response.completed",
            )
        )
    ]
    end = [n for n in endings if n > 0][:1] or [0]
    if end[0] == 0:
        return
    kept = data.draw(st.integers(1, end[0]))
    assert assemble(chunks[:kept])["stream_cut"] is True
    verdict = check(chunks[:kept])
    assert (verdict.state, verdict.reason) == (State.MALFORMED, "truncated")


@pytest.mark.parametrize("name", ["chat", "responses", "anthropic", "gemini", "cohere"])
@given(calls=CALLS, words=WORDS, cuts=CUTS)
def test_the_text_of_a_body_reads_as_its_events(name, calls, words, cuts):
    chunks = list(WRITERS[name][1](calls, words, cuts))
    events = [
        f"event: {chunk.get('type', 'message')}\r\ndata: {json.dumps(chunk)}\r\n\r\n" for chunk in chunks
    ]
    body = ": hello\n\n" + "".join(events) + "data: [DONE]\n\n"
    assert assemble(body) == assemble(body.encode()) == assemble(events) == assemble(chunks)
    lines = [f"data: {json.dumps(chunk)}" for chunk in chunks]
    assert assemble(lines) == assemble("\n".join(json.dumps(chunk) for chunk in chunks)) == assemble(chunks)


@given(calls=CALLS, words=WORDS, cuts=CUTS)
def test_a_response_without_its_last_event_is_made_of_the_others(calls, words, cuts):
    joined = assemble(responses_stream(calls, words, cuts, last=False))
    assert joined.pop("stream_cut") is True
    assert joined["output"] == responses(calls, words)["output"]


JUNK = st.sampled_from(
    [
        None,
        True,
        3,
        0.5,
        "",
        "x",
        [],
        {},
        [[]],
        [{}],
        {"type": []},
        {"error": {"message": "?"}},
        {"a": [None]},
    ]
)


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*path, index))


def replaced(value, path, junk):
    if not path:
        return junk
    copied = list(value) if isinstance(value, list) else dict(value)
    copied[path[0]] = replaced(copied[path[0]], path[1:], junk)
    return copied


@pytest.mark.parametrize("name", WRITERS)
@given(calls=CALLS, words=WORDS, cuts=st.lists(st.integers(0, 20), max_size=2), junk=JUNK, data=st.data())
def test_odd_structures_never_raise(name, calls, words, cuts, junk, data):
    whole, stream = WRITERS[name]
    streamed = stream is not None and data.draw(st.booleans())
    output = list(stream(calls, words, cuts)) if streamed else whole(calls, words)
    for _ in range(data.draw(st.integers(1, 2))):
        output = replaced(output, data.draw(st.sampled_from(list(places(output)))), junk)
    for decoder in ("auto", "tool-calls", "python"):
        verdict = check(output, tools=["f"], decoder=decoder)
        assert verdict.state in set(State)
    check(output, tools=["f"], decoder="tool-calls", profile="official-2026.3.23")
