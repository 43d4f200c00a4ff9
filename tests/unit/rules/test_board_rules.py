"""The board family of the register: its examples, its ids, and what each rule reports on made-up boards."""

from __future__ import annotations

import re

import pytest

from faircall.board import read_snapshot, rebuild
from faircall.composition import load_recipe
from faircall.errors import UsageError
from faircall.rules import all_rules, find_rule
from faircall.rules import board_examples as examples
from faircall.rules.board import BOARD_RULES, inspect_board
from faircall.rules.board_subject import read_example
from faircall.types import Severity

SNAPSHOT = inspect_board(rebuild(read_snapshot(), load_recipe()))


def report(rule: str, text: str):
    return find_rule(rule).run(read_example(text))


def row(*cells):
    """A line of name, score, non-live, live, irrelevance, multi-turn, agentic (both halves), relevance."""
    return ",".join([*cells[:7], *cells[6:]]) + "\n"


class TestRegister:
    @pytest.mark.parametrize("rule", BOARD_RULES, ids=lambda rule: rule.id)
    def test_the_bad_example_is_reported_and_the_good_one_is_not(self, rule):
        assert rule.run(rule.read(rule.bad))
        assert not rule.run(rule.read(rule.good))

    @pytest.mark.parametrize("rule", BOARD_RULES, ids=lambda rule: rule.id)
    def test_every_finding_says_what_it_does_not_claim(self, rule):
        for finding in rule.run(rule.read(rule.bad)):
            assert (finding.rule, finding.slug, finding.severity) == (rule.id, rule.slug, rule.severity)
            assert finding.not_claimed == rule.not_claimed
            assert finding.message.endswith(".")
            assert finding.message[0].isupper() or finding.message[0].isdigit()
            assert finding.subject
            assert finding.evidence

    def test_ids_and_slugs_are_well_formed_and_their_own(self):
        assert [rule.id for rule in BOARD_RULES] == [
            f"B{place:03}" for place in range(1, len(BOARD_RULES) + 1)
        ]
        slugs = [rule.slug for rule in BOARD_RULES]
        assert len(set(slugs)) == len(slugs)
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", slug) for slug in slugs)
        for rule in BOARD_RULES:
            assert rule.claim.endswith(".")
            assert rule.wrong_if

    def test_a_rule_is_found_by_id_or_slug(self):
        assert find_rule("b002") is find_rule("lost-calls-credited") is all_rules()["B002"]
        with pytest.raises(UsageError, match="no rule `B999`"):
            find_rule("B999")

    def test_findings_are_ordered_by_the_points_of_their_rule(self):
        points = [finding.points or 0.0 for finding in SNAPSHOT]
        heaviest = {}
        for finding, value in zip(SNAPSHOT, points, strict=True):
            heaviest.setdefault(finding.rule, value)
        assert list(heaviest.values()) == sorted(heaviest.values(), reverse=True)
        assert points[0] == 24.04
        assert {finding.severity for finding in SNAPSHOT} == set(Severity)


class TestOnTheRealBoard:
    def test_exactly_three_rows_lose_their_calls(self):
        found = {finding.subject: finding.evidence["share"] for finding in SNAPSHOT if finding.rule == "B002"}
        assert {name: round(share) for name, share in found.items()} == {
            "Ministral-8B-Instruct-2410 (FC)": 90,
            "Falcon3-1B-Instruct (FC)": 79,
            "Llama-3.1-Nemotron-Ultra-253B-v1 (FC)": 100,
        }

    def test_the_stated_recipe(self):
        (finding,) = [finding for finding in SNAPSHOT if finding.rule == "B001"]
        assert finding.evidence["rows_matching"] == {"stated": 0, "actual": 109}
        assert finding.evidence["worst"]["gap"] == 24.04

    def test_the_control(self):
        (finding,) = [finding for finding in SNAPSHOT if finding.rule == "B007"]
        assert finding.severity is Severity.NOTE
        assert [round(end, 1) for end in finding.evidence["share"]] == [10.9, 13.4]
        assert finding.evidence["relevance"] == [62.5, 93.75]
        assert finding.evidence["lost_calls"] == []
        assert "10.9 to 13.4 %" in finding.message
        assert "62 to 94 %" in finding.message

    def test_a_model_that_calls_stands_below_two_that_do_not(self):
        found = {finding.subject: finding.evidence for finding in SNAPSHOT if finding.rule == "B005"}
        above = [other["model"] for other in found["Llama-3.2-1B-Instruct (FC)"]["above"]]
        assert above == ["Ministral-8B-Instruct-2410 (FC)", "Falcon3-1B-Instruct (FC)"]

    def test_nothing_is_reported_that_is_not_there(self):
        assert not {finding.rule for finding in SNAPSHOT} & {
            "B003",
            "B004",
            "B009",
            "B010",
            "B011",
            "B012",
            "B013",
        }


