"""Tools written for each provider read back as the same tools, whatever words their schemas are in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall import InputError, UsageError, write_tools
from faircall.dialects import standard_schema
from faircall.schema import read_tools, same_name
from faircall.types import Tool

PROVIDERS = (
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "mistral",
    "cohere",
    "bedrock",
    "mcp",
    "bfcl",
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}(\.[a-z][a-z0-9_]{0,8})?", fullmatch=True)
WORDS = st.text(max_size=12)
LEAVES = st.one_of(
    st.builds(
        lambda kind, about: {"type": kind, "description": about},
        st.sampled_from(["string", "integer", "boolean", "float", "number"]),
        WORDS,
    ),
    st.builds(
        lambda values: {"type": "string", "enum": values},
        st.lists(WORDS, min_size=1, max_size=3, unique=True),
    ),
    st.builds(lambda kind: {"type": kind, "nullable": True}, st.sampled_from(["string", "STRING", "NUMBER"])),
    st.just({"type": "integer", "enum": [1, 2]}),
    st.just({"type": ["string", "integer", "null"]}),
    st.just({"const": 3}),
    st.just({"$ref": "#/$defs/place"}),
    st.just({"type": "any"}),
)


def _objects(inner):
    fields = st.dictionaries(
        st.sampled_from(["to", "km", "type", "enum", "é"]), inner, min_size=1, max_size=3
    )
    return st.builds(
        lambda kind, parts, needed: {"type": kind, "properties": parts, "required": sorted(parts)[:needed]},
        st.sampled_from(["object", "dict"]),
        fields,
        st.integers(0, 3),
    )


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        _objects(inner),
        st.builds(lambda items: {"type": "array", "items": items, "minItems": 1}, inner),
        st.builds(lambda parts: {"anyOf": parts}, st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=4,
)
PARAMETERS = (
    st.builds(
        lambda schema: {**schema, "$defs": {"place": {"type": "object", "properties": {}}}}, _objects(SCHEMAS)
    )
    | _objects(LEAVES.filter(lambda leaf: "$ref" not in leaf))
    | st.just({})
)
TOOLS = st.lists(
    st.builds(Tool, NAMES, WORDS, PARAMETERS), max_size=3, unique_by=lambda tool: tool.name.replace(".", "_")
)


def plainly(parameters):
    """A schema in the standard's words, without what says nothing of a value."""
    schema = {"type": "object", "properties": {}, **standard_schema(parameters)}
    return _sorted(schema)


def _sorted(schema):
    if isinstance(schema, dict):
        kept = {key: _sorted(value) for key, value in schema.items() if value != [] or key != "required"}
        if isinstance(kept.get("type"), list):
            kept["type"] = sorted(kept["type"])
        return kept
    return [_sorted(part) for part in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("provider", PROVIDERS)
@given(tools=TOOLS)
def test_what_is_written_reads_back(provider, tools):
    read = read_tools(write_tools(tools, provider))
    assert [tool.description for tool in read] == [tool.description for tool in tools]
    assert all(same_name(tool.name, wanted.name) for tool, wanted in zip(read, tools, strict=True))
    assert [plainly(tool.parameters) for tool in read] == [plainly(tool.parameters) for tool in tools]
    assert write_tools(read, provider) == write_tools(tools, provider)


def test_dots_stay_where_an_interface_takes_them():
    written = {name: read_tools(write_tools(["geo.find"], name))[0].name for name in PROVIDERS}
    assert {name for name, found in written.items() if found == "geo.find"} == {"gemini", "mcp", "bfcl"}
    assert set(written.values()) == {"geo.find", "geo_find"}


def test_two_names_that_would_be_one_are_refused():
    with pytest.raises(
        InputError, match=r"tools\[1\] `geo_find`: its name is written `geo_find`, as that of `geo.find` is"
    ):
        write_tools(["geo.find", "geo_find"], "openai")
    assert len(write_tools(["geo.find", "geo_find"], "mcp")) == 2


@pytest.mark.parametrize("name", ["find it", "é", "a" * 65])
def test_a_name_that_an_interface_refuses_is_said(name):
    with pytest.raises(InputError, match="tool `"):
        write_tools([name], "openai")


def test_an_unknown_provider_is_said():
    with pytest.raises(UsageError, match="did you mean `openai`"):
        write_tools(["f"], "opanai")


def test_gemini_gets_its_own_words_where_they_suffice():
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": ["string", "null"]}}}}
    [listed] = write_tools([tool], "gemini")
    [declared] = listed["functionDeclarations"]
    assert declared["parameters"]["properties"] == {"x": {"type": "STRING", "nullable": True}}
    tool["parameters"]["properties"]["x"] = {"const": 1}
    assert "parametersJsonSchema" in write_tools([tool], "gemini")[0]["functionDeclarations"][0]
