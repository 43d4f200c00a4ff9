"""Recipes: what is in the built-in one, what a file may say, and how a figure is rebuilt from what is "
"printed."""

from __future__ import annotations

import pytest

from faircall.composition import (
    Average,
    Node,
    Printed,
    Recipe,
    agrees,
    average,
    evaluate,
    load_recipe,
    recipe_names,
)
from faircall.errors import InputError, UsageError

PAIR = Node(
    "pair",
    columns=("P",),
    parts=(Node("a", columns=("A",), entries=30), Node("b", columns=("B",), entries=10)),
)


def printed(value: float) -> Printed:
    return Printed(value, 0.005)


def write(tmp_path, text, name="r.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


class TestBuiltIn:
    def test_the_blocks_and_their_weights(self):
        assert load_recipe().weights() == {
            "non_live": 10,
            "live": 10,
            "hallucination": 10,
            "multi_turn": 30,
            "agentic": 40,
        }

    def test_the_entries_of_the_blocks(self):
        sizes = {part.name: part.size() for part in load_recipe().score.parts}
        assert sizes == {
            "non_live": 1150,
            "live": 1351,
            "hallucination": 1124,
            "multi_turn": 800,
            "agentic": 665,
        }

    def test_the_categories_make_up_the_whole(self):
        shares = load_recipe().leaf_shares()
        assert len(shares) == 21
        assert sum(shares.values()) == pytest.approx(1)
        # Java and JavaScript count as much as Python, with an eighth of its entries.
        assert (
            shares["simple_javascript"] == pytest.approx(shares["simple_python"]) == pytest.approx(0.1 / 12)
        )
        assert shares["live_multiple"] == pytest.approx(0.1 * 1053 / 1351)

    def test_relevance_is_beside_the_score_and_carries_no_weight(self):
        recipe = load_recipe()
        assert recipe.relevance is not None
        assert recipe.relevance.entries == 16
        assert "relevance" not in recipe.leaf_shares()
        assert recipe.share_of("hallucination") == pytest.approx(0.1)

    def test_its_label_says_how_the_top_is_averaged(self):
        recipe = load_recipe()
        assert recipe.label == "bfcl-v4-weighted"
        assert recipe.with_average(Average.UNWEIGHTED).label == "bfcl-v4-unweighted"
        assert recipe_names() == ["bfcl-v4"]


class TestShares:
    @pytest.mark.parametrize(
        ("kind", "shares"),
        [(Average.UNWEIGHTED, (0.5, 0.5)), (Average.ENTRIES, (0.75, 0.25)), (Average.WEIGHTED, (0.2, 0.8))],
    )
    def test_each_kind_of_average(self, kind, shares):
        node = Node(
            "n", average=kind, parts=(Node("a", weight=1, entries=30), Node("b", weight=4, entries=10))
        )
        assert node.shares() == pytest.approx(shares)


class TestEvaluate:
    def test_a_printed_figure_is_used_as_it_is(self):
        assert evaluate(PAIR, {"P": printed(70.0), "A": printed(1.0), "B": printed(1.0)}).value == 70.0

    def test_without_one_the_parts_are_averaged_with_their_rounding(self):
        rebuilt = evaluate(PAIR, {"A": printed(80.0), "B": printed(40.0)})
        assert (rebuilt.value, rebuilt.half) == (60.0, 0.005)

    def test_the_first_column_with_a_number_wins(self):
        node = Node("n", columns=("one", "two"))
        assert evaluate(node, {"one": None, "two": printed(5.0)}).value == 5.0

    def test_na_is_not_zero(self):
        rebuilt = evaluate(PAIR, {"A": printed(80.0), "B": None})
        assert rebuilt.value is None
        assert rebuilt.missing == ("b",)
        assert (rebuilt.low, rebuilt.zero, rebuilt.high, rebuilt.left_out) == (40.0, 40.0, 90.0, 80.0)
        assert rebuilt.stated_missing

    def test_a_column_that_is_not_there_is_missing_too_but_not_by_the_boards_own_word(self):
        rebuilt = evaluate(PAIR, {"A": printed(80.0)})
        assert rebuilt.missing == ("b",)
        assert not rebuilt.stated_missing

    @pytest.mark.parametrize("own", [40.0, 80.0])
    def test_a_printed_figure_that_counts_na_as_0_or_leaves_it_out_is_no_measurement(self, own):
        assert evaluate(PAIR, {"P": printed(own), "A": printed(80.0), "B": None}).missing == ("b",)

    def test_a_printed_zero_over_nothing_but_na_is_no_measurement(self):
        rebuilt = evaluate(PAIR, {"P": printed(0.0), "A": None, "B": None})
        assert rebuilt.missing == ("a", "b")
        assert (rebuilt.low, rebuilt.high) == (0.0, 100.0)

    def test_a_printed_figure_whose_parts_were_not_published_stands(self):
        assert evaluate(PAIR, {"P": printed(55.0), "A": None, "B": None}).value == 55.0

    def test_a_printed_figure_that_knows_more_than_its_parts_stands(self):
        assert evaluate(PAIR, {"P": printed(70.0), "A": printed(80.0), "B": None}).value == 70.0

    def test_a_part_without_weight_may_be_missing(self):
        node = Node(
            "n",
            average=Average.WEIGHTED,
            parts=(Node("a", weight=1, columns=("A",)), Node("b", weight=0, columns=("B",))),
        )
        assert evaluate(node, {"A": printed(80.0), "B": None}).value == 80.0

    def test_nothing_at_all(self):
        rebuilt = evaluate(PAIR, {})
        assert rebuilt.unknown
        assert rebuilt.missing == ("a", "b")

    def test_average_passes_over_parts_that_count_for_nothing(self):
        whole, lost = evaluate(Node("a", columns=("A",)), {"A": printed(80.0)}), evaluate(Node("b"), {})
        assert average((1.0, 0.0), (whole, lost)).value == 80.0


class TestAgrees:
    def test_within_the_rounding_of_both(self):
        assert agrees(50.01, 0.005, printed(50.0))
        assert not agrees(50.0101, 0.005, printed(50.0))

    def test_floating_noise_does_not_decide(self):
        assert agrees(0.1 + 0.2, 0.0, Printed(0.3, 0.0))


class TestFiles:
    def test_a_file_holds_only_what_differs(self, tmp_path):
        path = write(
            tmp_path,
            'extends = "bfcl-v4"\n[score.parts]\nlive = { weight = 25 }\nagentic.weight = 25\n',
            "next.toml",
        )
        recipe = load_recipe(path)
        assert list(recipe.weights().values()) == [10, 25, 10, 30, 25]
        assert recipe.label == "next-weighted"
        assert recipe.score.parts[1].columns == load_recipe().score.parts[1].columns

    def test_a_recipe_of_its_own(self, tmp_path):
        path = write(
            tmp_path,
            """
            name = "mine"
            [tables]
            main = "scores.csv"
            [score]
            average = "entries"
            column = "Total"
            [score.parts]
            easy = { entries = 30, column = "Easy" }
            hard = { entries = 10, column = "main: Hard" }
            """,
        )
        recipe = load_recipe(path)
        assert recipe.score.columns == ("main:Total",)
        assert recipe.score.parts[1].columns == ("main:Hard",)
        assert recipe.weights() == {"easy": 75, "hard": 25}
        assert recipe.stated is Average.ENTRIES

    def test_a_name_that_is_neither_built_in_nor_a_file(self):
        with pytest.raises(UsageError, match=r"no recipe named `nope`.*built in: bfcl-v4"):
            load_recipe("nope")

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("name = ", "not TOML"),
            ('name = "x"', "not a recipe.*score"),
            ('[score]\ncolumn = "A"\nparts = { a = { column = "A", wight = 3 } }', "unknown field `wight`"),
            ('[score]\ncolumn = "A"', "at least one part"),
            ("[score]\nparts = { a = {} }", "needs a column"),
            ('[score]\naverage = "median"\ncolumn = "A"\nparts = { a = {} }', "median"),
            ('[score]\naverage = "weighted"\ncolumn = "A"\nparts = { a = {} }', "a has no `weight`"),
            ('[score]\naverage = "weighted"\ncolumn = "A"\nparts = { a = { weight = 0 } }', "add up to 0"),
            (
                '[score]\naverage = "weighted"\ncolumn = "A"\nparts = { a = { weight = -1 } }',
                "must not be negative",
            ),
            ('[score]\naverage = "entries"\ncolumn = "A"\nparts = { a = {} }', "states none"),
            ('[score]\ncolumn = "A"\nparts = { a = { entries = 1, parts = { b = {} } } }', "drop `entries`"),
            ('[score]\ncolumn = "A"\nparts = { a = { parts = { a = {} } } }', "named twice"),
            ('abstention = "z"\n[score]\ncolumn = "A"\nparts = { a = {} }', "names `z`"),
            ('extends = "gone"', "neither built in nor a file"),
            ("extends = 3", "must be a name or a path"),
            ('extends = "r.toml"', "leads back to the file itself"),
        ],
    )
    def test_a_bad_file_is_one_clear_error(self, tmp_path, text, what):
        path = write(tmp_path, text)
        with pytest.raises(InputError, match=what) as caught:
            load_recipe(path)
        assert str(caught.value).startswith(str(path))

    def test_a_file_that_is_not_text(self, tmp_path):
        path = tmp_path / "r.toml"
        path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(InputError, match="not UTF-8"):
            load_recipe(path)


