from __future__ import annotations

import pytest

from faircall.errors import InputError, UsageError
from faircall.reward_table import TABLES, VALUES, RewardTable, load_table


def test_the_first_table_is_as_documented():
    assert {name: getattr(TABLES["reward-1"], name) for name in VALUES} == {
        "partly": 0.5,
        "wrong": 0.0,
        "abstained": 0.0,
        "called": 0.0,
        "malformed": -0.5,
    }


def test_values_are_set_by_name_by_text_and_by_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('base = "reward-1"\nmalformed = -1\npartly = 0.25\n')
    made = load_table("reward-1", malformed=-1, partly=0.25)
    assert made == load_table("reward-1+malformed=-1+partly=0.25") == load_table(str(file))
    assert made == RewardTable(malformed=-1, partly=0.25)
    assert made.name == "reward-1+partly=0.25+malformed=-1"


def test_names_tell_tables_apart_that_differ_by_little():
    assert load_table(partly=0.123456789).name == "reward-1+partly=0.123456789"


@pytest.mark.parametrize(
    "values",
    [
        {"malformed": 0},
        {"malformed": 0.1},
        {"abstained": -0.6},
        {"abstained": 0.1},
        {"wrong": 0.6},
        {"wrong": -0.5, "abstained": -0.5},
        {"partly": 1},
        {"called": 0.1},
        {"called": -0.6},
        {"malformed": float("-inf")},
        {"wrong": float("nan")},
        {"wrong": True},
        {"wrong": "0"},
    ],
)
def test_a_table_under_which_something_wrong_pays_is_refused(values):
    with pytest.raises(UsageError):
        load_table(**values)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("reward-2", "no reward table is called 'reward-2'; did you mean reward-1?"),
        ("reward-1+malformd=-1", "no value is called 'malformd'"),
        ("reward-1+malformed", "write a value as name=number"),
        ("reward-1+malformed=low", "'low' is no number"),
    ],
)
def test_what_does_not_exist_is_said(name, told):
    with pytest.raises(UsageError, match=told.replace("?", r"\?")):
        load_table(name)


def test_files_that_cannot_be_read_are_said(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("partly =")
    with pytest.raises(InputError, match="is not TOML"):
        load_table(str(broken))
    with pytest.raises(InputError, match="cannot be read"):
        load_table(str(tmp_path / "none.toml"))
