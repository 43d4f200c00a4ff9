"""The six tables against published ones, cell by cell, and against the released tool's own writer.

Where the released tool is installed (FAIRCALL_ORACLE names its environment), random counts are written by both.
"""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.columns import SENSITIVITY_CONFIGS, TABLES, Source
from faircall.bfcl.layout import discover, discover_scores, pair_scores
from faircall.bfcl.leaderboard import (
    BoardRun,
    build_tables,
    read_figures,
    write_tables,
)
from faircall.bfcl.models import ModelFacts, find_facts, registry
from faircall.bfcl.sensitivity import Sensitivity, read_sensitivity
from faircall.bfcl.usage import Meter, read_usage
from faircall.composite import CategoryFigure, overall

OFFICIAL = "official-2026.3.23"
TABLES_BY_FILE = {layout.file: layout for layout in TABLES}
LATENCY_AND_COST = {
    "Total Cost ($)",
    "Latency Mean (s)",
    "Latency Standard Deviation (s)",
    "Latency 95th Percentile (s)",
}


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def percent(cell: str) -> float:
    return float(cell.removesuffix("%")) / 100


def counts(cell: str, entries: int) -> CategoryFigure:
    """The counts behind a printed share; two digits are enough to tell all of BFCL's counts apart."""
    return CategoryFigure(round(percent(cell) * entries), entries)


def compare(folder: Path, runs: list[BoardRun]) -> tuple[int, list[tuple[str, str, str, str]]]:
    """How many cells there are, and those that differ: table, column, published, ours."""
    cells, differing = 0, []
    for table in build_tables(runs, profile=OFFICIAL):
        published = read_rows(folder / table.file)
        assert tuple(published[0]) == table.columns
        for row, ours in zip(published, table.rows, strict=True):
            for (title, cell), own in zip(row.items(), ours, strict=True):
                cells += 1
                if cell != own:
                    differing.append((table.file, title, cell, own))
    return cells, differing


def runs_of(folder: Path, published: dict[str, dict[str, str]]) -> list[BoardRun]:
    """The runs of a folder from their own score and result files.

    What the files do not hold is taken from the tables: of a model that the registry lacks, the board's facts;
    of a category whose score file is not there, the printed share.
    """
    runs = discover(folder / "result")
    scores = pair_scores(runs, discover_scores(folder / "score"))
    rows = []
    for run in runs:
        facts = find_facts(run.model)
        name = None
        figures = read_figures(scores[run.label].files)
        if facts is None:
            row = next(row for row in published.values() if run.model.split("_")[-1] in row["Model"])
            name = row["Model"]
            facts = ModelFacts(row["Model Link"], row["Organization"], row["License"])
            figures["multi_turn_long_context"] = counts(row["Multi Turn Long Context"], 200)
        rows.append(
            BoardRun(run.model, figures, usage=read_usage(run.files.values()), facts=facts, display_name=name)
        )
    return rows


@pytest.mark.shared
@pytest.mark.parametrize("name", ["2025-11-12-main", "v0.10.2", "hdc-20260311"])
def test_published_tables_come_out_again(shared: Path, name: str) -> None:
    folder = shared / "data" / "runs" / name
    published = {row["Model"]: row for row in read_rows(folder / "score" / "data_overall.csv")}
    runs = runs_of(folder, published)
    cells, differing = compare(folder / "score", runs)
    assert cells == 105 * len(runs)
    if all("multi_turn_long_context" in run.files for run in discover(folder / "result")):
        assert differing == []
        return
    # The result file of one category is not there, and with it go its latencies and its share of the cost.
    assert {(table, title) for table, title, _, _ in differing} == {
        ("data_overall.csv", title) for title in LATENCY_AND_COST
    }
    assert all(0 < float(ours) < float(theirs) for _, _, theirs, ours in differing)


