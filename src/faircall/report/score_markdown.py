"""A score report as GitHub-flavoured Markdown; nothing that a model wrote can mark it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faircall.report import score_view as view
from faircall.report.findings import group_by_rule, known_line
from faircall.report.markdown import escape, finding_lines, table

if TYPE_CHECKING:
    from faircall.runs import ScoreReport


def render(report: ScoreReport, *, flips: int) -> str:
    """Return the report as Markdown, the signature last."""
    lines = [f"# {escape(view.headline(report))}", ""]
    for number, run in enumerate(report.runs):
        lines += [
            f"## {escape(run.model)}",
            "",
            f"Decoder `{run.decoder}`: {view.DECODER_FROM[run.decoder_from]}.",
            "",
        ]
        lines += [f"- {escape(sentence)}" for sentence in view.conclusions(run)]
        cells = [view.category_cells(name, tally) for name, tally in run.tallies.items()]
        lines += ["", *table(view.COLUMNS, cells), ""]
        lines += [*table(view.POLICY_COLUMNS, [view.policy_cells(name, run) for name in run.tallies]), ""]
        lines += [f"- {escape(note)}" for note in view.notes(run)]
        switches = view.switch_cells(run)
        if switches:
            lines += ["", *table(view.SWITCH_COLUMNS, switches)]
        findings = [finding for finding in report.findings if finding.subject == run.model]
        for group in group_by_rule(findings):
            lines += ["", *finding_lines(group)]
        if run.differing and flips:
            lines += [
                "",
                f"### Entries on which the policies differ ({min(flips, run.differing)} of {run.differing} shown)",
                "",
            ]
            shown = report.flips.of_run(number, first=flips)
            lines += [f"- {escape(view.flip_line(flip))}" for flip in shown]
        lines += [f"- {escape(view.problem_line(problem))}" for problem in run.problems]
        lines.append("")
    lines += [f"- {escape(view.problem_line(problem))}" for problem in report.problems]
    if report.known:
        lines += [f"{known_line(len(report.known))}.", ""]
    lines += [f"`{report.signature}`"]
    return "\n".join(lines) + "\n"
