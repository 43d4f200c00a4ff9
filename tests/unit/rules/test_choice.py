"""Which rules are run, which findings are known, in what order they come, and how they are reproduced."""

from __future__ import annotations

import json
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall import audit
from faircall.errors import InputError, UsageError
from faircall.rules import all_rules
from faircall.rules.choice import choose, known_as, write_baseline
from faircall.rules.register import fill_words, rank_findings
from faircall.types import Finding, Severity


def finding(rule="R201", points=None, severity=Severity.ERROR, subject="Kite", **evidence):
    return Finding(rule, "malformed-credited", severity, subject, "It is so.", evidence, points=points)


@pytest.mark.parametrize(
    ("select", "ignore", "taken"),
    [
        ([], [], {"B001", "R201", "R206"}),
        (["R"], [], {"R201", "R206"}),
        (["r2"], ["R206"], {"R201"}),
        (["R201", "B"], [], {"B001", "R201"}),
        (["malformed-credited"], [], {"R201"}),
        ([], ["malformed-credited", "B"], {"R206"}),
        (["R201"], ["R"], set()),
    ],
)
def test_rules_are_chosen_by_id_beginning_and_slug(select, ignore, taken):
    choice = choose(select, ignore)
    assert {id_ for id_ in ("B001", "R201", "R206") if choice.takes(all_rules()[id_])} == taken


@pytest.mark.parametrize("word", ["X", "R9", "R2011", "malformed", "", "R201 "])
def test_what_names_no_rule_is_refused(word):
    with pytest.raises(UsageError, match="no rule is called"):
        choose([word])


def test_a_slip_of_the_pen_is_answered_with_the_rule():
    with pytest.raises(UsageError, match="did you mean malformed-credited"):
        choose(["malformd-credited"])


def test_a_baseline_leaves_out_what_it_has_until_the_figures_change(tmp_path):
    file = tmp_path / "known.jsonl"
    write_baseline([finding(malformed=3)], file)
    assert json.loads(file.read_text())["message"] == "It is so."
    choice = choose(baseline=file)
    assert choice.sift([finding(malformed=3)]) == ((), (finding(malformed=3),))
    assert choice.sift([finding(malformed=3, where="other.jsonl:9")])[0] == ()
    for other in (finding(malformed=4), finding(malformed=3, subject="Heron"), finding("R202", malformed=3)):
        assert choice.sift([other]) == ((other,), ())


def test_an_empty_baseline_knows_nothing(tmp_path):
    file = tmp_path / "known.jsonl"
    write_baseline([], file)
    assert choose(baseline=file).known == frozenset()


def test_a_baseline_that_is_none_is_refused_with_its_line(tmp_path):
    file = tmp_path / "known.jsonl"
    file.write_text('{"rule": "R201"}\n')
    with pytest.raises(InputError, match=r"known.jsonl:1: not a known finding .* --write-baseline"):
        choose(baseline=file)
    with pytest.raises(InputError, match="nowhere"):
        choose(baseline=tmp_path / "nowhere")


def test_the_whole_audit_can_be_known(tmp_path):
    report = audit()
    write_baseline(report.findings, tmp_path / "known")
    again = audit(choice=choose(baseline=tmp_path / "known"))
    assert (again.findings, again.known) == ((), report.findings)
    assert again.conclusion == report.conclusion


@given(st.lists(st.tuples(st.sampled_from(["B001", "B002", "R201"]), st.none() | st.floats(0, 100))))
def test_findings_of_a_rule_stay_together_by_points(pairs):
    ranked = rank_findings([finding(rule, points) for rule, points in pairs], additive=False)
    rules = [one.rule for one in ranked]
    blocks = [rule for place, rule in enumerate(rules) if not place or rules[place - 1] != rule]
    assert len(blocks) == len(set(blocks))
    for rule in blocks:
        points = [one.points or 0.0 for one in ranked if one.rule == rule]
        assert points == sorted(points, reverse=True)
    tops = [max(one.points or 0.0 for one in ranked if one.rule == rule) for rule in blocks]
    assert tops == sorted(tops, reverse=True)


def test_what_adds_up_is_ranked_by_its_sum():
    here, there = {"category": "multiple"}, {"category": "parallel"}
    findings = [finding("B001", 3), finding("R201", 2, **here), finding("R201", 2, **there)]
    assert [one.rule for one in rank_findings(findings, additive=True)] == ["R201", "R201", "B001"]
    assert [one.rule for one in rank_findings(findings, additive=False)] == ["B001", "R201", "R201"]
    once = [finding("B001", 3), finding("R201", 2, **here), finding("R201", 2, **here)]
    assert [one.rule for one in rank_findings(once, additive=True)] == ["B001", "R201", "R201"]


def test_words_are_quoted_for_a_shell():
    words = {"BOARD": "my board; rm -rf x", "MODEL": ""}
    assert (
        fill_words("faircall audit BOARD --select B001", words)
        == "faircall audit 'my board; rm -rf x' --select B001"
    )
    assert fill_words("faircall audit BOARD MODEL", {"MODEL": ""}) == "faircall audit BOARD"


def test_what_tells_findings_apart_is_the_same_for_the_same_evidence():
    assert known_as(finding(a=1, b=2)) == known_as(finding(a=1, b=2)) != known_as(finding(a=1, b=3))


@pytest.mark.parametrize(
    "value", ["plain", "a b", "it's", "$(touch x)", "a\tb\nc", "\x1b[31m", "ü", "back\\slash\x07"]
)
def test_a_command_gives_a_shell_the_very_words(value):
    command = fill_words("printf %s MODEL", {"MODEL": value})
    assert command.isprintable()
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout == value


def test_a_path_that_looks_like_an_option_is_written_as_a_path():
    assert fill_words("faircall lint SUITE", {"SUITE": "-x.jsonl"}) == "faircall lint ./-x.jsonl"
    assert fill_words("faircall lint SUITE", {"SUITE": "-"}) == "faircall lint -"
