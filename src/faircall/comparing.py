"""Runs compared on the entries that they share: paired differences, exact tests, and the entries that differ."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.layout import discover
from faircall.composite import RESAMPLES, seed_for
from faircall.composition import load_recipe
from faircall.contrasts import CompositeContrast, Counts, Figure, contrast, contrast_composite
from faircall.errors import InputError, UsageError
from faircall.outcomes import (
    Column,
    RunOutcomes,
    Shelf,
    holds_verdicts,
    read_outcomes,
    score_outcomes,
    signed_fields,
)
from faircall.paired import ALPHA, POWER, holm
from faircall.problems import Problem  # noqa: TC001 - msgspec reads the types of the fields
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.runs import wanted_categories
from faircall.signature import sign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from faircall.composition import Recipe

Place = str | os.PathLike[str]
_REPEATED: Final = {name for name, each in CATEGORIES.items() if each.kind is Kind.FORMAT_SENSITIVITY}
"""Categories that ask the same questions several times, so that their entries are no independent ones."""


class Pair(msgspec.Struct, frozen=True):
    """Two runs of a comparison, by their numbers in it, with what they differ in.

    `categories` holds the counts and the figure of each category that has an entry judged in both; `not_compared`
    says of the others that either run has why not. `pooled` are all entries of the `categories` together, but for
    those that ask the same questions several times; its counts are `pooled_counts`.
    """

    first: int
    second: int
    categories: dict[str, tuple[Counts, Figure]]
    not_compared: dict[str, str]
    pooled_counts: Counts
    pooled: Figure
    composite: CompositeContrast
    seed: int


class Comparison(msgspec.Struct, frozen=True):
    """Runs, every pair of them contrasted, and the signature.

    `total` names the figure by which runs are told apart: `overall`, the score that the recipe makes, where every pair
    has it, and `pooled` else.
    """

    runs: tuple[RunOutcomes, ...]
    pairs: tuple[Pair, ...]
    total: str
    recipe: str
    resamples: int
    signature: str
    problems: tuple[Problem, ...] = ()

    def total_of(self, pair: Pair) -> Figure:
        """Return the figure by which the runs of a pair are told apart."""
        return pair.composite.overall if self.total == "overall" else pair.pooled

    def apart(self, pair: Pair) -> bool | None:
        """Return whether two runs are told apart: an adjusted p of their total of at most 0.05; None without one."""
        adjusted = self.total_of(pair).p_adjusted
        return None if adjusted is None else adjusted <= ALPHA

    def ranked(self) -> list[Pair]:
        """Return the pairs, those first that are told apart most surely."""

        def place(pair: Pair) -> tuple[float, float, float]:
            figure = self.total_of(pair)
            if figure.p is None or figure.p_adjusted is None or figure.difference is None:
                return (2.0, 0.0, 0.0)
            return (figure.p_adjusted, figure.p, -abs(figure.difference))

        return sorted(self.pairs, key=place)

    def differing(self, pair: Pair) -> Iterator[dict[str, Any]]:
        """Yield the entries that one run of a pair has right and the other wrong, by category, in their order."""
        first, second = self.runs[pair.first], self.runs[pair.second]
        for name in pair.categories:
            one, other = first.columns[name], second.columns[name]
            places = (one.right ^ other.right) & one.judged & other.judged
            while places:
                place = (places & -places).bit_length() - 1
                places &= places - 1
                row: dict[str, Any] = {"category": name, "id": one.ids[place]}
                for side, run in (("first", first), ("second", second)):
                    outcome, reason = run.told(name, place)
                    row[side] = {"outcome": outcome, "reason": reason}
                yield row

    def pair_row(self, pair: Pair, *, entries: bool = True) -> dict[str, Any]:
        """Return a pair as the JSON contract names it, with the entries that differ if asked for."""
        row: dict[str, Any] = {
            "first": self.runs[pair.first].label,
            "second": self.runs[pair.second].label,
            "told_apart": self.apart(pair),
            "overall": msgspec.structs.asdict(pair.composite.overall),
            "blocks": {
                name: msgspec.structs.asdict(figure) for name, figure in pair.composite.blocks.items()
            },
            "pooled": _counted(pair.pooled_counts, pair.pooled),
            "categories": {name: _counted(*made) for name, made in pair.categories.items()},
            "not_compared": pair.not_compared,
            "seed": pair.seed,
        }
        if entries:
            row["differing"] = list(self.differing(pair))
        return row

    def head_row(self) -> dict[str, Any]:
        """Return what the JSON contract has before the pairs."""
        return {
            "runs": [
                {
                    "label": run.label,
                    "source": run.source,
                    "entries": run.entries,
                    "judged": run.judged,
                    "signature": run.signature,
                }
                for run in self.runs
            ],
            "total": self.total,
            "recipe": self.recipe,
            "alpha": ALPHA,
            "power": POWER,
            "resamples": self.resamples,
            "tests": self.tests(),
            "problems": [str(problem) for problem in self.problems],
        }

    def tests(self) -> dict[str, int]:
        """Return how many tests each family has that Holm's correction is for."""
        return {
            "categories": sum(
                figure.p is not None for pair in self.pairs for _, figure in pair.categories.values()
            ),
            "overall": sum(pair.composite.overall.p is not None for pair in self.pairs),
            "pooled": sum(pair.pooled.p is not None for pair in self.pairs),
        }

    def lists_entries(self, *, all_entries: bool) -> bool:
        """Return whether the JSON contract lists the entries that differ."""
        return all_entries or len(self.pairs) == 1

    def as_json(self, *, all_entries: bool = False) -> dict[str, Any]:
        """Return the comparison as the JSON contract names it.

        The entries that differ are listed where two runs are compared, and for more if `all_entries` says so.
        """
        listed = self.lists_entries(all_entries=all_entries)
        pairs = [self.pair_row(pair, entries=listed) for pair in self.pairs]
        return {**self.head_row(), "pairs": pairs, "signature": self.signature}


