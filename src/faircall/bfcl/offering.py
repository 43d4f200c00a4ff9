"""The benchmark's questions as an interface for tool calls takes them: tools in JSON Schema, answers beside them.

An interface allows no dots in names, so that both tools and answers have underscores there; types are JSON's.
Arguments of Java and JavaScript tools are asked for as source text, which is what their answers are compared with.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.decoding import decode
from faircall.errors import InputError, UsageError
from faircall.schema import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faircall.bfcl.data import BenchmarkData

EXECUTABLE: Final = ("exec_simple", "exec_multiple")
"""The categories that older releases ran, and whose answer is one exact call."""
ANY_CALL: Final = "any-call"
"""What stands in place of the expected calls where some call is wanted, and no particular one."""
_FOLDER: Final = "data/unused_datasets"
_TYPES: Final = {
    "dict": "object", "float": "number", "tuple": "array", "string": "string", "integer": "integer",
    "boolean": "boolean", "array": "array", "object": "object", "number": "number",
}  # fmt: skip
_LANGUAGES: Final = {"java": "Java", "javascript": "JavaScript"}
_KEPT: Final = ("description", "default", "enum", "format", "required", "maximum")


class Offer(msgspec.Struct, frozen=True):
    """An entry as it is put to a model: messages, tools in JSON Schema, the benchmark's own documents, the answer.

    `expected` is a list of calls, `[]` where none is wanted, or `any-call`; `form` says how its calls are written, as
    `faircall.matching.compile_answers` takes it.
    """

    id: str
    category: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    documents: list[dict[str, Any]]
    expected: list[Any] | str
    form: str
    language: str = "python"


def offered_categories() -> tuple[str, ...]:
    """Return the categories that can be offered: every single-turn one, and the executable ones of one call.

    >>> offered_categories()[-3:]
    ('live_relevance', 'exec_simple', 'exec_multiple')
    """
    return (*(name for name, category in CATEGORIES.items() if category.single_turn), *EXECUTABLE)


def offers(data: BenchmarkData, category: str) -> Iterator[Offer]:
    """Yield the entries of a category. Raises `UsageError` for a category that is not of single calls."""
    if category not in offered_categories():
        raise UsageError(
            f"no category of single turns is called {category!r}; there are {', '.join(offered_categories())}"
        )
    if category in EXECUTABLE:
        yield from _executable(data, category)
        return
    known = CATEGORIES[category]
    answers = data.answers(category)
    for name, entry in data.entries(category).items():
        expected: list[Any] | str
        if known.kind is Kind.IRRELEVANCE:
            expected = []
        elif known.kind is Kind.RELEVANCE:
            expected = ANY_CALL
        else:
            expected = [_renamed(call) for call in answers[name]]
        yield _offer(
            name, category, entry.question, entry.tools, expected, form="allowed", language=entry.language
        )


def _executable(data: BenchmarkData, category: str) -> Iterator[Offer]:
    answers = {row["id"]: row["ground_truth"] for row in _rows(data, "possible_answer", category)}
    for row in _rows(data, "question", category):
        expected = []
        for text in answers.get(row["id"], ()):
            decoded = decode(text, "python")
            if decoded.error is not None or len(decoded.calls) != 1:
                raise InputError(f"the answer of {row['id']} is no call", hint="run: faircall data pull")
            expected.append(_renamed({decoded.calls[0].name: decoded.calls[0].arguments}))
        yield _offer(row["id"], category, row["question"], row["function"], expected, form="plain")


def _rows(data: BenchmarkData, folder: str, category: str) -> list[dict[str, Any]]:
    text = data.read(f"{_FOLDER}/{folder}/BFCL_v4_{category}.json").decode("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _renamed(call: dict[str, Any]) -> dict[str, Any]:
    return {plain_name(name): arguments for name, arguments in call.items()}


def _offer(
    name: str,
    category: str,
    question: Sequence[Any],
    tools: Sequence[dict[str, Any]],
    expected: list[Any] | str,
    *,
    form: str,
    language: str = "python",
) -> Offer:
    documents = [{**tool, "name": plain_name(tool["name"])} for tool in tools]
    shown = [
        {
            "name": tool["name"],
            "description": tool.get("description") or tool["name"],
            "parameters": _parameters(tool["parameters"], language),
        }
        for tool in documents
    ]
    return Offer(name, category, [*question[0]], shown, documents, expected, form, language)


def _parameters(schema: dict[str, Any], language: str) -> dict[str, Any]:
    properties = schema.get("properties") or {}
    if language in _LANGUAGES:
        made = {name: _source_text(inner, _LANGUAGES[language]) for name, inner in properties.items()}
    else:
        made = {name: json_schema(inner) for name, inner in properties.items()}
    return {"type": "object", "properties": made, "required": list(schema.get("required") or ())}


def _source_text(schema: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the schema of an argument that is written as source text, with its declared type in words."""
    kind = schema.get("type") or "any"
    described = f"{schema.get('description', '')} (as {language} source text; its type there: {kind})"
    default = {"default": str(schema["default"])} if schema.get("default") is not None else {}
    return {"type": "string", "description": described.strip(), **default}


def json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of the benchmark's dialect as JSON Schema; a type that JSON does not have is left out.

    >>> json_schema({"type": "tuple", "items": {"type": "float"}, "default": [1.5]})
    {'type': 'array', 'default': [1.5], 'items': {'type': 'number'}}
    """
    kind = _TYPES.get(str(schema.get("type")))
    made: dict[str, Any] = {} if kind is None else {"type": kind}
    made |= {key: schema[key] for key in _KEPT if key in schema}
    if isinstance(schema.get("items"), dict):
        made["items"] = json_schema(schema["items"])
    if isinstance(schema.get("properties"), dict):
        made["properties"] = {name: json_schema(inner) for name, inner in schema["properties"].items()}
    return made
