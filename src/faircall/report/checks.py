"""What `check` found, for those who run it: JUnit XML, a summary in Markdown, and whether enough lines pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from faircall.report import markdown
from faircall.report.passes import share_sentence, threshold_sentence
from faircall.report.tables import Column, clean, shorten
from faircall.report.verdicts import headline, verdict_lines
from faircall.rows import dump_json
from faircall.types import Outcome, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.checking import CheckedLine, CheckReport

FAIL_UNDER: Final = "--fail-under"
MOST_SHOWN: Final = 50
"""How many lines of each outcome a summary shows; GitHub takes a mebibyte a step."""
MOST_OF_AN_ID: Final = 80
_ELEMENTS: Final = {Outcome.FAIL: "failure", Outcome.VOID: "error"}
_COUNTS: Final = (
    *(Column(name) for name in ("lines", "pass", "fail", "void")),
    *(Column(state.value) for state in State),
)
_LINES: Final = (
    Column("line"),
    Column("id", right=False),
    Column("path", right=False),
    Column("why", right=False),
)


def threshold_lines(report: CheckReport, minimum: float) -> str:
    """Return how many lines pass, whether that is the `minimum` share of them, and the signature, as lines."""
    share = share_sentence(report.passes)
    met = threshold_sentence(report.passes, minimum, option=FAIL_UNDER)
    return f"faircall: {share}\nfaircall: {met}\n{report.signature}\n"


def junit_xml(report: CheckReport) -> str:
    """Return JUnit XML with a test case for each line, in order: one that fails has a failure, a void one an error.

    Whatever XML 1.0 does not have (most control characters, lone surrogates) is written as an escape.
    """
    found = report.passes
    counts = {"tests": str(found.n), "failures": str(found.failed), "errors": str(found.void), "skipped": "0"}
    name = clean(report.name)
    root = ET.Element("testsuites", {"name": "faircall check", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": name, **counts})
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", {"name": "signature", "value": report.signature})
    for checked in report.lines:
        place = {"classname": name, "name": _id_of(checked), "file": name, "line": str(checked.line)}
        case = ET.SubElement(suite, "testcase", place)
        verdict = checked.verdict
        if (tag := _ELEMENTS.get(verdict.outcome)) is not None:
            about = {"message": headline(verdict), "type": clean(str(verdict.reason))}
            text = verdict_lines(verdict, expected=checked.expected, profile=report.profile)
            ET.SubElement(case, tag, about).text = "\n".join(text)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def check_markdown(report: CheckReport, *, minimum: float | None = None) -> str:
    """Return a summary in Markdown: the counts, what fails and what is void with its path, and the signature."""
    found = report.passes
    states = [checked.verdict.state for checked in report.lines]
    counts = (found.n, found.passed, found.failed, found.void, *(states.count(state) for state in State))
    lines = [f"## faircall check: {markdown.escape(report.name)}", ""]
    lines += [f"{markdown.escape(share_sentence(found))}.", ""]
    if minimum is not None:
        lines += [f"{markdown.escape(threshold_sentence(found, minimum, option=FAIL_UNDER))}.", ""]
    lines += [*markdown.table(_COUNTS, [[f"{count:,}" for count in counts]]), ""]
    for outcome, title in ((Outcome.FAIL, "Fail"), (Outcome.VOID, "Void")):
        lines += _section(title, [each for each in report.lines if each.verdict.outcome is outcome])
    return "\n".join([*lines, f"`{report.signature}`", ""])


def _section(title: str, found: Sequence[CheckedLine]) -> list[str]:
    if not found:
        return []
    rows = [
        [f"{each.line}", _id_of(each), each.verdict.path or "none", headline(each.verdict)]
        for each in found[:MOST_SHOWN]
    ]
    lines = [f"### {title}", "", *markdown.table(_LINES, rows), ""]
    if len(found) > MOST_SHOWN:
        lines += [f"and {len(found) - MOST_SHOWN:,} more; standard output has them all.", ""]
    return lines


def _id_of(checked: CheckedLine) -> str:
    text = checked.id if isinstance(checked.id, str) else dump_json(checked.id)
    return shorten(clean(text), MOST_OF_AN_ID)
