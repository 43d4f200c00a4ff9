"""The commands as a user types them: what they print, and how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
