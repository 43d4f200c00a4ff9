"""Rules on a scorer: what it says of keys replayed, of mutants of them, and of hostile texts."""

from __future__ import annotations

import json
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from faircall.mutants import Case, make_cases, read_bases
from faircall.mutants.cases import HOSTILE
from faircall.rows import dump_json
from faircall.rules.register import ISSUES, Observed, Rule, rank_findings
from faircall.scoring import check
from faircall.trials import Tally, Trial, tally
from faircall.types import Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from faircall.types import Finding

ANY_SCORER: Final = "any command that reads faircall's JSON lines and prints verdicts"
"""What every rule on scorers applies to."""
SHOWN: Final = 5
_MOST_OUTPUT: Final = 300
_GITHUB: Final = "https://github.com"


def _odd_verdicts(trial: Trial, rule: str, says: str) -> Iterator[Observed]:
    """Yield what a rule finds, of which cases the verdicts are not those wanted; `says` goes on after the count."""
    found = tally(trial).get(rule)
    if found is None or not found.wrong:
        return
    wrong = [case for case in trial.cases if case.rule == rule and trial.standing(case) == "wrong"]
    judged = found.right + found.wrong
    first = wrong[0]
    yield Observed(
        trial.scorer,
        f"{found.wrong:,} of {judged:,} {says}, such as {first.id} ({first.change}).",
        _evidence(trial, found, wrong),
    )


def _evidence(trial: Trial, found: Tally, wrong: Sequence[Case]) -> dict[str, Any]:
    return {
        "cases": found.cases,
        "right": found.right,
        "wrong": found.wrong,
        "void": found.void,
        "lost": found.lost,
        "examples": [_example(trial, case) for case in wrong[:SHOWN]],
        "ids": [case.id for case in wrong],
    }


def _example(trial: Trial, case: Case) -> dict[str, Any]:
    output = case.output
    if len(text := dump_json(output)) > _MOST_OUTPUT:
        output = f"{text[:_MOST_OUTPUT]}…"
    return {
        "id": case.id,
        "change": case.change,
        "output": output,
        "expected": case.expected,
        "wanted": case.wanted,
        "got": trial.outcomes.get(case.id),
    }


def _hostile_text(trial: Trial) -> Iterator[Observed]:
    yield from _odd_verdicts(trial, HOSTILE, "hostile texts pass")
    for trouble in trial.hostile:
        evidence = {"evaluated": trouble.evaluated, "about": list(trouble.about)}
        yield Observed(
            trial.scorer, f"Hostile texts: {trouble.what[:1].lower()}{trouble.what[1:]}.", evidence
        )


def _verdict_lost(trial: Trial) -> Iterator[Observed]:
    plain = [case for case in trial.cases if case.rule != HOSTILE]
    lost = [case.id for case in plain if case.id not in trial.outcomes]
    if lost:
        ending = f" ({trial.ending})" if trial.ending else ""
        yield Observed(
            trial.scorer,
            f"{len(lost):,} of {len(plain):,} cases have no verdict{ending}.",
            {"lost": len(lost), "ids": lost},
        )
    elif plain and not any(trial.standing(case) in {"right", "wrong"} for case in plain):
        message = f"None of {len(plain):,} cases is judged: every verdict is void."
        yield Observed(trial.scorer, message, {"void": len(plain)})
    for trouble in trial.troubles:
        yield Observed(trial.scorer, f"{trouble.what}.", {"about": list(trouble.about)})


def read_example(text: str) -> Trial:
    """Return the trial of a small scorer on the package's own cases.

    It gives every case the same `outcome`, or judges as faircall does under a `profile` but for the rules that are
    `failing` or `passing`, and keeps `silent` on some.
    """
    example = json.loads(text)
    cases = _own_cases()
    if "profile" in example:
        outcomes = dict(_judged(example["profile"]))
    else:
        outcomes = {case.id: example["outcome"] for case in cases}
    outcomes |= {case.id: str(Outcome.FAIL) for case in cases if case.rule in example.get("failing", ())}
    outcomes |= {case.id: str(Outcome.PASS) for case in cases if case.rule in example.get("passing", ())}
    for id_ in example.get("silent", ()):
        del outcomes[id_]
    return Trial("example", cases, outcomes)


