"""What the dataset rules find in the released benchmark, beside figures counted independently."""

from __future__ import annotations

from collections import Counter

import pytest

from faircall.bfcl.data import find
from faircall.errors import InputError
from faircall.linting import lint


@pytest.fixture(scope="module")
def report():
    try:
        find()
    except InputError as error:
        pytest.skip(str(error))
    return lint()


def entries_of(report, *rules, **evidence):
    return {
        finding.subject
        for finding in report.findings
        if finding.rule in rules
        and all(finding.evidence.get(name) in values for name, values in evidence.items())
    }


def test_entries_exposed_to_the_default_argument_fault(report):
    assert len(entries_of(report, "D310", "D311", place=["parameter"])) == 79
    assert len(entries_of(report, "D310", "D311", place=["parameter", "nested field"])) == 84
    assert len(entries_of(report, "D310", "D311")) == 85


def test_keys_beside_their_schema(report):
    assert len(entries_of(report, "D304")) == 14
    assert entries_of(report, "D306", official=[True]) == {
        "live_simple_106-63-0", "live_simple_112-68-0", "live_multiple_862-181-3", "live_multiple_964-207-0",
    }  # fmt: skip
    assert len(entries_of(report, "D306", fair=[True])) == 13
    assert len(entries_of(report, "D307")) == 7


def test_tools_that_are_held_out_and_offered(report):
    counts = Counter(finding.evidence["category"] for finding in report.findings if finding.rule == "D313")
    assert sum(counts.values()) == 72
    assert set(counts.values()) == {18}


def test_every_finding_has_its_place_and_its_command(report):
    for finding in report.findings:
        assert finding.reproduce == f"faircall lint bfcl-v4 --select {finding.rule}"
        assert finding.evidence["path"]
    assert report.signature.startswith("bench:bfcl-v4|data:2026.3.23#3bb6dfa5|rules:all|n:5106|")