def test_a_share_of_a_node_is_that_of_its_categories():
    tree = Node("all", parts=(Node("a"), Node("b", parts=(Node("c"), Node("d")))))
    assert Recipe("halves", tree).share_of("b") == pytest.approx(0.5)


class TestMessages:
    @pytest.mark.parametrize(
        ("content", "line", "what"),
        [
            ('name = "x"\n\nstated = weighted\n', 3, "not TOML: Invalid value"),
            ('name = "x"\n[score\n', 2, "not TOML: "),
            ('name = "x"\nabout = "never closed', 2, "not TOML: "),
            ('extends = "bfcl-v4"\n\n[score.parts]\nlive.wieght = 5\n', 4, "unknown field `wieght`"),
            (
                'extends = "bfcl-v4"\n[score.parts]\nlive = { weight = "5" }\n',
                3,
                "got `str` in `score.parts.live.weight`",
            ),
            (
                'extends = "bfcl-v4"\n[score.parts.live]\naverage = "entries"\nweight = -5\n',
                4,
                "must not be negative",
            ),
            ('extends = "bfcl-v4"\nabstention = "declining"\n', 2, "`abstention` names `declining`"),
            ('name = "x"\nextends = "gone"\n', 2, "`extends` names `gone`"),
            ('extends = "bfcl-v4"\ncolour = 1\n', 2, "unknown field `colour`"),
            (
                '[score]\ncolumn = "Total"\naverage = "weighted"\n[score.parts]\na = {}\n',
                1,
                "a has no `weight`",
            ),
        ],
    )
    def test_a_bad_recipe_is_answered_with_its_line_and_a_way_to_mend_it(self, tmp_path, content, line, what):
        path = write(tmp_path, content)
        with pytest.raises(InputError) as caught:
            load_recipe(path)
        assert caught.value.line == line
        assert what in caught.value.what
        assert caught.value.hint

    def test_text_that_is_not_utf8_has_a_line_too(self, tmp_path):
        path = tmp_path / "r.toml"
        path.write_bytes(b'name = "x"\nabout = "\xff"\n')
        with pytest.raises(InputError, match=r"r\.toml:2: not UTF-8 text; save"):
            load_recipe(path)

    def test_lines_are_those_of_the_file_whatever_ends_them(self, tmp_path):
        path = tmp_path / "r.toml"
        path.write_bytes(b'extends = "bfcl-v4"\r\n\r\n[score.parts]\r\nlive.weight = true\r\n')
        with pytest.raises(InputError) as caught:
            load_recipe(path)
        assert caught.value.line == 4
