"""The register as text: one page for each rule, and a table of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.report.markdown import table
from faircall.report.tables import Column, cell_width, pad, wrap
from faircall.rows import dump_json
from faircall.rules.register import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faircall.rules.register import Rule

_FIELDS: Final = (
    "id", "slug", "family", "severity", "versions", "claim", "not_claimed", "wrong_if", "command", "reports", "bad",
    "good", "retired",
)  # fmt: skip
_COLUMNS: Final = tuple(Column(head, right=False) for head in ("rule", "slug", "severity", "claims"))


def rule_page(rule: Rule[Any]) -> str:
    """Return a rule's page as Markdown: the text of `faircall rules show`, and of docs/rules."""
    lines = [f"# {rule.id} {rule.slug}", ""]
    if rule.retired:
        lines += [f"**No longer run.** {rule.retired}", ""]
    lines += [
        rule.claim, "",
        f"- looks at: {FAMILIES[rule.family]}",
        f"- severity: {rule.severity}",
        f"- applies to: {rule.versions}", "",
        "## What it does not claim", "", _sentence(rule.not_claimed), "",
        "## How it can be wrong", "", _sentence(rule.wrong_if), "",
        "## How to reproduce it", "", "```console", rule.command, "```", "",
        "Words in capitals are yours: the input, a model, a category. A finding has them filled in.", "",
        "## What it answers to", "",
    ]  # fmt: skip
    lines += [f"- <{address}>" for address in rule.reports] or ["No public report is known."]
    lines += ["", "## Reported", "", *_block(rule.bad), "", "## Not reported", "", *_block(rule.good)]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _block(text: str) -> list[str]:
    return ["```text", *text.rstrip("\n").split("\n"), "```"]


def rules_index(rules: Iterable[Rule[Any]]) -> str:
    """Return the page that lists all rules, as Markdown with a link to each one's page."""
    lines = [
        "# The register", "",
        "What faircall knows about faulty scoring, as rules that anyone can run. Each page is what `faircall rules "
        "show ID` prints. An id is never given to another rule, and a rule that is no longer run keeps its page.", "",
        "`--select` and `--ignore` take ids, beginnings of ids (`R`, `R2`) and slugs. `--write-baseline FILE` keeps "
        "what was found, and `--baseline FILE` leaves out what is in it; a finding whose figures have changed is "
        "another one. `--fail-on` looks at what is left. Findings are ranked by the points of the score that they "
        "move or put in doubt.", "",
    ]  # fmt: skip
    every = list(rules)
    for family, about in FAMILIES.items():
        rows = [
            f"| [{rule.id}]({rule.id}.md) | {rule.slug} | {rule.severity} | {rule.claim.replace('|', '&#124;')} |"
            for rule in every
            if rule.family == family
        ]
        if rows:
            lines += [f"## {family}: {about}", "", *table(_COLUMNS, ()), *rows, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def render_rules(rules: Iterable[Rule[Any]], format: str = "text", *, width: int = 100) -> str:  # noqa: A002
    """Return all rules as a table in lines of `width` cells, or as `json`."""
    if format == "json":
        return dump_json({"rules": [rule_row(rule) for rule in rules]}, indent=1) + "\n"
    every = list(rules)
    slugs = max((cell_width(rule.slug) for rule in every), default=0)
    lines = [f"{'rule':6}{pad('slug', slugs + 2)}{'severity':10}claims"]
    for rule in every:
        first = f"{rule.id:6}{pad(rule.slug, slugs + 2)}{rule.severity:10}"
        lines += wrap(rule.claim if not rule.retired else f"(no longer run) {rule.claim}", width, first=first)
    return "\n".join([*lines, "", "faircall rules show ID prints one rule in full."]) + "\n"


def rule_row(rule: Rule[Any]) -> dict[str, Any]:
    """Return a rule's texts by name."""
    return {field: getattr(rule, field) for field in _FIELDS}
