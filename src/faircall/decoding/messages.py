"""What one message, content block or output item of a provider's interface says: texts, calls, reasoning."""

from __future__ import annotations

from typing import Any, Final

from faircall.decoding.limits import LiteralError
from faircall.types import Span

SPEAKERS: Final = frozenset({"assistant", "model", "ai", "chatbot", "bot"})
LISTENERS: Final = frozenset(
    {"user", "human", "system", "developer", "tool", "function", "ipython", "environment"}
)
_THOUGHTS: Final = frozenset(
    {
        "thinking",
        "redacted_thinking",
        "reasoning",
        "reasoning_content",
        "thought",
        "reasoning_text",
        "summary_text",
    }
)
_TEXTS: Final = frozenset({"text", "output_text"})
_NAMED_CALLS: Final = frozenset(
    {
        "function_call",
        "mcp_call",
        "mcp_approval_request",
        "tool_use",
        "server_tool_use",
        "mcp_tool_use",
        "tool_call",
    }
)
_HOSTED_CALLS: Final = frozenset({
    "web_search_call", "file_search_call", "computer_call", "code_interpreter_call", "image_generation_call",
    "local_shell_call", "shell_call", "apply_patch_call", "tool_search_call",
})  # fmt: skip
"""Calls of tools that the provider runs itself: the tool's name is that of the item."""
_HOSTED_ARGUMENTS: Final = ("action", "queries", "code", "operation")
_ASIDE: Final = frozenset(
    {"mcp_list_tools", "reference", "item_reference", "compaction", "context_compaction"}
)
"""Items that are neither words nor calls of the model."""
_ASIDE_ENDINGS: Final = ("_output", "_result", "_response", "_tool_result")
_MESSAGE_KEYS: Final = frozenset({
    "role", "content", "refusal", "name", "tool_calls", "function_call", "tool_call", "annotations", "audio", "id",
    "type", "status", "finish_reason", "stop_reason", "stop_sequence", "model", "usage", "reasoning", "index",
    "reasoning_content", "reasoning_details", "tool_plan", "parsed", "citations", "logprobs", "images",
    "thinking", "prefix", "phase", "container", "context_management", "stop_details",
})  # fmt: skip
_DEEPEST: Final = 8


class Saying:
    """What a model said in a response: texts and calls in their order, and the reasoning set aside.

    `listed` says that a list of calls is there, be it empty. `calls` are the places of calls in `items`. `index` is
    that of the item which is read.
    """

    __slots__ = ("calls", "index", "items", "listed", "reasoning")

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.calls: list[int] = []
        self.reasoning: list[Span] = []
        self.listed = False
        self.index = 0

    def say(self, text: Any) -> None:
        """Add a text, if it is one and not empty."""
        if isinstance(text, str) and text:
            self.items.append(text)

    def think(self, text: Any) -> None:
        """Set a stretch of reasoning aside."""
        if isinstance(text, str) and text:
            self.reasoning.append(Span(0, len(text), text, self.index))

    def call(self, name: Any, arguments: Any) -> None:
        """Add a call, as stored outputs write it; raises LiteralError for one without a name."""
        if not isinstance(name, str) or not name.strip():
            raise LiteralError("a call without the name of a tool", 0)
        self.calls.append(len(self.items))
        self.items.append({"name": name, "arguments": {} if arguments is None else arguments})


def read_item(said: Saying, item: Any, depth: int = _DEEPEST) -> bool:
    """Add what a message, block or item says, and return True; False where it is none of any interface.

    >>> said = Saying()
    >>> read_item(said, {"type": "tool_use", "id": "a", "name": "ride", "input": {"to": "home"}}), said.items
    (True, [{'name': 'ride', 'arguments': {'to': 'home'}}])
    """
    if not isinstance(item, dict):
        return False
    if depth <= 0:
        raise LiteralError(f"messages nested more than {_DEEPEST} levels deep", 0)
    role, kind = word(item.get("role")), word(item.get("type"))
    if role in LISTENERS or (kind in LISTENERS and "content" in item):  # LangChain's have a type for a role
        return True
    if kind and _read_typed(said, item, kind, depth):
        return True
    if isinstance(item.get("parts"), list) and set(item) <= {"parts", "role"}:
        read_all(said, item["parts"], depth - 1)
        return True
    if role in SPEAKERS or kind in {"message", "ai", "AIMessageChunk"} or _is_bare_message(item):
        read_message(said, item, depth)
        return True
    return False


def read_all(said: Saying, items: list[Any], depth: int = _DEEPEST) -> None:
    """Add what blocks, parts or items say; what is none of any interface is kept for those who read stored lists."""
    if depth <= 0:
        raise LiteralError(f"messages nested more than {_DEEPEST} levels deep", 0)
    for item in items:
        if isinstance(item, str):
            said.say(item)
        elif isinstance(item, (list, tuple)):
            read_all(said, list(item), depth - 1)
        elif not read_item(said, item, depth) and not (isinstance(item, dict) and _read_part(said, item)):
            said.items.append(item)


