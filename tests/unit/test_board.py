"""Reading published boards, rebuilding their rows, and finding the recipe they were made with."""

from __future__ import annotations

import csv
import io
import random
from itertools import pairwise

import msgspec
import pytest

from faircall.board import Doubt, parse_board, read_board, read_snapshot, rebuild
from faircall.board.cells import is_none, read_score
from faircall.board.tables import parse_table
from faircall.composition import Average, Node, Printed, evaluate, load_recipe
from faircall.errors import InputError

RECIPE = load_recipe()
HEAD = [
    "Rank",
    "Overall Acc",
    "Model",
    "Model Link",
    "Non-Live AST Acc",
    "Live Acc",
    "Multi Turn Acc",
    "Web Search Acc",
    "Memory Acc",
    "Relevance Detection",
    "Irrelevance Detection",
]
WEIGHTS = (10, 10, 10, 30, 40)


def made(weights=WEIGHTS, *, count=24, seed=5):
    """Invented rows whose score is the weighted average of their blocks."""
    rng = random.Random(seed)  # noqa: S311 - made-up figures
    rows = []
    for place in range(count):
        figures = {column: round(rng.uniform(0, 100), 2) for column in HEAD[4:]}
        agentic = (figures["Web Search Acc"] + figures["Memory Acc"]) / 2
        blocks = [
            figures["Non-Live AST Acc"],
            figures["Live Acc"],
            figures["Irrelevance Detection"],
            figures["Multi Turn Acc"],
            agentic,
        ]
        score = sum(a * b for a, b in zip(weights, blocks, strict=True)) / sum(weights)
        rows.append(
            {
                "Overall Acc": f"{score:.2f}%",
                "Model": f"model {place}",
                "Model Link": "https://example.org/a",
                **{column: f"{value:.2f}%" for column, value in figures.items()},
            }
        )
    rows.sort(key=lambda row: -float(row["Overall Acc"].rstrip("%")))
    for rank, row in enumerate(rows, 1):
        row["Rank"] = str(rank)
    return rows


