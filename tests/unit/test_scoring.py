from __future__ import annotations

import pytest

import faircall
from faircall.errors import UsageError
from faircall.types import Outcome, State

TOOLS = ["book_table"]


@pytest.mark.parametrize(
    ("output", "expected", "outcome"),
    [
        ("I cannot order flowers.", [], Outcome.PASS),
        ("I cannot order flowers.", None, Outcome.PASS),
        ("[book_table(seats=2)]", [], Outcome.FAIL),
        ("[book_table(seats=2)]", None, Outcome.PASS),
        ("[book_table(seats=", [], Outcome.FAIL),
        ("[book_table(seats=", None, Outcome.FAIL),
        ("Error during inference: Error code: 500", [], Outcome.VOID),
        ("Error during inference: Error code: 500", None, Outcome.VOID),
    ],
)
def test_outcome(output, expected, outcome):
    assert faircall.check(output, tools=TOOLS, expected=expected, decoder="python").outcome is outcome


def test_a_failure_says_what_was_expected_and_where():
    verdict = faircall.check("[book_table(seats=2)]", tools=TOOLS, expected=[], decoder="python")
    assert verdict.path == "$"
    assert verdict.message == "Expected `ABSTAINED`, got `CALLED`: 1 call under python"
    assert verdict.calls[0].arguments == {"seats": 2}


@pytest.mark.parametrize(
    ("gate", "state"),
    [("official", State.ABSTAINED), ("literal", State.MALFORMED), ("evidence", State.MALFORMED)],
)
def test_the_policy_decides_about_a_broken_call(gate, state):
    verdict = faircall.check(
        "[book_table(seats=", tools=TOOLS, expected=[], decoder="python", profile=f"fair-1+gate={gate}"
    )
    assert verdict.state is state


@pytest.mark.parametrize(
    ("gate", "state"),
    [("official", State.ABSTAINED), ("literal", State.MALFORMED), ("evidence", State.ABSTAINED)],
)
def test_the_policy_decides_about_a_refusal(gate, state):
    verdict = faircall.check(
        "I cannot order flowers.", tools=TOOLS, expected=[], decoder="python", profile=f"fair-1+gate={gate}"
    )
    assert verdict.state is state


RIDE = {
    "name": "ride",
    "parameters": {
        "type": "object",
        "properties": {"to": {"type": "string"}, "fast": {"type": "boolean", "default": False}},
        "required": ["to"],
    },
}


@pytest.mark.parametrize(
    ("output", "expected", "outcome", "reason"),
    [
        ("[ride(to='home')]", [{"ride": {"to": ["home"]}}], Outcome.PASS, "decoded"),
        ("[ride(to='home', fast=False)]", [{"ride": {"to": ["home"]}}], Outcome.PASS, "decoded"),
        ("[ride(to='home', fast=True)]", [{"ride": {"to": ["home"]}}], Outcome.FAIL, "wrong-value"),
        ("[ride(to='work')]", [{"ride": {"to": ["home"]}}], Outcome.FAIL, "wrong-value"),
        ("[ride(to='home')]", [{"ride": {"to": "home"}}], Outcome.PASS, "decoded"),
        (
            "[ride(to='a'), ride(to='b')]",
            [{"ride": {"to": ["b"]}}, {"ride": {"to": ["a"]}}],
            Outcome.PASS,
            "decoded",
        ),
        ("I will not.", [{"ride": {"to": ["home"]}}], Outcome.FAIL, "prose"),
        ("[ride(to='ho", [{"ride": {"to": ["home"]}}], Outcome.FAIL, "truncated"),
        ("Error during inference: x", [{"ride": {"to": ["home"]}}], Outcome.VOID, "harness-error"),
        (
            "[ride(to='home', pace=1)]",
            [{"ride": {"to": ["home"], "pace": [1]}}],
            Outcome.VOID,
            "unsatisfiable-answer",
        ),
    ],
)
def test_expected_calls(output, expected, outcome, reason):
    verdict = faircall.check(output, tools=[RIDE], expected=expected, decoder="python")
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_the_official_profile_names_the_official_error():
    verdict = faircall.check(
        "[ride(to='home', fast=False)]",
        tools=[RIDE],
        expected=[{"ride": {"to": ["home"]}}],
        decoder="python",
        profile="official-2026.3.23",
    )
    assert verdict.outcome is Outcome.FAIL
    assert verdict.official_error == "simple_function_checker:unexpected_param"


