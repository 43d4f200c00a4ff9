"""The pages of runs, of stored verdicts, of datasets and of comparisons, by the command and by the library."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest
from click.testing import CliRunner

from faircall import score
from faircall.cli import app
from faircall.errors import UsageError
from faircall.report.scores import render_score


@pytest.fixture
def two_runs(tmp_path, data):
    for model, outputs in {
        "model-a": {
            "irrelevance_0": "No tool fits.",
            "irrelevance_1": "[math.sum(",
            "irrelevance_2": "Error during inference: 500",
        },
        "model-b": {"irrelevance_0": "[f(x=1)]", "irrelevance_1": "I cannot.", "irrelevance_2": ""},
    }.items():
        file = tmp_path / "result" / model / "non_live" / "BFCL_v4_irrelevance_result.json"
        file.parent.mkdir(parents=True)
        rows = [{"id": id_, "result": text} for id_, text in outputs.items()]
        file.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    return tmp_path / "result"


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def shard(page, name):
    packed = re.search(rf'id="shard-{re.escape(name)}">([^<]+)<', page)[1]
    lines = gzip.decompress(base64.b64decode(packed)).decode().splitlines()
    return [json.loads(line) for line in lines]


def test_a_page_of_runs_has_every_entry_in_full(two_runs, tmp_path):
    page = tmp_path / "report.html"
    run("score", two_runs, "--format", "html", "-o", page, "--title", "Two models", "--theme", "light")
    text = page.read_text("utf-8")
    assert "<title>Two models</title>" in text
    rows = shard(text, "run-1-irrelevance")
    assert len(rows) == 240
    assert [row["output"] for row in rows[:3]] == [
        "No tool fits.",
        "[math.sum(",
        "Error during inference: 500",
    ]
    assert set(rows[0]["verdicts"]) == {"official-2026.3.23", "fair-1"}
    assert rows[1]["switch"] == "gate"
    assert rows[1]["verdicts"]["official-2026.3.23"]["outcome"] == "pass"
    assert "output" not in rows[5]
    asked = shard(text, "questions-irrelevance")
    assert sum("tools" in row for row in asked) <= 240
    assert {row["id"] for row in asked if "id" in row} == {row["id"] for row in rows}


def test_the_page_is_the_same_for_any_number_of_workers(two_runs):
    one, two = (
        render_score(score(two_runs, keep_entries=True, workers=workers), "html") for workers in (1, 2)
    )
    assert one == two


def test_a_profile_of_ones_own_is_the_third_verdict(two_runs):
    page = render_score(score(two_runs, keep_entries=True, profile="fair-1+gate=literal"), "html")
    row = shard(page, "run-1-irrelevance")[1]
    assert set(row["verdicts"]) == {"official-2026.3.23", "fair-1", "fair-1+gate=literal"}


def test_without_kept_entries_there_is_no_page(two_runs):
    with pytest.raises(UsageError, match="keep_entries=True"):
        render_score(score(two_runs), "html")


def test_report_makes_a_page_of_stored_verdicts(two_runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("score", two_runs, "--verdicts", "v.jsonl")
    done = run("report", "v.jsonl")
    assert done.output.strip() == "v.html"
    page = (tmp_path / "v.html").read_text("utf-8")
    assert "Verdicts on 2 runs, 480 entries" in page
    assert shard(page, "run-2-irrelevance")[0]["state"] == "CALLED"
    assert 'id="shard-questions-irrelevance"' in page
    run("report", "v.jsonl", "--no-questions", "-o", "bare.html")
    assert 'id="shard-questions-irrelevance"' not in (tmp_path / "bare.html").read_text("utf-8")
    assert run("report", "v.jsonl", "-o", "-").output.startswith("<!doctype html>")


def test_a_page_of_a_dataset_has_every_finding(tmp_path):
    lines = [
        {
            "tools": [{"name": "f", "parameters": {"properties": {"x": {"type": "integer"}}}}],
            "expected": [{"f": {"x": ["<b>"]}}],
        }
    ]
    (tmp_path / "mine.jsonl").write_text(json.dumps(lines[0]) + "\n", "utf-8")
    page = run("lint", tmp_path / "mine.jsonl", "--format", "html").output
    assert "D301" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    both = run("lint", tmp_path / "mine.jsonl", tmp_path / "mine.jsonl", "--format", "html").output
    assert 'id="dataset-2"' in both


def test_a_page_of_a_comparison_has_the_entries_that_differ(two_runs, tmp_path):
    page = run("compare", two_runs, "--format", "html").output
    assert "A model-a - B model-b" in page
    table = page[page.index('data-table="differing-1"') :]
    assert "irrelevance_0" in table
    assert "irrelevance_1" in table


def test_a_page_of_checked_lines_needs_no_benchmark(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRCALL_CACHE", str(tmp_path / "nowhere"))
    line = {"id": "a", "output": "[ride(", "tools": ["ride"], "expected": []}
    (tmp_path / "cases.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    run("check", "cases.jsonl", "-o", "verdicts.jsonl")
    assert run("report", "verdicts.jsonl").output.strip() == "verdicts.html"
    page = (tmp_path / "verdicts.html").read_text("utf-8")
    assert shard(page, "run-1-cases")[0]["evidence"]["text"] == "ride("
