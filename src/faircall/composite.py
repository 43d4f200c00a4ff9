"""From the counts of categories to blocks and the overall score, with bounds, intervals and coverage.

The tree of averages is a recipe (`faircall.composition`). A category that was not run is never 0 in silence:
it is 0 where the profile says so (`missing="zero"`, the official way), and else the score is not available and
its bounds say what it could be.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from faircall.composition import DEFAULT_RECIPE, Average, Node, Recipe, load_recipe
from faircall.errors import UsageError
from faircall.stats import quantile, resample_share, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faircall.profiles import Profile

Missing = Literal["zero", "na"]
RESAMPLES: Final = 2000
"""How many times the entries are drawn anew for an interval, unless the caller says otherwise."""


class CategoryFigure(msgspec.Struct, frozen=True):
    """What one category adds up to: `correct` of `n` entries, of which `void` could not be judged.

    Raises UsageError unless 0 <= correct <= n - void and void >= 0.
    """

    correct: int
    n: int
    void: int = 0

    def __post_init__(self) -> None:
        if self.void < 0 or not 0 <= self.correct <= self.judged:
            counts = f"{self.correct} correct and {self.void} void of {self.n} entries"
            raise UsageError(f"a figure needs 0 <= correct <= n - void and void >= 0, got {counts}")

    @property
    def judged(self) -> int:
        """How many entries have a verdict."""
        return self.n - self.void

    @property
    def accuracy(self) -> float | None:
        """The share of the judged entries that are right, or None where none was judged."""
        return self.correct / self.judged if self.judged else None


class Coverage(msgspec.Struct, frozen=True):
    """How much of what a score is made of was judged: `judged` of `entries`.

    `missing` names the categories without a single judged entry. What counts for nothing in the score is left
    out.
    """

    judged: int
    entries: int
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of the entries that were judged, or None where there are no entries."""
        return self.judged / self.entries if self.entries else None


class Part(msgspec.Struct, frozen=True):
    """One figure of the recipe as a fraction: a category, a block, or the overall score.

    `value` is None where it is not available. `bounds` are the figure with every missing and void entry wrong,
    and right; they do not depend on how missing categories count. `interval` is the 95 % interval of `value`:
    Wilson's for a category, a bootstrap's for an average.
    """

    value: float | None
    bounds: tuple[float, float]
    interval: tuple[float, float] | None
    coverage: Coverage


class Composite(msgspec.Struct, frozen=True):
    """The overall score of a run, with every figure that it is made of; all fractions.

    `parts` holds every node of the recipe below the top, by name. `unused` names the figures that the recipe
    has no place for.
    """

    recipe: Recipe
    whole: Part
    parts: dict[str, Part]
    missing: Missing
    seed: int
    resamples: int
    unused: tuple[str, ...] = ()

    @property
    def value(self) -> float | None:
        """The overall score, or None where it is not available."""
        return self.whole.value

    @property
    def bounds(self) -> tuple[float, float]:
        """The score with every missing and void entry wrong, and right."""
        return self.whole.bounds

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % bootstrap interval of the score."""
        return self.whole.interval

    @property
    def coverage(self) -> Coverage:
        """How much of the benchmark was judged."""
        return self.whole.coverage

    @property
    def blocks(self) -> dict[str, Part]:
        """The parts of the top level, by name, in the recipe's order."""
        return {block.name: self.parts[block.name] for block in self.recipe.score.parts}


