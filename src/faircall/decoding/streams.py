"""Streamed chunks and events of every interface, joined to the response that the unbroken call gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.chat_chunks import ChatJoiner, LangChainJoiner
from faircall.decoding.event_text import read_events
from faircall.decoding.messages import word
from faircall.decoding.stream_events import (
    AnthropicJoiner,
    BedrockJoiner,
    CohereJoiner,
    GeminiJoiner,
    OllamaJoiner,
    ResponsesJoiner,
)
from faircall.errors import InputError
from faircall.sdk_objects import object_data, plain_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faircall.decoding.stream_events import Joiner

CUT_MARK: Final = "stream_cut"
"""The key of a joined response whose stream ended before the response did."""
_JOINERS: Final = (
    ChatJoiner, ResponsesJoiner, AnthropicJoiner, BedrockJoiner, CohereJoiner, OllamaJoiner, GeminiJoiner,
    LangChainJoiner,
)  # fmt: skip


def assemble(chunks: str | bytes | Iterable[Any]) -> dict[str, Any]:
    """Return the response that streamed chunks or events add up to, in the shape of the call that is not streamed.

    `chunks` are the events as objects of the provider's library, as plain data or as text (`data: {…}`), or the whole
    body of the stream as text. Reads OpenAI's chat chunks (and those of Mistral and of servers that speak alike), the
    events of OpenAI's responses, of Anthropic, Cohere and Bedrock, and the chunks of Gemini and Ollama. Parallel calls
    are told apart by their index. Where the stream ends before the response does, ``stream_cut`` is set in what is
    returned, which `check` judges as truncated. An error in the stream is returned as the error's body.

    Raises InputError for what is no stream, and for text that is neither events nor JSON lines.

    >>> pieces = [{"index": 0, "function": {"name": "ride", "arguments": ""}},
    ...           {"index": 0, "function": {"arguments": '{"to": '}},
    ...           {"index": 0, "function": {"arguments": '"home"}'}}]
    >>> chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]} for piece in pieces]
    >>> chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    >>> assemble(chunks)["choices"][0]["message"]["tool_calls"][0]["function"]
    {'name': 'ride', 'arguments': '{"to": "home"}'}
    """
    if isinstance(chunks, (bytes, bytearray)):
        chunks = bytes(chunks).decode("utf-8", errors="replace")
    events = read_events(chunks) if isinstance(chunks, str) else _read_each(chunks)
    joined = join_chunks(events)
    if joined is None:
        kind = "no events" if not events else "events of no interface that is known"
        hint = (
            "give the chunks of one response, in order; a response that was not streamed needs no assembling"
        )
        raise InputError(kind, path="stream", hint=hint)
    return joined


def join_chunks(items: Any) -> dict[str, Any] | None:
    """Return the response that a list of chunks adds up to, or None where the list is none of chunks. Never raises.

    >>> join_chunks([{"ride": {"to": "home"}}]) is None
    True
    """
    if not isinstance(items, (list, tuple)) or not items or not isinstance(items[0], dict):
        return None
    events = None
    for joiner in _JOINERS:
        if not any(isinstance(item, dict) and joiner.knows(_opened(item)) for item in items[:4]):
            continue
        events = events if events is not None else [_opened(item) for item in items]
        if all(isinstance(event, dict) and (joiner.knows(event) or _may_pass(event)) for event in events):
            return _join(joiner(), events)
    return None


def _join(joiner: Joiner, events: list[dict[str, Any]]) -> dict[str, Any]:
    for event in events:
        error = _error_of(event)
        if error is not None:
            return {"error": error}
        joiner.add(event)
    response = joiner.response()
    if not joiner.ended:
        response[CUT_MARK] = True
    return response


def _opened(item: Any) -> Any:
    """An event out of what libraries and the wire put around it: `data`, and the name of the event in front."""
    if isinstance(item, dict):
        inner = item.get("data")
        if isinstance(inner, dict) and set(item) <= {"data", "event", "id", "retry"}:
            return inner
    return item


def _may_pass(event: dict[str, Any]) -> bool:
    """Whether an event says nothing of the response: a ping, figures on use, an error."""
    return (
        not event
        or _error_of(event) is not None
        or word(event.get("type")) in {"ping", "keepalive"}
        or set(event) <= {"usage", "id", "object", "created", "model", "usageMetadata", "metadata"}
    )


def _error_of(event: dict[str, Any]) -> dict[str, Any] | None:
    error = event.get("error")
    if isinstance(error, dict) and not event.get("choices") and not event.get("response"):
        return error if {"message", "code", "type", "status"} & error.keys() else {"message": "", **error}
    if isinstance(error, str) and set(event) <= {"error", "status_code"}:
        return {"message": error}
    if word(event.get("type")) == "error":
        return {"message": str(event.get("message", "")), "code": event.get("code")}
    for key, value in event.items():
        if isinstance(key, str) and key.endswith("Exception") and isinstance(value, dict):
            return {"type": key, "message": str(value.get("message", ""))}
    return None


def _read_each(chunks: Iterable[Any]) -> list[Any]:
    events: list[Any] = []
    texts: list[str] = []
    try:
        given = list(chunks)
    except TypeError:
        raise InputError(
            f"expected chunks, got `{type(chunks).__name__}`",
            path="stream",
            hint="give a list of chunks, or the body's text",
        ) from None
    for item in given:
        if isinstance(item, (bytes, bytearray)):
            texts.append(bytes(item).decode("utf-8", errors="replace"))
        elif isinstance(item, str):
            texts.append(item)
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
            events.append(plain_data(item[1]))
        else:
            data = item if isinstance(item, dict) else object_data(item)
            events.append(plain_data(data if data is not None else item))
    if texts and events:
        raise InputError("text and objects in one stream", path="stream", hint="give one or the other")
    if texts:
        ends = all(text.endswith("\n") for text in texts[:-1])
        whole = all(text.lstrip().startswith(("data:", "event:", ":", "{")) for text in texts if text.strip())
        return read_events("".join(texts) if ends or not whole else "\n\n".join(texts))
    return events
