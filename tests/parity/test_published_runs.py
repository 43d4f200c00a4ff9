"""Whole runs under the official profile: the entries that the released tool marked wrong, and none else."""

from __future__ import annotations

import json

import pytest

from faircall import score
from faircall.bfcl.data import find
from faircall.bfcl.layout import discover
from faircall.bfcl.questions import Questions
from faircall.bfcl.results import read_results
from faircall.errors import FaircallError
from faircall.reading import OFFICIAL as OFFICIAL_PROFILE
from faircall.reading import passes, protocol_of, read_output

pytestmark = pytest.mark.shared
OFFICIAL = "official-2026.3.23"
FOLDERS = ("2025-11-12-main", "v0.10.2", "hdc-20260311")


@pytest.fixture(scope="module", autouse=True)
def _benchmark():
    try:
        find()
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_verdict_of_the_runs(shared, tmp_path, folder):
    verdicts = tmp_path / "verdicts.jsonl"
    base = shared / "data" / "runs" / folder
    report = score(
        base / "result",
        scores=base / "score",
        decoder="tool-calls",
        profile=OFFICIAL,
        verdicts=verdicts,
        workers=1,
    )
    rows = [json.loads(line) for line in verdicts.read_text("utf-8").splitlines()]
    compared = 0
    for run in report.runs:
        for name, published in run.published.items():
            wrong = {
                row["id"]
                for row in rows
                if (row["model"], row["category"]) == (run.model, name) and row["outcome"] != "pass"
            }
            assert wrong == set(published.wrong_ids), (run.model, name)
            compared += 1
    assert compared >= 15


def test_every_verdict_of_the_pages(shared):
    """Real outputs of four families through the decoder of each model's name, against the released tool's verdicts."""
    base = shared / "data" / "v4-2025-12-16-pages"
    official = [json.loads(line) for line in (base / "official.jsonl").read_text("utf-8").splitlines()]
    wanted = {row["id"]: row["valid"] for row in official}
    found = verdicts_of(base / "result")
    assert {id_: found[id_] for id_ in wanted} == wanted


def verdicts_of(folder):
    questions = Questions(find())
    found = {}
    for run in discover(folder):
        protocol = protocol_of(run.model)
        for name, path in run.files.items():
            entries = questions.entries(name)
            for id_, output in read_results(path, entries).entries.items():
                reading = read_output(entries[id_], output, questions, protocol)
                found[f"{run.model}|{id_}"] = passes(reading.verdict(OFFICIAL_PROFILE))
    return found


def test_tables_of_a_published_run_come_out_to_the_byte(shared, tmp_path):
    base = shared / "data" / "runs" / "hdc-20260311"
    score(base / "result", scores=base / "score", profile=OFFICIAL, leaderboard=tmp_path)
    for published in sorted((base / "score").glob("data_*.csv")):
        assert (tmp_path / published.name).read_bytes() == published.read_bytes(), published.name
