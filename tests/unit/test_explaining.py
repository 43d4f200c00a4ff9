"""One entry in full: what is found, what is said, and how it looks on a terminal."""

from __future__ import annotations

import json

import pytest

from faircall import explain, score
from faircall.bfcl.data import find
from faircall.errors import FaircallError, InputError, UsageError
from faircall.report.explanation import MAX_LINES, render_explanation
from faircall.rows import dump_json

HERMES = "Qwen_Qwen3-8B-FC"
STORED = "gpt-4o-2024-11-20-FC"


@pytest.fixture(scope="module")
def benchmark():
    try:
        return find()
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


@pytest.fixture(autouse=True)
def _needs(benchmark):
    """Every test here reads the benchmark's entries."""


def write(folder, category, results, *, model="a-model"):
    group = "live" if category.startswith("live") else "non_live"
    path = folder / "result" / model / group / f"BFCL_v4_{category}_result.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": id_, "result": result}) for id_, result in results.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def first_answer(benchmark, category):
    """An entry's id and a stored call that gives the first accepted values, official names included."""
    id_, [expected] = next(iter(benchmark.answers(category).items()))
    [(name, allowed)] = expected.items()
    return id_, name, {key: values[0] for key, values in allowed.items() if "" not in values}


def only(explanation):
    [entry] = explanation.as_json()["entries"]
    return entry


def test_a_right_call_passes_under_every_profile(tmp_path, benchmark):
    id_, name, arguments = first_answer(benchmark, "simple_python")
    write(tmp_path, "simple_python", {id_: [{name.replace(".", "_"): json.dumps(arguments)}]}, model=STORED)
    entry = only(explain(tmp_path, id_, profile="fair-1+strings=official"))
    assert [(made["profile"], made["outcome"]) for made in entry["verdicts"]] == [
        ("official-2026.3.23", "pass"),
        ("fair-1", "pass"),
        ("fair-1+strings=official", "pass"),
    ]
    assert (entry["decoder"], entry["decoder_from"]) == ("tool-calls", "registry")
    assert [made["role"] for made in entry["decoders"]] == ["declared", "official", "auto"]
    assert entry["decoders"][1]["handler"] == "OpenAICompletionsHandler/fc"
    assert entry["expected"] == benchmark.answers("simple_python")[id_]
    assert entry["question"] == benchmark.entries("simple_python")[id_].question[-1][-1]["content"]
    assert [tool["name"] for tool in entry["tools"]] == [name]
    assert entry["flip"] is None


def test_a_flip_names_its_switch_and_what_was_filled_in(tmp_path, benchmark):
    found = None
    for id_, entry in benchmark.entries("live_simple").items():
        [expected] = benchmark.answers("live_simple")[id_]
        [(name, allowed)] = expected.items()
        schema = entry.tools[0]["parameters"]
        defaulted = [
            key
            for key, field in schema["properties"].items()
            if field.get("default") not in (None, "")
            and key not in schema["required"]
            and allowed.get(key) == [field["default"]]
        ]
        if defaulted and all(isinstance(values[0], str | int) for values in allowed.values()):
            kept = {key: values[0] for key, values in allowed.items() if "" not in values}
            found = id_, name, {key: value for key, value in kept.items() if key != defaulted[0]}
            break
    assert found is not None
    id_, name, arguments = found
    write(tmp_path, "live_simple", {id_: [{name.replace(".", "_"): json.dumps(arguments)}]}, model=STORED)
    explanation = explain(tmp_path, id_)
    entry = only(explanation)
    assert entry["flip"].switch == "defaults"
    assert (entry["verdicts"][0]["outcome"], entry["verdicts"][1]["outcome"]) == ("fail", "pass")
    assert entry["verdicts"][0]["official_error"] == "simple_function_checker:missing_optional"
    assert f"$.args.{defaulted[0]}" in entry["filled"]
    assert defaulted[0] in entry["calls"][0][name.replace(".", "_")]
    text = render_explanation(explanation)
    assert f"filled in: $.args.{defaulted[0]}" in text
    assert "the switch `defaults` turns the official fail into pass" in text


