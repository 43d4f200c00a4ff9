"""Published result and score files, read against the benchmark's data and against each other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import BenchmarkData, find
from faircall.bfcl.layout import discover, discover_scores, pair_scores
from faircall.bfcl.results import read_results
from faircall.bfcl.scores import read_scores
from faircall.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from faircall.problems import Problem

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def benchmark() -> BenchmarkData:
    try:
        return find(os.environ.get("FAIRCALL_DATA"))
    except InputError as error:
        pytest.skip(str(error))


def test_complete_runs_are_complete(shared: Path, benchmark: BenchmarkData) -> None:
    runs = discover(shared / "data" / "runs")
    assert len(runs) == 4
    assert len({run.label for run in runs}) == 4
    for run in runs:
        assert run.problems == ()
        for category, file in run.files.items():
            found = read_results(file, benchmark.entries(category))
            assert found.problems == (), file
            assert len(found.entries) == CATEGORIES[category].entries


def test_every_run_has_its_own_scores_and_they_add_up(shared: Path, benchmark: BenchmarkData) -> None:
    said: list[Problem] = []
    folder = shared / "data" / "runs"
    runs = {run.label: run for run in discover(folder, problems=said)}
    pairs = pair_scores(list(runs.values()), discover_scores(folder, problems=said), problems=said)
    assert said == []
    assert set(pairs) == set(runs)
    for label, scores in pairs.items():
        run = runs[label]
        assert scores.folder.parts[-3] == run.folder.parts[-3]
        assert list(scores.files) == list(run.files)
        for category, file in scores.files.items():
            ids = benchmark.entries(category)
            score = read_scores(file, ids)
            assert score.problems == (), file
            assert score.n == len(ids)
            credited = score.credited(ids)
            assert credited is not None
            assert len(credited) == score.correct
            assert set(score.error_types) == score.wrong_ids


def test_the_files_that_the_audit_cites(shared: Path, benchmark: BenchmarkData) -> None:
    folder = shared / "data" / "v4-2025-12-16"
    runs, scores = discover(folder), discover_scores(folder)
    for run in runs:
        for category, file in run.files.items():
            assert read_results(file, benchmark.entries(category)).problems == ()
    pairs = pair_scores(runs, scores)
    assert len(pairs) == 2
    counts = {}
    for label, run in pairs.items():
        for category, file in run.files.items():
            score = read_scores(file, benchmark.entries(category))
            counts[label.partition("_")[0], category] = score.correct, score.n, score.wrong_ids is None
    assert counts == {
        ("tiiuae", "irrelevance"): (229, 240, False),
        ("nvidia", "live_relevance"): (0, 16, True),  # a shortened file: the counts alone are known
    }


def test_first_pages_are_partial_files(shared: Path, benchmark: BenchmarkData) -> None:
    for run in discover(shared / "data" / "v4-2025-12-16-pages"):
        for category, file in run.files.items():
            found = read_results(file, benchmark.entries(category))
            assert [problem.code for problem in found.problems] == ["missing-ids"]
            assert len(found.entries) + len(found.missing) == CATEGORIES[category].entries
