"""Write the differences to inspect_evals' own BFCL into docs/inspect.md: the same outputs, judged by both scorers.

usage: PYTHONPATH=src PYTHON benchmarks/inspect_differences.py [--all]

PYTHON is that of an environment with inspect_evals (see benchmarks/scorers/README.md) and what faircall needs. Outputs
are the benchmark's keys, the same changed (faircall.mutants), keys left as text, and, where no call is wanted, refusals
and broken calls. Both scorers see the same assistant message; each reads the entry as its own task builds it, from the
same data. `--all` prints every difference and writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter, defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelName
from inspect_ai.model._call_tools import parse_tool_call
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall
from inspect_evals.bfcl.bfcl import bfcl_scorer, single_turn_record_to_sample
from inspect_evals.bfcl.data import load_records_by_category
from inspect_evals.bfcl.utils.task_categories import CATEGORIES as THEIRS

from faircall.bfcl.data import find
from faircall.bfcl.offering import Offer, offered_categories, offers
from faircall.integrations.inspect import bfcl, tool_call
from faircall.keys import key_calls, replay_key
from faircall.mutants.alterations import ALTERATIONS
from faircall.mutants.bases import Base, read_slot
from faircall.mutants.refusals import write_refusals
from faircall.report.markdown import table
from faircall.report.tables import Column
from faircall.rules import all_rules
from faircall.schema import read_tools
from faircall.signature import hash8, sign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.bfcl.data import BenchmarkData

PAGE = Path(__file__).resolve().parents[1] / "docs" / "inspect.md"
BEGIN, END = "<!-- written by benchmarks/inspect_differences.py -->", "<!-- end -->"
KEY, TAGGED, NONE_WANTED = "the key", "the key as <tool_call> text", "no call wanted"
CAUSES = {
    "text": "Calls in the text, sound or broken: inspect_evals looks at native calls alone, so that a call that its "
    "provider could not parse is none; faircall reads the text, and no attempt is an abstention.",
    "empty": "Nothing at all: neither text nor calls. To inspect_evals that is a refusal; to faircall an output that "
    "was lost shows nothing.",
    "key": "The key cannot be met, or rules out by its schema what it lists: faircall gives no verdict; inspect_evals "
    "compares with what stands there.",
    "nested": "Objects inside arguments: BFCL lists the accepted values of each field, inspect_evals compares with the "
    "list itself, so that no answer is right.",
    "types": "Types below the top: a boolean for a number in a list, a list for a text in an object. faircall goes by "
    "the schema at every depth.",
    "by-value": "Texts that read as numbers: signs and points are ignored by inspect_evals, as officially; to faircall "
    "-2022 is not 2022.",
    "omitted": "The key says only that a parameter may be left out, and its declared default is written out.",
    "arithmetic": "An executable answer is written as arithmetic, such as 1/6: faircall folds it; inspect_evals "
    "keeps it as text.",
    "pairing": "Several calls in another order: inspect_evals gives each call the first answer that fits; to faircall "
    "any pairing will do.",
}
"""Why verdicts differ, in words."""
Calls = list[tuple[str, dict[str, Any]]]


class Output(NamedTuple):
    """What a model might have said: what was done to the key, and the message."""

    change: str
    message: ChatMessageAssistant


class Judged(NamedTuple):
    """An output of an entry with both verdicts: the outcome and why."""

    offer: Offer
    change: str
    ours: str
    reason: str
    message: str
    theirs: str
    explanation: str


def called(calls: Calls, text: str = "") -> ChatMessageAssistant:
    made = [
        ToolCall(id=str(number), function=name.replace(".", "_"), arguments=arguments)
        for number, (name, arguments) in enumerate(calls)
    ]
    return ChatMessageAssistant(content=text, tool_calls=made or None)


def base_of(offer: Offer) -> Base | None:
    """The entry as the mutants take it; None for Java and JavaScript, whose values are source text."""
    if offer.language != "python" or not isinstance(offer.expected, list):
        return None
    tools = read_tools(offer.documents)
    expected = offer.expected
    if offer.form == "plain":
        expected = [{"name": name, "arguments": each} for call in expected for name, each in call.items()]
    slots = tuple(read_slot(call, tools) for call in expected)
    return Base(offer.id, offer.documents, expected, slots, tools)


def outputs_of(offer: Offer) -> Iterator[Output]:
    base = base_of(offer)
    if not offer.expected and base is not None:
        for made in write_refusals(base):
            if made.rule == "S412" or made.output == []:
                continue  # Inspect keeps errors of an endpoint apart, and has no empty list of calls
            change = f"{NONE_WANTED}: {made.change}"
            if isinstance(made.output, str):
                yield Output(f"{change}, as text", ChatMessageAssistant(content=made.output))
            else:
                stored = [(name, text) for call in made.output for name, text in call.items()]
                calls = [parse_tool_call("1", name, text) for name, text in stored]
                yield Output(change, ChatMessageAssistant(content="", tool_calls=calls or None))
        return
    if offer.expected == "any-call":
        yield Output(KEY, called([(offer.tools[0]["name"], {})]))
        yield Output(
            "some call wanted: a refusal in words", ChatMessageAssistant(content="No tool does that.")
        )
        return
    if base is None:
        keys = key_calls(offer.expected, read_tools(offer.documents), offer.language)
        yield Output(KEY, called([pair for call in replay_key(keys, suited=True) for pair in call.items()]))
        return
    yield Output(KEY, called(base.calls))
    tagged = (json.dumps({"name": name, "arguments": each}) for name, each in base.calls)
    text = "\n".join(f"<tool_call>{call}</tool_call>" for call in tagged)
    yield Output(TAGGED, ChatMessageAssistant(content=text))
    rules = all_rules()
    for alteration in ALTERATIONS:
        made = next(alteration.make(base), None)
        if made is not None:
            change = f"{alteration.rule} {rules[alteration.rule].slug}: {alteration.name}"
            yield Output(change, called(made.calls))


def state_of(sample: Any, message: ChatMessageAssistant) -> TaskState:
    return TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id,
        epoch=1,
        input=[],
        messages=[ChatMessageUser(content="?"), message],
        metadata=sample.metadata,
    )


async def judge_all(data: BenchmarkData, folder: Path) -> list[Judged]:
    """Return every output with both verdicts."""
    ours, theirs = tool_call(), bfcl_scorer()
    judged: list[Judged] = []
    for category in offered_categories():
        samples = {sample.id: sample for sample in bfcl(category).dataset}
        records = load_records_by_category(category, folder)
        for offer in offers(data, category):
            sample, record = samples[offer.id], single_turn_record_to_sample(records[offer.id])
            for output in outputs_of(offer):
                first = await ours(state_of(sample, output.message), Target(sample.target))
                second = await theirs(state_of(record, output.message), Target(record.target))
                row = first.metadata or {}
                outcome = "pass" if second.value == 1 else "fail"
                judged.append(
                    Judged(
                        offer, output.change, row["outcome"], row["reason"], first.explanation or "",
                        outcome, second.explanation or "",
                    )
                )  # fmt: skip
    return judged


def cause_of(each: Judged) -> str:
    """Return why the two verdicts differ, as a key of `CAUSES`. Ends the script for what none of them says."""
    expected = each.offer.expected
    values = [value for call in expected for value in next(iter(call.values())).values()] if expected else []
    if each.reason in {"contradictory-answer", "unsatisfiable-answer"}:
        return "key"
    if each.change == TAGGED or each.change.startswith(NONE_WANTED):
        return "empty" if each.reason == "empty-output" else "text"
    if (each.ours, each.theirs) == ("fail", "pass"):
        return {"S404": "by-value", "S405": "by-value", "S406": "types", "S407": "types"}[each.change[:4]]
    if each.offer.form == "plain" and each.explanation.startswith("Invalid value for p: "):
        return "arithmetic"
    if any(
        is_object(value) for allowed in values for value in (allowed if isinstance(allowed, list) else [])
    ):
        return "nested"
    if [""] in values:
        return "omitted"
    if each.change.startswith("S403") and len(expected) > 1:
        return "pairing"
    sys.exit(f"no cause is known for {each.offer.id}: {each.change}: {each.message} | {each.explanation}")


def is_object(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(is_object(item) for item in value))


def write_page(judged: list[Judged], data: BenchmarkData) -> list[str]:
    """Return the part of the page that the numbers are in."""
    differing = [each for each in judged if each.ours != each.theirs]
    signature = sign({
        "bench": "bfcl-v4",
        "data": f"{data.version}#{data.hash8}",
        "profile": "fair-1",
        "decoder": "auto",
        "outputs": f"{len(judged)}#{hash8(f'{each.offer.id} {each.change}' for each in judged)}",
        "inspect_evals": version("inspect_evals"),
        "inspect_ai": version("inspect_ai"),
    })  # fmt: skip
    causes: dict[str, list[Judged]] = defaultdict(list)
    for each in differing:
        causes[cause_of(each)].append(each)
    lines = [
        f"Of {len(judged):,} outputs, {len(differing):,} get another verdict from inspect_evals "
        f"{version('inspect_evals')} than from faircall:",
        "",
    ]
    rows = []
    for cause, found in sorted(causes.items(), key=lambda item: -len(item[1])):
        kinds = Counter((each.ours, each.theirs) for each in found)
        void = sum(number for (ours, _), number in kinds.items() if ours == "void")
        first = found[0]
        example = f"{first.offer.id}, {first.change}"
        rows.append(
            [CAUSES[cause], f"{kinds['pass', 'fail']:,}", f"{kinds['fail', 'pass']:,}", f"{void:,}", example]
        )
    columns = (
        Column("why", right=False), Column("only faircall passes"), Column("only inspect_evals passes"),
        Column("void in faircall"), Column("for example", right=False),
    )  # fmt: skip
    lines += [*table(columns, rows), "", "By what was done to the key:", ""]
    groups: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        groups[each.change].append(each)
    rows = []
    for change, found in sorted(groups.items(), key=lambda item: order_of(item[0])):
        kinds = Counter((each.ours, each.theirs) for each in found)
        void = sum(number for (ours, _), number in kinds.items() if ours == "void")
        numbers = (
            len(found),
            kinds["pass", "pass"],
            kinds["fail", "fail"],
            kinds["pass", "fail"],
            kinds["fail", "pass"],
            void,
        )
        rows.append([change, *(f"{number:,}" for number in numbers)])
    heads = (
        "outputs",
        "both pass",
        "both fail",
        "only faircall passes",
        "only inspect_evals passes",
        "void in faircall",
    )
    return [*lines, *table((Column("output", right=False), *map(Column, heads)), rows), "", f"`{signature}`"]


def order_of(change: str) -> tuple[int, str]:
    return [KEY, TAGGED].index(change) if change in {KEY, TAGGED} else 2 + change.startswith(
        (NONE_WANTED, "some")
    ), change


def unpack(data: BenchmarkData, folder: Path) -> None:
    """Lay the data out as inspect_evals keeps it."""
    for category in offered_categories():
        config = THEIRS[category]
        names = [config.filename, *([config.ground_truth_filename] if config.has_ground_truth_file else [])]
        for name in names:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.read(f"data/{name}"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="print every difference, and write nothing")
    options = parser.parse_args()
    data = find()
    with tempfile.TemporaryDirectory() as folder:
        unpack(data, Path(folder))
        judged = asyncio.run(judge_all(data, Path(folder)))
    if options.all:
        for each in judged:
            if each.ours != each.theirs:
                print(json.dumps([each.offer.id, *each[1:]], ensure_ascii=False))
        return
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text("\n".join([before + BEGIN, "", *write_page(judged, data), "", END + after]), "utf-8")


if __name__ == "__main__":
    main()
