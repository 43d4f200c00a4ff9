"""What each decoder of the table reads, and `decode`, which turns an output into calls or an error."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from faircall.decoding.call_lists import read_answer
from faircall.decoding.fences import whole_fence
from faircall.decoding.java_calls import read_java, read_java_answer
from faircall.decoding.javascript_calls import read_javascript, read_javascript_answer
from faircall.decoding.json_calls import calls_of_value, read_json_answer
from faircall.decoding.limits import MAX_TEXT, LiteralError
from faircall.decoding.literals import read_python_literal, skip_space
from faircall.decoding.pythonic import read_gemini, read_gorilla, read_llama, read_minicpm, read_nemotron
from faircall.decoding.reasoning import set_aside
from faircall.decoding.responses import Response, is_call_list, read_response
from faircall.decoding.special_tokens import read_deepseek, read_functiongemma, read_glm
from faircall.decoding.structured import read_stored
from faircall.decoding.table import DECODERS
from faircall.decoding.tagged import (
    read_cohere,
    read_falcon,
    read_granite,
    read_granite_20b,
    read_hermes,
    read_llama_json,
    read_mining,
    read_mistral,
    read_phi,
)
from faircall.decoding.turns import blank_turn_tokens
from faircall.decoding.xml_calls import read_xml
from faircall.errors import UsageError
from faircall.schema import read_tools
from faircall.sdk_objects import plain_data
from faircall.types import Call, Decoded, DecodeError, Reason, Span, Tool

ReadText = Callable[[str, Sequence[Tool]], Sequence[Call]]


def _read_json(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    return read_json_answer(text, 0, len(text), tools)


def _read_prompted_json(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Read a JSON list, which some prompts ask for between tags; a fence may stand around those."""
    start, end = skip_space(text), len(text.rstrip())
    if fence := whole_fence(text, start, end):
        start, end = skip_space(text, fence.body_start), len(text[: fence.body_end].rstrip())
    opening, closing = "<TOOLCALL>", "</TOOLCALL>"
    if text.startswith(opening, start) and text.endswith(closing, start, end):
        return read_json_answer(text, start + len(opening), end - len(closing), tools)
    return read_json_answer(text, 0, len(text), tools)


_PYTHON_ONLY: Final = ("'", "True", "False", "None")


