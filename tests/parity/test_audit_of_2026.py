"""The stored results that the audit of August 2026 cites, scored: its figures come out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from faircall import score
from faircall.errors import InputError
from faircall.report.score_view import switch_cells
from faircall.report.scores import render_score


@pytest.fixture(scope="module")
def report(shared, tmp_path_factory):
    folder = shared / "data" / "v4-2025-12-16"
    verdicts = tmp_path_factory.mktemp("audit") / "verdicts.jsonl"
    try:
        found = score(folder / "result", scores=folder / "score", verdicts=verdicts)
    except InputError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")
    rows = [json.loads(line) for line in verdicts.read_text("utf-8").splitlines()]
    return found, {run["model"]: run for run in found.as_json()["runs"]}, rows


pytestmark = pytest.mark.shared


def test_falcon(report):
    """229 of 240 credited, as published; every one of them holds a tool-call tag or a tools list."""
    _, runs, rows = report
    run = runs["tiiuae_Falcon3-1B-Instruct-FC"]
    figures = run["categories"]["irrelevance"]
    assert figures["official"] == figures["published"] == {"correct": 229, "n": 240}
    assert figures["correct"] == 0
    assert figures["states"] == {"ABSTAINED": 0, "MALFORMED": 230, "CALLED": 10, "ERROR": 0}
    own = [
        row for row in rows if row["model"] == "tiiuae_Falcon3-1B-Instruct-FC" and row["state"] == "MALFORMED"
    ]
    tagged = sum("tool_call" in row["evidence"]["text"] for row in own)
    echoed = sum(row["evidence"]["text"].startswith("<tools>") for row in own)
    assert (tagged, echoed) == (229, 1)


def test_nemotron(report):
    _, runs, _ = report
    run = runs["nvidia_llama-3.1-nemotron-ultra-253b-v1"]
    assert run["categories"]["irrelevance"]["official"] == {"correct": 240, "n": 240}
    assert run["categories"]["irrelevance"]["reasons"] == {"empty-output": 240}
    relevance = run["categories"]["live_relevance"]
    assert (relevance["correct"], relevance["n"], relevance["published"]) == (0, 16, {"correct": 0, "n": 16})
    assert run["decision"]["J"] == 0
    assert not run["decision"]["attested"]


def test_ministral(report):
    found, runs, _ = report
    run = runs["mistralai_Ministral-8B-Instruct-2410"]
    figures = run["categories"]["irrelevance"]
    assert figures["official"] == {"correct": 240, "n": 240}
    assert figures["reasons"]["empty-output"] == 84
    assert figures["reasons"]["prose"] > 140
    assert {"R202", "R204"} <= {finding.rule for finding in found.findings if finding.subject == run["model"]}


def test_the_excerpt_in_the_readme_is_what_is_printed(report):
    """The lead and the row of states, whatever the columns' widths are beside other runs."""
    found, _, _ = report
    printed = [" ".join(line.split()) for line in render_score(found, "text").splitlines()]
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    excerpt = re.search(r"looks like this:\n\n```text\n(.*?)\n```", readme, re.DOTALL).group(1)
    for line in filter(None, (" ".join(line.split()) for line in excerpt.splitlines())):
        assert line in printed


def test_the_table_of_switches_adds_up(report):
    found, _, _ = report
    for run in found.runs:
        for _switch, category, flipped, to_pass, to_fail in switch_cells(run):
            assert int(flipped) == int(to_pass) + int(to_fail)
            assert int(to_pass) >= 0 <= int(to_fail)
            tally = run.tallies[category]
            assert int(flipped) <= tally.n
    cells = {run.model: switch_cells(run) for run in found.runs}
    assert cells["mistralai_Ministral-8B-Instruct-2410"] == [["gate", "irrelevance", "88", "0", "88"]]
