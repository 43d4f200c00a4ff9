"""Scores for the terminal: for each run the conclusion first, then states, policies, findings and entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faircall.report import score_view as view
from faircall.report.findings import finding_lines, group_by_rule, known_line
from faircall.report.tables import cell_width, clean, lay_out, wrap

if TYPE_CHECKING:
    from faircall.runs import ScoreReport


def render(report: ScoreReport, *, flips: int, width: int = 100) -> str:
    """Return the report in lines of at most `width` cells, with up to `flips` differing entries a run."""
    title = view.headline(report)
    lines = [title, "=" * cell_width(title)]
    for number in range(len(report.runs)):
        lines += ["", *_run(report, number, flips, width)]
    for problem in report.problems:
        lines += wrap(clean(view.problem_line(problem)), width)
    if report.known:
        lines += ["", known_line(len(report.known))]
    lines += ["", clean(report.signature)]
    return "\n".join(lines) + "\n"


def _run(report: ScoreReport, number: int, flips: int, width: int) -> list[str]:
    run = report.runs[number]
    head = f"{run.model}  (decoder {run.decoder}: {view.DECODER_FROM[run.decoder_from]})"
    lines = wrap(clean(head), width)
    for sentence in view.conclusions(run):
        lines += wrap(clean(sentence), width, first="* ")
    indent = "  "
    lines.append("")
    cells = [view.category_cells(name, tally) for name, tally in run.tallies.items()]
    lines += [indent + line for line in lay_out(view.COLUMNS, cells, width - 2)]
    lines.append("")
    cells = [view.policy_cells(name, run) for name in run.tallies]
    lines += [indent + line for line in lay_out(view.POLICY_COLUMNS, cells, width - 2)]
    lines.append("")
    for note in view.notes(run):
        lines += wrap(clean(note), width, first=indent)
    switches = view.switch_cells(run)
    if switches:
        lines += ["", *(indent + line for line in lay_out(view.SWITCH_COLUMNS, switches, width - 2))]
    findings = [finding for finding in report.findings if finding.subject == run.model]
    if findings:
        lines.append("")
        for group in group_by_rule(findings):
            lines += finding_lines(group, width)
    if run.differing and flips:
        shown = min(flips, run.differing)
        lines += ["", f"  Entries on which the policies differ ({shown} of {run.differing} shown)"]
        for flip in report.flips.of_run(number, first=flips):
            lines += wrap(clean(view.flip_line(flip)), width, first="  - ")
    for problem in run.problems:
        lines += wrap(clean(view.problem_line(problem)), width, first=indent)
    return lines
