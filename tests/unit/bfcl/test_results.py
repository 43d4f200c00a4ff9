from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.results import ResultFile, read_results
from faircall.errors import InputError
from faircall.types import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from faircall.problems import Problem

KNOWN = [f"irrelevance_{number}" for number in range(4)]


def line(name: object, result: object = "No tool fits.") -> str:
    return json.dumps({"id": name, "result": result, "latency": 0.5})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "BFCL_v4_irrelevance_result.json"


def read(file: Path, *lines: str) -> ResultFile:
    file.write_text("".join(item + "\n" for item in lines), "utf-8")
    return read_results(file, KNOWN)


def only(found: ResultFile) -> Problem:
    (problem,) = found.problems
    assert problem.path == str(found.path)
    return problem


def test_a_complete_file_has_nothing_to_say(file: Path) -> None:
    values = ["", [], [{"lamp.set": '{"on": true}'}], None]
    found = read(file, *map(line, KNOWN, values))
    assert found.entries == dict(zip(KNOWN, values, strict=True))
    assert (found.missing, found.unknown, found.problems) == ((), (), ())


def test_entries_are_paired_by_id_and_never_by_position(file: Path) -> None:
    found = read(file, *(line(name, name) for name in reversed(KNOWN)))
    assert all(name == value for name, value in found.entries.items())
    assert found.problems == ()


def test_missing_entries_are_void_and_named(file: Path) -> None:
    found = read(file, line(KNOWN[1]))
    assert found.missing == (KNOWN[0], KNOWN[2], KNOWN[3])
    problem = only(found)
    assert (problem.code, problem.ids) == ("missing-ids", found.missing)
    assert problem.message == (
        "3 entries of 4 not in the file; void: irrelevance_0, irrelevance_2, irrelevance_3"
    )


def test_one_stored_twice_and_one_missing_are_not_taken_for_complete(file: Path) -> None:
    found = read(file, line(KNOWN[0]), line(KNOWN[1]), line(KNOWN[1]), line(KNOWN[3]))
    assert found.missing == (KNOWN[2],)
    assert found.duplicates == {KNOWN[1]: 2}
    assert [(problem.code, problem.ids) for problem in found.problems] == [
        ("duplicate-ids", (KNOWN[1],)),
        ("missing-ids", (KNOWN[2],)),
    ]


def test_of_different_values_the_last_counts_and_it_is_said(file: Path) -> None:
    found = read(file, line(KNOWN[1], "first"), *map(line, KNOWN), line(KNOWN[1], "last"))
    assert found.entries[KNOWN[1]] == "last"
    assert found.conflicting == (KNOWN[1],)
    assert found.duplicates == {KNOWN[1]: 3}
    problem = only(found)
    assert (problem.code, problem.line, problem.severity) == ("conflicting-ids", 3, Severity.WARNING)


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), ("1", 1), ([], {}), ("", None)])
def test_values_that_python_takes_for_equal_still_differ(file: Path, one: object, other: object) -> None:
    found = read(file, line(KNOWN[1], [{"f": one}]), *map(line, KNOWN[2:]), line(KNOWN[1], [{"f": other}]))
    assert found.conflicting == (KNOWN[1],)


def test_nan_equals_itself(file: Path) -> None:
    nan = float("nan")
    found = read(file, line(KNOWN[0], nan), line(KNOWN[0], nan))
    assert found.conflicting == ()
    assert [problem.code for problem in found.problems] == [
        "non-finite-number",
        "duplicate-ids",
        "missing-ids",
    ]


def test_unknown_ids_are_left_out_and_named(file: Path) -> None:
    found = read(file, *map(line, KNOWN), line("irrelevance_4"), line("Irrelevance_0"))
    assert list(found.entries) == KNOWN
    assert found.unknown == ("irrelevance_4", "Irrelevance_0")
    problem = only(found)
    assert (problem.code, problem.line) == ("unknown-ids", 5)


