from __future__ import annotations

import pytest

from faircall.errors import InputError
from faircall.schema import find_tool, read_tools, same_name
from faircall.types import Tool

SCHEMA = {"type": "object", "properties": {"cups": {"type": "integer"}}}


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "brew", "description": "makes tea", "parameters": SCHEMA},
        {"type": "function", "function": {"name": "brew", "description": "makes tea", "parameters": SCHEMA}},
        {"type": "function", "name": "brew", "description": "makes tea", "parameters": SCHEMA},
        {"name": "brew", "description": "makes tea", "input_schema": SCHEMA},
        {"name": "brew", "description": "makes tea", "inputSchema": SCHEMA},
        {"functionDeclarations": [{"name": "brew", "description": "makes tea", "parameters": SCHEMA}]},
        {"function_declarations": [{"name": "brew", "description": "makes tea", "parameters": SCHEMA}]},
        {"toolSpec": {"name": "brew", "description": "makes tea", "inputSchema": {"json": SCHEMA}}},
        {"id": "e1", "function": [{"name": "brew", "description": "makes tea", "parameters": SCHEMA}]},
        {"tools": [{"name": "brew", "description": "makes tea", "inputSchema": SCHEMA}]},
        Tool("brew", "makes tea", SCHEMA),
    ],
)
def test_every_dialect_gives_the_same_tool(tool):
    assert read_tools(tool) == (Tool("brew", "makes tea", SCHEMA),)
    assert read_tools([tool, "steep"]) == (Tool("brew", "makes tea", SCHEMA), Tool("steep"))


def test_a_schema_is_kept_as_it_is_written():
    schema = {"type": "dict", "properties": {"x": {"type": "float"}}, "required": ["x"]}
    assert read_tools([{"name": "f", "parameters": schema}])[0].parameters is schema


def test_nothing_is_no_tools():
    assert read_tools(None) == read_tools([]) == read_tools(()) == ()


def test_tools_without_parameters():
    assert read_tools([{"name": "f", "description": None, "parameters": None}]) == (Tool("f"),)


def test_records_pass_through():
    tools = (Tool("f"), Tool("g"))
    assert read_tools(tools) is tools


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ([{"name": "f"}, {"description": "?"}], "tools[1]: a tool without a name"),
        ([{"name": 5}], "tools[0]: a tool's name must be text, got a number"),
        ([{"name": " "}], "tools[0]: an empty tool name"),
        ([{"type": "function", "function": {"name": ""}}], "tools[0].function: an empty tool name"),
        (["f", ""], "tools[1]: an empty tool name"),
        ([None], "tools[0]: expected a tool, got nothing"),
        (7, "tools: expected a tool, got a number"),
        ([{"name": "f", "parameters": "x"}], "tools[0] `f`: parameters: expected a schema, got text"),
        ({"functionDeclarations": [True]}, "tools.functionDeclarations[0]: expected a tool, got a boolean"),
    ],
)
def test_bad_tools_say_where_and_how_to_mend(tools, message):
    with pytest.raises(InputError) as failed:
        read_tools(tools)
    assert str(failed.value).startswith(message)
    assert failed.value.hint


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("geo.find", "geo_find", True),
        ("geo\\_find", "geo_find", True),
        ("geo.find", "geo.find", True),
        ("geo.find", "geofind", False),
        ("geo.find", "Geo.find", False),
        ("geo-find", "geo_find", False),
    ],
)
def test_names_that_protocols_force_to_change(left, right, same):
    assert same_name(left, right) is same
    assert same_name(right, left) is same


def test_a_tool_is_found_by_its_name_first():
    tools = read_tools(["geo.find", "geo_find"])
    assert find_tool("geo_find", tools).name == "geo_find"
    assert find_tool("geo.find", tools).name == "geo.find"


def test_a_tool_is_not_guessed_between_two():
    assert find_tool("geo_find_all", read_tools(["geo.find_all", "geo_find.all"])) is None
    assert find_tool("nowhere", read_tools(["geo.find"])) is None


@pytest.mark.parametrize(
    "holder",
    [
        {"model": "m", "messages": [], "tools": [{"type": "function", "name": "brew", "parameters": SCHEMA}]},
        {
            "toolConfig": {
                "tools": [
                    {"toolSpec": {"name": "brew", "inputSchema": {"json": SCHEMA}}},
                    {"cachePoint": {"type": "default"}},
                ]
            }
        },
        {
            "contents": [],
            "config": {
                "tools": [{"functionDeclarations": [{"name": "brew", "parametersJsonSchema": SCHEMA}]}]
            },
        },
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "brew", "inputSchema": SCHEMA}]}},
        {"functions": [{"name": "brew", "parameters": SCHEMA}]},
    ],
)
def test_tools_are_found_in_requests_and_answers(holder):
    assert read_tools(holder) == (Tool("brew", "", SCHEMA),)


def test_tools_without_a_schema_of_their_own():
    free = {"type": "custom", "name": "sh", "description": "runs"}
    listed = [
        free,
        {"type": "custom", "custom": free},
        {"type": "web_search_preview"},
        {"googleSearch": {}, "codeExecution": {}},
    ]
    read = read_tools([*listed, {"type": "mcp", "server_label": "x", "server_url": "y"}])
    assert [tool.name for tool in read] == ["sh", "sh", "web_search", "google_search", "code_execution"]
    assert read[0].parameters["required"] == ["input"]


def test_cohere_defines_parameters_one_by_one():
    definitions = {
        "to": {"type": "str", "required": True, "description": "Where to."},
        "stops": {"type": "List[int]"},
        "note": {"type": "Optional[str]"},
    }
    [tool] = read_tools([{"name": "ride", "description": "x", "parameter_definitions": definitions}])
    assert tool.parameters["required"] == ["to"]
    assert tool.parameters["properties"]["stops"] == {"type": "array", "items": {"type": "int"}}
    assert tool.parameters["properties"]["note"] == {"type": "str", "nullable": True}


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        (
            {"nights": "integer"},
            "tools[1] `book_room`: parameters.properties.nights: expected a schema, got text",
        ),
        (
            ["nights"],
            "tools[1] `book_room`: parameters.properties: expected an object of schemas, got a list",
        ),
    ],
)
def test_a_broken_schema_names_the_tool_and_the_place(properties, message):
    tools = [
        "ask",
        {"name": "book_room", "description": "x", "parameters": {"type": "object", "properties": properties}},
    ]
    with pytest.raises(InputError) as failed:
        read_tools(tools)
    assert str(failed.value).startswith(message)
    assert read_tools(tools, lenient=True)[1].name == "book_room"
