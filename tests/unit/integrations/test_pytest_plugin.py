"""The plugin in suites of its own, each run as a user runs it: in a process, loaded by its entry point."""

from __future__ import annotations

import os
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[3]
SUITE = """
import os
import pytest

RIDE = {"name": "ride", "parameters": {"properties": {"to": {"type": "string"}}, "required": ["to"]}}
KEY = [{"ride": {"to": ["home"]}}]
RIGHT, WRONG, LOST = "[ride(to='home')]", "[ride(to='hom')]", "Error during inference: timeout"

def soft(case, *outputs, **options):
    return [case.check(output, tools=[RIDE], expected=KEY, **options).outcome for output in outputs]
"""
PARALLEL = pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "two-workers"])


@pytest.fixture
def run(pytester, monkeypatch):
    """Run pytest on a suite with this text, where the plugin is installed as pyproject.toml has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    site = pytester.mkdir("site") / "faircall_plugin-0.dist-info"
    site.mkdir()
    entry = project["entry-points"]["pytest11"]["faircall"]
    (site / "entry_points.txt").write_text(f"[pytest11]\nfaircall = {entry}\n", "utf-8")
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: faircall-plugin\nVersion: 0\n", "utf-8")
    path = [str(site.parent), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run_suite(text, *arguments):
        pytester.makepyfile(test_suite=SUITE + text)
        return pytester.runpytest_subprocess("--color=no", *arguments)

    return run_suite


def summary_of(done):
    """The plugin's part of what pytest prints."""
    text = done.stdout.str()
    found = re.search(r"\n=+ faircall =+\n(.*?)\n(?:=|\d+ passed)", text, re.DOTALL)
    return found.group(1).splitlines() if found else None


MIXED = """
@pytest.mark.faircall("rides")
@pytest.mark.parametrize("output", [RIGHT, RIGHT, WRONG, LOST, "[ride(to="])
def test_rides(faircall_case, output):
    soft(faircall_case, output)

def test_many(faircall_case):
    assert soft(faircall_case, RIGHT, WRONG) == ["pass", "fail"]

def test_hard():
    pass
"""


@PARALLEL
def test_cases_are_counted_and_fail_nothing_one_by_one(run, workers):
    done = run(MIXED, *workers)
    done.assert_outcomes(passed=7)
    assert done.ret == 0
    head, rides, many, *rest = summary_of(done)
    assert head.split() == ["group", "n", "pass", "fail", "void", "ABSTAINED", "MALFORMED", "CALLED", "ERROR"]
    assert rides.split() == ["rides", "5", "2", "2", "1", "0", "1", "3", "1"]
    assert many.split() == ["test_suite.py::test_many", "2", "1", "1", "0", "0", "0", "2", "0"]
    text = " ".join(rest)
    assert text.count("FAIL test_suite.py::") == 3
    assert text.count("VOID test_suite.py::") == 1
    # statsmodels 0.14: proportion_confint(3, 6, method="wilson") = (0.18761, 0.81239)
    assert "3 of 6 judged pass: 50.00 % (95 % interval 18.8-81.2); 1 void" in text
    assert re.fullmatch(
        r"bench:pytest\|data:none#[0-9a-f]{8}\|profile:fair-1\|decoder:auto\|n:7\|void:1\|ci:wilson95\|v:\S+",
        rest[-1],
    )


def test_the_summary_is_the_same_with_and_without_workers(run):
    assert summary_of(run(MIXED)) == summary_of(run(MIXED, "-n", "2", "-q"))


@PARALLEL
@pytest.mark.parametrize(("minimum", "code", "said"), [("0.5", 0, ": met"), ("0.51", 1, ": not met")])
def test_the_run_fails_where_too_few_pass(run, workers, minimum, code, said):
    done = run(MIXED, "--faircall-min", minimum, *workers)
    done.assert_outcomes(passed=7)
    assert done.ret == code
    assert f"--faircall-min {minimum} (of the judged){said}" in summary_of(done)[-1]


@PARALLEL
def test_nothing_judged_is_no_pass(run, workers):
    done = run("def test_hard(): pass", "--faircall-min", "0", *workers)
    assert done.ret == 1
    assert summary_of(done)[-1] == "--faircall-min 0.0 (of the judged): not met, nothing was judged"
    done = run("def test_void(faircall_case): soft(faircall_case, LOST)", "--faircall-min", "0", *workers)
    assert done.ret == 1
    assert "none of 1 could be judged: all are void" in summary_of(done)


@PARALLEL
def test_a_failing_test_fails_and_its_cases_count(run, workers):
    suite = "def test_it(faircall_case):\n    soft(faircall_case, RIGHT)\n    assert False"
    done = run(suite, "--faircall-min", "1", *workers)
    done.assert_outcomes(failed=1)
    assert done.ret == 1
    assert "1 of 1 judged pass" in summary_of(done)[2]


@PARALLEL
def test_a_suite_that_does_not_use_it_sees_nothing(run, workers):
    done = run("def test_hard(): pass", *workers)
    assert done.ret == 0
    assert "faircall" not in re.sub(r"plugins: .*", "", done.stdout.str())


def test_without_the_plugin_assertions_work(run):
    suite = "from faircall.testing import assert_call\ndef test_it(): assert_call(RIGHT, tools=[RIDE], expected=KEY)"
    assert run(suite, "-p", "no:faircall").ret == 0


@pytest.mark.parametrize("option", ["--collect-only", "--setup-plan", "--fixtures", "--markers"])
def test_where_no_test_is_run_nothing_is_asked_for(run, option):
    done = run(MIXED, option, "--faircall-min", "1")
    assert done.ret == 0
    assert summary_of(done) is None


