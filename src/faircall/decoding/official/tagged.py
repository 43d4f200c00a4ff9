"""Handlers whose calls stand between tags."""

from __future__ import annotations

from typing import Any

from faircall.decoding.official.json_text import load_json
from faircall.decoding.official.listed import name_calls
from faircall.decoding.official.prompted import between, read_format, read_prompted
from faircall.decoding.official.unreadable import RAISED, UnreadableError, require_text


def read_hermes(output: Any) -> list[dict[Any, Any]]:
    """A JSON object between each <tool_call> and </tool_call>; what is no JSON is passed over."""
    return [{call["name"]: dict(call["arguments"].items())} for call in hermes_objects(output)]


def hermes_objects(output: Any) -> list[dict[Any, Any]]:
    """The objects between the tags as they are; what is no JSON is passed over, and other JSON is refused."""
    text = require_text(output)
    opening, closing = "<tool_call>\n", "\n</tool_call>"
    calls = []
    at = 0
    while (found := between(text, opening, closing, at)) is not None:
        at = found[1] + len(closing)
        try:
            calls.append(load_json(text[found[0] : found[1]]))
        except RAISED:
            continue
    if any(not isinstance(call, dict) for call in calls):
        raise UnreadableError("expected a JSON object in <tool_call>")
    return calls


def read_falcon(output: Any) -> list[dict[Any, Any]]:
    """JSON after the first <tool_call>, up to the next tag or the end, fenced or not."""
    text = require_text(output)
    start = text.find("<tool_call>")
    if start < 0:
        raise UnreadableError("no <tool_call>")
    start += len("<tool_call>")
    content = text[start:].split("<tool_call>", 1)[0].split("</tool_call>", 1)[0].strip()
    if content.startswith("```") and content.endswith("```"):
        content = content.strip("`").strip()
        if content.startswith("json"):
            content = content[len("json") :].strip()
    items = load_json(content)
    return name_calls(items if isinstance(items, list) else [items])


def read_nemotron(output: Any, language: str, *, tag: bool) -> Any:
    """The default prompt's format in the first <TOOLCALL>; without one, an empty list, as released."""
    text = require_text(output)
    found = between(text, "<TOOLCALL>", "</TOOLCALL>")
    if found is None:
        return []
    return read_prompted(text[found[0] : found[1]], language, tag=tag, shift=found[0])


def read_gorilla(output: Any, language: str, *, tag: bool) -> Any:
    """The default prompt's format, without its square brackets."""
    return read_format(f"[{require_text(output)}]", language, tag=tag, shift=-1)


def read_phi_prompt(output: Any, language: str, *, tag: bool) -> Any:
    """The default prompt's format after an opening fence."""
    text = require_text(output)
    bare = text.strip()
    shift = len(text) - len(text.lstrip())
    for fence in ("```json", "```python"):
        if bare.startswith(fence):
            bare = bare[len(fence) :]
            shift += len(fence)
    return read_prompted(bare, language, tag=tag, shift=shift)


def read_gemini_prompt(output: Any, language: str, *, tag: bool) -> Any:
    """The default prompt's format, every tool_code fence taken out."""
    text = require_text(output)
    bare = text.replace("```tool_code\n", "").replace("\n```", "")
    shift = len("```tool_code\n") if text.startswith("```tool_code\n") else 0
    return read_prompted(bare, language, tag=tag, shift=shift)
