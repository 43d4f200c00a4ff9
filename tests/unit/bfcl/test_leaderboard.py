"""The tables of the board: columns, ranks, N/A, names from anywhere, and the usage of runs."""

from __future__ import annotations

import csv
import json

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.columns import EXTRA_COLUMNS, EXTRA_OVERALL_COLUMNS, TABLES
from faircall.bfcl.leaderboard import (
    BoardRun,
    build_tables,
    read_figures,
    write_tables,
)
from faircall.bfcl.models import ModelFacts, find_facts
from faircall.bfcl.sensitivity import Sensitivity, read_sensitivity
from faircall.bfcl.usage import Meter, Usage, read_usage
from faircall.board import read_board, rebuild
from faircall.composite import CategoryFigure
from faircall.composition import load_recipe
from faircall.errors import InputError

OFFICIAL = "official-2026.3.23"


def figures(share: float, *, without: tuple[str, ...] = ()) -> dict[str, CategoryFigure]:
    return {
        name: CategoryFigure(round(category.entries * share), category.entries)
        for name, category in CATEGORIES.items()
        if name not in without and name != "format_sensitivity"
    }


def rows_of(tables, file: str) -> list[dict[str, str]]:
    table = next(table for table in tables if table.file == file)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_ranks_follow_the_figures_and_ties_keep_their_order():
    runs = [BoardRun(name, figures(share)) for name, share in (("a", 0.5), ("b", 0.9), ("c", 0.5))]
    rows = rows_of(build_tables(runs, profile=OFFICIAL), "data_overall.csv")
    assert [(row["Rank"], row["Model"]) for row in rows] == [("1", "b"), ("2", "a"), ("3", "c")]


def test_officially_a_missing_category_is_zero_in_overall_figures_and_na_elsewhere():
    run = BoardRun("a", figures(1.0, without=("live_parallel", "memory_kv", "irrelevance")))
    tables = build_tables([run], profile=OFFICIAL)
    overall = rows_of(tables, "data_overall.csv")[0]
    live = rows_of(tables, "data_live.csv")[0]
    agentic = rows_of(tables, "data_agentic.csv")[0]
    assert live["Live Overall Acc"] == overall["Live Acc"] == "98.82%"  # 1335 of 1351
    assert (live["AST Summary"], live["Python Parallel AST"]) == ("N/A", "N/A")
    assert (agentic["Agentic Overall Acc"], agentic["Memory Summary"]) == ("83.33%", "N/A")
    assert agentic["Web Search Summary"] == "100.00%"
    assert overall["Irrelevance Detection"] == "N/A"
    assert overall["Overall Acc"] == "88.21%"


def test_a_fair_table_has_na_and_says_how_far_it_can_be_trusted():
    missing = ("memory_kv", "memory_vector", "memory_rec_sum")
    runs = [BoardRun("a", figures(1.0, without=missing)), BoardRun("b", figures(0.5))]
    tables = build_tables(runs, profile="fair-1", signature="bench:none|v:0")
    first, second = rows_of(tables, "data_overall.csv")
    assert (first["Model"], first["Rank"], second["Model"], second["Rank"]) == ("b", "1", "a", "N/A")
    assert (first["Missing Categories"], first["Coverage"]) == ("", "100.00%")
    assert float(first["Interval Low"][:-1]) < float(first["Overall Acc"][:-1])
    assert second["Overall Acc"] == second["Interval Low"] == second["Interval High"] == "N/A"
    assert (second["Lower Bound"], second["Upper Bound"]) == ("80.00%", "100.00%")
    assert second["Missing Categories"].split() == list(missing)
    assert second["Signature"] == "bench:none|v:0"
    assert rows_of(tables, "data_live.csv")[0]["Coverage"] == "100.00%"


def test_the_official_columns_come_first_in_every_profile():
    run = BoardRun("a", figures(0.5), sensitivity=Sensitivity(1.0, 0.5))
    official = build_tables([run], profile=OFFICIAL)
    fair = build_tables([run], profile="fair-1")
    for layout, one, other in zip(TABLES, official, fair, strict=True):
        assert one.columns == tuple(column.title for column in layout.columns)
        assert other.columns[: len(one.columns)] == one.columns
        assert one.rows[0] == other.rows[0][: len(one.columns)]
    extra = (*EXTRA_COLUMNS, *EXTRA_OVERALL_COLUMNS, "Signature")
    assert fair[0].columns[-len(extra) :] == extra


