"""Streamed events of single interfaces, each joined to the response of the call that is not streamed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Final

from faircall.decoding.messages import word
from faircall.errors import InputError
from faircall.jsontext import parse_json


class Joiner(ABC):
    """Joins the events of one interface; `ended` says whether the stream came to the end of the response."""

    @staticmethod
    @abstractmethod
    def knows(event: dict[str, Any]) -> bool:
        """Whether an event is one of the interface's."""

    @abstractmethod
    def add(self, event: dict[str, Any]) -> None:
        """Take the next event; what is odd in it is passed over."""

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether the response came to its end."""

    @abstractmethod
    def response(self) -> dict[str, Any]:
        """Return the response so far."""


class _Block:
    """One block or item of a response: its fields as they began, and the pieces of text that came for them."""

    __slots__ = ("fields", "pieces")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = dict(fields)
        self.pieces: dict[str, list[str]] = {}

    def add(self, key: str, piece: Any) -> None:
        if isinstance(piece, str):
            self.pieces.setdefault(key, []).append(piece)

    def text(self, key: str) -> str:
        """The pieces of a field, joined, after what it began with."""
        first = self.fields.get(key)
        return (first if isinstance(first, str) else "") + "".join(self.pieces.get(key, ()))


def _read_arguments(written: str) -> Any:
    """The value of arguments that were streamed as JSON text; the text itself where it is none, as when it is cut."""
    if not written.strip():
        return {}
    try:
        return parse_json(written)
    except InputError:
        return written


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class AnthropicJoiner(Joiner):
    """Joins the events of Anthropic's messages."""

    _TYPES: Final = frozenset({
        "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta",
        "message_stop",
    })  # fmt: skip
    _EXTRAS: Final = frozenset({"text", "thinking", "citation", "signature", "input_json"})
    """Types of events that Anthropic's library adds to those of the wire, and that repeat them."""
    _DELTAS: Final = {
        "text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking",
        "signature_delta": "signature",
    }  # fmt: skip

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"type": "message", "role": "assistant", "content": []}
        self.blocks: dict[Any, _Block] = {}
        self._ended = False

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        kind = event.get("type")
        return isinstance(kind, str) and (
            kind in AnthropicJoiner._TYPES or (kind in AnthropicJoiner._EXTRAS and "snapshot" in event)
        )

    def add(self, event: dict[str, Any]) -> None:
        kind = word(event.get("type"))
        if kind == "message_start":
            self.message.update({k: v for k, v in _dict(event.get("message")).items() if k != "content"})
        elif kind == "content_block_start":
            self.blocks[_place(event)] = _Block(_dict(event.get("content_block")))
        elif kind == "content_block_delta":
            delta = _dict(event.get("delta"))
            block = self.blocks.setdefault(_place(event), _Block({}))
            key = self._DELTAS.get(str(delta.get("type")))
            if key is not None:
                block.add(key, delta.get(key))
        elif kind == "message_delta":
            self.message.update({k: v for k, v in _dict(event.get("delta")).items() if v is not None})
            if isinstance(event.get("usage"), dict):
                counted = {name: count for name, count in event["usage"].items() if count is not None}
                self.message["usage"] = {**_dict(self.message.get("usage")), **counted}
        elif kind == "message_stop":
            self._ended = True

    @property
    def ended(self) -> bool:
        return self._ended or bool(self.message.get("stop_reason"))

    def response(self) -> dict[str, Any]:
        return {**self.message, "content": [self._whole(self.blocks[key]) for key in sorted(self.blocks)]}

    @staticmethod
    def _whole(block: _Block) -> dict[str, Any]:
        fields = dict(block.fields)
        kind = word(fields.get("type"))
        if "partial_json" in block.pieces or kind in {"tool_use", "server_tool_use", "mcp_tool_use"}:
            written = "".join(block.pieces.get("partial_json", ()))
            fields["input"] = _read_arguments(written) if written.strip() else fields.get("input", {})
            fields.setdefault("type", "tool_use")
        for key in ("text", "thinking", "signature"):
            if key in block.pieces:
                fields[key] = block.text(key)
                fields.setdefault("type", "thinking" if key != "text" else "text")
        return fields


def _place(event: dict[str, Any], key: str = "index") -> int:
    index = event.get(key)
    return index if isinstance(index, int) else 0


