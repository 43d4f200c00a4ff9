"""What a comparison shows, as plain sentences and cells; the text and Markdown pages lay them out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from faircall.paired import ALPHA
from faircall.problems import count_of
from faircall.report.score_view import percent
from faircall.report.tables import Column

if TYPE_CHECKING:
    from faircall.comparing import Comparison, Pair
    from faircall.contrasts import Figure

RUN_COLUMNS: Final = (
    Column("", right=False),
    Column("run", right=False, shrink=True),
    Column("judged"),
    Column("entries"),
    Column("from", right=False, drop=1),
)
PAIR_COLUMNS: Final = (
    Column("pair", right=False, shrink=True),
    Column("shared"),
    Column("difference"),
    Column("95 % interval"),
    Column("p"),
    Column("adjusted p"),
    Column("told apart"),
)
MOST_ROWS: Final = 100
"""How many pairs the table of pairs has; the others are counted."""


def letter(number: int) -> str:
    """Return the letters that stand for a run: A to Z, AA, AB and so on.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'AA')
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def headline(comparison: Comparison) -> str:
    """Return the title of the report."""
    runs = len(comparison.runs)
    if runs > 2:
        return f"Comparison of {runs:,} runs, {count_of(len(comparison.pairs), 'pair')}"
    shared = sum(counts.n for counts, _ in comparison.pairs[0].categories.values())
    return f"Comparison of 2 runs, {count_of(shared, 'entry')} judged in both"


def run_cells(comparison: Comparison) -> list[list[str]]:
    """Return the cells of each run under `RUN_COLUMNS`."""
    return [
        [letter(number), run.label, f"{run.judged:,}", f"{run.entries:,}", run.source]
        for number, run in enumerate(comparison.runs)
    ]


def total_name(comparison: Comparison) -> str:
    """Return what the runs are told apart by, in words."""
    if comparison.total == "overall":
        return f"the overall score ({comparison.recipe}) on shared entries"
    return "all shared entries, each counting the same"


def pair_heading(comparison: Comparison) -> str:
    """Return what the table of pairs holds."""
    many = f"; p adjusted for {count_of(len(comparison.pairs), 'pair')}" if len(comparison.pairs) > 1 else ""
    return f"By {total_name(comparison)}, in points{many}"


def pair_cells(comparison: Comparison) -> list[list[str]]:
    """Return the cells of the pairs under `PAIR_COLUMNS`, those first that are told apart most surely."""
    return [
        [
            f"{letter(pair.first)}-{letter(pair.second)}",
            f"{pair.pooled_counts.n:,}",
            *_figure_cells(comparison.total_of(pair)),
            {None: "n/a", True: "yes", False: "no"}[comparison.apart(pair)],
        ]
        for pair in islice(comparison.ranked(), MOST_ROWS)
    ]


def conclusions(comparison: Comparison, pair: Pair) -> list[str]:
    """Return what to take from a pair of runs, a sentence each."""
    sentences = [_verdict(comparison, pair)]
    overall = pair.composite.overall
    if overall.missing:
        lacking = _few(overall.missing)
        sentences.append(f"Overall score: n/a, for want of shared entries of {lacking}.")
    tested = {name: figure for name, (_, figure) in pair.categories.items() if figure.p_adjusted is not None}
    apart = [
        f"{name} ({points(figure.difference)})"
        for name, figure in tested.items()
        if figure.p_adjusted is not None and figure.p_adjusted <= ALPHA
    ]
    if tested:
        corrected = count_of(comparison.tests()["categories"], "test")
        which = ", ".join(apart) if apart else "none"
        sentences.append(f"Categories told apart, corrected for {corrected}: {which}.")
    return sentences


def _verdict(comparison: Comparison, pair: Pair) -> str:
    figure = comparison.total_of(pair)
    first, second = letter(pair.first), letter(pair.second)
    if figure.difference is None or figure.p is None:
        return f"Nothing to tell {first} and {second} apart by: no entry was judged in both."
    ahead = first if figure.difference > 0 else second
    lead = (
        f"{ahead} is ahead by {100 * abs(figure.difference):.2f} points"
        if figure.difference
        else "they are level"
    )
    details = [f"p {_equals(figure.p)}"]
    if figure.interval is not None:
        low, high = (100 * bound for bound in figure.interval)
        details.insert(0, f"{first}-{second} from {low:.2f} to {high:.2f}")
    if len(comparison.pairs) > 1 and figure.p_adjusted is not None:
        details.append(f"adjusted p {_equals(figure.p_adjusted)}")
    apart = comparison.apart(pair)
    said = (
        f"By {total_name(comparison)}, {first} and {second} are {'' if apart else 'not '}told apart: {lead} "
        f"({', '.join(details)})."
    )
    if apart or figure.resolvable is None:
        return said
    level = "at the level 0.05" + (", before the correction" if len(comparison.pairs) > 1 else "")
    return f"{said} A difference of {100 * figure.resolvable:.2f} points would be found four times in five {level}."


def _few(names: tuple[str, ...]) -> str:
    return (
        ", ".join(names)
        if len(names) <= 3
        else f"{', '.join(names[:3])} and {len(names) - 3} more categories"
    )


