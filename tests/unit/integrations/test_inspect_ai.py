"""The scorer, the metrics and the task inside the real Inspect, with its mock model; and the same from its logs."""

from __future__ import annotations

import gc
import json
import math
import re
import runpy
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed (82 packages, 325 MB)")

from inspect_ai import Task, eval  # noqa: A004 - the name of Inspect's own function
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import ToolCall, ToolDef, tool

from faircall.bfcl.offering import offered_categories, offers
from faircall.errors import UsageError
from faircall.inspect_logs import is_log, score_logs
from faircall.integrations.inspect import bfcl, tool_call
from faircall.keys import key_calls, replay_key
from faircall.schema import read_tools

# Warnings among Inspect and what it uses are not faircall's to mend.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def _leave_nothing_open():
    """Inspect's streams are closed while its warnings are still ignored."""
    yield
    gc.collect()


RIDE = {
    "name": "ride",
    "parameters": {
        "type": "object",
        "properties": {"to": {"type": "string"}, "km": {"type": "integer", "default": 5}},
        "required": ["to"],
    },
}
KEY = '[{"ride": {"to": ["Lyon"]}}]'
TAGGED = '<tool_call>{"name": "ride", "arguments": {"to": "Lyon"}}</tool_call>'


@tool
def walk():
    """Define a tool as Inspect's users do."""

    async def execute(to: str, km: int = 5) -> str:
        """Walk somewhere.

        Args:
            to: Where to.
            km: How far at most.
        """
        raise AssertionError(f"no tool is run, but was asked for {to}, {km}")

    return execute


def said(text="", *calls, parse_error=None):
    made = [
        ToolCall(id=str(number), function=name, arguments=arguments, parse_error=parse_error)
        for number, (name, arguments) in enumerate(calls)
    ]
    message = ChatMessageAssistant(content=text, tool_calls=made or None)
    # Without a usage the mock model would fetch a tokenizer.
    return ModelOutput(
        model="mockllm", choices=[ChatCompletionChoice(message=message)], usage=ModelUsage(total_tokens=1)
    )


def run(task, outputs, folder, *, log_format="eval", **options):
    model = get_model("mockllm/model", custom_outputs=outputs)
    [log] = eval(task, model=model, log_dir=str(folder), log_format=log_format, display="none", **options)
    return log


def metrics_of(log):
    [score] = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


def rides(*targets, scorer=None, metadata=None, steps=None):
    given = {"tools": [RIDE]} if metadata is None else metadata
    samples = [
        Sample(id=number, input="Take me to Lyon.", target=target, metadata=given)
        for number, target in enumerate(targets)
    ]
    return Task(dataset=samples, solver=steps or [generate(tool_calls="none")], scorer=scorer or tool_call())


CASES = [
    # what the model says, what is expected; the value, the state and the reason
    (said("", ("ride", {"to": "Lyon"})), KEY, "C", "CALLED", "decoded"),
    (said("", ("ride", {"to": "Lyon", "km": 5})), KEY, "C", "CALLED", "decoded"),
    (said("", ("ride", {"to": "Nice"})), KEY, "I", "CALLED", "wrong-value"),
    (said(TAGGED), "[]", "I", "CALLED", "decoded"),
    (said("", ("ride", {}), parse_error='Error parsing {"to": "Ly'), "[]", "I", "MALFORMED", "syntax-error"),
    (said("No tool here sells tickets."), "[]", "C", "ABSTAINED", "prose"),
    (said(""), "[]", "I", "MALFORMED", "empty-output"),
    (said("", ("ride", {"to": "Nice"})), "any-call", "C", "CALLED", "decoded"),
]


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_verdicts_and_metrics_and_the_same_from_the_log(tmp_path, log_format):
    outputs = [output for output, *_ in CASES]
    log = run(rides(*(case[1] for case in CASES)), outputs, tmp_path, log_format=log_format, max_samples=1)
    assert log.status == "success", log.error
    scores = [sample.scores["tool_call"] for sample in log.samples]
    found = [(score.value, score.metadata["state"], score.metadata["reason"]) for score in scores]
    assert found == [case[2:] for case in CASES]
    assert scores[2].metadata["path"] == "$.args.to"
    assert "$.args.to" in scores[2].explanation
    assert scores[4].metadata["evidence"]["text"] == 'Error parsing {"to": "Ly'
    assert scores[0].metadata["signature"].startswith("bench:inspect|profile:fair-1|decoder:auto|v:")
    metrics = metrics_of(log)
    assert metrics["accuracy"] == 4 / 8
    assert (metrics["abstained"], metrics["malformed"], metrics["called"]) == (1, 2, 5)
    assert metrics["J"] == pytest.approx(4 / 4 - 1 / 4)
    path = log.location.removeprefix("file://")
    assert is_log(path)
    figures = score_logs([path]).logs[0].total
    assert (figures.n, figures.correct, figures.void) == (8, 4, 0)
    assert (metrics["accuracy_low"], metrics["accuracy_high"]) == (
        figures.accuracy.low,
        figures.accuracy.high,
    )
    assert (metrics["J_low"], metrics["J_high"]) == (figures.decision.low, figures.decision.high)
    rows = [json.loads(line) for line in verdict_lines(path, tmp_path)]
    assert [(row["state"], row["reason"], row["path"], row["calls"]) for row in rows] == [
        tuple(score.metadata[name] for name in ("state", "reason", "path", "calls")) for score in scores
    ]


