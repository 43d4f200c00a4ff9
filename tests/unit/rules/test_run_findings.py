"""What the rules report of made-up runs that are scored: counts, ids, points, and the command that shows it again."""

from __future__ import annotations

import json

import pytest

from faircall.rules.choice import choose
from faircall.runs import score


def findings(folder, data, category, outputs, *, model="made-up", **options):
    """The findings on a run whose outputs are those, in the order of the benchmark's entries; the rest is left out."""
    path = folder / model / f"BFCL_v4_{category}_result.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    ids = list(data.entries(category))
    lines = [json.dumps({"id": id_, "result": output}) for id_, output in zip(ids, outputs, strict=False)]
    path.write_text("\n".join(lines), "utf-8")
    found = score(folder, **options).findings
    return {rule: [one for one in found if one.rule == rule] for rule in {one.rule for one in found}}


def answers(data, category, write):
    """Each entry's first expected call, written by `write` from its name and the first accepted value of all."""
    made = []
    for id_ in data.entries(category):
        [(name, allowed)] = data.answers(category)[id_][0].items()
        arguments = {key: values[0] for key, values in allowed.items() if values[:1] not in ([], [""])}
        made.append(write(name, arguments))
    return made


def hermes(name, arguments):
    return "<tool_call>" + json.dumps({"name": name, "arguments": arguments}) + "</tool_call>"


def test_a_run_that_its_decoder_does_not_read(tmp_path, data):
    outputs = answers(data, "multiple", hermes)
    found = findings(tmp_path, data, "multiple", outputs, decoder="functiongemma")
    [misfit] = found["R211"]
    assert misfit.evidence == {
        "decoder": "functiongemma", "unread": 200, "n": 200, "other": "hermes", "read": 100, "tried": 100,
    }  # fmt: skip
    assert misfit.points == 2.5
    assert misfit.reproduce == f"faircall score {tmp_path}/made-up --select R211 --decoder functiongemma"
    assert "R211" not in findings(tmp_path, data, "multiple", outputs, decoder="hermes")
    assert "R211" not in findings(tmp_path, data, "multiple", outputs, decoder="auto")


def test_outputs_that_repeat_are_lost_or_cut_off(tmp_path, data):
    outputs = [*["[f(x=1)]"] * 120, *[""] * 30, *["[f(x="] * 10]
    found = findings(tmp_path, data, "multiple", outputs, decoder="python")
    [constant], [lost], [cut], [void], [ids] = (
        found[rule] for rule in ("R207", "R208", "R209", "R206", "R210")
    )
    assert (constant.evidence["same"], constant.evidence["n"]) == (120, 160)
    assert (lost.evidence["outputs"], lost.evidence["ids"][0]) == (30, "multiple_120")
    assert (cut.evidence["outputs"], cut.evidence["ids"][0]) == (10, "multiple_150")
    assert void.evidence["missing"] == ids.evidence["count"] == 40
    # 10 points of the score are those of four figures, of which one is these 200 entries.
    assert lost.points == pytest.approx(10 / 4 / 200 * 30)
    assert "R207" not in findings(
        tmp_path, data, "multiple", ["[f(x=1)]"] * 80 + ["[f(x=2)]"] * 80, decoder="python"
    )


def test_silence_is_no_fault_where_no_call_is_wanted(tmp_path, data):
    found = findings(tmp_path, data, "irrelevance", ["No tool fits."] * 240, decoder="python")
    assert set(found) == {"R204"}


def test_one_call_where_several_are_asked_for(tmp_path, data):
    outputs = answers(data, "parallel", hermes)
    [one] = findings(tmp_path, data, "parallel", outputs, decoder="hermes")["R212"]
    assert one.evidence == {"category": "parallel", "called": 200, "n": 200}
    assert "R212" not in findings(
        tmp_path, data, "parallel", [outputs[0] * 2, *outputs[1:]], decoder="hermes"
    )


def test_ids_that_are_not_the_benchmark_s(tmp_path, data):
    path = tmp_path / "made-up" / "BFCL_v4_multiple_result.json"
    path.parent.mkdir()
    rows = [{"id": id_, "result": "No."} for id_ in data.entries("multiple")]
    rows[1] = rows[0] | {"result": "Yes."}
    rows.append({"id": "simple_python_3", "result": "No."})
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    found = [one for one in score(tmp_path, decoder="python").findings if one.rule == "R210"]
    assert {(one.evidence["problem"], one.evidence["count"], one.evidence["ids"][0]) for one in found} == {
        ("missing-ids", 1, "multiple_1"), ("conflicting-ids", 1, "multiple_0"), ("unknown-ids", 1, "simple_python_3"),
    }  # fmt: skip


def test_the_rules_are_chosen_and_known_findings_left_out(tmp_path, data):
    outputs = ["", *["No."] * 239]
    found = findings(tmp_path, data, "irrelevance", outputs, decoder="python", choice=choose(ignore=["R204"]))
    assert set(found) == {"R202"}
    [lost] = found["R202"]
    assert (
        lost.reproduce
        == f"faircall score {tmp_path}/made-up --category irrelevance --select R202 --decoder python"
    )


def test_what_was_credited_comes_with_the_text_that_decided_it(tmp_path, data):
    broken = "I will do it: <tool_call>{book_table seats=2}</tool_call>"
    [found] = findings(tmp_path, data, "irrelevance", [broken] * 240, decoder="hermes")["R201"]
    assert len(found.evidence["ids"]) == 5
    assert set(found.evidence["spans"]) == set(found.evidence["ids"])
    span = found.evidence["spans"]["irrelevance_0"]
    assert (
        broken[span["start"] : span["end"]] == span["text"] == "<tool_call>{book_table seats=2}</tool_call>"
    )


def test_noise_is_no_attempt_at_a_call(tmp_path, data):
    found = findings(tmp_path, data, "irrelevance", ["....................."] * 240, decoder="python")
    assert "R201" not in found
    assert found["R213"][0].evidence["garbage"] == 240


def test_a_broken_key_is_no_fault_of_the_run(tmp_path, data):
    outputs = answers(data, "live_simple", hermes)
    found = findings(tmp_path, data, "live_simple", outputs, decoder="hermes")
    assert found["R214"][0].severity == "note"
    assert "R206" not in found


def test_a_score_file_that_contradicts_itself(tmp_path, data):
    summary = {"accuracy": 0.1, "correct_count": 240, "total_count": 240}
    scores = tmp_path / "scores" / "made-up" / "BFCL_v4_irrelevance_score.json"
    scores.parent.mkdir(parents=True)
    scores.write_text(json.dumps(summary))
    found = findings(
        tmp_path / "results", data, "irrelevance", ["No."] * 240, scores=tmp_path / "scores", decoder="python"
    )
    assert "contradicts itself" in found["R205"][0].message
