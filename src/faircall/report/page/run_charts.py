"""The charts of scored runs: accuracy both ways, states, what each switch moves, and the decision to call."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from faircall.report import score_view as view
from faircall.report.page.charts import (
    BLUE,
    ORANGE,
    STATE_COLOURS,
    STATE_PATTERNS,
    Bar,
    Chart,
    Marks,
    Point,
    decisions,
    dumbbells,
    stacked_bars,
    waterfall,
)
from faircall.types import Outcome, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faircall.aggregate import RunScore, Tally
    from faircall.flips import Flip

STATES: Final = (State.ABSTAINED, State.MALFORMED, State.CALLED)


def percent(share: float | None) -> float | None:
    """Return a share in percent; None for none."""
    return None if share is None else 100 * share


def accuracies(name: str, run: RunScore) -> Chart:
    """Return the accuracy of each category by the official check and under the profile."""
    labels = list(run.tallies)
    official = [_share(tally.credited["official"], tally.official_n) for tally in run.tallies.values()]
    fair = [percent(tally.figures(None)["accuracy"]) for tally in run.tallies.values()]
    return Chart(
        f"{name}-accuracy",
        "Accuracy by category: official and under the profile",
        "Where the two marks of a row are apart, the switches of the profile decide.",
        dumbbells(
            labels,
            (
                Marks("official check", tuple(official), ORANGE, "diamond"),
                Marks("profile", tuple(fair), BLUE, "circle"),
            ),
            axis="accuracy, %",
        ),
        ("category", "official %", "profile %"),
        tuple(
            (label, _written(before), _written(after))
            for label, before, after in zip(labels, official, fair, strict=True)
        ),
    )


def _share(count: int, total: int) -> float | None:
    return 100 * count / total if total else None


def _written(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def states(name: str, tallies: Mapping[str, Tally]) -> Chart:
    """Return the share of each state in each category of a run."""
    return Chart(
        f"{name}-states",
        "What the outputs are, by category",
        "An output is an abstention, a broken call, or a call; an error stands where there is no output to judge.",
        stacked_bars(
            list(tallies),
            _state_bars([(tally.n, _state_counts(tally)) for tally in tallies.values()]),
            axis="% of the entries",
            unit=" %",
        ),
        ("category", *STATE_COLOURS),
        tuple((category, *map(str, _state_counts(tally))) for category, tally in tallies.items()),
    )


def _state_bars(counts: Sequence[tuple[int, Sequence[int]]]) -> list[Bar]:
    """The bars of rows that each have a number of entries, and how many of them are in each state."""
    return [
        Bar(
            name,
            tuple(_share(states_of[place], total) for total, states_of in counts),
            STATE_COLOURS[name],
            STATE_PATTERNS[name],
        )
        for place, name in enumerate(STATE_COLOURS)
    ]


def _state_counts(tally: Tally) -> list[int]:
    return [tally.states[state] for state in State]


def flip_steps(name: str, run: RunScore, flips: Sequence[Flip]) -> Chart | None:
    """Return how each switch moves the count of right entries; None where none does."""
    moves = [flip for flip in flips if (flip.official is Outcome.PASS) is not (flip.fair is Outcome.PASS)]
    if not moves:
        return None
    gained = Counter(flip.switch for flip in moves if flip.fair is Outcome.PASS)
    lost = Counter(flip.switch for flip in moves if flip.fair is not Outcome.PASS)
    switches = sorted({*gained, *lost}, key=lambda switch: (-(gained[switch] + lost[switch]), switch))
    start = sum(tally.credited["official"] for tally in run.tallies.values())
    end = start + gained.total() - lost.total()
    return Chart(
        f"{name}-flips",
        "From the official count to the fair one, switch by switch",
        f"{start:,} entries are right by the official check, {end:,} by the fair rules. Each switch is set alone.",
        waterfall(
            ("official", start),
            [(switch, gained[switch], lost[switch]) for switch in switches],
            ("fair", end),
        ),
        ("switch", "to pass", "to fail or void"),
        tuple((switch, str(gained[switch]), str(lost[switch])) for switch in switches),
    )


def charts_of_all(runs: Sequence[RunScore]) -> list[Chart]:
    """Return the charts in which runs stand beside each other; for a single run, its decision alone."""
    charts = [irrelevance(runs), decision_points(runs)] if len(runs) > 1 else [decision_points(runs)]
    return [chart for chart in charts if chart is not None]


def irrelevance(runs: Sequence[RunScore]) -> Chart | None:
    """Return what the outputs are where no call is wanted, a bar for each run; None where no run has such entries."""
    asked = [(run.model, [tally for tally in run.tallies.values() if not tally.wants_call]) for run in runs]
    asked = [(model, tallies) for model, tallies in asked if tallies]
    if not asked:
        return None
    labels = [model for model, _ in asked]
    counts = [
        (
            sum(tally.n for tally in tallies),
            [sum(column) for column in zip(*map(_state_counts, tallies), strict=True)],
        )
        for _, tallies in asked
    ]
    return Chart(
        "irrelevance",
        "Irrelevance: what the outputs are where no call is wanted",
        "Only abstentions are right. The official check credits malformed outputs as well.",
        stacked_bars(labels, _state_bars(counts), axis="% of the entries where no call is wanted", unit=" %"),
        ("run", *STATE_COLOURS),
        tuple((model, *map(str, made)) for model, (_, made) in zip(labels, counts, strict=True)),
    )


def decision_points(runs: Sequence[RunScore]) -> Chart | None:
    """Return relevance against irrelevance; None where no run has both."""
    known_runs = [
        run for run in runs if run.decision.relevance is not None and run.decision.irrelevance is not None
    ]
    if not known_runs:
        return None
    points = [
        Point(
            run.model,
            100 * (run.decision.relevance or 0.0),
            100 * (run.decision.irrelevance or 0.0),
            not run.decision.attested,
        )
        for run in known_runs
    ]
    return Chart(
        "decisions",
        "Relevance against irrelevance",
        "A run that decides well stands at the upper right. On a line, Youden's J is the same: on J 0, a run calls as "
        "often where a call is wanted as where none is. Runs without a single decodable call are marked.",
        decisions(points),
        ("run", "relevance %", "irrelevance %", "J"),
        tuple(
            (
                run.model,
                view.percent(run.decision.relevance),
                view.percent(run.decision.irrelevance),
                "n/a" if run.decision.j is None else f"{run.decision.j:.3f}",
            )
            for run in known_runs
        ),
    )
