"""Two runs contrasted: from the counts of their shared entries to differences of categories, blocks and the whole."""

from __future__ import annotations

import random
from statistics import stdev
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.composite import RESAMPLES
from faircall.paired import (
    Z_POWER,
    Stratum,
    flip_test,
    mcnemar,
    paired_difference,
    resample_difference,
    smallest_difference,
)
from faircall.stats import Z95, quantile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from faircall.composition import Node, Recipe


class Counts(msgspec.Struct, frozen=True):
    """The shared entries of a category: who is right on how many of those that both runs were judged on.

    `void_first` to `absent_second` are what was left out: entries that could not be judged in a run, and entries
    that its results do not have; an entry may be among those of both runs.
    """

    both: int = 0
    first_only: int = 0
    second_only: int = 0
    neither: int = 0
    entries: int = 0
    void_first: int = 0
    void_second: int = 0
    absent_first: int = 0
    absent_second: int = 0

    @property
    def n(self) -> int:
        """How many entries both runs were judged on."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def left_out(self) -> int:
        """How many entries were left out."""
        return self.entries - self.n

    def __add__(self, other: Counts) -> Counts:
        sums = (getattr(self, name) + getattr(other, name) for name in self.__struct_fields__)
        return Counts(*sums)

    def swapped(self) -> Counts:
        """Return the counts with the runs in each other's place."""
        return Counts(
            both=self.both,
            first_only=self.second_only,
            second_only=self.first_only,
            neither=self.neither,
            entries=self.entries,
            void_first=self.void_second,
            void_second=self.void_first,
            absent_first=self.absent_second,
            absent_second=self.absent_first,
        )


class Figure(msgspec.Struct, frozen=True):
    """What two runs reach on their shared entries and how far apart they are, as fractions.

    `difference` is that of the first run to the second, `interval` its 95 % interval. `p` is two-sided, and
    `p_adjusted` corrected for all tests of its family, once those are known. `resolvable` is the smallest difference
    that would be found four times in five. Each is None where it is not available; `missing` names the
    categories without a shared entry that the figure needs.
    """

    first: float | None = None
    second: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    p_adjusted: float | None = None
    resolvable: float | None = None
    missing: tuple[str, ...] = ()

    def negated(self) -> Figure:
        """Return the figure with the runs in each other's place."""
        turned = None if self.interval is None else (-self.interval[1], -self.interval[0])
        apart = None if self.difference is None else -self.difference
        return msgspec.structs.replace(
            self, first=self.second, second=self.first, difference=apart, interval=turned
        )


class CompositeContrast(msgspec.Struct, frozen=True):
    """The overall score of two runs contrasted, and those of its blocks, by name, in the recipe's order."""

    overall: Figure
    blocks: dict[str, Figure]


def contrast(counts: Counts, *, independent: bool = True) -> Figure:
    """Return the difference on the entries counted, with Tango's interval and McNemar's exact test.

    Where the entries are not `independent` (questions that are asked several times), the difference stands alone:
    both take each entry for evidence of its own.

    >>> figure = contrast(Counts(both=60, first_only=12, second_only=2, neither=26, entries=100))
    >>> f"{figure.difference:.2f} [{figure.interval[0]:.3f}, {figure.interval[1]:.3f}], p = {figure.p:.4f}"
    '0.10 [0.031, 0.182], p = 0.0129'
    """
    n = counts.n
    if not n:
        return Figure()
    estimate = paired_difference(counts.first_only, counts.second_only, n)
    differing = counts.first_only + counts.second_only
    first, second = (counts.both + counts.first_only) / n, (counts.both + counts.second_only) / n
    if not independent:
        return Figure(first, second, estimate.value)
    return Figure(
        first,
        second,
        estimate.value,
        (estimate.low, estimate.high),
        mcnemar(counts.first_only, counts.second_only),
        resolvable=smallest_difference(n, differing / n),
    )


def contrast_composite(
    counts: Mapping[str, Counts], recipe: Recipe, *, seed: int, resamples: int = RESAMPLES
) -> CompositeContrast:
    """Return the differences of the overall score and of its blocks, on the entries counted, by a recipe.

    A category weighs what the benchmark has of it. A figure of which a category has no shared entry is not
    available: nothing measured is no difference. Intervals are percentiles of a paired bootstrap, stratified by
    category, and the smallest difference that can be resolved follows from its standard error; where no entry
    differs there is neither. The overall score has a
    p-value, by random exchanges of the runs (`faircall.paired.flip_test`). Each category has random numbers of its
    own, made of `seed` and its name.

    >>> from faircall.composition import Node, Recipe
    >>> halves = Recipe("halves", Node("all", parts=(Node("a"), Node("b"))))
    >>> made = contrast_composite({"a": Counts(50, 20, 10, 20), "b": Counts(0, 5, 5, 0)}, halves, seed=1)
    >>> f"{made.overall.difference:.3f}", made.overall.p > 0.05
    ('0.050', True)
    """
    draws: dict[str, list[float]] = {}
    for name, each in counts.items():
        if each.n:
            stream = _stream(seed, "bootstrap", name)
            stratum = Stratum(name, 1.0, each.first_only, each.second_only, each.n)
            draws[name] = resample_difference(stratum, size=resamples, stream=stream)
    blocks = {part.name: _weigh(part, counts, draws) for part in recipe.score.parts}
    overall = _weigh(recipe.score, counts, draws)
    if overall.difference is not None:
        strata = [
            Stratum(name, share, counts[name].first_only, counts[name].second_only, counts[name].n)
            for name, share in _shares(recipe.score).items()
        ]
        streams = [_stream(seed, "exchange", stratum.name) for stratum in strata]
        p = flip_test(strata, size=resamples, streams=streams)
        overall = msgspec.structs.replace(overall, p=p)
    return CompositeContrast(overall, blocks)


def _stream(seed: int, purpose: str, name: str) -> random.Random:
    return random.Random(f"{seed}:{purpose}:{name}")  # noqa: S311 - resampling, nothing secret


def _shares(node: Node, share: float = 1.0) -> dict[str, float]:
    """Return what each category below a node counts for in it, those that count for nothing left out."""
    if not node.parts:
        return {node.name: share} if share else {}
    found: dict[str, float] = {}
    for part, own in zip(node.parts, node.shares(), strict=True):
        found |= _shares(part, share * own)
    return found


def _weigh(node: Node, counts: Mapping[str, Counts], draws: Mapping[str, list[float]]) -> Figure:
    shares = _shares(node)
    missing = tuple(name for name in shares if name not in counts or not counts[name].n)
    if missing:
        return Figure(missing=missing)
    first = second = apart = 0.0
    totals: list[float] = []
    for name, share in shares.items():
        each = counts[name]
        first += share * (each.both + each.first_only) / each.n
        second += share * (each.both + each.second_only) / each.n
        apart += share * (each.first_only - each.second_only) / each.n
        own = draws[name]
        totals = (
            [total + share * value for total, value in zip(totals, own, strict=True)]
            if totals
            else [share * value for value in own]
        )
    if len(totals) < _LEAST_DRAWS:
        return Figure(first, second, apart)
    ordered = sorted(totals)
    error = stdev(ordered)
    if (
        error == 0
    ):  # no entry differs, so that no draw does, and how far off the difference can be is not known
        return Figure(first, second, apart)
    interval = (quantile(ordered, 0.025), quantile(ordered, 0.975))
    return Figure(first, second, apart, interval, resolvable=(Z95 + Z_POWER) * error)


_LEAST_DRAWS: Final = 2
"""Below this many draws there is neither an interval nor a spread."""