@pytest.mark.shared
def test_a_complete_run_is_reproduced_to_the_byte(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "runs" / "hdc-20260311"
    for path in write_tables(tmp_path, runs_of(folder, {}), profile=OFFICIAL):
        assert path.read_bytes() == (folder / "score" / path.name).read_bytes()


def board_runs(board: Path) -> list[BoardRun]:
    """The rows of the public board, from the columns of its categories alone."""
    tables = {layout.file: {row["Model"]: row for row in read_rows(board / layout.file)} for layout in TABLES}
    runs = []
    for model, row in tables["data_overall.csv"].items():
        figures = {}
        for layout in TABLES:
            for column in layout.columns:
                cell = tables[layout.file][model][column.title]
                if column.source is Source.FIGURE and column.name in CATEGORIES and cell != "N/A":
                    figures[column.name] = counts(cell, CATEGORIES[column.name].entries)
        formats = tables["data_format_sensitivity.csv"][model]
        spread = [formats[column.title] for column in TABLES[-1].columns[2:]]
        numbers = [None if cell == "N/A" else cell for cell in spread]
        runs.append(
            BoardRun(
                model,
                figures,
                display_name=model,
                facts=ModelFacts(row["Model Link"], row["Organization"], row["License"]),
                sensitivity=Sensitivity(
                    float(numbers[0]) if numbers[0] else None,
                    float(numbers[1]) if numbers[1] else None,
                    {
                        name: percent(cell)
                        for name, cell in zip(SENSITIVITY_CONFIGS, numbers[2:], strict=True)
                        if cell
                    },
                ),
            )
        )
    return runs


@pytest.mark.shared
def test_the_public_board_comes_out_of_its_category_columns(shared: Path) -> None:
    board = shared / "data" / "board"
    runs = board_runs(board)
    assert len(runs) == 109
    compared = 0
    differing = []
    for table in build_tables(runs, profile=OFFICIAL):
        published = {row["Model"]: row for row in read_rows(board / table.file)}
        for row in table.rows:
            ours = dict(zip(table.columns, row, strict=True))
            theirs = published[ours["Model"]]
            for title in set(table.columns) - LATENCY_AND_COST:
                compared += 1
                if ours[title] != theirs[title]:
                    differing.append((table.file, ours["Model"], title, theirs[title], ours[title]))
    assert compared == 101 * 109
    # Among runs with equal figures the released tool has the order in which it found the folders.
    assert {title for _, _, title, _, _ in differing} <= {"Rank"}
    for file, model, _, theirs, ours in differing:
        scores = [row[TABLES_BY_FILE[file].ranked_by.title] for row in read_rows(board / file)]
        assert scores[int(theirs) - 1] == scores[int(ours) - 1], (file, model)


WRITER = """
import json, sys
from pathlib import Path
from bfcl_eval.eval_checker.eval_runner_helper import generate_leaderboard_csv
for line in sys.stdin:
    question = json.loads(line)
    Path(question["folder"]).mkdir(parents=True)
    generate_leaderboard_csv(question["table"], Path(question["folder"]))
"""


def random_case(
    draw: random.Random,
) -> tuple[dict[str, dict[str, object]], list[BoardRun], dict[str, object]]:
    """A leaderboard of random runs, as the released writer takes it and as ours does."""
    # The released tool takes every underscore of a folder's name for a slash.
    names = [model.name for model in registry().models if "_" not in model.name]
    table: dict[str, dict[str, object]] = {}
    runs = []
    for name in draw.sample(names, draw.randint(1, 6)):
        row: dict[str, object] = {}
        figures = {}
        full = draw.random() < 0.5
        for category in CATEGORIES.values():
            if category.name == "format_sensitivity" or draw.random() < (0.02 if full else 0.4):
                continue
            n = category.entries if draw.random() < 0.8 else draw.randint(1, category.entries)
            correct = draw.choice([0, n, draw.randint(0, n)])
            figures[category.name] = CategoryFigure(correct, n)
            row[category.name] = {"accuracy": correct / n, "total_count": n, "correct_count": correct}
        meter = Meter()
        latencies: list[float] = []
        tokens: tuple[list[int], list[int]] = ([], [])
        for _ in range(draw.choice([0, 2, 3, 40, 301])):
            latencies.append(draw.lognormvariate(1, 1))
            tokens[0].append(draw.randint(1, 90_000))
            tokens[1].append(draw.randint(1, 9000))
            entry = {
                "latency": latencies[-1],
                "input_token_count": tokens[0][-1],
                "output_token_count": tokens[1][-1],
            }
            nested = {key: [[value, 0], []] for key, value in entry.items()}
            meter.add(draw.choice([entry, nested]))
        row["cost"] = {"input_data": tokens[0], "output_data": tokens[1]}
        row["latency"] = {"data": latencies}
        summary: dict[str, object] = {}
        if draw.random() < 0.5:
            summary = {
                "accuracy_max_delta": round(draw.uniform(0, 90), 2),
                "accuracy_std": round(draw.uniform(0, 30), 2),
            }
            for config in SENSITIVITY_CONFIGS:
                if draw.random() < 0.9:
                    summary[config] = {"accuracy": draw.randint(0, 200) / 200}
            row["format_sensitivity"] = {"accuracy": 0.5, "correct_count": 1, "total_count": 2, **summary}
        table[name] = row
        runs.append(BoardRun(name, figures, usage=meter.usage()))
    return table, runs, {name: row.get("format_sensitivity") for name, row in table.items()}


def with_sensitivity(run: BoardRun, summary: object, folder: Path) -> BoardRun:
    if summary is None:
        return run
    path = folder / "BFCL_v4_format_sensitivity_score.json"
    path.write_text(json.dumps(summary) + "\n", "utf-8")
    return BoardRun(run.model, run.figures, usage=run.usage, sensitivity=read_sensitivity(path))


@pytest.mark.slow
def test_random_leaderboards_are_those_of_the_released_writer(tmp_path: Path) -> None:
    environment = os.environ.get("FAIRCALL_ORACLE")
    if not environment:
        pytest.skip("FAIRCALL_ORACLE names no environment with bfcl-eval 2026.3.23")
    draw = random.Random(7)  # noqa: S311 - test data
    cases = [random_case(draw) for _ in range(20)]
    questions = [
        json.dumps({"folder": str(tmp_path / f"released{number}"), "table": table})
        for number, (table, _, _) in enumerate(cases)
    ]
    settings = {**os.environ, "OPENAI_API_KEY": "unused", "BFCL_PROJECT_ROOT": str(tmp_path)}
    settings.pop("PYTHONPATH", None)
    subprocess.run(
        [str(Path(environment) / "bin" / "python"), "-c", WRITER],
        input="\n".join(questions) + "\n",
        env=settings,
        cwd=tmp_path,
        text=True,
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    compared = 0
    for number, (_, runs, summaries) in enumerate(cases):
        complete = [with_sensitivity(run, summaries[run.model], tmp_path) for run in runs]
        for table in build_tables(complete, profile=OFFICIAL):
            released = (tmp_path / f"released{number}" / table.file).read_text("utf-8")
            assert released == table.as_csv()
            compared += len(table.rows) * len(table.columns)
    assert compared > 5_000


def test_facts_are_those_of_the_registry() -> None:
    environment = os.environ.get("FAIRCALL_ORACLE")
    if not environment:
        pytest.skip("FAIRCALL_ORACLE names no environment with bfcl-eval 2026.3.23")
    script = (
        "import json; from bfcl_eval.constants.model_config import MODEL_CONFIG_MAPPING as m; print(json.dumps("
        "{k: [v.url, v.org, v.license, v.input_price, v.output_price] for k, v in m.items()}))"
    )
    settings = {**os.environ, "OPENAI_API_KEY": "unused"}
    settings.pop("PYTHONPATH", None)
    answer = subprocess.run(
        [str(Path(environment) / "bin" / "python"), "-c", script],
        env=settings, text=True, encoding="utf-8", capture_output=True, check=True,
    )  # fmt: skip
    released = json.loads(answer.stdout)
    assert len(released) == len(registry().models)
    for name, values in released.items():
        assert find_facts(name) == ModelFacts(*values), name


@pytest.mark.shared
def test_the_fair_profile_says_what_is_missing(shared: Path) -> None:
    folder = shared / "data" / "runs" / "hdc-20260311"
    (run,) = runs_of(folder, {})
    without = {name: figure for name, figure in run.figures.items() if not name.startswith("memory")}
    table = build_tables([BoardRun(run.model, without)], profile="fair-1", signature="bench:x|v:1")[0]
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert cells["Overall Acc"] == cells["Rank"] == cells["Memory Acc"] == "N/A"
    assert cells["Missing Categories"] == "memory_kv memory_vector memory_rec_sum"
    low, high = percent(cells["Lower Bound"]), percent(cells["Upper Bound"])
    whole = overall(run.figures).value
    assert whole is not None
    assert low <= whole <= high
    assert high - low == pytest.approx(0.2, abs=1e-4)
    assert table.columns[-1] == "Signature"
