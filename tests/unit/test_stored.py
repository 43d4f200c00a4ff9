"""Verdicts read back: the same counts as when they were scored, from lines or a table, or a clear refusal."""

from __future__ import annotations

import json

import pytest

from faircall import score
from faircall.errors import InputError, UsageError
from faircall.stored import read_stored


@pytest.fixture
def scored(tmp_path, data):
    file = tmp_path / "result" / "a-model" / "non_live" / "BFCL_v4_irrelevance_result.json"
    file.parent.mkdir(parents=True)
    outputs = ["No tool fits.", "<tool_call>{math.sum numbers=3}</tool_call>", ""]
    rows = [{"id": f"irrelevance_{place}", "result": text} for place, text in enumerate(outputs)]
    file.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_stored_verdicts_add_up_to_what_was_scored(scored, ending):
    report = score(scored / "result", verdicts=scored / f"v.{ending}")
    stored = read_stored([scored / f"v.{ending}"])
    (run,) = stored.runs
    tally = report.runs[0].tallies["irrelevance"]
    mine = run.tallies["irrelevance"]
    assert (mine.n, mine.correct, mine.void) == (tally.n, tally.correct, tally.void)
    assert mine.states == tally.states
    assert stored.signatures == (report.signature,)
    rows = [json.loads(line) for line in stored.details.lines(0, "irrelevance")]
    assert rows[1]["evidence"]["text"]
    assert rows[1]["calls"] == []
    assert len(rows) == 240


def test_runs_of_one_name_are_told_apart_by_their_files(scored):
    score(scored / "result", verdicts=scored / "fair.jsonl")
    score(scored / "result", verdicts=scored / "official.jsonl", profile="official-2026.3.23")
    stored = read_stored([scored / "fair.jsonl", scored / "official.jsonl"])
    assert [run.label for run in stored.runs] == ["a-model (fair.jsonl)", "a-model (official.jsonl)"]
    assert len(stored.signatures) == 2
    assert [run.tallies["irrelevance"].correct for run in stored.runs] == [1, 3]


def test_what_is_no_file_of_verdicts_is_refused(scored):
    with pytest.raises(UsageError, match="no file of verdicts"):
        read_stored([])
    score(scored / "result", verdicts=scored / "v.jsonl")
    (scored / "v.jsonl.signature").unlink()
    with pytest.raises(InputError, match="has no signature beside it"):
        read_stored([scored / "v.jsonl"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"category": "no_such"}, "is of no category"),
        ({"outcome": "maybe"}, "no outcome"),
        ({"state": "SLEPT"}, "no state"),
    ],
)
def test_a_row_that_is_no_verdict_is_refused_with_its_id(scored, change, said, monkeypatch):
    score(scored / "result", verdicts=scored / "v.jsonl")
    lines = (scored / "v.jsonl").read_text("utf-8").splitlines()
    lines[3] = json.dumps(json.loads(lines[3]) | change)
    (scored / "v.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setattr("faircall.stored.read_signature", lambda path: "bench:x")
    with pytest.raises(InputError, match=f"irrelevance_3.*{said}"):
        read_stored([scored / "v.jsonl"])


def test_lines_of_check_are_a_run_named_by_their_file(tmp_path):
    rows = [
        {
            "id": 7,
            "outcome": "pass",
            "state": "ABSTAINED",
            "reason": "prose",
            "calls": [],
            "filled": [],
            "evidence": None,
        },
        {"id": "b", "outcome": "void", "state": "ERROR", "reason": "harness-error", "calls": []},
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    (run,) = read_stored([tmp_path / "cases.jsonl"]).runs
    assert (run.label, list(run.tallies)) == ("cases.jsonl", ["cases"])
    assert (run.tallies["cases"].n, run.tallies["cases"].correct, run.tallies["cases"].void) == (2, 1, 1)
    assert run.signature.startswith("bench:cases.jsonl|data:none#")
    assert "|profile:unknown|n:2|void:1|ci:wilson95|" in run.signature
    (tmp_path / "cases.jsonl").write_text('{"outcome": "pass"}\n', "utf-8")
    with pytest.raises(InputError, match=r"cases.jsonl:1: is no verdict; name a file of lines"):
        read_stored([tmp_path / "cases.jsonl"])
