"""What the model said, without what templates, tokenisers and editors put around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from faircall.decoding.reasoning import set_aside

if TYPE_CHECKING:
    from faircall.types import Span

# Tokens that open a call are not peeled: they say something.
_CALLISH = re.compile(r"(?i)tool|func|call|python_tag|action|api|invoke|sep|channel|message")
_HEADER = re.compile(
    r"<\|start_header_id\|>[^<>|\n]{1,40}<\|end_header_id\|>|<\|start_of_role\|>[^<>|\n]{1,40}<\|end_of_role\|>"
    r"|<\|im_start\|>\s*\w{1,20}(?=\s)|<start_of_turn>\s*\w{1,20}(?=\s)"
)
_SPECIAL = re.compile(
    r"<[|｜][^<>|｜\n]{1,60}[|｜]>|</?(?:s|eos|bos|pad|unk|start_of_turn|end_of_turn|\|?endoftext\|?)>"
    r"|\[/?(?:INST|SYS|EOS|BOS|PAD)\]"
)
_ROLE = re.compile(r"(?i)\s*(?:assistant|model|ai|bot|final)(?:\s*:|[ \t]*\n|\s*$|(?=[<\[{]))")
_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]"
)
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_DROPPED = re.compile(f"{_TERMINAL.pattern}|{_INVISIBLE.pattern}")
_EMPTY_FENCE = re.compile(r"\s*+`{3,}+(?:[\w+\-]*+\s*+`{3,}+)?\s*+")
_THINKING_ALOUD = re.compile(r"\s*<(thinking|reasoning|thoughts?|scratchpad)>")
_MARKS = str.maketrans("（）［］｛｝＝，：；＂＇“”‘’｀＜＞", "()[]{}=,:;\"'\"\"''`<>")
_ROUNDS = 4


class Peeled(msgspec.Struct, frozen=True):
    """A text without its wrapping: reasoning, turn tokens and role names are blanks, invisible characters gone.

    `places` are the positions in the original text, one for each character and one for the end; None where
    they are the same.
    """

    text: str
    places: tuple[int, ...] | None = None

    @property
    def plain(self) -> str:
        """The text with full-width and typographic marks of call syntax as plain ones, character for character."""
        return self.text.translate(_MARKS)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left, or a code fence with nothing in it."""
        return not self.text.strip() or _EMPTY_FENCE.fullmatch(self.text) is not None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the peeled text lies in the original one."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1 if end > start else self.places[end]


def peel(text: str) -> Peeled:
    """Return what the model said: no reasoning, no turn tokens, no role name, no invisible characters.

    Where closed, prompted thinking (``<thinking>``) is all there is, that is what the model said.

    >>> peel("assistant: [f()]<|im_end|>").text.strip()
    '[f()]'
    """
    core, places = _drop_invisible(text)
    kept = core
    for _ in range(_ROUNDS):
        before = kept
        aside, spans = set_aside(kept)
        kept = kept if _speaks_in_thinking(kept, aside, spans) else aside
        kept = _blank(_HEADER, kept)
        kept = _SPECIAL.sub(_blank_unless_callish, kept)
        role = _ROLE.match(kept)
        if role is not None:
            kept = " " * role.end() + kept[role.end() :]
        if kept == before:
            break
    return Peeled(kept, places)


def _speaks_in_thinking(text: str, aside: str, spans: tuple[Span, ...]) -> bool:
    """Whether the text is nothing but closed thinking that a prompt asked for, unlike a hidden channel."""
    return (
        bool(spans) and not aside.strip() and _THINKING_ALOUD.match(text) is not None and "</" in text[-20:]
    )


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: " " * len(found.group()), text)


def _blank_unless_callish(found: re.Match[str]) -> str:
    token = found.group()
    return token if _CALLISH.search(token) else " " * len(token)


def _drop_invisible(text: str) -> tuple[str, tuple[int, ...] | None]:
    """The text without invisible characters and terminal sequences, and where its characters were."""
    places: list[int] = []
    position = 0
    for dropped in _DROPPED.finditer(text):
        places.extend(range(position, dropped.start()))
        position = dropped.end()
    if position == 0:
        return text, None
    places.extend(range(position, len(text)))
    return "".join(text[place] for place in places), (*places, len(text))