@lru_cache(maxsize=1)
def _own_cases() -> tuple[Case, ...]:
    return tuple(make_cases(read_bases().entries))


@lru_cache(maxsize=32)
def _judged(profile: str) -> Mapping[str, str]:
    return {
        case.id: check(
            case.output, tools=case.tools, expected=case.expected, decoder=case.decoder, profile=profile
        ).outcome.value
        for case in _own_cases()
    }


_ALL_PASS: Final = json.dumps({"outcome": Outcome.PASS})
_ALL_FAIL: Final = json.dumps({"outcome": Outcome.FAIL})
_FAIR: Final = json.dumps({"profile": "fair-1"})


def _rule(
    id_: str,
    slug: str,
    claim: str,
    *,
    says: str,
    not_claimed: str,
    wrong_if: str,
    bad: str = _ALL_PASS,
    good: str = _FAIR,
    severity: Severity = Severity.ERROR,
    reports: tuple[str, ...] = (),
) -> Rule[Trial]:
    """Return a rule on the cases of its id."""
    return Rule(
        id=id_,
        slug=slug,
        severity=severity,
        versions=ANY_SCORER,
        claim=claim,
        not_claimed=not_claimed,
        wrong_if=wrong_if,
        command=f"faircall rules scorer CMD --select {id_}",
        reports=reports,
        bad=bad,
        good=good,
        check=partial(_odd_verdicts, rule=id_, says=says),
        read=read_example,
    )


_THESE_CASES: Final = "how often it happens with outputs of models: the cases are made"
_NOT_MEANT: Final = "The scorer is not meant to compare that, and says so where its scores are shown."
_ENTRY_WRONG: Final = "The key of the entry is wrong, or allows what the schema forbids."

