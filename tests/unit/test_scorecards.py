"""`faircall rules scorer`: the scorecard of a command, from the library and from the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from faircall.cli import app
from faircall.errors import UsageError
from faircall.report.scorecards import render_scorecard
from faircall.rules.choice import choose
from faircall.scorecards import split_command, try_scorer
from faircall.signature import parse_signature

CHECK = [sys.executable, "-m", "faircall.cli", "check"]
OFFICIAL = [*CHECK, "--profile", "official-2026.3.23"]
PASSES = [
    sys.executable,
    "-c",
    "import sys, json\nfor line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'outcome': 'pass'}))",
]


def invoke(*arguments):
    return CliRunner().invoke(app, ["rules", "scorer", *arguments])


VOIDS = (
    "import json, sys\n"
    "for line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'outcome': 'void'}))"
)
"""A scorer that judges nothing."""


def test_faircall_check_is_found_to_do_nothing_wrong():
    card = try_scorer(CHECK, label="faircall check")
    assert card.findings == ()
    # Errors of the harness are not judged, as is wanted.
    assert all(
        found.cases == (found.void if rule == "S412" else found.right) for rule, found in card.rules.items()
    )
    assert parse_signature(card.signature)["scorer"] == "faircall_check"


def test_a_command_that_gives_no_verdict_is_never_without_a_fault():
    silent = [sys.executable, "-c", ""]
    assert [each.rule for each in try_scorer(silent, choice=choose(["S401", "S404"])).findings] == ["S420"]
    assert try_scorer(silent, choice=choose(["S404"], ["S420"])).findings == ()
    [lost] = try_scorer(silent, choice=choose(["S420"]), timeout_s=30).findings
    assert "--timeout 30" in lost.reproduce
    assert lost.evidence["lost"] > 400


def test_a_scorer_that_judges_nothing_is_named():
    void = [sys.executable, "-c", VOIDS]
    [found] = try_scorer(void, choice=choose(["S401"])).findings
    assert (found.rule, found.evidence) == ("S420", {"void": 26})


def test_what_is_made_of_a_key_that_fails_says_nothing():
    card = try_scorer([sys.executable, "-c", VOIDS.replace("void", "fail")])
    assert {each.rule for each in card.findings} == {"S401", "S418"}
    assert card.rules["S404"].void == card.rules["S404"].cases


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_that_is_none_is_refused(seconds):
    with pytest.raises(UsageError, match="time limit"):
        try_scorer(PASSES, timeout_s=seconds)


def test_the_path_of_a_program_is_no_line_to_split(tmp_path):
    program = tmp_path / "a scorer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert split_command([str(program)]) == [str(program)]
    assert split_command(["a scorer"]) == ["a", "scorer"]


def test_own_entries_are_altered_with_care(tmp_path):
    curve = {"type": "object", "properties": {"vent": {"type": "boolean", "default": False}}}
    properties = {"by": {"type": "string"}, "curve": curve}
    tool = {"name": "fire", "parameters": {"properties": properties, "required": ["by"]}}
    host = {"properties": {"host": {"type": "string"}}, "required": []}
    entries = [
        {"tools": [tool], "expected": [{"fire": {"by": ["-5", "+5"], "curve": [{"vent": [True, ""]}]}}]},
        {"tools": [{"name": "ping", "parameters": host}], "expected": [{"ping": {"host": ["Lyon", ""]}}]},
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    card = try_scorer(CHECK, entries=path)
    assert card.findings == ()


def test_the_official_faults_are_found():
    card = try_scorer(OFFICIAL)
    assert {finding.rule for finding in card.findings} == {
        "S402", "S403", "S404", "S405", "S411", "S412", "S423",
    }  # fmt: skip


def test_a_scorer_that_passes_everything():
    card = try_scorer(PASSES)
    right = {rule for rule, found in card.rules.items() if not found.wrong}
    assert right == {"S401", "S402", "S403", "S418", "S422", "S424"}
    assert {finding.rule for finding in card.findings} == set(card.rules) - right
    for finding in card.findings:
        evidence = finding.evidence
        assert evidence["wrong"] == len(evidence["ids"]) == card.rules[finding.rule].wrong
        assert {"id", "change", "output", "expected", "wanted", "got"} == set(evidence["examples"][0])


def test_a_finding_says_how_it_is_reproduced(tmp_path):
    tool = {"name": "step", "parameters": {"properties": {"by": {"type": "integer"}}, "required": ["by"]}}
    path = tmp_path / "entries.jsonl"
    path.write_text(json.dumps({"tools": [tool], "expected": [{"step": {"by": [2]}}]}), "utf-8")
    card = try_scorer(PASSES, entries=path, choice=choose(["S404"]))
    [finding] = card.findings
    printed = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {finding.reproduce}"], capture_output=True, text=True, check=True
    )
    words = printed.stdout.split("\0")[:-1]
    assert words[:3] == ["faircall", "rules", "scorer"]
    assert shlex.split(words[3]) == PASSES
    assert words[4:] == ["--select", "S404", "--entries", str(path)]
    assert set(card.rules) == {"S401", "S404"}


def test_json_is_the_contract_and_the_others_fit():
    done = invoke("--format", "json", "--label", "all | pass", "--", *PASSES)
    assert done.exit_code == 0
    card = json.loads(done.output)
    assert {"scorer", "cases", "rules", "findings", "signature"} <= set(card)
    assert set(card["rules"]["S404"]) == {"cases", "right", "wrong", "void", "lost"}
    assert card["scorer"] == "all | pass"
    text = invoke("--label", "all | pass", "--", *PASSES).output
    assert max(len(line) for line in text.splitlines() if "faircall rules" not in line) <= 100
    assert text.splitlines()[-1] == card["signature"]
    page = invoke("--format", "markdown", "--label", "all | pass", "--", *PASSES).output
    assert "all \\| pass" in page
    assert card["signature"] in page


def test_what_a_scorer_writes_gives_the_terminal_no_orders():
    code = "print('\\x1b]0;owned\\x07')"
    done = invoke("--label", "\x1b[31mred", "--select", "S420", "--", sys.executable, "-c", code)
    assert "\x1b" not in done.output


def test_thresholds_and_baselines(tmp_path):
    known = tmp_path / "known.jsonl"
    arguments = ["--select", "S404,S402", shlex.join(PASSES)]
    assert invoke("--fail-on", "error", *arguments).exit_code == 1
    assert invoke("--write-baseline", str(known), *arguments).exit_code == 0
    done = invoke("--fail-on", "error", "--baseline", str(known), *arguments)
    assert done.exit_code == 0
    assert "1 known finding is left out" in done.output


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program-here --fast", "no command `no-such-program-here`"),
        ("'unclosed", "cannot be split into words"),
        ("", "no command"),
        ([], "no command"),
    ],
)
def test_a_command_that_is_none_is_refused(command, message):
    with pytest.raises(UsageError, match=message):
        try_scorer(command)


def test_a_limit_that_leaves_no_time_is_refused():
    with pytest.raises(UsageError):
        try_scorer(CHECK, timeout_s=0)


def test_a_command_is_split_once():
    assert split_command("a 'b c'") == ["a", "b c"]
    assert split_command(["a", "b c"]) == ["a", "b c"]


def test_an_unknown_format_is_refused():
    card = try_scorer(PASSES, choice=choose(["S404"]))
    with pytest.raises(UsageError, match="no report format"):
        render_scorecard(card, "html")
