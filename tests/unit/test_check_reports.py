from __future__ import annotations

import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.checking import judge_lines, report_checks
from faircall.report.checks import MOST_SHOWN, check_markdown, junit_xml, threshold_lines

KEY = [{"ride": {"to": "home"}}]
RIGHT, WRONG, LOST = "[ride(to='home')]", "[ride(to='hom')]", "Error during inference: timeout"


def report_on(*outputs, ids=None, name="rides.jsonl", **options):
    lines = [
        json.dumps({"id": ids[place] if ids else place, "output": output, "tools": ["ride"], "expected": KEY})
        for place, output in enumerate(outputs)
    ]
    source = io.BytesIO("\n".join(lines).encode())
    return report_checks(list(judge_lines(source, name=name, **options)), name=name, **options)


def test_a_line_is_a_test_case_in_order():
    report = report_on(RIGHT, WRONG, LOST)
    root = ET.fromstring(junit_xml(report))
    assert root.tag == "testsuites"
    [suite] = root
    for element in (root, suite):
        counts = [element.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["3", "1", "1", "0"]
    assert suite.find("properties/property[@name='signature']").get("value") == report.signature
    cases = suite.findall("testcase")
    assert [(case.get("name"), case.get("line")) for case in cases] == [("0", "1"), ("1", "2"), ("2", "3")]
    assert {case.get("file") for case in cases} == {"rides.jsonl"}
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"]]
    [failure], [error] = cases[1:]
    assert failure.get("message") == 'wrong-value: Expected `"home"`, got `"hom"` - at `$.args.to`'
    assert failure.get("type") == "wrong-value"
    assert '  calls     [{"ride": {"to": "hom"}}]' in failure.text.splitlines()
    assert error.get("message").startswith("void, it cannot be judged: harness-error: ")


@given(st.lists(st.tuples(st.text(st.characters()), st.text(st.characters())), min_size=1, max_size=4))
def test_whatever_was_written_the_xml_can_be_read(pairs):
    ids = [f"{place}{name}" for place, (name, _) in enumerate(pairs)]
    report = report_on(
        *(f"[ride(to={text!r})]" for _, text in pairs), *(text for _, text in pairs), ids=ids * 2
    )
    text = junit_xml(report)
    root = ET.fromstring(text.encode("utf-8"))
    assert len(root.findall("testsuite/testcase")) == 2 * len(pairs)
    # The production Char of XML 1.0, section 2.2.
    assert re.fullmatch("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*", text)
    page = check_markdown(report)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    wrong = sum(each.verdict.outcome != "pass" for each in report.lines)
    assert "<" not in page
    assert sum(line.count(" | ") == 3 for line in rows if not line.startswith(("| line", "| ---"))) == wrong


def test_a_page_has_counts_paths_and_the_signature():
    report = report_on(RIGHT, WRONG, "[ride(to='<img src=x>|')]", LOST)
    page = check_markdown(report, minimum=0.5)
    head, _, share, _, met, *_ = page.splitlines()
    assert head == "## faircall check: rides.jsonl"
    assert share.startswith("1 of 3 judged pass: 33.33 % (95 % interval 6.1-79.2); 1 void")
    assert met == "--fail-under 0.5 (of the judged): not met, but it would be if what is void passed."
    assert "| 4 | 1 | 2 | 1 | 0 | 0 | 3 | 1 |" in page
    assert r"| 2 | 1 | \$.args.to | wrong-value: Expected \`\"home\"\`".replace(r"\"", '"') in page
    assert "&lt;img src=x&gt;\\|" in page
    assert page.endswith(f"`{report.signature}`\n")


def test_a_page_has_an_end():
    page = check_markdown(report_on(*[WRONG] * (MOST_SHOWN + 7)))
    assert "and 7 more; standard output has them all." in page
    assert page.count("wrong-value") == MOST_SHOWN


def test_a_signature_is_of_the_lines_and_how_they_were_read():
    signature = report_on(RIGHT, WRONG).signature
    assert signature == report_on(RIGHT, WRONG).signature
    assert signature.startswith("bench:rides.jsonl|data:none#")
    assert "|profile:fair-1|decoder:auto|n:2|void:0|ci:wilson95|v:" in signature
    others = {report_on(WRONG, RIGHT).signature, report_on(RIGHT).signature}
    others |= {report_on(RIGHT, WRONG, decoder="hermes").signature}
    others |= {report_on(RIGHT, WRONG, profile="fair-1+gate=literal").signature}
    assert len(others | {signature}) == 5


@pytest.mark.parametrize(
    ("outputs", "minimum", "said"),
    [
        ((RIGHT, WRONG), 0.5, ": met"),
        ((), 0.0, "not met, nothing was judged"),
        ((LOST,), 0.0, "not met, noth"),
    ],
)
def test_a_threshold_is_said_with_the_signature(outputs, minimum, said):
    report = report_on(*outputs)
    share, met, signature = threshold_lines(report, minimum).splitlines()
    assert share.startswith("faircall: ")
    assert said in met
    assert signature == report.signature
