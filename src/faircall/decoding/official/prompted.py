"""Answers to the default prompt, in each of its return formats."""

from __future__ import annotations

from typing import Any

from faircall.decoding.official.markup import read_concise_xml, read_json_calls, read_verbose_xml
from faircall.decoding.official.python_calls import read_call_list
from faircall.decoding.official.unreadable import UnreadableError, require_text

_AROUND = "`\n "


def read_prompted(output: Any, language: str, *, tag: bool, shift: int = 0) -> Any:
    """What the default prompt's decoder makes of an answer; `tag` says that the prompt asked for <TOOLCALL>.

    Backticks, line breaks and spaces around the answer go, and missing square brackets are added at either
    end.
    """
    text = require_text(output)
    bare = text.strip(_AROUND)
    shift += len(text) - len(text.lstrip(_AROUND))
    if not bare.startswith("["):
        bare = "[" + bare
        shift -= 1
    if not bare.endswith("]"):
        bare += "]"
    return read_format(bare, language, tag=tag, shift=shift)


def read_format(text: str, language: str, *, tag: bool, shift: int = 0) -> Any:
    """What the evaluator reads in a text in one return format; `tag` as above."""
    if tag:
        text, shift = _inside_tag(text, shift)
    match language:
        case "python":
            return read_call_list(text, shift=shift)
        case "java":
            from faircall.decoding.official.java import read_java_call  # noqa: PLC0415 - loads a grammar

            return read_java_call(text[1:-1], shift=shift + 1)
        case "javascript":
            from faircall.decoding.official.javascript import (  # noqa: PLC0415 - loads a grammar
                read_javascript_call,
            )

            return read_javascript_call(text[1:-1], shift=shift + 1)
        case "json":
            return read_json_calls(text)
        case "verbose_xml":
            return read_verbose_xml(text, shift=shift)
        case _:
            return read_concise_xml(text, shift=shift)


def between(text: str, opening: str, closing: str, start: int = 0) -> tuple[int, int] | None:
    """Where the content between the first opening and the first closing after it lies, or None."""
    begin = text.find(opening, start)
    if begin < 0:
        return None
    begin += len(opening)
    end = text.find(closing, begin)
    return None if end < 0 else (begin, end)


def _inside_tag(text: str, shift: int) -> tuple[str, int]:
    found = between(text, "<TOOLCALL>", "</TOOLCALL>")
    if found is None:
        raise UnreadableError("no <TOOLCALL> element", shift)
    content = text[found[0] : found[1]]
    bare = content.strip()
    return bare, shift + found[0] + len(content) - len(content.lstrip())