def verdict_lines(path, folder):
    score_logs([path], verdicts=folder / "v.jsonl")
    return (folder / "v.jsonl").read_text("utf-8").splitlines()


def test_tools_of_the_state_and_of_the_log_have_their_defaults(tmp_path):
    key = '[{"walk": {"to": ["Lyon"], "km": [5]}}]'
    task = rides(key, key, metadata={}, steps=[use_tools(walk()), generate(tool_calls="none")])
    outputs = [said("", ("walk", {"to": "Lyon"})), said("", ("walk", {"to": "Lyon", "km": 6}))]
    log = run(task, outputs, tmp_path, max_samples=1)
    assert [sample.scores["tool_call"].value for sample in log.samples] == ["C", "I"]
    assert log.samples[0].scores["tool_call"].metadata["filled"] == ["$.args.km"]
    figures = score_logs([log.location.removeprefix("file://")]).logs[0].total
    assert (figures.n, figures.correct) == (2, 1)


def test_tool_definitions_serve_as_well(tmp_path):
    async def execute(to: str) -> str:
        return to

    made = ToolDef(execute, name="ride", description="Ride.", parameters={"to": "Where to."})
    task = rides(KEY, metadata={}, steps=[use_tools(made), generate(tool_calls="none")])
    log = run(task, [said("", ("ride", {"to": "Lyon"}))], tmp_path)
    assert log.samples[0].scores["tool_call"].value == "C"


@solver
def silence():
    async def solve(state, generate):
        return state

    return solve


def test_a_void_sample_is_unscored_and_not_0(tmp_path):
    broken = '[{"ride": {"km": ["far"]}}]'  # nothing can satisfy it: no whole number
    log = run(rides(KEY, broken), [said("", ("ride", {"to": "Lyon"}))] * 2, tmp_path, max_samples=1)
    [score] = log.results.scores
    assert (score.scored_samples, score.unscored_samples, metrics_of(log)["accuracy"]) == (1, 1, 1)
    void = log.samples[1].scores["tool_call"]
    assert math.isnan(void.value)
    assert (void.reason, void.metadata["outcome"]) == ("unsatisfiable-answer", "void")
    assert score_logs([log.location.removeprefix("file://")]).logs[0].total.void == 1


def test_without_any_judged_sample_there_is_no_accuracy(tmp_path):
    log = run(rides(KEY, steps=[silence()]), [], tmp_path)
    assert [sample.scores["tool_call"].reason for sample in log.samples] == ["missing"]
    assert log.results.scores[0].unscored_samples == 1
    assert all(math.isnan(value) for value in metrics_of(log).values())


def test_every_epoch_counts_but_a_question_is_one_draw(tmp_path):
    outputs = [said("", ("ride", {"to": town})) for town in ("Lyon", "Nice", "Lyon", "Lyon")]
    log = run(rides(KEY), outputs, tmp_path, epochs=4, max_samples=1)
    metrics = metrics_of(log)
    assert (metrics["accuracy"], metrics["called"]) == (0.75, 4)
    assert metrics["accuracy_high"] - metrics["accuracy_low"] > 0.7
    figures = score_logs([log.location.removeprefix("file://")]).logs[0].total
    assert (figures.n, figures.accuracy.low) == (4, metrics["accuracy_low"])


