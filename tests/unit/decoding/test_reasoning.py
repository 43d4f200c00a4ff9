from __future__ import annotations

import pytest

from faircall.decoding import decode
from faircall.decoding.reasoning import set_aside


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("<think>a</think>[f()]", "[f()]", ["<think>a</think>"]),
        ("\n<think>\na\n</think>\n\n[f()]", "[f()]", ["<think>\na\n</think>"]),
        ("<thinking>a</thinking>b", "b", ["<thinking>a</thinking>"]),
        ("<reasoning>a</reasoning>b", "b", ["<reasoning>a</reasoning>"]),
        ("<THINK>a</Think>b", "b", ["<THINK>a</Think>"]),
        ("[THINK]a[/THINK]b", "b", ["[THINK]a[/THINK]"]),
        ("<|thought_start|>a<|thought_end|>b", "b", ["<|thought_start|>a<|thought_end|>"]),
        ("<think>a</think><think>b</think>c", "c", ["<think>a</think>", "<think>b</think>"]),
        ("It's a, so\n</think>\nb", "b", ["It's a, so\n</think>"]),
        ("<think>a, then [f()]", "", ["<think>a, then [f()]"]),
        ("```json\n<think>a</think>\n[]\n```", "```json\n" + " " * 16 + "\n[]\n```", ["<think>a</think>"]),
        ("[f()]\n<think>a</think>", "[f()]", ["<think>a</think>"]),
        ("[f(x='<think>a</think>')]", "[f(x='<think>a</think>')]", []),
        ("[f(x='a</think>')]", "[f(x='a</think>')]", []),
        ('[f(x="it\'s\\" <think>a</think>")]', '[f(x="it\'s\\" <think>a</think>")]', []),
        ("I use <think> tags", "I use <think> tags", []),
        ("no tags [at all]", "no tags [at all]", []),
        (
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b",
            "b",
            ["<|channel|>analysis<|message|>a<|end|>"],
        ),
    ],
)
def test_reasoning_is_set_aside(text, answer, reasoning):
    blanked, spans = set_aside(text)
    assert blanked.strip() == answer
    assert [span.text for span in spans] == reasoning
    assert len(blanked) == len(text)


def test_decode_notes_the_reasoning():
    decoded = decode("<think>a</think>[f(x=)]", "python")
    assert decoded.error.position == 21
    assert [(span.start, span.end) for span in decoded.reasoning] == [(0, 16)]


def test_the_block_of_a_stored_list_is_told():
    decoded = decode(["Hello.", "<think>a</think>[f()]"], "tool-calls")
    assert decoded.error is not None
    (span,) = decoded.reasoning
    assert (span.block, span.start, span.end) == (1, 0, 16)


def test_reasoning_beside_structured_calls():
    decoded = decode([{"type": "thinking", "thinking": "a"}, {"f": {}}], "tool-calls")
    assert [call.name for call in decoded.calls] == ["f"]
    assert [(span.block, span.text) for span in decoded.reasoning] == [(0, "a")]
