from __future__ import annotations

import pytest

from faircall.decoding import DECODERS, decode
from faircall.decoding.limits import MAX_TEXT
from faircall.errors import InputError, UsageError
from faircall.types import Reason


def test_an_unknown_decoder_is_told_with_a_guess():
    with pytest.raises(UsageError, match="did you mean `hermes`") as failed:
        decode("[]", "hermess")
    assert all(name in str(failed.value) for name in DECODERS)


def test_an_unknown_language_is_told():
    with pytest.raises(UsageError, match="python, java, javascript"):
        decode("[]", "python", language="perl")


def test_tools_that_cannot_be_read_are_told():
    with pytest.raises(InputError, match=r"a tool without a name"):
        decode("[]", "python", tools=[{}])


@pytest.mark.parametrize("decoder", [*DECODERS, "auto"])
@pytest.mark.parametrize("output", [None, 3, 2.5, True, b"[f()]", {"f"}, object()])
def test_what_is_no_output_is_an_error(decoder, output):
    decoded = decode(output, decoder)
    assert decoded.error is not None
    assert not decoded.calls


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_stored_empty_list_is_empty_only_where_a_harness_can_store_one(decoder):
    decoded = decode([], decoder)
    if DECODERS[decoder].stores_empty:
        assert decoded.error is None
    else:
        assert decoded.error.reason is Reason.EMPTY_OUTPUT


@pytest.mark.parametrize("decoder", DECODERS)
def test_stored_calls_are_read_under_every_decoder(decoder):
    (call,) = decode([{"brew": '{"cups": 2}'}], decoder).calls
    assert (call.name, call.arguments) == ("brew", {"cups": 2})


@pytest.mark.parametrize("decoder", DECODERS)
def test_prose_is_never_an_empty_list(decoder):
    for text in (
        "Sorry, none of the tools fits.",
        "No.",
        "None",
        "{}",
        "[1]",
        "['a']",
        "[{}]",
        "Nothing [yet].",
    ):
        decoded = decode(text, decoder)
        assert decoded.error is not None, text
        assert not decoded.calls


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\ufeff", "</s>", "<|im_end|>\n", "<think>so</think>"])
def test_nothing_said_is_an_empty_output(decoder, text):
    assert decode(text, decoder).error.reason is Reason.EMPTY_OUTPUT


def test_turn_tokens_at_the_ends_are_no_text():
    text = "<|im_start|>assistant\n[brew(cups=)]<|im_end|>"
    assert text[decode(text, "python").error.position :].startswith(")]")
    assert decode(text.replace("=)", "=2)"), "python").calls


def test_stored_values_have_the_same_limits():
    deep: list = []
    for _ in range(5_000):
        deep = [deep]
    assert "levels" in decode([{"brew": {"cups": deep}}], "tool-calls").error.message
    assert "levels" in decode({"content": [{"content": deep}]}, "tool-calls").error.message
    assert "characters" in decode([{"brew": "[" * (MAX_TEXT + 1)}], "tool-calls").error.message
    assert "calls" in decode([{"brew": {}}] * 1_001, "tool-calls").error.message


def test_auto_under_the_official_profile_is_the_decoder_that_fits():
    decoded = decode("[brew(cups=2)]", "auto", profile="official-2026.3.23")
    assert decoded.decoder == "python"
    assert decoded.value == [{"brew": {"cups": 2}}]


def test_a_text_past_the_limit_is_refused():
    assert "characters" in decode("x" * (MAX_TEXT + 1), "python").error.message


ADVERSARIAL = [
    "[", "{", "(", "f(", "[f(", "f('", 'f("', '\\"', "```", "a```b\n", "<think>", "</think>", "'<think>",
    "<tool_call>", "<tool_call>{", "<|tool_call|>[", "<", "a<", "<functions>", "<function ", "[TOOL_CALLS]f{",
    "<<function>>", "print(f(", "Action:\n[", '{"a":', "[1,", "f(**{", "f(x=-", "f(x=1+", "f(x=2**", "a.", "f\n{}\n",
    "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{", "<start_function_call>call:f{a:", "<|channel|>analysis<|message|>",
    "<tool_call>a<arg_key>", "functools[", "new A<", "() => ", " ", "\n", "#", "1", "a-", "=", "'' ",
]  # fmt: skip


@pytest.mark.parametrize("decoder", [*DECODERS, "auto"])
def test_hostile_texts_are_answered(decoder):
    """Each repeats to 100,000 characters: a reader that is not linear would not come back."""
    for piece in ADVERSARIAL:
        text = piece * (100_000 // len(piece))
        decoded = decode(text, decoder)
        assert decoded.error is not None or decoded.calls, piece


@pytest.mark.parametrize("language", ["java", "javascript"])
def test_hostile_texts_in_other_languages_are_answered(language):
    for piece in ADVERSARIAL:
        for text in (piece * (100_000 // len(piece)), f"f(x={piece * (15_000 // len(piece))})"):
            decoded = decode(text, "python", language=language)
            assert decoded.error is not None or decoded.calls, piece