def text(rows, head=HEAD, *, end="\n", delimiter=","):
    out = io.StringIO()
    writer = csv.DictWriter(out, head, lineterminator=end, delimiter=delimiter, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def refused(content: str | bytes, tmp_path):
    path = tmp_path / "data_overall.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_board(path, RECIPE)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert caught.value.hint
    return message.removeprefix(f"{path}:")


class TestCells:
    @pytest.mark.parametrize(
        ("cell", "value", "half"),
        [
            ("77.47%", 77.47, 0.005),
            ("77.47", 77.47, 0.005),
            (" 7 % ", 7.0, 0.5),
            ("0.00%", 0.0, 0.005),
            ("100%", 100.0, 0.5),
        ],
    )
    def test_a_percentage_with_half_a_unit_of_its_last_digit(self, cell, value, half):
        assert read_score(cell) == pytest.approx((value, half))

    @pytest.mark.parametrize(
        "cell", ["abc", "-3%", "120%", "1e2", "77,47%", "0x10", "٧", "7%7", "nan%", "9" * 400]
    )
    def test_what_is_no_percentage(self, cell):
        assert read_score(cell) is None

    @pytest.mark.parametrize("cell", ["N/A", "n/a", "", "  ", "-", "–", "NaN", "None"])
    def test_what_says_that_there_is_none(self, cell):
        assert is_none(cell)


class TestReading:
    def test_order_of_columns_and_rows_does_not_matter(self):
        rows = made()
        plain = parse_board(text(rows), RECIPE)
        rng = random.Random(1)  # noqa: S311 - a fixed order
        head = rng.sample(HEAD, len(HEAD))
        mixed = parse_board(text(rng.sample(rows, len(rows)), head), RECIPE)
        assert plain.hash() == mixed.hash()
        assert rebuild(plain, RECIPE).rows == rebuild(mixed, RECIPE).rows

    @pytest.mark.parametrize(
        "change",
        [
            lambda t: t.replace("\n", "\r\n"),
            lambda t: t.replace("\n", "\r"),
            lambda t: "\n\n" + t.replace("\n", "\n\n") + "\n \n,,,\n",
            lambda t: t.replace("%", ""),
            lambda t: t.rstrip("\n"),
            lambda t: t.replace("\n", ",,\n"),
            lambda t: t.replace("Overall Acc", " overall  ACC "),
            lambda t: t.replace(",", ";"),
            lambda t: t.replace(",", "\t"),
        ],
        ids=[
            "crlf",
            "cr",
            "blank-lines",
            "no-percent",
            "no-last-newline",
            "empty-columns",
            "heading",
            "semicolon",
            "tab",
        ],
    )
    def test_the_same_figures_in_another_dress(self, change):
        plain = text(made())
        assert parse_board(change(plain), RECIPE).hash() == parse_board(plain, RECIPE).hash()

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_marked_encodings(self, tmp_path, encoding):
        rows = made(count=3)
        rows[0]["Model"] = "Modèle 模型"
        path = tmp_path / "b.csv"
        path.write_text(text(rows), encoding=encoding)
        board = read_board(path, RECIPE)
        assert board.rows[0].model == "Modèle 模型"
        assert (board.name, board.date) == ("b", None)

    def test_quoted_names_with_commas_quotes_and_line_breaks(self):
        rows = made(count=3)
        names = ["Kite, large", 'Kite "large"', "Kite\nlarge"]
        for row, name in zip(rows, names, strict=True):
            row["Model"] = name
        assert [row.model for row in parse_board(text(rows), RECIPE).rows] == names

    def test_unknown_columns_may_hold_anything(self):
        rows = [{**row, "Notes": "n/a, \\ =1"} for row in made(count=2)]
        assert len(parse_board(text(rows, [*HEAD, "Notes"]), RECIPE).rows) == 2

    def test_without_ranks_the_scores_give_them(self):
        rows = made(count=4)
        rows[1]["Overall Acc"] = "N/A"
        board = rebuild(parse_board(text(rows, HEAD[1:]), RECIPE), RECIPE)
        assert [(row.rank, row.model) for row in board.rows] == [
            (1, rows[0]["Model"]),
            (2, rows[2]["Model"]),
            (3, rows[3]["Model"]),
            (4, rows[1]["Model"]),
        ]

    def test_a_block_without_its_own_column_is_made_of_its_parts(self):
        rows = [
            {**row, "Memory KV": row["Memory Acc"], "Memory Vector": row["Memory Acc"]}
            for row in made(count=3)
        ]
        rows = [{**row, "Memory Recursive Summarization": row["Memory Acc"]} for row in rows]
        head = [name for name in HEAD if name != "Memory Acc"]
        board = parse_board(
            text(rows, [*head, "Memory KV", "Memory Vector", "Memory Recursive Summarization"]), RECIPE
        )
        assert rebuild(board, RECIPE).fit.match.matching == 3


class TestRefused:
    def test_a_row_that_is_too_wide(self, tmp_path):
        lines = text(made()).splitlines()
        lines[3] = lines[3].replace("model ", "model, ")
        assert refused("\n".join(lines), tmp_path).startswith(
            "4: 12 cells where the first line names 11 columns"
        )

    def test_a_row_that_is_cut_short(self, tmp_path):
        assert refused(text(made())[:-20], tmp_path).startswith("25: 9 cells")

    def test_the_line_is_the_one_where_the_row_starts(self, tmp_path):
        rows = made(count=3)
        rows[0]["Model"] = "two\nlines"
        rows[1]["Live Acc"] = "x"
        assert refused(text(rows), tmp_path).startswith("4: 'x' in column `Live Acc`")

    def test_a_model_that_is_there_twice(self, tmp_path):
        rows = made(count=3)
        assert refused(text([*rows, rows[0]]), tmp_path).startswith("5: model 'model ")

    def test_a_row_without_a_model(self, tmp_path):
        rows = made(count=3)
        rows[2]["Model"] = " "
        assert refused(text(rows), tmp_path).startswith("4: a row without a model")

    @pytest.mark.parametrize("cell", ["abc", "101%", "-1", "77,47%", "\x1b[2J"])
    def test_a_cell_that_is_no_percentage(self, tmp_path, cell):
        rows = made(count=3)
        rows[1]["Multi Turn Acc"] = cell
        message = refused(text(rows), tmp_path)
        assert message.startswith("3: ")
        assert "`Multi Turn Acc` is not a percentage" in message
        assert message.isprintable()

    def test_a_rank_that_is_none(self, tmp_path):
        rows = made(count=3)
        rows[1]["Rank"] = "second"
        assert refused(text(rows), tmp_path).startswith("3: 'second' in column `Rank`")

    @pytest.mark.parametrize("column", ["Model", "Overall Acc"])
    def test_a_column_that_every_board_needs(self, tmp_path, column):
        message = refused(text(made(), [name for name in HEAD if name != column]), tmp_path)
        assert message.startswith(f"1: no column `{column}`")
        assert "--recipe FILE" in message

    def test_blocks_that_are_not_there(self, tmp_path):
        message = refused(
            text(made(), [name for name in HEAD if name not in ("Live Acc", "Memory Acc")]), tmp_path
        )
        assert message.startswith("1: no column for live, agentic: `Live Acc` is missing")

    def test_a_column_that_is_there_twice(self, tmp_path):
        assert "column `Live Acc` is there twice" in refused(
            text(made()).replace("Model Link", "Live Acc"), tmp_path
        )

    def test_fractions_are_not_taken_for_percentages(self, tmp_path):
        rows = made(count=3)
        for row in rows:
            for column, cell in row.items():
                if cell.endswith("%"):
                    row[column] = f"{float(cell[:-1]) / 100:.4f}"
        assert "look like fractions" in refused(text(rows), tmp_path)

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"", " empty"),
            (b"\n\n", " empty"),
            (",".join(HEAD).encode(), "1: no rows"),
            (b"Model,Overall Acc\nKite,\xff\n", "2: not UTF-8 text"),
            (b'Model,Overall Acc\n"Kite,3\n', "2: not CSV"),
            (b"<html><body>404</body></html>", "1: looks like HTML or XML, not a CSV table"),
            (b'\n{"models": [{"name": "Kite"}]}', "2: looks like JSON, not a CSV table"),
            (b'{\n  "models": []\n}\n', "1: looks like JSON, not a CSV table"),
            (b'[\n  {"Model": "Kite"}\n]\n', "1: looks like JSON, not a CSV table"),
            (b'{"Model": "Kite"}\n{"Model": "Wren"}\n', "1: looks like JSON, not a CSV table"),
            (b"PK\x03\x04\x14\x00\x06\x00\x08\x00", "1: binary data, not a CSV table"),
            (bytes(range(255, -1, -1)), "1: binary data, not a CSV table"),
            (b"\x7fELF\x02\x01\n\n\x00", "1: binary data, not a CSV table"),
            (b"Kite is a model\n", "1: not a CSV table: no comma"),
        ],
    )
    def test_a_file_that_is_no_table(self, tmp_path, content, what):
        assert refused(content, tmp_path).startswith(what)

    def test_a_path_that_is_not_there(self, tmp_path):
        hint = r"name a CSV file or a folder with data_overall\.csv"
        with pytest.raises(InputError, match=f"no such file or folder; {hint}"):
            read_board(tmp_path / "gone", RECIPE)

    def test_a_path_that_no_file_can_have(self, tmp_path):
        with pytest.raises(InputError, match=r"cannot be read .*; name a CSV file"):
            read_board(tmp_path / ("x" * 5000), RECIPE)

    def test_a_folder_without_the_board(self, tmp_path):
        with pytest.raises(InputError, match=r"no `data_overall\.csv` in this folder"):
            read_board(tmp_path, RECIPE)


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        rows = made(count=4)
        (tmp_path / "data_overall.csv").write_text(text(rows))
        lines = ["Model,Agentic Overall Acc"]
        for row in rows:
            halves = [float(row[column].rstrip("%")) for column in ("Web Search Acc", "Memory Acc")]
            lines.append(f"{row['Model']},{sum(halves) / 2:.2f}%")
        (tmp_path / "data_agentic.csv").write_text("\n".join(lines))
        return tmp_path

    def test_other_files_add_their_columns(self, folder):
        board = read_board(folder, RECIPE)
        assert board.tables == ("overall", "agentic")
        assert all("agentic:Agentic Overall Acc" in row.cells for row in board.rows)
        assert not board.strays

    def test_models_that_are_not_in_every_file_are_named(self, folder):
        lines = (folder / "data_agentic.csv").read_text().splitlines()
        (folder / "data_agentic.csv").write_text("\n".join([*lines[:-1], "stranger,10.00%"]))
        board = read_board(folder, RECIPE)
        assert set(board.strays["agentic"]) == {lines[-1].split(",")[0], "stranger"}
        assert len(board.rows) == 4

    def test_an_error_names_the_file_it_is_in(self, folder):
        (folder / "data_live.csv").write_text("Model,Live Overall Acc\nmodel 0,x\n")
        with pytest.raises(InputError, match=r"data_live\.csv:2: 'x'"):
            read_board(folder, RECIPE)


