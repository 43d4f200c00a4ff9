"""The reports of the board inside the package, to the letter.

After a wanted change: PYTHONPATH=src python tests/golden/test_audit_reports.py writes the files anew; read the diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import faircall
from faircall.auditing import audit
from faircall.report.audits import render_audit

HERE = Path(__file__).parent
REPORTS = {
    "audit.txt": ({}, "text"),
    "audit_ministral.txt": ({"model": "ministral-8b"}, "text"),
    "audit.md": ({}, "markdown"),
    "audit.csv": ({}, "csv"),
    "audit_top3.json": ({"top": 3}, "json"),
}


def rendered(name: str) -> str:
    options, form = REPORTS[name]
    return render_audit(audit(**options), form).replace(f"|v:{faircall.__version__}", "|v:VERSION")


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_is_the_golden_one(name):
    assert rendered(name) == (HERE / name).read_text("utf-8")


if __name__ == "__main__":
    for each in REPORTS:
        (HERE / each).write_text(rendered(each), encoding="utf-8")