SCORER_RULES: Final[tuple[Rule[Trial], ...]] = (
    _rule(
        "S401", "key-fails", "Calls that are the key itself do not pass.",
        says="keys replayed do not pass",
        not_claimed=_THESE_CASES, wrong_if=_ENTRY_WRONG, bad=_ALL_FAIL,
        reports=(f"{_GITHUB}/confident-ai/deepeval/issues/3141",),
    ),
    _rule(
        "S402", "default-changes-verdict",
        "Writing out a declared default, or leaving it out, changes the verdict.",
        says="keys with a default written out or left out get another verdict than the key",
        not_claimed="that a default is always what a tool does without the argument: it is what the schema says",
        wrong_if="The scorer asks for arguments to be written out, and says so.",
        bad=json.dumps({"profile": "fair-1+defaults=official"}), severity=Severity.WARNING,
    ),
    _rule(
        "S403", "order-changes-verdict", "The order of independent calls, or of arguments, changes the verdict.",
        says="keys in another order get another verdict than the key",
        not_claimed="that order never matters: these calls were asked for at once",
        wrong_if="The scorer compares sequences, and says that the calls of one answer are one.",
        bad=json.dumps({"profile": "fair-1+parallel=official"}),
        reports=(
            f"{_GITHUB}/vibrantlabsai/ragas/issues/1658",
            f"{_GITHUB}/benchflow-ai/benchflow/pull/301",
        ),
    ),
    _rule(
        "S404", "sign-ignored", "A number with the opposite sign passes.",
        says="keys with a number's sign changed pass",
        not_claimed=_THESE_CASES, wrong_if=_ENTRY_WRONG,
        bad=json.dumps({"profile": "fair-1+strings=official"}),
    ),
    _rule(
        "S405", "decimal-point-ignored", "A number without its decimal point passes.",
        says="keys with a number's decimal point left out pass",
        not_claimed=_THESE_CASES, wrong_if=_ENTRY_WRONG,
        bad=json.dumps({"profile": "fair-1+strings=official"}),
    ),
    _rule(
        "S406", "boolean-counts-as-number", "A boolean passes for 1 or 0, or 1 or 0 for a boolean.",
        says="keys with a boolean for a number, or the reverse pass",
        not_claimed="that a tool would refuse the value",
        wrong_if="The scorer compares the meaning of values, and not their types.",
        bad=json.dumps({"profile": "fair-1+numbers=official"}),
    ),
    _rule(
        "S407", "nested-type-ignored", "A value of the wrong type inside a list or an object passes.",
        says="keys with a value of another type inside an argument pass",
        not_claimed="that a tool would refuse the value",
        wrong_if="The scorer compares the meaning of values, and not their types.",
    ),
    _rule(
        "S408", "extra-argument-credited", "A call with an argument that the tool does not have passes.",
        says="keys with one argument too many pass",
        not_claimed="that a tool would refuse the call", wrong_if=_NOT_MEANT,
    ),
    _rule(
        "S409", "missing-call-credited", "An answer without one of the calls, or without any, passes.",
        says="keys with a call left out pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
    ),
    _rule(
        "S410", "duplicated-call-credited", "An answer that makes a call once too often passes.",
        says="keys with a call repeated pass",
        not_claimed="that a repeated call does harm: one that pays does, one that reads does not",
        wrong_if=_NOT_MEANT,
        reports=(
            f"{_GITHUB}/vibrantlabsai/ragas/issues/1893",
            f"{_GITHUB}/vibrantlabsai/ragas/issues/2079",
        ),
    ),
    _rule(
        "S411", "broken-call-credited", "A call that is broken passes where no call is wanted.",
        says="broken calls where no call is wanted pass",
        not_claimed="that the model would have done better with another parser",
        wrong_if="The scorer is given decoded calls alone, and never sees what could not be decoded.",
        bad=json.dumps({"profile": "fair-1+gate=official"}),
        reports=(f"{ISSUES}/1362", f"{ISSUES}/601", f"{ISSUES}/443"),
    ),
    _rule(
        "S412", "error-string-credited", "An error of the harness passes where no call is wanted.",
        says="errors of the harness where no call is wanted pass",
        not_claimed="anything about a model: it was not heard on such an entry",
        wrong_if="The harness around the scorer takes such entries out before they are scored.",
        bad=json.dumps({"profile": "fair-1+gate=official"}), reports=(f"{ISSUES}/443",),
    ),
    Rule(
        id=HOSTILE,
        slug="hostile-text",
        severity=Severity.ERROR,
        versions=ANY_SCORER,
        claim="A hostile text passes, is evaluated, stops or hangs the scorer, or spoils its verdicts.",
        not_claimed="that a model wrote such a text, or that the scorer can be made to do worse",
        wrong_if="The machine was too slow for the time limit, or ran out of memory for another reason.",
        command=f"faircall rules scorer CMD --select {HOSTILE}",
        reports=(f"{_GITHUB}/mlcommons/endpoints/issues/391",),
        bad=_ALL_PASS,
        good=_FAIR,
        check=_hostile_text,
        read=read_example,
    ),
    _rule(
        "S414", "wrong-name-credited", "A call of another tool passes.",
        says="keys with another tool's name pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
    ),
    _rule(
        "S415", "missing-argument-credited", "A call without a required argument passes.",
        says="keys without a required argument pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
    ),
    _rule(
        "S416", "null-credited", "A required argument that is null passes.",
        says="keys with null for a required argument pass",
        not_claimed="that null is always wrong: these schemas do not allow it", wrong_if=_ENTRY_WRONG,
    ),
    _rule(
        "S417", "type-ignored", "An argument of the wrong type passes.",
        says="keys with an argument of another type pass",
        not_claimed="that a tool would refuse the value",
        wrong_if="The scorer compares the meaning of values, and not their types.",
    ),
    _rule(
        "S418", "refusal-fails", "A refusal does not pass where no call is wanted.",
        says="refusals where no call is wanted do not pass",
        not_claimed=_THESE_CASES, wrong_if="A call was wanted after all.", bad=_ALL_FAIL,
        reports=(
            f"{_GITHUB}/ai-twinkle/Eval/issues/138",
            f"{_GITHUB}/confident-ai/deepeval/issues/2024",
        ),
    ),
    _rule(
        "S419", "unwanted-call-credited", "A sound call passes where no call is wanted.",
        says="sound calls where no call is wanted pass",
        not_claimed=_THESE_CASES, wrong_if="The tool can do what was asked after all.",
    ),
    Rule(
        id="S420",
        slug="verdict-lost",
        severity=Severity.ERROR,
        versions=ANY_SCORER,
        claim="Cases have no verdict, or two; no case is judged; or the output has lines that are no verdicts.",
        not_claimed="what the verdicts would have been: such cases count as neither right nor wrong",
        wrong_if="The command is not set up, or had too little time (`--timeout`).",
        command="faircall rules scorer CMD --select S420",
        bad=json.dumps({"outcome": "pass", "silent": ["ferry/S401-key/python"]}),
        good=_FAIR,
        check=_verdict_lost,
        read=read_example,
    ),
    _rule(
        "S421", "wrong-value-credited", "An argument with quite another value passes.",
        says="keys with another text, number or boolean pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
        reports=(f"{_GITHUB}/ServiceNow/AU-Harness/issues/31",),
    ),
    _rule(
        "S422", "number-form-changes-verdict", "Writing 2 as 2.0, or 2.0 as 2, changes the verdict.",
        says="keys with a number in its other form get another verdict than the key",
        not_claimed="that the two are one for whole numbers: these parameters take any number",
        wrong_if="The scorer asks for one of the forms, and says so.",
        bad=json.dumps({"profile": "fair-1+numbers=official"}), severity=Severity.WARNING,
        reports=(f"{ISSUES}/1049",),
    ),
    _rule(
        "S423", "empty-output-credited", "An empty output passes where no call is wanted.",
        says="empty outputs where no call is wanted pass",
        not_claimed="that a model which writes nothing is at fault: its output may have been lost",
        wrong_if="Silence is that protocol's way to decline.",
        bad=json.dumps({"profile": "fair-1+gate=official"}), severity=Severity.WARNING,
    ),
    _rule(
        "S424", "accepted-value-refused", "Another value that the key accepts, or an omission it allows, is refused.",
        says="keys with another accepted value, or with what may be left out left out, do not pass",
        not_claimed=_THESE_CASES, wrong_if=_ENTRY_WRONG,
        bad=json.dumps({"profile": "fair-1", "failing": ["S424"]}),
    ),
    _rule(
        "S425", "list-length-ignored", "A list with an item more, or one less, than the key's passes.",
        says="keys with a list that is longer or shorter pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
    ),
    _rule(
        "S426", "list-order-ignored", "A list with its items turned round passes.",
        says="keys with a list turned round pass",
        not_claimed="that the order means something to every tool", severity=Severity.WARNING,
        wrong_if="The order of the items means nothing to the tool, and the scorer knows it.",
    ),
    _rule(
        "S427", "extra-call-credited", "An answer that also calls a tool which is not asked for passes.",
        says="keys with a call of another tool added pass",
        not_claimed=_THESE_CASES, wrong_if=_NOT_MEANT,
    ),
)  # fmt: skip
"""The rules on a scorer, in the order of their ids."""


def inspect_trial(trial: Trial, command: str, options: Sequence[str] = ()) -> list[Finding]:
    """Return what the rules on scorers report of one trial, errors first.

    `command` is the scorer's as a shell takes it; `options` are added to the commands that reproduce a finding.
    """
    words = {"CMD": command}
    return rank_findings(
        [found for rule in SCORER_RULES for found in rule.run(trial, words, options)], additive=False
    )
