from __future__ import annotations

import copy
import threading

import pytest

import faircall
from faircall.errors import InputError, UsageError
from faircall.reward_table import RewardTable
from faircall.schema import read_tools
from faircall.types import Outcome, Reason, State

RIDE = {
    "name": "ride",
    "parameters": {
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "km": {"type": "integer"},
            "bike": {"type": "string"},
            "unit": {"type": "string", "default": "km"},
        },
        "required": ["to", "km"],
    },
}
STOP = {"name": "stop", "parameters": {"type": "object", "properties": {}, "required": []}}
TOOLS = [RIDE, STOP]
HOME = {"ride": {"to": ["home"], "km": [5], "bike": ["", "red"]}}
WORK = {"ride": {"to": ["work"], "km": [5]}}
REFUSAL = "None of these tools can do that."


def value_of(output, expected, **options):
    [found] = faircall.reward([output], tools=TOOLS, expected=expected, **{"decoder": "python", **options})
    return found.value


@pytest.mark.parametrize(
    ("output", "expected", "value"),
    [
        ("[ride(to='home', km=5)]", [HOME], 1.0),
        ("[ride(to='home', km=5, bike='red', unit='km')]", [HOME], 1.0),
        # of two arguments that are wanted one is right; one that may be left out is wrong; one is unknown
        ("[ride(to='home', km=6)]", [HOME], 0.5 * 1 / 2),
        ("[ride(to='home')]", [HOME], 0.5 * 1 / 2),
        ("[ride(to='home', km=5, bike='blue')]", [HOME], 0.5 * 2 / 3),
        ("[ride(to='home', km=5, unit='miles')]", [HOME], 0.5 * 2 / 3),
        ("[ride(to='home', km=6, speed=9)]", [HOME], 0.5 * 1 / 3),
        ("[ride(to='work', km=6)]", [HOME], 0.0),
        ("[ride()]", [HOME], 0.0),
        ("[stop()]", [HOME], 0.0),
        ("[fly(to='home', km=5)]", [HOME], 0.0),
        ("[stop()]", [{"stop": {}}], 1.0),
        ("[stop(now=True)]", [{"stop": {}}], 0.5 * 1 / 2),
        # several calls: how many of them are made as wanted
        ("[ride(to='work', km=5), ride(to='home', km=5)]", [HOME, WORK], 1.0),
        ("[ride(to='home', km=5)]", [HOME, WORK], 0.5 * 1 / 2),
        ("[ride(to='home', km=5), ride(to='work', km=6)]", [HOME, WORK], 0.5 * 1 / 2),
        ("[ride(to='home', km=6), ride(to='work', km=6)]", [HOME, WORK], 0.0),
        ("[ride(to='home', km=5), ride(to='home', km=5)]", [HOME, WORK], 0.5 * 1 / 2),
        ("[ride(to='home', km=5), ride(to='work', km=5), stop()]", [HOME, WORK], 0.0),
        ("[ride(to='home', km=5), ride(to='home', km=5)]", [HOME], 0.0),
        # no call
        (REFUSAL, [HOME], 0.0),
        (REFUSAL, [], 1.0),
        ("[]", [], 1.0),
        ("[ride(to='home', km=5)]", [], 0.0),
        # broken ones are the same wherever they stand
        ("[ride(to='home', km=5", [HOME], -0.5),
        ("[ride(to='home', km=5", [], -0.5),
        ("", [HOME], -0.5),
        ("", [], -0.5),
        ("Error during inference: 502", [HOME], None),
        ("Error during inference: 502", [], None),
        (None, [HOME], None),
        (None, [], None),
    ],
)
def test_value(output, expected, value):
    assert value_of(output, expected) == value


def test_a_call_that_the_answers_take_twice_counts_twice():
    twice = [HOME, HOME]
    assert value_of("[ride(to='home', km=5)]", twice) == 0.25
    assert value_of("[ride(to='home', km=5), ride(to='home', km=5)]", twice) == 1.0


def test_parts_say_how_near_the_calls_come():
    [found] = faircall.reward(
        ["[ride(to='home', km=5), ride(to='work', km=6)]"],
        tools=TOOLS,
        expected=[HOME, WORK],
        decoder="python",
    )
    assert found.parts == {"share": 0.5, "names": 1.0, "exact": 0.5}
    assert (found.outcome, found.state, found.reason) == (Outcome.FAIL, State.CALLED, "wrong-value")