def test_a_table_keeps_the_lines_of_its_rows():
    table = parse_table('A,B\n\n1,"x\ny"\n2,z\n', "t.csv")
    assert [(record.line, record.cells["A"]) for record in table.records] == [(3, "1"), (5, "2")]


class TestSnapshot:
    def test_it_is_the_board_of_april_2026(self):
        board = read_snapshot()
        assert (board.name, board.date, len(board.rows)) == ("bfcl-v4", "2026-04", 109)
        assert board.source == "ShishirPatil/gorilla, branch gh-pages"
        assert [row.rank for row in board.rows] == list(range(1, 110))

    def test_every_printed_category_is_a_count_of_its_entries(self):
        """Which shows that the sizes in the recipe are those that the board was scored with."""
        leaves = [*RECIPE.score.leaves(), RECIPE.relevance]
        for row in read_snapshot().rows:
            for leaf in leaves:
                value = evaluate(leaf, row.cells).value
                counted = round(value / 100 * leaf.entries)
                assert abs(100 * counted / leaf.entries - value) <= 0.005 + 1e-9, (row.model, leaf.name)

    @pytest.mark.shared
    def test_it_holds_the_figures_of_the_csv_files(self, shared):
        board = read_board(shared / "data" / "board", RECIPE)
        snapshot = read_snapshot()
        assert board.hash() == snapshot.hash()
        assert board.rows == snapshot.rows


