"""What must hold of the gate for every output: it never raises, its evidence is real, breakage earns nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from faircall.decoding.table import DECODERS
from faircall.gate import judge
from faircall.types import State

TOOLS = ["book_table", "weather.get_forecast"]

pieces = st.sampled_from(
    [
        "[", "]", "(", ")", "{", "}", "<tool_call>", "</tool_call>", "```", "```python\n", "```r\n", "book_table",
        "name", '"', "'", "=", ":", ",", "\n", " ", "<think>", "</think>", "[TOOL_CALLS]", "functools", "\\", "_",
        "No.", "é", "\ud83d", "0", "<|python_tag|>", "arguments", "properties", "type", "None", "import os\n",
        "def f(x):\n", "x = ", "example", "do not call ", "nicht ", "HTTP 500: ",
        "Traceback (most recent call last):\n", "error", "Tool: ", "Input: ", "seats",
    ]
)  # fmt: skip
texts = st.one_of(st.text(max_size=80), st.lists(pieces, max_size=30).map("".join))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
words = st.text(alphabet=st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=9)
argument_values = st.one_of(st.integers(), st.booleans(), st.text(alphabet="abc xyz", max_size=12))
keywords = st.sampled_from(["seats", "city", "day", "note"])
argument_maps = st.dictionaries(keywords, argument_values, min_size=1, max_size=4)


def python_call(arguments: dict[str, object]) -> str:
    inside = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return f"[book_table({inside})]"


def hermes_call(arguments: dict[str, object]) -> str:
    return "<tool_call>\n" + json.dumps({"name": "book_table", "arguments": arguments}) + "\n</tool_call>"


@settings(max_examples=300)
@given(values, st.sampled_from([*DECODERS, "auto"]))
def test_any_output_gets_a_state_and_true_evidence(output, decoder):
    found = judge(output, TOOLS, decoder=decoder)
    assert found.state in State
    assert found.message
    if found.evidence is not None:
        block = (
            output
            if isinstance(output, str)
            else output[found.evidence.block]
            if isinstance(output, list)
            else None
        )
        if isinstance(block, dict):
            block = block.get("text")
        if isinstance(block, str):
            assert block[found.evidence.start : found.evidence.end] == found.evidence.text


@given(values, st.sampled_from([*DECODERS, "auto"]))
def test_judging_twice_gives_the_same(output, decoder):
    first, second = (judge(output, TOOLS, decoder=decoder) for _ in range(2))
    assert (first.state, first.reason, first.evidence) == (second.state, second.reason, second.evidence)


@given(st.lists(words, min_size=3, max_size=25), st.sampled_from(list(DECODERS)))
def test_words_alone_abstain_in_any_language(sentence, decoder):
    assert judge(" ".join(sentence) + ".", TOOLS, decoder=decoder).state is State.ABSTAINED


@given(argument_maps)
def test_sound_calls_are_called(arguments):
    assert judge(python_call(arguments), TOOLS, decoder="python").state is State.CALLED
    assert judge(hermes_call(arguments), TOOLS, decoder="hermes").state is State.CALLED


@pytest.mark.parametrize("write", [python_call, hermes_call])
@given(data=st.data(), arguments=argument_maps)
def test_a_call_cut_off_anywhere_is_no_abstention(write, data, arguments):
    call = write(arguments)
    opening = call.index("book_table") + len("book_table") + 1
    end = data.draw(st.integers(opening, len(call)))
    for decoder in ("python", "hermes", "auto"):
        assert judge(call[:end], TOOLS, decoder=decoder).state is not State.ABSTAINED


@pytest.mark.parametrize("write", [python_call, hermes_call])
@given(data=st.data(), arguments=argument_maps)
def test_dropping_one_character_earns_no_credit(write, data, arguments):
    call = write(arguments)
    at = data.draw(st.integers(0, len(call) - 1))
    broken = call[:at] + call[at + 1 :]
    # Without its name nothing ties the text to a tool; such a text is read for what is left.
    assume("book_table" in broken or write is hermes_call)
    assert judge(broken, TOOLS, decoder="hermes").state is not State.ABSTAINED


@given(
    argument_maps, st.sampled_from([": ", ":", " := ", " => ", " -> "]), st.sampled_from([*DECODERS, "auto"])
)
def test_no_other_sign_between_names_and_values_earns_credit(arguments, sign, decoder):
    inside = ", ".join(f"{key}{sign}{json.dumps(value)}" for key, value in arguments.items())
    for call in (f"book_table({inside})", f"```\nbook_table({inside})\n```"):
        assert judge(call, TOOLS, decoder=decoder).state is not State.ABSTAINED


@given(
    argument_maps, st.sampled_from(["str", "int", "bool = False", "list[str]", "string", "str | None = None"])
)
def test_a_signature_that_is_mentioned_abstains(arguments, kind):
    signature = "book_table(" + ", ".join(f"{key}: {kind}" for key in arguments) + ")"
    for text in (signature, f"I only have `{signature}`.", f"Nothing fits:\n\n- {signature}: books tables"):
        assert judge(text, TOOLS, decoder="python").state is State.ABSTAINED


@given(st.data(), argument_maps, st.sampled_from(["name", "tool", "function"]))
def test_an_object_that_begins_as_a_call_is_none_the_less_one_if_nobody_offered_it(data, arguments, key):
    call = json.dumps([{key: "order_cab", "arguments": arguments}])
    end = data.draw(st.integers(len(f'[{{"{key}": '), len(call) - 1))
    assert judge(call[:end], TOOLS, decoder="python").state is not State.ABSTAINED


@given(argument_maps, st.sampled_from(["{}", "Sure! {}", "{}\n\nThis books the table.", "**{}**", "1. {}"]))
def test_prose_around_a_call_earns_no_credit(arguments, around):
    for call in (python_call(arguments), hermes_call(arguments)):
        assert judge(around.replace("{}", call), TOOLS, decoder="python").state is not State.ABSTAINED


@given(argument_maps)
def test_a_call_that_its_sentence_declines_is_none(arguments):
    inside = python_call(arguments).strip("[]")
    for around in ("I will not call {} for that.", "There is no need for {} here.", "Ich rufe {} nicht auf."):
        assert judge(around.replace("{}", inside), TOOLS, decoder="python").state is State.ABSTAINED


@given(st.integers(400, 599), words)
def test_an_error_object_with_a_status_is_no_output_of_a_model(status, message):
    for body in ({"error": {"code": status, "message": message}}, {"status": status, "message": message}):
        assert judge(json.dumps(body), TOOLS, decoder="python").state is State.ERROR
    assert judge(json.dumps({"error": f"no tool for {message}"}), TOOLS).state is State.ABSTAINED


@given(argument_maps, st.sampled_from(list(DECODERS)))
def test_a_call_of_an_offered_tool_is_never_an_abstention_whatever_the_protocol(arguments, decoder):
    for call in (python_call(arguments), hermes_call(arguments)):
        assert judge(call, TOOLS, decoder=decoder).state in {State.CALLED, State.MALFORMED}