def test_verdicts_are_those_of_score(tmp_path):
    outputs = {
        "irrelevance_0": "Nothing on offer does that.",
        "irrelevance_1": "<tool_call>\n{'name': 'math.sum', 'arguments': {}}\n</tool_call>",
        "irrelevance_2": "Error during inference: timeout",
        "irrelevance_3": '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>',
    }
    write(tmp_path, "irrelevance", outputs, model=HERMES)
    lines = tmp_path / "v.jsonl"
    score(tmp_path / "result", verdicts=lines)
    scored = {row["id"]: row for row in map(json.loads, lines.read_text("utf-8").splitlines())}
    for id_ in [*outputs, "irrelevance_4"]:
        entry = only(explain(tmp_path, id_))
        fair = json.loads(dump_json(entry["verdicts"][1]))
        expected = {
            key: value for key, value in scored[id_].items() if key not in {"model", "category", "id"}
        }
        assert {key: fair[key] for key in expected} == expected
    assert not entry["stored"]
    assert entry["verdicts"][0]["reason"] == "missing"


def test_the_deciding_span_is_marked_and_nothing_is_sent_to_the_terminal(tmp_path):
    output = "I would use a tool.\n\x1b]0;owned\x07\n[find_area(side=2)]\nbench:made-up|v:9 \ud83d"
    write(tmp_path, "irrelevance", {"irrelevance_0": output}, model=HERMES)
    explanation = explain(tmp_path, "irrelevance_0")
    text = render_explanation(explanation)
    assert ">>>[find_area(side=2)]<<<" in text or ">>>find_area(side=2)<<<" in text
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\\x1b]0;owned" in text
    text.encode("utf-8")
    assert "  | bench:made-up" in text
    assert [line for line in text.splitlines() if line.startswith("bench:")] == [explanation.signature]
    assert max(map(len, text.splitlines()[:-1])) <= 100
    assert json.loads(render_explanation(explanation, "json"))["entries"][0]["output"] == output
    with pytest.raises(UsageError, match="text, json"):
        render_explanation(explanation, "yaml")


def test_a_long_output_is_cut_around_what_decided(tmp_path):
    filler = "\n".join(f"Line {number} says nothing at all." for number in range(900))
    output = f"{filler}\n<tool_call>\n{{'name': 'math.sum'}}\n</tool_call>\n{filler}"
    write(tmp_path, "irrelevance", {"irrelevance_0": output}, model=HERMES)
    lines = render_explanation(explain(tmp_path, "irrelevance_0")).splitlines()
    assert any(">>>" in line and line.startswith("  | ") for line in lines)
    assert "  | Line 0 says nothing at all." in lines
    assert len([line for line in lines if line.startswith("  |")]) < 2 * MAX_LINES
    assert len([line for line in lines if "lines left out" in line]) == 2


def test_a_text_that_repeats_the_mark_stays_bounded(tmp_path):
    output = "\n".join([">>> x <<<"] * 5000)
    write(tmp_path, "irrelevance", {"irrelevance_0": output}, model=HERMES)
    assert len(render_explanation(explain(tmp_path, "irrelevance_0")).splitlines()) < 300


def test_an_id_is_explained_in_every_run_or_in_the_one_that_is_named(tmp_path):
    for model in ("lab_kite-8B", "lab_kite-70B", "other"):
        write(tmp_path, "irrelevance", {"irrelevance_0": f"No, says {model}."}, model=model)
    every = explain(tmp_path, "irrelevance_0")
    assert [entry.model for entry in every.entries] == ["lab_kite-70B", "lab_kite-8B", "other"]
    for name in ("lab/kite-8B", "LAB_KITE-8b", "8B"):
        assert [entry.model for entry in explain(tmp_path, "irrelevance_0", model=name).entries] == [
            "lab_kite-8B"
        ]
    assert len(explain(tmp_path, "irrelevance_0", model="kite").entries) == 2
    assert "n:3" in every.signature