class TestLostCalls:
    @pytest.mark.parametrize(
        ("irrelevance", "relevance", "reported"),
        [("100%", "0%", True), ("75%", "0.00%", True), ("74.9%", "0%", False), ("100%", "6.25%", False)],
    )
    def test_relevance_0_with_high_irrelevance(self, irrelevance, relevance, reported):
        text = examples.SOUND + row("X", "10%", "0%", "0%", irrelevance, "0%", "0%", relevance)
        assert bool(report("B002", text)) is reported

    @pytest.mark.parametrize(("irrelevance", "relevance"), [("N/A", "0%"), ("100%", "N/A")])
    def test_what_is_not_measured_is_not_lost(self, irrelevance, relevance):
        text = examples.SOUND + row("X", "10%", "0%", "0%", irrelevance, "0%", "0%", relevance)
        assert not report("B002", text)

    def test_it_does_not_depend_on_the_recipe(self):
        rows = examples.NO_RECIPE + row("X", "99%", "0%", "0%", "100%", "0%", "0%", "0%")
        (finding,) = report("B002", rows)
        assert finding.evidence["share"] is None


class TestGaps:
    def test_a_gap_below_a_printed_block_is_found(self):
        """A block that was not run at all is printed as 0.00 % over parts that are N/A."""
        parts = (
            "Multi Turn Base",
            "Multi Turn Miss Func",
            "Multi Turn Miss Param",
            "Multi Turn Long Context",
        )
        head, *lines = (
            examples.SOUND + row("Half", "36%", "80%", "70%", "90%", "0%", "30%", "75%")
        ).splitlines()
        full = [f"{line},{','.join([line.split(',')[5]] * 4)}" for line in lines[:-1]]
        text = "\n".join([",".join([head, *parts]), *full, f"{lines[-1]},N/A,N/A,N/A,N/A"])
        (finding,) = report("B003", text)
        assert finding.subject == "Half"
        assert finding.evidence["bounds"] == [36.0, 66.0]
        assert len(finding.evidence["missing"]) == 4

    def test_a_part_of_a_block_that_was_not_run(self):
        """One memory setting of three, as 0: half of 40 % times two thirds lost."""
        head, *lines = examples.SOUND.splitlines()
        head += ",Memory KV,Memory Vector,Memory Recursive Summarization"
        full = [f"{line},{','.join([line.split(',')[7]] * 3)}" for line in lines]
        score = 8 + 7 + 9 + 15 + 0.4 * (40 + (30 + 30 + 0) / 3) / 2
        gap = f"Half,{score:.2f},80%,70%,90%,50%,40%,N/A,75%,30%,30%,N/A"
        (finding,) = report("B003", "\n".join([head, *full, gap]))
        assert finding.evidence["missing"] == ["memory_rec_sum"]
        assert "memory-rec-sum" in finding.message

    def test_a_gap_that_explains_nothing_is_said_without_a_claim(self):
        text = examples.SOUND + row("Half", "45%", "80%", "70%", "90%", "N/A", "30%", "75%")
        assert not report("B003", text)
        (finding,) = report("B004", text)
        assert "cannot be rebuilt" in finding.message

    def test_a_row_without_a_score_has_nothing_to_explain(self):
        text = examples.SOUND + row("Half", "N/A", "80%", "70%", "90%", "N/A", "30%", "75%")
        assert not report("B003", text)
        assert not report("B004", text)

    def test_na_outside_the_score_is_no_gap(self):
        text = examples.SOUND.replace("75.00%\n", "N/A\n")
        assert not report("B003", text)
        assert not report("B004", text)

    def test_a_board_of_one_row_that_was_run_in_part(self):
        text = examples.HEAD + row("Half", "24%", "80%", "70%", "90%", "N/A", "N/A", "75%")
        (finding,) = report("B003", text)
        assert finding.evidence["bounds"] == [24.0, 94.0]


class TestOrder:
    def test_a_row_that_is_ahead_on_merit_overtakes_nobody(self):
        text = examples.MUTE + row("Robin", "7.60", "0%", "0%", "76%", "0%", "0%", "50%")
        assert not report("B005", text)

    def test_a_row_that_never_calls_is_not_called_overtaken(self):
        text = examples.OVERTAKEN.replace("56.25%", "0.00%")
        assert not report("B005", text)

    def test_the_control_names_a_leader_that_has_the_pattern(self):
        (finding,) = report("B007", examples.MUTE)
        assert finding.evidence["lost_calls"] == ["Mute"]
        assert "1 of them has the pattern of B002 (Mute)" in finding.message

    def test_one_block_of_any_name(self):
        text = examples.SOUND + row("Solo", "31.00", "5%", "5%", "0%", "100%", "0%", "50%")
        (finding,) = report("B006", text)
        assert finding.evidence["block"] == "multi_turn"

    def test_equal_scores_may_have_ranks_in_any_order(self):
        text = (
            "Rank," + examples.HEAD + "2," + row("A", "50", *["50"] * 6) + "1," + row("B", "50", *["50"] * 6)
        )
        assert not report("B012", text)

    def test_models_missing_from_a_file(self):
        text = examples.TWO_TABLES.removesuffix("Wren,30.00%\n") + "Owl,10.00%\n"
        (finding,) = [each for each in report("B011", text) if each.subject == "example"]
        assert finding.evidence["models"] == ["Wren", "Owl"]


class TestLevels:
    def test_a_single_wrong_figure_is_laid_at_its_row(self):
        text = examples.LEVELS.replace("51.76%", "58.76%")
        (finding,) = report("B013", text)
        assert finding.subject == "Heron"
        assert finding.evidence["printed"] == 58.76
        assert finding.evidence["rebuilt"] == pytest.approx(51.762)

    def test_another_kind_of_average_is_named(self):
        (finding,) = report("B013", examples.OTHER_LEVELS)
        assert (finding.evidence["recipe"], finding.evidence["fits"]) == ("entries", "unweighted")