def test_published_counts_fill_gaps_and_are_named():
    ours = {"multi_turn_base": CategoryFigure(200, 200)}
    run = BoardRun("a", ours, published=figures(0.0))
    row = rows_of(build_tables([run], profile="fair-1"), "data_overall.csv")[0]
    assert (row["Multi Turn Base"], row["Multi Turn Miss Func"]) == ("100.00%", "0.00%")
    assert "multi_turn_base" not in row["Published Categories"].split()
    assert len(row["Published Categories"].split()) == 21


def test_void_entries_are_neither_wrong_nor_left_out():
    run = BoardRun("a", figures(0.5) | {"live_relevance": CategoryFigure(8, 16, void=8)})
    row = rows_of(build_tables([run], profile="fair-1"), "data_live.csv")[0]
    assert row["Relevance Detection"] == "100.00%"


def test_a_model_of_the_registry_brings_its_facts():
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000, requests=3, latency_mean_s=1.234)
    row = rows_of(
        build_tables([BoardRun("gpt-4o-2024-11-20-FC", {}, usage=usage)], profile=OFFICIAL),
        "data_overall.csv",
    )[0]
    assert row["Model"] == "GPT-4o-2024-11-20 (FC)"
    assert (row["Organization"], row["License"]) == ("OpenAI", "Proprietary")
    assert (row["Total Cost ($)"], row["Latency Mean (s)"]) == ("3.5", "1.23")
    assert row["Latency 95th Percentile (s)"] == "N/A"


def test_an_unknown_model_is_listed_all_the_same():
    facts = ModelFacts("https://example.org/kite", "Kite, Inc.", 'the "kite" licence')
    runs = [
        BoardRun("lab_kite", {}),
        BoardRun("lab_crane", {}, facts=facts, display_name="Crane", label="may/lab_crane"),
    ]
    rows = rows_of(build_tables(runs, profile=OFFICIAL), "data_overall.csv")
    assert [row["Model"] for row in rows] == ["lab_kite", "Crane [may/lab_crane]"]
    assert rows[0]["Organization"] == rows[0]["Model Link"] == rows[0]["License"] == "N/A"
    assert rows[1]["Organization"] == "Kite, Inc."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("kite, large", "kite, large"),
        ('the "kite"', 'the "kite"'),
        ("two\nlines", "two?lines"),
        ("half \udc80 sign", "half ? sign"),
        ("=1+1", "'=1+1"),
        ("Kran–Größe 日本", "Kran–Größe 日本"),
    ],
)
def test_any_name_is_one_cell(tmp_path, name, shown):
    write_tables(tmp_path, [BoardRun(name, figures(0.5))], profile="fair-1")
    for layout in TABLES:
        with (tmp_path / layout.file).open(newline="", encoding="utf-8") as stream:
            head, row = csv.reader(stream)
        assert len(head) == len(row)
        assert row[head.index("Model")] == shown


@pytest.mark.parametrize("profile", [OFFICIAL, "fair-1", "fair-1+gate=official"])
def test_the_files_read_back_as_a_board(tmp_path, profile):
    runs = [BoardRun(f"model-{number}", figures(number / 10)) for number in range(1, 10)]
    paths = write_tables(tmp_path / "new" / "folder", runs, profile=profile, signature="bench:none|v:0")
    assert [path.name for path in paths] == [layout.file for layout in TABLES]
    board = rebuild(read_board(tmp_path / "new" / "folder", load_recipe()), load_recipe())
    assert len(board.rows) == 9
    assert all(row.matches for row in board.rows)
    assert board.rows[0].model == "model-9"


def test_no_runs_make_empty_tables(tmp_path):
    for path in write_tables(tmp_path, [], profile=OFFICIAL):
        assert len(path.read_text("utf-8").splitlines()) == 1


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="no folder to write to"):
        write_tables(tmp_path / "file", [], profile=OFFICIAL)


def test_the_switch_for_missing_categories_can_be_set_alone():
    run = BoardRun("a", figures(1.0, without=("simple_java",)))
    official = rows_of(build_tables([run], profile=f"{OFFICIAL}+missing=not-available"), "data_overall.csv")[
        0
    ]
    fair = rows_of(build_tables([run], profile="fair-1+missing=official"), "data_overall.csv")[0]
    assert (official["Overall Acc"], official["Rank"]) == ("N/A", "1")
    assert (fair["Overall Acc"], fair["Rank"], fair["Missing Categories"]) == ("99.17%", "1", "simple_java")