class BedrockJoiner(Joiner):
    """Joins the events of Bedrock's ConverseStream."""

    _KEYS: Final = frozenset({
        "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
    })  # fmt: skip

    def __init__(self) -> None:
        self.role = "assistant"
        self.blocks: dict[int, _Block] = {}
        self.stop: str | None = None
        self.metadata: dict[str, Any] = {}

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        return len(event) == 1 and next(iter(event)) in BedrockJoiner._KEYS

    def add(self, event: dict[str, Any]) -> None:
        [(key, value)] = [*event.items()][:1] or [("", {})]
        inner = _dict(value)
        if key == "messageStart" and isinstance(inner.get("role"), str):
            self.role = inner["role"]
        elif key == "contentBlockStart":
            self.blocks[_place(inner, "contentBlockIndex")] = _Block(
                _dict(_dict(inner.get("start")).get("toolUse"))
            )
        elif key == "contentBlockDelta":
            block = self.blocks.setdefault(_place(inner, "contentBlockIndex"), _Block({}))
            delta = _dict(inner.get("delta"))
            block.add("text", delta.get("text"))
            block.add("input", _dict(delta.get("toolUse")).get("input"))
            block.add("reasoning", _dict(delta.get("reasoningContent")).get("text"))
            block.add("signature", _dict(delta.get("reasoningContent")).get("signature"))
        elif key == "messageStop":
            self.stop = str(inner.get("stopReason", ""))
        elif key == "metadata":
            self.metadata = {name: inner[name] for name in ("usage", "metrics") if name in inner}

    @property
    def ended(self) -> bool:
        return self.stop is not None

    def response(self) -> dict[str, Any]:
        content = [self._whole(self.blocks[index]) for index in sorted(self.blocks)]
        message = {"role": self.role, "content": content}
        stopped = {} if self.stop is None else {"stopReason": self.stop}
        return {"output": {"message": message}, **stopped, **self.metadata}

    @staticmethod
    def _whole(block: _Block) -> dict[str, Any]:
        if "name" in block.fields or "input" in block.pieces:
            return {
                "toolUse": {**block.fields, "input": _read_arguments("".join(block.pieces.get("input", ())))}
            }
        if "reasoning" in block.pieces:
            signature = {"signature": block.text("signature")} if "signature" in block.pieces else {}
            return {"reasoningContent": {"reasoningText": {"text": block.text("reasoning"), **signature}}}
        return {"text": block.text("text")}


class CohereJoiner(Joiner):
    """Joins the events of Cohere's chat; of its first version the last event holds the whole response."""

    _TYPES: Final = frozenset({
        "message-start", "message-end", "content-start", "content-delta", "content-end", "tool-plan-delta",
        "tool-call-start", "tool-call-delta", "tool-call-end", "citation-start", "citation-end", "debug",
    })  # fmt: skip
    _FIRST: Final = frozenset({
        "stream-start", "stream-end", "text-generation", "tool-calls-chunk", "tool-calls-generation",
        "search-queries-generation", "search-results", "citation-generation",
    })  # fmt: skip

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.plan: list[str] = []
        self.blocks: dict[int, _Block] = {}
        self.calls: dict[int, _Block] = {}
        self.finish: Any = None
        self.text: list[str] = []
        self.first_calls: list[Any] = []
        self.first: dict[str, Any] | None = None
        self.is_first = False

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        return (
            word(event.get("type")) in CohereJoiner._TYPES
            or word(event.get("event_type")) in CohereJoiner._FIRST
        )

    def add(self, event: dict[str, Any]) -> None:
        if "event_type" in event:
            self._add_first(event)
            return
        kind = word(event.get("type"))
        delta = _dict(event.get("delta"))
        message = _dict(delta.get("message"))
        if kind == "message-start" and event.get("id") is not None:
            self.head["id"] = event["id"]
        elif kind == "tool-plan-delta":
            self.plan += [message["tool_plan"]] if isinstance(message.get("tool_plan"), str) else []
        elif kind in {"content-start", "content-delta"}:
            content = _dict(message.get("content"))
            block = self.blocks.setdefault(_place(event), _Block({}))
            if isinstance(content.get("type"), str):
                block.fields["type"] = content["type"]
            for key in ("text", "thinking"):
                block.add(key, content.get(key))
        elif kind in {"tool-call-start", "tool-call-delta"}:
            self._add_call(_place(event), message.get("tool_calls"))
        elif kind == "message-end":
            self.finish = delta.get("finish_reason") or "COMPLETE"
            if delta.get("error"):
                self.head["error_message"] = delta["error"]
            if isinstance(delta.get("usage"), dict):
                self.head["usage"] = delta["usage"]

    def _add_call(self, index: int, call: Any) -> None:
        call = _dict(call[0] if isinstance(call, list) and call else call)
        function = _dict(call.get("function"))
        block = self.calls.setdefault(index, _Block({}))
        block.fields.update({key: call[key] for key in ("id", "type") if isinstance(call.get(key), str)})
        if isinstance(function.get("name"), str):
            block.fields["name"] = function["name"]
        block.add("arguments", function.get("arguments"))

    def _add_first(self, event: dict[str, Any]) -> None:
        self.is_first = True
        if event.get("event_type") == "stream-start" and event.get("generation_id"):
            self.head["generation_id"] = event["generation_id"]
        if event.get("event_type") == "text-generation" and isinstance(event.get("text"), str):
            self.text.append(event["text"])
        if event.get("event_type") == "tool-calls-generation" and isinstance(event.get("tool_calls"), list):
            self.first_calls += event["tool_calls"]
        if event.get("event_type") == "stream-end":
            self.first = {**_dict(event.get("response"))}
            self.first.setdefault("finish_reason", event.get("finish_reason"))

    @property
    def ended(self) -> bool:
        return self.finish is not None or self.first is not None

    def response(self) -> dict[str, Any]:
        if self.is_first:
            begun = {"generation_id": "", **self.head, "text": "".join(self.text)}
            calls = {"tool_calls": self.first_calls} if self.first_calls else {}
            return {**begun, **calls, **{k: v for k, v in (self.first or {}).items() if v is not None}}
        message: dict[str, Any] = {"role": "assistant"}
        if self.calls:
            message["tool_calls"] = [self._whole(self.calls[index]) for index in sorted(self.calls)]
        if self.plan:
            message["tool_plan"] = "".join(self.plan)
        if self.blocks:
            message["content"] = [
                {**block.fields, **{key: block.text(key) for key in block.pieces}}
                for _, block in sorted(self.blocks.items())
            ]
            for block in message["content"]:
                block.setdefault("type", "thinking" if "thinking" in block else "text")
        finish = {} if self.finish is None else {"finish_reason": self.finish}
        return {**self.head, **finish, "message": message}

    @staticmethod
    def _whole(block: _Block) -> dict[str, Any]:
        fields = {key: value for key, value in block.fields.items() if key != "name"}
        function = {"name": block.fields.get("name", ""), "arguments": block.text("arguments")}
        return {**fields, "type": fields.get("type", "function"), "function": function}


