"""Write docs/bfcl-v4.md: what the register finds on BFCL v4's board and in its data.

    python benchmarks/make_bfcl_page.py

Every number on the page comes from the board inside the package and from the benchmark's data, which has to be pulled.
A test checks that the page is in step.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from faircall.auditing import audit
from faircall.linting import lint
from faircall.report.audit_view import COMPOSITION_COLUMNS, composition_notes, composition_rows, headline
from faircall.report.findings import group_by_rule, points_of
from faircall.report.lint import COLUMNS, count_cells
from faircall.report.markdown import escape, table
from faircall.report.tables import Column
from faircall.rules.board_weights import constant_outputs

if TYPE_CHECKING:
    from faircall.auditing import AuditReport
    from faircall.linting import LintReport
    from faircall.types import Finding

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bfcl-v4.md"
SHOWN = 3  # findings of each rule that the page quotes


def finding_lines(findings: list[Finding]) -> list[str]:
    first = findings[0]
    lines = [f"### [{first.rule} {first.slug}](rules/{first.rule}.md) ({first.severity.value})", ""]
    for finding in islice(findings, SHOWN):
        moved = f" ({points_of(finding.points)})" if finding.points else ""
        lines.append(f"- {escape(finding.message)}{moved}")
    if len(findings) > SHOWN:
        lines.append(f"- and {len(findings) - SHOWN} more")
    return [
        *lines,
        "",
        f"Not claimed: {escape(first.not_claimed)}.",
        "",
        "```console",
        first.reproduce,
        "```",
        "",
    ]


def board_lines(report: AuditReport) -> list[str]:
    lines = ["## The board", "", f"{escape(headline(report))}.", ""]
    lines += [f"- {escape(sentence)}" for sentence in report.conclusion]
    lines += ["", *table(COMPOSITION_COLUMNS, composition_rows(report)), ""]
    lines += [f"- {escape(note)}" for note in composition_notes(report)]
    lines.append("")
    for findings in group_by_rule(report.findings):
        lines += finding_lines(findings)
    return [*lines, f"`{report.signature}`", ""]


def entry_lines(report: AuditReport) -> list[str]:
    columns = (
        Column("category", right=False),
        Column("entries"),
        Column("% of the score"),
        Column("points an entry"),
    )
    rows = [
        [
            name,
            str(part.entries or "-"),
            f"{part.share:.4f}",
            "-" if part.per_entry is None else f"{part.per_entry:.5f}",
        ]
        for name, part in sorted(
            report.composition.categories.items(), key=lambda item: (-(item[1].per_entry or 0.0), item[0])
        )
    ]
    return ["## What an entry counts for", "", *table(columns, rows), ""]


def constant_lines() -> list[str]:
    columns = (
        Column("output", right=False), Column("decoder", right=False), Column("entries credited"), Column("relevance"),
    )  # fmt: skip
    rows = [
        [one.name, one.decoder, str(sum(one.credited.values())), str(one.credited["live_relevance"])]
        for one in constant_outputs()
    ]
    about = "What the official check credits a model that writes one and the same for everything:"
    return ["## What silence scores", "", about, "", *table(columns, rows), ""]


def data_lines(report: LintReport) -> list[str]:
    lines = [
        "## The data",
        "",
        f"{report.entries:,} entries of {report.dataset} {report.version}, {report.keyed:,} with a key.",
        "",
    ]
    lines += [*table(COLUMNS, [count_cells(count) for count in report.rules]), ""]
    for findings in group_by_rule(report.findings):
        lines += finding_lines(findings)
    return [*lines, f"`{report.signature}`", ""]


def page() -> str:
    audited, linted = audit(), lint()
    lines = ["# BFCL v4, audited", ""]
    lines += [
        "What `faircall audit` and `faircall lint` find, ranked by the points of the score that each finding moves "
        "or puts in doubt. `python benchmarks/make_bfcl_page.py` makes this page; each finding says what it does not "
        "claim and how to reproduce it.", "",
    ]  # fmt: skip
    lines += board_lines(audited) + entry_lines(audited) + constant_lines() + data_lines(linted)
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> None:
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
