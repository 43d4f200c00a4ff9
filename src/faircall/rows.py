"""Records as plain rows and JSON text that any reader takes, whatever a model wrote into them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from faircall.types import Call, Span, Verdict


def dump_json(value: Any, *, indent: int | None = None) -> str:
    """Return the value as JSON text that is plain to read and always valid.

    Records become objects and tuples arrays. A number that JSON does not have (NaN, an infinity) becomes a string,
    as do values that only Python has; text with lone surrogates is escaped, so that the result can be encoded.

    >>> dump_json({"x": (1, float("inf"))})
    '{"x": [1, "Infinity"]}'
    """
    plain = _plain(value)
    text = json.dumps(plain, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(plain, indent=indent)
    # The standard library indents in pure Python, which takes ten times as long.
    return text if indent is None else msgspec.json.format(text, indent=indent)


def verdict_row(verdict: Verdict, **head: Any) -> dict[str, Any]:
    """Return a verdict as its JSON line has it, with the fields of `head` (an id, say) in front.

    A dialogue's verdict has one field more, `dialogue`: the states of its steps, and the turns that are right.
    """
    row = {
        **head,
        "outcome": verdict.outcome,
        "state": verdict.state,
        "reason": verdict.reason,
        "path": verdict.path,
        "message": verdict.message,
        "calls": [call_row(call) for call in verdict.calls],
        "filled": list(verdict.filled),
        "evidence": span_row(verdict.evidence),
    }
    if verdict.dialogue is not None:
        row["dialogue"] = msgspec.structs.asdict(verdict.dialogue)
    return row


def call_row(call: Call) -> dict[str, Any]:
    """Return a call as ``{name: arguments}``; positional arguments stand under ``*``."""
    arguments = dict(call.arguments)
    if call.positional:
        arguments["*"] = list(call.positional)
    return {call.name: arguments}


def span_row(span: Span | None) -> dict[str, Any] | None:
    """Return a span with its text; `block` is the index in a stored list of blocks."""
    if span is None:
        return None
    return {"block": span.block, "start": span.start, "end": span.end, "text": span.text}


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is dict:
        return {key if type(key) is str else str(key): _plain(item) for key, item in value.items()}
    if kind is list:
        return [_plain(item) for item in value]
    if isinstance(value, (str, bool, type(None))):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return repr(value)
