"""Tools as each provider's interface takes them: the shape, the names of types, names of tools that it allows."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any, Final

from faircall.dialects import standard_schema
from faircall.errors import InputError, UsageError
from faircall.schema import plain_name, read_tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from faircall.types import Tool

_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.\-]")
_LONGEST: Final = {"openai": 64, "openai-responses": 64, "gemini": 64, "bedrock": 64, "anthropic": 128}
_BFCL_TYPES: Final = {"object": "dict", "number": "float"}
_COUNTS: Final = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"}
)
_GEMINI_WORDS: Final = frozenset({
    "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
    "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
    "default", "items", "minimum", "maximum",
})  # fmt: skip
"""The words that Gemini's own schemas have; a schema with others goes into `parametersJsonSchema`."""


def write_tools(tools: Any, provider: str) -> list[dict[str, Any]]:
    """Return tools in the form that a provider's interface takes, one object for each interface's list.

    `tools` are in any form that `read_tools` takes; `provider` is `openai`, `openai-responses`, `anthropic`, `gemini`,
    `mistral`, `cohere`, `bedrock`, `mcp` or `bfcl`. Schemas are put into the words of JSON Schema, or of BFCL; Gemini
    gets its own where they suffice, and JSON Schema where they do not. Dots in the names of tools become underscores
    where the interface refuses them, which `same_name` takes for the same; `read_tools` reads what is written.

    Raises UsageError for a provider that is not known, InputError for a name that the interface refuses, and for two
    tools whose names would be one.

    >>> tool = {"name": "geo.find", "parameters": {"type": "dict", "properties": {"km": {"type": "float"}}}}
    >>> write_tools([tool], "anthropic")[0]["name"], write_tools([tool], "mcp")[0]["inputSchema"]["properties"]
    ('geo_find', {'km': {'type': 'number'}})
    """
    write = _WRITERS.get(provider)
    if write is None:
        close = difflib.get_close_matches(provider, _WRITERS, 1)
        hint = f"did you mean `{close[0]}`? " if close else ""
        raise UsageError(f"no provider `{provider}`; {hint}the providers are {', '.join(_WRITERS)}")
    written = read_tools(tools)
    names = [_allowed_name(tool, provider) for tool in written]
    for index, name in enumerate(names):
        if name in names[:index]:
            other = written[names.index(name)].name
            what = f"its name is written `{name}`, as that of `{other}` is"
            raise InputError(what, path=f"tools[{index}] `{written[index].name}`", hint="rename one")
    return write([(name, tool) for name, tool in zip(names, written, strict=True)])


def _allowed_name(tool: Tool, provider: str) -> str:
    if provider in {"bfcl", "mcp"}:
        return tool.name
    name = tool.name if provider == "gemini" else plain_name(tool.name)
    longest = _LONGEST.get(provider, 256)
    if _UNFIT.search(name) or len(name) > longest:
        hint = "use letters, digits, underscores, dashes and dots"
        what = (
            f"a name that {provider} refuses"
            if len(name) <= longest
            else f"a name of more than {longest} characters"
        )
        raise InputError(what, path=f"tool `{tool.name}`", hint=hint)
    return name


def _objects(tool: Tool) -> dict[str, Any]:
    """The schema of the parameters in JSON Schema's words, as that of an object, which every interface asks for."""
    schema = standard_schema(tool.parameters)
    return {
        "type": "object",
        **({} if "properties" in schema or "$ref" in schema else {"properties": {}}),
        **schema,
    }


def _named(name: str, tool: Tool, **fields: Any) -> dict[str, Any]:
    described = {"description": tool.description} if tool.description else {}
    return {"name": name, **described, **fields}


Pairs = list[tuple[str, "Tool"]]


def _write_chat(pairs: Pairs) -> list[dict[str, Any]]:
    return [{"type": "function", "function": _named(n, tool, parameters=_objects(tool))} for n, tool in pairs]


def _write_responses(pairs: Pairs) -> list[dict[str, Any]]:
    # Without `strict` the interface would make every parameter required.
    return [
        {"type": "function", **_named(n, tool, parameters=_objects(tool), strict=False)} for n, tool in pairs
    ]


