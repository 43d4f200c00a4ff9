"""Tool lists of every dialect (BFCL, the providers' interfaces, MCP, Python's own) read into `Tool` records."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Final

from faircall.errors import InputError
from faircall.sdk_objects import object_data, plain_data
from faircall.types import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SCHEMA_KEYS: Final = (
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    "params_json_schema",
    "args_schema",
)
_GROUP_KEYS: Final = ("functionDeclarations", "function_declarations", "tools", "functions")
_WRAP_KEYS: Final = ("function", "toolSpec")
_REQUEST_KEYS: Final = ("toolConfig", "tool_config", "config", "result", "params", "body")
"""Keys of requests and answers under which an object has the tools."""
_HOLDERS: Final = frozenset((*_GROUP_KEYS, *_WRAP_KEYS, *_REQUEST_KEYS, "custom", "parameter_definitions"))
_HOSTED: Final = (
    "web_search", "file_search", "code_interpreter", "computer", "image_generation", "local_shell", "shell",
    "apply_patch", "tool_search",
)  # fmt: skip
"""Tools that OpenAI runs itself, which have a type (some with a version after it) in place of a name."""
_HOSTED_KEYS: Final = {
    "googleSearch": "google_search", "google_search": "google_search", "codeExecution": "code_execution",
    "code_execution": "code_execution", "urlContext": "url_context", "url_context": "url_context",
    "googleMaps": "google_maps", "google_maps": "google_maps", "fileSearch": "file_search",
    "googleSearchRetrieval": "google_search_retrieval", "google_search_retrieval": "google_search_retrieval",
}  # fmt: skip
"""Tools that Gemini runs itself, each under a key of its own; and Bedrock's mark in a list of tools, which is none."""
_FREE_TEXT: Final = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}
"""What the parameters of a tool amount to that takes free text."""
_HINT: Final = "a tool is a name, or an object with `name` and `parameters`"


def read_tools(tools: object, *, lenient: bool = False) -> tuple[Tool, ...]:
    """Return the tools that a tool list of any common dialect offers, in order.

    Accepts one tool or a list, or the request or answer that has it: BFCL's `{"name", "description", "parameters"}`,
    OpenAI's `{"type": "function", "function": {…}}`, the same without the wrapping, and tools that take free text,
    Anthropic's `input_schema`, Gemini's `functionDeclarations`, MCP's `inputSchema` (and its `{"tools": […]}` answer),
    Bedrock's `toolSpec`, Cohere's `parameter_definitions`, BFCL entries with `function`, bare names, `Tool` records,
    objects of the providers' libraries, functions, and classes with fields (pydantic models, dataclasses). The schema
    of the parameters is kept as it is written. Raises InputError that names the tool and the place, such as
    ``tools[1] `ride`: parameters.properties.km``: a schema has to be an object, and so have its properties, each of
    which is a schema, unless `lenient` lets them ask for nothing, for those who report it. What else a schema may say
    wrongly asks for nothing; `faircall.validate` refuses it.

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
    read = tuple(_read_any(tools, "tools"))
    if not lenient:
        _refuse_broken(read)
    return read


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
    return _read_instance(item, path)


def _read_instance(item: object, path: str) -> list[Tool]:
    """Read what is no plain data: a function, a class, an object of a library."""
    if isinstance(item, (bool, int, float)) or item is None:
        raise InputError(f"expected a tool, got {_kind(item)}", path=path, hint=_HINT)
    if isinstance(item, type):
        from faircall.signatures import tool_of_class  # noqa: PLC0415 - plain data needs it not

        return [tool_of_class(item, path)]
    routine = inspect.isroutine(item) or isinstance(item, functools.partial)
    asked = None if routine else getattr(item, "tool_call_schema", None)  # LangChain's tools
    if asked is not None:
        found = asked.model_json_schema() if hasattr(asked, "model_json_schema") else asked
        named = {"name": getattr(item, "name", None), "description": getattr(item, "description", None)}
        return _read_object({**named, "parameters": found}, path)
    data = None if routine else object_data(item)
    if data is not None:
        return _read_object(_pruned(plain_data(data)), path)
    if callable(item):
        from faircall.signatures import tool_of_function  # noqa: PLC0415 - plain data needs it not

        return [tool_of_function(item, path)]
    raise InputError(f"expected a tool, got {_kind(item)}", path=path, hint=_HINT)


def _pruned(value: Any, holder: str = "") -> Any:
    """An object's data without the fields that are not set."""
    if isinstance(value, dict):
        kept = value if holder in _VALUES else {k: part for k, part in value.items() if part is not None}
        return {key: _pruned(part, key) for key, part in kept.items()}
    return [_pruned(part, holder) for part in value] if isinstance(value, list) else value


