"""GitHub-flavoured Markdown in which nothing that others wrote can mark anything up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.report.findings import points_of, reproduces
from faircall.report.tables import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.report.tables import Column
    from faircall.types import Finding

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]|~#!$]")
_ENTITIES: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "@": "&#64;",
    "://": "&#58;//",
    "www.": "www&#46;",
}


def escape(text: str) -> str:
    r"""Return text that Markdown shows as it is: no emphasis, links, tables, HTML or mentions come out of it.

    >>> escape("a|b <i> `c`")
    'a\\|b &lt;i&gt; \\`c\\`'
    """
    text = _MARKUP.sub(lambda match: f"\\{match[0]}", clean(text))
    for plain, entity in _ENTITIES.items():
        text = text.replace(plain, entity)
    return text


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table, its cells escaped."""
    rule = "|".join(" ---: " if column.right else " --- " for column in columns)
    lines = ["| " + " | ".join(column.head for column in columns) + " |", f"|{rule}|"]
    return lines + ["| " + " | ".join(escape(cell) for cell in row) + " |" for row in rows]


def finding_lines(group: list[Finding]) -> list[str]:
    """Return the findings of one rule as a heading, a list, and what is not claimed."""
    first = group[0]
    lines = [f"**{first.rule} {first.slug}** ({first.severity.value})", ""]
    for finding in group:
        points = "" if not finding.points else f" ({points_of(finding.points)})"
        lines.append(f"- {escape(finding.message)}{points}")
    lines += ["", f"Not claimed: {escape(first.not_claimed)}.", ""]
    return (
        [*lines, f"{reproduces(group)}:", "", *code_block(first.reproduce), ""] if first.reproduce else lines
    )


def code_block(text: str) -> list[str]:
    """Return text as a block that Markdown shows to the letter, whatever backticks it has."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}console", clean(text), fence]