def test_an_error_message_is_the_models_own_text_where_no_harness_stands_between():
    text = "Error during inference: 502"
    [found] = faircall.reward([text], tools=TOOLS, expected=[], own_text=True)
    assert (found.value, found.state, found.reason) == (-0.5, State.MALFORMED, Reason.GARBAGE)
    assert value_of("[ride(to='Error during inference: it failed with status 502', km=5)]", [HOME]) == 0.25


def test_an_answer_that_nothing_can_satisfy_is_void_whatever_is_written():
    impossible = [{"ride": {"to": ["home"], "km": ["far"]}}]
    for output in ("[ride(to='home', km=5)]", REFUSAL, ""):
        [found] = faircall.reward([output], tools=TOOLS, expected=impossible, decoder="python")
        assert (found.value, found.outcome) == (None, Outcome.VOID)


def test_a_table_changes_the_values_and_no_more():
    table = RewardTable(partly=0.8, wrong=-0.2, abstained=-0.4, called=-0.1, malformed=-1)
    assert value_of("[ride(to='home', km=6)]", [HOME], table=table) == pytest.approx(-0.2 + 1.0 * 0.5)
    assert value_of("[stop()]", [HOME], table=table) == -0.2
    assert value_of(REFUSAL, [HOME], table=table) == -0.4
    assert value_of("[stop()]", [], table=table) == -0.1
    assert value_of("[stop(", [], table=table) == -1
    assert value_of("[ride(to='home', km=5)]", [HOME], table="reward-1+malformed=-1") == 1.0


def test_lists_may_be_one_for_each_completion():
    rewards = faircall.reward(
        ["[ride(to='home', km=5)]", "[stop()]", REFUSAL, "[stop()]"],
        tools=[TOOLS, [STOP], TOOLS, None],
        expected=[[HOME], [{"stop": {}}], [], None],
        decoder="python",
    )
    assert rewards.values == [1.0, 1.0, 1.0, None]
    assert (rewards[3].reason, rewards[3].state) == ("no-answers", State.CALLED)
    assert rewards.signature.startswith("reward:reward-1|profile:fair-1|decoder:python|n:4|void:1|v:")
    assert len(rewards) == 4
    assert [item.value for item in rewards[1:]] == [1.0, 1.0, None]
    assert rewards.signature in repr(rewards)


def test_one_list_serves_all_and_may_be_names_or_records():
    assert faircall.reward([REFUSAL] * 2, tools=["ride", "stop"], expected=[]).values == [1.0, 1.0]
    assert faircall.reward(["[ride(to='home', km=5)]"], tools=read_tools(TOOLS), expected=[HOME]).values == [
        1.0
    ]
    assert faircall.reward([], tools=TOOLS, expected=[]).values == []
    assert faircall.reward([REFUSAL], tools=TOOLS, expected=[[]]).values == [1.0]


@pytest.mark.parametrize(
    ("completions", "options", "told"),
    [
        ("[stop()]", {"expected": []}, "`completions` is not a list"),
        ({"a": 1}, {"expected": []}, "`completions` is not a list"),
        (["a", "b"], {"expected": [[]]}, "1 lists in `expected` for 2 completions"),
        (["a"], {"expected": [], "tools": [["f"], ["g"]]}, "2 lists in `tools` for 1 completions"),
        (["a"], {"expected": [[], {"f": {}}]}, "`expected` mixes lists with others"),
        (["a"], {"expected": None}, "`expected` is None"),
        (["a"], {"expected": [], "profile": "official-2026.3.23"}, "a reward needs gate=evidence"),
        (["a"], {"expected": [], "profile": "fair-1+gate=literal"}, "a reward needs gate=evidence"),
        (["a"], {"expected": [], "decoder": "hermas"}, "did you mean `hermes`"),
        (["a"], {"expected": [], "table": "reward-9"}, "no reward table"),
        ([], {"expected": [], "language": "cobol"}, "no language `cobol`"),
    ],
)
def test_bad_use_is_one_line(completions, options, told):
    with pytest.raises(UsageError, match=told) as caught:
        faircall.reward(completions, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"tools": [[STOP], [{"nom": "x"}]], "expected": []}, "for completion 1: tools.0.: a tool without a"),
        ({"tools": TOOLS, "expected": [[], ["stop"]]}, "for completion 1: expected.0. is not a call"),
        ({"tools": TOOLS, "expected": "[]"}, "for completion 0: `expected` is not a list of calls"),
    ],
)
def test_bad_rows_are_named(options, told):
    with pytest.raises(InputError, match=told):
        faircall.reward(["[stop()]", "[stop()]"], **options)


