"""From judged entries to the figures of a category and a run: counts, shares with intervals, the decision."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.sensitivity import Sensitivity, sensitivity_of
from faircall.composite import CategoryFigure, Composite
from faircall.scoring import DECODE_FAILED
from faircall.stats import combine, wilson
from faircall.types import Outcome, Reason, Span, State, Verdict
from faircall.written import Fit, Written  # noqa: TC001 - the types of fields

if TYPE_CHECKING:
    from faircall.bfcl.scores import PublishedScore
    from faircall.problems import Problem

_SPANS = 5  # of each reason
POLICIES = ("official", "literal", "evidence")


class Judged(msgspec.Struct, frozen=True):
    """One entry: its verdict under the profile, the evidence's state and reason, and who credits it."""

    id: str
    verdict: Verdict
    evidence_reason: str
    credit: dict[str, bool]
    crashes: bool = False
    """Whether the official tool would raise on the entry, and so count nothing."""
    span: Span | None = None
    """The stretch of text that decided it, by the evidence."""
    style: str | None = None
    """The style of the prompt, in format sensitivity alone."""


class Tally(msgspec.Struct):
    """What one category of one run adds up to, filled entry by entry.

    `n` counts the benchmark's entries, missing ones included. `credited` counts, for each policy, the entries that it
    credits: `official` as the released tool does, `literal` with a decode error as a failure to decline, `evidence`
    under the default profile. `official_n` counts the entries that the official tool would see.
    """

    category: str
    n: int
    correct: int = 0
    void: int = 0
    official_n: int = 0
    states: Counter[str] = msgspec.field(default_factory=Counter)
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    credited: Counter[str] = msgspec.field(default_factory=Counter)
    moved: Counter[str] = msgspec.field(default_factory=Counter)
    uncredited: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """The ids that the official check credits and the evidence does not, by the reason."""
    spans: dict[str, Span] = msgspec.field(default_factory=dict)
    """The stretches that decided it, of the first few of these for each reason."""
    steps: Counter[str] = msgspec.field(default_factory=Counter)
    """The steps of dialogues, by state."""
    turns: Counter[str] = msgspec.field(default_factory=Counter)
    """The turns of judged dialogues: all of them (`n`), and those up to the first that is wrong (`passed`)."""
    formats: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    """Format sensitivity's entries by the prompt's style: all (`n`), void, right, not decoded, and declined."""

    @property
    def wants_call(self) -> bool:
        """Whether a call is wanted in this category."""
        return CATEGORIES[self.category].kind is not Kind.IRRELEVANCE

    @property
    def decides(self) -> bool:
        """Whether the category asks only if a call is made, and not which one."""
        return CATEGORIES[self.category].kind in {Kind.IRRELEVANCE, Kind.RELEVANCE}

    @property
    def makes_calls(self) -> bool:
        """Whether any output, or any step of a dialogue, decodes to a call."""
        return bool(self.states[State.CALLED] or self.steps[State.CALLED])

    def add_missing(self, count: int) -> None:
        """Count entries of the benchmark that the file does not have; they are void."""
        if count:
            self.void += count
            self.states[State.ERROR] += count
            self.reasons[Reason.MISSING] += count

    def add(self, judged: Judged) -> None:
        """Count one entry."""
        verdict = judged.verdict
        self.states[verdict.state] += 1
        self.reasons[verdict.reason] += 1
        self.void += verdict.outcome is Outcome.VOID
        self.correct += verdict.outcome is Outcome.PASS
        self.official_n += not judged.crashes
        if verdict.dialogue is not None:
            self.steps.update(verdict.dialogue.steps)
            if verdict.outcome is not Outcome.VOID:
                self.turns.update(n=verdict.dialogue.turns, passed=verdict.dialogue.passed)
        if judged.style is not None:
            self._add_format(judged.style, verdict)
        for policy in POLICIES:
            self.credited[policy] += judged.credit[policy]
            self.moved[policy] += judged.credit[policy] != judged.credit["official"]
        if judged.credit["official"] and not judged.credit["evidence"]:
            ids = self.uncredited.setdefault(judged.evidence_reason, [])
            ids.append(judged.id)
            if judged.span is not None and len(ids) <= _SPANS:
                self.spans[judged.id] = judged.span

    def _add_format(self, style: str, verdict: Verdict) -> None:
        counts = self.formats.setdefault(style, Counter())
        counts["n"] += 1
        counts["void"] += verdict.outcome is Outcome.VOID
        counts["correct"] += verdict.outcome is Outcome.PASS
        failed = verdict.outcome is Outcome.FAIL
        # Officially, what does not decode counts as an abstention.
        undecoded = verdict.state is State.MALFORMED or verdict.official_error == DECODE_FAILED
        counts["not_decoded"] += failed and undecoded
        counts["declined"] += failed and verdict.state is State.ABSTAINED and not undecoded

    def sensitivity(self) -> Sensitivity | None:
        """Return how far the prompt's format moves the run; None outside format sensitivity."""
        return sensitivity_of(
            {
                style: (counts["correct"], counts["n"] - counts["void"])
                for style, counts in self.formats.items()
            }
        )

    def figure(self, *, official: bool) -> CategoryFigure:
        """Return the counts that the overall score is made of: officially, what the official tool would see."""
        if official:
            return CategoryFigure(self.correct, self.official_n)
        return CategoryFigure(self.correct, self.n, self.void)

    def figures(self, published: dict[str, int] | None) -> dict[str, Any]:
        """Return the category's figures as the JSON contract names them.

        `accuracy` is the share of the entries that could be judged; with void entries, `bounds` say what it
        would be if all of them were wrong, and if all were right. It is None where nothing could be judged.
        """
        judged = self.n - self.void
        estimate = wilson(self.correct, judged) if judged else None
        return {
            "n": self.n,
            "correct": self.correct,
            "accuracy": round(estimate.value, 6) if estimate else None,
            "interval": [round(estimate.low, 6), round(estimate.high, 6)] if estimate else None,
            "bounds": [round(self.correct / self.n, 6), round((self.correct + self.void) / self.n, 6)],
            "states": {state.value: self.states[state] for state in State},
            "void": self.void,
            "reasons": dict(sorted(self.reasons.items(), key=lambda item: (-item[1], item[0]))),
            "official": {"correct": self.credited["official"], "n": self.official_n},
            "published": published,
            **self._more_figures(),
        }

    def _more_figures(self) -> dict[str, Any]:
        """The figures that dialogues and format sensitivity have beside the others."""
        more: dict[str, Any] = {}
        if self.steps:
            more["steps"] = {state.value: self.steps[state] for state in State}
            more["turns"] = {"n": self.turns["n"], "passed": self.turns["passed"]}
        sensitivity = self.sensitivity()
        if sensitivity is not None:
            more["formats"] = {
                style: {
                    "n": counts["n"],
                    "void": counts["void"],
                    "correct": counts["correct"],
                    "not_decoded": counts["not_decoded"],
                    "declined": counts["declined"],
                    "accuracy": sensitivity.accuracies.get(style),
                }
                for style, counts in self.formats.items()
            }
            more["spread"] = {
                "max_delta": sensitivity.max_delta,
                "standard_deviation": sensitivity.standard_deviation,
                "variance": sensitivity.variance,
            }
        return more

    def gates(self) -> dict[str, Any]:
        """Return the credited entries under each policy, and how many entries each moves against `official`."""
        return {
            **{policy: self.credited[policy] for policy in POLICIES},
            "n": self.official_n,
            "moved": {policy: self.moved[policy] for policy in POLICIES if policy != "official"},
        }