def test_an_id_stored_twice_is_said(tmp_path):
    path = write(tmp_path, "irrelevance", {"irrelevance_0": "No.", "irrelevance_1": "No."})
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"id": "irrelevance_0", "result": "Never."}\n')
    explanation = explain(tmp_path, "irrelevance_0")
    assert only(explanation)["output"] == "Never."
    assert [problem.code for problem in explanation.problems] == ["conflicting-ids"]
    assert explain(tmp_path, "irrelevance_1").problems == ()


@pytest.mark.parametrize(
    ("id_", "options", "error", "message"),
    [
        (
            "irrelevance_9999",
            {},
            UsageError,
            "no entry is called 'irrelevance_9999'; did you mean irrelevance_99",
        ),
        ("?", {}, UsageError, "an id is one such as simple_python_0"),
        ("multi_turn_base_0", {}, InputError, "multi_turn_base, of which there is no result file"),
        ("live_relevance_0-0-0", {}, InputError, "live_relevance, of which there is no result file"),
        ("irrelevance_0", {"model": "a-modle"}, UsageError, "did you mean a-model"),
        ("irrelevance_0", {"decoder": "hermess"}, UsageError, "hermes"),
        ("irrelevance_0", {"profile": "fair-9"}, UsageError, "fair-1"),
    ],
)
def test_names_that_do_not_exist(tmp_path, id_, options, error, message):
    write(tmp_path, "irrelevance", {"irrelevance_0": "No."})
    with pytest.raises(error, match=message.replace("?", r"\?")):
        explain(tmp_path, id_, **options)


def test_a_handler_that_returns_no_call_list_is_shown(tmp_path):
    write(tmp_path, "irrelevance", {"irrelevance_0": ["No tool fits."]}, model="gemini-3-pro-preview-FC")
    text = render_explanation(explain(tmp_path, "irrelevance_0"))
    assert 'no call list: ["No tool fits."]' in text
    assert "Expected: no call" in text


@pytest.mark.parametrize("workers", [1, 2])
def test_verdicts_are_the_same_for_any_number_of_workers(tmp_path, workers):
    polars = pytest.importorskip("polars")
    for model in ("m1", "m2"):
        write(tmp_path, "irrelevance", {"irrelevance_0": f"No, says {model}."}, model=model)
    target = tmp_path / "v.parquet"
    score(tmp_path / "result", verdicts=target, workers=workers)
    table = polars.read_parquet(target)
    assert table.height == 480
    assert table["model"].unique(maintain_order=True).to_list() == ["m1", "m2"]
    lines = tmp_path / "v.jsonl"
    score(tmp_path / "result", verdicts=lines, workers=1)
    rows = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    made = [{**row, "calls": json.loads(row["calls"])} for row in table.iter_rows(named=True)]
    assert [row.pop("dialogue") for row in made] == [None] * len(rows)
    assert made == rows


@pytest.mark.parametrize(
    ("first", "second", "outcome", "results"),
    [
        ("[find(path='.')]", "[power(base=7, exponent=2)]", "pass", ['{"matches": ', '{"result": 49']),
        # A result is missing and the state is as it was: what comes after that is not played, whatever it would take.
        ("[ls()]", "[square_root(number=2, precision=999999999999999999)]", "fail", ['{"current_dir', None]),
    ],
)
def test_a_dialogue_is_shown_turn_by_turn(tmp_path, benchmark, first, second, outcome, results):
    id_ = "multi_turn_base_47"
    key = benchmark.answers("multi_turn_base")[id_]
    turns = [[f"[{', '.join(calls)}]"] for calls in key]
    turns[0] = [first]
    turns[1].append(second)
    path = tmp_path / "result" / STORED / "multi_turn" / "BFCL_v4_multi_turn_base_result.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"id": id_, "result": turns}) + "\n", "utf-8")
    explanation = explain(tmp_path, id_, decoder="python")
    [entry] = json.loads(dump_json(explanation.as_json()))["entries"]
    assert {made["outcome"] for made in entry["verdicts"]} == {outcome}
    assert [turn["expected"] for turn in entry["turns"]] == key
    for turn, wanted in zip(entry["turns"], results, strict=False):
        given = turn["steps"][-1]["results"]
        assert (wanted is None and not given) or given[-1].startswith(wanted)
    assert first.strip("[]") in render_explanation(explanation)
