"""Tables of calls, answers and verdicts: `tests/cases/matching`, fair and official side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faircall.matching import match

TABLES = sorted((Path(__file__).resolve().parents[2] / "cases" / "matching").glob("*.jsonl"))
ROWS = [
    pytest.param(json.loads(line), id=f"{table.stem}:{number}")
    for table in TABLES
    for number, line in enumerate(table.read_text("utf-8").splitlines(), 1)
]


@pytest.mark.parametrize("row", ROWS)
def test_fair_verdict(row):
    found = match(row["calls"], row["expected"], tools=row["tools"])
    assert (found.outcome, found.reason, found.path) == (row["outcome"], row["reason"], row.get("path")), row[
        "note"
    ]
    assert found.official_error is None
    if "filled" in row:
        assert list(found.filled) == row["filled"]
    if found.outcome == "fail":
        assert found.message.endswith(f" - at `{found.path}`")


@pytest.mark.parametrize("row", [row for row in ROWS if not row.values[0].get("plain")])
def test_official_verdict(row):
    """`official` names the error, or the exception that the released checker raises; a row without it passes."""
    found = match(row["calls"], row["expected"], tools=row["tools"], profile="official-2026.3.23")
    wanted = row.get("official")
    assert found.official_error == wanted, row["note"]
    assert found.outcome == ("pass" if wanted is None else "void" if wanted.startswith("raises:") else "fail")
