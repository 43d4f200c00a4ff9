"""The report of an audit: its contract, its selections, its conclusion."""

from __future__ import annotations

import json

import msgspec
import pytest

import faircall
from faircall.auditing import AuditReport, audit
from faircall.errors import InputError, UsageError
from faircall.report.audits import render_json
from faircall.rules import board_examples as examples
from faircall.signature import parse_signature

REPORT = audit()


@pytest.fixture
def board(tmp_path):
    def write(text):
        path = tmp_path / "board.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


class TestContract:
    DOCUMENT = json.loads(render_json(REPORT))

    def test_the_keys_that_scripts_depend_on(self):
        assert self.DOCUMENT["board"].items() >= {"name": "bfcl-v4", "date": "2026-04", "models": 109}.items()
        assert (
            self.DOCUMENT["composition"].items()
            >= {
                "stated": "unweighted",
                "actual": {"non_live": 10, "live": 10, "hallucination": 10, "multi_turn": 30, "agentic": 40},
                "rows_matching": {"stated": 0, "actual": 109},
                "worst": {
                    "model": "Amazon-Nova-2-Lite-v1:0 (FC)",
                    "published": 27.1,
                    "unweighted": 51.14,
                    "gap": 24.04,
                },
            }.items()
        )
        for row in self.DOCUMENT["rows"]:
            assert row.keys() >= {
                "rank",
                "model",
                "published",
                "weighted",
                "unweighted",
                "irrelevance",
                "relevance",
                "irrelevance_share",
                "interval",
            }
        for finding in self.DOCUMENT["findings"]:
            assert finding.keys() >= {"rule", "slug", "severity", "subject", "message", "evidence"}
        assert self.DOCUMENT["signature"] == REPORT.signature

    def test_the_largest_difference_can_be_worked_out_again_from_the_rows(self):
        gaps = [abs(row["weighted"] - row["published"]) for row in self.DOCUMENT["rows"]]
        assert len(gaps) == 109
        assert round(max(gaps), 3) == self.DOCUMENT["composition"]["largest_difference"]["actual"] == 0.008

    def test_the_shares_of_the_three_rows_and_of_the_first_ten(self):
        shares = {row["model"]: row["irrelevance_share"] for row in self.DOCUMENT["rows"]}
        assert shares["Ministral-8B-Instruct-2410 (FC)"] == 90.09
        first = list(shares.values())[:10]
        assert (min(first), max(first)) == (10.94, 13.39)

    def test_the_weight_of_one_entry(self):
        categories = self.DOCUMENT["composition"]["categories"]
        assert len(categories) == 21
        assert categories["web_search_base"] == {"share": 10.0, "entries": 100, "per_entry": 0.1}
        assert sum(category["share"] for category in categories.values()) == pytest.approx(100, abs=0.01)

    def test_the_document_is_read_back_into_a_report(self):
        assert msgspec.json.decode(render_json(REPORT), type=AuditReport) == REPORT

    def test_the_signature(self):
        fields = parse_signature(REPORT.signature)
        assert list(fields) == ["board", "date", "rows", "recipe", "ci", "v"]
        assert fields["rows"] == f"109#{REPORT.board.hash}"
        assert fields["recipe"] == "bfcl-v4-weighted"

    def test_a_report_prints_its_conclusion_and_its_signature(self):
        assert str(REPORT).splitlines() == [*REPORT.conclusion, REPORT.signature]
        assert len(REPORT.conclusion) == 4

    def test_it_is_the_library_function(self):
        assert faircall.audit is audit


class TestSelection:
    def test_top_keeps_the_first_rows_and_every_finding(self):
        report = audit(top=3)
        assert [row.rank for row in report.rows] == [1, 2, 3]
        assert report.findings == REPORT.findings
        assert report.signature == REPORT.signature

    def test_more_than_there_are(self):
        assert len(audit(top=1000).rows) == 109

    def test_model_is_found_in_any_case_and_keeps_what_names_it(self):
        report = audit(model="mINISTRAL-8b")
        assert [row.model for row in report.rows] == ["Ministral-8B-Instruct-2410 (FC)"]
        assert {finding.rule for finding in report.findings} == {
            "B001",
            "B002",
            "B005",
            "B006",
            "B007",
            "B008",
            "B014",
        }
        assert len([finding for finding in report.findings if finding.rule == "B002"]) == 1

    def test_model_and_top_together(self):
        assert [row.rank for row in audit(model="claude", top=2).rows] == [1, 2]

    def test_an_unknown_model_is_answered_with_close_ones(self):
        with pytest.raises(UsageError, match="'Ministral-8B-Instruct-2410 \\(FC\\)'"):
            audit(model="ministrel-8b-instruct")

    @pytest.mark.parametrize("name", ["", "   ", "\x1b[2Jzzzz"])
    def test_a_name_that_names_nothing(self, name):
        with pytest.raises(UsageError) as caught:
            audit(model=name)
        assert str(caught.value).isprintable()

    @pytest.mark.parametrize("top", [0, -1])
    def test_top_is_at_least_one(self, top):
        with pytest.raises(UsageError, match="1 or more"):
            audit(top=top)


