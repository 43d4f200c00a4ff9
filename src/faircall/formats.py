"""The formats that format sensitivity's prompts ask for, and an output read in the one that it was asked for in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding.official import decode_official
from faircall.decoding.reasoning import set_aside
from faircall.decoding.table import DECODERS
from faircall.gate import Judgement, judge
from faircall.types import Decoded, Reason, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.bfcl.data import Entry
    from faircall.types import Tool

_DECODERS: Final = {"json": "json", "verbose_xml": "verbose-xml", "concise_xml": "concise-xml"}
_OF_PROMPTS: Final = frozenset(
    {"auto", "python", "llama-pythonic", "deepseek", "gemini-prompt", "phi-prompt"}
)
"""Decoders of models that answer in whatever format a prompt asks for."""
_TAG: Final = "<TOOLCALL>"
_PARAMETER: Final = re.compile(r"<param\b[^>]*+>")
_VALUE: Final = re.compile(r"\bvalue\s*+=")
_JSON_KEYS: Final = re.compile(r"[\"']function[\"']\s*+:")


class PromptFormat(msgspec.Struct, frozen=True):
    """What a prompt asks for: the return format, by BFCL's name, and whether calls go between <TOOLCALL> tags."""

    returned: str
    tagged: bool


def format_of(entry: Entry) -> PromptFormat | None:
    """Return the format that an entry's prompt asks for; None outside format sensitivity.

    It stands in the entry's id, as ``ret_fmt=json&tool_call_tag=True&…``.
    """
    style = entry.extra.get("prompt_style")
    if style is None:
        return None
    asked = dict(part.split("=", 1) for part in style.split("&"))
    return PromptFormat(asked["ret_fmt"], asked["tool_call_tag"] == "True")


def describe_style(style: str) -> str:
    """Return a style of prompt in words.

    >>> describe_style("ret_fmt=json&tool_call_tag=True&func_doc_fmt=xml&prompt_fmt=plaintext&style=classic")
    'json in tags, tools as xml, plaintext, classic'
    """
    asked = dict(part.split("=", 1) for part in style.split("&"))
    tags = " in tags" if asked["tool_call_tag"] == "True" else ""
    return (
        f"{asked['ret_fmt']}{tags}, tools as {asked['func_doc_fmt']}, {asked['prompt_fmt']}, {asked['style']}"
    )


def judge_formatted(output: Any, tools: Sequence[Tool], decoder: str, form: PromptFormat) -> Judgement:
    """Return the gate's judgement on an output in the format that was asked for.

    Calls in another format are malformed, and so are calls without tags that were asked for, or in tags that were
    not: what is measured here is whether a model keeps to the format. Decoders of text that have a format of their
    own ignore the prompt's.
    """
    if decoder not in _OF_PROMPTS and (DECODERS[decoder].text or not isinstance(output, str)):
        return judge(output, tools, decoder=decoder)
    if decoder not in _OF_PROMPTS:
        decoder = "python"  # text of a model that makes structured calls elsewhere
    judged = judge(
        output, tools, decoder=_DECODERS.get(form.returned, "python" if decoder == "auto" else decoder)
    )
    if judged.state is not State.CALLED or not isinstance(output, str):
        return judged
    fault = _fault(set_aside(output)[0], form)
    if fault is None:
        return judged
    return msgspec.structs.replace(judged, state=State.MALFORMED, reason=Reason.FOREIGN_FORMAT, message=fault)


def _fault(text: str, form: PromptFormat) -> str | None:
    """Return in what a text whose calls can be read is not as the prompt asks for; None where it is."""
    if form.tagged and _TAG not in text:
        return f"calls without the {_TAG} tags that the prompt asks for"
    if not form.tagged and _TAG in text:
        return f"calls in {_TAG} tags, which the prompt does not ask for"
    values = [_VALUE.search(parameter) is not None for parameter in _PARAMETER.findall(text)]
    if form.returned == "verbose_xml" and not all(values):
        return "calls in XML with values as text, where the prompt asks for attributes"
    if form.returned == "concise_xml" and any(values):
        return "calls in XML with values in attributes, where the prompt asks for text"
    if form.returned == "json" and not _JSON_KEYS.search(text):
        return "calls in JSON with other keys than `function` and `parameters`, which the prompt asks for"
    return None


def decode_formatted(output: Any, decoder: str, form: PromptFormat) -> Decoded:
    """Return what the official handler makes of an output in the format that was asked for.

    >>> asked = PromptFormat("json", tagged=False)
    >>> decode_formatted('[{"function": "area", "parameters": {"width": 2}}]', "python", asked).value
    [{'area': {'width': 2}}]
    """
    handler = "python" if decoder in {"auto", *_DECODERS.values()} else decoder
    return decode_official(output, handler, language=form.returned, tool_call_tag=form.tagged)