class TestRebuilding:
    BOARD = rebuild(read_snapshot(), RECIPE)

    def test_the_weights_reproduce_every_row_and_the_plain_average_none(self):
        fit = self.BOARD.fit
        assert fit.how == "given"
        assert (fit.match.matching, fit.stated.matching, fit.match.compared) == (109, 0, 109)
        assert round(fit.match.largest, 3) == 0.008

    def test_the_tolerance_is_the_rounding_of_what_is_printed(self):
        # Half a hundredth for the published score, and half a hundredth for an average of blocks so rounded.
        assert self.BOARD.fit.match.tolerance == pytest.approx(0.01)
        assert self.BOARD.fit.match.largest < self.BOARD.fit.match.tolerance

    def test_every_level_below_the_top_is_what_the_recipe_says(self):
        assert len(self.BOARD.levels) == 8
        for level in self.BOARD.levels:
            assert (level.average, level.matching) == (level.given, 109)

    @pytest.mark.shared
    def test_the_overall_file_alone_is_enough(self, shared):
        board = rebuild(read_board(shared / "data" / "board" / "data_overall.csv", RECIPE), RECIPE)
        assert (board.fit.match.matching, board.fit.stated.matching) == (109, 0)
        for alone, whole in zip(board.rows, self.BOARD.rows, strict=True):
            assert alone.model == whole.model
            assert alone.interval == pytest.approx(whole.interval, abs=0.1)

    def test_intervals_hold_the_score_and_stay_on_the_scale(self):
        for row in self.BOARD.rows:
            assert 0 <= row.interval.low < row.interval.value < row.interval.high <= 100
            assert row.interval.value == row.published.value

    def test_an_interval_by_hand(self):
        """Nothing but one category right: its Wilson interval, and those of 0 for the others, in "
        "quadrature."""
        row = next(row for row in self.BOARD.rows if row.published.value == 10 and row.irrelevance == 100)
        sizes = {leaf.name: leaf.entries for leaf in RECIPE.score.leaves()}
        z2 = 1.959963984540054**2
        above = below = 0.0
        for name, share in RECIPE.leaf_shares().items():
            reach = share * z2 / (sizes[name] + z2)  # the far bound of 0 of n, and the near one of n of n
            if "irrelevance" in name:
                below += reach**2
            else:
                above += reach**2
        assert row.interval.low == pytest.approx(10 - 100 * below**0.5)
        assert row.interval.high == pytest.approx(10 + 100 * above**0.5)

    def test_rows_told_apart_are_those_whose_difference_leaves_out_0(self):
        rows = self.BOARD.rows
        for upper, lower in pairwise(rows):
            assert upper.below.model == lower.model
            assert upper.below.told_apart == (lower.rank > upper.alike[1])
            assert upper.below.told_apart == (upper.below.separation > 1.959963984540054)
        assert rows[-1].below is None

    def test_a_row_with_a_gap_has_bounds_and_no_rebuilt_score(self):
        rows = made(count=6)
        rows[2]["Multi Turn Acc"] = "N/A"
        row = rebuild(parse_board(text(rows), RECIPE), RECIPE).rows[2]
        assert row.weighted.value is None
        assert row.interval is None
        assert row.weighted.missing == (
            "multi_turn_base",
            "multi_turn_miss_func",
            "multi_turn_miss_param",
            "multi_turn_long_context",
        )
        assert row.weighted.high - row.weighted.low == pytest.approx(30)


