"""The rule on schemas that are not written as schemas are, so that what they ask for is not asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.canonical import step
from faircall.canonical.shapes import is_kind_word
from faircall.matching.reasons import kind_word, show
from faircall.rules.dataset_subject import observed, read_example
from faircall.rules.register import Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.dataset import Dataset, Item

_LISTS: Final = ("enum", "required", "anyOf", "oneOf", "allOf", "prefixItems")
_MOST_IDS: Final = 5


def _malformed_schema(dataset: Dataset) -> Iterator[Observed]:
    seen: dict[tuple[str, str], tuple[Item, list[str]]] = {}
    for item in dataset.items:
        for tool in item.tools:
            for path, what in _faults(tool.parameters, "", set()):
                ids = seen.setdefault((tool.name + path, what), (item, []))[1]
                if not ids or ids[-1] != item.id:
                    ids.append(item.id)
    for (path, what), (item, ids) in seen.items():
        more = f" ({len(ids)} entries)" if len(ids) > 1 else ""
        found = observed(item, path, f"{what}{more}", entries=len(ids), ids=ids[:_MOST_IDS])
        yield found._replace(points=None)


def _faults(schema: Any, path: str, seen: set[int]) -> Iterator[tuple[str, str]]:
    """Yield what is no schema, with the path that leads to it; each part of a schema is looked at once."""
    if isinstance(schema, bool) or id(schema) in seen:
        return
    if not isinstance(schema, dict):
        yield path, f"A schema is an object, and this one is `{kind_word(schema)}`"
        return
    seen.add(id(schema))
    types = schema.get("type")
    for word in types if isinstance(types, list) else [types]:
        if word is not None and not is_kind_word(word):
            yield path, f"There is no type {show(word)}"
    for name in _LISTS:
        # In draft 3, `required` is said of the parameter itself.
        if name in schema and not isinstance(schema[name], list) and not isinstance(schema[name], bool):
            yield path, f"`{name}` is a list, and this one is `{kind_word(schema[name])}`"
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield path, f"`properties` is an object, and this one is `{kind_word(properties)}`"
        properties = {}
    for name, inner in properties.items():
        yield from _faults(inner, path + step(name), seen)
    items = schema.get("items")
    for inner in items if isinstance(items, list) else [] if items is None else [items]:
        yield from _faults(inner, f"{path}[]", seen)


MALFORMED_SCHEMA: Final[Rule[Dataset]] = Rule(
    id="D320",
    slug="malformed-schema",
    severity=Severity.WARNING,
    versions="tools in the schema dialects of BFCL, OpenAI, Anthropic, Gemini and MCP",
    claim="A part of a tool's schema is not written as schemas are, so that what it asks for is not asked.",
    not_claimed="that a model would misread it",
    wrong_if="the schema is of a dialect that faircall does not know",
    command="faircall lint SUITE --select D320",
    bad='{"tools": [{"name": "ride", "parameters": {"properties": {"to": {"type": "txt", "enum": "home"}}}}]}',
    good='{"tools": [{"name": "ride", "parameters": {"properties": {"to": {"type": "string", "enum": ["home"]}}}}]}',
    check=_malformed_schema,
    read=read_example,
)
"""The rule on schemas."""
