"""Chat chunks, as OpenAI streams them and many others after it, joined to a chat completion."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from faircall.decoding.messages import word
from faircall.decoding.stream_events import Joiner

_HEAD: Final = ("id", "created", "model", "system_fingerprint", "service_tier", "usage")
_TEXTS: Final = ("content", "refusal", "reasoning_content", "reasoning")


class ChatJoiner(Joiner):
    """Joins `chat.completion.chunk` objects; every choice by its index, every call by its own."""

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.choices: dict[int, _Choice] = {}

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        choices = event.get("choices")
        if not isinstance(choices, list):
            return False
        if event.get("object") == "chat.completion.chunk":
            return True
        return bool(choices) and all(
            isinstance(c, dict) and isinstance(c.get("delta"), dict) for c in choices
        )

    def add(self, event: dict[str, Any]) -> None:
        for key in _HEAD:
            if event.get(key) is not None:
                self.head[key] = event[key]
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                index = choice.get("index")
                place = index if isinstance(index, int) else 0
                self.choices.setdefault(place, _Choice()).add(choice)

    @property
    def ended(self) -> bool:
        return bool(self.choices) and all(choice.finish_reason for choice in self.choices.values())

    def response(self) -> dict[str, Any]:
        choices = [
            {"index": index, "message": choice.message(), "finish_reason": choice.finish_reason}
            for index, choice in sorted(self.choices.items())
        ]
        return {**self.head, "object": "chat.completion", "choices": choices}


class _Choice:
    """One choice of a completion as its deltas make it."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.blocks: list[Any] = []
        self.calls: list[_Call] = []
        self.latest: dict[Any, _Call] = {}
        self.function: _Call | None = None
        self.listed = False
        self.finish_reason: Any = None

    def add(self, choice: dict[str, Any]) -> None:
        self.finish_reason = choice.get("finish_reason") or self.finish_reason
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return
        for key in _TEXTS:
            written = delta.get(key)
            if isinstance(written, str):
                self.texts.setdefault(key, []).append(written)
            elif isinstance(written, list):
                self.blocks += written
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            self.listed = True
            for piece in calls:
                if isinstance(piece, dict):
                    self._add_piece(piece)
        if isinstance(delta.get("function_call"), dict):
            self.function = self.function or _Call({})
            self.function.add({"function": delta["function_call"]})

    def _add_piece(self, piece: dict[str, Any]) -> None:
        index = piece.get("index")
        id_ = piece.get("id")
        key = index if isinstance(index, int) else id_ if isinstance(id_, str) and id_ else None
        call = self.latest.get(key)
        if call is None and key is None and self.calls:
            call = None if _name_of(piece) else self.calls[-1]
        if call is None or call.is_another(piece):
            call = _Call(piece)
            self.calls.append(call)
        call.add(piece)
        self.latest[key] = call

    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None}
        for key, pieces in self.texts.items():
            message[key] = "".join(pieces)
        if self.blocks:
            said = message["content"]
            message["content"] = [*_merged(self.blocks), *([{"type": "text", "text": said}] if said else [])]
        if self.function is not None:
            message["function_call"] = self.function.whole()["function"]
        if self.listed:
            message["tool_calls"] = [call.whole() for call in self.calls]
        return message


class _Call:
    """One call as its pieces make it."""

    def __init__(self, first: dict[str, Any]) -> None:
        self.fields = {"id": first.get("id"), "type": first.get("type") or "function"}
        self.place = "custom" if isinstance(first.get("custom"), dict) else "function"
        self.name = ""
        self.pieces: list[str] = []
        self.given: Any = None

    def is_another(self, piece: dict[str, Any]) -> bool:
        """Whether a piece of the same index begins another call: some servers number all calls alike.

        The identifier alone does not tell, because others make a new one for every piece.
        """
        name, id_ = _name_of(piece), piece.get("id")
        return bool(name and self.name and id_ and self.fields["id"] and id_ != self.fields["id"])

    def add(self, piece: dict[str, Any]) -> None:
        self.fields["id"] = self.fields["id"] or piece.get("id")
        inner = piece.get(self.place)
        if not isinstance(inner, dict):
            return
        name = inner.get("name")
        if isinstance(name, str) and name != self.name:
            self.name += name
        written = inner.get("arguments", inner.get("input"))
        if isinstance(written, str):
            self.pieces.append(written)
        elif isinstance(written, dict):
            self.given = {**self.given, **written} if isinstance(self.given, dict) else written

    def whole(self) -> dict[str, Any]:
        arguments = "".join(self.pieces) if self.pieces or self.given is None else self.given
        key = "input" if self.place == "custom" else "arguments"
        fields = {key: value for key, value in self.fields.items() if value is not None}
        return {**fields, self.place: {"name": self.name, key: arguments}}


def _name_of(piece: dict[str, Any]) -> Any:
    inner = piece.get("function", piece.get("custom"))
    return inner.get("name") if isinstance(inner, dict) else None


def _merged(blocks: list[Any]) -> list[Any]:
    """Blocks of content with those of one kind that follow each other joined, as Mistral streams them."""
    merged: list[Any] = []
    for kind, run in groupby(
        blocks, key=lambda block: word(block.get("type")) if isinstance(block, dict) else None
    ):
        same = list(run)
        if kind == "text":
            texts = [block.get("text") for block in same]
            merged.append({**same[0], "text": "".join(text for text in texts if isinstance(text, str))})
        elif kind == "thinking" and all(isinstance(block.get("thinking"), list) for block in same):
            inner = [part for block in same for part in block["thinking"]]
            merged.append({**same[0], "thinking": _merged(inner)})
        else:
            merged += same
    return merged


class LangChainJoiner(ChatJoiner):
    """Joins the chunks of LangChain's messages, whose `tool_call_chunks` are pieces of calls as OpenAI's are."""

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        return event.get("type") == "AIMessageChunk"

    def add(self, event: dict[str, Any]) -> None:
        given = event.get("tool_call_chunks")
        pieces = [
            {
                "index": each.get("index"),
                "id": each.get("id"),
                "function": {"name": each.get("name"), "arguments": each.get("args")},
            }
            for each in (given if isinstance(given, list) else ())
            if isinstance(each, dict)
        ]
        metadata = event.get("response_metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        reasons = [metadata.get(key) for key in ("finish_reason", "stop_reason", "stopReason", "done_reason")]
        reason = next((each for each in reasons if isinstance(each, str) and each), None)
        ended = "stop" if event.get("chunk_position") == "last" and not self._has_ended else None
        delta = {"content": _words(event.get("content")), **({"tool_calls": pieces} if pieces else {})}
        super().add({"choices": [{"index": 0, "delta": delta, "finish_reason": reason or ended}]})

    @property
    def _has_ended(self) -> bool:
        return bool(self.choices) and self.ended


def _words(content: Any) -> Any:
    """The texts of a chunk's content, whose blocks of calls the pieces of calls repeat."""
    if not isinstance(content, list):
        return content
    return [
        block for block in content if isinstance(block, dict) and block.get("type") in ("text", "thinking")
    ]
