"""Rules on what a score is credited for (broken calls, nothing, errors, silence), and on what was published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.rows import span_row
from faircall.rules.points import points_of, sum_points
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.rules.results_subject import ANY_RESULTS, SHOWN, percent, read_example
from faircall.types import Reason, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.aggregate import RunScore, Tally

LOST: Final = frozenset({Reason.EMPTY_OUTPUT})
NOISE: Final = frozenset({Reason.GARBAGE})
FAILED: Final = frozenset({Reason.HARNESS_ERROR, Reason.MISSING})


def _malformed_credited(run: RunScore) -> Iterator[Observed]:
    for tally in _irrelevance(run):
        skipped = LOST | FAILED | NOISE | {Reason.DECODED}
        reasons = {reason: len(ids) for reason, ids in tally.uncredited.items() if reason not in skipped}
        count = sum(reasons.values())
        if not count:
            continue
        ids = [id_ for reason in reasons for id_ in tally.uncredited[reason]][:SHOWN]
        credited = tally.credited["official"]
        named = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items(), key=lambda item: -item[1]))
        yield Observed(
            run.model,
            f"Of the {credited} entries of {tally.category} that the official check credits as declined, {count} "
            f"({percent(count, credited)}) hold{'s' if count == 1 else ''} a call that is broken, misplaced or "
            f"unclear: {named}.",
            {
                "category": tally.category,
                "credited": credited,
                "malformed": count,
                "reasons": reasons,
                "ids": ids,
                "spans": _spans(tally, ids),
            },
            points=points_of(tally.category, count),
            words={"CATEGORY": tally.category},
        )


def _lost_output_credited(run: RunScore) -> Iterator[Observed]:
    yield from _credited_for(run, LOST, "nothing that the model wrote", "empty")


def _error_credited(run: RunScore) -> Iterator[Observed]:
    what = "an error of the harness or the endpoint in place of an answer"
    yield from _credited_for(run, FAILED, what, "errors")


def _credited_for(run: RunScore, reasons: frozenset[Reason], what: str, key: str) -> Iterator[Observed]:
    for tally in _irrelevance(run):
        ids = [id_ for reason in reasons for id_ in tally.uncredited.get(reason, [])]
        if not ids:
            continue
        credited = tally.credited["official"]
        yield Observed(
            run.model,
            f"Of the {credited} entries of {tally.category} that the official check credits as declined, {len(ids)} "
            f"hold{'s' if len(ids) == 1 else ''} {what}.",
            {
                "category": tally.category,
                "credited": credited,
                key: len(ids),
                "ids": ids[:SHOWN],
                "spans": _spans(tally, ids[:SHOWN]),
            },
            points=points_of(tally.category, len(ids)),
            words={"CATEGORY": tally.category},
        )


def _garbage_credited(run: RunScore) -> Iterator[Observed]:
    yield from _credited_for(run, NOISE, "noise, which says nothing", "garbage")


def _spans(tally: Tally, ids: list[str]) -> dict[str, Any]:
    """Return the stretches of text that decided these entries, by id."""
    return {id_: span_row(tally.spans[id_]) for id_ in ids if id_ in tally.spans}


def _unattested(run: RunScore) -> Iterator[Observed]:
    unwanted = [tally for tally in _irrelevance(run) if tally.credited["official"]]
    if run.decision.attested or not unwanted:
        return
    credited = sum(tally.credited["official"] for tally in unwanted)
    evidence = sum(tally.credited["evidence"] for tally in unwanted)
    yield Observed(
        run.model,
        f"No output in these files decodes to a call, so that the {credited} entries which the official check credits "
        f"as declined ({evidence} by the evidence) are unattested: a run that never calls shows nothing by "
        "not calling.",
        {"official": credited, "evidence": evidence, "files": [*run.tallies, *run.not_scored]},
        points=sum_points(points_of(tally.category, tally.credited["official"]) for tally in unwanted),
    )


def _published_differs(run: RunScore) -> Iterator[Observed]:
    for name, score in run.published.items():
        for problem in score.problems:
            if problem.code == "contradictory-score":
                yield Observed(
                    run.model,
                    f"The published score of {name} contradicts itself: {problem.message}.",
                    {"category": name, "published": [score.correct, score.n], "problem": problem.message},
                    words={"CATEGORY": name},
                )
        tally = run.tallies[name]
        correct, n = tally.credited["official"], tally.official_n
        if (score.correct, score.n) == (correct, n):
            continue
        yield Observed(
            run.model,
            f"The published score of {name} is {score.correct} of {score.n}; the official check, recomputed from the "
            f"stored results, gives {correct} of {n}.",
            {
                "category": name,
                "published": [score.correct, score.n],
                "recomputed": [correct, n],
                "decoder": run.decoder,
            },
            points=points_of(name, abs(score.correct - correct)),
            words={"CATEGORY": name},
        )


def _irrelevance(run: RunScore) -> list[Tally]:
    return [tally for tally in run.tallies.values() if not tally.wants_call]


CREDIT_RULES: Final[tuple[Rule[RunScore], ...]] = (
    Rule(
        id="R201",
        slug="malformed-credited",
        severity=Severity.ERROR,
        versions=ANY_RESULTS,
        claim="Entries on which the model tried to call and failed are credited as if it had declined.",
        not_claimed="that the model would have done better with another parser, or that anyone meant this to happen",
        wrong_if="An attempt that the gate sees is none: an example or a quotation that reads like a call.",
        command="faircall score RESULTS --category CATEGORY --select R201",
        reports=(
            f"{ISSUES}/1362",
            f"{ISSUES}/601",
        ),
        bad='{"decoder": "hermes", "outputs": {"irrelevance": ["<tool_call>{book_table seats=2}</tool_call>"]}}',
        good='{"decoder": "hermes", "outputs": {"irrelevance": ["I cannot order flowers."]}}',
        check=_malformed_credited,
        read=read_example,
    ),
    Rule(
        id="R202",
        slug="lost-output-credited",
        severity=Severity.ERROR,
        versions=ANY_RESULTS,
        claim="Entries that hold nothing a model wrote are credited as if it had declined.",
        not_claimed="where the outputs were lost, or that the model would not have declined",
        wrong_if="Silence is that protocol's way to decline, which no protocol of the table has.",
        command="faircall score RESULTS --category CATEGORY --select R202",
        reports=(f"{ISSUES}/443",),
        bad='{"decoder": "python", "outputs": {"irrelevance": ["", "I cannot order flowers."]}}',
        good='{"decoder": "tool-calls", "outputs": {"irrelevance": [[]]}}',
        check=_lost_output_credited,
        read=read_example,
    ),
    Rule(
        id="R203",
        slug="error-credited",
        severity=Severity.ERROR,
        versions=ANY_RESULTS,
        claim="Entries that hold an error of the harness or the endpoint are credited as if the model "
        "had declined.",
        not_claimed="anything about the model: it was not heard on these entries",
        wrong_if="A model wrote, as its whole answer, a text that reads like such an error.",
        command="faircall score RESULTS --category CATEGORY --select R203",
        reports=(f"{ISSUES}/443",),
        bad='{"decoder": "python", "outputs": {"irrelevance": ["Error during inference: timed out"]}}',
        good='{"decoder": "python", "outputs": {"irrelevance": ["There is an error in your order: no date."]}}',
        check=_error_credited,
        read=read_example,
    ),
    Rule(
        id="R204",
        slug="unattested",
        severity=Severity.WARNING,
        versions=ANY_RESULTS,
        claim="The run is credited for not calling, and nothing in its files decodes to a call.",
        not_claimed="that the model cannot call: files that are not here may show it",
        wrong_if="The declared decoder is not the one that fits the outputs.",
        command="faircall score RESULTS --select R204",
        bad='{"decoder": "python", "outputs": {"irrelevance": ["I cannot order flowers."]}}',
        good='{"decoder": "python", "outputs": {"irrelevance": ["No."], "live_relevance": ["[book_table(seats=2)]"]}}',
        check=_unattested,
        read=read_example,
    ),
    Rule(
        id="R205",
        slug="published-differs",
        severity=Severity.ERROR,
        versions="results with published score files of the same version",
        claim="The published score of a category is not what the official check gives on the stored results.",
        not_claimed="which of the two is in error: results, data or tool may be of another version",
        wrong_if="The declared decoder is not the one that the published score was made with.",
        command="faircall score RESULTS --scores SCORES --category CATEGORY --select R205",
        reports=(
            f"{ISSUES}/1115",
            f"{ISSUES}/1140",
            f"{ISSUES}/1001",
        ),
        bad='{"decoder": "python", "outputs": {"irrelevance": ["No."]}, "published": {"irrelevance": [0, 1]}}',
        good='{"decoder": "python", "outputs": {"irrelevance": ["No."]}, "published": {"irrelevance": [1, 1]}}',
        check=_published_differs,
        read=read_example,
    ),
)

GARBAGE_CREDITED: Final[Rule[RunScore]] = Rule(
    id="R213",
    slug="garbage-credited",
    severity=Severity.ERROR,
    versions=ANY_RESULTS,
    claim="Entries on which the output says nothing (loops, noise) are credited as if the model had declined.",
    not_claimed="that the model tried to call",
    wrong_if="The text means something in a language or a notation that the gate does not know.",
    command="faircall score RESULTS --category CATEGORY --select R213",
    reports=(f"{ISSUES}/443",),
    bad='{"decoder": "python", "outputs": {"irrelevance": ["....................."]}}',
    good='{"decoder": "python", "outputs": {"irrelevance": ["I cannot order flowers."]}}',
    check=_garbage_credited,
    read=read_example,
)
"""The rule on noise."""
