"""What each handler of the released evaluator returns from `decode_execute`: calls as text, to be run one by one.

The evaluator keeps two decoders in each handler. The one for single calls gives structures; this one, for dialogues
with a simulated environment, writes every call as a line of Python. A few handlers differ in what they accept.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding.official import functiongemma, listed, minicpm, prompted, tagged
from faircall.decoding.official.json_text import load_json
from faircall.decoding.official.stored import read_list, read_object_list
from faircall.decoding.official.unreadable import RAISED, UnreadableError, describe, require_text
from faircall.errors import UsageError
from faircall.types import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class CallTexts(msgspec.Struct, frozen=True):
    """The calls that a handler hands on as text; `error` is set where it raises, and there are none then."""

    texts: tuple[str, ...] = ()
    error: DecodeError | None = None


def decode_to_texts(output: Any, decoder: str) -> CallTexts:
    """Return what the official handler behind a decoder's name hands on to be executed.

    The decoders of the default prompt's other formats (`java`, `json`, …) stand for the same handler as `python`: a
    dialogue is always in Python there. Nothing is run; an expression that would have to be is an error.

    Raises UsageError on an unknown decoder.

    >>> decode_to_texts([{"area": '{"width": 2}'}], "tool-calls").texts
    ('area(width=2)',)
    >>> decode_to_texts("All done.", "tool-calls").error is not None
    True
    """
    reader = _READERS.get(decoder)
    if reader is None:
        raise UsageError(f"no official decoder {decoder!r}; known: {', '.join(_READERS)}")
    try:
        return CallTexts(tuple(reader(output)))
    except UnreadableError as failed:
        return CallTexts(error=DecodeError(failed.message, max(failed.position, 0), failed.reason))
    except json.JSONDecodeError as failed:
        return CallTexts(error=DecodeError(failed.msg, failed.pos))
    except RAISED as failed:
        return CallTexts(error=DecodeError(describe(failed)))


def write_call(name: Any, arguments: Any, *, comma: str = ",") -> str:
    """Return a call as the evaluator writes it, with each value as Python's `repr`.

    >>> write_call("area", {"width": 2, "unit": "cm"})
    "area(width=2,unit='cm')"
    """
    return f"{name}({comma.join(f'{key}={value!r}' for key, value in arguments.items())})"


def _write_nested(value: Any) -> str:
    """Return a value of the default prompt's format: an object of objects is taken for a call, as released."""
    if not isinstance(value, dict):
        return repr(value)
    if all(isinstance(part, dict) for part in value.values()):
        name = list(value)[0]  # noqa: RUF015 - an empty object raises IndexError here, as released
        inner = ", ".join(f"{key}={_write_nested(part)}" for key, part in value[name].items())
        return f"{name}({inner})"
    return "{" + ", ".join(f"'{key}': {_write_nested(part)}" for key, part in value.items()) + "}"


def _write_all(decoded: Any) -> list[str]:
    return [
        f"{name}({', '.join(f'{key}={_write_nested(value)}' for key, value in arguments.items())})"
        for call in decoded
        for name, arguments in call.items()
    ]


def _prompted(output: Any) -> list[str]:
    return _write_all(prompted.read_prompted(output, "python", tag=False))


def _converted(calls: Any) -> list[str]:
    """Every name of every item, with arguments as an object or as JSON text."""
    return [
        write_call(name, load_json(arguments) if type(arguments) is str else arguments)
        for item in ([calls] if type(calls) is dict else calls)
        for name, arguments in item.items()
    ]


def _gemini(output: Any) -> list[str]:
    return [write_call(name, arguments) for item in output for name, arguments in item.items()]


def _cohere(output: Any) -> list[str]:
    items = output if isinstance(output, list) else []
    return [write_call(item["tool_name"], item["parameters"]) for item in items]


def _found(items: Iterable[Any]) -> list[str]:
    """The objects among the items, whatever of name and arguments they have."""
    return [
        write_call(item.get("name", ""), item.get("arguments", {}), comma=", ")
        for item in items
        if isinstance(item, dict)
    ]


def _hammer(output: Any) -> list[str]:
    try:
        value = load_json(require_text(output).replace("```", ""))
    except RAISED:
        return []
    if isinstance(value, dict):
        value = value.get("tool_calls", [])
        return _found(value if isinstance(value, list) else [value])
    return _found(value) if isinstance(value, list) else []


def _hermes(output: Any) -> list[str]:
    return _converted([{call["name"]: call["arguments"]} for call in tagged.hermes_objects(output)])


def _named(decoded: Iterable[dict[Any, Any]], *, comma: str = ",") -> list[str]:
    return [write_call(name, arguments, comma=comma) for call in decoded for name, arguments in call.items()]


def _granite_20b(output: Any) -> list[str]:
    return [
        item if isinstance(item, str) else write_call(*next(iter(item.items())))
        for item in listed.read_granite_20b(output)
    ]


def _minicpm(output: Any) -> list[str]:
    decoded = minicpm.read_minicpm(output)
    return _named(decoded, comma=", ") if isinstance(decoded, list) else []


def _glm(output: Any) -> list[str]:
    lines = require_text(output).split("\n")
    return _converted(lines[0] if len(lines) == 1 else [{lines[0]: lines[1]}])


def _nemotron(output: Any) -> list[str]:
    text = require_text(output)
    found = prompted.between(text, "<TOOLCALL>", "</TOOLCALL>")
    return [] if found is None else _prompted(text[found[0] : found[1]])


def _phi_prompt(output: Any) -> list[str]:
    text = require_text(output)
    for fence in ("```json", "```python"):
        text = text.removeprefix(fence)
    return _prompted(text)


def _gemini_prompt(output: Any) -> list[str]:
    return _prompted(require_text(output).replace("```tool_code\n", "").replace("\n```", ""))


def _gorilla(_: Any) -> list[str]:
    raise UnreadableError("the handler names no return format and always raises")


def _think_agent(output: Any) -> list[str]:
    """The handler raises on every call that it finds."""
    if listed.read_think_agent(output):
        raise UnreadableError("the handler takes its own lines for objects")
    return []


_READERS: Final[dict[str, Callable[[Any], list[str]]]] = {
    **dict.fromkeys(
        ("python", "java", "javascript", "json", "verbose-xml", "concise-xml", "llama-pythonic", "deepseek"),
        _prompted,
    ),
    "tool-calls": _converted,
    "gemini": _gemini,
    "gemini-prompt": _gemini_prompt,
    "nova": lambda output: _converted(read_list(output)),
    "mistral": lambda output: _converted(read_list(output)),
    "granite": lambda output: _converted(read_object_list(output)),
    "phi": lambda output: _converted(read_object_list(output)),
    "arch": lambda output: _converted(read_object_list(output)),
    "phi-prompt": _phi_prompt,
    "cohere": _cohere,
    "mining": _found,
    "hermes": _hermes,
    "falcon": lambda output: _named(tagged.read_falcon(output)),
    "nemotron": _nemotron,
    "llama-json": lambda output: _named(listed.read_llama_json(output)),
    "granite-20b": _granite_20b,
    "xlam": lambda output: _named(listed.read_xlam(output)),
    "bitagent": lambda output: _named(listed.read_bitagent(output)),
    "hammer": _hammer,
    "glm": _glm,
    "gorilla": _gorilla,
    "think-agent": _think_agent,
    "functiongemma": lambda output: _named(functiongemma.read_functiongemma(output), comma=", "),
    "minicpm": _minicpm,
}
