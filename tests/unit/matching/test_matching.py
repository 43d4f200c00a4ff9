from __future__ import annotations

import pytest

import faircall
from faircall.decoding.code_calls import SourceText
from faircall.errors import InputError, UsageError
from faircall.matching import Why, compile_answers, match
from faircall.types import Call

OFFICIAL = "official-2026.3.23"
TOOLS = [
    {
        "name": "mow",
        "parameters": {
            "type": "object",
            "properties": {"lawn": {"type": "string"}, "times": {"type": "integer", "default": 1}},
            "required": ["lawn"],
        },
    }
]


def test_answers_are_compiled_once_and_used_often():
    answers = compile_answers([{"mow": {"lawn": ["front"]}}], TOOLS)
    assert answers.match([{"mow": {"lawn": "Front"}}]).outcome == "pass"
    assert answers.match([{"mow": {"lawn": "back"}}]).outcome == "fail"
    assert answers.match([{"mow": {"lawn": "front", "times": 1}}]).filled == ()
    assert answers.match([Call("mow", {"lawn": "front"})]).filled == ("$.args.times",)


def test_a_fault_of_the_answers_is_known_before_any_call():
    answers = compile_answers([{"mow": {"lawn": [3]}}], TOOLS)
    assert answers.fault is not None
    assert answers.fault.reason == Why.UNSATISFIABLE_ANSWER
    assert compile_answers([{"mow": {"lawn": [3]}}], TOOLS, OFFICIAL).fault is None


def test_calls_in_every_form():
    expected = [{"mow": {"lawn": ["front"]}}]
    for call in (
        {"mow": {"lawn": "front"}},
        {"name": "mow", "arguments": {"lawn": "front"}},
        Call("mow", {"lawn": "front"}),
        Call("mow", {}, ("front",)),
        Call("mow", {}, ({"lawn": "front"},)),
    ):
        assert match([call], expected, tools=TOOLS).outcome == "pass"


@pytest.mark.parametrize(
    "call", [None, "mow", 5, [], {}, {"mow": None}, {"mow": {}, "dig": {}}, {5: {}}, ["mow"]]
)
def test_what_is_no_call_fails(call):
    assert match([call], [{"mow": {"lawn": ["front"]}}], tools=TOOLS).outcome == "fail"
    assert match([call], [{"mow": {"lawn": ["front"]}}], tools=TOOLS, profile=OFFICIAL).outcome in {
        "fail",
        "void",
    }


def test_positional_arguments_that_cannot_be_bound():
    expected = [{"mow": {"lawn": ["front"]}}]
    for call in (Call("mow", {"lawn": "front"}, ("front",)), Call("mow", {}, ("front", 1, 2))):
        found = match([call], expected, tools=TOOLS)
        assert (found.reason, found.path) == ("unexpected-parameter", "$.args[0]")


def test_bad_use():
    with pytest.raises(UsageError, match="no language is called 'cobol'"):
        match([], [], language="cobol")
    with pytest.raises(UsageError, match="`form` is one of"):
        match([], [], form="loose")
    with pytest.raises(InputError, match="is not a list of calls"):
        match([], {"mow": {}})
    for item in ("mow", {"mow": 5}, {}, {"mow": {}, "dig": {}}):
        with pytest.raises(InputError, match=r"expected\[0\] is not a call"):
            match([], [item])


def test_no_calls_wanted():
    assert match([], []).outcome == "pass"
    assert match([{"mow": {"lawn": "front"}}], [], tools=TOOLS).reason == "wrong-count"


def test_without_tools_the_answer_alone_decides():
    assert match([{"mow": {"lawn": 1.0}}], [{"mow": {"lawn": [1, 2]}}]).outcome == "pass"
    assert match([{"mow": {"lawn": "1"}}], [{"mow": {"lawn": [1, 2]}}]).outcome == "fail"
    assert match([{"mow": {"deep": {"a": [1]}}}], [{"mow": {"deep": {"a": [1]}}}]).outcome == "pass"


def test_a_tool_that_is_not_offered():
    found = match([{"dig": {}}], [{"dig": {}}], tools=TOOLS)
    assert (found.outcome, found.reason) == ("void", "unsatisfiable-answer")


