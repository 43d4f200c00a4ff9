"""Rules on whether a run's files are whole: entries without a verdict, outputs without an answer, a wrong decoder."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from faircall.bfcl.categories import CATEGORIES, Kind, parse_file_name
from faircall.rules.points import points_of, sum_points
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.rules.results_subject import ANY_RESULTS, SHOWN, percent, read_example
from faircall.types import Reason, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.aggregate import RunScore

FEW: Final = 10
"""Outputs up to which it says nothing that most of them are the same."""
_ID_PROBLEMS: Final = frozenset({"missing-ids", "duplicate-ids", "conflicting-ids", "unknown-ids", "no-id"})


def _void_entries(run: RunScore) -> Iterator[Observed]:
    for tally in run.tallies.values():
        missing, errors = tally.reasons[Reason.MISSING], tally.reasons[Reason.HARNESS_ERROR]
        limits, crashes = tally.reasons["replay-limit"], tally.reasons["evaluator-crash"]
        causes = {
            "missing": missing,
            f"error{'' if errors == 1 else 's'} of the harness": errors,
            "over a limit of the replay": limits,
            "at which the official tool stops": crashes,
        }
        count = sum(causes.values())
        if not count:
            continue
        named = ", ".join(f"{number} {cause}" for cause, number in causes.items() if number)
        yield Observed(
            run.model,
            f"{count} of {tally.n} entries of {tally.category} cannot be judged ({named}): {tally.correct} to "
            f"{tally.correct + tally.void} of {tally.n} are right.",
            {"category": tally.category, "void": count, "missing": missing, "errors": errors, "n": tally.n},
            points=points_of(tally.category, count),
            words={"CATEGORY": tally.category},
        )


def _key_not_met(run: RunScore) -> Iterator[Observed]:
    for tally in run.tallies.values():
        other = (Reason.MISSING, Reason.HARNESS_ERROR, "replay-limit", "evaluator-crash")
        count = tally.void - sum(tally.reasons[reason] for reason in other)
        if not count:
            continue
        yield Observed(
            run.model,
            f"{count} of {tally.n} entries of {tally.category} cannot be judged, since the tool's schema rules out "
            "the key, or what of it the output asks for; `faircall lint` names them.",
            {"category": tally.category, "void": count, "n": tally.n},
            points=points_of(tally.category, count),
            words={"CATEGORY": tally.category},
        )


def _constant_output(run: RunScore) -> Iterator[Observed]:
    for name, written in run.written.items():
        if CATEGORIES[name].wants_call is False or written.n < FEW or 2 * written.commonest <= written.n:
            continue
        yield Observed(
            run.model,
            f"{written.commonest} of {written.n} outputs of {name} are one and the same: `{written.sample}`.",
            {"category": name, "same": written.commonest, "n": written.n, "output": written.sample},
            points=points_of(name, written.commonest),
            words={"CATEGORY": name},
        )


def _lost_outputs(run: RunScore) -> Iterator[Observed]:
    for seen in _without_answer(run, Reason.EMPTY_OUTPUT, "hold nothing that the model wrote"):
        if CATEGORIES[seen.evidence["category"]].wants_call is not False:  # R202 has the others
            yield seen


def _truncated_outputs(run: RunScore) -> Iterator[Observed]:
    yield from _without_answer(run, Reason.TRUNCATED, "stop inside a call")


def _without_answer(run: RunScore, reason: Reason, what: str) -> Iterator[Observed]:
    for name, written in run.written.items():
        count = written.counts.get(reason, 0)
        if not count:
            continue
        verb = what.replace("hold ", "holds ").replace("stop ", "stops ") if count == 1 else what
        yield Observed(
            run.model,
            f"{count} of {written.n} outputs of {name} ({percent(count, written.n)}) {verb}.",
            {"category": name, "outputs": count, "n": written.n, "ids": written.ids[reason]},
            points=points_of(name, count),
            words={"CATEGORY": name},
        )


def _ids_differ(run: RunScore) -> Iterator[Observed]:
    for problem in run.problems:
        name = parse_file_name(PurePath(problem.path or "").name)
        if problem.code not in _ID_PROBLEMS or name is None:
            continue
        yield Observed(
            run.model,
            f"{name.category}: {problem.message}.",
            {
                "category": name.category,
                "problem": problem.code,
                "count": len(problem.ids),
                "ids": list(problem.ids[:SHOWN]),
            },
            points=points_of(name.category, len(problem.ids)) if problem.code == "missing-ids" else None,
            words={"CATEGORY": name.category},
        )


def _one_call_each(run: RunScore) -> Iterator[Observed]:
    for name, written in run.written.items():
        several = CATEGORIES[name].kind in {Kind.PARALLEL, Kind.PARALLEL_MULTIPLE}
        if not several or written.called < FEW or written.single < written.called:
            continue
        yield Observed(
            run.model,
            f"Each of the {written.called} outputs of {name} that call makes one call, where every entry asks for "
            "several.",
            {"category": name, "called": written.called, "n": written.n},
            points=points_of(name, written.single),
            words={"CATEGORY": name},
        )


def _decoder_misfit(run: RunScore) -> Iterator[Observed]:
    fit = run.fit
    if fit is None or 2 * fit.read <= fit.tried:
        return
    wanting = {name: written for name, written in run.written.items() if CATEGORIES[name].wants_call}
    unread, n = (sum(getattr(one, field) for one in wanting.values()) for field in ("unread", "n"))
    yield Observed(
        run.model,
        f"The decoder {run.decoder} does not read {unread} of {n} outputs on entries that want a call; {fit.decoder} "
        f"reads {fit.read} of {fit.tried} of those that were tried (--decoder {fit.decoder}).",
        {
            "decoder": run.decoder,
            "unread": unread,
            "n": n,
            "other": fit.decoder,
            "read": fit.read,
            "tried": fit.tried,
        },
        points=sum_points(points_of(name, written.unread) for name, written in wanting.items()),
    )


FILE_RULES: Final[tuple[Rule[RunScore], ...]] = (
    Rule(
        id="R206",
        slug="void-entries",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="Some entries cannot be judged: they are missing, or hold no output of the model. The score holds for "
        "the others, and both bounds are given.",
        not_claimed="how the missing entries would have come out",
        wrong_if="The file was meant to hold a part of the benchmark only.",
        command="faircall score RESULTS --category CATEGORY --select R206",
        reports=(f"{ISSUES}/1353",),
        bad='{"decoder": "python", "outputs": {"irrelevance": ["No."]}, "missing": 2}',
        good='{"decoder": "python", "outputs": {"irrelevance": ["No."]}}',
        check=_void_entries,
        read=read_example,
    ),
    Rule(
        id="R207",
        slug="constant-output",
        severity=Severity.ERROR,
        versions=ANY_RESULTS,
        claim=f"More than half of the outputs (of {FEW} or more) are one and the same, in a category that asks for "
        "different calls.",
        not_claimed="where the answer was lost: the model, its template or the harness may repeat a text",
        wrong_if="The category's questions are so alike that one answer fits most of them.",
        command="faircall score RESULTS --category CATEGORY --select R207",
        reports=(f"{ISSUES}/443",),
        bad=json.dumps({"decoder": "tool-calls", "outputs": {"multiple": [[]] * 12}}),
        good=json.dumps(
            {"decoder": "python", "outputs": {"multiple": [f"[book_table(seats={n})]" for n in range(12)]}}
        ),
        check=_constant_output,
        read=read_example,
    ),
    Rule(
        id="R208",
        slug="lost-outputs",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="Some stored outputs hold nothing that a model wrote, in a category where a call may be wanted.",
        not_claimed="whether the model wrote nothing, or what it wrote was lost before it was stored",
        wrong_if="Silence is that protocol's way to decline, which no protocol of the table has.",
        command="faircall score RESULTS --category CATEGORY --select R208",
        bad='{"decoder": "python", "outputs": {"multiple": ["", "[book_table(seats=2)]"]}}',
        good='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]"]}}',
        check=_lost_outputs,
        read=read_example,
    ),
    Rule(
        id="R209",
        slug="truncated-outputs",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="Some stored outputs stop inside a call, as they do at a limit of tokens.",
        not_claimed="that the call would have been right, or that a limit of the harness cut it off",
        wrong_if="The model ended its answer there of its own accord.",
        command="faircall score RESULTS --category CATEGORY --select R209",
        bad='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2, note=\'by the wi"]}}',
        good='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]"]}}',
        check=_truncated_outputs,
        read=read_example,
    ),
    Rule(
        id="R210",
        slug="ids-differ",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="A result file lacks entries of its category, has some more than once, or has others.",
        not_claimed="that the official tool counts them as this one does; it pairs results with questions by place",
        wrong_if="The file was meant to hold a part of the benchmark, or belongs to another version of it.",
        command="faircall score RESULTS --category CATEGORY --select R210",
        reports=(f"{ISSUES}/1086", f"{ISSUES}/1196"),
        bad='{"decoder": "python", "outputs": {}, "ids": {"multiple": {"unknown-ids": ["simple_3"]}}}',
        good='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]"]}}',
        check=_ids_differ,
        read=read_example,
    ),
    Rule(
        id="R211",
        slug="decoder-misfit",
        severity=Severity.ERROR,
        versions=ANY_RESULTS,
        claim="Half of the outputs or more on entries that want a call are attempts that the run's decoder does not "
        "read, and another decoder reads most of those.",
        not_claimed="that the model should have been asked in the other protocol; only that its outputs follow it",
        wrong_if="The model was told to write in the declared protocol, and fails to.",
        command="faircall score RESULTS --select R211",
        bad='{"decoder": "hermes", "outputs": {"multiple": ["[book_table(seats=2)]", "[book_table(seats=4)]"]}}',
        good='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]", "[book_table(seats=4)]"]}}',
        check=_decoder_misfit,
        read=read_example,
    ),
    Rule(
        id="R212",
        slug="one-call-each",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="In a category whose entries all ask for several calls, every output that calls makes one "
        f"({FEW} such outputs or more).",
        not_claimed="whether the model makes one call at a time, or what serves it keeps the first alone",
        wrong_if="The model was told to call one tool at a time and to wait for the result.",
        command="faircall score RESULTS --category CATEGORY --select R212",
        bad=json.dumps({"decoder": "python", "outputs": {"parallel": ["[book_table(seats=2)]"] * 12}}),
        good=json.dumps(
            {
                "decoder": "python",
                "outputs": {"parallel": ["[book_table(seats=2), book_table(seats=3)]"] * 12},
            }
        ),
        check=_one_call_each,
        read=read_example,
    ),
)

KEY_NOT_MET: Final[Rule[RunScore]] = Rule(
    id="R214",
    slug="key-not-met",
    severity=Severity.NOTE,
    versions=ANY_RESULTS,
    claim="Some entries cannot be judged, since the benchmark's key contradicts the schema of its own tool.",
    not_claimed="anything about the run: its outputs on these entries may be right",
    wrong_if="The schema rules out what the tool takes.",
    command="faircall score RESULTS --category CATEGORY --select R214",
    reports=(f"{ISSUES}/838",),
    bad='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]"]}, "unmet": 1}',
    good='{"decoder": "python", "outputs": {"multiple": ["[book_table(seats=2)]"]}}',
    check=_key_not_met,
    read=read_example,
)
"""The rule on entries whose key contradicts the schema."""
