"""Scorers run as commands: their verdicts, and what is written down when they misbehave."""

from __future__ import annotations

import sys
import time

import pytest

from faircall.errors import UsageError
from faircall.mutants import make_cases, read_bases
from faircall.mutants.cases import HOSTILE
from faircall.trials import Trial, run_trial, tally

CASES = make_cases(read_bases().entries)
PLAIN = [case for case in CASES if case.rule != HOSTILE]
HOSTILES = [case for case in CASES if case.rule == HOSTILE]
READ = """
import json, sys
sys.setrecursionlimit(2000)
def verdict(id_, outcome):
    print(json.dumps({"id": id_, "outcome": outcome}), flush=True)
lines = [json.loads(line) for line in sys.stdin]
"""


def trial_of(code, cases, *, timeout_s=60):
    return run_trial([sys.executable, "-c", READ + code], cases, scorer="toy", timeout_s=timeout_s)


def test_verdicts_may_come_in_any_order_with_other_keys():
    code = (
        "for line in reversed(lines): print(json.dumps({'outcome': 'fail', 'score': 0.5, 'id': line['id']}))"
    )
    trial = trial_of(code, PLAIN)
    assert trial.outcomes == {case.id: "fail" for case in PLAIN}
    assert trial.troubles == ()


def test_a_scorer_that_stops_midway_loses_the_rest_and_it_is_said():
    code = """
for line in lines[:10]: verdict(line['id'], 'pass')
sys.exit('out of luck')
"""
    trial = trial_of(code, PLAIN)
    assert list(trial.outcomes) == [case.id for case in PLAIN[:10]]
    assert trial.ending == "the command ended with exit code 1: out of luck"
    assert sum(found.lost for found in tally(trial).values()) >= len(PLAIN) - 10


def test_a_scorer_that_hangs_is_stopped_with_what_it_has_started():
    code = """
import subprocess
verdict(lines[0]['id'], 'pass')
subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])
"""
    start = time.monotonic()
    trial = trial_of(code, PLAIN[:3], timeout_s=2)
    assert time.monotonic() - start < 60
    assert list(trial.outcomes) == [PLAIN[0].id]
    assert trial.ending == "the command was stopped after 2 s"


def test_a_scorer_that_floods_is_stopped():
    trial = trial_of("while True: print('x' * 1_000_000)", PLAIN[:1])
    assert trial.ending.startswith("the command was stopped after 64 MB of output")


def test_lines_that_are_no_verdicts_are_counted():
    code = """
for line in lines: verdict(line['id'], 'pass')
print('warning: deprecated')
print('[1]')
print(json.dumps({'id': lines[0]['id'], 'outcome': 'good'}))
print(json.dumps({'id': lines[0]['id'], 'outcome': ['pass']}))
print(json.dumps({'id': 'nobody', 'outcome': 'pass'}))
print(json.dumps({'id': 7, 'outcome': 'pass'}))
verdict(lines[1]['id'], 'fail')
"""
    trial = trial_of(code, PLAIN[:4])
    assert set(trial.outcomes) == {PLAIN[0].id, PLAIN[2].id, PLAIN[3].id}
    twice, unknown, garbled = trial.troubles
    assert (": 1, the first `" in twice.what, twice.about) == (True, (PLAIN[1].id,))
    assert (": 2, the first `nobody`" in unknown.what, unknown.about) == (True, ("nobody", "7"))
    assert ": 4, the first `warning: deprecated`" in garbled.what


def test_a_scorer_that_evaluates_what_it_reads_is_found_out():
    code = """
import builtins
class Names(dict):
    def __missing__(self, name):
        if hasattr(builtins, name): raise KeyError(name)
        return lambda **arguments: None
for line in lines:
    output = line['output']
    try:
        eval(output if isinstance(output, str) else list(output[0].values())[0], {}, Names())
    except BaseException:
        pass
    verdict(line['id'], 'fail')
"""
    cases = [case for case in HOSTILES if "deep" not in case.id]
    trial = trial_of(code, cases)
    evaluated = {about for trouble in trial.hostile if trouble.evaluated for about in trouble.about}
    assert {
        "ferry/S413-sum/python",
        "ferry/S413-call/python",
        "ferry/S413-expression/tool-calls",
    } <= evaluated
    assert "ferry/S413-value/tool-calls" not in evaluated


def test_a_crash_on_a_hostile_text_costs_that_verdict_alone():
    code = """
for line in lines:
    if '/S413-nul/' in line['id']: sys.exit('cannot read this')
    verdict(line['id'], 'fail')
"""
    trial = trial_of(code, CASES)
    lost = [case.id for case in CASES if case.id not in trial.outcomes]
    assert lost == ["ferry/S413-nul/python"]
    [trouble] = trial.hostile
    assert (trouble.about, trouble.evaluated) == (("ferry/S413-nul/python",), False)
    assert "exit code 1: cannot read this" in trouble.what
    assert trial.troubles == ()


def test_a_scorer_that_reads_nothing_is_no_broken_pipe():
    trial = run_trial([sys.executable, "-c", ""], PLAIN, scorer="toy", timeout_s=60)
    assert trial.outcomes == {}
    assert trial.ending == "the command ended with exit code 0"


@pytest.mark.parametrize("command", ["no-such-program-here", "/nowhere/scorer", "./pyproject.toml"])
def test_what_cannot_be_run_is_refused(command):
    with pytest.raises(UsageError):
        run_trial([command], PLAIN, scorer="toy", timeout_s=60)


def test_standings():
    key, mutant = PLAIN[0], next(case for case in PLAIN if case.rule == "S404")
    twin = next(case for case in PLAIN if case.rule == "S403" and case.key == key.id)
    error = next(case for case in PLAIN if case.wanted == "void")

    def standing(case, **outcomes):
        return Trial("toy", tuple(PLAIN), {**outcomes}).standing(case)

    assert standing(key, **{key.id: "pass"}) == "right"
    assert standing(key, **{key.id: "void"}) == "void"
    assert standing(key) == "lost"
    assert standing(mutant, **{mutant.key: "pass", mutant.id: "pass"}) == "wrong"
    assert standing(mutant, **{mutant.key: "pass", mutant.id: "fail"}) == "right"
    assert standing(twin, **{key.id: "pass", twin.id: "pass"}) == "right"
    assert standing(twin, **{key.id: "pass", twin.id: "fail"}) == "wrong"
    # What is made of a key that does not pass says nothing, whatever the verdict on it is.
    for verdict in ("fail", "void"):
        assert standing(twin, **{key.id: verdict, twin.id: "fail"}) == "void"
        assert standing(mutant, **{mutant.key: verdict, mutant.id: "pass"}) == "void"
    assert standing(twin, **{twin.id: "pass"}) == "void"
    assert standing(twin, **{key.id: "pass"}) == "lost"
    # Not to judge an error of the harness is no fault, and counts apart like any other case that is not judged.
    assert standing(error, **{error.id: "void"}) == "void"
    assert standing(error, **{error.id: "fail"}) == "right"
    assert standing(error, **{error.id: "pass"}) == "wrong"