class TestSearch:
    @pytest.mark.parametrize(
        ("weights", "label"),
        [
            ((10, 10, 10, 30, 40), "bfcl-v4-weighted"),
            ((1, 1, 1, 1, 1), "bfcl-v4-unweighted"),
            ((25, 25, 10, 20, 20), "bfcl-v4-weighted+weights=25/25/10/20/20"),
            ((12.5, 12.5, 15, 30, 30), "bfcl-v4-weighted+weights=12.5/12.5/15/30/30"),
            ((0, 40, 0, 60, 0), "bfcl-v4-weighted+weights=0/40/0/60/0"),
            ((17, 23, 11, 29, 20), "bfcl-v4-weighted+weights=17/23/11/29/20"),
            ((1150, 1351, 1124, 800, 665), "bfcl-v4-entries"),
        ],
    )
    def test_weights_are_recovered_from_the_rows(self, weights, label):
        fit = rebuild(parse_board(text(made(weights)), RECIPE), RECIPE).fit
        assert fit.recipe.label == label
        assert fit.match.full

    def test_other_weights_are_found_though_some_rows_are_odd(self):
        rows = made((15, 15, 10, 30, 30), count=40)
        for row in rows[::5]:
            row["Overall Acc"] = "50.00%"
        fit = rebuild(parse_board(text(rows), RECIPE), RECIPE).fit
        assert list(fit.recipe.weights().values()) == [15, 15, 10, 30, 30]
        assert 32 <= fit.match.matching < 40

    @pytest.mark.parametrize("kind", [Average.ENTRIES, Average.UNWEIGHTED])
    def test_a_block_averaged_another_way_is_found(self, kind):
        """Scores made with a block that is not averaged as the recipe has it, and not as it is printed."""
        snapshot = read_snapshot()
        changed = {"live"} if kind is Average.UNWEIGHTED else {"hallucination", "agentic"}
        rows = []
        for row in snapshot.rows[:40]:
            blocks = [
                evaluate(
                    Node(part.name, average=kind, parts=part.parts) if part.name in changed else part,
                    row.cells,
                )
                for part in RECIPE.score.parts
            ]
            score = round(sum(w * block.zero for w, block in zip(WEIGHTS, blocks, strict=True)) / 100, 2)
            rows.append(type(row)(row.model, Printed(score, 0.005), row.cells, row.rank))
        board = rebuild(type(snapshot)("made", tuple(rows), snapshot.tables), RECIPE)
        assert board.fit.match.full
        assert set(board.recipe.changes) == {f"{name}={kind.value}" for name in changed}

    @pytest.mark.parametrize(
        ("kind", "label"),
        [
            (
                Average.ENTRIES,
                "bfcl-v4-entries+non_live=categories-by-entries+hallucination=entries+agentic=entries",
            ),
            (Average.UNWEIGHTED, "bfcl-v4-unweighted+live=unweighted"),
        ],
    )
    def test_one_kind_of_average_at_every_level_is_found(self, kind, label):
        def remade(node, cells):
            if not node.parts:
                return evaluate(node, cells).zero
            shares = Node(node.name, average=kind, parts=node.parts).shares()
            return sum(share * remade(part, cells) for share, part in zip(shares, node.parts, strict=True))

        snapshot = read_snapshot()
        rows = [
            type(row)(
                row.model, Printed(round(remade(RECIPE.score, row.cells), 2), 0.005), row.cells, row.rank
            )
            for row in snapshot.rows
        ]
        board = rebuild(type(snapshot)("made", tuple(rows), snapshot.tables), RECIPE)
        assert (board.recipe.label, board.fit.match.matching) == (label, 109)

    @pytest.mark.parametrize("weights", [(15, 15, 10, 30, 30), (7.5, 13.2, 5.1, 30.2, 44), (50, 0, 50, 0, 0)])
    @pytest.mark.parametrize("count", [1, 2, 4, 5, 6, 7])
    def test_too_few_rows_name_no_weights(self, weights, count):
        fit = rebuild(parse_board(text(made(weights, count=count)), RECIPE), RECIPE).fit
        assert (fit.how, fit.doubt, fit.needed) == ("none", Doubt.FEW_ROWS, 8)
        assert fit.recipe == RECIPE

    def test_two_rows_name_no_other_average(self):
        equal = (20, 20, 20, 20, 20)
        weighted = msgspec.structs.replace(RECIPE, stated=Average.WEIGHTED)
        few, enough = (
            rebuild(parse_board(text(made(equal, count=count)), weighted), weighted).fit for count in (2, 3)
        )
        assert (few.how, few.doubt, few.fitting, few.needed) == ("none", Doubt.FEW_ROWS, 2, 3)
        assert (enough.how, enough.recipe.label) == ("searched", "bfcl-v4-unweighted")

    @pytest.mark.parametrize("weights", [(20.17, 19.83, 20, 20, 20), (7.512, 13.207, 5.103, 30.201, 43.977)])
    def test_weights_that_are_not_round_are_not_named(self, weights):
        fit = rebuild(parse_board(text(made(weights)), RECIPE), RECIPE).fit
        assert (fit.how, fit.doubt, fit.fitting) == ("none", Doubt.SEVERAL, 24)

    def test_blocks_that_go_together_leave_a_choice_of_weights(self):
        rows = made((25, 25, 10, 20, 20))
        for row in rows:
            figures = [
                float(row[column].rstrip("%")) for column in HEAD[4:] if column != "Relevance Detection"
            ]
            live, _, multi, web, memory, credit = [figures[1], *figures[1:]]
            score = 0.5 * live + 0.1 * credit + 0.2 * multi + 0.1 * (web + memory)
            row.update({"Non-Live AST Acc": row["Live Acc"], "Overall Acc": f"{score:.2f}%"})
        fit = rebuild(parse_board(text(rows), RECIPE), RECIPE).fit
        assert (fit.how, fit.doubt, fit.fitting) == ("none", Doubt.SEVERAL, 24)

    def test_scores_that_no_average_makes(self):
        rows = made(count=12)
        for row in rows:
            row["Overall Acc"] = "99.00%"
        board = rebuild(parse_board(text(rows), RECIPE), RECIPE)
        assert (board.fit.how, board.fit.doubt) == ("none", None)
        assert not board.known
        assert all(row.share is None and row.interval is None for row in board.rows)

    def test_the_stated_average_is_preferred_where_both_fit(self):
        rows = made(count=2)
        for row in rows:
            row.update({column: "50.00%" for column in HEAD if row[column].endswith("%")})
        assert rebuild(parse_board(text(rows), RECIPE), RECIPE).fit.how == "stated"

    def test_another_layout_is_a_file(self, tmp_path):
        path = tmp_path / "exam.toml"
        path.write_text(
            'stated = "unweighted"\n[columns]\nmodel = "Student"\n[score]\naverage = "weighted"\ncolumn = "Total"\n'
            "[score.parts]\neasy = { weight = 1, entries = 50, column = 'Easy' }\n"
            "hard = { weight = 3, entries = 50, column = 'Hard' }\n"
        )
        recipe = load_recipe(path)
        board = parse_board("Student,Easy,Hard,Total\nAda,80,60,65.0\nBo,90,10,30.0\n", recipe)
        fit = rebuild(board, recipe).fit
        assert (fit.how, fit.match.matching, fit.stated.matching) == ("given", 2, 0)