def test_figures_are_read_from_score_files(tmp_path):
    path = tmp_path / "BFCL_v4_multiple_score.json"
    path.write_text(json.dumps({"accuracy": 0.5, "correct_count": 100, "total_count": 200}) + "\n")
    problems = []
    assert read_figures({"multiple": path}, problems=problems) == {"multiple": CategoryFigure(100, 200)}
    assert [problem.code for problem in problems] == ["reduced-score"]
    path.write_text(json.dumps({"correct_count": 3, "total_count": 2}))
    with pytest.raises(InputError, match="3 correct entries of 2"):
        read_figures({"multiple": path})
    path.write_text(json.dumps({"correct_count": 0, "total_count": 0}))
    assert read_figures({"multiple": path}) == {}


def test_format_sensitivity_is_read_from_its_summary(tmp_path):
    path = tmp_path / "BFCL_v4_format_sensitivity_score.json"
    config = TABLES[-1].columns[4].name
    summary = {
        "correct_count": 1,
        "accuracy_max_delta": 12.5,
        "accuracy_std": 3.1,
        config: {"accuracy": 0.625},
    }
    path.write_text(json.dumps(summary))
    sensitivity = read_sensitivity(path)
    assert sensitivity == Sensitivity(12.5, 3.1, {config: 0.625})
    runs = [BoardRun("calm", {}), BoardRun("a", {}, sensitivity=sensitivity)]
    rows = rows_of(build_tables(runs, profile=OFFICIAL), "data_format_sensitivity.csv")
    assert [row["Rank"] for row in rows] == ["1", "2"]
    assert list(rows[0].values())[1:5] == ["a", "12.5", "3.1", "62.50%"]
    assert list(rows[1].values())[1:5] == ["calm", "N/A", "N/A", "N/A"]
    path.write_text("")
    with pytest.raises(InputError, match="empty"):
        read_sensitivity(path)


@pytest.mark.parametrize(
    ("value", "requests"),
    [
        (1.5, 1),
        (0, 0),
        ([[1.0, 2.0], [3.0]], 3),
        ([[1.0, 0], ["x", None, [4.0]]], 1),
        ([1.0, 2.0], 0),
        ([], 0),
        (float("nan"), 0),
        (float("inf"), 0),
        (10**400, 0),
        (True, 0),
        ("1.5", 0),
        (None, 0),
        ({"a": 1}, 0),
    ],
)
def test_what_counts_as_a_latency(value, requests):
    meter = Meter()
    meter.add({"id": "multiple_0", "latency": value})
    assert meter.usage().requests == requests


def test_usage_is_summed_over_files(tmp_path):
    stored = [
        {"id": "multiple_0", "latency": 1.0, "input_token_count": 10, "output_token_count": 5},
        {"id": "multiple_1", "latency": 3.0, "input_token_count": 20, "output_token_count": 5},
        {"id": "multiple_2", "result": "an answer without any"},
    ]
    path = tmp_path / "BFCL_v4_multiple_result.json"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in stored))
    usage = read_usage([path, path])
    assert (usage.input_tokens, usage.output_tokens, usage.requests) == (60, 20, 4)
    assert (usage.latency_mean_s, usage.latency_total_s, usage.latency_p95_s) == (2.0, 8.0, 3.0)
    assert usage.latency_sd_s == pytest.approx((4 / 3) ** 0.5)


def test_a_single_request_has_no_spread():
    meter = Meter()
    meter.add({"latency": 2.0})
    assert (meter.usage().latency_sd_s, meter.usage().latency_mean_s) == (None, 2.0)


def test_cost_needs_tokens_where_tokens_have_a_price():
    priced = ModelFacts("", "", "", 2.0, 10.0)
    free = ModelFacts("", "", "")
    timed = Usage(requests=5, latency_total_s=36_000.0)
    assert timed.cost(priced) is None
    assert timed.cost(free) == timed.cost(None) == pytest.approx(2.392)
    assert Usage(input_tokens=500_000, output_tokens=100_000).cost(priced) == pytest.approx(2.0)
    assert Usage().cost(free) is None


def test_facts_are_found_by_folder_and_not_guessed():
    assert find_facts("meta-llama_Llama-3.1-8B-Instruct-FC") == find_facts(
        "meta-llama/Llama-3.1-8B-Instruct-FC"
    )
    assert find_facts("somebody/some-model") is None
