"""What a score report shows, as plain sentences and cells; the text and Markdown pages lay them out."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.data import prompt_styles
from faircall.formats import describe_style
from faircall.problems import count_of
from faircall.report.tables import Column, shorten
from faircall.rows import dump_json
from faircall.types import State

if TYPE_CHECKING:
    from faircall.aggregate import RunScore, Tally
    from faircall.flips import Flip
    from faircall.problems import Problem
    from faircall.runs import ScoreReport

COLUMNS: Final = (
    Column("category", right=False, shrink=True),
    Column("entries"),
    Column("abstained"),
    Column("malformed"),
    Column("called"),
    Column("void"),
    Column("right", drop=1),
    Column("accuracy %"),
    Column("95 % interval"),
)
POLICY_COLUMNS: Final = (
    Column("credited under", right=False, shrink=True),
    Column("official"),
    Column("literal"),
    Column("evidence"),
    Column("published"),
    Column("literal moves"),
    Column("evidence moves"),
)
SWITCH_COLUMNS: Final = (
    Column("switch", right=False),
    Column("category", right=False, shrink=True),
    Column("entries that flip"),
    Column("to pass"),
    Column("to fail or void"),
)
DECODER_FROM: Final = {
    "registry": "as BFCL's registry has it for this model",
    "option": "as asked for",
    "auto": "the model is not in BFCL's registry: for each output the decoder that fits",
}


def headline(report: ScoreReport) -> str:
    """Return the title of the report."""
    runs = len(report.runs)
    entries = sum(tally.n for run in report.runs for tally in run.tallies.values())
    return f"Scores of {runs} run{'s' if runs != 1 else ''}, {entries:,} entries"


def conclusions(run: RunScore) -> list[str]:
    """Return what to take from the run, a sentence each: what was credited for what, and if it is attested."""
    sentences = overall_lines(run)
    for name, tally in run.tallies.items():
        if not tally.decides:
            continue
        official, evidence = tally.credited["official"], tally.credited["evidence"]
        verb = "called" if tally.wants_call else "declined"
        published = run.published.get(name)
        as_published = ""
        if published is not None:
            same = (published.correct, published.n) == (official, tally.official_n)
            as_published = ", as published" if same else f" (published: {published.correct} of {published.n})"
        bounds = ""
        if tally.void:
            low, high = tally.figures(None)["bounds"]
            bounds = f" ({tally.void} of {tally.n} void: {100 * low:.1f} to {100 * high:.1f} %)"
        handler = ", with the decoder that fits" if run.decoder == "auto" else ""
        sentences.append(
            f"{name}: {evidence} of {tally.official_n} {verb} by the evidence{bounds}; the official check{handler} "
            f"credits {official}{as_published}."
        )
    decision = run.decision
    if decision.j is not None and decision.interval is not None:
        low, high = decision.interval
        sentences.append(
            f"Calls {percent(decision.relevance)} % of the time when a call is wanted and abstains "
            f"{percent(decision.irrelevance)} % of the time when none is: J = {decision.j:.3f} [{low:.3f}, {high:.3f}]."
        )
    elif any(tally.decides for tally in run.tallies.values()):
        asks, which = ("is made", "live_relevance")
        if decision.relevance is not None:
            asks, which = ("is not made", "irrelevance, live_irrelevance")
        sentences.append(
            f"No category that asks only whether a call {asks} is here ({which}): J cannot be given."
        )
    if not decision.attested and any(not tally.wants_call for tally in run.tallies.values()):
        sentences.append(
            "Not one output in these files decodes to a call: what it is credited for declining is unattested."
        )
    return sentences


def category_cells(name: str, tally: Tally) -> list[str]:
    """Return the cells of a category under `COLUMNS`."""
    figures = tally.figures(None)
    interval = figures["interval"]
    return [
        name,
        str(tally.n),
        *(str(tally.states[state]) for state in (State.ABSTAINED, State.MALFORMED, State.CALLED)),
        str(tally.void),
        str(tally.correct),
        percent(figures["accuracy"]),
        f"{100 * interval[0]:.1f}-{100 * interval[1]:.1f}" if interval else "n/a",
    ]


def policy_cells(name: str, run: RunScore) -> list[str]:
    """Return the cells of a category under `POLICY_COLUMNS`."""
    tally = run.tallies[name]
    published = run.published.get(name)
    return [
        name,
        *(f"{tally.credited[policy]}" for policy in ("official", "literal", "evidence")),
        f"{published.correct} of {published.n}" if published else "n/a",
        str(tally.moved["literal"]),
        str(tally.moved["evidence"]),
    ]


def notes(run: RunScore) -> list[str]:
    """Return the reasons behind the states, bounds for void entries, and what was not scored."""
    lines = []
    for name, tally in run.tallies.items():
        reasons = ", ".join(f"{reason} {count}" for reason, count in tally.reasons.most_common())
        lines.append(f"{name}: {reasons}.")
        if tally.void:
            low, high = tally.figures(None)["bounds"]
            lines.append(
                f"{name}: with {count_of(tally.void, 'void entry')} the accuracy lies between {100 * low:.2f} and "
                f"{100 * high:.2f} %."
            )
        if tally.steps:
            lines.append(_dialogue_line(name, tally))
        if tally.formats:
            lines += _format_lines(name, tally)
    if run.not_scored:
        lines.append(f"Found and not asked for: {', '.join(run.not_scored)}.")
    return lines


def _dialogue_line(name: str, tally: Tally) -> str:
    steps = ", ".join(f"{tally.steps[state]:,} {state.lower()}" for state in State if tally.steps[state])
    figures = f"{name}: steps: {steps}"
    if CATEGORIES[name].kind is not Kind.MULTI_TURN:
        return f"{figures}."
    right = f"{tally.turns['passed']:,} of {tally.turns['n']:,}"
    return f"{figures}; turns right, up to the first of an entry that is not: {right}."


def _format_lines(name: str, tally: Tally) -> list[str]:
    """Return the spread over the formats, and each format's figures, the best first."""
    sensitivity = tally.sensitivity()
    if sensitivity is None or not sensitivity.accuracies:
        return []
    spread = "the spread cannot be given"
    if sensitivity.max_delta is not None:
        spread = (
            f"{sensitivity.max_delta:.2f} points between the best and the worst, standard deviation "
            f"{sensitivity.standard_deviation:.2f}"
        )
    judged_styles = f"{len(sensitivity.accuracies)} of {len(prompt_styles())} styles of prompt judged"
    lines = [f"{name}: {judged_styles}, {spread}."]
    for style, counts in sorted(
        tally.formats.items(), key=lambda item: -sensitivity.accuracies.get(item[0], -1.0)
    ):
        judged = counts["n"] - counts["void"]
        lines.append(
            f"{percent(sensitivity.accuracies.get(style))} % ({counts['correct']} of {judged}, "
            f"{counts['not_decoded']} not decoded, {counts['declined']} declined): {describe_style(style)}"
        )
    return lines


