"""Properties of the fair decoders: they never raise, say what they read, and read back what was written."""

from __future__ import annotations

import json
import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.decoding import DECODERS, decode
from faircall.decoding.fences import find_fences
from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_json, read_python_literal
from faircall.decoding.reasoning import set_aside

NAMES = [*DECODERS, "auto"]

PIECES = [
    "[", "]", "(", ")", "{", "}", "<", ">", ",", ":", "=", "'", '"', "`", "```", "```python\n", "\n", " ", "\\",
    "f", "f(", "f(x=1)", "g.h(", "x=", "-", "**", "*", "1", "0x", "1e9", "'a'", "None", "true", "lambda", "for",
    '{"name": "f", "arguments": {}}', '{"name":', '"arguments": ', "[]", "{}", "null", "NaN", "and so on. ",
    "<think>", "</think>", "<tool_call>", "</tool_call>", "<|tool_call|>", "<|/tool_call|>", "[TOOL_CALLS]",
    "[ARGS]", "<TOOLCALL>", "</TOOLCALL>", "functools", "<function_call>", "<tool_calls>", "</tool_calls>",
    "<start_function_call>", "call:f{", "<escape>", "<end_function_call>", "<|tool_call_start|>",
    "<|tool_call_end|>", "<<function>>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<functions>",
    '<function name="f">', '<param name="x" value="1" type="integer"/>', "</function>", "</functions>",
    "<!DOCTYPE a>", "&", "Action:", "<|START_ACTION|>", "<|END_ACTION|>", "<|python_tag|>", "print(",
    "default_api.", "<|channel|>analysis<|message|>", "<|end|>", "new int[]", "=> ", "function(", "é", "\ud83d",
    "\0", "\u200b", "\r\n",
]  # fmt: skip

texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=20).map("".join),
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = [
    "name", "arguments", "function", "parameters", "type", "tool_calls", "content", "text", "input", "functionCall",
    "args", "role", "toolUse", "tool_name", "parts", "message", "choices", "output", "thought", "f",
]  # fmt: skip
stored = st.recursive(
    st.sampled_from(["f", "function", "tool_use", "text", "{}", '{"x": 1}', '{"x":', "", None, 3, True, 1.5]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=10,
)
outputs = st.one_of(texts, json_values, stored, st.lists(texts, max_size=3))
tool_lists = st.sampled_from(
    [
        (),
        ["f", "get-it"],
        [{"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}}}],
    ]
)


@pytest.mark.parametrize("decoder", NAMES)
@settings(max_examples=25, deadline=None)
@given(output=outputs, tools=tool_lists, language=st.sampled_from(["python", "java", "javascript"]))
def test_decoding_never_raises(decoder, output, tools, language):
    decoded = decode(output, decoder, tools=tools, language=language)
    assert decoded.decoder in DECODERS
    if decoder != "auto":
        assert decoded.decoder == decoder
    if decoded.error is not None:
        assert not decoded.calls
        assert decoded.error.message
        assert decoded.error.position >= 0
        if isinstance(output, str):
            assert decoded.error.position <= len(output)
    for call in decoded.calls:
        assert call.name
        assert isinstance(call.arguments, dict)


@pytest.mark.parametrize("decoder", NAMES)
@settings(max_examples=20, deadline=None)
@given(text=texts)
def test_no_calls_and_no_error_only_where_an_empty_list_is_written(decoder, text):
    decoded = decode(text, decoder)
    if decoded.error is None and not decoded.calls:
        assert any(sign in text for sign in ("[]", "[", "()", "<functions", "no_function"))


@settings(max_examples=200)
@given(texts)
def test_setting_reasoning_aside_keeps_positions(text):
    blanked, spans = set_aside(text)
    assert len(blanked) == len(text)
    assert all(text[span.start : span.end] == span.text for span in spans)
    for before, after in zip(text, blanked, strict=True):
        assert after in (before, " ")


@settings(max_examples=200)
@given(texts)
def test_fences_are_in_order_and_in_bounds(text):
    at = 0
    for fence in find_fences(text):
        assert at <= fence.start <= fence.body_start <= fence.body_end <= fence.end <= len(text)
        at = fence.end


@settings(max_examples=200)
@given(json_values)
def test_json_reads_back(value):
    written = json.dumps(value)
    assert read_json(written) == (value, len(written))


@settings(max_examples=100)
@given(st.dictionaries(st.text(max_size=5), json_values, max_size=3), st.data())
def test_json_that_is_cut_off_is_truncated(value, data):
    written = json.dumps(value)
    cut = data.draw(st.integers(0, len(written) - 1))
    with pytest.raises(LiteralError) as failed:
        read_json(written[:cut])
    assert failed.value.truncated


python_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    | st.tuples(inner, inner),
    max_leaves=8,
)  # fmt: skip
identifiers = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in {"true", "false", "null"}
)
call_lists = st.lists(
    st.tuples(
        st.lists(identifiers.filter(lambda name: not keyword.iskeyword(name)), min_size=1, max_size=3).map(
            ".".join
        ),
        st.dictionaries(identifiers, python_values, max_size=3),
    ),
    max_size=3,
)


@settings(max_examples=200)
@given(python_values)
def test_python_literals_read_back(value):
    written = repr(value)
    assert read_python_literal(written) == (value, len(written))


def written_python(calls):
    return ", ".join(
        f"{name}({', '.join(f'{key}={value!r}' for key, value in args.items())})" for name, args in calls
    )


@settings(max_examples=150)
@given(call_lists, st.sampled_from(["[{}]", "```python\n[{}]\n```", "<think>so</think>\n[{}]\n", "`[{}]`"]))
def test_python_call_lists_read_back(calls, wrapper):
    decoded = decode(wrapper.replace("{}", written_python(calls)), "python")
    assert decoded.error is None
    assert [(call.name, call.arguments) for call in decoded.calls] == calls


@settings(max_examples=100)
@given(call_lists.filter(bool), st.data())
def test_a_call_list_that_is_cut_off_is_never_read(calls, data):
    written = f"[{written_python(calls)}]"
    decoded = decode(written[: data.draw(st.integers(1, len(written) - 1))], "python")
    assert decoded.error is not None


json_calls = st.lists(
    st.tuples(identifiers, st.dictionaries(st.text(max_size=5), json_values, max_size=3)),
    min_size=1,
    max_size=3,
).filter(lambda calls: not set_aside(json.dumps(calls))[1])
"""Calls in JSON protocols, none of whose texts holds a mark that ends a stretch of reasoning."""
WRITERS = {
    "json": lambda calls: json.dumps([{"function": name, "parameters": args} for name, args in calls]),
    "hermes": lambda calls: "\n".join(
        f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>" for name, args in calls
    ),
    "mistral": lambda calls: "[TOOL_CALLS]" + json.dumps([{"name": n, "arguments": a} for n, a in calls]),
    "granite": lambda calls: "<|tool_call|>" + json.dumps([{"name": n, "arguments": a} for n, a in calls]),
    "llama-json": lambda calls: "; ".join(json.dumps({"name": n, "parameters": a}) for n, a in calls),
    "deepseek": lambda calls: "<｜tool▁calls▁begin｜>" + "".join(
        f"<｜tool▁call▁begin｜>{n}<｜tool▁sep｜>{json.dumps(a)}<｜tool▁call▁end｜>" for n, a in calls
    ) + "<｜tool▁calls▁end｜>",
    "glm": lambda calls: "\n".join(f"{n}\n{json.dumps(a)}" for n, a in calls),
    "tool-calls": lambda calls: [{name: json.dumps(args)} for name, args in calls],
}  # fmt: skip


@pytest.mark.parametrize("decoder", WRITERS)
@settings(max_examples=40)
@given(calls=json_calls)
def test_json_protocols_read_back(decoder, calls):
    # An object that looks like a schema is rightly refused as one.
    decoded = decode(WRITERS[decoder](calls), decoder)
    assert decoded.error is None
    assert [(call.name, call.arguments) for call in decoded.calls] == calls


@pytest.mark.parametrize("decoder", WRITERS)
@settings(max_examples=20)
@given(calls=json_calls)
def test_auto_finds_the_calls_of_each_protocol(decoder, calls):
    decoded = decode(WRITERS[decoder](calls), "auto")
    assert [(call.name, call.arguments) for call in decoded.calls] == calls
