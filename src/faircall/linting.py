"""`lint`: a dataset in, a report out that says which of its entries and keys are broken, rule by rule."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.data import find
from faircall.dataset import Dataset, benchmark_dataset, lines_of, read_dataset
from faircall.errors import UsageError
from faircall.rules.choice import EVERY_RULE, Choice
from faircall.rules.dataset import DATASET_RULES, inspect_dataset
from faircall.rules.points import sum_points
from faircall.signature import hash8, sign
from faircall.types import Finding  # noqa: TC001 - the type of a field

if TYPE_CHECKING:
    from collections.abc import Sequence

SUITE: Final = "bfcl-v4"
"""The suite whose data is looked over unless a file is named."""


class RuleCount(msgspec.Struct, frozen=True):
    """What one rule found: how often, in how many entries, by category, and how many points those entries are."""

    rule: str
    slug: str
    severity: str
    findings: int
    entries: int
    points: float | None
    categories: dict[str, int]


class LintReport(msgspec.Struct, frozen=True):
    """What was found in a dataset of `entries`, of which `keyed` have a key; `known` findings are left out."""

    dataset: str
    version: str
    entries: int
    keyed: int
    rules: tuple[RuleCount, ...]
    findings: tuple[Finding, ...]
    known: tuple[Finding, ...]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain objects."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


def lint(
    source: str | os.PathLike[str] | IO[bytes] = SUITE,
    *,
    data: str | os.PathLike[str] | None = None,
    name: str | None = None,
    choice: Choice = EVERY_RULE,
) -> LintReport:
    """Return what the dataset rules find in BFCL's data (`bfcl-v4`), or in a file of JSON lines.

    A line has `tools` and `expected`, and may have `id`, `question`, `language`, `category` and `held_out`. `data` is
    where the benchmark's data is, as for `score`; `name` is what a stream is called. Raises `InputError` for what
    cannot be read.

    >>> import io
    >>> line = b'{"tools": [{"name": "f", "parameters": {"properties": {"x": {"type": "integer"}}}}], '
    >>> report = lint(io.BytesIO(line + b'"expected": [{"f": {"x": ["one"]}}]}'), name="mine")
    >>> [finding.rule for finding in report.findings]
    ['D301', 'D306']
    """
    choice.refuse_none(DATASET_RULES, "datasets")
    if source == SUITE:
        dataset = benchmark_dataset(find(data))
    elif data is not None:
        raise UsageError(f"--data is of {SUITE} alone; leave it out, or name no file")
    else:
        dataset = _named(source, name)
    options = [] if data is None else ["--data", str(data)]
    suite = SUITE if source == SUITE else str(source) if isinstance(source, (str, os.PathLike)) else "-"
    found = inspect_dataset(dataset, takes=choice.takes, suite=suite, options=options)
    findings, known = choice.sift(found)
    keyed = sum(bool(item.expected or item.turns) for item in dataset.items)
    fields = {
        "bench": SUITE if source == SUITE else Path(dataset.name).name,
        "data": f"{dataset.version}#{dataset.hash8 or hash8(lines_of(dataset))}",
        "rules": choice.label,
        "n": len(dataset.items),
    }
    return LintReport(
        dataset.name,
        dataset.version,
        len(dataset.items),
        keyed,
        _counts(findings),
        findings,
        known,
        sign(fields),
    )


def _named(source: str | os.PathLike[str] | IO[bytes], name: str | None) -> Dataset:
    if (
        isinstance(source, str)
        and "/" not in source
        and not Path(source).exists()
        and not Path(source).suffix
    ):
        raise UsageError(f"no suite is called {source!r} and no file; there is {SUITE}")
    return read_dataset(source, name=name)


def _counts(findings: Sequence[Finding]) -> tuple[RuleCount, ...]:
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.rule, []).append(finding)
    counts = []
    for rule, found in groups.items():
        entries = {(finding.evidence.get("category"), finding.subject): finding.points for finding in found}
        points = sum_points(entries.values())
        categories = Counter(str(category) for category, _ in entries if category is not None)
        counts.append(
            RuleCount(
                rule, found[0].slug, found[0].severity.value, len(found), len(entries),
                None if points is None else round(points, 3), dict(categories),
            )
        )  # fmt: skip
    return tuple(counts)