def overall_lines(run: RunScore) -> list[str]:
    """Return the overall score and its blocks, a sentence each, or why there is none."""
    composite = run.composite
    if composite is None:
        return []
    whole = composite.whole
    low, high = whole.bounds
    missing = whole.coverage.missing
    if whole.value is None:
        return [
            f"Overall: n/a ({count_of(len(missing), 'category')} not scored); between {100 * low:.2f} and "
            f"{100 * high:.2f} whatever they hold."
        ]
    interval = f" [{100 * whole.interval[0]:.2f}, {100 * whole.interval[1]:.2f}]" if whole.interval else ""
    counted = f", {count_of(len(missing), 'category')} without a score counted as 0" if missing else ""
    official = run.official_overall
    beside = f" By the official check: {100 * official:.2f}." if official is not None else ""
    return [f"Overall: {100 * whole.value:.2f}{interval}{counted}.{beside}"]


def switch_cells(run: RunScore) -> list[list[str]]:
    """Return how many outcomes each switch flips, by category, under `SWITCH_COLUMNS`; the largest first.

    An entry whose outcome is the same, and on which only the literal policy differs, is not among them.
    """
    return [
        [switch, category, str(count), str(gained), str(count - gained)]
        for switch, category, count, gained in run.flipped
    ]


def flip_line(flip: Flip) -> str:
    """Return one differing entry: its outcomes, the switch, the reason and what there is to see."""
    head = f"{flip.id} ({flip.switch}): official {flip.official}, fair {flip.fair}"
    if flip.expected is None:
        states = ", ".join(f"{policy} {state}" for policy, state in flip.states.items())
        text = flip.evidence["text"] if flip.evidence else ""
        seen = f': "{shorten(text, 160)}"' if text else ""
        return f"{head}; {states}; {flip.reason}{seen}"
    called, expected = (shorten(dump_json(shown), 200) for shown in (flip.calls, flip.expected))
    return f"{head}; {flip.reason}: {flip.message} | called {called} | expected {expected}"


def problem_line(problem: Problem) -> str:
    """Return a problem with the end of its path, which tells the files of a run apart."""
    where = "/".join(PurePath(problem.path).parts[-2:]) if problem.path else ""
    line = f":{problem.line}" if problem.line is not None else ""
    return f"{problem.severity.upper()} {where}{line}: {problem.message}" if where else str(problem)


def percent(share: float | None) -> str:
    """Return a share as a percentage with two digits, or `n/a`."""
    return "n/a" if share is None else f"{100 * share:.2f}"
