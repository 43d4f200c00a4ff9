from __future__ import annotations

import pytest

from faircall.decoding import decode
from faircall.types import Reason


@pytest.mark.parametrize(
    ("output", "decoder"),
    [
        ("[f(x=1)]", "python"),
        ("```python\nf(x=1)\n```", "python"),
        ("[Lamp.dim(room=new Room(3))]", "java"),
        ("[on(then=(e) => { return e; })]", "javascript"),
        ('[{"name": "f", "arguments": {"x": 1}}]', "json"),
        ('{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}', "llama-json"),
        ('<tool_call>{"name": "f", "arguments": {}}</tool_call>', "hermes"),
        ("<tool_call>f\n<arg_key>x</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", "glm"),
        ('f\n{"x": 1}', "glm"),
        ('[TOOL_CALLS][{"name": "f", "arguments": {}}]', "mistral"),
        ('<|tool_call|>[{"name": "f", "arguments": {}}]', "granite"),
        ('functools[{"name": "f", "arguments": {}}]', "phi"),
        ('<function_call>{"name": "f", "arguments": {}}', "granite-20b"),
        ('Yes. <TOOLCALL>[{"name": "f", "arguments": {}}]</TOOLCALL>', "nemotron"),
        ('<tool_calls>[{"name": "f", "arguments": {}}]</tool_calls>', "mining"),
        ("<start_function_call>call:f{x:1}<end_function_call>", "functiongemma"),
        ("<|tool_call_start|>\n```python\nf(x=1)\n```\n<|tool_call_end|>", "minicpm"),
        ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜>", "deepseek"),
        ("<<function>>f(x=1)", "gorilla"),
        ("```tool_code\nprint(default_api.f(x=1))\n```", "gemini-prompt"),
        ('<|START_ACTION|>[{"tool_name": "f", "parameters": {}}]<|END_ACTION|>', "cohere"),
        ('<functions><function name="f"><param name="x" value="1"/></function></functions>', "verbose-xml"),
        ('<functions><function name="f"><param name="x">1</param></function></functions>', "concise-xml"),
        ([{"f": "{}"}], "tool-calls"),
        ([{"type": "tool_use", "name": "f", "input": {}}], "tool-calls"),
        ([], "tool-calls"),
        ("[]", "python"),
        ("<tool_call>[]</tool_call>", "hermes"),
        (["[f(x=1)]"], "python"),
    ],
)
def test_auto_says_what_fitted(output, decoder):
    tools = ["f", "g", "on", "Lamp.dim"]
    decoded = decode(output, tools=tools)
    assert (decoded.decoder, decoded.error) == (decoder, None)


@pytest.mark.parametrize(
    ("output", "decoder", "reason"),
    [
        ("I cannot help with that.", "python", Reason.SYNTAX_ERROR),
        ("[f(x=", "python", Reason.TRUNCATED),
        ('<tool_call>{"name": "f", "argu', "hermes", Reason.TRUNCATED),
        ('[{"name": "f", "arguments": {]', "json", Reason.SYNTAX_ERROR),
        ("[f(x=1+__import__('os').getpid())]", "python", Reason.UNSAFE_EXPRESSION),
        (["I cannot help with that."], "tool-calls", Reason.SYNTAX_ERROR),
        ("", "python", Reason.EMPTY_OUTPUT),
        (None, "tool-calls", Reason.EMPTY_OUTPUT),
    ],
)
def test_the_most_plausible_failure_is_told(output, decoder, reason):
    decoded = decode(output)
    assert (decoded.decoder, decoded.error.reason) == (decoder, reason)


def test_calls_to_offered_tools_are_preferred():
    output = 'call\n{"x": 1}'
    assert decode(output, tools=["call"]).decoder == "glm"


def test_the_language_decides_the_call_list():
    assert decode("[f(x=1)]", language="java").decoder == "java"