_VALUES: Final = frozenset({"default", "enum", "const", "example", "examples"})


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
    if not _HOLDERS.isdisjoint(item) and (held := _read_held(item, path)) is not None:
        return held
    name = item.get("name")
    if name is None and (hosted := _hosted(item)) is not None:
        return hosted
    if not isinstance(name, str) or not name.strip():
        if isinstance(name, str):
            problem = "an empty tool name"
        elif name is None:
            problem = "a tool without a name"
        else:
            problem = f"a tool's name must be text, got {_kind(name)}"
        raise InputError(problem, path=path, hint=_HINT)
    if item.get("type") == "custom" and "input_schema" not in item and "parameters" not in item:
        return [_read_custom(item, path)]
    description = item.get("description")
    where = f"{path} `{name}`: "
    return [Tool(name, description if isinstance(description, str) else "", _read_schema(item, where))]


def _read_held(item: Mapping[str, Any], path: str) -> list[Tool] | None:
    """The tools under a key of an object that only holds them; None where it does not."""
    for key in _GROUP_KEYS:
        if isinstance(item.get(key), (list, tuple)):
            return _read_any(item[key], f"{path}.{key}")
    if isinstance(item.get("custom"), dict):
        return [_read_custom(item["custom"], f"{path}.custom")]
    for key in _WRAP_KEYS:
        if isinstance(item.get(key), (dict, list, tuple)):
            return _read_any(item[key], f"{path}.{key}")
    if "name" not in item:
        for key in _REQUEST_KEYS:
            inner = item.get(key)
            if isinstance(inner, dict) and not _HOLDERS.isdisjoint(inner):
                return _read_object(inner, f"{path}.{key}")
    return None


def _read_custom(item: Any, path: str) -> Tool:
    """Read a tool that takes free text, which has no schema."""
    name = item.get("name") if isinstance(item, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise InputError("a tool without a name", path=path, hint=_HINT)
    description = item.get("description")
    return Tool(name, description if isinstance(description, str) else "", _FREE_TEXT)


def _hosted(item: Mapping[str, Any]) -> list[Tool] | None:
    """The tools of an object that names one which the provider runs itself; None for other objects."""
    kind = item.get("type")
    if isinstance(kind, str):
        named = [Tool(name) for name in _HOSTED if kind == name or kind.startswith(f"{name}_")]
        return named[:1] or ([] if kind == "mcp" and "server_label" in item else None)
    keys = [key for key in item if key in _HOSTED_KEYS and isinstance(item[key], dict)]
    if keys and set(keys) == set(item):
        return [Tool(_HOSTED_KEYS[key]) for key in keys]
    return [] if set(item) == {"cachePoint"} else None


def _read_schema(item: Mapping[str, Any], where: str) -> dict[str, Any]:
    if isinstance(item.get("parameter_definitions"), dict):
        return _read_definitions(item["parameter_definitions"], where)
    for key in _SCHEMA_KEYS:
        schema = item.get(key)
        if schema is None:
            continue
        schema = _as_schema(schema, f"{where}{key}")
        # Amazon puts the schema one level down.
        inner = schema.get("json")
        if len(schema) == 1 and isinstance(inner, dict):
            schema = inner
        return schema
    return {}


def _refuse_broken(tools: Iterable[Tool]) -> None:
    """Raise InputError for properties that are no schemas."""
    for index, tool in enumerate(tools):
        properties = tool.parameters.get("properties")
        if properties is None or properties == []:  # as PHP writes an empty object
            continue
        where = f"tools[{index}] `{tool.name}`: parameters.properties"
        if not isinstance(properties, dict):
            hint = 'give an object of names and schemas, such as {"to": {"type": "string"}}'
            raise InputError(f"expected an object of schemas, got {_kind(properties)}", path=where, hint=hint)
        for name, part in properties.items():
            if type(part) is not dict and type(part) is not bool:
                _as_schema(part, f"{where}.{name}")


def _as_schema(schema: object, path: str) -> dict[str, Any]:
    """Return a schema that is one; raises InputError for what is no object."""
    if not isinstance(schema, dict):
        hint = 'give an object such as {"type": "object", "properties": {}}'
        raise InputError(f"expected a schema, got {_kind(schema)}", path=path, hint=hint)
    return schema


def _read_definitions(definitions: dict[str, Any], where: str) -> dict[str, Any]:
    """Read the parameters of Cohere's first version: Python's names of types, `required` with each parameter."""
    properties: dict[str, Any] = {}
    required = []
    for name, definition in definitions.items():
        _as_schema(definition, f"{where}parameter_definitions.{name}")
        part = {key: value for key, value in definition.items() if key not in {"type", "required"}}
        properties[name] = {**_typed(str(definition.get("type", ""))), **part}
        if definition.get("required") is True:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _typed(word: str) -> dict[str, Any]:
    """The schema of one of Python's names of types, such as `List[str]`."""
    outer, bracket, inner = word.strip().partition("[")
    if bracket and outer.casefold() in {"list", "sequence", "tuple", "set"}:
        return {"type": "array", "items": _typed(inner.removesuffix("]"))}
    if bracket and outer.casefold() == "optional":
        return {**_typed(inner.removesuffix("]")), "nullable": True}
    return {"type": outer.strip()} if outer.strip() else {}


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
