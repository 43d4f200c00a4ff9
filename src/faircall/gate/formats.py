"""Formats in wide use that no decoder here reads, and whether a call in one of them is sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.gate.objects import parses_as_json

if TYPE_CHECKING:
    from collections.abc import Callable

# <tool_call> and <function_calls>, which may stand around the calls; what is opened has to be closed.
_WRAPPER: Final = re.compile(r"\s*+<(?P<tag>(?:\w{1,40}:)?(?:tool|function)_calls?)>")
# Qwen3-Coder's and Llama's <function=f>, Anthropic's <invoke name="f">, with or without a namespace.
_ELEMENT: Final = re.compile(
    r"""(?x)\s*+<(?:
      function\s*+=\s*+["']?[\w.\-/]++["']?
    | (?P<tag>(?:\w{1,40}:)?invoke)\s++name\s*+=\s*+["'][\w.\-/]++["']
    )\s*+>"""
)
_PARAMETER: Final = re.compile(
    r"""(?x)\s*+<(?P<tag>(?:\w{1,40}:)?parameter)
    (?: \s*+=\s*+["']?[\w.\-]++["']? | \s++name\s*+=\s*+["'][\w.\-]++["'] )[^<>]{0,80}>"""
)
# Kimi's sections, and the channel of gpt-oss.
_SECTION: Final = re.compile(r"\s*+<\|tool_calls_section_begin\|>")
_SECTION_END: Final = re.compile(r"\s*+<\|tool_calls_section_end\|>\s*+")
_KIMI: Final = re.compile(
    r"\s*+<\|tool_call_begin\|>\s*+(?:functions\.)?[\w.\-]++(?::\d++)?\s*+<\|tool_call_argument_begin\|>"
)
_KIMI_END: Final = "<|tool_call_end|>"
_CHANNEL: Final = re.compile(
    r"(?:<\|channel\|>\s*+\w*+\s*+)?\bto=(?:functions|tools)\.[\w.\-]++\s*+"
    r"(?:<\|channel\|>\s*+\w++\s*+)?(?:<\|constrain\|>)?\s*+(?:json)?\s*+<\|message\|>"
)
_CHANNEL_END: Final = "<|call|>"


def is_sound_format(stretch: str) -> bool:
    """Whether the stretch is whole calls in a well-known format: tags balanced, JSON sound, nothing between them.

    >>> call = "<function=f><parameter=x>1</parameter></function>"
    >>> is_sound_format(call), is_sound_format(call[:-9])
    (True, False)
    """
    return _is_xml(stretch) or _is_kimi(stretch) or _is_channel(stretch)


def _is_xml(text: str) -> bool:
    text = text.strip()
    while (wrapper := _WRAPPER.match(text)) is not None:
        closing = f"</{wrapper.group('tag')}>"
        first = text.find(closing, wrapper.end())
        if first < 0 or not _are_all(text[wrapper.end() : first], _end_of_element):
            return False
        text = text[first + len(closing) :].strip()
        if not text:
            return True
    return bool(text) and _are_all(text, _end_of_element)


def _end_of_element(text: str, at: int) -> int | None:
    """Where a call's element ends, with parameters or with one JSON object in it."""
    opened = _ELEMENT.match(text, at)
    if opened is None:
        return None
    closing = f"</{opened.group('tag') or 'function'}>"
    end = text.find(closing, opened.end())
    if end < 0:
        return None
    inside = text[opened.end() : end].strip()
    sound = (inside.startswith("{") and parses_as_json(inside)) or not inside
    return end + len(closing) if sound or _are_all(inside, _end_of_parameter) else None


def _end_of_parameter(text: str, at: int) -> int | None:
    opened = _PARAMETER.match(text, at)
    if opened is None:
        return None
    closing = f"</{opened.group('tag')}>"
    end = text.find(closing, opened.end())
    return None if end < 0 or _PARAMETER.search(text, opened.end(), end) else end + len(closing)


def _is_kimi(text: str) -> bool:
    section = _SECTION.match(text)
    if section is None:
        return _are_all(text, _end_of_kimi)
    end = _SECTION_END.search(text, section.end())
    if end is None or end.end() < len(text):
        return False
    return _are_all(text[section.end() : end.start()], _end_of_kimi)


def _end_of_kimi(text: str, at: int) -> int | None:
    return _end_of_json(text, _KIMI.match(text, at), _KIMI_END)


def _is_channel(text: str) -> bool:
    return _are_all(text if text.rstrip().endswith(_CHANNEL_END) else text + _CHANNEL_END, _end_of_channel)


def _end_of_channel(text: str, at: int) -> int | None:
    return _end_of_json(text, _CHANNEL.search(text, at, at + 200), _CHANNEL_END)


def _end_of_json(text: str, opened: re.Match[str] | None, closing: str) -> int | None:
    if opened is None:
        return None
    end = text.find(closing, opened.end())
    return None if end < 0 or not parses_as_json(text[opened.end() : end].strip()) else end + len(closing)


def _are_all(text: str, end_of: Callable[[str, int], int | None]) -> bool:
    """Whether the text is one or more of what `end_of` finds the end of."""
    at, end = 0, len(text.rstrip())
    while at < end:
        found = end_of(text, at)
        if found is None:
            return False
        at = found
    return end > 0
