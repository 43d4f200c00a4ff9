"""Format sensitivity: each output read in the format that its prompt asked for, officially and fairly."""

from __future__ import annotations

import json

import pytest

from faircall import score
from faircall.bfcl.data import find
from faircall.bfcl.questions import Questions
from faircall.bfcl.sensitivity import sensitivity_of
from faircall.errors import FaircallError
from faircall.formats import format_of
from faircall.profiles import PROFILES
from faircall.reading import FAIR, OFFICIAL, ReadAs, read_output
from faircall.report.scores import render_score

PYTHON = ReadAs("python", "option", None)


@pytest.fixture(scope="module")
def questions():
    try:
        return Questions(find())
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


def entry_of(questions, base, form, *, tagged):
    return next(
        entry
        for entry in questions.entries("format_sensitivity").values()
        if entry.extra["base_category"] == base
        and (asked := format_of(entry)) is not None
        and (asked.returned, asked.tagged) == (form, tagged)
    )


def written(questions, entry, form):
    calls = [
        (name, {key: values[0] for key, values in made.items() if values[0] != ""})
        for call in questions.answer(entry)
        for name, made in call.items()
    ]
    if form == "python":
        lines = [
            f"{name}({', '.join(f'{key}={value!r}' for key, value in made.items())})" for name, made in calls
        ]
        return f"[{', '.join(lines)}]"
    if form == "json":
        return json.dumps([{"function": name, "parameters": made} for name, made in calls])
    kinds = {bool: "boolean", int: "integer", float: "float", list: "array", dict: "dict"}
    inner = ""
    for name, made in calls:
        parameters = "".join(
            f'<param name="{key}" type="{kinds.get(type(value), "string")}">'
            f"{value if isinstance(value, str) else json.dumps(value)}</param>"
            if form == "concise_xml"
            else f'<param name="{key}" type="{kinds.get(type(value), "string")}" '
            f"value='{value if isinstance(value, str) else json.dumps(value)}'/>"
            for key, value in made.items()
        )
        if form == "verbose_xml":
            parameters = f"<params>{parameters}</params>"
        inner += f'<function name="{name}">{parameters}</function>'
    return f"<functions>{inner}</functions>"


@pytest.mark.parametrize("base", ["simple_python", "multiple", "parallel", "parallel_multiple"])
@pytest.mark.parametrize("form", ["python", "json", "verbose_xml", "concise_xml"])
@pytest.mark.parametrize("tagged", [False, True])
def test_the_answer_in_its_format_passes(questions, base, form, tagged):
    entry = entry_of(questions, base, form, tagged=tagged)
    text = written(questions, entry, form)
    reading = read_output(entry, f"<TOOLCALL>{text}</TOOLCALL>" if tagged else text, questions, PYTHON)
    assert reading.verdict(OFFICIAL).outcome == "pass", reading.verdict(OFFICIAL)
    assert reading.verdict(FAIR).outcome == "pass", reading.verdict(FAIR)


def test_calls_in_another_format_are_not_decoded_and_not_wrong_calls(questions):
    entry = entry_of(questions, "simple_python", "json", tagged=False)
    reading = read_output(entry, written(questions, entry, "concise_xml"), questions, PYTHON)
    assert (reading.verdict(OFFICIAL).state, reading.verdict(OFFICIAL).outcome) == ("ABSTAINED", "fail")
    assert (reading.verdict(FAIR).state, reading.verdict(FAIR).outcome) == ("MALFORMED", "fail")


def test_calls_without_the_tags_that_were_asked_for(questions):
    entry = entry_of(questions, "simple_python", "python", tagged=True)
    verdict = read_output(entry, written(questions, entry, "python"), questions, PYTHON).verdict(FAIR)
    assert (verdict.state, verdict.reason, verdict.outcome) == ("MALFORMED", "foreign-format", "fail")


@pytest.mark.parametrize(
    ("asked", "tagged", "given", "in_tags"),
    [
        ("verbose_xml", False, "concise_xml", False),
        ("concise_xml", False, "verbose_xml", False),
        ("python", False, "python", True),
        ("json", True, "json", False),
        ("json", False, "python", False),
    ],
)
def test_another_format_than_the_one_asked_for(questions, asked, tagged, given, in_tags):
    entry = entry_of(questions, "simple_python", asked, tagged=tagged)
    text = written(questions, entry, given)
    stored = f"<TOOLCALL>{text}</TOOLCALL>" if in_tags else text
    verdict = read_output(entry, stored, questions, PYTHON).verdict(FAIR)
    assert (verdict.state, verdict.outcome) == ("MALFORMED", "fail")