def test_what_was_filled_in_is_part_of_the_verdict():
    verdict = faircall.check(
        "[ride(to='home')]", tools=[RIDE], expected=[{"ride": {"to": ["home"]}}], decoder="python"
    )
    assert verdict.filled == ("$.args.fast",)


def test_an_unknown_decoder_names_the_known_ones():
    with pytest.raises(UsageError, match="hermes"):
        faircall.check("x", tools=TOOLS, decoder="hermess")


CARRIAGE = {
    "name": "ride",
    "parameters": {"properties": {"to": {"type": "string"}, "how": {"type": "object"}}, "required": ["to"]},
}


@pytest.mark.parametrize(
    "expected",
    [
        {"ride": {"to": ["home"]}},
        {"ride": {"to": "home"}},
        {"name": "ride", "arguments": {"to": "home"}},
        {"name": "ride", "arguments": '{"to": "home"}'},
        {"type": "function", "function": {"name": "ride", "arguments": '{"to": "home"}'}},
        {"type": "function", "id": "call_1", "function": {"name": "ride", "arguments": {"to": "home"}}},
        {"type": "tool_use", "id": "t_1", "name": "ride", "input": {"to": "home"}},
    ],
)
def test_an_expected_call_is_read_as_outputs_are(expected):
    for place, outcome in (("home", "pass"), ("work", "fail")):
        verdict = faircall.check(
            f"[ride(to='{place}')]", tools=[CARRIAGE], expected=[expected], decoder="python"
        )
        assert verdict.outcome == outcome, verdict.message


def test_a_lone_object_is_what_the_first_parameter_takes_or_the_arguments():
    ferry = {"name": "ferry", "parameters": {"properties": {"how": {"type": "object"}}, "required": ["how"]}}
    for output, tool, answer in (
        ("[ferry({'how': 'fast'})]", ferry, {"ferry": {"how": [{"how": ["fast"]}]}}),
        ("[ride({'to': 'home'})]", CARRIAGE, {"ride": {"to": ["home"]}}),
    ):
        assert faircall.check(output, tools=[tool], expected=[answer], decoder="python").outcome == "pass"
        spelled = faircall.check(
            output, tools=[tool], expected=[answer], profile="fair-1+positional=official"
        )
        assert spelled.outcome == "fail"


@pytest.mark.parametrize("decoder", ["hermes", "json", "mistral", "granite", "concise-xml", "nemotron"])
def test_text_that_can_write_a_dot_does_not_have_it_forced_away(decoder):
    trip = {"name": "trip.plan", "parameters": {"properties": {"to": {"type": "string"}}, "required": ["to"]}}
    answer = [{"trip.plan": {"to": ["Oslo"]}}]
    call = '{"name": "%s", "arguments": {"to": "Oslo"}}'
    wrap = {
        "hermes": f"<tool_call>{call}</tool_call>",
        "json": '[{"function": "%s", "parameters": {"to": "Oslo"}}]',
        "mistral": f"[TOOL_CALLS] [{call}]",
        "granite": f"<tool_call>[{call}]",
        "concise-xml": '<functions><function name="%s">'
        '<param name="to" type="string">Oslo</param></function></functions>',
        "nemotron": "<TOOLCALL>[%s(to='Oslo')]</TOOLCALL>",
    }[decoder]
    for name, outcome in (("trip.plan", "pass"), ("trip_plan", "fail")):
        verdict = faircall.check(wrap % name, tools=[trip], expected=answer, decoder=decoder)
        assert (verdict.state, verdict.outcome) == ("CALLED", outcome), verdict.message