def category_columns(pair: Pair) -> tuple[Column, ...]:
    """Return the columns of the table of categories."""
    first, second = letter(pair.first), letter(pair.second)
    return (
        Column("category", right=False, shrink=True),
        Column("n"),
        Column(f"{first} %", drop=1),
        Column(f"{second} %", drop=2),
        Column(f"only {first}"),
        Column(f"only {second}"),
        Column(f"{first}-{second}"),
        Column("95 % interval"),
        Column("p"),
        Column("adj. p"),
        Column("least"),
    )


def category_cells(pair: Pair) -> list[list[str]]:
    """Return the cells of the categories, and of all together, under `category_columns`."""
    rows = [(name, *made) for name, made in pair.categories.items()]
    if len(pair.categories) > 1:
        rows.append(("all of them", pair.pooled_counts, pair.pooled))
    return [
        [
            name,
            f"{counts.n:,}",
            percent(figure.first),
            percent(figure.second),
            str(counts.first_only),
            str(counts.second_only),
            *_figure_cells(figure),
            _resolves(figure),
        ]
        for name, counts, figure in rows
    ]


def score_columns(pair: Pair) -> tuple[Column, ...]:
    """Return the columns of the table of scores."""
    first, second = letter(pair.first), letter(pair.second)
    return (
        Column("score", right=False, shrink=True),
        Column(f"{first} %"),
        Column(f"{second} %"),
        Column(f"{first}-{second}"),
        Column("95 % interval"),
        Column("p"),
        Column("adj. p"),
        Column("least"),
    )


def score_cells(pair: Pair) -> list[list[str]]:
    """Return the cells of the overall score and of its blocks; none where not one of them is there."""
    figures = {"overall": pair.composite.overall, **pair.composite.blocks}
    if all(figure.difference is None for figure in figures.values()):
        return []
    return [
        [name, percent(figure.first), percent(figure.second), *_figure_cells(figure), _resolves(figure)]
        for name, figure in figures.items()
    ]


def notes(comparison: Comparison, pair: Pair) -> list[str]:
    """Return what was left out, what was not compared, and how chance came in."""
    lines = []
    sides = (("first", letter(pair.first)), ("second", letter(pair.second)))
    left_out = [(name, counts) for name, (counts, _) in pair.categories.items() if counts.left_out]
    for name, counts in left_out:
        parts = [
            f"{getattr(counts, f'{kind}_{side}')} {words} {run}"
            for kind, words in (("void", "void in"), ("absent", "not there in"))
            for side, run in sides
            if getattr(counts, f"{kind}_{side}")
        ]
        lines.append(
            f"{name}: {counts.left_out} of {count_of(counts.entries, 'entry')} left out ({', '.join(parts)})."
        )
    reasons: dict[str, list[str]] = {}
    for name, reason in pair.not_compared.items():
        reasons.setdefault(reason, []).append(name)
    lines += [f"Not compared, {reason}: {', '.join(names)}." for reason, names in reasons.items()]
    repeated = [
        name for name, (counts, figure) in pair.categories.items() if counts.n and figure.interval is None
    ]
    lines += [
        f"{name} asks the same questions in several styles: no test, and not among all of them."
        for name in repeated
    ]
    if score_cells(pair):
        lines.append(f"Scores: {comparison.resamples:,} draws, seed {pair.seed}.")
    return lines


def entry_lines(comparison: Comparison, pair: Pair, entries: int) -> list[str]:
    """Return the first entries that differ, a line each."""
    first, second = letter(pair.first), letter(pair.second)
    return [
        f"{row['id']}: {first} {_told(row['first'])}, {second} {_told(row['second'])}"
        for row in islice(comparison.differing(pair), entries)
    ]


def entry_heading(pair: Pair, entries: int) -> str:
    """Return the heading of the entries that differ, with how many are shown."""
    differing = sum(counts.first_only + counts.second_only for counts, _ in pair.categories.values())
    shown = min(entries, differing)
    return f"Entries that differ ({shown:,} of {differing:,} shown)"


def rest_line(comparison: Comparison, shown: int, *, how: str = "") -> str | None:
    """Return how many pairs are not shown, and `how` to see them, or None where all are."""
    rest = len(comparison.pairs) - shown
    return f"{count_of(rest, 'pair')} more; {how}json and csv hold all." if rest > 0 else None


def points(share: float | None) -> str:
    """Return a difference in points, with its sign, or `n/a`."""
    if share is None:
        return "n/a"
    text = f"{100 * share:+.2f}"
    return "0.00" if text in {"+0.00", "-0.00"} else text


def p_text(p: float | None) -> str:
    """Return a p-value with four digits, or `n/a`.

    >>> p_text(0.03125), p_text(1e-9), p_text(None)
    ('0.0312', '<0.0001', 'n/a')
    """
    if p is None:
        return "n/a"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _equals(p: float) -> str:
    text = p_text(p)
    return text.replace("<", "< ") if text.startswith("<") else f"= {text}"


def _figure_cells(figure: Figure) -> list[str]:
    interval = "n/a"
    if figure.interval is not None:
        interval = f"{100 * figure.interval[0]:.2f} to {100 * figure.interval[1]:.2f}"
    return [points(figure.difference), interval, p_text(figure.p), p_text(figure.p_adjusted)]


def _resolves(figure: Figure) -> str:
    return "n/a" if figure.resolvable is None else f"{100 * figure.resolvable:.2f}"


def _told(told: dict[str, Any]) -> str:
    return f"{told['outcome']} ({told['reason']})"
