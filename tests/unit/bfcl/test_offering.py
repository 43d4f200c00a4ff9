"""The benchmark's questions as an interface takes them."""

from __future__ import annotations

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.offering import ANY_CALL, EXECUTABLE, json_schema, offered_categories, offers
from faircall.errors import UsageError

JSON_TYPES = {"string", "integer", "number", "boolean", "array", "object"}


def types_in(schema):
    if isinstance(schema, dict):
        if "type" in schema:
            yield schema["type"]
        for name, inner in schema.items():
            if name == "properties":
                for each in inner.values():
                    yield from types_in(each)
            elif name == "items":
                yield from types_in(inner)


@pytest.mark.parametrize("category", offered_categories())
def test_every_category_is_offered_in_json_schema(data, category):
    made = list(offers(data, category))
    assert len(made) == (
        CATEGORIES[category].entries if category in CATEGORIES else {"exec_simple": 100}.get(category, 50)
    )
    for offer in made:
        for tool, document in zip(offer.tools, offer.documents, strict=True):
            assert set(types_in(tool["parameters"])) <= JSON_TYPES
            assert "." not in tool["name"]
            assert tool["name"] == document["name"]
        names = {tool["name"] for tool in offer.tools}
        if isinstance(offer.expected, list):
            assert {name for call in offer.expected for name in call} <= names
    assert all(offer.messages[-1]["role"] == "user" for offer in made)


def test_defaults_are_those_that_are_declared(data):
    for category in ("simple_python", "live_multiple", *EXECUTABLE):
        for offer in offers(data, category):
            for tool, document in zip(offer.tools, offer.documents, strict=True):
                for name, schema in document["parameters"]["properties"].items():
                    shown = tool["parameters"]["properties"][name]
                    assert ("default" in schema) == ("default" in shown)
                    assert schema.get("default") == shown.get("default")


def test_java_arguments_are_asked_for_as_text(data):
    [offer] = [each for each in offers(data, "simple_java") if each.id == "simple_java_0"]
    for schema in offer.tools[0]["parameters"]["properties"].values():
        assert schema["type"] == "string"
        assert "as Java source text" in schema["description"]


def test_what_is_expected(data):
    assert next(offers(data, "irrelevance")).expected == []
    assert next(offers(data, "live_relevance")).expected == ANY_CALL
    # exec_multiple_0's answer is calc_binomial_probability(n=20, k=5, p=1/6), by the file of the release.
    assert next(offers(data, "exec_multiple")).expected == [
        {"calc_binomial_probability": {"n": 20, "k": 5, "p": 1 / 6}}
    ]


def test_schemas_of_the_dialect():
    nested = {
        "type": "dict",
        "properties": {"at": {"type": "tuple", "items": {"type": "float"}}, "x": {"type": "any"}},
    }
    assert json_schema(nested) == {
        "type": "object",
        "properties": {"at": {"type": "array", "items": {"type": "number"}}, "x": {}},
    }


def test_other_categories_are_refused(data):
    with pytest.raises(UsageError, match="no category of single turns is called 'web_search_base'"):
        list(offers(data, "web_search_base"))
