"""The examples in the documentation are run as they stand."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import yaml
from statsmodels.stats.proportion import proportion_confint

from faircall import audit, check, lint, reward
from faircall.cli import app
from faircall.composite import CategoryFigure, missing_under, overall
from faircall.dialogue import agentic, multi_turn
from faircall.dialogue.agentic import mentions
from faircall.dialogue.asserted import find_assertion
from faircall.gate import judge
from faircall.matching import Why
from faircall.matching.texts import text_form
from faircall.mutants import make_cases, read_bases
from faircall.mutants.cases import hash_cases
from faircall.profiles import PROFILES, SWITCHES, load_profile
from faircall.report.audits import render_audit
from faircall.reward_table import TABLES, VALUES
from faircall.types import Reason

DOCS = Path(__file__).parents[2] / "docs"
PLUGIN = "faircall.integrations.pytest_plugin"


def gate_examples():
    text = (DOCS / "gate.md").read_text("utf-8")
    for block in re.findall(r"```jsonl\n(.*?)\n```", text, re.DOTALL):
        yield from map(json.loads, block.splitlines())


@pytest.mark.parametrize(
    "case", list(gate_examples()), ids=lambda case: f"{case['reason']}-{case['decoder']}"
)
def test_gate_example(case):
    found = judge(case["output"], case["tools"], decoder=case["decoder"])
    assert (found.state, found.reason) == (case["state"], case["reason"]), found.message


def test_every_reason_has_an_entry():
    text = (DOCS / "gate.md").read_text("utf-8")
    assert [reason for reason in Reason if f"`{reason}`" not in text] == []


def score_examples():
    text = (DOCS / "scores.md").read_text("utf-8")
    for about, block in re.findall(r"```jsonl ([\w-]+)\n(.*?)\n```", text, re.DOTALL):
        yield from ((about, json.loads(line)) for line in block.splitlines())


def outcome_under(case, profile):
    decoder = case.get("decoder", "python")
    return check(
        case["output"], tools=case["tools"], expected=case["expected"], decoder=decoder, profile=profile
    ).outcome


@pytest.mark.parametrize(
    ("switch", "case"), [pair for pair in score_examples() if pair[0] in SWITCHES and "output" in pair[1]]
)
def test_switch_example(switch, case):
    assert outcome_under(case, "official-2026.3.23") == case["official"]
    assert outcome_under(case, f"fair-1+{switch}=official") == case["official"]
    assert outcome_under(case, "fair-1") == case["fair"]
    beside = "+gate=evidence" if switch == "positional" else ""
    assert outcome_under(case, f"official-2026.3.23+{switch}=fair{beside}") == case["fair"]


def answer_examples():
    text = (DOCS / "dialogues.md").read_text("utf-8")
    block = re.search(r"```jsonl answers\n(.*?)\n```", text, re.DOTALL).group(1)
    return [json.loads(line) for line in block.splitlines()]


@pytest.mark.parametrize("case", answer_examples())
def test_answer_example(case):
    assert (mentions(case["text"], case["accepted"]) is not None) is case["official"]
    assert find_assertion(case["text"], case["accepted"]).holds is case["fair"]


def test_every_reason_of_a_dialogue_is_explained():
    text = (DOCS / "dialogues.md").read_text("utf-8")
    reasons = {*map(str, multi_turn.Why), *map(str, agentic.Why)}
    assert [reason for reason in reasons if f"`{reason}`" not in text] == []


def lint_examples():
    text = (DOCS / "lint.md").read_text("utf-8")
    block = re.search(r"```jsonl lint\n(.*?)\n```", text, re.DOTALL).group(1)
    return block.splitlines()


@pytest.mark.parametrize("line", lint_examples())
def test_lint_example(line):
    report = lint(io.BytesIO(line.encode()), name="page")
    assert sorted(finding.rule for finding in report.findings) == json.loads(line)["finds"]


def reward_page():
    return (DOCS / "rewards.md").read_text("utf-8")


RIDE_TOOL = {
    "name": "ride",
    "parameters": {
        "properties": {
            "to": {"type": "string"},
            "km": {"type": "integer"},
            "unit": {"type": "string", "default": "km"},
        },
        "required": ["to", "km"],
    },
}


def reward_examples():
    block = re.search(r"```jsonl reward\n(.*?)\n```", reward_page(), re.DOTALL).group(1)
    return [json.loads(line) for line in block.splitlines()]


@pytest.mark.parametrize("case", reward_examples())
def test_reward_example(case):
    for expected, value in (([{"ride": {"to": ["home"], "km": [5]}}], case["value"]), ([], case["none"])):
        found = reward([case["output"]], tools=[RIDE_TOOL], expected=expected, decoder="python")
        assert found.values == [value]


def test_rewards_python_runs():
    code = "\n".join(re.findall(r"```python\n(.*?)```", reward_page(), re.DOTALL))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = re.search(r"# (reward:\S+)", reward_page()).group(1)
    assert done.stdout.strip() == shown


def test_reward_table_of_the_page():
    cells = re.findall(r"(-?[\d.]+) \(`(\w+)`\)", reward_page())
    assert {name: float(value) for value, name in cells} == {
        name: getattr(TABLES["reward-1"], name) for name in VALUES
    }


def texts_by_value():
    """The pairs of the table of texts: what is the same, and what is not."""
    table = (DOCS / "scores.md").read_text("utf-8").split("| by value |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        for cell, same in zip(row.split("|")[2:4], (True, False), strict=True):
            for left, right in re.findall(r"`([^`]+)` and `([^`]+)`", cell):
                if not left.startswith("10:00"):
                    yield left, right, same


@pytest.mark.parametrize(("left", "right", "same"), list(texts_by_value()))
def test_text_by_value_example(left, right, same):
    assert (text_form(left) == text_form(right)) is same


@pytest.mark.parametrize("case", [case for about, case in score_examples() if about == "canonical"])
def test_canonical_example(case):
    assert outcome_under(case, "official-2026.3.23") == case["official"]
    assert outcome_under(case, "fair-1") == case["fair"]


def test_example_of_a_category_that_was_not_run():
    [case] = [case for about, case in score_examples() if about == "missing"]
    figures = {name: CategoryFigure(*counts) for name, counts in case["right"].items()}
    for profile, value in (("official-2026.3.23", case["official"]), ("fair-1", case["fair"])):
        made = overall(figures, missing=missing_under(load_profile(profile)), resamples=0)
        assert (made.value, list(made.bounds)) == (value, pytest.approx(case["bounds"]))


def test_every_switch_profile_and_mismatch_has_an_entry():
    text = (DOCS / "scores.md").read_text("utf-8")
    shown = {about for about, _ in score_examples()}
    assert set(SWITCHES) - shown == {
        "abstain-turns",
        "dispatch",
        "responses",
        "answers",
    }  # docs/dialogues.md has those
    words = [*(f"### `{switch}`" for switch in SWITCHES), *(f"`{name}`" for name in PROFILES)]
    words += [f"`{why}`" for why in Why if why is not Why.MATCHED]
    assert [word for word in words if word not in text] == []


def test_readme_excerpts_are_what_the_commands_print():
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    printed = render_audit(audit(), "text")
    excerpt = re.search(r"```text\n(\* The overall.*?)\n```", readme, re.DOTALL).group(1)
    assert excerpt in printed


def test_readme_python_runs():
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.DOTALL))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_readme_check_example_prints_a_verdict():
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    line = re.search(r"echo '(.*?)' \| faircall check", readme).group(1)
    command = [sys.executable, "-m", "faircall.cli", "check"]
    done = subprocess.run(command, input=line, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["reason"] == "truncated"


def provider_examples():
    text = (DOCS / "providers.md").read_text("utf-8")
    return [json.loads(block) for block in re.findall(r"```json example\n(.*?)\n```", text, re.DOTALL)]


@pytest.mark.parametrize("case", provider_examples(), ids=lambda case: case["id"])
def test_provider_example(case):
    for decoder in ("auto", "tool-calls"):
        found = check(case["output"], tools=case["tools"], expected=case["expected"], decoder=decoder)
        assert found.outcome == "pass", found.message
    assert check(case["output"], tools=case["tools"], expected=[]).outcome == "fail"


def test_every_provider_has_an_example():
    assert len({case["id"] for case in provider_examples()}) == 11


def provider_code():
    text = (DOCS / "providers.md").read_text("utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("code", provider_code(), ids=["streams", "functions", "validation", "writing"])
def test_providers_python_runs(code):
    if "def ride" in code or "validate" in code:
        for name in ("pydantic", "docstring_parser", "jsonschema"):
            pytest.importorskip(name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_links_between_pages_lead_somewhere():
    for page in [DOCS.parent / "README.md", *DOCS.glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", ["scorers.md", "scorecard.md"])
def test_scorecards_are_of_the_present_cases(page):
    cases = make_cases(read_bases().entries)
    shown = set(re.findall(r"entries:built-in\|cases:(\S+?)\|", (DOCS / page).read_text("utf-8")))
    assert shown == {f"{len(cases)}#{hash_cases(cases)}"}, (
        "run: python benchmarks/scorers/make_scorecard.py FOLDER"
    )


def blocks_of_testing_page(head):
    text = (DOCS / "testing.md").read_text("utf-8")
    return re.findall(rf"```{re.escape(head)}\n(.*?\n)```", text, re.DOTALL)


@pytest.mark.parametrize(("about", "code"), [("assert", 1), ("cases", 0)])
def test_a_suite_of_the_testing_page_prints_what_it_says(about, code, tmp_path):
    [suite] = blocks_of_testing_page(f"python {about}")
    (tmp_path / f"test_{about}.py").write_text(suite, "utf-8")
    # Loaded by its name where it is installed, else by its module.
    plugin = "faircall" if entry_points(group="pytest11", name="faircall") else PLUGIN
    command = [sys.executable, "-m", "pytest", "-p", plugin, "--color=no", "--faircall-min", "0.75"]
    command = command if about == "cases" else command[:-2]
    environment = {**os.environ, "COLUMNS": "80", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert [block for block in blocks_of_testing_page(f"text {about}") if block not in done.stdout] == []


def test_the_command_of_the_testing_page_prints_what_it_says(tmp_path):
    [cases], [line], [said] = map(
        blocks_of_testing_page, ("jsonl cases.jsonl", "console check", "text check")
    )
    (tmp_path / "cases.jsonl").write_text(cases, "utf-8")
    program, *words = line.split()
    assert program == "faircall"
    command = [sys.executable, "-m", "faircall.cli", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert len(done.stdout.splitlines()) == len(cases.splitlines())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.jsonl", "junit.xml", "summary.md"]


def test_the_workflow_and_the_hook_of_the_testing_page_are_valid():
    [workflow], [hook] = blocks_of_testing_page("yaml workflow"), blocks_of_testing_page("yaml hook")
    steps = yaml.safe_load(workflow)["jobs"]["check"]["steps"]
    commands = [shlex.split(step["run"]) for step in steps if "run" in step]
    [check_words] = [words for words in commands if words[:2] == ["faircall", "check"]]
    known = {option for parameter in app.commands["check"].params for option in parameter.opts}
    assert {word for word in check_words if word.startswith("-")} <= known
    [repo] = yaml.safe_load(hook)["repos"]
    offered = yaml.safe_load((DOCS.parent / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [each["id"] for each in repo["hooks"]] == [each["id"] for each in offered]


def test_the_interval_of_the_testing_page():
    low, high = proportion_confint(18, 20, method="wilson")
    words = f"with 20 cases, 18 right are {100 * low:.1f} to {100 * high:.1f} %"
    assert words in (DOCS / "testing.md").read_text("utf-8")
