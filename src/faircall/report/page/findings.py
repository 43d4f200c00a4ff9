"""Findings as a page shows them: by rule, those first that move the most points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from faircall.report.findings import known_line, points_of, reproduces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.linting import RuleCount
    from faircall.types import Finding

_FIRST: Final = 12


class FindingGroup(msgspec.Struct, frozen=True):
    """The findings of one rule: the first lines, the rest, and what holds for all of them."""

    rule: str
    slug: str
    severity: str
    points: str
    lines: tuple[str, ...]
    rest: tuple[str, ...]
    not_claimed: str
    reproduces: str
    reproduce: str


def by_rule(findings: Sequence[Finding], counts: Sequence[RuleCount]) -> tuple[FindingGroup, ...]:
    """Return the findings by rule, in the order of the rules' counts, with the points of all entries of a rule."""
    groups = [[one for one in findings if one.rule == count.rule] for count in counts]
    words = ["" if count.points is None else f"{points_of(count.points)} in all" for count in counts]
    return tuple(_group(group, points) for group, points in zip(groups, words, strict=True) if group)


def ranked(findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    """Return the findings by rule: those rules first of which one finding moves the most points, then by severity."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.rule, []).append(finding)
    groups = sorted(
        found.values(),
        key=lambda group: (-(_most(group) or 0.0), -max(one.severity.rank for one in group), group[0].rule),
    )
    made = []
    for group in groups:
        most = _most(group)
        points = f"moves up to {points_of(most)}" if most else ""
        made.append(_group(sorted(group, key=lambda one: -(one.points or 0.0)), points))
    return tuple(made)


def known(findings: Sequence[Finding]) -> str:
    """Return how many findings a baseline has already, or nothing where it has none."""
    return known_line(len(findings)) if findings else ""


def _most(group: Sequence[Finding]) -> float | None:
    return max((one.points for one in group if one.points is not None), default=None)


def _group(group: Sequence[Finding], points: str) -> FindingGroup:
    first = group[0]
    lines = tuple(one.message + (f" [{points_of(one.points)}]" if one.points else "") for one in group)
    return FindingGroup(
        rule=first.rule,
        slug=first.slug,
        severity=max(group, key=lambda one: one.severity.rank).severity.value,
        points=points,
        lines=lines[:_FIRST],
        rest=lines[_FIRST:],
        not_claimed=first.not_claimed,
        reproduces=reproduces(group),
        reproduce=first.reproduce,
    )
