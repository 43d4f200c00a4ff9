"""The gate against a table of outputs, each labelled by what it says and not by what a decoder makes of it.

The labels follow the documented states and reasons alone. A case with `states` can be argued both ways, and
either is accepted; `reasons` lists the acceptable ones, and is empty where they are a matter of taste.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from faircall.decoding.table import DECODERS
from faircall.gate import judge
from faircall.types import Reason, State

TABLES = Path(__file__).resolve().parents[2] / "cases" / "gate"


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


OFFERED = {tool["name"]: tool for tool in read_lines(TABLES / "tools" / "offered.jsonl")}
CASES = [case for path in sorted(TABLES.glob("*.jsonl")) for case in read_lines(path)]


def tools_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The tools of a case; a name stands for the tool of that name, or for one without parameters."""
    return [
        OFFERED.get(tool, {"name": tool, "parameters": {}}) if isinstance(tool, str) else tool
        for tool in case["tools"]
    ]


def block_text(output: Any, block: int) -> str | None:
    """The text that a span of this block counts in; None where the block is not text."""
    item = output[block] if isinstance(output, list) else output
    if isinstance(item, dict):
        item = item.get("text", item.get("content"))
    return item if isinstance(item, str) else None


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_state_and_reason(case: dict[str, Any]) -> None:
    judged = judge(
        case["output"], tools_of(case), decoder=case["decoder"], language=case.get("language", "python")
    )
    accepted = case.get("states") or [case["state"]]
    assert judged.state in accepted, f"{case['note']}: {judged.state} {judged.reason}, {judged.message}"
    if case["reasons"]:
        assert judged.reason in case["reasons"], f"{case['note']}: {judged.reason}, {judged.message}"
    if judged.evidence is not None:
        text = block_text(case["output"], judged.evidence.block)
        if text is not None:
            assert text[judged.evidence.start : judged.evidence.end] == judged.evidence.text


def test_the_table_is_sound() -> None:
    """Every case is named once, declares a known decoder, and expects states and reasons that exist."""
    counted = Counter(case["id"] for case in CASES)
    assert [name for name, times in counted.items() if times > 1] == []
    for case in CASES:
        assert case["decoder"] == "auto" or case["decoder"] in DECODERS, case["id"]
        assert ("state" in case) != ("states" in case), case["id"]
        assert {State(state) for state in case.get("states") or [case["state"]]}, case["id"]
        assert all(Reason(reason) for reason in case["reasons"]), case["id"]
        assert case["note"], case["id"]
    assert len(CASES) >= 350


TEXTS = [case for case in CASES if isinstance(case["output"], str) and "state" in case]
WRAPPERS = {
    "blanks": "\n {} \n\n",
    "byte-order-mark": "\ufeff{}",
    "role": "assistant: {}",
    "role-on-its-own-line": "ASSISTANT:\n{}",
    "llama-tokens": "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "chatml-tokens": "<|im_start|>assistant\n{}<|im_end|>",
    "granite-tokens": "<|start_of_role|>assistant<|end_of_role|>{}<|end_of_text|>",
    "mistral-tokens": "<s> {}</s>",
    "end-token": "{}<|endoftext|>",
    "reasoning": "<think>\nLet me see.\n</think>\n\n{}",
}


def judge_as(case: dict[str, Any], output: str, decoder: str) -> State:
    return judge(output, tools_of(case), decoder=decoder, language=case.get("language", "python")).state


@pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)
def test_what_surrounds_every_output_of_a_model_decides_nothing(wrapper: str) -> None:
    """Blanks, role names, special tokens and a reasoning block are set aside before anything is decided."""
    changed = []
    for case in TEXTS:
        if case["state"] == State.ERROR:  # a harness stores its error strings bare
            continue
        if "think" in wrapper and "think" in case["output"].lower():
            continue
        before = judge_as(case, case["output"], case["decoder"])
        after = judge_as(case, wrapper.replace("{}", case["output"]), case["decoder"])
        if (before == State.ABSTAINED) != (after == State.ABSTAINED):
            changed.append(f"{case['id']}: {before} -> {after}")
    assert not changed


@pytest.mark.parametrize("decoder", [*DECODERS, "auto"])
def test_whether_a_text_abstains_does_not_depend_on_the_decoder(decoder: str) -> None:
    """The state is a property of the text and the tools; what a sentinel is depends on the protocol."""
    changed = []
    for case in TEXTS:
        if "sentinel" in case["reasons"]:
            continue
        before = judge_as(case, case["output"], case["decoder"])
        after = judge_as(case, case["output"], decoder)
        if (before == State.ABSTAINED) != (after == State.ABSTAINED):
            changed.append(f"{case['id']}: {before} -> {after}")
    assert not changed


def test_a_sound_call_that_is_cut_off_is_never_credited() -> None:
    """From the first character after the tool's name on, every cut leaves an attempt at a call."""
    credited = []
    for case in TEXTS:
        name = next((tool["name"] for tool in tools_of(case) if tool["name"] in case["output"]), None)
        if case["state"] != State.CALLED or name is None or len(case["output"]) > 500:
            continue
        start = case["output"].rindex(name) + len(name) + 1
        credited += [
            f"{case['id']}: {case['output'][:end]!r}"
            for end in range(start, len(case["output"]))
            if judge_as(case, case["output"][:end], case["decoder"]) == State.ABSTAINED
        ]
    assert not credited
