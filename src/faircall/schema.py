"""Tool lists of every dialect (BFCL, OpenAI, Anthropic, Gemini, MCP) read into `Tool` records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.errors import InputError
from faircall.types import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SCHEMA_KEYS: Final = (
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
)
_GROUP_KEYS: Final = ("functionDeclarations", "function_declarations", "tools")
_WRAP_KEYS: Final = ("function", "toolSpec")
_HOLDERS: Final = frozenset((*_GROUP_KEYS, *_WRAP_KEYS))
_HINT: Final = "a tool is a name, or an object with `name` and `parameters`"


def read_tools(tools: object) -> tuple[Tool, ...]:
    """Return the tools that a tool list of any common dialect offers, in order.

    Accepts one tool or a list: BFCL's `{"name", "description", "parameters"}`, OpenAI's
    `{"type": "function", "function": {…}}`, Anthropic's `input_schema`, Gemini's `functionDeclarations`,
    MCP's `inputSchema` (and its `{"tools": […]}` answer), Amazon's `toolSpec`, BFCL entries with
    `function`, bare names, and `Tool` records. The schema of the parameters is kept as it is written.
    Raises InputError that names the place, such as `tools[1].parameters`.

    >>> read_tools([{"name": "area", "parameters": {"type": "dict", "properties": {}}}, "volume"])[1].name
    'volume'
    """
    if type(tools) is tuple:
        for tool in tools:
            if type(tool) is not Tool:
                break
        else:
            return tools
    if tools is None:
        return ()
    return tuple(_read_any(tools, "tools"))


def same_name(left: str, right: str) -> bool:
    """Return whether two tool names are one, but for what protocols and Markdown do to names.

    Many interfaces allow no dots, so `a.b` is sent as `a_b`; Markdown writers escape underscores (`a\\_b`).

    >>> same_name("geo.find", "geo_find"), same_name("geo.find", "geofind")
    (True, False)
    """
    return left == right or plain_name(left) == plain_name(right)


def plain_name(name: str) -> str:
    """Return the form of a tool name that `same_name` compares.

    >>> plain_name("geo.find")
    'geo_find'
    """
    return name.replace("\\_", "_").replace(".", "_")


def find_tool(name: str, tools: Iterable[Tool]) -> Tool | None:
    """Return the first tool of that name; failing that, the only one whose name is the same but for dots.

    >>> find_tool("geo_find", read_tools(["geo.find", "geo.list"])).name
    'geo.find'
    """
    plain = plain_name(name)
    alike = []
    for tool in tools:
        if tool.name == name:
            return tool
        if plain_name(tool.name) == plain:
            alike.append(tool)
    return alike[0] if alike and all(tool.name == alike[0].name for tool in alike) else None


def _read_any(item: object, path: str) -> list[Tool]:
    if isinstance(item, Tool):
        return [item]
    if isinstance(item, str):
        if not item.strip():
            raise InputError("an empty tool name", path=path, hint=_HINT)
        return [Tool(item)]
    if isinstance(item, dict):
        return _read_object(item, path)
    if isinstance(item, (list, tuple)):
        tools: list[Tool] = []
        for index, part in enumerate(item):
            plain = _read_plain(part)
            if plain is None:
                tools.extend(_read_any(part, f"{path}[{index}]"))
            else:
                tools.append(plain)
        return tools
    raise InputError(f"expected a tool, got {_kind(item)}", path=path, hint=_HINT)


def _read_plain(item: object) -> Tool | None:
    """Read the commonest dialect, in which a benchmark has thousands of tools; None for any other."""
    if type(item) is not dict or not _HOLDERS.isdisjoint(item):
        return None
    name, description, parameters = item.get("name"), item.get("description"), item.get("parameters")
    if type(name) is not str or type(description) is not str or type(parameters) is not dict:
        return None
    if len(parameters) == 1 or not name.strip():
        return None
    return Tool(name, description, parameters)


def _read_object(item: Mapping[str, Any], path: str) -> list[Tool]:
    if not _HOLDERS.isdisjoint(item):
        for key in _GROUP_KEYS:
            if isinstance(item.get(key), (list, tuple)):
                return _read_any(item[key], f"{path}.{key}")
        for key in _WRAP_KEYS:
            if isinstance(item.get(key), (dict, list, tuple)):
                return _read_any(item[key], f"{path}.{key}")
    name = item.get("name")
    if not isinstance(name, str) or not name.strip():
        if isinstance(name, str):
            problem = "an empty tool name"
        elif name is None:
            problem = "a tool without a name"
        else:
            problem = f"a tool's name must be text, got {_kind(name)}"
        raise InputError(problem, path=path, hint=_HINT)
    description = item.get("description")
    return [Tool(name, description if isinstance(description, str) else "", _read_schema(item, path))]


def _read_schema(item: Mapping[str, Any], path: str) -> dict[str, Any]:
    for key in _SCHEMA_KEYS:
        schema = item.get(key)
        if schema is None:
            continue
        if not isinstance(schema, dict):
            raise InputError(
                f"expected a schema, got {_kind(schema)}",
                path=f"{path}.{key}",
                hint='give an object such as {"type": "object", "properties": {}}',
            )
        # Amazon puts the schema one level down.
        inner = schema.get("json")
        return inner if len(schema) == 1 and isinstance(inner, dict) else schema
    return {}


def _kind(value: object) -> str:
    kinds = {
        dict: "an object",
        list: "a list",
        str: "text",
        bool: "a boolean",
        int: "a number",
        float: "a number",
    }
    return "nothing" if value is None else kinds.get(type(value), f"`{type(value).__name__}`")
