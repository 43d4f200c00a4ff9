"""Outputs in which nobody said anything: empty ones, lost ones, noise, and errors of the harness."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from faircall.decoding.table import DECODERS
from faircall.gate.blocks import holds_structure
from faircall.gate.judgement import Judgement
from faircall.types import Reason, State

if TYPE_CHECKING:
    from faircall.gate.blocks import Block


def judge_silence(output: Any, blocks: list[Block], decoder: str) -> Judgement | None:
    """Return the judgement on an output in which no model said anything, or None where one did."""
    if isinstance(output, list | tuple) and not output:
        if decoder in DECODERS and not DECODERS[decoder].stores_empty:
            message = (
                f"an empty list is stored, but {decoder} outputs are text: what the model wrote was lost"
            )
            return Judgement(State.MALFORMED, Reason.EMPTY_OUTPUT, message)
        return Judgement(State.ABSTAINED, Reason.EMPTY_LIST, "the stored call list is empty")
    if holds_structure(output):
        return None
    said = [block for block in blocks if not block.peeled.is_empty]
    if not said:
        if output not in ("", None) and not blocks:
            return Judgement(State.MALFORMED, Reason.GARBAGE, "the output is neither text nor calls")
        thought = any(block.text.strip() for block in blocks)
        message = "nothing was written" + (" beside reasoning or special tokens" if thought else "")
        return Judgement(State.MALFORMED, Reason.EMPTY_OUTPUT, message, blocks[0].whole if blocks else None)
    from faircall.gate.harness import is_harness_error  # noqa: PLC0415 - stored calls need none of its patterns

    if len(said) == 1 and is_harness_error(said[0].peeled.text):
        message = "an error of the harness or the endpoint is stored in place of an answer"
        return Judgement(State.ERROR, Reason.HARNESS_ERROR, message, said[0].opening)
    return None


def is_noise(text: str) -> bool:
    """Whether the text has nothing that could be read: no letter or digit, or one short piece over and over.

    A repeated sentence still says what it says; only pieces of fewer than four words count as a loop.

    >>> is_noise(")" * 20), is_noise("na " * 40), is_noise("No.")
    (True, True, False)
    """
    if not any(char.isalnum() for char in re.sub(r"\\[nrt]", "", text)):
        return True
    if text.count("\ufffd") * 4 > len(text):
        return True
    return len(text) >= 80 and _loops(text)


def _loops(text: str) -> bool:
    """Whether one piece of up to 32 characters fills most of the text's end, a dozen times or more."""
    tail = text[-4000:]
    for size in range(1, 33):
        piece = tail[-size:]
        if len(piece.split()) >= 4:
            continue
        run = 0
        position = len(tail) - size
        while position >= 0 and tail.startswith(piece, position):
            run += 1
            position -= size
        if run * size >= 0.8 * len(tail) and run >= 12:
            return True
    return False
