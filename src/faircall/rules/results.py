"""The results family of the register: every rule whose id begins with R, in the order of the ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.rules.register import rank_findings
from faircall.rules.results_credit import CREDIT_RULES, GARBAGE_CREDITED
from faircall.rules.results_files import FILE_RULES, KEY_NOT_MET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faircall.aggregate import RunScore
    from faircall.rules.register import Rule
    from faircall.types import Finding

RESULT_RULES: Final[tuple[Rule[RunScore], ...]] = (
    *CREDIT_RULES,
    *FILE_RULES,
    GARBAGE_CREDITED,
    KEY_NOT_MET,
)


def inspect_run(run: RunScore, words: Mapping[str, str], options: Sequence[str] = ()) -> list[Finding]:
    """Return what the rules on results report of one run, by the points that it moves."""
    found = [finding for rule in RESULT_RULES for finding in rule.run(run, words, options)]
    return rank_findings(found, additive=True)
