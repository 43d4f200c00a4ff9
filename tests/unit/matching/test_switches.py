"""Each switch set alone, from either side, changes the verdict that it is there for."""

from __future__ import annotations

import pytest

from faircall.matching import match
from faircall.types import Call

OFFICIAL = "official-2026.3.23"


def tool(properties, required=(), name="f"):
    return {
        "name": name,
        "parameters": {"type": "dict", "properties": properties, "required": list(required)},
    }


def items(kind):
    return {"type": "array", "items": {"type": kind}}


CASES = {
    "defaults": (
        [{"f": {}}],
        [{"f": {"x": [5]}}],
        [tool({"x": {"type": "integer", "default": 5}})],
    ),
    "numbers": ([{"f": {"x": [1, 2]}}], [{"f": {"x": [[1.0, 2.0]]}}], [tool({"x": items("float")}, ["x"])]),
    "strings": ([{"f": {"x": "2031-1-12"}}], [{"f": {"x": ["2031-11-2"]}}], [tool({"x": {"type": "string"}}, ["x"])]),
    "nested": (
        [{"f": {"x": {"p": {"n": 1}}}}],
        [{"f": {"x": [{"p": [{"n": [1]}]}]}}],
        [tool({"x": {"type": "dict"}}, ["x"])],
    ),
    "parallel": (
        [{"f": {"x": "a"}}, {"f": {"x": "b"}}],
        [{"f": {"x": ["a", "b"]}}, {"f": {"x": ["a"]}}],
        [tool({"x": {"type": "string"}}, ["x"])],
    ),
    "names": (
        [{"a_f": {"x": 1}}],
        [{"a.f": {"x": [1]}}],
        [{**tool({"x": {"type": "integer"}}, ["x"]), "name": "a.f"}],
    ),
    "positional": ([Call("f", {}, (1,))], [{"f": {"x": [1]}}], [tool({"x": {"type": "integer"}}, ["x"])]),
}  # fmt: skip


@pytest.mark.parametrize("switch", CASES)
def test_a_switch_alone(switch):
    calls, expected, tools = CASES[switch]

    def outcome(profile):
        return match(calls, expected, tools=tools, profile=profile).outcome

    official, fair = outcome(OFFICIAL), outcome("fair-1")
    assert official != fair
    assert outcome(f"{OFFICIAL}+{switch}=fair") == fair
    assert outcome(f"fair-1+{switch}=official") == official


@pytest.mark.parametrize("switch", sorted(set(CASES) - {"strings"}))
def test_the_official_error_is_given_where_all_that_matters_is_official(switch):
    calls, expected, tools = CASES[switch]
    assert match(calls, expected, tools=tools, profile=OFFICIAL).official_error
    assert match(calls, expected, tools=tools, profile=f"{OFFICIAL}+gate=evidence").official_error
    assert match(calls, expected, tools=tools, profile=f"{OFFICIAL}+strings=by-value").official_error is None


def test_numbers_alone_at_one_level_keep_booleans_apart():
    tools = [tool({"x": {"type": "dict"}}, ["x"])]
    calls, expected = [{"f": {"x": {"n": True}}}], [{"f": {"x": [{"n": [1]}]}}]
    assert match(calls, expected, tools=tools, profile=OFFICIAL).outcome == "pass"
    assert match(calls, expected, tools=tools, profile=f"{OFFICIAL}+numbers=by-value").outcome == "fail"


def test_numbers_official_at_every_level():
    tools = [tool({"x": {"type": "float"}, "l": items("float")})]
    profile = "fair-1+numbers=official"
    assert match([{"f": {"x": 1}}], [{"f": {"x": [1.0]}}], tools=tools, profile=profile).outcome == "pass"
    assert (
        match([{"f": {"l": [1]}}], [{"f": {"l": [[1.0]]}}], tools=tools, profile=profile).reason
        == "wrong-type"
    )


def test_defaults_alone_at_one_level_reach_into_objects():
    inner = {
        "type": "dict",
        "properties": {"n": {"type": "integer"}, "unit": {"type": "string", "default": "m"}},
    }
    tools = [tool({"x": inner, "y": {"type": "string", "default": "z"}}, ["x"])]
    profile = f"{OFFICIAL}+defaults=canonical"
    expected = [{"f": {"x": [{"n": [1], "unit": ["", "cm"]}]}}]
    for value in ({"n": 1}, {"n": 1, "unit": "m"}, {"n": 1, "unit": "cm"}):
        assert match([{"f": {"x": value}}], expected, tools=tools, profile=profile).outcome == "pass"
        assert (
            match([{"f": {"x": value, "y": "Z"}}], expected, tools=tools, profile=profile).outcome == "pass"
        )
    found = match([{"f": {"x": {"n": 1, "unit": "km"}}}], expected, tools=tools, profile=profile)
    assert (found.outcome, found.path) == ("fail", "$.args.x.unit")


def test_an_omission_is_reported_as_one_where_defaults_are_filled_in():
    tools = [tool({"x": {"type": "string", "default": "a"}})]
    for profile in ("fair-1", f"{OFFICIAL}+defaults=canonical"):
        found = match([{"f": {}}], [{"f": {"x": ["b"]}}], tools=tools, profile=profile)
        assert (found.reason, found.path) == ("missing-optional", "$.args.x")


def test_names_with_dots_replaced():
    tools = [tool({}, name="a.b.c")]
    for underscores, right in ((False, "a.b.c"), (True, "a_b_c")):
        for name in ("a.b.c", "a_b_c"):
            found = match(
                [{name: {}}], [{"a.b.c": {}}], tools=tools, profile=OFFICIAL, underscores=underscores
            )
            assert found.outcome == ("pass" if name == right else "fail")


def test_the_category_decides_officially_and_the_shape_fairly():
    tools = [tool({"x": {"type": "integer"}}, ["x"])]
    calls, expected = [{"f": {"x": 3}}, {"f": {"x": 4}}], [{"f": {"x": [3]}}, {"f": {"x": [4]}}]
    official = match(calls, expected, tools=tools, profile=OFFICIAL, category="format_sensitivity")
    assert official.official_error == "simple_function_checker:wrong_count"
    assert match(calls, expected, tools=tools, category="format_sensitivity").outcome == "pass"
    assert match(calls, expected, tools=tools, profile=OFFICIAL, category="live_parallel").outcome == "pass"
