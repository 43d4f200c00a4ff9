"""A scorecard as text, JSON or Markdown. JSON is the contract; the others are views of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from faircall.errors import UsageError
from faircall.report import findings as text_findings
from faircall.report import markdown
from faircall.report.findings import group_by_rule, known_line
from faircall.report.tables import Column, clean, lay_out, wrap
from faircall.rows import dump_json
from faircall.rules import all_rules

if TYPE_CHECKING:
    from faircall.scorecards import Scorecard

FORMATS: Final = ("text", "json", "markdown")
COLUMNS: Final = (
    Column("rule", right=False),
    Column("slug", right=False),
    Column("cases"),
    Column("as wanted"),
    Column("otherwise"),
    Column("void"),
    Column("no verdict"),
)


def render_scorecard(card: Scorecard, format: str = "text", *, width: int = 100) -> str:  # noqa: A002
    """Return a scorecard as text in lines of `width` cells, or as `json` or `markdown`, with its signature.

    Raises `UsageError` for any other format.
    """
    if format == "text":
        return _render_text(card, width)
    if format == "json":
        return dump_json(msgspec.to_builtins(card), indent=1) + "\n"
    if format == "markdown":
        return _render_markdown(card)
    raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")


def rule_rows(card: Scorecard) -> list[list[str]]:
    """Return the rows of the table: a rule with its tally each."""
    rules = all_rules()
    return [
        [id_, rules[id_].slug, *(f"{part:,}" for part in msgspec.structs.astuple(found))]
        for id_, found in card.rules.items()
    ]


def headline(card: Scorecard) -> str:
    """Return what a scorecard says, in a sentence."""
    count = len({finding.rule for finding in card.findings})
    known = "new findings" if card.known else "findings"
    return (
        f"{card.scorer}: {known} under {count} rule{'' if count == 1 else 's'}"
        if count
        else f"{card.scorer}: no {known}"
    )


def _entries_line(card: Scorecard) -> str:
    left_out = (
        f"; {card.left_out:,} entries left out (no key, another language, or void)" if card.left_out else ""
    )
    return f"{card.cases:,} cases, made of the entries {card.entries}{left_out}."


def _render_text(card: Scorecard, width: int) -> str:
    lines = [*wrap(clean(headline(card)), width), *wrap(clean(_entries_line(card)), width), ""]
    lines += [f"  {line}" for line in lay_out(COLUMNS, rule_rows(card), width - 2)]
    lines += ["", "FINDINGS", ""]
    for group in group_by_rule(card.findings):
        lines += [*text_findings.finding_lines(group, width), ""]
    if not card.findings:
        lines += ["  none", ""]
    if card.known:
        lines += [f"  {known_line(len(card.known))}", ""]
    return "\n".join([*lines, clean(card.signature)]) + "\n"


def _render_markdown(card: Scorecard) -> str:
    lines = [f"# {markdown.escape(headline(card))}", "", markdown.escape(_entries_line(card)), ""]
    lines += [*markdown.table(COLUMNS, rule_rows(card)), "", "## Findings", ""]
    for group in group_by_rule(card.findings):
        lines += markdown.finding_lines(group)
    if not card.findings:
        lines += ["None.", ""]
    if card.known:
        lines += [f"{known_line(len(card.known))}.", ""]
    return "\n".join([*lines, f"`{card.signature}`"]) + "\n"
