"""Text in which the decoder found no call: call attempts first, then words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from faircall.gate.attempts import find_attempts
from faircall.gate.emptiness import reads_as_empty
from faircall.gate.judgement import Judgement
from faircall.gate.negation import is_doubted, is_ruled_out
from faircall.gate.own_code import read_code
from faircall.gate.reasons import choose_reason, explain
from faircall.gate.supposition import is_supposed
from faircall.gate.words import judge_words
from faircall.types import Reason, State

if TYPE_CHECKING:
    from faircall.gate.attempt import Attempt
    from faircall.gate.blocks import Block
    from faircall.gate.offered import Offered
    from faircall.types import Decoded

_SENTENCE_ENDS = (".", "!", "?", ":", "\n")
_WORDS_AROUND = 20
"""Characters outside a call from which on the text around it may make it an example."""


def judge_text(blocks: list[Block], decoded: Decoded, offered: Offered, declared: str) -> Judgement:
    """Return the judgement on text that the decoder does not read; `declared` is the decoder that was asked for."""
    unclear: Judgement | None = None
    for block in blocks:
        judgement = _judge_attempts(block, decoded, offered, declared)
        if judgement is not None and judgement.reason is not Reason.UNCLEAR:
            return judgement
        unclear = unclear or judgement
    return unclear or judge_words(blocks, decoded, offered)


def _judge_attempts(block: Block, decoded: Decoded, offered: Offered, declared: str) -> Judgement | None:
    """The judgement that the block's call attempts lead to, or None where it makes none."""
    text = block.peeled.plain
    code = read_code(text)
    attempts = [attempt for attempt in find_attempts(text, offered, code) if not _is_declined(text, attempt)]
    if not attempts or reads_as_empty(text, offered):
        return None
    serious = next((attempt for attempt in attempts if not _is_sketch(text, attempt, code.defined)), None)
    deciding = serious or attempts[0]
    span = block.span(deciding.start, deciding.end)
    if serious is None:
        message = "a call is shown, but as an example or a supposition"
        return Judgement(State.MALFORMED, Reason.UNCLEAR, message, span, decoded)
    reason = choose_reason(text, deciding, attempts, decoded, offered)
    return Judgement(State.MALFORMED, reason, explain(reason, deciding, decoded, declared), span, decoded)


def _is_declined(text: str, attempt: Attempt) -> bool:
    """Whether the attempt is part of a sentence that says not to make it; one that stands by itself is made.

    So is one in a list of its own between two sentences, or before one: that is the form of an answer.
    """
    if attempt.tagged or attempt.standing:
        return False
    before, after = text[: attempt.start].rstrip(), text[attempt.end :].lstrip()
    if before.endswith("[") and after.startswith("]"):
        before, after = before[:-1].rstrip(" "), after[1:].lstrip(" ")
        ended = not before or before.endswith(_SENTENCE_ENDS)
        if after[:1].isupper() or (ended and after[:1] in {"", "\n"}):
            return False
    return is_ruled_out(text, attempt.start, attempt.end)


def _is_sketch(text: str, attempt: Attempt, defined: frozenset[str]) -> bool:
    if attempt.tagged:
        return False
    if attempt.hinted or (attempt.name is not None and attempt.name in defined):
        return True
    near = text[max(0, attempt.start - 400) : attempt.start] + text[attempt.end : attempt.end + 400]
    if len(re.sub(r"\s", "", near)) < _WORDS_AROUND:
        return False
    return is_supposed(text, attempt.start) or is_doubted(text, attempt.start, attempt.end)