def test_lists_that_change_after_a_call_do_not_change_what_is_remembered():
    expected = [copy.deepcopy(HOME)]
    assert value_of("[ride(to='home', km=5)]", expected) == 1.0
    expected[0]["ride"]["to"] = ["work"]
    assert value_of("[ride(to='home', km=5)]", expected) == 0.25
    assert value_of("[ride(to='home', km=5)]", [HOME]) == 1.0
    assert value_of("[ride(to='work', km=5)]", expected) == 1.0


def test_numbers_and_truth_values_are_told_apart_by_what_is_remembered():
    tools = [{"name": "set", "parameters": {"properties": {"on": {}}, "required": ["on"]}}]
    for allowed, written in ((1, "1"), (True, "True"), (0, "0"), (False, "False")):
        for text in ("1", "True", "0", "False"):
            [found] = faircall.reward(
                [f"[set(on={text})]"], tools=tools, expected=[{"set": {"on": [allowed]}}], decoder="python"
            )
            assert (found.value == 1.0) is (text == written), (allowed, text)


def test_threads_get_what_one_gets():
    rows = [[{"ride": {"to": [f"p{index}"], "km": [index]}}] for index in range(200)]
    texts = [f"[ride(to='p{index}', km={index + index % 3 % 2})]" for index in range(200)]
    alone = [0.25 if index % 3 == 1 else 1.0 for index in range(200)]
    found = {}

    def judge(name):
        found[name] = faircall.reward(texts, tools=TOOLS, expected=rows, decoder="python").values

    threads = [threading.Thread(target=judge, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(values == alone for values in found.values())
    assert len(found) == 8


def test_a_profile_without_a_schema_has_no_partly_right_calls():
    profile = "official-2026.3.23+gate=evidence"
    assert value_of("[ride(to='home', km=5)]", [HOME], profile=profile) == 1.0
    assert value_of("[ride(to='home', km=6)]", [HOME], profile=profile) == 0.0


RIGHT = "[ride(to='home', km=5)]"


@pytest.mark.parametrize(
    "output",
    [
        "[" * 100_000,
        "(" * 50_000 + ")" * 50_000,
        RIGHT + "x" * 300_000,
        "[" + ", ".join([RIGHT[1:-1]] * 2_000) + "]",
        f"[ride(to='home', km={'9' * 10_000})]",
        "[ride(to='home', km=9**9**9)]",
        "[ride(to=__import__('os').getcwd(), km=5)]",
        "[ride(**{'to': 'home', 'km': 6})]",
        "<think>" + RIGHT * 1000,
        '<think>{"name": "ride", "arguments": {"to": "home", "km": 5}}</think>',
        "<think>" + RIGHT + "</think><think>",
        "\u202e" + RIGHT[::-1],
        "\ud800",
        "\x00" * 100,
        "{{7*7}} %s {0} ${x} <script>",
        "a(" * 5000,
        [RIGHT, RIGHT],
        [{"ride": '{"to": "home", "km": 5'}],
        [{"ride": {"to": "home", "km": 5}}] * 3,
        [[{"ride": {"to": "home", "km": 5}}]],
        42,
        float("nan"),
    ],
    ids=lambda output: repr(output)[:24].encode("ascii", "replace").decode(),
)
def test_hostile_and_odd_outputs_are_judged_and_not_credited(output):
    for decoder in ("python", "auto", "hermes", "tool-calls"):
        for expected in ([HOME], []):
            [found] = faircall.reward(
                [output], tools=TOOLS, expected=expected, decoder=decoder, own_text=True
            )
            assert found.value is not None
            # Where no call is wanted, words are an abstention, whatever they say.
            assert found.value <= (0.25 if expected or found.reason != "prose" else 1)
