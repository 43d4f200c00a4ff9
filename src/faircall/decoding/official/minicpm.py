"""MiniCPM's calls: one Python call a line, between <|tool_call_start|> and <|tool_call_end|>."""

from __future__ import annotations

import ast
from typing import Any, Final

from faircall.decoding.official.python_calls import Resolver, parse_python
from faircall.decoding.official.unreadable import RAISED, UnreadableError, require_text
from faircall.types import Reason

_CALL_START: Final = "<|tool_call_start|>"
_CALL_END: Final = "<|tool_call_end|>"
_THOUGHT_START: Final = "<|thought_start|>"
_THOUGHT_END: Final = "<|thought_end|>"


def read_minicpm(output: Any) -> list[dict[str, Any]] | str:
    """The calls; without any, or where they cannot be read, the text after them, as released."""
    text = require_text(output)
    if _THOUGHT_END in text and _THOUGHT_START in text:
        thought, text = text.rsplit(_THOUGHT_END, 1)
        if _THOUGHT_START not in thought:
            raise UnreadableError("a thought ends before it starts")
    if _CALL_START not in text or _CALL_END not in text:
        return text.strip()
    before, content = text.rsplit(_CALL_END, 1)
    if _CALL_START not in before:
        raise UnreadableError("the calls end before they start")
    code = before.split(_CALL_START, 1)[1]
    start = output.rfind(_CALL_END) - len(code)
    calls = _calls(code, start)
    return calls or content.strip()


def _calls(code: str, start: int) -> list[dict[str, Any]]:
    """The calls of the code block, or none where the handler would swallow its own exception."""
    text = code.strip()
    if text.startswith("```"):
        text = text.lstrip("`").strip()
        if text.startswith("python"):
            text = text.lstrip("python").strip()  # letters, not the word, as released
    if text.endswith("```"):
        text = text.rstrip("`").strip()
    shift = start + max(code.find(text), 0)
    calls = []
    try:
        body = parse_python(text, "exec", shift=shift).body
        resolver = Resolver(text, shift=shift)
        for statement in body:
            value = getattr(statement, "value", None)
            if not isinstance(value, ast.Call):
                return []
            calls.append(resolver.call(value))
    except UnreadableError as error:
        if error.reason is Reason.UNSAFE_EXPRESSION:
            raise
        return []
    except RAISED:
        return []
    return calls
