"""The reason of a malformed output: what about its deciding call attempt is not as the protocol wants it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from faircall.decoding import decode
from faircall.gate.objects import parses_as_json, read_value
from faircall.types import Decoded, Reason

if TYPE_CHECKING:
    from faircall.gate.attempt import Attempt
    from faircall.gate.offered import Offered

_CALL_LANGUAGES = frozenset({
    "python", "llama-pythonic", "java", "javascript", "gemini-prompt", "phi-prompt", "minicpm",
    "nemotron", "deepseek", "gorilla",
})  # fmt: skip
"""Protocols whose calls are written as a name with arguments in brackets, and not as JSON."""
_PYTHON_LISTS = frozenset({"python", "llama-pythonic", "gemini-prompt", "phi-prompt"})
_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}[.,:;!?…]?")
# A channel is named by the word behind its token, and a turn by the role.
_MARKUP = re.compile(r"```\w*|(?:\bassistant\s*)?<\|channel\|>\s*+\w++|<[^<>\n]{0,60}>")


def choose_reason(
    text: str, attempt: Attempt, attempts: list[Attempt], decoded: Decoded, offered: Offered
) -> Reason:
    """Return why an output with call attempts did not decode; `attempt` is the deciding one of `attempts`."""
    refused = decoded.error.reason if decoded.error is not None else Reason.SYNTAX_ERROR
    if refused is Reason.UNSAFE_EXPRESSION:
        return refused
    if attempt.name is not None and not attempt.offered and attempt.broken is None:
        return Reason.INVENTED_TOOL
    in_prose = not parses_as_json(text) and (
        refused is Reason.WRAPPED_CALL or _has_words_outside(text, attempts)
    )
    reader = _reader_of(text, offered)
    if reader is not None and attempt.broken is not Reason.SCHEMA_ECHO:
        if _same_family(reader, decoded.decoder):
            return Reason.SYNTAX_ERROR
        return Reason.WRAPPED_CALL if in_prose else Reason.FOREIGN_FORMAT
    stretch = text[attempt.start : attempt.end]
    if attempt.broken is not None and not (attempt.tagged and _reader_of(stretch, offered) is not None):
        return attempt.broken
    cut = refused is Reason.TRUNCATED or attempts[-1].broken is Reason.TRUNCATED
    if _is_sound(stretch, decoded.decoder, offered):
        # The call reads well by itself; without prose around it, it is the list around it that does not.
        return Reason.WRAPPED_CALL if in_prose else Reason.TRUNCATED if cut else Reason.SYNTAX_ERROR
    if cut and attempt.end >= len(text.rstrip()):
        return Reason.TRUNCATED
    other = attempt.written in {"label", "markup"} or _is_other_object(stretch, decoded.decoder)
    own_style = attempt.written == "python" and decoded.decoder in _CALL_LANGUAGES
    if other or (not own_style and _reader_of(stretch, offered) is not None):
        return Reason.WRAPPED_CALL if in_prose else Reason.FOREIGN_FORMAT
    return Reason.TRUNCATED if cut else Reason.SYNTAX_ERROR


def explain(reason: Reason, attempt: Attempt, decoded: Decoded, declared: str) -> str:
    """Return the sentence that says what is wrong with the attempt.

    It names the protocol where one was declared; under `auto` the decoder that failed last is nobody's choice.
    """
    other = "a protocol that no decoder reads here"
    around = "prose or markup that leaves it unread"
    if declared != "auto":
        other = f"another protocol than {declared}"
        around = f"prose or markup that {declared} does not allow"
    name = attempt.name or "a tool"
    why = decoded.error.message if decoded.error else ""
    return {
        Reason.UNSAFE_EXPRESSION: f"reading the call of {name} would mean running text: {why}",
        Reason.SCHEMA_ECHO: f"the schema of {name} is repeated in place of arguments",
        Reason.TRUNCATED: f"the text stops inside a call of {name}",
        Reason.INVENTED_TOOL: f"calls {name}, which was not offered, in a form that does not decode",
        Reason.WRAPPED_CALL: f"a call of {name} stands in {around}",
        Reason.FOREIGN_FORMAT: f"a call of {name} in {other}",
    }.get(reason, f"a call of {name} whose syntax is broken: {why}")


def _reader_of(text: str, offered: Offered) -> str | None:
    """The decoder that reads the text as calls, whatever was declared; None where there is none."""
    found = decode(text, "auto", tools=offered.tools)
    return found.decoder if found.error is None and found.calls else None


def _same_family(reader: str, declared: str) -> bool:
    return reader == declared or {reader, declared} <= _PYTHON_LISTS


def _is_other_object(stretch: str, declared: str) -> bool:
    """Whether the stretch is a sound object of another shape than the declared protocol's."""
    # Where JSON is the protocol, a Python literal is a broken object of it and no other.
    return parses_as_json(stretch) or (declared in _CALL_LANGUAGES and read_value(stretch) is not None)


def _has_words_outside(text: str, attempts: list[Attempt]) -> bool:
    """Whether a plain word or two of any kind stand outside the attempts, tags and fences left aside."""
    parts = []
    at = 0
    for attempt in attempts:
        parts.append(text[at : attempt.start])
        at = attempt.end
    outside = _MARKUP.sub(" ", " ".join([*parts, text[at:]]))
    words = [word for word in outside.split() if any(map(str.isalpha, word))]
    return len(words) > 1 or any(map(_PLAIN_WORD.fullmatch, words))


def _is_sound(stretch: str, decoder: str, offered: Offered) -> bool:
    found = decode(stretch, decoder, tools=offered.tools)
    return found.error is None and bool(found.calls)
