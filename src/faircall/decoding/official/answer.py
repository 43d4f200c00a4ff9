"""Decoder name to reader, and a reader's outcome to a `Decoded`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.official import functiongemma, listed, minicpm, prompted, stored, tagged
from faircall.decoding.official.unreadable import RAISED, UnreadableError, describe
from faircall.errors import UsageError
from faircall.types import Call, Decoded, DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES: Final = ("python", "java", "javascript", "json", "verbose_xml", "concise_xml")
"""The return formats of the evaluator, by its own names."""

_IMPLIED: Final = {
    "java": "java",
    "javascript": "javascript",
    "json": "json",
    "verbose-xml": "verbose_xml",
    "concise-xml": "concise_xml",
}

_PROMPTED: Final[dict[str, Callable[..., Any]]] = {
    "python": prompted.read_prompted,
    "llama-pythonic": prompted.read_prompted,
    "deepseek": prompted.read_prompted,
    "gorilla": tagged.read_gorilla,
    "nemotron": tagged.read_nemotron,
    "phi-prompt": tagged.read_phi_prompt,
    "gemini-prompt": tagged.read_gemini_prompt,
    **dict.fromkeys(_IMPLIED, prompted.read_prompted),
}
"""Readers that depend on the return format."""

_FIXED: Final[dict[str, Callable[[Any], Any]]] = {
    "tool-calls": stored.read_tool_calls,
    "gemini": stored.read_gemini,
    "nova": stored.read_list,
    "mistral": stored.read_list,
    "granite": stored.read_object_list,
    "phi": stored.read_object_list,
    "arch": stored.read_object_list,
    "cohere": stored.read_cohere,
    "mining": stored.read_mining,
    "hermes": tagged.read_hermes,
    "falcon": tagged.read_falcon,
    "llama-json": listed.read_llama_json,
    "granite-20b": listed.read_granite_20b,
    "xlam": listed.read_xlam,
    "bitagent": listed.read_bitagent,
    "hammer": listed.read_hammer,
    "glm": listed.read_glm,
    "think-agent": listed.read_think_agent,
    "functiongemma": functiongemma.read_functiongemma,
    "minicpm": minicpm.read_minicpm,
}


def decode_official(
    output: Any, decoder: str, *, language: str = "python", tool_call_tag: bool = False
) -> Decoded:
    """What the official handler that a decoder stands for makes of a stored output.

    `value` is the very object that the handler returns, also where that is no list of calls (a string, a list
    of strings, None); `calls` are its calls where it is one. Where the handler raises, and where it would
    have to run the text, `error` says so.

    `language` is the return format that the prompt asked for: `python`, `java` or `javascript` by the
    category, `json`, `verbose_xml` or `concise_xml` in format sensitivity, with `tool_call_tag` where that
    asked for <TOOLCALL> tags. Decoders with one format of their own ignore both.

    Raises UsageError on an unknown decoder or language.

    >>> decode_official("[area(width=2 * 3, unit=cm)]", "python").value
    [{'area': {'width': 6, 'unit': 'cm'}}]
    >>> decode_official("[area(width=open('x') + 1)]", "python").error.reason
    <Reason.UNSAFE_EXPRESSION: 'unsafe-expression'>
    """
    language = language.replace("-", "_")
    if language not in LANGUAGES:
        raise UsageError(f"no return format {language!r}; known: {', '.join(LANGUAGES)}")
    try:
        if decoder in _PROMPTED:
            value = _PROMPTED[decoder](output, _IMPLIED.get(decoder, language), tag=tool_call_tag)
        elif decoder in _FIXED:
            value = _FIXED[decoder](output)
        else:
            raise UsageError(f"no official decoder {decoder!r}; known: {', '.join((*_PROMPTED, *_FIXED))}")
    except UnreadableError as error:
        end = len(output) if isinstance(output, str) else 0
        position = min(max(error.position, 0), end)
        return Decoded(decoder, error=DecodeError(error.message, position, error.reason))
    except json.JSONDecodeError as error:
        start = output.find(error.doc) if isinstance(output, str) else -1
        position = start + error.pos if start >= 0 else 0
        return Decoded(decoder, error=DecodeError(error.msg, position))
    except RAISED as error:
        return Decoded(decoder, error=DecodeError(describe(error)))
    return Decoded(decoder, calls=_calls(value), value=value)


def is_call_list(value: Any) -> bool:
    """Whether a decoded value is what the evaluator goes on to score: a list of `{name: {parameter: value}}`.

    >>> is_call_list([{"area": {"width": 6}}]), is_call_list([]), is_call_list(["area"]), is_call_list(None)
    (True, True, False, False)
    """
    return type(value) is list and all(
        type(item) is dict and len(item) == 1 and type(next(iter(item.values()))) is dict for item in value
    )


def _calls(value: Any) -> tuple[Call, ...]:
    if not is_call_list(value):
        return ()
    return tuple(Call(str(name), arguments) for item in value for name, arguments in item.items())