class GeminiJoiner(Joiner):
    """Joins the responses that Gemini streams, each with the next parts of its candidates."""

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.candidates: dict[int, dict[str, Any]] = {}
        self.parts: dict[int, list[Any]] = {}

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        return any(
            key in event for key in ("candidates", "promptFeedback", "prompt_feedback", "usageMetadata")
        )

    def add(self, event: dict[str, Any]) -> None:
        self.head.update(
            {key: value for key, value in event.items() if key != "candidates" and value is not None}
        )
        candidates = event.get("candidates")
        for candidate in candidates if isinstance(candidates, list) else ():
            if not isinstance(candidate, dict):
                continue
            index = _place(candidate)
            known = self.candidates.setdefault(index, {})
            known.update({k: v for k, v in candidate.items() if k != "content" and v is not None})
            parts = _dict(candidate.get("content")).get("parts")
            self.parts.setdefault(index, []).extend(parts if isinstance(parts, list) else [])

    @property
    def ended(self) -> bool:
        if not self.candidates:
            return "promptFeedback" in self.head or "prompt_feedback" in self.head
        return all(each.get("finishReason") or each.get("finish_reason") for each in self.candidates.values())

    def response(self) -> dict[str, Any]:
        candidates = [
            {**fields, "content": {"role": "model", "parts": _joined_parts(self.parts[index])}}
            for index, fields in sorted(self.candidates.items())
        ]
        return {**self.head, **({"candidates": candidates} if candidates else {})}


def _joined_parts(parts: list[Any]) -> list[Any]:
    """Parts with the texts that follow each other joined, thoughts and words apart."""
    joined: list[Any] = []
    pieces: list[str] = []
    for part in parts:
        bare = isinstance(part, dict) and isinstance(part.get("text"), str)
        bare = bare and {key for key, value in part.items() if value is not None} <= {"text", "thought"}
        if bare and pieces and part.get("thought") == joined[-1].get("thought"):
            pieces.append(part["text"])
            continue
        if pieces:
            joined[-1]["text"] = "".join(pieces)
        pieces = [part["text"]] if bare else []
        joined.append(dict(part) if bare else part)
    if pieces:
        joined[-1]["text"] = "".join(pieces)
    return joined


