"""What `faircall.integrations.inspect` offers; also what Inspect loads for `inspect eval faircall/bfcl`.

Needs the extra `inspect`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from faircall.bfcl.data import find
from faircall.bfcl.offering import Offer, offered_categories, offers
from faircall.decoding import decode
from faircall.decoding.table import DECODERS
from faircall.errors import InputError, UsageError
from faircall.profiles import DEFAULT_PROFILE, load_profile
from faircall.rows import dump_json
from faircall.samples import JUDGED, Count, judge_sample, judged_row, read_sample, signature_fields
from faircall.signature import sign
from faircall.types import Outcome

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import (
        CORRECT,
        INCORRECT,
        Metric,
        SampleScore,
        Score,
        Scorer,
        Target,
        metric,
        scorer,
    )
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolDef, ToolInfo, ToolSource
except ImportError as error:
    raise UsageError("the integration needs inspect-ai: pip install 'faircall[inspect]'") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.bfcl.data import BenchmarkData

_MESSAGES: Final = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@metric(scores="unreduced")
def judged_accuracy() -> Metric:
    """Return the metric `accuracy` with `accuracy_low` and `accuracy_high`, Wilson's 95 % interval.

    Void samples are in none of them; Inspect counts them as `unscored_samples`. Without a judged sample it is NaN.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        estimate = _count(scores).accuracy
        if estimate is None:
            return {}
        return {"accuracy": estimate.value, "accuracy_low": estimate.low, "accuracy_high": estimate.high}

    return compute


@metric(scores="unreduced")
def state_counts() -> Metric:
    """Return the metrics `abstained`, `malformed` and `called`: how many judged outputs have each state."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        states = _count(scores).states
        return {state.value.lower(): states[state] for state in JUDGED} if scores else {}

    return compute


@metric(scores="unreduced")
def decision() -> Metric:
    """Return the metric `J` with `J_low` and `J_high`: Youden's J, P(call | wanted) - P(call | none wanted).

    It is NaN where all samples want a call, or none does.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        estimate = _count(scores).decision
        if estimate is None:
            return {"J": float("nan")}
        return {"J": estimate.value, "J_low": estimate.low, "J_high": estimate.high}

    return compute


def _count(scores: Sequence[SampleScore]) -> Count:
    count = Count()
    for each in scores:
        if each.score.metadata is not None:
            count.add(str(each.sample_id), each.score.metadata)
    return count


@scorer(metrics=[judged_accuracy(), state_counts(), decision()])
def tool_call(profile: str = DEFAULT_PROFILE, decoder: str = "auto") -> Scorer:
    """Return the scorer of tasks whose targets are calls: C or I by faircall's verdict, unscored where it is void.

    Tools are those under `tools` in the sample's metadata, else those of the task's state. Expected calls are those
    under `expected` in the metadata, else the target as JSON: a list of calls, `[]` where none is wanted, or
    `any-call`. Native calls are read, and text where there are none, with `decoder`; a call that Inspect could not
    parse is MALFORMED. The score's metadata hold outcome, state, reason, path, calls, filled, evidence and signature.

    Raises `UsageError` for an unknown profile or decoder; a sample without tools or expected calls is an error of it.
    """
    switches = load_profile(profile)
    if decoder not in DECODERS and decoder != "auto":
        decode("", decoder)  # raises, with the names there are

    async def judge(state: TaskState, target: Target) -> Score:
        targets = list(target)
        stored = {
            "id": state.sample_id,
            "messages": [message.model_dump(mode="json") for message in state.messages],
            "metadata": state.metadata,
            "target": targets[0] if len(targets) == 1 else targets,
        }
        try:
            sample = read_sample(stored, tools=await _tools(state))
            verdict = judge_sample(sample, switches, decoder=decoder)
        except InputError as error:
            # Inspect shows the arguments of an exception: all of the line goes there.
            raise InputError(str(error)) from error
        row = json.loads(dump_json(judged_row(sample, verdict)))
        fields = signature_fields(sample.data, switches, decoder)
        shown: dict[str, Any] = {
            "answer": dump_json(row["calls"]) if verdict.calls else state.output.completion,
            "explanation": f"{verdict.message} - at `{verdict.path}`"
            if verdict.path and f"`{verdict.path}`" not in (verdict.message or "")
            else verdict.message,
            "metadata": {**row, "signature": sign(fields)},
        }
        if verdict.outcome is Outcome.VOID:
            return Score.unscored(reason=str(verdict.reason), **shown)
        return Score(value=CORRECT if verdict.outcome is Outcome.PASS else INCORRECT, **shown)

    return judge


async def _tools(state: TaskState) -> list[dict[str, Any]]:
    """Return the tools of a task's state, as Inspect shows them to a model."""
    made = []
    for item in state.tools:
        every = await item.tools() if isinstance(item, ToolSource) else [item]
        for each in every:
            tool = each if isinstance(each, (ToolDef, ToolInfo)) else ToolDef(each)
            schema = tool.parameters.model_dump(exclude_none=True)
            made.append({"name": tool.name, "description": tool.description, "parameters": schema})
    return made


@solver
def offer_tools() -> Solver:
    """Return the solver that offers a sample's tools and takes one answer; no tool is run."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.tools.extend(ToolInfo.model_validate(tool) for tool in state.metadata["offered"])  # type: ignore[misc]
        return await generate(state, tool_calls="none")

    return solve


@task
def bfcl(
    category: str | list[str] = "all",
    profile: str = DEFAULT_PROFILE,
    decoder: str = "auto",
    data: str | None = None,
) -> Task:
    """Return BFCL v4 as a task: one or several of its single-turn categories, with native tools and their defaults.

    `category` names categories, also with commas; `all` are the single-turn ones and the executable ones of one call.
    `data` is a bfcl-eval wheel or a folder of it; without it the pulled data serves (`faircall data pull`).
    """
    names = [category] if isinstance(category, str) else category
    wanted = [name.strip() for part in names for name in part.split(",")]
    if wanted == ["all"]:
        wanted = list(offered_categories())
    benchmark = find(data)
    samples = [_sample(offer, benchmark) for name in wanted for offer in offers(benchmark, name)]
    dataset = MemoryDataset(samples, name=f"bfcl-v4 {benchmark.version}", location=str(benchmark.path))
    return Task(dataset=dataset, solver=offer_tools(), scorer=tool_call(profile, decoder))


def _sample(offer: Offer, benchmark: BenchmarkData) -> Sample:
    return Sample(
        id=offer.id,
        input=[_MESSAGES[message["role"]](content=message["content"]) for message in offer.messages],
        target=dump_json(offer.expected),
        metadata={
            "category": offer.category,
            "language": offer.language,
            "form": offer.form,
            "data": f"bfcl-v4:{benchmark.version}#{benchmark.hash8}",
            "tools": offer.documents,
            "offered": offer.tools,
        },
    )
