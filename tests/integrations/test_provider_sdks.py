"""The objects of the providers' own libraries, read and written; each part needs its library and is skipped without."""

from __future__ import annotations

import json
import warnings

import pytest

from faircall import assemble, check, write_tools
from faircall.decoding import decode
from faircall.schema import read_tools
from faircall.types import Tool

RIDE = Tool(
    "ride",
    "Book a ride.",
    {
        "type": "object",
        "properties": {"to": {"type": "string", "description": "Where to."}, "km": {"type": "integer"}},
        "required": ["to"],
    },
)
ARGUMENTS = {"to": "home", "km": 5}
CALL = {"id": "call_1", "type": "function", "function": {"name": "ride", "arguments": json.dumps(ARGUMENTS)}}
EXPECTED = [{"ride": {"to": ["home"], "km": [5]}}]


def made(name, path="", **kwargs):
    """A class of a library, whose import may warn of what does not concern us."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = pytest.importorskip(name, **kwargs)
    return getattr(module, path) if path else module


def assert_read(output, count=1):
    assert [(call.name, call.arguments) for call in decode(output, "auto").calls] == [
        ("ride", ARGUMENTS)
    ] * count
    if count == 1:
        assert check(output, tools=[RIDE], expected=EXPECTED).outcome == "pass"


def test_openai_chat():
    completion = made("openai.types.chat", "ChatCompletion").model_validate({
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": None,
                     "message": {"role": "assistant", "content": None, "refusal": None, "tool_calls": [CALL]}}],
    })  # fmt: skip
    message = completion.choices[0].message
    for output in (
        completion,
        message,
        [message],
        message.tool_calls,
        completion.model_dump(),
        json.loads(completion.model_dump_json()),
    ):
        assert_read(output)


def test_openai_chat_chunks():
    chunk_of = made("openai.types.chat", "ChatCompletionChunk")
    written = CALL["function"]["arguments"]
    deltas = [
        {
            "role": "assistant",
            "tool_calls": [{"index": 0, **CALL, "function": {"name": "ride", "arguments": ""}}],
        }
    ]
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": letter}}]} for letter in written]
    chunks = [
        chunk_of.model_validate({
            "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        })
        for delta, reason in [*((delta, None) for delta in deltas), ({}, "tool_calls")]
    ]  # fmt: skip
    assert_read(chunks)
    made("openai.types.chat", "ChatCompletion").model_validate(
        {"created": 1, "model": "m", **assemble(chunks)}
    )
    assert check(chunks[:-1], tools=[RIDE]).reason == "truncated"


def test_openai_responses():
    call = {
        "type": "function_call",
        "id": "f",
        "call_id": "a",
        "name": "ride",
        "arguments": CALL["function"]["arguments"],
    }
    response = made("openai.types.responses", "Response").model_validate({
        "id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed", "tools": [],
        "tool_choice": "auto", "parallel_tool_calls": True,
        "output": [{"type": "reasoning", "id": "x", "summary": [{"type": "summary_text", "text": "hm"}]}, call],
    })  # fmt: skip
    for output in (response, response.output, response.model_dump(mode="json")):
        assert_read(output)
        assert decode(output, "auto").reasoning[0].text == "hm"


def test_anthropic():
    message_of = made("anthropic.types", "Message")
    block = {"type": "tool_use", "id": "t", "name": "ride", "input": ARGUMENTS}
    whole = {
        "id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "tool_use",
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, block],
    }  # fmt: skip
    message = message_of.model_validate(whole)
    for output in (message, message.content, message.model_dump()):
        assert_read(output)
    pydantic = made("pydantic")
    event_of = pydantic.TypeAdapter(made("anthropic.types", "RawMessageStreamEvent"))
    events = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}},
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": letter},
            }
            for letter in json.dumps(ARGUMENTS)
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 2},
        },
        {"type": "message_stop"},
    ]
    stream = [event_of.validate_python(event) for event in events]
    assert_read(stream)
    assert message_of.model_validate(assemble(stream)).content[0].input == ARGUMENTS


def test_gemini():
    types = made("google.genai.types")
    response = types.GenerateContentResponse.model_validate({
        "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"text": "hm", "thought": True}, {"functionCall": {"name": "ride", "args": ARGUMENTS}}]}}],
    })  # fmt: skip
    for output in (
        response,
        response.model_dump(),
        json.loads(response.model_dump_json(by_alias=True)),
        [response],
    ):
        assert_read(output)
    [listed] = write_tools([RIDE], "gemini")
    tool = types.Tool.model_validate(listed)
    [read] = read_tools([tool])
    assert (read.name, read.description) == ("ride", "Book a ride.")
    assert write_tools([read], "openai") == write_tools([RIDE], "openai")
    assert read_tools(types.GenerateContentConfig(tools=[tool]))[0].name == "ride"


def test_mistral():
    models = made("mistralai.client.models")
    for arguments in (ARGUMENTS, json.dumps(ARGUMENTS)):
        response = models.ChatCompletionResponse.model_validate({
            "id": "c", "object": "chat.completion", "created": 1, "model": "m",
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": "",
                         "tool_calls": [{"id": "abcdefghi", "function": {"name": "ride", "arguments": arguments}}]}}],
        })  # fmt: skip
        assert_read(response)
        assert_read(response.model_dump())
    tool = models.Tool.model_validate(write_tools([RIDE], "mistral")[0])
    assert read_tools([tool])[0].parameters == RIDE.parameters


def test_cohere():
    cohere = made("cohere")
    response = cohere.V2ChatResponse.model_validate({
        "id": "c", "finish_reason": "TOOL_CALL",
        "message": {"role": "assistant", "tool_plan": "hm", "tool_calls": [CALL]},
    })  # fmt: skip
    assert_read(response)
    assert decode(response, "auto").reasoning[0].text == "hm"
    tool = cohere.ToolV2.model_validate(write_tools([RIDE], "cohere")[0])
    assert read_tools([tool]) == (RIDE,)


def test_bedrock():
    loaders = made("botocore.loaders")
    model = made("botocore.model").ServiceModel(
        loaders.Loader().load_service_model("bedrock-runtime", "service-2")
    )
    validator = made("botocore.validate").ParamValidator()
    config = {"tools": write_tools([RIDE], "bedrock")}
    request = {"modelId": "m", "messages": [], "toolConfig": config}
    report = validator.validate(request, model.operation_model("Converse").input_shape)
    assert not report.has_errors(), report.generate_report()
    assert read_tools(request) == (RIDE,)
    content = [{"toolUse": {"toolUseId": "t", "name": "ride", "input": ARGUMENTS}}]
    output = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}
    whole = {
        **output,
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    }
    report = validator.validate(whole, model.operation_model("Converse").output_shape)
    assert not report.has_errors(), report.generate_report()
    assert_read(whole)


def test_mcp():
    types = made("mcp.types")
    tool = types.Tool.model_validate(write_tools([RIDE], "mcp")[0])
    assert read_tools([tool]) == (RIDE,)
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool.model_dump(by_alias=True)]}}
    assert read_tools(answer) == read_tools(types.ListToolsResult(tools=[tool])) == (RIDE,)
    asked = types.CallToolRequestParams(name="ride", arguments=ARGUMENTS)
    assert_read(types.CallToolRequest(method="tools/call", params=asked))


def test_langchain():
    messages = made("langchain_core.messages")
    message = messages.AIMessage(content="", tool_calls=[{"name": "ride", "args": ARGUMENTS, "id": "a"}])
    dumpd = made("langchain_core.load", "dumpd")
    for output in (
        message,
        [messages.HumanMessage("go"), message],
        messages.message_to_dict(message),
        dumpd(message),
    ):
        assert_read(output)
    broken = {"name": "ride", "args": '{"to": "ho', "id": "a", "error": "?"}
    assert (
        check(messages.AIMessage(content="", invalid_tool_calls=[broken]), tools=[RIDE]).reason == "truncated"
    )
    pieces = [("ride", ""), *((None, letter) for letter in json.dumps(ARGUMENTS))]
    chunks = [
        messages.AIMessageChunk(
            content="",
            tool_call_chunks=[{"name": name, "args": args, "id": "a" if name else None, "index": 0}],
        )
        for name, args in pieces
    ]
    chunks.append(messages.AIMessageChunk(content="", response_metadata={"finish_reason": "tool_calls"}))
    assert_read(chunks)


def test_langchain_tools():
    tool = made("langchain_core.tools", "tool")

    @tool
    def ride(to: str, km: int = 5) -> str:
        """Book a ride."""
        return to

    [read] = read_tools([ride])
    assert (read.name, read.description) == ("ride", "Book a ride.")
    assert read.parameters["required"] == ["to"]
    assert read.parameters["properties"]["km"]["default"] == 5


def test_ollama():
    ollama = made("ollama")
    call = {"function": {"name": "ride", "arguments": ARGUMENTS}}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    assert_read(ollama.ChatResponse.model_validate({"model": "m", "message": message, "done": True}))
    lines = [
        {"model": "m", "message": message, "done": False},
        {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True},
    ]
    assert_read([ollama.ChatResponse.model_validate(line) for line in lines])


def test_openai_and_anthropic_take_the_tools_that_are_written():
    pydantic = made("pydantic")
    params = made("openai.types.chat", "ChatCompletionFunctionToolParam")
    flat = made("openai.types.responses", "FunctionToolParam")
    other = made("anthropic.types", "ToolParam")
    for provider, kind in (("openai", params), ("openai-responses", flat), ("anthropic", other)):
        written = write_tools([RIDE], provider)
        assert pydantic.TypeAdapter(list[kind]).validate_python(written) == written
        assert read_tools(written) == (RIDE,)
