"""A dataset looked over: what is read, what is found, how it is shown, and how the command ends."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from faircall import lint
from faircall.cli import app, main
from faircall.dataset import read_dataset
from faircall.errors import InputError, UsageError
from faircall.report.lint import render_lint
from faircall.rules.choice import choose

RIDE = {
    "name": "ride",
    "parameters": {
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "km": {"type": "integer", "default": 5},
            "class": {"type": "string", "enum": ["first", "second"]},
        },
        "required": ["to"],
    },
}
SOUND = {"tools": [RIDE], "expected": [{"ride": {"to": ["home"], "km": [5, ""]}}]}


def stream(*lines):
    return io.BytesIO(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
    )


def found(*lines, **options):
    return [
        (finding.rule, finding.subject) for finding in lint(stream(*lines), name="mine", **options).findings
    ]


def keyed(answer, **more):
    return {"tools": [RIDE], "expected": [{"ride": answer}], **more}


def rules_of(answer, **more):
    return {rule for rule, _ in found(keyed(answer, **more))}


def test_another_dialect_than_bfcl_s_is_no_fault():
    tool = {
        "name": "go",
        "parameters": {"type": "object", "properties": {"km": {"type": "number", "default": 5}}},
    }
    assert found({"tools": [tool], "expected": [{"go": {"km": [5, ""]}}]}) == []
    assert found({"tools": [tool], "expected": [{"go": {"km": [5]}}]}) == [("D310", "line 1")]


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ({"to": ["home"], "km": [5, ""]}, set()),
        ({"to": ["home"], "km": [5.0, ""]}, set()),
        ({"to": [True], "km": [5, ""]}, {"D301", "D306"}),
        ({"to": ["home", 3], "km": [5, ""]}, {"D301"}),
        ({"to": ["home"], "km": [True, 5, ""]}, {"D301"}),
        ({"to": ["home"], "km": [5, ""], "class": ["third", "first"]}, {"D302"}),
        ({"km": [5, ""]}, {"D303", "D306", "D307"}),
        ({"to": ["home", ""], "km": [5, ""]}, {"D304"}),
        ({"to": ["home"], "km": [5, ""], "seats": [2, ""]}, {"D305", "D307"}),
        ({"to": ["home"], "km": [5, ""], "seats": [2]}, {"D305", "D306", "D307"}),
        ({"to": [], "km": [5, ""]}, {"D306", "D307"}),
        ({"to": ["home"], "km": [5]}, {"D310"}),
        ({"to": ["home"], "km": [7, ""]}, {"D311"}),
        ({"to": ["home"]}, {"D311"}),
        ({"to": ["home"], "km": [7]}, set()),
    ],
)
def test_a_key_beside_its_schema(answer, rules):
    assert rules_of(answer, category="multiple") == rules
    # Without BFCL's category the schema alone is asked, which knows no key that is only officially refused.
    assert rules_of(answer) == rules - {"D307"}


def test_a_plain_key_says_nothing_of_defaults():
    line = {"tools": [RIDE], "expected": [{"name": "ride", "arguments": {"to": "home", "km": 5}}]}
    assert found(line) == []


def test_code_may_name_variables():
    tool = {"name": "go", "parameters": {"properties": {"km": {"type": "integer"}}}}
    line = {"tools": [tool], "expected": [{"go": {"km": ["distance"]}}]}
    assert ("D301", "line 1") in found(line)
    assert found({**line, "language": "java"}) == []


@pytest.mark.parametrize(
    ("schema", "broken"),
    [
        ({"type": "integer", "default": "5"}, True),
        ({"type": "integer", "default": 5}, False),
        ({"type": "integer", "default": 5.5}, True),
        ({"type": "number", "default": 5}, False),
        ({"type": "boolean", "default": "false"}, True),
        ({"type": "string", "enum": ["a"], "default": "b"}, True),
        ({"type": "string", "default": None}, False),
        ({"type": ["string", "null"], "default": None}, False),
        ({"type": "object", "properties": {"x": {"type": "integer", "default": "1"}}}, True),
        (
            {
                "type": "array",
                "items": {"type": "object", "properties": {"x": {"type": "array", "default": 1}}},
            },
            True,
        ),
    ],
)
def test_defaults_beside_their_own_schema(schema, broken):
    tool = {"name": "go", "parameters": {"properties": {"x": schema}}}
    assert (("D309", "line 1") in found({"tools": [tool]})) is broken


def test_a_recursive_schema_ends():
    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer", "default": "x"}},
    }
    tool = {
        "name": "go",
        "parameters": {"$defs": {"node": node}, "properties": {"first": {"$ref": "#/$defs/node"}}},
    }
    assert ("D309", "line 1") in found({"tools": [tool], "expected": [{"go": {"first": [{"n": [1]}]}}]})


@pytest.mark.parametrize(
    ("question", "cities", "asks_more"),
    [
        ("What of Oslo, Bergen, Tromsø and Bodø?", ["Oslo", "Bergen", "Bodø"], True),
        ("What of Oslo, Bergen and Bodø?", ["Oslo", "Bergen", "Bodø"], False),
        ("1. Oslo please. 2. Then Bergen. 3. Then Bodø.", ["Oslo", "Bergen"], True),
        ("Weather for:\n- Oslo\n- Bergen\n- Bodø", ["Oslo", "Bergen"], True),
        ("My friend Bob, Oslo and Bergen are places.", ["Oslo", "Bergen"], False),
        ("1) I am in Oslo. 2) What is the weather?", ["Oslo"], False),
        ("First, the weather in Oslo. Second, in Bergen. Third, in Bodø.", ["Oslo", "Bergen"], True),
        ("Compare rain in Oslo, Norway and in Bergen, Norway.", ["Oslo", "Bergen"], False),
        ("", ["Oslo", "Bergen"], False),
    ],
)
def test_questions_that_ask_for_more(question, cities, asks_more):
    tool = {"name": "forecast", "parameters": {"properties": {"city": {"type": "string"}}}}
    line = {
        "tools": [tool],
        "question": question,
        "expected": [{"forecast": {"city": [city]}} for city in cities],
    }
    assert (("D312", "line 1") in found(line)) is asks_more


def test_what_is_inside_objects_is_looked_at_as_well():
    seat = {"type": "object", "properties": {"row": {"type": "integer"}}, "required": ["row"]}
    tool = {
        "name": "sit",
        "parameters": {"properties": {"seat": seat, "seats": {"type": "array", "items": seat}}},
    }

    def rules(answer, **changes):
        tool["parameters"]["properties"]["seat"] = seat | changes
        return {rule for rule, _ in found({"tools": [tool], "expected": [{"sit": answer}]})}

    assert rules({"seat": [{"row": [1]}]}) == set()
    assert rules({"seat": [{"row": [1]}, {}]}) == {"D303"}
    assert rules({"seats": [[{"row": [1]}, {}]]}) >= {"D303"}
    assert rules({"seat": [{"row": [1], "side": ["left"]}]}) == set()
    assert rules({"seat": [{"row": [1], "side": ["left"]}]}, additionalProperties=False) >= {"D305"}
    assert rules({"seats": [[{"row": ["one"]}]]}) >= {"D301"}


def test_lists_and_bare_values_in_one_call_are_named_for_what_they_are():
    assert ("D319", "line 1") in found(keyed({"to": ["home"], "km": 5}))
    stops = {
        "name": "go",
        "parameters": {"properties": {"stops": {"type": "array"}, "km": {"type": "integer"}}},
    }
    assert found({"tools": [stops], "expected": [{"go": {"stops": ["a"], "km": 5}}]}) == []


@pytest.mark.parametrize(
    ("parameters", "faults"),
    [
        ({"properties": [1, 2]}, 1),
        ({"properties": {"x": {"enum": "abc"}}}, 1),
        ({"properties": {"x": 5}}, 1),
        ({"properties": {"x": {"type": "txt"}}}, 1),
        ({"properties": {"x": {"type": ["string", "nul"]}}}, 1),
        ({"properties": {"x": {"type": "array", "items": {"type": 5}}}, "required": "x"}, 2),
        (
            {
                "properties": {
                    "x": {"type": "ArrayList"},
                    "y": True,
                    "z": {"type": "string", "required": True},
                }
            },
            0,
        ),
        ({}, 0),
    ],
)
def test_schemas_that_are_none_are_named(parameters, faults):
    rules = [rule for rule, _ in found({"tools": [{"name": "go", "parameters": parameters}]})]
    assert rules.count("D320") == faults


def test_null_is_for_what_is_optional():
    texts = {"a": {"type": "string"}, "b": {"type": "string"}}
    tool = {"name": "go", "parameters": {"properties": texts, "required": ["a"]}}
    assert found({"tools": [tool], "expected": [{"go": {"a": ["x", None], "b": [None]}}]}) == [
        ("D301", "line 1")
    ]


def test_a_system_prompt_tells_questions_apart():
    def line(said):
        messages = [{"role": "system", "content": said}, {"role": "user", "content": "Home."}]
        return {"tools": ["ride"], "question": messages}

    assert found(line("Be rude."), line("Be nice.")) == []
    assert found(line("Be nice."), line("be  nice.")) == [("D315", "line 1")]


def test_the_key_of_a_dialogue_calls_what_is_offered():
    line = {"tools": ["ride"], "turns": [["ride(to=1)"], ["walk(to=2)", "cabs.ride(to=3)"]]}
    assert found(line) == [("D308", "line 1")]


def test_the_signature_says_what_was_looked_at():
    def signature(line, *select):
        return lint(stream(line), name="mine", choice=choose(select)).signature

    assert signature(SOUND) != signature({**SOUND, "held_out": ["walk"]})
    assert signature(SOUND) == signature(dict(reversed(SOUND.items())))
    assert "|rules:all|" in signature(SOUND)
    assert "|rules:D301+D302|" in signature(SOUND, "D301", "D302")


def test_text_that_cannot_be_encoded_is_looked_over():
    tool = {"name": "\ud800", "parameters": {"properties": {"x": {"enum": ["\udfff"], "default": "\ud800"}}}}
    line = json.dumps({"id": "\ud800", "tools": [tool, "a.b", "a_b"], "question": "\ud800", "expected": []})
    report = lint(stream(line, line), name="mine")
    assert {"D309", "D315", "D316", "D318"} == {finding.rule for finding in report.findings}
    render_lint(report, "text").encode()


def test_a_default_that_many_references_lead_to_is_reported_once():
    levels = {
        f"d{n}": {"properties": {side: {"$ref": f"#/$defs/d{n + 1}"} for side in "lr"}} for n in range(24)
    }
    levels["d24"] = {"properties": {"x": {"type": "integer", "default": "far"}}}
    tool = {"name": "go", "parameters": {"$defs": levels, "properties": {"a": {"$ref": "#/$defs/d0"}}}}
    assert found({"tools": [tool]}) == [("D309", "line 1")]


def test_entries_as_a_whole():
    assert ("D308", "line 1") in found({"tools": ["ride"], "expected": [{"drive": {}}]})
    assert ("D313", "x") in found({"id": "x", "tools": ["ride"], "held_out": ["ride"]})
    turns = {"tools": ["ride"], "returned": {"ride": 1}}
    assert ("D314", "line 1") in found({**turns, "turns": [["ride(to='home')"], []]})
    assert found({**turns, "turns": [[], ["ride(to='home')"]]}) == []
    assert ("D316", "line 1") in found({"tools": ["a.b", "a_b"]})
    assert ("D318", "x") in found({"id": "x", "tools": ["a"]}, {"id": "x", "tools": ["b"]})


def test_the_same_question_that_wants_a_call_once_and_none_another_time():
    one = {"id": "one", **SOUND, "question": "Take me home."}
    other = {"id": "other", "tools": [RIDE], "expected": [], "question": "take  me home."}
    report = lint(stream(one, other), name="mine", choice=choose(["D315"]))
    assert [finding.evidence["ids"] for finding in report.findings] == [["one", "other"]]
    assert "a call is wanted of one and none of another" in report.findings[0].message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "mine:1: "),
        ({"expected": []}, "mine:1: no `tools`; add `tools`"),
        ({"tool": [], "expected": []}, "mine:1: `tool` is no field; rename it to `tools`"),
        ({"tools": [], "expcted": []}, "mine:1: `expcted` is no field; rename it to `expected`"),
        ({"tools": [], "expected": {}}, "mine:1: `expected` is not a list of calls; write"),
        ({"tools": [3]}, "mine:1: "),
        ({"tools": [], "held_out": "x"}, "mine:1: `held_out` is not a list of names"),
        (
            {"tools": [], "language": "perl"},
            "mine:1: `language` is 'perl'; write one of python, java, javascript",
        ),
        ({"tools": [], "returned": []}, None),
        ({"tools": [], "returned": {"a": "1"}}, "mine:1: `returned` is not an object of turns"),
        ({"tools": [], "returned": {"a": -1}}, "mine:1: `returned` is not an object of turns"),
        ({"tools": [], "turns": ["a"]}, "mine:1: `turns` is not a list of lists"),
        ({"tools": [], "turns": [[5]]}, "mine:1: `turns` is not a list of lists of calls as text"),
        ({"tools": [], "expected": ["x"]}, "mine:1: expected[0] is not a call"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line, message):
    if message is None:
        lint(stream(line), name="mine")
        return
    with pytest.raises(InputError) as caught:
        lint(stream(line), name="mine")
    assert str(caught.value).startswith(message)


def test_no_entry_and_no_suite_are_refused(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with pytest.raises(InputError, match="no entry is stored"):
        lint(empty)
    with pytest.raises(UsageError, match="no suite is called 'bfcl'"):
        lint("bfcl")
    with pytest.raises(UsageError, match="--data is of bfcl-v4 alone"):
        lint(stream(SOUND), data=tmp_path)


def test_bfcl_s_own_names_are_read():
    line = {
        "function": [RIDE],
        "ground_truth": [{"ride": {"to": [1]}}],
        "question": [[{"role": "user", "content": "Hi"}]],
    }
    [item] = read_dataset(stream(line), name="mine").items
    assert (item.question, item.tools[0].name, item.expected) == ("Hi", "ride", line["ground_truth"])


class TestReports:
    report = lint(stream(keyed({"to": ["=1+1", 2], "km": [5, ""]}, id="=evil\x1b[31m|x|")), name="mine.jsonl")

    def test_json(self):
        made = json.loads(render_lint(self.report, "json"))
        assert (
            [row["rule"] for row in made["rules"]]
            == [finding["rule"] for finding in made["findings"]]
            == ["D301"]
        )
        assert made["findings"][0]["reproduce"] == "faircall lint - --select D301"
        assert made["findings"][0]["evidence"]["where"] == "mine.jsonl:1"
        assert made["signature"].startswith("bench:mine.jsonl|data:none#")

    def test_text_gives_the_terminal_no_orders_and_fits_it(self):
        text = render_lint(self.report, "text", width=80)
        assert "\x1b" not in text
        assert max(map(len, text.splitlines()[:-1])) <= 80
        assert text.splitlines()[-1] == self.report.signature

    def test_markdown_and_csv_are_safe(self):
        assert "|x|" not in render_lint(self.report, "markdown")
        [row] = csv.DictReader(io.StringIO(render_lint(self.report, "csv")))
        assert row["subject"].startswith("'=evil")
        assert row["signature"] == self.report.signature

    def test_nothing_found_says_so(self):
        report = lint(stream(SOUND), name="mine")
        assert "Nothing was found." in render_lint(report, "text")
        assert report.signature in render_lint(report, "markdown")

    def test_other_formats_are_refused(self):
        with pytest.raises(UsageError, match="no report format `pdf`"):
            render_lint(self.report, "pdf")


class TestCommand:
    def run(self, *arguments, line=None):
        return CliRunner().invoke(app, ["lint", *arguments], input=json.dumps(line or keyed({"to": [1]})))

    def test_standard_input_and_the_threshold(self):
        assert self.run("-").exit_code == 0
        assert self.run("-", "--fail-on", "error").exit_code == 1
        assert self.run("-", "--fail-on", "error", "--ignore", "D301,D306").exit_code == 0
        assert self.run("-", "--fail-on", "note", line=SOUND).exit_code == 0

    def test_what_is_known_is_left_out(self, tmp_path):
        known = str(tmp_path / "known.jsonl")
        assert self.run("-", "--write-baseline", known).exit_code == 0
        again = self.run("-", "--baseline", known, "--fail-on", "note")
        assert again.exit_code == 0
        assert "known findings are left out" in again.output

    def test_a_baseline_is_brought_up_to_date_in_place_and_does_not_depend_on_the_line(self, tmp_path):
        file, known = tmp_path / "mine.jsonl", str(tmp_path / "known.jsonl")
        file.write_text(json.dumps(keyed({"to": [1], "km": [5, ""]}, id="a")))
        assert self.run(str(file), "--write-baseline", known).exit_code == 0
        both = [SOUND | {"id": "b"}, json.loads(file.read_text())]
        file.write_text("\n".join(map(json.dumps, both)))
        assert self.run(str(file), "--baseline", known, "--fail-on", "note").exit_code == 0
        assert self.run(str(file), "--baseline", known, "--write-baseline", known).exit_code == 0
        assert self.run(str(file), "--baseline", known, "--fail-on", "note").exit_code == 0
        assert len((tmp_path / "known.jsonl").read_text().splitlines()) == 2

    def test_a_choice_of_no_rule_is_refused(self):
        with pytest.raises(UsageError, match="no rule on datasets is chosen by --select R201"):
            lint(stream(SOUND), choice=choose(["R201"]))

    def test_what_is_read_is_not_written_over(self, tmp_path):
        file = tmp_path / "mine.jsonl"
        file.write_text(json.dumps(SOUND))
        for option in ("-o", "--write-baseline"):
            assert isinstance(self.run(str(file), option, str(file)).exception, UsageError)
        assert json.loads(file.read_text()) == SOUND

    def test_bad_input_ends_in_one_line(self, capsys, monkeypatch, tmp_path):
        monkeypatch.setattr("sys.argv", ["faircall", "lint", str(tmp_path / "none.jsonl")])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
SCHEMAS = st.dictionaries(
    st.sampled_from(["type", "properties", "required", "items", "enum", "default", "anyOf"]), JSON, max_size=5
)


@given(SCHEMAS, JSON, st.sampled_from(["python", "java"]))
def test_whatever_a_dataset_holds_is_looked_over_or_refused_in_one_line(schema, answer, language):
    line = {"tools": [{"name": "f", "parameters": schema}], "expected": [{"f": answer}], "language": language}
    try:
        report = lint(stream(line), name="mine")
    except InputError as error:
        message = str(error)
    else:
        message = report.signature
        for format_ in ("text", "json", "markdown"):
            assert message in render_lint(report, format_)
    assert "\n" not in message