def read_message(said: Saying, message: dict[str, Any], depth: int = _DEEPEST) -> None:
    """Add what an assistant's message says: its content, its refusal, its calls.

    Calls in the content are not read again where the message lists its calls by themselves.
    """
    for key in ("reasoning_content", "reasoning", "thinking", "tool_plan"):
        said.think(message.get(key))
    content = message.get("content")
    inner = Saying()
    inner.index = said.index
    if isinstance(content, str):
        inner.say(content)
    elif isinstance(content, list):
        read_all(inner, content, depth - 1)
    elif isinstance(content, dict):
        read_all(inner, [content], depth - 1)
    inner.say(message.get("refusal"))
    listed = []
    for key in ("tool_calls", "tool_call", "function_call"):
        calls = message.get(key)
        said.listed |= calls == []
        if isinstance(calls, list):
            listed += calls
        elif isinstance(calls, dict):
            listed.append(calls)
    said.reasoning += inner.reasoning
    for place, item in enumerate(inner.items):
        if place in inner.calls:
            if listed:
                continue
            said.calls.append(len(said.items))
        said.items.append(item)
    for call in listed:
        read_call(said, call)


def read_call(said: Saying, call: Any) -> None:
    """Add one call of a list of calls; raises LiteralError for one that names no tool.

    >>> said = Saying()
    >>> read_call(said, {"type": "function", "function": {"name": "ride", "arguments": '{"km": 5}'}}), said.items
    (None, [{'name': 'ride', 'arguments': '{"km": 5}'}])
    """
    if not isinstance(call, dict):
        raise LiteralError(f"expected a call, got {type(call).__name__}", 0)
    if isinstance(inner := call.get("function"), dict):
        said.call(inner.get("name"), _first(inner, "arguments", "parameters", "args"))
    elif isinstance(inner := call.get("custom"), dict):
        said.call(inner.get("name"), _free_text(inner.get("input")))
    elif isinstance(call.get("name"), str) or set(call) <= {"name", "arguments"}:
        said.call(call.get("name"), _first(call, "arguments", "args", "parameters", "input"))
    else:
        said.calls.append(len(said.items))
        said.items.append(call)


def _read_typed(said: Saying, item: dict[str, Any], kind: str, depth: int) -> bool:
    """Add what a block says by its `type`; False for types that say nothing of themselves."""
    if kind in _THOUGHTS and "name" not in item:
        for key in ("thinking", "text", "reasoning", "summary", "content"):
            written = item.get(key)
            for part in written if isinstance(written, list) else [written]:
                said.think(part.get("text") if isinstance(part, dict) else part)
        return True
    if kind in _TEXTS and isinstance(item.get("text"), str):
        said.say(item["text"])
        return True
    if kind == "refusal" and isinstance(item.get("refusal"), str):
        said.say(item["refusal"])
        return True
    if kind == "custom_tool_call":
        said.call(item.get("name"), _free_text(item.get("input")))
        return True
    if kind in _NAMED_CALLS and not isinstance(item.get("function"), dict) and "name" in item:
        said.call(item.get("name"), _first(item, "arguments", "input", "args"))
        return True
    if kind in _HOSTED_CALLS:
        given = {key: item[key] for key in _HOSTED_ARGUMENTS if item.get(key) is not None}
        action = given.get("action")
        said.call(kind.removesuffix("_call"), action if isinstance(action, dict) else given)
        return True
    if kind == "function" and isinstance(item.get("function"), dict) and depth < _DEEPEST:
        read_call(said, item)
        return True
    return kind in _ASIDE or kind.endswith(_ASIDE_ENDINGS)


def _read_part(said: Saying, part: dict[str, Any]) -> bool:
    """Add what a part says that has no type but a telling key, as those of Gemini and Bedrock; False for others."""
    if part.get("thought") is True:
        said.think(part.get("text"))
        return True
    for key in ("functionCall", "function_call", "toolUse", "tool_use"):
        call = part.get(key)
        if isinstance(call, dict):
            said.call(call.get("name"), _first(call, "args", "input", "arguments"))
            return True
    for key in ("executableCode", "executable_code"):
        if isinstance(part.get(key), dict):
            code = part[key].get("code")
            said.call("code_execution", {"code": code} if isinstance(code, str) else {})
            return True
    reasoning = part.get("reasoningContent", part.get("reasoning_content"))
    if isinstance(reasoning, dict):
        inner = _first(reasoning, "reasoningText", "reasoning_text", "text")
        said.think(inner.get("text") if isinstance(inner, dict) else inner)
        return True
    if isinstance(part.get("text"), str):
        said.say(part["text"])
        return True
    return bool(part) and set(part) <= _SILENT_PARTS


_SILENT_PARTS: Final = frozenset({
    "inlineData", "inline_data", "fileData", "file_data", "codeExecutionResult", "code_execution_result",
    "functionResponse", "function_response", "toolResult", "tool_result", "cachePoint", "citationsContent",
    "guardContent", "thoughtSignature", "thought_signature", "image", "document",
})  # fmt: skip


def _is_bare_message(item: dict[str, Any]) -> bool:
    return (
        "content" in item
        and set(item) <= _MESSAGE_KEYS
        and isinstance(item["content"], (str, list, type(None)))
        and not (isinstance(item.get("name"), str) and "role" not in item)
    )


def _free_text(text: Any) -> Any:
    """The arguments of a tool that takes free text: its one parameter is called `input`."""
    return {"input": text if isinstance(text, str) else ""}


def _first(item: dict[str, Any], *keys: str) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def word(value: Any) -> str:
    """Return a value that is text, and no text for any other.

    >>> word("tool"), word([])
    ('tool', '')
    """
    return value if isinstance(value, str) else ""