def overall(
    figures: Mapping[str, CategoryFigure],
    *,
    recipe: Recipe | str = DEFAULT_RECIPE,
    missing: Missing = "na",
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Composite:
    """Return the overall score that the figures of categories make by a recipe, and everything on the way.

    A category's figure is the share of its judged entries. Under `missing="na"` an average of which a category
    has no judged entry is None; entries that the recipe counts and the figure does not are void, and a category
    weighs what the benchmark has of it. Under `missing="zero"` such a category is 0, and a figure weighs its own
    `n`, as in the official tool, which knows of no entry that was not run.

    The intervals of averages are percentiles of a bootstrap, stratified by category: each category's judged
    entries are drawn anew with replacement, which for entries that are right or wrong is a draw from the
    binomial distribution of its counts. Each category has a stream of random numbers of its own, made of `seed`
    and its name, so that a result does not depend on the order of the figures, on the other categories, or on
    how runs are shared out among workers. A category at 0 or at `n` does not vary, so that the interval of a
    score of few entries, all right, is too narrow; `resamples=0` leaves all of these intervals out.

    Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 8 and 13.

    Raises UsageError for a recipe that is not built in, and for a category whose entries neither the recipe nor
    a figure states, where they are needed as weights.

    >>> half = overall({"simple_python": CategoryFigure(300, 400)}, missing="zero")
    >>> f"{half.value:.5f}", half.blocks["live"].value, len(half.coverage.missing)
    ('0.00625', 0.0, 20)
    >>> overall({"simple_python": CategoryFigure(300, 400)}).value is None
    True
    """
    tree = load_recipe(recipe) if isinstance(recipe, str) else recipe
    if resamples < 0:
        raise UsageError(f"resamples must not be negative, got {resamples}")
    builder = _Builder(figures, missing, seed, resamples)
    top = builder.build(tree.score)
    leaves = {leaf.name for leaf in tree.score.leaves()}
    return Composite(
        recipe=tree,
        whole=top,
        parts={node.name: builder.parts[node.name] for part in tree.score.parts for node in part.walk()},
        missing=missing,
        seed=seed,
        resamples=resamples,
        unused=tuple(name for name in figures if name not in leaves),
    )


def missing_under(profile: Profile) -> Missing:
    """Return how a category that was not run counts under a profile, by its switch `missing`.

    >>> from faircall.profiles import load_profile
    >>> missing_under(load_profile("fair-1")), missing_under(load_profile("fair-1+missing=official"))
    ('na', 'zero')
    """
    return "zero" if profile.missing == "official" else "na"


def seed_for(run: str, profile: str) -> int:
    """Return the seed for a run under a profile: the same in every process and on every machine.

    It is the first eight bytes of the SHA-256 of both names, so that runs differ in what is drawn for them and
    a run can be scored alone or among a hundred with one result.

    >>> seed_for("kite", "fair-1") == seed_for("kite", "fair-1") != seed_for("kite", "fair-2")
    True
    """
    name = f"{run}\n{profile}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(name).digest()[:8], "big")


class _Sum(NamedTuple):
    """A node on the way: `weight` is what it counts for in an average by entries."""

    value: float | None
    low: float
    high: float
    weight: float
    full_weight: float
    draws: Sequence[float]


class _Builder:
    """Walks a recipe once, parts first, and keeps the `Part` of every node."""

    def __init__(
        self, figures: Mapping[str, CategoryFigure], missing: Missing, seed: int, resamples: int
    ) -> None:
        self.figures = figures
        self.missing = missing
        self.seed = seed
        self.resamples = resamples
        self.parts: dict[str, Part] = {}

    def build(self, node: Node) -> Part:
        self._visit(node)
        return self.parts[node.name]

    def _visit(self, node: Node) -> _Sum:
        return self._average(node) if node.parts else self._category(node)

    def _category(self, node: Node) -> _Sum:
        figure = self.figures.get(node.name, CategoryFigure(0, 0))
        entries = max(node.entries or 0, figure.n)
        absent = entries - figure.n  # entries of the benchmark that the run's figure does not speak of
        accuracy = figure.accuracy
        value = 0.0 if accuracy is None and self.missing == "zero" else accuracy
        low = figure.correct / entries if entries else 0.0
        high = (figure.correct + figure.void + absent) / entries if entries else 1.0
        estimate = wilson(figure.correct, figure.judged) if figure.judged else None
        self.parts[node.name] = Part(
            value,
            (low, high),
            (estimate.low, estimate.high) if estimate else None,
            Coverage(figure.judged, entries, () if figure.judged else (node.name,)),
        )
        counted = entries if self.missing == "na" or not figure.n else figure.n
        return _Sum(value, low, high, float(counted), float(entries), self._draw(node.name, figure))

    def _draw(self, name: str, figure: CategoryFigure) -> Sequence[float]:
        if not figure.judged:
            return ()  # 0 in each of them
        stream = random.Random(f"{self.seed}:{name}")  # noqa: S311 - resampling, nothing secret
        return resample_share(figure.correct, figure.judged, size=self.resamples, stream=stream)

    def _average(self, node: Node) -> _Sum:
        below = [self._visit(part) for part in node.parts]
        weights = _weights(node, [part.weight for part in below])
        full = _weights(node, [part.full_weight for part in below])
        kept = [
            (part, sums, weight)
            for part, sums, weight in zip(node.parts, below, weights, strict=True)
            if weight > 0
        ]
        mean = _Mean(node.average, [weight for _, _, weight in kept])
        values = [sums.value for _, sums, _ in kept]
        known = [value for value in values if value is not None]
        value = mean(known) if len(known) == len(values) else None
        bounds = _Mean(node.average, full)
        low, high = bounds([sums.low for sums in below]), bounds([sums.high for sums in below])
        draws = mean.of_draws([sums.draws for _, sums, _ in kept], self.resamples)
        interval = None
        if value is not None and draws:
            ordered = sorted(
                draws
            )  # the draws themselves go up as they came: sorted ones would move together
            interval = (quantile(ordered, 0.025), quantile(ordered, 0.975))
        self.parts[node.name] = Part(value, (low, high), interval, self._coverage(node, kept))
        return _Sum(
            value,
            low,
            high,
            sum(part.weight for part in below),
            sum(part.full_weight for part in below),
            draws,
        )

    def _coverage(self, node: Node, kept: Sequence[tuple[Node, _Sum, float]]) -> Coverage:
        parts = [self.parts[part.name].coverage for part, _, _ in kept]
        return Coverage(
            sum(part.judged for part in parts),
            sum(part.entries for part in parts),
            tuple(name for part in parts for name in part.missing),
        )


def _weights(node: Node, sizes: Sequence[float]) -> list[float]:
    """Return what each part counts for, not scaled to anything."""
    if node.average is Average.UNWEIGHTED:
        return [1.0] * len(sizes)
    counts = [part.weight or 0.0 for part in node.parts] if node.average is Average.WEIGHTED else list(sizes)
    if not sum(counts) > 0:
        raise UsageError(f"`{node.name}` is averaged by entries, and no category below it has any")
    return counts


class _Mean:
    """The mean of figures by weights, with the operations in the official tool's order.

    Percentages are printed with two digits, and some lie exactly between two; what is printed then depends on
    the last bit, and so on whether one sums first or divides first.
    """

    def __init__(self, average: Average, weights: Sequence[float]) -> None:
        self.total = sum(weights)
        self.shares: list[float] | None = None
        self.weights: list[float] | None = None
        if average is Average.WEIGHTED:
            self.shares = [weight / self.total for weight in weights]
        elif average is Average.ENTRIES:
            self.weights = list(weights)

    def of_draws(self, draws: Sequence[Sequence[float]], size: int) -> list[float]:
        """Return the means of the first draws of each part, of the second ones, and so on; a part may have none, all 0.

        Each sum is made from left to right, part by part, and so is the very one that a call gives.
        """
        factors = self.shares or self.weights
        totals = [0.0] * size
        for index, part in enumerate(draws):
            if part and factors is not None:
                factor = factors[index]
                totals = [total + value * factor for total, value in zip(totals, part, strict=True)]
            elif part:
                totals = [total + value for total, value in zip(totals, part, strict=True)]
        return totals if self.shares is not None else [total / self.total for total in totals]

    def __call__(self, values: Sequence[float]) -> float:
        if self.shares is not None:
            return _dot(values, self.shares)
        if self.weights is not None:
            return _dot(values, self.weights) / self.total
        return _add(values) / self.total


def _add(values: Sequence[float]) -> float:
    """Add from left to right: `sum` of Python 3.12 corrects the last bit, and older ones do not."""
    total = 0.0
    for value in values:
        total += value
    return total


def _dot(values: Sequence[float], weights: Sequence[float]) -> float:
    return _add([value * weight for value, weight in zip(values, weights, strict=True)])
