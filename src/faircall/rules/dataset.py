"""The dataset family of the register: every rule whose id begins with D, in the order of the ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.rules.dataset_defaults import DEFAULT_RULES
from faircall.rules.dataset_entries import ENTRY_RULES
from faircall.rules.dataset_keys import KEY_RULES, MIXED_KEY
from faircall.rules.dataset_questions import QUESTION_RULES
from faircall.rules.dataset_schemas import MALFORMED_SCHEMA
from faircall.rules.register import rank_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faircall.dataset import Dataset
    from faircall.rules.register import Rule
    from faircall.types import Finding

DATASET_RULES: Final[tuple[Rule[Dataset], ...]] = (
    *KEY_RULES,
    *DEFAULT_RULES,
    *QUESTION_RULES,
    *ENTRY_RULES,
    MIXED_KEY,
    MALFORMED_SCHEMA,
)


def inspect_dataset(
    dataset: Dataset,
    *,
    takes: Callable[[Rule[Dataset]], bool],
    suite: str = "",
    options: Sequence[str] = (),
) -> list[Finding]:
    """Return what the dataset rules that are taken report, by the points that it moves.

    `suite` is what the command was given, and `options` are what else was asked of it.
    """
    rules = [rule for rule in DATASET_RULES if takes(rule)]
    found = [finding for rule in rules for finding in rule.run(dataset, {"SUITE": suite}, options)]
    return rank_findings(found, additive=True)