def test_the_official_checker_raises():
    tools = [
        {
            "name": "mow",
            "parameters": {"type": "dict", "properties": {"n": {"type": "number"}}, "required": []},
        }
    ]
    found = match([{"mow": {"n": 1}}], [{"mow": {"n": [1]}}], tools=tools, profile=OFFICIAL)
    assert (found.outcome, found.reason, found.official_error) == (
        "void",
        "evaluator-crash",
        "raises:KeyError",
    )


def test_a_value_nested_too_deeply_is_a_failure_and_no_error():
    deep = 1
    for _ in range(20_000):
        deep = [deep]
    found = match([{"mow": {"lawn": deep}}], [{"mow": {"lawn": ["front"]}}], tools=TOOLS)
    assert found.outcome == "fail"
    tools = [{"name": "mow", "parameters": {"properties": {"x": {}}, "required": []}}]
    assert match([{"mow": {"x": deep}}], [{"mow": {"x": [1]}}], tools=tools).outcome == "fail"


@pytest.mark.parametrize("profile", ["fair-1", OFFICIAL])
def test_paths_of_parameters_with_telling_names(profile):
    for name, path in (("name", "$.args.name"), ("args", "$.args.args"), ("a b", '$.args["a b"]')):
        tools = [{"name": "mow", "parameters": {"properties": {name: {"type": "string"}}, "required": []}}]
        found = match([{"mow": {name: "x"}}], [{"mow": {name: ["y"]}}], tools=tools, profile=profile)
        assert found.path == path
        assert found.message == f'Expected `"y"`, got `"x"` - at `{path}`'
    many = match([{"mow": {"x": "b"}}] * 2, [{"mow": {"x": ["b"]}}, {"mow": {"x": ["c"]}}], profile="fair-1")
    assert many.path in {"$[0].args.x", "$[1].args.x"}


def test_messages_are_cut():
    found = match([{"mow": {"lawn": "x" * 10_000}}], [{"mow": {"lawn": ["y" * 10_000]}}], tools=TOOLS)
    assert len(found.message) < 400


def test_schemas_of_other_dialects():
    tools = [
        {
            "type": "function",
            "function": {
                "name": "mow",
                "parameters": {
                    "type": "object",
                    "$defs": {"lawn": {"type": "string", "enum": ["front", "back"]}},
                    "properties": {
                        "lawn": {"$ref": "#/$defs/lawn"},
                        "times": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
                        "mode": {"const": "slow"},
                    },
                    "required": ["lawn"],
                },
            },
        }
    ]
    expected = [{"mow": {"lawn": ["front"], "mode": ["slow", ""]}}]
    assert match([{"mow": {"lawn": "front"}}], expected, tools=tools).outcome == "pass"
    assert match([{"mow": {"lawn": "front", "times": None}}], expected, tools=tools).outcome == "pass"
    assert match([{"mow": {"lawn": "front", "times": "2"}}], expected, tools=tools).reason == "wrong-type"
    assert match([{"mow": {"lawn": "side"}}], [{"mow": {"lawn": ["side"]}}], tools=tools).outcome == "void"


def test_a_recursive_schema():
    node = {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}
    tools = [
        {
            "name": "walk",
            "parameters": {"$defs": {"node": node}, "properties": {"at": {"$ref": "#/$defs/node"}}},
        }
    ]
    value = {"name": "a", "next": {"name": "b", "next": {"name": "c"}}}
    expected = [{"walk": {"at": [{"name": ["a"], "next": [{"name": ["b"], "next": [{"name": ["c"]}]}]}]}}]
    assert match([{"walk": {"at": value}}], expected, tools=tools).outcome == "pass"


@pytest.mark.parametrize(
    ("language", "kind", "item", "written"),
    [
        ("java", "ArrayList", "integer", "new ArrayList<>(Arrays.asList(1, 2))"),
        ("java", "Array", "long", "new long[]{1L, 2L}"),
        ("javascript", "array", "integer", "[1, 2]"),
    ],
)
def test_source_text_and_values_of_code(language, kind, item, written):
    tools = [
        {
            "name": "mow",
            "parameters": {"properties": {"x": {"type": kind, "items": {"type": item}}}, "required": ["x"]},
        }
    ]
    expected = [{"mow": {"x": [[1, 2], "lawns"]}}]
    for value in (written, [1, 2], "lawns"):
        assert match([{"mow": {"x": value}}], expected, tools=tools, language=language).outcome == "pass"
    for value in ("rows", [2, 1]):
        assert match([{"mow": {"x": value}}], expected, tools=tools, language=language).outcome == "fail"