def _read_think_agent(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Read a list of {name, arguments} in JSON, or as a Python literal: the prompt shows both quotes."""
    try:
        return _read_json(text, tools)
    except LiteralError as failed:
        start = skip_space(text)
        if not text.startswith("[", start) or not text.startswith(_PYTHON_ONLY, failed.position):
            raise
        try:
            value, end = read_python_literal(text, start)
        except LiteralError:
            raise failed from None
        if text[end:].strip():
            raise
        return calls_of_value(value, start, tools)


_TEXT_READERS: Final[dict[str, ReadText]] = {
    "python": read_answer,
    "java": read_java_answer,
    "javascript": read_javascript_answer,
    "json": _read_prompted_json,
    "verbose-xml": read_xml,
    "concise-xml": read_xml,
    "hermes": read_hermes,
    "llama-json": read_llama_json,
    "llama-pythonic": read_llama,
    "mistral": read_mistral,
    "granite": read_granite,
    "granite-20b": read_granite_20b,
    "falcon": read_falcon,
    "nemotron": read_nemotron,
    "phi": read_phi,
    "phi-prompt": read_answer,
    "xlam": _read_json,
    "bitagent": _read_json,
    "arch": read_hermes,
    "hammer": _read_json,
    "functiongemma": read_functiongemma,
    "minicpm": read_minicpm,
    "glm": read_glm,
    "deepseek": read_deepseek,
    "gorilla": read_gorilla,
    "gemini-prompt": read_gemini,
    "cohere": read_cohere,
    "mining": read_mining,
    "think-agent": _read_think_agent,
}

# The call list of a prompt is written in the language of the category; these decoders read one.
_IN_LANGUAGE: Final[dict[str, Callable[[str, Sequence[Tool], ReadText], Sequence[Call]]]] = {
    "python": read_answer,
    "phi-prompt": read_answer,
    "gemini-prompt": read_answer,
    "llama-pythonic": read_llama,
    "nemotron": read_nemotron,
    "deepseek": read_deepseek,
}
_LANGUAGES: Final[dict[str, ReadText | None]] = {
    "python": None,
    "java": read_java,
    "javascript": read_javascript,
}


def decode(
    output: object,
    decoder: str = "auto",
    *,
    tools: object = (),
    language: str = "python",
    profile: str = "fair-1",
) -> Decoded:
    """Return what a decoder makes of a stored output: calls, or an error with its position.

    `output` is text, a stored list (of `{name: arguments}`, call objects of the common interfaces, or text
    blocks), a message or a whole response of a provider's interface, as plain data or as its library's object, or
    the list of chunks that it was streamed in. `decoder` is a name of the table, or `auto`, which tries those
    that fit. `tools` are the offered tools in any dialect; they settle what text alone leaves open (names
    that are no identifiers, types of XML values). `language` is that of the call list: `python`, `java`
    or `javascript`. A profile whose name begins with `official` decodes as the official tool does (`auto`
    then means the decoder that fits under the fair one).

    No calls and no error means that the output is an explicit empty list. Model text never raises; a
    decoder that does not exist is a UsageError, and tools that cannot be read are an InputError.

    >>> decode("[area(width=2)]", "python").calls
    (Call(name='area', arguments={'width': 2}, positional=()),)
    >>> decode("[area(width=", "python").error
    DecodeError(message='expected a value', position=12, reason=<Reason.TRUNCATED: 'truncated'>)
    """
    check_names(decoder, language)
    offered = read_tools(tools)
    response = None
    if not isinstance(output, str) and not is_call_list(output):
        output = plain_data(output)
        response = read_response(output, offered)
    if response is not None:
        return _decode_response(response, decoder, offered, language, profile)
    return _decode(output, decoder, offered, language, profile)


def _decode(output: object, decoder: str, tools: Sequence[Tool], language: str, profile: str) -> Decoded:
    if decoder == "auto":
        from faircall.decoding.automatic import decode_auto  # noqa: PLC0415 - it is built on this module

        fitting = decode_auto(output, tools, language)
        if not profile.startswith("official"):
            return fitting
        decoder = fitting.decoder
    if profile.startswith("official"):
        from faircall.decoding.official import decode_official  # noqa: PLC0415 - the fair profile needs it not

        return decode_official(output, decoder, language=language)
    return decode_fair(output, decoder, tools, language)


def _decode_response(
    response: Response, decoder: str, tools: Sequence[Tool], language: str, profile: str
) -> Decoded:
    """Return what a decoder makes of a response: of what was said in it, unless it was cut off or is an error."""
    if response.fault is not None:
        named = "tool-calls" if decoder == "auto" else decoder
        return Decoded(named, error=response.fault, reasoning=response.reasoning)
    if profile.startswith("official"):
        return _decode(response.as_stored(), decoder, tools, language, profile)
    decoded = _decode(response.items, decoder, tools, language, profile)
    if not response.reasoning:
        return decoded
    return msgspec.structs.replace(decoded, reasoning=(*response.reasoning, *decoded.reasoning))


def check_names(decoder: str, language: str) -> None:
    """Raise UsageError for a decoder or a language that does not exist."""
    if decoder != "auto" and decoder not in DECODERS:
        raise UsageError(_unknown(decoder))
    if language not in _LANGUAGES:
        raise UsageError(f"no language `{language}`; the languages are {', '.join(_LANGUAGES)}")


def decode_fair(output: object, decoder: str, tools: Sequence[Tool], language: str) -> Decoded:
    """Return what one decoder of the fair profile makes of an output as it is stored."""
    reasoning: tuple[Span, ...] = ()
    try:
        if output is None:
            raise LiteralError("nothing was stored", 0, reason=Reason.EMPTY_OUTPUT)
        if isinstance(output, (list, tuple, dict)):
            calls, reasoning = _decode_stored(output, decoder, tools, language)
        elif isinstance(output, str):
            calls, reasoning = _decode_text(output, decoder, tools, language)
        else:
            raise LiteralError(f"expected text or a list of calls, got {type(output).__name__}", 0)
    except LiteralError as failed:
        error = DecodeError(failed.message, max(failed.position, 0), failed.reason)
        return Decoded(decoder, error=error, reasoning=failed.reasoning or reasoning)
    return Decoded(decoder, calls=tuple(calls), reasoning=reasoning)


def _decode_stored(
    output: Any, decoder: str, tools: Sequence[Tool], language: str
) -> tuple[Sequence[Call], tuple[Span, ...]]:
    contents = read_stored(list(output) if isinstance(output, tuple) else output, tools)
    reasoning = tuple(contents.reasoning)
    if contents.calls:
        return contents.calls, reasoning
    info = DECODERS[decoder]
    if contents.empty:
        if not info.stores_empty:
            raise LiteralError(
                "a stored empty list: what the model wrote was lost", 0, reason=Reason.EMPTY_OUTPUT
            )
        return (), reasoning
    if not contents.texts:
        raise LiteralError("nothing was stored", 0, reason=Reason.EMPTY_OUTPUT)
    # Several blocks are one answer; what is found in them is told by block.
    text = "\n".join(text for _, text in contents.texts)
    try:
        calls, more = _decode_text(text, decoder, tools, language)
    except LiteralError as failed:
        _, failed.position = _place(contents.texts, failed.position)
        failed.reasoning = (*reasoning, *(_in_block(contents.texts, span) for span in failed.reasoning))
        raise
    return calls, (*reasoning, *(_in_block(contents.texts, span) for span in more))


def _place(texts: Sequence[tuple[int, str]], position: int) -> tuple[int, int]:
    """Return the block, and the position in it, of a position in the joined texts."""
    for index, text in texts:
        if position <= len(text):
            return index, position
        position -= len(text) + 1
    return texts[-1][0], len(texts[-1][1])


def _in_block(texts: Sequence[tuple[int, str]], span: Span) -> Span:
    """Return a span of the joined texts as one of the block that it begins in."""
    block, start = _place(texts, span.start)
    return Span(start, start + span.end - span.start, span.text, block)


def _decode_text(
    text: str, decoder: str, tools: Sequence[Tool], language: str
) -> tuple[Sequence[Call], tuple[Span, ...]]:
    if len(text) > MAX_TEXT:
        raise LiteralError(f"a text of more than {MAX_TEXT} characters", MAX_TEXT)
    answer, reasoning = set_aside(blank_turn_tokens(text))
    try:
        if skip_space(answer) == len(answer):
            what = "nothing but reasoning" if reasoning else "an empty text"
            raise LiteralError(what, len(text), reason=Reason.EMPTY_OUTPUT)
        reader = _TEXT_READERS.get(decoder)
        if reader is None:
            return _read_plain(answer), reasoning
        in_language = _LANGUAGES[language]
        if in_language is not None and decoder in _IN_LANGUAGE:
            return _IN_LANGUAGE[decoder](answer, tools, in_language), reasoning
        return reader(answer, tools), reasoning
    except LiteralError as failed:
        failed.reasoning = reasoning
        raise


def _read_plain(text: str) -> Sequence[Call]:
    """Read text where structured calls were expected: it can only be an empty list in so many words."""
    try:
        if not read_json_answer(text, 0, len(text)):
            return ()
    except LiteralError:
        pass
    raise LiteralError("text, not calls", len(text) - len(text.lstrip()))


def _unknown(decoder: str) -> str:
    close = difflib.get_close_matches(decoder, [*DECODERS, "auto"], n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    return f"no decoder `{decoder}`; {hint}the decoders are auto, {', '.join(DECODERS)}"
