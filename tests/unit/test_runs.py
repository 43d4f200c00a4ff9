"""Whole runs on small result files: how each entry comes out, and what is said about the file."""

from __future__ import annotations

import json
import threading
import time
from io import StringIO
from multiprocessing import active_children

import pytest

from faircall import score
from faircall.bfcl.data import find
from faircall.errors import ExternalError, FaircallError, InputError, UsageError
from faircall.report.scores import render_score
from faircall.rows import dump_json
from faircall.verdicts import read_signature


@pytest.fixture(scope="module", autouse=True)
def _benchmark():
    try:
        find()
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


def write(folder, category, results, *, model="a-model"):
    group = "live" if category.startswith("live") else "non_live"
    path = folder / "result" / model / group / f"BFCL_v4_{category}_result.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": id_, "result": result}) for id_, result in results.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def run_of(report):
    return report.as_json()["runs"][0]


def test_states_policies_and_bounds(tmp_path):
    outputs = {
        "irrelevance_0": "No tool fits.",
        "irrelevance_1": "<tool_call>{math.sum numbers=3}</tool_call>",
        "irrelevance_2": "Error during inference: Error code: 429",
        "irrelevance_3": "",
    }
    write(tmp_path, "irrelevance", outputs, model="Qwen_Qwen3-8B-FC")
    verdicts = tmp_path / "verdicts.jsonl"
    report = score(tmp_path, verdicts=verdicts)
    run = run_of(report)
    figures = run["categories"]["irrelevance"]
    assert run["decoder"] == "hermes"
    assert figures["states"] == {"ABSTAINED": 1, "MALFORMED": 2, "CALLED": 0, "ERROR": 237}
    assert (figures["n"], figures["correct"], figures["void"]) == (240, 1, 237)
    assert figures["official"] == {"correct": 4, "n": 4}
    assert figures["bounds"] == [round(1 / 240, 6), round(238 / 240, 6)]
    assert run["gates"]["irrelevance"]["evidence"] == 1
    assert {flip["id"] for flip in report.as_json()["flips"]} >= {
        "irrelevance_1",
        "irrelevance_2",
        "irrelevance_3",
    }
    assert {"R201", "R202", "R203", "R204", "R206", "R210"} == {finding.rule for finding in report.findings}
    assert "profile:fair-1" in report.signature
    lines = StringIO()
    assert score(tmp_path, verdicts=lines).signature == report.signature
    assert lines.getvalue() == verdicts.read_text("utf-8")
    assert read_signature(verdicts) == report.signature
    rows = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert len(rows) == 240
    assert {"model", "category", "id", "outcome", "state", "reason", "evidence"} <= set(rows[0])
    assert rows[4]["reason"] == "missing"


def test_the_official_profile_credits_what_the_official_tool_credits(tmp_path):
    write(
        tmp_path, "irrelevance", {"irrelevance_0": "[f(", "irrelevance_1": ""}, model="gpt-4o-2024-11-20-FC"
    )
    figures = run_of(score(tmp_path, profile="official-2026.3.23"))["categories"]["irrelevance"]
    assert figures["correct"] == 2
    assert figures["states"]["ABSTAINED"] == 2


def test_j_needs_both_sides(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    assert run_of(score(tmp_path))["decision"]["J"] is None
    write(tmp_path, "live_relevance", {"live_relevance_0-0-0": [{"f": {"x": 1}}]})
    decision = run_of(score(tmp_path, decoder="tool-calls"))["decision"]
    assert decision["J"] == 1
    assert decision["attested"]


def test_calls_in_a_category_that_is_not_scored_attest_the_run(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    assert not run_of(score(tmp_path, decoder="tool-calls"))["decision"]["attested"]
    write(tmp_path, "simple_python", {"simple_python_0": [{"f": {"x": 1}}]})
    run = run_of(score(tmp_path, decoder="tool-calls", categories=["irrelevance"]))
    assert run["decision"]["attested"]
    assert run["coverage"]["not_scored"] == ["simple_python"]


def test_an_unknown_model_is_scored_all_the_same(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "[f(x=1)]"}, model="lab_my_model")
    run = run_of(score(tmp_path))
    assert (run["decoder"], run["decoder_from"]) == ("auto", "auto")
    assert run["categories"]["irrelevance"]["states"]["CALLED"] == 1


def test_oddities_of_a_file_are_said(tmp_path):
    path = write(tmp_path, "irrelevance", {"irrelevance_0": "No.", "irrelevance_9999": "x"})
    lines = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(
        b"\xef\xbb\xbf" + lines + b'\r\n{"id": "irrelevance_0", "result": "No."}\r\n{"id": "irrelev'
    )
    said = " ".join(run_of(score(tmp_path))["problems"])
    for word in ("irrelevance_9999", "irrelevance_0", "cut off"):
        assert word in said


def test_scores_of_another_folder_are_compared(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    target = tmp_path / "score" / "a-model" / "non_live" / "BFCL_v4_irrelevance_score.json"
    target.parent.mkdir(parents=True)
    target.write_text('{"accuracy": 1.0, "correct_count": 240, "total_count": 240}\n', "utf-8")
    report = score(tmp_path / "result", scores=tmp_path / "score", decoder="python")
    assert run_of(report)["categories"]["irrelevance"]["published"] == {"correct": 240, "n": 240}
    assert "R205" in {finding.rule for finding in report.findings}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"categories": ["irrelevanc"]}, UsageError, "did you mean irrelevance"),
        ({"categories": ["multi_turn_base"]}, InputError, "none of the result files is of multi_turn_base"),
        ({"decoder": "hermess"}, UsageError, "hermes"),
        ({"categories": ["live_relevance"]}, InputError, "none of the result files is of live_relevance"),
    ],
)
def test_names_that_do_not_exist(tmp_path, options, error, message):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    with pytest.raises(error, match=message):
        score(tmp_path, **options)