def _counted(counts: Counts, figure: Figure) -> dict[str, Any]:
    return {"n": counts.n, **msgspec.structs.asdict(counts), **msgspec.structs.asdict(figure)}


def compare(
    paths: Sequence[Place] | Place,
    *,
    profile: str | Profile | Sequence[str | Profile] | None = None,
    decoder: str | None = None,
    categories: Sequence[str] = (),
    data: Place | None = None,
    workers: int | None = 1,
    resamples: int = RESAMPLES,
    advance: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Return how the runs at `paths` differ, each pair on the entries that both were judged on.

    A path is what `faircall.score` takes, of one run or of many, or a file of verdicts that it wrote. Results are
    scored now, with the options that `faircall.score` has; verdicts are taken as they are. Two profiles and the
    results of one run compare the profiles. `resamples` is how often entries are drawn, and runs exchanged, for the
    overall score.

    An entry that is void in either run, or not there, is left out and counted. Runs whose signatures differ in more
    than what they turned out to be are not compared: the message says in what.

    Raises `UsageError` for fewer than two runs, one run twice, signatures that differ and options that contradict each
    other, `InputError` for files that cannot be read and runs without a shared category.

    >>> compare(["results"], categories=["irrelevanc"])
    Traceback (most recent call last):
    faircall.errors.UsageError: no category is called 'irrelevanc'; did you mean irrelevance?
    """
    wanted = wanted_categories([categories] if isinstance(categories, str) else categories)
    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    given = [profile] if isinstance(profile, (str, Profile)) else list(profile or ())
    profiles = [each if isinstance(each, Profile) else load_profile(each) for each in given]
    files = [path for path in named if holds_verdicts(path)]
    results = [path for path in named if not holds_verdicts(path)]
    _refuse_options(named, files, profiles, decoder=decoder)
    if len(profiles) > 1:
        _refuse_several(results)
    shelf = Shelf()
    # Files are read first: they take no time, and what is wrong with them is said before anything is scored.
    runs = {path: read_outcomes(path, shelf, wanted=wanted) for path in files}
    _refuse_unlike([run for each in runs.values() for run in each])
    problems: list[Problem] = []
    scored: list[list[RunOutcomes]] = []
    if results:
        for each in profiles or [load_profile(DEFAULT_PROFILE)]:
            found, said = score_outcomes(
                results,
                shelf,
                profile=each,
                decoder=decoder,
                wanted=wanted,
                data=data,
                workers=workers,
                advance=advance,
            )
            scored.append(found)
            problems += [problem for problem in said if problem not in problems]
    everyone = [run for found in (*scored, *runs.values()) for run in found]
    order = [os.fspath(path) for path in named]
    everyone.sort(key=lambda run: order.index(run.named))
    if len(everyone) < 2:
        raise _too_few(named, everyone)
    _refuse_unlike(everyone, profiles=len(profiles) > 1)
    labelled = _labelled(everyone, [each.name for each in profiles] if len(profiles) > 1 else [])
    return _compare(labelled, everyone, resamples=resamples, problems=problems)


def _refuse_options(
    named: Sequence[Place], files: Sequence[Place], profiles: Sequence[Profile], *, decoder: str | None
) -> None:
    if not named:
        raise UsageError("nothing to compare: name two runs, or one and two profiles")
    twice = [name for name, count in Counter(Path(path).resolve() for path in files).items() if count > 1]
    if twice:
        raise UsageError(f"{twice[0]} is given twice: a run does not differ from itself")
    double = [profile.name for profile, count in Counter(profiles).items() if count > 1]
    if double:
        raise UsageError(f"profile {double[0]} is given twice: name two that differ")
    if files and len(profiles) > 1:
        raise UsageError(f"two profiles need one run's results to score, and {files[0]} holds verdicts")
    if len(files) == len(named) and (profiles or decoder is not None):
        option = "decoder" if not profiles else "profile"
        raise UsageError(
            f"no {option} can be chosen for verdicts, which were made under one already: name results"
        )


def _refuse_several(results: Sequence[Place]) -> None:
    runs = discover(results)
    if len(runs) > 1:
        names = ", ".join(run.label for run in runs[:3])
        raise UsageError(f"two profiles are compared on one run, and there are {len(runs)}: {names}")


def _too_few(named: Sequence[Place], runs: Sequence[RunOutcomes]) -> UsageError:
    where = ", ".join(map(str, named))
    if not runs:
        return UsageError(f"{where}: no run with a category that is asked for")
    hint = "name another, or compare two profiles of it: --profile A --profile B"
    return UsageError(f"{where}: one run alone ({runs[0].label}); {hint}")


def _refuse_unlike(runs: Sequence[RunOutcomes], *, profiles: bool = False) -> None:
    """Raise `UsageError` where signatures differ, with every field in which they do; in the profile they may."""
    signed = [signed_fields(run) for run in runs]
    for run, fields in zip(runs, signed, strict=True):
        keys = dict.fromkeys([*signed[0], *fields])
        differ = [
            key
            for key in keys
            if signed[0].get(key) != fields.get(key) and not (profiles and key == "profile")
        ]
        if differ:
            said = "; ".join(
                f"{key} is {signed[0].get(key, 'not given')} and {fields.get(key, 'not given')}"
                for key in differ
            )
            raise UsageError(
                f"{runs[0].label} ({runs[0].source}) and {run.label} ({run.source}) were not scored alike: {said}; "
                "score both in the same way"
            )


def _labelled(runs: Sequence[RunOutcomes], profiles: Sequence[str]) -> list[RunOutcomes]:
    """Return the runs with labels that tell them apart: by profile, or by where they come from."""
    if profiles:
        names = [f"{run.label} [{profile}]" for run, profile in zip(runs, profiles, strict=True)]
    else:
        often = Counter(run.label for run in runs)
        names = [run.label if often[run.label] == 1 else f"{run.label} ({run.source})" for run in runs]
    return [msgspec.structs.replace(run, label=name) for run, name in zip(runs, names, strict=True)]


def _compare(
    runs: Sequence[RunOutcomes], signed: Sequence[RunOutcomes], *, resamples: int, problems: Sequence[Problem]
) -> Comparison:
    fields = [signed_fields(run) for run in signed]
    profiles = ",".join(dict.fromkeys(each["profile"] for each in fields))
    recipe = load_recipe()
    pairs = [
        _pair(runs, signed, first, second, recipe, resamples=resamples, profile=profiles)
        for first, second in combinations(range(len(runs)), 2)
    ]
    if not any(pair.categories for pair in pairs):
        why = dict.fromkeys(
            f"{name}: {reason}" for pair in pairs for name, reason in pair.not_compared.items()
        )
        raise InputError(f"no category has an entry that was judged in two of the runs ({'; '.join(why)})")
    pairs = _adjusted(pairs)
    total = "overall" if all(pair.composite.overall.p is not None for pair in pairs) else "pooled"
    sizes = [pair.pooled_counts.n for pair in pairs]
    signature = sign(
        {
            "bench": fields[0].get("bench"),
            "data": fields[0].get("data"),
            "profile": profiles,
            "decoder": fields[0].get("decoder"),
            "runs": len(runs),
            "n": sizes[0] if len(set(sizes)) == 1 else f"{min(sizes)}-{max(sizes)}",
            "test": "mcnemar-exact+holm",
            "ci": "tango95",
            "resamples": resamples,
        }
    )
    return Comparison(tuple(runs), tuple(pairs), total, recipe.label, resamples, signature, tuple(problems))


def _pair(
    runs: Sequence[RunOutcomes],
    signed: Sequence[RunOutcomes],
    first: int,
    second: int,
    recipe: Recipe,
    *,
    resamples: int,
    profile: str,
) -> Pair:
    one, other = runs[first], runs[second]
    counted: dict[str, Counts] = {}
    left_out: dict[str, str] = {}
    for name in CATEGORIES:
        if name in one.columns and name in other.columns:
            counts = _count(one.columns[name], other.columns[name], name)
            if counts.n:
                counted[name] = counts
            else:
                left_out[name] = "no entry was judged in both"
        elif name in one.columns or name in other.columns:
            there = one if name in one.columns else other
            left_out[name] = f"only in {there.label}"
    made = {
        name: (counts, contrast(counts, independent=name not in _REPEATED))
        for name, counts in counted.items()
    }
    pooled = sum((counts for name, counts in counted.items() if name not in _REPEATED), Counts())
    # Drawn for the runs in an order that their counts give, so that runs in each other's place give the same with the
    # sign changed, and by the models' names alone, so that the same results in another folder do.
    sides = [(counts.first_only, counts.second_only) for counts in counted.values()]
    turned = [side[::-1] for side in sides] < sides
    seed = seed_for("\n".join(sorted((signed[first].label, signed[second].label))), profile)
    drawn = {name: counts.swapped() if turned else counts for name, counts in counted.items()}
    composite = contrast_composite(drawn, recipe, seed=seed, resamples=resamples)
    if turned:
        blocks = {name: figure.negated() for name, figure in composite.blocks.items()}
        composite = CompositeContrast(composite.overall.negated(), blocks)
    return Pair(first, second, made, left_out, pooled, contrast(pooled), composite, seed)


def _count(one: Column, other: Column, name: str) -> Counts:
    if one.ids != other.ids:
        raise InputError(f"the entries of {name} are not the same in two runs", hint="score both again")
    judged = one.judged & other.judged
    both, differing = one.right & other.right & judged, (one.right ^ other.right) & judged
    first = (one.right & differing).bit_count()
    n = judged.bit_count()
    entries = len(one.ids)
    return Counts(
        both=both.bit_count(),
        first_only=first,
        second_only=differing.bit_count() - first,
        neither=n - both.bit_count() - differing.bit_count(),
        entries=entries,
        void_first=entries - (one.judged | one.absent).bit_count(),
        void_second=entries - (other.judged | other.absent).bit_count(),
        absent_first=one.absent.bit_count(),
        absent_second=other.absent.bit_count(),
    )


def _adjusted(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs with p-values adjusted for all tests of categories, of overall scores, and of pooled entries."""
    places = [(number, name) for number, pair in enumerate(pairs) for name in pair.categories]
    categories = dict(
        zip(places, _adjust([pairs[number].categories[name][1] for number, name in places]), strict=True)
    )
    overall = _adjust([pair.composite.overall for pair in pairs])
    pooled = _adjust([pair.pooled for pair in pairs])
    return [
        msgspec.structs.replace(
            pair,
            categories={
                name: (counts, categories[number, name]) for name, (counts, _) in pair.categories.items()
            },
            composite=CompositeContrast(overall[number], pair.composite.blocks),
            pooled=pooled[number],
        )
        for number, pair in enumerate(pairs)
    ]


def _adjust(figures: Sequence[Figure]) -> list[Figure]:
    known = [figure.p for figure in figures if figure.p is not None]
    adjusted = iter(holm(known))
    return [
        figure if figure.p is None else msgspec.structs.replace(figure, p_adjusted=next(adjusted))
        for figure in figures
    ]
