"""Findings as lines: grouped by rule, each with its sentence, and once with what is not claimed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from faircall.report.tables import clean, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Finding

MOST_SUBJECTS: Final = 5
"""How many findings of one rule are written out before the rest is only counted."""


def group_by_rule(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Return the findings in groups of one rule each, in their order."""
    return [list(group) for _, group in groupby(findings, key=lambda finding: finding.rule)]


def finding_lines(
    group: Sequence[Finding], width: int, *, most: int = MOST_SUBJECTS, points: bool = True
) -> list[str]:
    """Return the lines of a group for a terminal of `width` cells, with up to `most` of its findings.

    `points` says whether each says how many points it moves.
    """
    first = group[0]
    count = f" ({len(group)})" if len(group) > 1 else ""
    lines = [f"  {first.severity.value.upper():8}{first.rule} {first.slug}{count}"]
    indent = " " * 10
    mark = "- " if len(group) > 1 else ""
    for finding in group[:most]:
        moved = f" [{points_of(finding.points)}]" if points and finding.points else ""
        lines += wrap(clean(finding.message) + moved, width, first=f"{indent}{mark}")
    if len(group) > most:
        lines.append(f"{indent}- and {len(group) - most} more; --format json lists them all")
    lines += wrap(f"Not claimed: {first.not_claimed}.", width, first=indent)
    if first.reproduce:
        # A command is never broken, so that it can be copied as it stands.
        lines += [f"{indent}{reproduces(group)}:", f"{indent}{clean(first.reproduce)}"]
    return lines


def reproduces(group: Sequence[Finding]) -> str:
    """Return what the command of a group's first finding reproduces: all of them, or that one."""
    same = all(finding.reproduce == group[0].reproduce for finding in group)
    return "Reproduce" if same else "Reproduce the first"


def points_of(points: float) -> str:
    """Return how many points of a score a finding moves, in words.

    >>> points_of(10.0), points_of(1)
    ('10 points', '1 point')
    """
    number = f"{points:.2f}".rstrip("0").rstrip(".")
    return f"{number} point{'' if number == '1' else 's'}"


def known_line(known: int) -> str:
    """Return how many findings were left out because a baseline has them."""
    return f"{known} known finding{' is' if known == 1 else 's are'} left out (baseline)"
