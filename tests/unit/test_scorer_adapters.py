"""What the adapters of other scorers share: outputs read, and one expected list for each way to meet a key."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
from pathlib import Path

import pytest

from faircall.mutants import make_cases, read_bases

FOLDER = Path(__file__).parents[2] / "benchmarks" / "scorers"
CASES = make_cases(read_bases().entries)


@pytest.fixture(scope="module")
def lines():
    spec = importlib.util.spec_from_file_location("scorer_lines", FOLDER / "lines.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("case", [case for case in CASES if case.rule == "S401"], ids=lambda case: case.id)
def test_the_key_is_one_of_the_ways_to_meet_it(lines, case):
    read = lines.read_output(case.line)
    assert read.state == "CALLED"
    assert read.calls in list(lines.alternatives(case.line, read.calls))


def test_a_parameter_is_left_out_only_where_the_call_leaves_it_out(lines):
    case = {
        "tools": ["send"],
        "expected": [{"send": {"to": ["Ola", "Ole"], "copy": ["", "Per"], "note": [""]}}],
    }
    without = list(lines.alternatives(case, [("send", {"to": "Ola"})]))
    assert without == [
        [("send", {"to": to, **copy})] for to in ("Ola", "Ole") for copy in ({}, {"copy": "Per"})
    ]
    given = list(lines.alternatives(case, [("send", {"to": "Ola", "copy": "x"})]))
    assert given == [[("send", {"to": to, "copy": "Per"})] for to in ("Ola", "Ole")]


def test_no_call_is_one_way_where_none_is_wanted(lines):
    assert list(lines.alternatives({"tools": [], "expected": []}, [])) == [[]]


def test_a_case_on_which_the_tool_raises_has_no_verdict(lines, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"id": "a"}\n{"id": "b"}\n'))

    def judge(case):
        print("noise")
        return {"b": "pass"}[case["id"]]

    lines.answer(judge)
    shown = capsys.readouterr()
    assert [json.loads(line) for line in shown.out.splitlines()] == [{"id": "b", "outcome": "pass"}]
    assert "a: KeyError" in shown.err


def test_every_adapter_is_in_its_readme():
    text = (FOLDER / "README.md").read_text("utf-8")
    assert [path.name for path in FOLDER.glob("score_with_*.py") if path.name not in text] == []
