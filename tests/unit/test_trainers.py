"""What trainers call, as their documentation says that they call it."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest

from faircall.errors import InputError, UsageError
from faircall.integrations import verl
from faircall.integrations.trl import reward_function
from faircall.integrations.verl import compute_score

RIDE = {"name": "ride", "parameters": {"properties": {"km": {"type": "integer"}}, "required": ["km"]}}
FIVE = [{"ride": {"km": [5]}}]
IMPOSSIBLE = json.dumps([{"ride": {"km": ["far"]}}])
CALL = {"type": "function", "function": {"name": "ride", "arguments": {"km": 5}}}


def test_trl_gives_texts_with_columns_and_takes_numbers_and_none():
    judge = reward_function(decoder="python")
    values = judge(
        prompts=["a"] * 5,
        completions=["[ride(km=5)]", "[ride(km=6)]", "[ride(km=", "No tool fits.", "[ride(km=5)]"],
        completion_ids=[[1]] * 5,
        tools=[json.dumps([RIDE])] * 5,
        expected=[json.dumps(FIVE), FIVE, json.dumps(FIVE), "[]", None],
        trainer_state=object(),
        log_extra=print,
    )
    assert values == [1.0, 0.0, -0.5, 1.0, None]


@pytest.mark.parametrize(
    ("messages", "value"),
    [
        ([{"role": "assistant", "content": "", "tool_calls": [CALL]}], 1.0),
        ([{"role": "assistant", "tool_calls": [CALL]}], 1.0),
        ([{"role": "assistant", "content": "[ride(km=5)]"}], 1.0),
        ([{"role": "assistant", "content": "[ride(km=5)]", "tool_calls": []}], 1.0),
        ([{"role": "assistant", "content": "", "tool_calls": [CALL, CALL]}], 0.0),
        ([{"role": "assistant", "content": "[ride(km="}], -0.5),
        ([{"role": "assistant", "content": ""}], -0.5),
        ([{"role": "assistant", "content": None}], -0.5),
        ([{"role": "assistant", "content": "Error during inference: 502"}], -0.5),
        ([{"role": "assistant", "content": "How far?"}], 0.0),
        # the results of tools are not the model's words
        (
            [
                {"role": "assistant", "content": "", "tool_calls": [CALL]},
                {"role": "tool", "name": "ride", "content": "[ride(km=5)]"},
                {"role": "assistant", "content": "You rode 5 km."},
            ],
            1.0,
        ),
    ],
)
def test_trl_gives_messages_where_the_data_are_conversational(messages, value):
    judge = reward_function()
    asked = [[{"role": "user", "content": "Ride 5 km."}]]
    assert judge(prompts=asked, completions=[messages], tools=[[RIDE]], expected=[FIVE]) == [value]


@pytest.mark.parametrize(
    "messages", [[], [{"role": "tool", "content": "5 km"}], [{"role": "user", "content": "No."}]]
)
def test_trl_messages_of_which_none_is_the_models_say_nothing(messages):
    assert reward_function()(completions=[messages], tools=[[RIDE]], expected=["[]"]) == [-0.5]


def test_trl_columns_may_have_other_names_and_tools_be_the_same_for_all():
    judge = reward_function(tools=[RIDE], expected_column="answer", name="calls", decoder="python")
    assert judge.__name__ == "calls"
    assert reward_function().__name__ == "faircall_reward"
    assert judge(completions=["[ride(km=5)]"] * 2, answer=[FIVE, "[]"]) == [1.0, 0.0]


def test_trl_columns_that_are_not_there_or_not_whole_are_said():
    judge = reward_function()
    with pytest.raises(UsageError, match="no column 'expected'; it has 'tools', 'answer'"):
        judge(prompts=["a"], completions=["b"], tools=[[RIDE]], answer=[FIVE])
    with pytest.raises(UsageError, match="column 'expected' is not a list of 2"):
        judge(completions=["a", "b"], tools=[[RIDE]] * 2, expected=[FIVE])
    with pytest.raises(InputError, match="`expected` of completion 1: is no JSON"):
        judge(completions=["a", "b"], tools=[[RIDE]] * 2, expected=["[]", "[ride"])
    with pytest.raises(InputError, match="`expected` of completion 0: is not a list of calls; write"):
        judge(completions=["a"], tools=[[RIDE]], expected=['{"ride": {}}'])
    with pytest.raises(UsageError, match="no decoder"):
        reward_function(decoder="none")
    with pytest.raises(UsageError, match="no reward table"):
        reward_function(table="none")


def test_nulls_that_arrow_fills_in_are_said_and_not_guessed_at():
    filled = [{"ride": {"km": [5]}, "stop": None}]
    with pytest.raises(InputError, match="is not a call"):
        reward_function()(completions=["[ride(km=5)]"], tools=[[RIDE]], expected=[filled])


@pytest.mark.parametrize(
    ("text", "expected", "scores"),
    [
        ("[ride(km=5)]", FIVE, (1.0, 1.0, 0.0)),
        ("[ride(km=6)]", FIVE, (0.0, 0.0, 0.0)),
        ("[ride(km=5", FIVE, (-0.5, 0.0, 1.0)),
        ("No tool fits.", [], (1.0, 1.0, 0.0)),
        ("Error during inference: 502", [], (-0.5, 0.0, 1.0)),
    ],
)
def test_verl_gets_the_same_keys_for_every_completion(text, expected, scores):
    found = compute_score(
        data_source="rides",
        solution_str=text,
        ground_truth=json.dumps(expected),
        extra_info={"tools": json.dumps([RIDE]), "index": 3},
        decoder="python",
        sandbox_fusion_url=None,
    )
    assert list(found) == ["score", "acc", "malformed"]
    assert tuple(found.values()) == scores


@pytest.mark.parametrize("truth", [IMPOSSIBLE, None])
def test_verl_never_gets_a_number_that_nobody_chose(truth):
    rows = {"data_source": "rides", "solution_str": "[ride(km=5)]", "ground_truth": truth, "tools": [RIDE]}
    with pytest.raises(InputError, match="a completion cannot be judged"):
        compute_score(**rows)
    assert compute_score(**rows, void=-0.25)["score"] == -0.25
    assert compute_score(**rows, void=0)["score"] == 0


def test_verl_loads_the_file_by_its_path():
    spec = importlib.util.spec_from_file_location("custom_module", verl.__file__)
    module = importlib.util.module_from_spec(spec)
    sys.modules["custom_module"] = module
    try:
        spec.loader.exec_module(module)
        assert module.compute_score("x", "[ride(km=5)]", FIVE, {"tools": [RIDE]})["score"] == 1.0
    finally:
        del sys.modules["custom_module"]