class Decision(msgspec.Struct, frozen=True):
    """Does the run call when a call is wanted, and not when none is?

    `relevance` is the share of called entries where a call is wanted, `irrelevance` the share of abstentions
    where none is; `j` is Youden's J, P(call | wanted) - P(call | none wanted), with its 95 % interval.
    Each is None where the run has no judged entry of the kind.
    """

    relevance: float | None
    irrelevance: float | None
    j: float | None
    interval: tuple[float, float] | None
    attested: bool
    """Whether the run makes a decodable call anywhere: one that never does shows nothing by making none."""

    def as_json(self) -> dict[str, Any]:
        """Return the decision as the JSON contract names it."""
        return {
            "relevance": self.relevance,
            "irrelevance": self.irrelevance,
            "J": self.j,
            "interval": list(self.interval) if self.interval else None,
            "attested": self.attested,
        }


class RunScore(msgspec.Struct, frozen=True):
    """The figures of one run; `tallies` hold what the JSON contract's `categories` are made of."""

    model: str
    decoder: str
    decoder_from: str
    """Where the decoder's name is from: `registry`, `option`, or `auto` for an unknown model."""
    tallies: dict[str, Tally]
    published: dict[str, PublishedScore]
    decision: Decision
    not_scored: tuple[str, ...]
    problems: tuple[Problem, ...]
    composite: Composite | None = None
    official_overall: float | None = None
    """The overall score of what the official check credits; None where it would count a category that was not run."""
    flipped: tuple[tuple[str, str, int, int], ...] = ()
    """Outcomes that flip: switch, category, how many, and how many of them to a pass; the largest first."""
    written: dict[str, Written] = {}
    """What the outputs of each category add up to, beside their verdicts."""
    fit: Fit | None = None
    """The decoder that reads outputs which the run's own does not, where those are many."""
    differing: int = 0
    """The number of flips, those included that move no outcome but what a gate policy credits."""


def decide(tallies: list[Tally], *, calls_elsewhere: bool = False) -> Decision:
    """Return the decision of a run from its tallies of relevance and irrelevance categories.

    `calls_elsewhere` says that the run makes a decodable call in a category that is not tallied here.
    Source of J: W. J. Youden, "Index for rating diagnostic tests", Cancer 3 (1950), 32-35.
    """
    wanted = [tally for tally in tallies if tally.decides and tally.wants_call]
    unwanted = [tally for tally in tallies if not tally.wants_call]
    called_right, n_right = _calls(wanted)
    called_wrong, n_wrong = _calls(unwanted)
    abstained = sum(tally.states[State.ABSTAINED] for tally in unwanted)
    j = None
    if n_right and n_wrong:
        j = combine([(1, wilson(called_right, n_right)), (-1, wilson(called_wrong, n_wrong))])
    return Decision(
        relevance=round(called_right / n_right, 6) if n_right else None,
        irrelevance=round(abstained / n_wrong, 6) if n_wrong else None,
        j=round(j.value, 6) if j else None,
        interval=(round(j.low, 6), round(j.high, 6)) if j else None,
        attested=calls_elsewhere or any(tally.makes_calls for tally in tallies),
    )


def _calls(tallies: list[Tally]) -> tuple[int, int]:
    judged = sum(tally.n - tally.void for tally in tallies)
    return sum(tally.states[State.CALLED] for tally in tallies), judged