def test_types_that_the_official_converter_refuses_are_values_like_others():
    tools = [{"name": "mow", "parameters": {"properties": {"x": {"type": "Set"}}, "required": ["x"]}}]
    expected = [{"mow": {"x": [["a", "b"]]}}]
    calls = [{"mow": {"x": 'new HashSet<>(Arrays.asList("a", "b"))'}}]
    assert match(calls, expected, tools=tools, language="java").outcome == "pass"
    assert match(calls, expected, tools=tools, language="java", profile=OFFICIAL).reason == "evaluator-crash"


def test_the_form_of_answers_can_be_stated():
    tools = [{"name": "mow", "parameters": {"properties": {"ids": {"type": "array"}}, "required": ["ids"]}}]
    expected = [{"mow": {"ids": [[1], [2]]}}]
    assert match([{"mow": {"ids": [[1], [2]]}}], expected, tools=tools, form="plain").outcome == "pass"
    assert match([{"mow": {"ids": [2]}}], expected, tools=tools, form="allowed").outcome == "pass"


@pytest.mark.parametrize("language", ["java", "javascript"])
def test_a_quoted_number_is_no_number_where_the_decoder_types_values(language):
    tools = [{"name": "mow", "parameters": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}}]
    answers = compile_answers([{"mow": {"x": [5, "rows"]}}], tools, language=language)
    assert answers.match([{"mow": {"x": "5"}}]).outcome == "pass"
    assert answers.match([{"mow": {"x": "5"}}], typed=True).reason == "wrong-type"
    for value in (5, SourceText("5"), SourceText("rows"), "rows"):
        assert answers.match([{"mow": {"x": value}}], typed=True).outcome == "pass"


def test_dots_are_underscores_only_where_the_interface_has_none():
    tools = [{"name": "garden.mow", "parameters": {"properties": {}, "required": []}}]
    answers = compile_answers([{"garden.mow": {}}], tools)
    assert answers.match([{"garden_mow": {}}]).outcome == "pass"
    assert answers.match([{"garden_mow": {}}], underscored=False).reason == "wrong-function"
    assert answers.match([{"garden.mow": {}}], underscored=False).outcome == "pass"
    assert answers.match([{"garden\\_mow": {}}], underscored=False).outcome == "fail"


def test_a_plain_list_for_an_array_list():
    tools = [
        {
            "name": "mow",
            "parameters": {
                "properties": {"x": {"type": "ArrayList", "items": {"type": "integer"}}},
                "required": ["x"],
            },
        }
    ]
    for expected in ([{"mow": {"x": [1, 2]}}], [{"mow": {"x": [[1, 2]]}}]):
        found = match([{"mow": {"x": [1, 2]}}], expected, tools=tools, language="java")
        assert found.outcome == "pass"
    assert (
        match([{"mow": {"x": "xs"}}], [{"mow": {"x": ["xs"]}}], tools=tools, language="java").outcome
        == "pass"
    )


@pytest.mark.parametrize(
    ("written", "allowed", "outcome"),
    [
        ("order.total", "order.total", "pass"),
        ("order.total", "ordertotal", "fail"),
        ("count - 1", "count-1", "pass"),
        ("count - 1", "count1", "fail"),
        ("-count", "count", "fail"),
        ("new Grid(1,200)", "new Grid(1, 200)", "pass"),
        ("new Grid(1,200)", "new Grid(1200)", "fail"),
        ('"New York"', "new york", "pass"),
    ],
)
@pytest.mark.parametrize("decoder", ["java", "javascript"])
def test_a_program_s_expression_counts_in_full(decoder, written, allowed, outcome):
    tool = {"name": "f", "parameters": {"properties": {"x": {"type": "any"}}, "required": ["x"]}}
    verdict = faircall.check(
        f"[f(x={written})]",
        tools=[tool],
        expected=[{"f": {"x": [allowed]}}],
        decoder=decoder,
        language=decoder,
    )
    assert (verdict.state, verdict.outcome) == ("CALLED", outcome), verdict.message
