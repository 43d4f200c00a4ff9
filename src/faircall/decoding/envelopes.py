"""What an assistant said, out of the envelopes of the common interfaces: messages, choices, candidates, parts."""

from __future__ import annotations

from typing import Any, Final

_SPEAKERS: Final = frozenset({"assistant", "model", "ai", "chatbot", "bot"})
_LISTENERS: Final = frozenset(
    {"user", "human", "system", "developer", "tool", "function", "ipython", "environment"}
)
_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content", "thought"})
_TEXTS: Final = frozenset({"text", "output_text"})
_MESSAGE_EXTRAS: Final = frozenset(
    {
        "role",
        "content",
        "refusal",
        "name",
        "tool_calls",
        "function_call",
        "tool_call",
        "annotations",
        "audio",
        "id",
    }
    | {
        "type",
        "status",
        "finish_reason",
        "stop_reason",
        "stop_sequence",
        "model",
        "usage",
        "reasoning",
        "index",
    }
    | {"reasoning_content", "reasoning_details", "tool_plan", "parsed", "citations", "logprobs", "images"}
)
_TELLING: Final = frozenset(
    ("type", "refusal", "method", "choices", "candidates", "message", "output", "parts", "role", "content")
)
"""The keys without all of which an object is no envelope."""
_DEEPEST: Final = 8


def open_envelope(output: Any) -> Any:
    """Return the output as texts and calls, if it is an envelope of an interface, or else the output itself.

    Reads OpenAI's chat messages, completions and responses, Anthropic's messages, Gemini's candidates and parts,
    Bedrock's and Ollama's messages, and MCP's `tools/call`. Of several messages only the assistant's are kept:
    what others said is not the model's. Thinking is left out. An envelope with nothing in it gives ``[""]``, and
    ``[]`` where its list of calls is there and empty.

    >>> open_envelope({"role": "assistant", "content": None, "refusal": "I cannot do that."})
    ['I cannot do that.']
    >>> open_envelope([{"ride": {"to": "home"}}])
    [{'ride': {'to': 'home'}}]
    """
    if isinstance(output, dict):
        opened = _open(output, _DEEPEST)
        return output if opened is None else opened
    if isinstance(output, (list, tuple)) and any(isinstance(item, dict) for item in output):
        opened_items = [_open(item, _DEEPEST) if isinstance(item, dict) else None for item in output]
        if any(opened is not None for opened in opened_items):
            return _join(output, opened_items)
    return output


def holds_other_voices(output: Any) -> bool:
    """Whether a message of somebody else than the assistant is in the output."""
    items = output if isinstance(output, (list, tuple)) else [output]
    return any(isinstance(item, dict) and _word(item.get("role")) in _LISTENERS for item in items)


def _join(items: Any, opened_items: list[list[Any] | None]) -> list[Any]:
    joined: list[Any] = []
    for item, opened in zip(items, opened_items, strict=True):
        joined.extend([item] if opened is None else opened)
    said = [item for item in joined if item != ""]
    return said or ([""] if joined or items else [])


def _open(item: dict[str, Any], depth: int) -> list[Any] | None:
    """The texts and calls of one object, or None where it is no envelope but a call, or something else."""
    if depth == 0 or _TELLING.isdisjoint(item):
        return None
    kind = _word(item.get("type"))
    if kind in _THOUGHTS and "name" not in item:
        return []
    if kind in _TEXTS and isinstance(item.get("text"), str):
        return [item["text"]]
    if isinstance(item.get("refusal"), str) and kind == "refusal":
        return [item["refusal"]]
    if item.get("method") == "tools/call" and isinstance(item.get("params"), dict):
        return [item["params"]]
    for key in ("choices", "candidates"):
        inner = item.get(key)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            return _open_choice(inner[0], depth - 1)
    if isinstance(item.get("message"), dict) and "arguments" not in item:
        return _open(item["message"], depth - 1)
    inner = item.get("output")
    if isinstance(inner, dict) and isinstance(inner.get("message"), dict):
        return _open(inner["message"], depth - 1)
    if isinstance(inner, list) and item.get("object") == "response":
        return _open_all(inner, depth - 1)
    if isinstance(item.get("parts"), list) and set(item) <= {"parts", "role"}:
        if _word(item.get("role")) in _LISTENERS:
            return []
        return _open_all([part for part in item["parts"] if not _is_thought(part)], depth - 1)
    return _open_message(item, depth - 1) if _is_message(item) else None


def _open_choice(choice: dict[str, Any], depth: int) -> list[Any] | None:
    for key in ("message", "content", "delta"):
        if isinstance(choice.get(key), dict):
            return _open(choice[key], depth)
    return [choice["text"]] if isinstance(choice.get("text"), str) else None


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _is_thought(part: Any) -> bool:
    return isinstance(part, dict) and part.get("thought") is True


def _is_message(item: dict[str, Any]) -> bool:
    role = _word(item.get("role"))
    if role in _LISTENERS:
        return True
    spoken = role in _SPEAKERS or item.get("type") == "message"
    bare = (
        "content" in item
        and set(item) <= _MESSAGE_EXTRAS
        and isinstance(item["content"], (str, list, type(None)))
    )
    return spoken or bare


def _open_message(item: dict[str, Any], depth: int) -> list[Any]:
    if _word(item.get("role")) in _LISTENERS:
        return []
    said: list[Any] = []
    content = item.get("content")
    if isinstance(content, str):
        said.append(content)
    elif isinstance(content, list):
        said += _open_all(content, depth)
    elif isinstance(content, dict):
        said += _open(content, depth) or []
    if isinstance(item.get("refusal"), str):
        said.append(item["refusal"])
    calls: list[Any] = []
    explicit = False
    for key in ("tool_calls", "tool_call", "function_call"):
        inner = item.get(key)
        explicit |= inner == []
        if isinstance(inner, list):
            calls += inner
        elif isinstance(inner, dict):
            calls.append({"function": inner} if key == "function_call" else inner)
    said = [part for part in said if part != ""] + calls
    return said or ([] if explicit else [""])


def _open_all(items: list[Any], depth: int) -> list[Any]:
    opened: list[Any] = []
    for item in items:
        found = _open(item, depth) if isinstance(item, dict) else None
        if (
            found is None
            and isinstance(item, dict)
            and set(item) == {"text"}
            and isinstance(item["text"], str)
        ):
            found = [item["text"]]
        opened.extend([item] if found is None else found)
    return opened