def _write_anthropic(pairs: Pairs) -> list[dict[str, Any]]:
    return [_named(name, tool, input_schema=_objects(tool)) for name, tool in pairs]


def _write_mcp(pairs: Pairs) -> list[dict[str, Any]]:
    return [_named(name, tool, inputSchema=_objects(tool)) for name, tool in pairs]


def _write_bedrock(pairs: Pairs) -> list[dict[str, Any]]:
    return [{"toolSpec": _named(name, tool, inputSchema={"json": _objects(tool)})} for name, tool in pairs]


def _write_gemini(pairs: Pairs) -> list[dict[str, Any]]:
    if not pairs:
        return []
    declarations = []
    for name, tool in pairs:
        schema = standard_schema(tool.parameters)
        own = _gemini_schema(schema)
        if own is None:
            declarations.append(_named(name, tool, parametersJsonSchema=_objects(tool)))
        elif schema.get("properties"):
            declarations.append(_named(name, tool, parameters={"type": "OBJECT", **own}))
        else:  # which refuses an object without properties
            declarations.append(_named(name, tool))
    return [{"functionDeclarations": declarations}]


def _gemini_schema(schema: Any) -> dict[str, Any] | None:
    """A schema in Gemini's words, or None where it has no words for it."""
    if not isinstance(schema, dict) or not set(schema) <= _GEMINI_WORDS or "propertyOrdering" in schema:
        return None
    own = dict(schema)
    stated = schema.get("type")
    if isinstance(stated, list):
        if len(stated) != 2 or "null" not in stated:
            return None
        own["nullable"] = True
        stated = next(word for word in stated if word != "null")
    if isinstance(stated, str):
        own["type"] = stated.upper()
    values = schema.get("enum", ())
    if not all(isinstance(value, str) for value in values) or ("enum" in own and stated != "string"):
        return None
    for key in _COUNTS & own.keys():
        own[key] = str(own[key])
    parts: dict[str, Any] = dict(schema.get("properties") or {})
    own_parts = {name: _gemini_schema(part) for name, part in parts.items()}
    listed = [_gemini_schema(part) for part in schema.get("anyOf", ())]
    items = _gemini_schema(schema["items"]) if "items" in schema else {}
    if None in own_parts.values() or None in listed or items is None:
        return None
    own |= {"properties": own_parts} if "properties" in own else {}
    own |= {"anyOf": listed} if listed else {}
    own |= {"items": items} if "items" in own else {}
    return own


def _write_bfcl(pairs: Pairs) -> list[dict[str, Any]]:
    return [
        {"name": name, "description": tool.description, "parameters": _bfcl_schema(_objects(tool))}
        for name, tool in pairs
    ]


def _bfcl_schema(schema: Any) -> Any:
    """A schema with BFCL's names of types, at every place where a schema stands."""
    if isinstance(schema, list):
        return [_bfcl_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    written = {}
    for key, value in schema.items():
        if key == "type":
            named = [value] if isinstance(value, str) else value
            named = [_BFCL_TYPES.get(word, word) for word in named]
            written[key] = named[0] if isinstance(value, str) else named
        elif key in {"properties", "patternProperties", "$defs", "definitions"} and isinstance(value, dict):
            written[key] = {name: _bfcl_schema(part) for name, part in value.items()}
        elif key in {"items", "additionalProperties", "not", "anyOf", "oneOf", "allOf", "prefixItems"}:
            written[key] = _bfcl_schema(value)
        else:
            written[key] = value
    return written


_WRITERS: Final[dict[str, Callable[[Pairs], list[dict[str, Any]]]]] = {
    "openai": _write_chat,
    "openai-responses": _write_responses,
    "anthropic": _write_anthropic,
    "gemini": _write_gemini,
    "mistral": _write_chat,
    "cohere": _write_chat,
    "bedrock": _write_bedrock,
    "mcp": _write_mcp,
    "bfcl": _write_bfcl,
}
