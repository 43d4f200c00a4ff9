"""The register: boards (B), results (R), datasets (D), scorers (S). An id is never given to another rule."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from faircall.errors import UsageError

if TYPE_CHECKING:
    from faircall.rules.register import Rule

_FAMILIES: Final = {
    "faircall.rules.board": "BOARD_RULES",
    "faircall.rules.results": "RESULT_RULES",
    "faircall.rules.dataset": "DATASET_RULES",
    "faircall.rules.scorer": "SCORER_RULES",
}
"""The modules that hold a family, each with the name of its tuple; loaded when the register is asked for."""


def all_rules() -> dict[str, Rule[Any]]:
    """Return every rule by its id; raises UsageError if an id or a slug is there twice.

    >>> all_rules()["B002"].slug
    'lost-calls-credited'
    """
    rules: dict[str, Rule[Any]] = {}
    for module, name in _FAMILIES.items():
        family: tuple[Rule[Any], ...] = getattr(import_module(module), name)
        for rule in family:
            if rule.id in rules or any(rule.slug == other.slug for other in rules.values()):
                raise UsageError(f"rule {rule.id} ({rule.slug}) is in the register twice")
            rules[rule.id] = rule
    return rules


def find_rule(name: str) -> Rule[Any]:
    """Return the rule with this id or slug; raises UsageError where there is none.

    >>> find_rule("lost-calls-credited").id
    'B002'
    """
    rules = all_rules()
    for rule in rules.values():
        if name.casefold() in (rule.id.casefold(), rule.slug):
            return rule
    raise UsageError(f"no rule `{name}`; there are {', '.join(rules)}")
