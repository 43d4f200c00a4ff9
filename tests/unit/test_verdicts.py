"""The file of verdicts: the same rows as lines and as a table, whole or not at all."""

from __future__ import annotations

import json
import sys

import pytest

from faircall import verdicts
from faircall.errors import InputError, UsageError
from faircall.rows import dump_json, verdict_row
from faircall.types import Call, Outcome, Span, State, Verdict
from faircall.verdicts import COLUMNS, read_signature, read_verdicts, sign_verdicts, writing_verdicts


def rows(count=3):
    calls = (
        Call("rent_boat", {"days": 2**70, "note": "half \ud83d", "crew": [{"age": 1.5}, None]}, (True,)),
    )
    for number in range(count):
        verdict = Verdict(
            outcome=Outcome.FAIL,
            state=State.CALLED,
            reason="wrong-value",
            path="$.args.days" if number else None,
            message="Expected `1`, got `\ud83d` – \x1b[31m",
            calls=calls if number % 2 else (),
            filled=("$.args.kind",) * number,
            evidence=Span(0, 3, "a\ud83d\n", 1) if number else None,
        )
        yield verdict_row(verdict, model="lab/boat", category="multiple", id=f"multiple_{number}")


def write(path, made):
    with writing_verdicts(path) as stream:
        for row in made:
            stream.write(dump_json(row) + "\n")


def test_the_columns_are_the_fields_of_a_line():
    assert (*next(rows()), "dialogue") == COLUMNS


def test_lines_are_json(tmp_path):
    target = tmp_path / "v.jsonl"
    write(target, rows())
    assert [json.loads(line)["id"] for line in target.read_text("utf-8").splitlines()] == [
        "multiple_0",
        "multiple_1",
        "multiple_2",
    ]


@pytest.mark.parametrize("rows_at_once", [1, 2, 1000])
@pytest.mark.parametrize("name", ["v.parquet", "V.PARQUET"])
def test_a_table_has_the_rows_of_the_lines(tmp_path, monkeypatch, rows_at_once, name):
    polars = pytest.importorskip("polars")
    monkeypatch.setattr(verdicts, "ROWS_AT_ONCE", rows_at_once)
    write(tmp_path / name, rows(5))
    table = polars.read_parquet(tmp_path / name)
    assert tuple(table.columns) == COLUMNS
    for found, expected in zip(table.iter_rows(named=True), rows(5), strict=True):
        assert json.loads(found["calls"]) == expected["calls"]
        assert found["filled"] == expected["filled"]
        assert found["path"] == expected["path"]
        assert found["message"] == "Expected `1`, got `\ufffd` – \x1b[31m"
        if expected["evidence"] is None:
            assert found["evidence"] is None
        else:
            assert found["evidence"] == {"block": 1, "start": 0, "end": 3, "text": "a\ufffd\n"}


def test_a_table_without_rows_has_its_columns(tmp_path):
    polars = pytest.importorskip("polars")
    write(tmp_path / "v.parquet", [])
    table = polars.read_parquet(tmp_path / "v.parquet")
    assert (table.height, tuple(table.columns)) == (0, COLUMNS)


@pytest.mark.parametrize("name", ["v.jsonl", "v.parquet"])
def test_nothing_appears_where_the_work_breaks_off(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("polars")
    target = tmp_path / name
    target.write_text("what was there", "utf-8")

    def broken():
        yield next(rows())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(target, broken())
    assert target.read_text("utf-8") == "what was there"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_without_polars_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setattr(verdicts, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'faircall\[table\]'"):
        write(tmp_path / "v.parquet", rows())
    assert not list(tmp_path.iterdir())
    write(tmp_path / "v.jsonl", rows())


@pytest.mark.parametrize("name", ["v.csv", "V.XLSX", "v.md"])
def test_another_kind_of_table_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match="JSON lines"):
        write(tmp_path / name, rows())


def test_where_verdicts_cannot_go(tmp_path):
    with pytest.raises(UsageError, match="name a file"):
        write("-", rows())
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "none" / "v.jsonl", rows())


@pytest.mark.parametrize("name", ["v.jsonl", "v.parquet"])
def test_a_signature_belongs_to_its_file(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("polars")
    target = tmp_path / name
    write(target, rows())
    sign_verdicts(target, "bench:bfcl-v4|v:0.1.0")
    assert read_signature(target) == "bench:bfcl-v4|v:0.1.0"
    assert [row["id"] for row in read_verdicts(target)] == ["multiple_0", "multiple_1", "multiple_2"]
    write(target, rows(2))
    with pytest.raises(InputError, match=f"{name}.signature was written for: one of them has changed"):
        read_signature(target)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"no signature\nsha256:1\n"])
def test_what_is_no_signature_is_refused(tmp_path, content):
    target = tmp_path / "v.jsonl"
    write(target, rows())
    (tmp_path / "v.jsonl.signature").write_bytes(content)
    with pytest.raises(InputError, match="is no signature of verdicts"):
        read_signature(target)


def test_a_link_to_verdicts_has_the_signature_of_what_it_leads_to(tmp_path):
    target, link = tmp_path / "v.jsonl", tmp_path / "link.jsonl"
    write(target, rows())
    link.symlink_to(target)
    sign_verdicts(link, "bench:bfcl-v4|v:0.1.0")
    assert read_signature(target) == read_signature(link)
    assert not (tmp_path / "link.jsonl.signature").exists()


def test_a_table_of_verdicts_needs_polars(tmp_path, monkeypatch):
    monkeypatch.setattr(verdicts, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'faircall\[table\]'"):
        list(read_verdicts(tmp_path / "v.parquet"))
