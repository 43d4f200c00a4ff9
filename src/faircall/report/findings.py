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


def finding_lines(group: Sequence[Finding], width: int, *, most: int = MOST_SUBJECTS) -> list[str]:
    """Return the lines of a group for a terminal of `width` cells, with up to `most` of its findings."""
    first = group[0]
    count = f" ({len(group)})" if len(group) > 1 else ""
    lines = [f"  {first.severity.value.upper():8}{first.rule} {first.slug}{count}"]
    indent = " " * 10
    mark = "- " if len(group) > 1 else ""
    for finding in group[:most]:
        lines += wrap(clean(finding.message), width, first=f"{indent}{mark}")
    if len(group) > most:
        lines.append(f"{indent}- and {len(group) - most} more; --format json lists them all")
    return lines + wrap(f"Not claimed: {first.not_claimed}.", width, first=indent)
