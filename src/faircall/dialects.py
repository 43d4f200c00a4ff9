"""Schemas of every dialect in JSON Schema's own words: names of types, `nullable`, spellings."""

from __future__ import annotations

from typing import Any, Final

KINDS: Final = {
    "string": "string", "str": "string", "text": "string", "char": "string", "character": "string",
    "integer": "integer", "int": "integer", "long": "integer", "short": "integer", "byte": "integer",
    "bigint": "integer", "float": "number", "number": "number", "double": "number",
    "boolean": "boolean", "bool": "boolean",
    "array": "array", "list": "array", "tuple": "array", "arraylist": "array", "set": "array",
    "queue": "array", "stack": "array",
    "object": "object", "dict": "object", "hashmap": "object", "hashtable": "object", "map": "object",
    "null": "null", "none": "null",
}  # fmt: skip
"""What the names of types in every dialect are called in JSON Schema; `any` is none of them."""
_SPELLINGS: Final = {
    "any_of": "anyOf", "one_of": "oneOf", "all_of": "allOf", "additional_properties": "additionalProperties",
    "min_items": "minItems", "max_items": "maxItems", "min_length": "minLength", "max_length": "maxLength",
    "min_properties": "minProperties", "max_properties": "maxProperties", "prefix_items": "prefixItems",
    "ref": "$ref", "defs": "$defs",
}  # fmt: skip
"""How Google's library spells words of JSON Schema."""
_NAMED_PARTS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTED_PARTS: Final = ("prefixItems", "allOf", "anyOf", "oneOf")
_SINGLE_PARTS: Final = (
    "items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties",
)  # fmt: skip
_COUNTS: Final = (
    "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minimum", "maximum",
)  # fmt: skip
_NULL: Final = {"type": "null"}


class Standard:
    """A schema in JSON Schema's own words, and for each part of it what the tool itself writes there.

    `words` has, by the identity of a part, the part of the tool's schema that it stands for. A schema that says by
    `$schema` which draft it follows keeps the words of that draft.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self.words: dict[int, dict[str, Any]] = {}
        self._modern = "$schema" not in schema
        self._made: dict[int, Any] = {}
        self.schema: dict[str, Any] = self._translated(schema)

    def _translated(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        if id(schema) in self._made:  # a part that is there twice, or holds itself
            return self._made[id(schema)]
        made: dict[str, Any] = {}
        self._made[id(schema)] = made
        self.words[id(made)] = schema
        for key, value in schema.items():
            made[_SPELLINGS.get(key, key) if isinstance(key, str) else str(key)] = value
        self._translate_parts(made)
        _translate_required(made, schema)
        _translate_numbers(made)
        _translate_type(made)
        if made.get("nullable") is True:
            _allow_null(made)
        return made

    def _translate_parts(self, made: dict[str, Any]) -> None:
        for key in _NAMED_PARTS:
            if isinstance(made.get(key), dict):
                made[key] = {str(name): self._translated(part) for name, part in made[key].items()}
        for key in _LISTED_PARTS:
            if isinstance(made.get(key), (list, tuple)):
                made[key] = [self._translated(part) for part in made[key]]
        if isinstance(made.get("items"), (list, tuple)):
            made["items"] = [self._translated(part) for part in made["items"]]
            if self._modern:
                made.setdefault("prefixItems", made.pop("items"))
        for key in _SINGLE_PARTS:
            if isinstance(made.get(key), dict):
                made[key] = self._translated(made[key])


def standard_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of any dialect in JSON Schema's own words; the schema itself is not changed.

    Names of types are those of the standard (`dict` is `object`, `float` is `number`, `any` is no type), `nullable`
    allows null, `required` on a parameter is put into its object's list, an enumeration beside the items of a list is
    put inside, a list of `items` is `prefixItems`, and Google's spellings are the standard's.

    >>> standard_schema({"type": "dict", "properties": {"km": {"type": "float", "nullable": True}}})["properties"]
    {'km': {'type': ['number', 'null']}}
    """
    return Standard(schema).schema


def _translate_type(made: dict[str, Any]) -> None:
    stated = made.get("type")
    names = list(stated) if isinstance(stated, (list, tuple)) else [stated]
    kinds = [KINDS.get(name.lower(), "") if isinstance(name, str) else "" for name in names]
    if "type" in made:
        del made["type"]
        if all(kinds) and kinds:
            made["type"] = list(dict.fromkeys(kinds)) if isinstance(stated, (list, tuple)) else kinds[0]
    elif isinstance(made.get("properties"), dict) and "$ref" not in made:
        made["type"] = "object"
    enum = made.get("enum")
    if not isinstance(enum, (list, tuple)) or not enum:
        made.pop("enum", None)
        return
    made["enum"] = list(enum)
    if made.get("type") == "array" and not any(isinstance(value, (list, tuple)) for value in enum):
        inner = made.get("items")
        made["items"] = {**(inner if isinstance(inner, dict) else {}), "enum": made.pop("enum")}


def _translate_required(made: dict[str, Any], schema: dict[Any, Any]) -> None:
    """Keep a list of the names that are required, with those that say so themselves."""
    stated = made.pop("required", None)
    names = [name for name in stated if isinstance(name, str)] if isinstance(stated, (list, tuple)) else []
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        if isinstance(part, dict) and part.get("required") is True:
            names.append(str(name))
    if names:
        made["required"] = list(dict.fromkeys(names))


def _translate_numbers(made: dict[str, Any]) -> None:
    """Read counts that are written as text, and limits that are marked as excluded."""
    for key in _COUNTS:
        value = made.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            made[key] = int(value)
    for key, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(made.get(key), bool) and "$schema" not in made:
            excluded = made.pop(key)
            if excluded and limit in made:
                made[key] = made.pop(limit)


def _allow_null(made: dict[str, Any]) -> None:
    """Let a part be null as well, in the words of the standard."""
    del made["nullable"]
    if "enum" in made and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    stated = made.get("type")
    if isinstance(stated, str) and stated != "null":
        made["type"] = [stated, "null"]
    elif isinstance(stated, list) and "null" not in stated:
        made["type"] = [*stated, "null"]
    for key in ("anyOf", "oneOf"):
        if isinstance(made.get(key), list) and _NULL not in made[key]:
            made[key] = [*made[key], dict(_NULL)]
    if "$ref" in made:
        either = {"anyOf": [{"$ref": made.pop("$ref")}, dict(_NULL)]}
        made["allOf"] = [*made.get("allOf", ()), either]
