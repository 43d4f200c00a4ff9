"""Outputs for entries where no call is wanted: refusals, which are right, and what is credited as one by mistake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from faircall.canonical.shapes import ANYTHING, Shape, shared_shape
from faircall.mutants.writing import write_python, write_tool_calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.mutants.bases import Base

_SAMPLES: Final = {
    "string": "Ada", "integer": 3, "number": 2.5, "boolean": True, "array": [], "object": {},
}  # fmt: skip
_REFUSAL: Final = "None of the tools that I was given can do this. Could you ask someone else?"
_ERRORS: Final = (
    "Error during inference: Connection timed out after 60 seconds.",
    "Error code: 500 - {'error': {'message': 'Internal server error', 'type': 'server_error'}}",
)


class Written(NamedTuple):
    """An output, the decoder of its protocol, what is wanted, the rule it tries, and what it is in a few words."""

    rule: str
    name: str
    output: Any
    decoder: str
    wanted: str
    change: str


def write_refusals(base: Base) -> Iterator[Written]:
    """Yield outputs for an entry where no call is wanted.

    >>> from faircall.mutants.bases import read_bases
    >>> sorted({written.rule for written in write_refusals(read_bases().entries[-1])})
    ['S411', 'S412', 'S418', 'S419', 'S423']
    """
    yield Written("S418", "empty-list", [], "tool-calls", "pass", "an empty list of calls")
    yield Written("S418", "empty-list-text", "[]", "python", "pass", "an empty list of calls")
    yield Written("S418", "prose", _REFUSAL, "python", "pass", "a refusal in words")
    if base.offered:
        tool = base.offered[0]
        call = (tool.name, _sample_arguments(shared_shape(tool)))
        yield from _broken(*call)
        yield Written(
            "S419", "call", write_tool_calls([call]), "tool-calls", "fail", "a sound call of an offered tool"
        )
        text = write_python([call])
        if text is not None:
            yield Written("S419", "call-text", text, "python", "fail", "a sound call of an offered tool")
    for number, error in enumerate(_ERRORS, 1):
        yield Written("S412", f"error-{number}", error, "python", "void", "an error of the harness")
    yield Written("S423", "empty", "", "python", "fail", "nothing at all")


def _broken(name: str, arguments: dict[str, Any]) -> Iterator[Written]:
    given = arguments or {"to": "Ada"}
    text = json.dumps(given, ensure_ascii=False)
    hermes = f'<tool_call>\n{{"name": {json.dumps(name)}, "arguments": {text}\n</tool_call>'
    yield Written(
        "S411", "json", [{name: text[:-1]}], "tool-calls", "fail", "arguments without their last brace"
    )
    yield Written("S411", "hermes", hermes, "hermes", "fail", "a tagged call without its last brace")
    listed = write_python([(name, given)])
    if listed is not None:
        yield Written(
            "S411", "cut", listed[:-2], "python", "fail", "a call that stops before its last bracket"
        )
        broken = listed.replace("=", ": ", 1).removesuffix(")]") + "]"
        yield Written(
            "S411", "signs", broken, "python", "fail", "a colon for the first equals sign, no bracket"
        )


def _sample_arguments(shape: Shape) -> dict[str, Any]:
    return {name: _sample(shape.properties.get(name, ANYTHING)) for name in shape.required}


def _sample(shape: Shape) -> Any:
    if shape.enum:
        return shape.enum[0]
    return next((_SAMPLES[kind] for kind in _SAMPLES if kind in shape.kinds), "Ada")