def test_other_keys_than_the_ones_asked_for(questions):
    entry = entry_of(questions, "simple_python", "json", tagged=False)
    text = (
        written(questions, entry, "json")
        .replace('"function"', '"name"')
        .replace('"parameters"', '"arguments"')
    )
    assert read_output(entry, text, questions, PYTHON).verdict(FAIR).reason == "foreign-format"


@pytest.mark.parametrize("form", ["python", "json", "concise_xml"])
def test_fences_inside_and_outside_of_the_tags(questions, form):
    entry = entry_of(questions, "simple_python", form, tagged=True)
    text = written(questions, entry, form)
    for wrapped in (
        f"```\n<TOOLCALL>{text}</TOOLCALL>\n```",
        f"<TOOLCALL>\n```\n{text}\n```\n</TOOLCALL>",
    ):
        assert read_output(entry, wrapped, questions, PYTHON).verdict(FAIR).outcome == "pass"


def test_text_of_a_model_whose_calls_are_structured_elsewhere(questions):
    entry = entry_of(questions, "simple_python", "json", tagged=False)
    protocol = ReadAs("tool-calls", "option", None)
    assert (
        read_output(entry, written(questions, entry, "json"), questions, protocol).verdict(FAIR).outcome
        == "pass"
    )


def test_a_run_has_a_figure_for_each_format(questions, tmp_path):
    entries = questions.entries("format_sensitivity")
    path = tmp_path / "result" / "kite" / "format_sensitivity" / "BFCL_v4_format_sensitivity_result.json"
    path.parent.mkdir(parents=True)
    lines = []
    for id_, entry in entries.items():
        right = format_of(entry).returned in {"python", "json"}
        text = written(questions, entry, format_of(entry).returned) if right else "No tool fits."
        if right and format_of(entry).tagged:
            text = f"<TOOLCALL>{text}</TOOLCALL>"
        lines.append(json.dumps({"id": id_, "result": text}))
    path.write_text("\n".join(lines), "utf-8")
    for profile in PROFILES:
        report = score(tmp_path, decoder="python", profile=profile, leaderboard=tmp_path / "board")
        figures = report.as_json()["runs"][0]["categories"]["format_sensitivity"]
        assert len(figures["formats"]) == 26
        failed = [style for style, made in figures["formats"].items() if "_xml" in style]
        assert {figures["formats"][style]["accuracy"] for style in failed} == {0.0}
        for style in failed:
            made = figures["formats"][style]
            # Words are declined, and officially they do not decode.
            assert made["declined"] + made["not_decoded"] == made["n"] - made["void"] > 190
            assert (made["declined"] > 0) is (profile == "fair-1")
        assert figures["spread"]["max_delta"] > 90
        assert report.as_json()["runs"][0]["overall"]["value"] is None or profile.startswith("official")
        table = (tmp_path / "board" / "data_format_sensitivity.csv").read_text("utf-8").splitlines()
        assert f"{figures['spread']['max_delta']}" in table[1]


def test_the_spread_is_the_sample_one():
    made = sensitivity_of({"a": (1, 2), "b": (1, 4), "c": (0, 0)})
    assert (made.max_delta, made.standard_deviation, made.variance) == (25.0, 17.68, 312.5)
    single = sensitivity_of({"a": (1, 2), "b": (0, 0)})
    assert (single.max_delta, single.standard_deviation, single.variance) == (None, None, None)
    assert single.accuracies == {"a": 0.5}
    assert sensitivity_of({}) is None


@pytest.mark.parametrize("form", ["python", "json", "verbose_xml"])
@pytest.mark.parametrize("tagged", [False, True])
def test_tags_in_reasoning_are_no_tags_round_the_calls(questions, form, tagged):
    entry = entry_of(questions, "simple_python", form, tagged=tagged)
    output = f"<think>A <TOOLCALL> is what I need.</think>{written(questions, entry, form)}"
    verdict = read_output(entry, output, questions, PYTHON).verdict(FAIR)
    assert verdict.outcome == ("fail" if tagged else "pass"), verdict


def test_a_single_style_has_an_accuracy_and_no_spread(tmp_path, questions):
    entries = questions.entries("format_sensitivity").values()
    style = next(iter(entries)).extra["prompt_style"]
    path = tmp_path / "result" / "a-model" / "format_sensitivity" / "BFCL_v4_format_sensitivity_result.json"
    path.parent.mkdir(parents=True)
    rows = [{"id": entry.id, "result": "no"} for entry in entries if entry.extra["prompt_style"] == style]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    report = score(tmp_path)
    assert report.as_json()["runs"][0]["categories"]["format_sensitivity"]["spread"]["max_delta"] is None
    text = " ".join(render_score(report).split())
    assert "1 of 26 styles of prompt judged, the spread cannot be given." in text
