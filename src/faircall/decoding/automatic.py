"""The decoder `auto`: tries the decoders whose marks an output bears, and says which one fitted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.readers import decode_fair
from faircall.decoding.reasoning import set_aside
from faircall.decoding.table import DECODERS
from faircall.decoding.turns import blank_turn_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Decoded, Tool

# What a protocol's answers bear and others do not. Decoders that read the same text as an earlier one of
# the table (`falcon` and `hermes`, `xlam` and `json`, …) need no mark of their own. Each mark is looked for
# only where a part of it, written before it, occurs.
_MARKS: Final = {
    "java": ("new ", re.compile(r"[=(,]\s*+new\s++[A-Z][\w.]*+\s*+[<(\[]")),
    "javascript": ("(", re.compile(r"\)\s*+=>|[=(,]\s*+function\s*+\(")),
    "verbose-xml": ("<param", re.compile(r"<param\s[^<>]{0,500}\bvalue\s*+=")),
    "concise-xml": ("<function", re.compile(r"<functions?[\s>]")),
    "hermes": ("<tool_c", re.compile(r"<tool_call>(?!\s*+[\w.-]++\s*+<)|<tool_c[al_]{0,4}\Z")),
    "llama-json": ("{", re.compile(r"\A\s*+(?:<\|python_tag\|>)?\s*+\{")),
    "llama-pythonic": ("<|python_", re.compile(r"<\|python_(?:tag|start)\|>(?!\s*+\{)")),
    "mistral": ("[TOOL_CALLS]", re.compile(r"\[TOOL_CALLS\]")),
    "granite": ("tool_call", re.compile(r"<\|tool_call\|>|(?:\A|\W)(?i:assistant|ai):?\s{0,3}<tool_call>")),
    "granite-20b": ("<function_call>", re.compile(r"<function_call>")),
    "nemotron": ("<TOOLCALL>", re.compile(r"<TOOLCALL>")),
    "phi": ("tool", re.compile(r"functools\s*+\[|<\|tool_call\|>")),
    "functiongemma": ("<start_function_call>", re.compile(r"<start_function_call>")),
    "minicpm": ("<|tool_call_start|>", re.compile(r"<\|tool_call_start\|>")),
    "glm": (
        "",
        re.compile(r"\A\s*+[^\W\d][\w.-]*+[ \t]*+\r?\n\s*+\{|<tool_call>\s*+[\w.-]++\s*+<"),
    ),
    "deepseek": ("<", re.compile(r"<[｜|]tool[▁_]calls?[▁_]begin[｜|]>")),
    "gorilla": ("<<function>>", re.compile(r"<<function>>")),
    "gemini-prompt": ("_", re.compile(r"```tool_code|default_api\.")),
    "cohere": ("A", re.compile(r"<\|START_ACTION\|>|(?:\A|\n)[ \t]*+Action:")),
    "mining": ("<tool_calls>", re.compile(r"<tool_calls>")),
}
_JSON: Final = re.compile(r"[\[{]\s*+[{\"]")
_JSON_FIRST: Final = re.compile(r"\s*+(?:```\w*+)?\s*+[\[{]\s*+[{\"]")

_ORDER: Final = {name: place for place, name in enumerate(DECODERS)}


def decode_auto(output: object, tools: Sequence[Tool], language: str) -> Decoded:
    """Return the reading of the decoder that fits: `decoder` says which.

    A stored list or message is read as structured calls first. Of several decoders that find calls, the
    first whose calls are all to offered tools wins, else the first of the table. Where none finds calls,
    an explicit empty list wins; else the error of the most plausible decoder is returned.
    """
    if not isinstance(output, str):
        return _decode_stored(output, tools, language)
    tried = [decode_fair(output, name, tools, language) for name in candidates(output, language)]
    found = [decoded for decoded in tried if decoded.calls]
    if found:
        found.sort(key=lambda decoded: _ORDER[decoded.decoder])
        offered = {tool.name for tool in tools}
        fitting = [decoded for decoded in found if all(call.name in offered for call in decoded.calls)]
        return (fitting or found)[0]
    empty = [decoded for decoded in tried if decoded.error is None]
    return (empty or tried[::-1])[0]


def candidates(text: str, language: str) -> list[str]:
    """Return the decoders to try, in the order of the table but for those that bear a mark, which come last.

    The last one is therefore the most plausible where all of them fail.

    >>> candidates("<tool_call>{}", "python")
    ['python', 'hermes']
    """
    answer, reasoning = set_aside(blank_turn_tokens(text))
    plain = [language]
    if _JSON.search(answer):
        plain = [language, "json"] if _JSON_FIRST.match(answer) else ["json", language]
    if reasoning and "json" in plain:
        plain.insert(0, "think-agent")
    marked = [
        name
        for name, (part, mark) in _MARKS.items()
        if part in answer and name not in plain and mark.search(answer)
    ]
    return plain + marked


def _decode_stored(output: Any, tools: Sequence[Tool], language: str) -> Decoded:
    decoded = decode_fair(output, "tool-calls", tools, language)
    if decoded.error is None or not isinstance(output, (list, tuple, dict)):
        return decoded
    if decoded.error.message != "text, not calls":
        return decoded
    return _decode_texts(output, decoded, tools, language)


def _decode_texts(output: Any, decoded: Decoded, tools: Sequence[Tool], language: str) -> Decoded:
    """Read a stored list of text blocks by the marks of the texts."""
    texts = [block for block in output if isinstance(block, str)] if isinstance(output, (list, tuple)) else []
    if len(texts) != 1:
        return decoded
    found = decode_auto(texts[0], tools, language)
    return found if found.error is None else decoded
