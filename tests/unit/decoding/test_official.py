"""What the official handlers return, by the quirks of each; every value here was seen to come from the release."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from faircall.decoding.official import decode_official, is_call_list
from faircall.decoding.official.answer import LANGUAGES
from faircall.decoding.table import DECODERS
from faircall.errors import UsageError
from faircall.types import Call, Reason


def value(output: Any, decoder: str = "python", language: str = "python", **options: bool) -> Any:
    decoded = decode_official(output, decoder, language=language, **options)
    assert decoded.error is None, decoded.error
    return decoded.value


def refused(output: Any, decoder: str = "python", language: str = "python", **options: bool) -> Any:
    decoded = decode_official(output, decoder, language=language, **options)
    assert decoded.error is not None, decoded.value
    assert decoded.value is None
    assert decoded.calls == ()
    return decoded.error


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("[book(day='Mon', seats=2)]", [{"book": {"day": "Mon", "seats": 2}}]),
        ("book(day='Mon'), pay()", [{"book": {"day": "Mon"}}, {"pay": {}}]),
        ("```\n[pay()]\n```", [{"pay": {}}]),
        ("'[pay()]'", None),
        ("[pay()]'", None),
        ("", []),
        ("[]", []),
        ("[pay(5, to='Ada')]", [{"pay": {"to": "Ada"}}]),
        ("[pay(to=Ada)]", [{"pay": {"to": "Ada"}}]),
        ("[pay(to=...)]", [{"pay": {"to": "..."}}]),
        ("[pay(n=-1, b=not True, c=~5, d=+5)]", [{"pay": {"n": -1, "b": -1, "c": -5, "d": -5}}]),
        ("[pay(n=- -1)]", None),
        ("[pay(at=(1, 2), by={'k': [None]})]", [{"pay": {"at": (1, 2), "by": {"k": [None]}}}]),
        ("[pay(at={1, 2})]", None),
        ("[pay(to=name(1, 'x'))]", [{"pay": {"to": "name(1, 'x')"}}]),
        ("[pay(to=name(1, first='x'))]", [{"pay": {"to": {"name": {"first": "x"}}}}]),
        ("[pay(to=rows[1:2])]", [{"pay": {"to": "rows[1:2]"}}]),
        ("[pay(to=a.b)]", None),
        ("[pay(**rest)]", [{"pay": {None: "rest"}}]),
        ("[bank.pay(a=1), bank().pay(a=1), bank()(a=1)]", [{"bank.pay": {"a": 1}}, {"pay": {"a": 1}}, {"": {"a": 1}}]),
        ("[pay(a=1, a=2)]", [{"pay": {"a": 2}}]),
        ("[pay(a=1), 5]", None),
        ("[pay(a=1)][0]", None),
        ("[[pay(a=1)]]", None),
        ("[pay(a=2 * 3 + 0.5)]", [{"pay": {"a": 6.5}}]),
        ("[pay(a='x' * 2 + 'y')]", [{"pay": {"a": "xxy"}}]),
        ("[pay(a=1 / 0)]", None),
        ("[pay(a=x ** 2)]", None),
        ("[pay(a='\\d')]", [{"pay": {"a": "\\d"}}]),
        ("[pay(a=1j, b=b'x')]", [{"pay": {"a": 1j, "b": b"x"}}]),
        ("I would call pay(a=1).", None),
        ('[{"name": "pay", "arguments": {}}]', None),
    ],
)  # fmt: skip
def test_python_call_lists(output: str, expected: Any) -> None:
    if expected is None:
        assert refused(output).reason is Reason.SYNTAX_ERROR
    else:
        found = value(output)
        assert repr(found) == repr(expected)
        assert is_call_list(found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('[book.seat(day="Mon", n=2L)]', [{"book.seat": {"day": "Mon", "n": "2L"}}]),
        ("[pay(to=new Name(\"Ada\", 'c'))]", [{"pay": {"to": "new Name(\"Ada\", 'c')"}}]),
        ("[pay(x -> x)]", [{"pay": {}}]),
        ("[bank.pay(rest)]", [{"bank.pay": {None: "rest"}}]),
        ("[bank.pay(a, b)]", None),
        ("[pay(a=1, a=2)]", None),
        ("[pay(a=new int[]{1, 2})]", [{"pay": {"a": "new int[]{1,2}"}}]),
        ("[pay(a=new int[2])]", None),
        ('[pay(a="é", b=12345)]', [{"pay": {"a": 'é"', "=": "2345)"}}]),  # bytes are taken for characters
        ("[a = 1]", None),
        ("[int a = 1;]", {}),
        ("[pay(a=1]", None),
        ("pay(a=1)", None),  # the grammar takes a bare name and one argument for another thing
        ("pay(a=1);", [{"pay": {"a": "1"}}]),
        ("pay(a=1, b=2)", [{"pay": {"a": "1", "b": "2"}}]),
    ],
)
def test_java_calls(source: str, expected: Any) -> None:
    if expected is None:
        refused(source, "java")
    else:
        assert value(source, "java") == expected
        assert value(source, "python", "java") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('[book.seat(day="Mon", n=2)]', [{"book.seat": {"day": "Mon", "n": "2"}}]),
        ("[pay(to={a: 'é'}, ok=true, go)]", [{"pay": {"to": "{a: 'é'}", "ok": "true", None: "go"}}]),
        ("[pay(true)]", [{"pay": {None: "true"}}]),
        ("[pay(false)]", [{"pay": {}}]),
        ("[pay(a, b)]", None),
        ("[x = 1]", "nothing"),
        ("[await pay(a=1)]", "nothing"),
        ("[pay(a=)]", None),
    ],
)
def test_javascript_calls(source: str, expected: Any) -> None:
    if expected is None:
        refused(source, "javascript")
    elif expected == "nothing":
        decoded = decode_official(source, "javascript")
        assert (decoded.error, decoded.value, decoded.calls) == (None, None, ())
    else:
        assert value(source, "javascript") == expected


@pytest.mark.parametrize(
    ("decoder", "output", "expected"),
    [
        ("json", 'Here: [{"function": "pay", "parameters": {"a": 1}}] ok', [{"pay": {"a": 1}}]),
        ("json", '[{"function": "pay", "parameters": {"a": 1}', []),
        ("json", '[{"name": "pay"}]', None),
        ("json", "[1, 2]", []),
        ("json", "[" + '{"a": 1}, ' * 40, []),
        (
            "verbose-xml",
            '<functions><function name="pay"><params><param name="a" value="3" type="integer"/>'
            '<param name="b" value="yes" type="boolean"/></params></function></functions>',
            [{"pay": {"a": 3, "b": False}}],
        ),
        (
            "concise-xml",
            'Ok <functions><function name="pay"><param name="a" type="array"> [1, (2,)] </param></function>'
            "</functions>",
            [{"pay": {"a": [1, (2,)]}}],
        ),
        (
            "concise-xml",
            '<functions><function name="pay"><param name="a" type="integer">x</param></function></functions>',
            None,
        ),
        ("verbose-xml", "<functions><function/></functions>", None),
        ("verbose-xml", "[pay()]", None),
    ],
)  # fmt: skip
def test_formats_of_the_prompt(decoder: str, output: str, expected: Any) -> None:
    language = decoder.replace("-", "_")
    for name, asked in ((decoder, "python"), ("python", language), ("phi-prompt", language)):
        if expected is None:
            refused(output, name, asked)
        else:
            assert value(output, name, asked) == expected


def test_tool_call_tags_of_the_prompt() -> None:
    output = "Sure. <TOOLCALL>\n[pay(a=1)]\n</TOOLCALL>"
    assert value(output, tool_call_tag=True) == [{"pay": {"a": 1}}]
    assert value(f"[pay(a=1)] {output}", "nemotron") == [{"pay": {"a": 1}}]
    refused("[pay(a=1)]", tool_call_tag=True)
    assert value("[pay(a=1)]", "nemotron") == []


CALL = '{"name": "pay", "arguments": {"a": 1}}'


@pytest.mark.parametrize(
    ("decoder", "output", "expected"),
    [
        ("hermes", f"<tool_call>\n{CALL}\n</tool_call>", [{"pay": {"a": 1}}]),
        ("hermes", f"<tool_call>{CALL}</tool_call>", []),
        ("hermes", "<tool_call>\n{broken\n</tool_call>", []),
        ("hermes", "<tool_call>\n[1]\n</tool_call>", None),
        ("falcon", f"<tool_call>```json\n{CALL}\n```", [{"pay": {"a": 1}}]),
        ("falcon", CALL, None),
        ("xlam", f"[{CALL}]", [{"pay": {"a": 1}}]),
        ("xlam", f"{CALL}; {CALL}", [{"pay": {"a": 1}}] * 2),
        ("bitagent", f"{CALL}; {CALL}", None),
        ("bitagent", CALL, [{"pay": {"a": 1}}]),
        ("hammer", f"```[{CALL}]```", [{"pay": {"a": 1}}]),
        ("hammer", f"```json\n[{CALL}]\n```", []),
        ("hammer", "I cannot.", []),
        ("hammer", CALL, None),
        ("think-agent", "<think>hm</think> [{'name': 'pay', 'arguments': {}}]", [{"pay": {}}]),
        ("think-agent", f"[{CALL}]", []),
        ("granite-20b", f"<function_call> {CALL}", [{"pay": {"a": 1}}]),
        ("granite-20b", '<function_call> {"name": "no_function"}', ["No function is called"]),
        ("granite-20b", "Hello <function_call> [1", ["Hello", "[1"]),
        ("granite-20b", "[1]", None),
        ("glm", 'pay\n{"a": 1}\nDone.', [{"pay": {"a": 1}}]),
        ("glm", "I cannot.", ["I cannot."]),
        ("glm", "I cannot.\nSorry.", None),
        ("llama-json", '<|python_tag|>{"name": "pay", "parameters": {"a": 1}}', [{"pay": {"a": 1}}]),
        ("llama-json", '{"name": "pay", "parameters": {"a": true}}', None),
        ("llama-json", '{"name": "p", "parameters": {}};{"name": "q", "parameters": []}', [{"p": {}}, {"q": []}]),
        ("llama-json", '{"name": "p", "parameters": {"a": true}};', None),
        ("llama-json", '{"name": "p", "parameters": {"a": "x; y"}}', None),
        ("llama-json", "''", []),
        ("llama-json", CALL, None),
        ("gorilla", "pay(a=1), pay(a=2)", [{"pay": {"a": 1}}, {"pay": {"a": 2}}]),
        ("gorilla", "[pay(a=1)]", None),
        ("gorilla", "<<function>>pay(a=1)", None),
        ("phi-prompt", "```python\n[pay(a=1)]\n```", [{"pay": {"a": 1}}]),
        ("python", "```python\n[pay(a=1)]\n```", None),
        ("gemini-prompt", "```tool_code\n[pay(a=1)]\n```", [{"pay": {"a": 1}}]),
        (
            "minicpm",
            "<|tool_call_start|>\n```python\npay(a=1)\nx = pay()\n```\n<|tool_call_end|>ok",
            [{"pay": {"a": 1}}, {"pay": {}}],
        ),
        ("minicpm", "<|tool_call_start|>\npay(a=1 / 0)\n<|tool_call_end|> ok ", "ok"),
        ("minicpm", "<|thought_start|>hm<|thought_end|> Which day? ", "Which day?"),
        ("minicpm", "<|tool_call_end|>x<|tool_call_start|>", None),
        (
            "functiongemma",
            "<start_function_call>call:pay{to:<escape>A, {b}<escape>,n:[1,2.0,true,x]}<end_function_call>",
            [{"pay": {"to": "A, {b}", "n": [1, 2.0, True, "x"]}}],
        ),
        ("functiongemma", "<start_function_call>call:pay<end_function_call>", [{"pay": {}}]),
        ("functiongemma", "<start_function_call>pay{}<end_function_call>", []),
        ("functiongemma", "I cannot.", []),
    ],
)  # fmt: skip
def test_protocols_of_text(decoder: str, output: str, expected: Any) -> None:
    if expected is None:
        refused(output, decoder)
    else:
        assert value(output, decoder) == expected


@pytest.mark.parametrize(
    ("decoder", "output", "expected"),
    [
        ("tool-calls", [{"pay": '{"a": 1}', "b": "ignored"}], [{"pay": {"a": 1}}]),
        ("tool-calls", [{"pay": {"a": 1}}], None),
        ("tool-calls", [{}], None),
        ("tool-calls", "", []),
        ("tool-calls", {}, []),
        ("tool-calls", "I cannot.", None),
        ("tool-calls", None, None),
        ("gemini", "I cannot.", ["I cannot."]),
        ("gemini", [{"pay": {"a": 1}}], [{"pay": {"a": 1}}]),
        ("nova", ["I cannot."], ["I cannot."]),
        ("nova", "I cannot.", None),
        ("mistral", [1], [1]),
        ("granite", [1], None),
        ("granite", [{"pay": {"a": 1}, "x": 2}], [{"pay": {"a": 1}, "x": 2}]),
        ("phi", "<|tool_call|>[]", None),
        ("arch", [], []),
        ("cohere", [{"tool_name": "pay", "parameters": {"a": 1}}], [{"pay": {"a": 1}}]),
        ("cohere", "I cannot.", []),
        ("cohere", [{"name": "pay"}], None),
        ("mining", [{"name": "pay", "arguments": {"a": 1}}], [{"pay": {"a": 1}}]),
        ("mining", "I cannot.", None),
        ("python", [{"pay": "{}"}], None),
        ("hermes", 5, None),
    ],
)
def test_stored_structures(decoder: str, output: Any, expected: Any) -> None:
    if expected is None:
        refused(output, decoder)
    else:
        assert value(output, decoder) == expected


def test_calls_follow_the_value() -> None:
    decoded = decode_official("[pay(a=1), pay()]", "python")
    assert decoded.calls == (Call("pay", {"a": 1}), Call("pay"))
    assert decode_official("I cannot.", "glm").calls == ()
    assert decode_official([{"pay": {"a": 1}, "x": {}}], "granite").calls == ()
    assert math.isnan(value([{"pay": '{"a": NaN}'}], "tool-calls")[0]["pay"]["a"])


@pytest.mark.parametrize(
    ("output", "decoder", "at"),
    [
        ("  `[pay(a=§)]`", "python", "§"),
        ("[pay(a='é', b=open('x') + 1)]", "python", "open"),
        ("\n[pay(a=1),\n 5]", "python", "5]"),
        ("<TOOLCALL>[pay(a=]</TOOLCALL>", "nemotron", "]</"),
        ('<|python_tag|>{"a": true}', "llama-json", "true"),
        ('[{"name": "pay", "arguments":]', "xlam", "]"),
        ("```json\n[pay(a=1 b=2)]", "phi-prompt", "1 b"),
        ("[pay(é=1; §)]", "javascript", "é="),
    ],
)
def test_an_error_names_its_character(output: str, decoder: str, at: str) -> None:
    assert refused(output, decoder).position == output.index(at)


@pytest.mark.parametrize(
    ("output", "decoder"),
    [
        ("[pay(a=max(1, 2) * 2)]", "python"),
        ("[pay(a=(1).real + 1)]", "python"),
        ("[pay(a=(lambda: 1) + 1)]", "python"),
        ("[pay(a='%d' % 3)]", "python"),
        ("[pay(a=f'{1}' + 'x')]", "python"),
        ("[pay(a=[json] * 2)]", "python"),
        ("[pay(a=9 ** 9 ** 9)]", "python"),
        ("[pay(a='x' * 10 ** 9)]", "python"),
        ("set()", "llama-json"),
        ("<|tool_call_start|>pay(a=max(1, 2) + 1)<|tool_call_end|>", "minicpm"),
    ],
)
def test_text_is_never_run(output: str, decoder: str) -> None:
    assert refused(output, decoder).reason is Reason.UNSAFE_EXPRESSION


def test_every_name_of_the_table_has_a_reader() -> None:
    for name in DECODERS:
        for language in LANGUAGES:
            decode_official("", name, language=language)


def test_no_handler_is_listed_twice() -> None:
    handlers = [handler for row in DECODERS.values() for handler in row.handlers]
    shared = {"ClaudeHandler/prompt"}  # the default prompt, in each of its return formats
    assert sorted(set(handlers) - shared) == sorted(handler for handler in handlers if handler not in shared)


def test_unknown_names_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="no official decoder"):
        decode_official("", "auto")
    with pytest.raises(UsageError, match="no return format"):
        decode_official("", "python", language="rust")


def test_the_page_of_divergences_lists_every_handler() -> None:
    page = (Path(__file__).parents[3] / "docs" / "divergences.md").read_text("utf-8")
    listed = page.split("<!-- handlers -->")[1].split("<!-- /handlers -->")[0].strip().splitlines()[2:]
    assert listed == [f"| `{row.name}` | {', '.join(row.handlers)} |" for row in DECODERS.values()]