def test_a_broken_line_is_named(tmp_path):
    path = write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    path.write_text(
        '{"id": "irrelevance_0", "result": "No."}\nnot json\n{"id": "irrelevance_1", "result": ""}\n', "utf-8"
    )
    with pytest.raises(InputError, match=rf"{path.name}:2: "):
        score(tmp_path)


def test_an_entry_is_matched_against_its_answer(tmp_path):
    right = [{"calculate_triangle_area": '{"base": 10, "height": 5}'}]
    wrong = [{"calculate_triangle_area": '{"base": 10, "height": 6}'}]
    write(tmp_path, "simple_python", {"simple_python_0": right}, model="gpt-4o-2024-11-20-FC")
    assert run_of(score(tmp_path))["categories"]["simple_python"]["correct"] == 1
    write(tmp_path, "simple_python", {"simple_python_0": wrong}, model="gpt-4o-2024-11-20-FC")
    verdicts = tmp_path / "verdicts.jsonl"
    assert run_of(score(tmp_path, verdicts=verdicts))["categories"]["simple_python"]["correct"] == 0
    row = json.loads(verdicts.read_text("utf-8").splitlines()[0])
    assert (row["reason"], row["path"]) == ("wrong-value", "$.args.height")


def test_a_flip_is_put_down_to_its_switch(tmp_path):
    """The declared default, written out: the official tool objects, and one switch makes the difference."""
    output = [{"calculate_triangle_area": '{"base": 10, "height": 5, "unit": "units"}'}]
    near = [{"calculate_triangle_area": '{"base": 10.0, "height": 5.0}'}]
    write(tmp_path, "simple_python", {"simple_python_0": near}, model="gpt-4o-2024-11-20-FC")
    flips = score(tmp_path).as_json()["flips"]
    assert [(flip["switch"], flip["official"], flip["fair"]) for flip in flips] == [
        ("numbers", "fail", "pass")
    ]
    write(tmp_path, "simple_python", {"simple_python_0": output}, model="gpt-4o-2024-11-20-FC")
    assert not score(tmp_path).as_json()["flips"]


def test_any_number_of_workers_gives_the_same(tmp_path):
    for number in range(3):
        outputs = {f"irrelevance_{entry}": "No." if entry % (number + 2) else "[f(" for entry in range(30)}
        write(tmp_path, "irrelevance", outputs, model=f"model-{number}")
        write(tmp_path, "simple_python", {"simple_python_0": [{"f": {}}]}, model=f"model-{number}")
    made = []
    for workers in (1, 2):
        verdicts = tmp_path / f"verdicts-{workers}.jsonl"
        made.append(
            (score(tmp_path, workers=workers, verdicts=verdicts).as_json(), verdicts.read_text("utf-8"))
        )
    assert made[0] == made[1]


def test_a_worker_that_is_ended_from_outside_is_one_line(tmp_path):
    """A signal to the process of a run, as the system sends it for want of memory."""
    for number in range(2):
        write(tmp_path, "irrelevance", {"irrelevance_0": "No."}, model=f"model-{number}")
    before = set(active_children())

    def end_workers():
        while not (started := set(active_children()) - before):
            time.sleep(0.01)
        for process in started:
            process.kill()

    killer = threading.Thread(target=end_workers)
    killer.start()
    with pytest.raises(ExternalError, match="a worker process was ended from outside"):
        score(tmp_path, workers=2)
    killer.join()
    assert set(active_children()) <= before


def test_a_category_that_was_not_run_is_no_zero(tmp_path):
    write(tmp_path, "irrelevance", {f"irrelevance_{entry}": "No." for entry in range(240)})
    fair = run_of(score(tmp_path))
    assert fair["overall"]["value"] is None
    low, high = fair["overall"]["bounds"]
    assert 0 < low < high == 1
    assert "multi_turn_base" in fair["coverage"]["missing"]
    official = run_of(score(tmp_path, profile="official-2026.3.23"))
    assert official["overall"]["value"] == pytest.approx(0.05)


def test_one_category_may_be_given_as_it_is(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No tool fits."})
    assert list(run_of(score(tmp_path, categories="irrelevance"))["categories"]) == ["irrelevance"]


def test_what_was_not_asked_for_is_said(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No tool fits."})
    write(tmp_path, "simple_python", {"simple_python_0": "No tool fits."})
    write(tmp_path, "multi_turn_base", {"multi_turn_base_0": [["No tool fits."]]})
    page = render_score(score(tmp_path, categories=["irrelevance"]), "text")
    assert "Found and not asked for: simple_python, multi_turn_base." in page
    assert "categories not scored); between" in page


def test_the_json_page_is_the_report(tmp_path):
    for model in ("kite", "gull"):
        outputs = {"irrelevance_0": "[math.sum(", "irrelevance_1": "No tool \ud800 fits."}
        write(tmp_path, "irrelevance", outputs, model=model)
        write(tmp_path, "simple_python", {"simple_python_0": "[calculate_triangle_area(10, 5)]"}, model=model)
    report = score(tmp_path)
    page = render_score(report, "json")
    assert json.loads(page) == json.loads(dump_json(report.as_json()))
    assert len(report.flips) == len(report.as_json()["flips"]) > 0
    assert sum(run.differing for run in report.runs) == len(report.flips)