@PARALLEL
def test_no_tests_at_all_stay_what_they_are(run, workers):
    done = run("", "--faircall-min", "0.5", *workers)
    assert done.ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("share", ["1.5", "nan", "most"])
def test_a_bad_share_is_one_line(run, share):
    done = run(MIXED, "--faircall-min", share)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    [line] = done.stderr.str().strip().splitlines()
    assert line.startswith("ERROR: --faircall-min takes a share from 0 to 1")


def test_a_worker_that_dies_does_not_lose_cases_in_silence(run):
    suite = """
def test_dies(faircall_case):
    soft(faircall_case, RIGHT, RIGHT)
    os._exit(3)

def test_lives(faircall_case):
    soft(faircall_case, RIGHT)
"""
    done = run(suite, "-n", "1", "--faircall-min", "0.1")
    assert done.ret == 1
    summary = summary_of(done)
    assert (
        "LOST test_suite.py::test_dies: its process died; cases that it recorded are not counted" in summary
    )
    assert any(line.startswith("1 of 1 judged pass") for line in summary)
    assert summary[-1] == "--faircall-min: not met, cases are lost"


def test_markers_of_class_and_test_go_together(run):
    suite = """
@pytest.mark.faircall("protocols", decoder="hermes")
class TestProtocols:
    def test_hermes(self, faircall_case):
        assert soft(faircall_case, RIGHT) == ["fail"]

    @pytest.mark.faircall(decoder="python")
    def test_python(self, faircall_case):
        assert soft(faircall_case, RIGHT) == ["pass"]
        assert soft(faircall_case, RIGHT, decoder="hermes", id="again") == ["fail"]
"""
    done = run(suite, "--strict-markers", "-W", "error")
    assert done.ret == 0
    _, row, *rest = summary_of(done)
    assert row.split()[:5] == ["protocols", "3", "1", "2", "0"]
    assert "case again: foreign-format" in " ".join(rest)
    assert "|decoder:hermes,python|" in rest[-1]


@pytest.mark.parametrize("marker", ['group="a", decode="x"', '"a", "b"', "group=5"])
def test_a_wrong_marker_is_named(run, marker):
    done = run(f"@pytest.mark.faircall({marker})\ndef test_it(faircall_case): pass")
    done.assert_outcomes(errors=1)
    assert "the marker `faircall` takes a group and decoder, profile, language" in done.stdout.str()


@PARALLEL
def test_what_a_model_wrote_gives_the_terminal_no_orders(run, workers):
    suite = r"""
def test_it(faircall_case):
    faircall_case.check("[ride(to='\x1b[31m\ud83d\x07')]", tools=[RIDE], expected=KEY, id="\x1b]0;\ud83d")
"""
    done = run(suite, *workers)
    assert done.ret == 0
    summary = " ".join(summary_of(done))
    assert r"case \x1b]0;\ud83d: wrong-value" in summary
    assert "\x1b" not in summary


def test_many_failures_are_counted_and_all_are_shown_where_asked_for(run):
    suite = "def test_it(faircall_case): soft(faircall_case, *[WRONG] * 12)"
    assert "and 2 more fail; -v shows all" in summary_of(run(suite))
    assert sum(line.startswith("FAIL") for line in summary_of(run(suite, "-v"))) == 12


@PARALLEL
def test_subtests_keep_their_cases(run, workers):
    if not find_spec("_pytest.subtests"):
        pytest.skip("this pytest has no subtests")
    suite = """
def test_it(faircall_case, subtests):
    for output in (RIGHT, WRONG, RIGHT):
        with subtests.test(output=output):
            soft(faircall_case, output)
"""
    assert summary_of(run(suite, *workers))[1].split()[1:4] == ["3", "2", "1"]


RERUN = """
from pathlib import Path

def test_it(faircall_case):
    soft(faircall_case, WRONG)
    first = not Path("ran").exists()
    Path("ran").touch()
    assert not first
"""


@PARALLEL
def test_a_test_that_is_run_again_counts_by_its_last_run(run, workers):
    pytest.importorskip("pytest_rerunfailures")
    done = run(RERUN, "--reruns", "2", *workers)
    assert done.ret == 0
    assert "1 rerun" in done.stdout.str()
    assert summary_of(done)[1].split()[1:4] == ["1", "0", "1"]


def test_a_runner_that_reports_attempts_one_after_the_other(run, pytester):
    pytester.makeconftest(
        """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    while True:
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        for report in reports:
            if report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not failed:
            return True
"""
    )
    done = run(RERUN)
    assert done.ret == 0
    assert summary_of(done)[1].split()[1:4] == ["1", "0", "1"]


def test_each_worker_s_cases_count_where_each_runs_every_test(run):
    done = run("def test_it(faircall_case): soft(faircall_case, RIGHT)", "--dist", "each", "--tx", "2*popen")
    assert done.ret == 0
    assert any(line.startswith("2 of 2 judged pass") for line in summary_of(done))


def test_a_failed_assertion_shows_the_call_and_none_of_faircall_s_own_lines(run):
    suite = """
from faircall.testing import assert_call

def test_it():
    assert_call(WRONG, tools=[RIDE], expected=KEY)
"""
    done = run(suite)
    text = done.stdout.str()
    assert 'E       AssertionError: wrong-value: Expected `"home"`, got `"hom"` - at `$.args.to`' in text
    assert "testing.py" not in text
    assert re.findall(r"^(\S+\.py):\d+: AssertionError", text, re.MULTILINE) == ["test_suite.py"]
