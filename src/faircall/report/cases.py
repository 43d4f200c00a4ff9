"""The cases of a test suite as lines for a terminal: a table of their groups, and what did not pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.cases import group_cases, sign_cases
from faircall.passes import count_outcomes
from faircall.report.passes import share_sentence
from faircall.report.tables import Column, clean, lay_out, wrap
from faircall.types import Outcome, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.cases import Case, GroupCount

COLUMNS: Final = (
    Column("group", right=False, shrink=True),
    Column("n"),
    Column("pass"),
    Column("fail"),
    Column("void"),
    *(Column(state.value, drop=1 + place) for place, state in enumerate(State)),
)
MOST_SHOWN: Final = 10
"""How many cases that fail, and how many void ones, are shown before the rest is only counted."""


def case_lines(cases: Sequence[Case], *, width: int, most: int | None = MOST_SHOWN) -> list[str]:
    """Return the cases as lines of at most `width` cells: groups, what failed, what is void, the share, the signature.

    Up to `most` of what failed and of what is void are shown, all of them for None. The signature stays in one line,
    whatever its width.
    """
    lines = (
        lay_out(COLUMNS, [_cells(group) for group in group_cases(cases)], width, least=16) if cases else []
    )
    for outcome in (Outcome.FAIL, Outcome.VOID):
        found = [case for case in cases if case.outcome == outcome]
        for case in found[:most]:
            lines += wrap(
                clean(f"{outcome.upper()} {case.test} case {case.name}: {case.headline}"), width, rest="  "
            )
        if most is not None and len(found) > most:
            lines.append(f"and {len(found) - most:,} more {outcome.value}; -v shows all")
    lines += wrap(share_sentence(count_outcomes(case.outcome for case in cases)), width)
    return [*lines, sign_cases(cases)]


def _cells(group: GroupCount) -> list[str]:
    found = group.passes
    counts = (found.n, found.passed, found.failed, found.void, *group.states.values())
    return [clean(group.name), *(f"{count:,}" for count in counts)]