def test_ids_of_earlier_versions_are_recognised(file: Path) -> None:
    found = read(file, line("simple_0"), line("simple_1"))
    assert found.entries == {}
    unknown, missing = found.problems
    assert "2 entries with ids of an earlier version of BFCL" in unknown.message
    assert missing.code == "missing-ids"


def test_a_file_of_another_category_is_recognised(file: Path) -> None:
    found = read(file, line("live_relevance_0-0-0"))
    assert "the whole file is of something else" in found.problems[0].message


def test_an_entry_without_a_result_is_void(file: Path) -> None:
    found = read(file, *map(line, KNOWN[1:]), json.dumps({"id": KNOWN[0], "error": "timeout"}))
    assert found.missing == (KNOWN[0],)
    problem = only(found)
    assert (problem.code, problem.line, problem.ids) == ("no-result", 4, (KNOWN[0],))
    assert only(read(file, *map(line, KNOWN), json.dumps({"id": 3}))).code == "no-id"


def test_a_stored_null_is_a_value(file: Path) -> None:
    assert read(file, *(line(name, None) for name in KNOWN)).missing == ()


def test_objects_without_ids_are_counted_and_refused_where_there_are_no_others(file: Path) -> None:
    found = read(file, *map(line, KNOWN), line(7), line(None))
    assert only(found).message == "2 objects without a text `id`; left out"
    with pytest.raises(InputError, match=r"result\.json:1: no object has a text `id`"):
        read(file, line(0), line(1))


@pytest.mark.parametrize("text", ["", "\n\n", "[]", "\ufeff"])
def test_an_empty_file_says_so(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    found = read_results(file, KNOWN)
    assert found.entries == {}
    assert found.missing == tuple(KNOWN)
    assert [problem.code for problem in found.problems][-2:] == ["empty-file", "missing-ids"]


def test_a_truncated_last_line_costs_its_entry_alone(file: Path) -> None:
    file.write_text("\n".join(map(line, KNOWN))[:-9], "utf-8")
    found = read_results(file, KNOWN)
    assert found.missing == (KNOWN[3],)
    assert [problem.code for problem in found.problems] == ["truncated-last-line", "missing-ids"]


def test_a_broken_line_in_the_middle_is_one_clear_line(file: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(file, line(KNOWN[0]), line(KNOWN[1])[:20], line(KNOWN[2]))
    assert str(refused.value).startswith(f"{file}:2: the object is cut off here; ")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_encodings_and_line_ends_change_no_value(file: Path, encoding: str, end: str, packed: bool) -> None:
    text = "".join(
        json.dumps({"id": name, "result": "Das weiß ich nicht – leider."}, ensure_ascii=False) + end
        for name in KNOWN
    )
    data = text.encode(encoding)
    file.write_bytes(gzip.compress(data) if packed else data)
    found = read_results(file, KNOWN)
    assert set(found.entries.values()) == {"Das weiß ich nicht – leider."}
    assert found.missing == ()
    said = {problem.code for problem in found.problems}
    expected = {"utf-8": set(), "utf-8-sig": {"byte-order-mark"}, "utf-16": {"wide-encoding"}}
    assert said - {"line-ends", "blank-lines"} == expected.get(encoding, {"encoding"})


def test_without_known_ids_every_entry_is_taken(file: Path) -> None:
    read(file, line("anything"), line("else"))
    found = read_results(file)
    assert list(found.entries) == ["anything", "else"]
    assert (found.missing, found.problems) == ((), ())


def test_the_ids_may_come_from_any_collection(file: Path) -> None:
    read(file, *map(line, KNOWN))
    for known in (tuple(KNOWN), frozenset(KNOWN), dict.fromkeys(KNOWN)):
        assert read_results(file, known).problems == ()


def test_a_path_that_is_no_file_says_what_to_pass(tmp_path):
    for path in (tmp_path, tmp_path / "gone", tmp_path / "nul\0"):
        with pytest.raises(InputError) as refused:
            read_results(path)
        assert refused.value.hint
