"""Reports of hostile and odd boards: aligned, one line a row, and nothing in them that is obeyed."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata

import pytest
from rich.cells import cell_len

from faircall.auditing import audit
from faircall.errors import UsageError
from faircall.report.audit_csv import guard
from faircall.report.audit_view import span
from faircall.report.audits import FORMATS, render_audit
from faircall.report.markdown import escape
from faircall.report.tables import Column, cell_width, clean, lay_out, pad, shorten, wrap
from faircall.rules import board_examples as examples

HOSTILE = [
    "=1+cmd|'/C calc'!A0",
    "a|b`c`",
    "\x1b[31mred\x1b[0m\x07",
    "大規模言語モデル (FC)",
    "model 😀👩‍👧",
    "e\u0301tude",
    "\u202egnp.exe",
    "<script>alert(1)</script>",
    "x" * 300,
    "line\nbreak\r\n| --- |",
    "@someone",
    "-1",
    "+1",
    'q"uo,te',
    "[a](https://example.org) **b** _c_",
    "\u200bzero",
    "\x9b2J",
    "ﾊﾝｶｸ",
]


@pytest.fixture
def hostile(tmp_path):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(examples.HEAD.strip().split(","))
    for place, name in enumerate(HOSTILE):
        # The second half has lost its calls, so that the names reach the findings and the conclusion too.
        cells = ["10.00%", "0%", "0%", "100%", "0%", "0%", "0%", "0%"]
        if place < len(HOSTILE) // 2:
            cells = ["51.00%", "80%", "70%", "90%", "50%", "40%", "20%", "75%"]
        writer.writerow([name, *cells])
    path = tmp_path / "board.csv"
    path.write_text(out.getvalue(), encoding="utf-8")
    return audit(path)


def wrapped_lines(text):
    """The lines of a report but for commands, which are never broken, and the signature."""
    return [line for line in text.rstrip("\n").split("\n")[:-1] if not line.lstrip().startswith("faircall ")]


class TestHostileNames:
    @pytest.mark.parametrize("width", [60, 80, 100, 160])
    def test_text_holds_nothing_that_a_terminal_obeys_and_keeps_its_width(self, hostile, width):
        text = render_audit(hostile, "text", width=width)
        hidden = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")}
        assert hidden == {"\n"}
        assert max(map(cell_len, wrapped_lines(text))) <= width

    def test_columns_stay_aligned(self, hostile):
        lines = render_audit(hostile, "text").split("\n")
        start = next(place for place, line in enumerate(lines) if line.startswith("ROWS")) + 2
        table = lines[start : lines.index("", start)]
        assert len(table) == len(HOSTILE) + 1
        assert len({cell_len(line) for line in table}) == 1

    def test_markdown_tables_keep_their_columns_and_no_markup_comes_out(self, hostile):
        markdown = render_audit(hostile, "markdown")
        rows = markdown.split("## Rows")[1].split("\n\n")[1].splitlines()
        assert len(rows) == len(HOSTILE) + 2
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {12}
        assert "<script" not in markdown
        assert "](https:" not in markdown
        assert not re.search(r"(?<!\\)\*\*b", markdown)
        assert "@someone" not in markdown

    def test_csv_has_a_row_for_each_model_and_no_formulas(self, hostile):
        rows = list(csv.DictReader(io.StringIO(render_audit(hostile, "csv"))))
        assert len(rows) == len(HOSTILE)
        assert {len(row) for row in rows} == {24}
        for row in rows:
            assert row["model"][0] not in "=+-@\t\r"
            assert row["signature"] == hostile.signature

    def test_json_is_valid_keeps_the_names_and_is_safe_to_print(self, hostile):
        text = render_audit(hostile, "json")
        assert {row["model"] for row in json.loads(text)["rows"]} == {name.strip() for name in HOSTILE}
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", text)
        text.encode("utf-8")


class TestViews:
    def test_every_format_carries_the_signature(self):
        report = audit()
        for name in FORMATS:
            assert report.signature in render_audit(report, name)

    def test_an_unknown_format(self):
        with pytest.raises(UsageError, match="no report format `yaml`"):
            render_audit(audit(top=1), "yaml")

    def test_csv_holds_all_rows_and_text_those_that_matter(self):
        report = audit()
        assert len(render_audit(report, "csv").splitlines()) == 110
        text = render_audit(report, "text")
        assert "Amazon-Nova-2-Lite-v1:0 (FC)     27.10" in text
        assert "Hammer2.1-7b (FC)" not in text
        assert "Hammer2.1-7b (FC)" in render_audit(audit(top=109), "text")

    def test_one_model_is_shown_in_full(self):
        text = render_audit(audit(model="ministral-8b"), "text")
        assert "blocks: non-live 0.00, live 0.00, hallucination 100.00, multi-turn 0.00, agentic 2.76" in text
        assert "cannot be told apart" in text

    @pytest.mark.parametrize("width", [1, 60, 75, 100])
    def test_no_line_is_too_long(self, width):
        text = render_audit(audit(), "text", width=width)
        assert max(map(cell_len, wrapped_lines(text))) <= max(60, width)

    def test_a_missing_figure_is_a_dash_and_an_empty_cell(self, tmp_path):
        path = tmp_path / "board.csv"
        path.write_text(examples.NOT_RUN)
        report = audit(path)
        (line,) = [line for line in render_audit(report, "text").split("\n") if line.startswith("2 Half")]
        assert line.split() == [
            "2",
            "Half",
            "36.00",
            "-",
            "-",
            "90.00",
            "75.00",
            "0.65",
            "25.0",
            "bounds",
            "36.00-66.00",
            "-",
        ]
        for form in ("text", "markdown"):
            assert "no interval: the score with what is missing at 0 and at 100" in render_audit(report, form)
            assert "no interval" not in render_audit(audit(), form)
        assert "| bounds 36.00-66.00 |" in render_audit(report, "markdown")
        (row,) = [
            row for row in csv.DictReader(io.StringIO(render_audit(report, "csv"))) if row["model"] == "Half"
        ]
        assert (row["weighted"], row["block_multi_turn"], row["interval_low"]) == ("", "", "")
        assert (row["interval_high"], row["bounds_low"], row["bounds_high"]) == ("", "36.0", "66.0")
        assert "multi_turn_base" in row["missing"]
        others = [
            row for row in csv.DictReader(io.StringIO(render_audit(report, "csv"))) if row["interval_low"]
        ]
        assert {row["bounds_low"] for row in others} == {""}

    def test_a_span_without_width_is_one_number(self):
        assert (span((62.001, 62.004)), span((-0.5, 0.5)), span(None)) == ("62.00", "-0.50 to 0.50", "-")

    def test_many_subjects_of_one_rule_are_cut_in_text_alone(self, tmp_path):
        rows = [f"Mute {place},10%,0%,0%,100%,0%,0%,0%,0%\n" for place in range(20)]
        path = tmp_path / "board.csv"
        path.write_text(examples.HEAD + "".join(rows))
        report = audit(path)
        assert "and 8 more; --format json lists them all" in render_audit(report, "text")
        assert render_audit(report, "json").count('"B002"') == 20


class TestTables:
    @pytest.mark.parametrize(
        ("text", "cleaned"),
        [
            ("a\x1bb", "a\\x1bb"),
            ("a\u202eb", "a\\u202eb"),
            ("a\U000e0001b", "a\\U000e0001b"),
            ("\ud800", "\\ud800"),
            ("né 模", "né 模"),
        ],
    )
    def test_clean(self, text, cleaned):
        assert clean(text) == cleaned

    @pytest.mark.parametrize("width", range(1, 14))
    @pytest.mark.parametrize("text", ["abcdefghijkl", "模型模型模型", "e\u0301" * 12, "a模b型c模d型"])
    def test_a_shortened_text_fits_and_keeps_both_ends(self, text, width):
        short = shorten(text, width)
        assert cell_width(short) <= width
        if cell_width(text) <= width:
            assert short == text
        elif width > 4:
            assert short[0] == text[0]
            assert short[-1] == text[-1]

    def test_pad_counts_cells(self):
        assert pad("模", 4) == "模  "
        assert pad("模", 4, right=True) == "  模"

    @pytest.mark.parametrize("width", [5, 9, 20])
    def test_wrapped_lines_fit_and_lose_nothing(self, width):
        text = "one two 模型模型模型 abcdefghijklmnop 90.1 %"
        lines = wrap(text, width, first="- ")
        assert max(map(cell_width, lines)) <= width
        assert lines[0].startswith("- ")
        assert "".join("".join(lines).split()) == "-" + "".join(text.split())

    def test_a_percent_sign_stays_with_its_number(self):
        assert wrap("aaaa 90.1 %", 9) == ["aaaa", "90.1 %"]

    def test_a_table_gives_up_names_first_and_columns_then(self):
        columns = (Column("name", right=False, shrink=True), Column("x", drop=1), Column("y"))
        rows = [["a" * 30, "1", "2"]]
        assert lay_out(columns, rows, 40)[1] == "a" * 30 + "  1  2"
        assert lay_out(columns, rows, 32)[1].split() == ["a" * 13 + "…" + "a" * 12, "1", "2"]
        assert lay_out(columns, rows, 28)[0].split() == ["name", "y"]
        assert max(map(len, lay_out(columns, rows, 8))) <= 8

    def test_what_a_spreadsheet_would_compute_is_text(self):
        assert [guard(text) for text in ("=1", "+1", "-1", "@x", "\t=1", "a=1")] == [
            "'=1",
            "'+1",
            "'-1",
            "'@x",
            "\\x09=1",
            "a=1",
        ]

    def test_markdown_escapes(self):
        assert escape("a_b*c") == "a\\_b\\*c"
        assert escape("https://x.y") == "https&#58;//x.y"