MADE = (
    examples.HEAD
    + """\
Kite,52.50%,80.00%,70.00%,90.00%,50.00%,40.00%,20.00%,75.00%
Heron,33.50%,60.00%,50.00%,80.00%,20.00%,10.00%,10.00%,87.50%
"""
)
"""Two rows weighted 15/15/10/30/30."""


class TestOtherBoards:
    def test_a_board_that_is_what_its_page_states(self, board):
        report = audit(board(examples.EVEN))
        assert report.composition.rows_matching == {"stated": 3, "actual": 3}
        assert set(report.composition.actual.values()) == {20}
        assert report.composition.recipe == "bfcl-v4-unweighted"
        assert "is as stated" in report.conclusion[0]
        assert not [finding for finding in report.findings if finding.rule == "B001"]
        assert (report.board.name, report.board.date) == ("board", None)

    def test_a_board_that_no_recipe_makes(self, board):
        report = audit(board(examples.NO_RECIPE))
        assert report.composition.actual is None
        assert report.composition.recipe == "unknown"
        assert report.composition.rows_matching == {"stated": 0, "actual": 0}
        assert "not known" in report.conclusion[0]
        assert "recipe:unknown" in report.signature

    def test_a_row_with_a_gap(self, board):
        row = audit(board(examples.NOT_RUN)).rows[1]
        assert (row.model, row.weighted, row.unweighted) == ("Half", None, None)
        assert row.bounds == (36.0, 66.0)
        assert len(row.missing) == 4
        assert row.blocks["multi_turn"] is None

    def test_a_board_with_nothing_to_compare(self, board):
        report = audit(board(examples.HEAD + "Half,24%,80%,70%,90%,N/A,N/A,N/A,75%\n"))
        assert report.composition.rows_compared == 0
        assert report.composition.worst is None
        assert "no score can be rebuilt" in report.conclusion[0]

    def test_another_recipe_is_named_in_the_signature(self, board, tmp_path):
        recipe = tmp_path / "next.toml"
        recipe.write_text('extends = "bfcl-v4"\nstated = "weighted"\n[score.parts]\nlive.weight = 50\n')
        report = audit(board(examples.SOUND), recipe=recipe)
        assert parse_signature(report.signature)["given"] == "next-weighted"

    def test_too_few_rows_are_said_to_be(self, board):
        report = audit(board(MADE))
        assert (report.composition.actual, report.composition.recipe) == (None, "unknown")
        assert "2 rows can be compared, too few to tell which recipe made the scores" in report.conclusion[0]
        assert "15/15/10/30/30" not in str(msgspec.to_builtins(report))
        (finding,) = [finding for finding in report.findings if finding.rule == "B010"]
        assert (finding.evidence["doubt"], finding.evidence["rows_needed"]) == ("few-rows", 8)

    def test_equal_ends_are_one_number(self, board):
        report = audit(board(examples.SOUND.replace("75.00%\n", "62.50%\n").replace("87.50%", "62.50%")))
        (line,) = [line for line in report.conclusion if "relevance is" in line]
        assert line.endswith("relevance is 62 %.")

    def test_errors_come_through(self, tmp_path):
        with pytest.raises(InputError):
            audit(tmp_path / "gone.csv")
        with pytest.raises(UsageError):
            audit(recipe="gone")

    @pytest.mark.shared
    def test_the_folder_and_the_snapshot_give_the_same_figures(self, shared):
        report = audit(shared / "data" / "board")
        assert report.rows == REPORT.rows
        assert report.board.hash == REPORT.board.hash
        assert [(each.rule, each.evidence) for each in report.findings] == [
            (each.rule, each.evidence) for each in REPORT.findings
        ]
