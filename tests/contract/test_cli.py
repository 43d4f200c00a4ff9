"""The commands as a user types them: what they print, and how they end."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CASE = {
    "id": "a",
    "output": "[book_table(seats=",
    "tools": ["book_table"],
    "expected": [],
    "decoder": "python",
}


def faircall(*arguments, stdin="", **environment):
    command = [sys.executable, "-m", "faircall.cli", *map(str, arguments)]
    return subprocess.run(
        command,
        check=False,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    "arguments",
    [["--help"], *([name, "--help"] for name in ("audit", "score", "compare", "explain", "data"))],
)
def test_help(arguments):
    done = faircall(*arguments)
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_version():
    assert faircall("--version").stdout.startswith("faircall 0.")


def test_audit_prints_the_conclusion_first_and_fits_100_columns():
    done = faircall("audit")
    assert done.returncode == 0
    assert "109 of 109" in " ".join(" ".join(done.stdout.splitlines()[:6]).split())
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert done.stdout.rstrip().splitlines()[-1].startswith("board:") or "|v:" in done.stdout


@pytest.mark.parametrize(("threshold", "code"), [("error", 1), ("warning", 1), ("note", 1)])
def test_audit_fails_on_findings_where_asked_to(threshold, code):
    assert faircall("audit", "--fail-on", threshold).returncode == code


def test_audit_json_has_the_keys_of_the_contract():
    report = json.loads(faircall("audit", "--format", "json").stdout)
    assert {"board", "composition", "rows", "findings", "signature"} <= set(report)
    assert report["composition"]["rows_matching"] == {"stated": 0, "actual": 109}
    assert {
        "rank",
        "model",
        "published",
        "weighted",
        "unweighted",
        "irrelevance",
        "relevance",
        "irrelevance_share",
    } <= set(report["rows"][0])
    assert {"rule", "slug", "severity", "subject", "message", "evidence"} <= set(report["findings"][0])


def test_output_goes_to_a_file(tmp_path):
    target = tmp_path / "audit.md"
    done = faircall("audit", "--format", "markdown", "-o", target)
    assert (done.returncode, done.stdout) == (0, "")
    assert target.read_text("utf-8").startswith("# ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "nowhere.csv"], "faircall: nowhere.csv"),
        (["audit", "--model", "no such model"], "faircall: "),
        (["score", "nowhere"], "faircall: nowhere"),
        (["score", "nowhere", "--profile", "fair-9"], "faircall: "),
        (["compare", "nowhere", "elsewhere"], "faircall: nowhere"),
        (["compare"], "faircall: Missing argument 'RUNS...'"),
        (["compare", "nowhere", "--profile", "fair-1", "--profile", "fair-9"], "faircall: "),
        (["explain", "nowhere", "simple_python_0"], "faircall: nowhere"),
        (["explain", "nowhere", "simple_python_0", "--decoder", "hermess"], "faircall: "),
        (["explain", "nowhere"], "faircall: Missing argument 'ID'"),
        (["check", "nowhere.jsonl"], "faircall: nowhere.jsonl"),
        (["check", "--fail-under", "1.5"], "faircall: --fail-under takes a share from 0 to 1"),
        (["check", "--fail-under", "nan"], "faircall: --fail-under takes a share from 0 to 1"),
        (["check", "--junit", "-"], "faircall: --junit -: standard output has the verdicts"),
        (
            ["check", "--junit", "a.txt", "--summary", "./a.txt"],
            "faircall: --junit and --summary are one file",
        ),
        (["check", "a.jsonl", "--junit", "./a.jsonl"], "faircall: FILE and --junit are one file; name two"),
        (["check", "a.jsonl", "-o", "./a.jsonl"], "faircall: FILE and -o are one file; name two"),
        (["check", "--junit", "none/out.xml"], "faircall: none/out.xml"),
        (["check", "--summary", "none/out.md"], "faircall: none/out.md"),
        (["lint", "a.jsonl", "b.jsonl", "--format", "json"], "faircall: --format json is of one dataset"),
        (["audit", "-o", "none/out.txt"], "faircall: none/out.txt"),
        (["rules", "scorer", "no-such-program-here"], "faircall: no command `no-such-program-here`"),
        (["rules", "scorer", "true", "--entries", "nowhere.jsonl"], "faircall: nowhere.jsonl"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, message):
    done = faircall(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_check_reads_standard_input_and_writes_lines():
    done = faircall("check", stdin=json.dumps(CASE) + "\n")
    row = json.loads(done.stdout)
    assert done.returncode == 0
    assert (row["id"], row["outcome"], row["state"]) == ("a", "fail", "MALFORMED")
    assert row["evidence"]["text"]


def test_check_exit_code():
    assert faircall("check", "--fail-on", "fail", stdin=json.dumps(CASE)).returncode == 1
    void = {**CASE, "output": "Error during inference: timeout"}
    assert faircall("check", "--fail-on", "fail", stdin=json.dumps(void)).returncode == 0
    assert faircall("check", "--fail-on", "void", stdin=json.dumps(void)).returncode == 1


RIGHT = {**CASE, "id": "b", "output": "No tool fits."}
VOID = {**CASE, "id": 3, "output": "Error during inference: timeout"}


def lines_of(*cases):
    return "".join(json.dumps(case) + "\n" for case in cases)


@pytest.mark.parametrize(
    ("cases", "minimum", "code"),
    [
        ([RIGHT, CASE], "0.5", 0),
        ([RIGHT, CASE], "0.51", 1),
        ([RIGHT, VOID, VOID], "1", 0),
        ([CASE, VOID, VOID], "0", 0),
        ([VOID], "0", 1),
        ([], "0", 1),
    ],
)
def test_check_fails_under_a_share_of_what_was_judged(cases, minimum, code):
    done = faircall("check", "--fail-under", minimum, stdin=lines_of(*cases))
    assert done.returncode == code
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [case["id"] for case in cases]
    share, met, signature = done.stderr.splitlines()
    assert share.startswith("faircall: ")
    assert met.startswith(f"faircall: --fail-under {float(minimum)} (of the judged): {'not ' * code}met")
    assert f"|n:{len(cases)}|void:{cases.count(VOID)}|" in signature


def test_check_writes_reports_and_leaves_standard_output_as_it_is(tmp_path):
    stdin = lines_of(RIGHT, CASE, VOID)
    junit, page = tmp_path / "junit.xml", tmp_path / "page.md"
    page.write_text("# Before", "utf-8")
    done = faircall("check", "--junit", junit, "--summary", page, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == faircall("check", stdin=stdin).stdout
    assert [case.get("name") for case in ET.parse(junit).iter("testcase")] == ["b", "a", "3"]
    text = page.read_text("utf-8")
    assert text.startswith("# Before\n## faircall check: standard input\n")
    assert faircall("check", "--summary", page, stdin=stdin).returncode == 0
    assert page.read_text("utf-8") == text + text.removeprefix("# Before\n")


def test_check_writes_no_report_on_half_a_file(tmp_path):
    junit, page = tmp_path / "junit.xml", tmp_path / "page.md"
    done = faircall("check", "--junit", junit, "--summary", page, stdin=json.dumps(CASE) + "\n{broken\n")
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("cases", "code"), [([RIGHT], 0), ([RIGHT, CASE], 1)])
def test_check_fails_on_what_either_option_asks_for(cases, code):
    done = faircall("check", "--fail-under", "0.5", "--fail-on", "fail", stdin=lines_of(*cases))
    assert done.returncode == code


def test_check_says_which_line_is_bad_and_keeps_what_came_before():
    done = faircall("check", "-", stdin=json.dumps(CASE) + "\n{broken\n")
    assert done.returncode == 2
    assert json.loads(done.stdout)["id"] == "a"
    assert done.stderr.startswith("faircall: standard input:2: ")


def test_without_data_one_line_says_what_to_run(tmp_path):
    results = tmp_path / "result" / "a-model" / "non_live"
    results.mkdir(parents=True)
    file = results / "BFCL_v4_irrelevance_result.json"
    file.write_text('{"id": "irrelevance_0", "result": "No."}\n', "utf-8")
    done = faircall("score", tmp_path, FAIRCALL_CACHE=str(tmp_path / "empty"))
    if done.returncode == 0:
        pytest.skip("a copy of bfcl-eval is installed here")
    assert done.returncode == 2
    assert "faircall data pull" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_text_that_a_terminal_obeys_is_shown_and_not_sent(tmp_path):
    done = faircall("check", stdin=json.dumps({**CASE, "output": "\x1b]0;owned\x07 \ud83d"}))
    assert "\x1b" not in done.stdout
    done = faircall("check", stdin=json.dumps({**CASE, "decoder": "\x1b[31mred\n"}))
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_every_command_is_documented():
    text = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    for command in (
        "audit", "score", "compare", "explain", "check", "lint", "rules", "rules show", "rules scorer", "data pull",
        "data list", "data verify",
    ):  # fmt: skip
        assert f"faircall {command}" in text, command


def test_lint_takes_several_files(tmp_path):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    tool = {"name": "ride", "parameters": {"properties": {"km": {"type": "integer"}}}}
    good.write_text(json.dumps({"id": 1, "tools": [tool], "expected": [{"ride": {"km": [5]}}]}), "utf-8")
    bad.write_text(json.dumps({"id": 1, "tools": [tool], "expected": [{"ride": {"km": ["far"]}}]}), "utf-8")
    assert faircall("lint", good, good, "--fail-on", "error").returncode == 0
    done = faircall("lint", good, bad, "--fail-on", "error")
    assert done.returncode == 1
    assert done.stdout == faircall("lint", good).stdout + "\n" + faircall("lint", bad).stdout


def test_the_pre_commit_hook_runs_on_case_files(tmp_path):
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    named = ["cases/rides.jsonl", "tests/cases/a/b.jsonl", "rides.cases.jsonl", "tests/my_cases.jsonl"]
    assert [name for name in named if not re.search(hook["files"], name)] == []
    assert not re.search(hook["files"], "verdicts.jsonl")
    assert not re.search(hook["files"], "showcases.jsonl")
    program, *words = shlex.split(hook["entry"]) + hook["args"]
    assert program == "faircall"
    paths = []
    for name, wanted in (("good", "home"), ("bad", 5)):
        paths.append(tmp_path / f"{name}.cases.jsonl")
        tool = {"name": "ride", "parameters": {"properties": {"to": {"type": "string"}}}}
        case = {"id": name, "tools": [tool], "expected": [{"ride": {"to": [wanted]}}]}
        paths[-1].write_text(json.dumps(case), "utf-8")
    assert faircall(*words, paths[0]).returncode == 0
    assert faircall(*words, *paths).returncode == 1