class OllamaJoiner(Joiner):
    """Joins the lines of Ollama's chat."""

    _TEXTS: Final = ("content", "thinking")

    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.pieces: dict[str, list[str]] = {}
        self.calls: list[Any] = []

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        return isinstance(event.get("message"), dict) and isinstance(event.get("done"), bool)

    def add(self, event: dict[str, Any]) -> None:
        self.head.update({key: value for key, value in event.items() if key != "message"})
        message = _dict(event.get("message"))
        for key in self._TEXTS:
            if isinstance(message.get(key), str):
                self.pieces.setdefault(key, []).append(message[key])
        calls = message.get("tool_calls")
        self.calls += calls if isinstance(calls, list) else []

    @property
    def ended(self) -> bool:
        return self.head.get("done") is True

    def response(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant"}
        message |= {key: "".join(pieces) for key, pieces in self.pieces.items()}
        if self.calls:
            message["tool_calls"] = self.calls
        return {**self.head, "message": message}


class ResponsesJoiner(Joiner):
    """Joins the events of OpenAI's responses; the last one holds the whole response, where it came."""

    _LAST: Final = frozenset({
        "response.completed", "response.incomplete", "response.failed", "response.done", "response.cancelled",
    })  # fmt: skip
    _DELTAS: Final = {
        "response.function_call_arguments": "arguments",
        "response.mcp_call_arguments": "arguments",
        "response.custom_tool_call_input": "input",
        "response.code_interpreter_call_code": "code",
    }
    _TEXTS: Final = {
        "response.output_text": ("output_text", "text"),
        "response.refusal": ("refusal", "refusal"),
        "response.reasoning_summary_text": ("summary_text", "text"),
        "response.reasoning_text": ("reasoning_text", "text"),
    }

    def __init__(self) -> None:
        self.head: dict[str, Any] = {"object": "response"}
        self.items: dict[int, _Block] = {}
        self.contents: dict[int, dict[tuple[str, int], _Block]] = {}
        self.done: dict[int, dict[str, Any]] = {}
        self._ended = False

    @staticmethod
    def knows(event: dict[str, Any]) -> bool:
        kind = event.get("type")
        return isinstance(kind, str) and kind.startswith("response.")

    def add(self, event: dict[str, Any]) -> None:
        kind = str(event.get("type"))
        place = _place(event, "output_index")
        if isinstance(event.get("response"), dict):
            self.head.update(event["response"])
            self._ended = self._ended or kind in self._LAST
        elif kind == "response.output_item.added":
            self.items.setdefault(place, _Block({})).fields.update(_dict(event.get("item")))
        elif kind == "response.output_item.done":
            self.done[place] = _dict(event.get("item"))
        else:
            self._add_piece(kind, place, event)

    def _add_piece(self, kind: str, place: int, event: dict[str, Any]) -> None:
        name, _, ending = kind.rpartition(".")
        if name in self._DELTAS:
            block = self.items.setdefault(place, _Block({}))
            key = self._DELTAS[name]
            if ending == "delta":
                block.add(key, event.get("delta"))
            elif ending == "done" and isinstance(event.get(key), str):
                block.fields[key], block.pieces[key] = event[key], []
        elif name in self._TEXTS:
            type_, key = self._TEXTS[name]
            inner = _place(event, "summary_index" if type_ == "summary_text" else "content_index")
            parts = self.contents.setdefault(place, {})
            part = parts.setdefault((type_, inner), _Block({"type": type_}))
            if ending == "delta":
                part.add(key, event.get("delta"))
            elif ending == "done" and isinstance(event.get(key), str):
                part.fields[key], part.pieces[key] = event[key], []

    @property
    def ended(self) -> bool:
        return self._ended

    def response(self) -> dict[str, Any]:
        given = self.head.get("output")
        if self._ended and isinstance(given, list) and given:
            return self.head
        places = sorted({*self.items, *self.contents, *self.done})
        return {**self.head, "output": [self._whole(place) for place in places]}

    def _whole(self, place: int) -> dict[str, Any]:
        if self.done.get(place):
            return self.done[place]
        block = self.items.get(place, _Block({}))
        fields = dict(block.fields)
        fields |= {key: block.text(key) for key in block.pieces}
        if "arguments" in fields:
            fields.setdefault("type", "function_call")
        for (type_, _), part in sorted(self.contents.get(place, {}).items()):
            fields.setdefault(
                "type", "reasoning" if type_ in {"summary_text", "reasoning_text"} else "message"
            )
            where = "summary" if type_ == "summary_text" else "content"
            key = "refusal" if type_ == "refusal" else "text"
            existing = fields.get(where)
            begun = existing if isinstance(existing, list) and part.fields else []
            fields[where] = [*begun, {**part.fields, key: part.text(key)}]
        return fields
