"""Outputs without a call attempt: they abstain, in words, code, a sentinel or an empty list, or say nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from faircall.gate.emptiness import find_empty_list, is_empty_list, reads_as_empty
from faircall.gate.judgement import Judgement
from faircall.gate.silence import is_noise
from faircall.types import Decoded, Reason, State

if TYPE_CHECKING:
    from faircall.gate.blocks import Block
    from faircall.gate.offered import Offered

_CODE = re.compile(
    r"""(?xm)
    ^```\s*(?:python|py|java\w*|js|ts|sql|bash|sh|c\+\+|cpp|html|css|r|go|rust)\b    # a fence with a language
    | ^[ \t]*+(?:def|class|import|from|function|const|let|for|while)\s+\S+           # a statement
    | ^[ \t]*+[A-Za-z_]\w*+(?:\[.*\])?\s*=\s*\S++\s*$                                # a formula
    """
)
_NAMED = re.compile(r"""["']?\b(?:name|function|tool|tool_name)["']?\s*[:=]\s*["']([\w.\-]+)["']""")


def judge_words(blocks: list[Block], decoded: Decoded, offered: Offered) -> Judgement:
    """Return the judgement on texts that make no call attempt."""
    said = [block for block in blocks if not block.peeled.is_empty]
    words = " ".join(block.peeled.plain.strip() for block in said)
    opening = said[0].opening
    if says_sentinel(words, offered):
        message = "a word for no call stands in the place of a tool"
        return Judgement(State.ABSTAINED, Reason.SENTINEL, message, opening, decoded)
    for block in said:
        found = find_empty_list(block.peeled.plain)
        if found is None and (is_empty_list(words) or reads_as_empty(words, offered)):
            found = (0, len(block.peeled.text))
        if found is not None:
            span = block.span(*found)
            return Judgement(State.ABSTAINED, Reason.EMPTY_LIST, "an explicit empty call list", span, decoded)
    if is_noise(words):
        return Judgement(State.MALFORMED, Reason.GARBAGE, "the text says nothing", opening, decoded)
    if any(_CODE.search(block.peeled.text) for block in said):
        message = "code or a formula of the model's own; no offered tool is called"
        return Judgement(State.ABSTAINED, Reason.OWN_CODE, message, opening, decoded)
    return Judgement(State.ABSTAINED, Reason.PROSE, "words, and no call in any protocol", opening, decoded)


def says_sentinel(text: str, offered: Offered) -> bool:
    """Whether the text is a word for no call, or names one in the place of a tool."""
    bare = text.strip("`[]\"'. \n")
    if bare.endswith(")"):
        bare = bare.partition("(")[0]
    return offered.is_sentinel(bare) or any(offered.is_sentinel(name) for name in _NAMED.findall(text))