def test_the_decoder_says_what_text_may_be(tmp_path):
    log = run(rides("[]", scorer=tool_call(decoder="tool-calls")), [said(TAGGED)], tmp_path)
    score = log.samples[0].scores["tool_call"]
    assert (score.value, score.metadata["state"]) == ("I", "MALFORMED")
    log = run(rides("[]", scorer=tool_call("official-2026.3.23", "tool-calls")), [said(TAGGED)], tmp_path)
    assert log.samples[0].scores["tool_call"].value == "C"


def test_a_sample_without_a_key_is_an_error_that_says_so(tmp_path):
    log = run(rides("Lyon"), [said("No.")], tmp_path)
    assert log.status == "error"
    assert "sample 0: no expected calls; write them as JSON in the target" in log.error.message


def test_the_example_of_the_page_runs(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "inspect.md").read_text("utf-8")
    code = re.search(r"```python inspect\n(.*?)```", page, re.DOTALL).group(1)
    (tmp_path / "rides.py").write_text(code, "utf-8")
    outputs = [said("", ("ride", {"to": "Lyon", "km": 5})), said("I cannot sing.")]
    log = run(runpy.run_path(tmp_path / "rides.py")["rides"](), outputs, tmp_path, max_samples=1)
    assert log.status == "success", log.error
    assert (metrics_of(log)["accuracy"], metrics_of(log)["J"]) == (1, 1)


def test_unknown_names_are_refused():
    with pytest.raises(UsageError, match="no profile is called"):
        tool_call("fair-9")
    with pytest.raises(UsageError, match="hermess"):
        tool_call(decoder="hermess")


def replayed(offer):
    """The key of an entry as a model's output: words where no call is wanted."""
    if not offer.expected:
        return said("None of these tools does that.")
    if offer.expected == "any-call":
        return said("", (offer.tools[0]["name"], {}))
    calls = offer.expected
    if offer.form == "allowed":
        calls = replay_key(key_calls(calls, read_tools(offer.documents), offer.language), suited=True)
    return said("", *(pair for call in calls for pair in call.items()))


@pytest.mark.parametrize("category", ["simple_java", "live_parallel", "live_relevance", "exec_simple"])
def test_the_benchmarks_keys_pass_as_a_task(data, tmp_path, category):
    entries = list(offers(data, category))
    log = run(bfcl(category), [replayed(offer) for offer in entries], tmp_path, max_samples=1)
    assert log.status == "success", log.error
    assert {sample.id for sample in log.samples} == {offer.id for offer in entries}
    assert metrics_of(log)["accuracy"] == 1
    signature = log.samples[0].scores["tool_call"].metadata["signature"]
    assert signature.startswith(
        f"bench:bfcl-v4|data:{data.version}#{data.hash8}|profile:fair-1|decoder:auto|v:"
    )
    report = score_logs([log.location.removeprefix("file://")])
    assert report.logs[0].categories[category].correct == len(entries)


def test_several_categories_and_all_of_them(data):
    assert len(bfcl("live_parallel,live_relevance").dataset) == 32
    assert len(bfcl(["live_parallel", "exec_multiple"]).dataset) == 66
    everything = bfcl().dataset
    # 3,641 single-turn entries and 150 executable ones.
    assert len(everything) == 3791
    assert {sample.metadata["category"] for sample in everything} == set(offered_categories())
    with pytest.raises(UsageError, match="no category of single turns is called 'multi_turn_base'"):
        bfcl("multi_turn_base")


def test_the_model_sees_the_declared_defaults(data, tmp_path):
    offer = next(each for each in offers(data, "exec_simple") if each.id == "exec_simple_78")
    seen = []

    def answer(messages, tools, choice, config):
        seen.extend(tools)
        return replayed(offer)

    run(bfcl("exec_simple"), answer, tmp_path, sample_id="exec_simple_78")
    [shown] = seen
    declared = offer.documents[0]["parameters"]["properties"]["reverse"]["default"]
    assert shown.parameters.properties["reverse"].default == declared
    assert declared is False


def test_inspect_finds_the_task_by_its_name():
    found = [point for point in entry_points(group="inspect_ai") if point.name == "faircall"]
    if not found:
        pytest.skip("faircall is run from its folder here, and not installed")
    assert found[0].load().bfcl is not None
