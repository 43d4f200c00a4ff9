from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall import records
from faircall.errors import InputError
from faircall.problems import PROBLEMS, Problem, count_of, first_few
from faircall.records import parse_lines, read_lines
from faircall.types import Severity

ONE = b'{"id": "a", "result": "caf\xc3\xa9"}\n'
TWO = b'{"id": "b", "result": []}\n'


def read(data: bytes) -> tuple[list[str], list[Problem]]:
    """The ids that a tolerant reading gives, and what it says."""
    problems: list[Problem] = []
    found = parse_lines(data, name="f.json", problems=problems)
    return [record.value["id"] for record in found], problems


def codes(problems: list[Problem]) -> list[str]:
    return [problem.code for problem in problems]


def test_plain_lines_give_no_problems() -> None:
    problems: list[Problem] = []
    first, second = parse_lines(ONE + TWO, problems=problems)
    assert (first.line, first.value) == (1, {"id": "a", "result": "café"})
    assert (second.line, second.value) == (2, {"id": "b", "result": []})
    assert problems == []


@settings(deadline=None)
@given(
    st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), max_size=6),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
    st.booleans(),
    st.booleans(),
)
def test_no_encoding_or_line_end_changes_a_value(
    objects: list[dict[str, object]], encoding: str, end: str, ascii_only: bool, packed: bool
) -> None:
    text = "".join(json.dumps(item, ensure_ascii=ascii_only) + end for item in objects)
    data = text.encode(encoding)
    problems: list[Problem] = []
    found = parse_lines(gzip.compress(data) if packed else data, problems=problems)
    assert [record.value for record in found] == objects
    assert all(problem.severity is Severity.NOTE for problem in problems)
    assert [record.value for record in parse_lines(data)] == objects  # strictly, too


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.text(), st.text() | st.floats()), max_size=5), st.sampled_from([None, 2]))
def test_an_array_reads_like_lines(objects: list[dict[str, object]], indent: int | None) -> None:
    problems: list[Problem] = []
    found = parse_lines(json.dumps(objects, indent=indent), problems=problems)
    assert repr([record.value for record in found]) == repr(objects)
    assert codes(problems)[0] == "json-array"


def test_items_of_an_array_know_their_lines() -> None:
    found = parse_lines('\n[\n  {"id": 1},\n\n  {"id":\n 2}\n, {"id": 3}]\n')
    assert [record.line for record in found] == [3, 5, 7]


@settings(deadline=None)
@given(st.integers(1, len(ONE) - 3), st.sampled_from([b"", b"\n", b"\r\n", b"\n\n", b"\0\0\0", b"\n\0\0"]))
def test_a_last_line_that_is_cut_off_is_dropped_and_said(kept: int, end: bytes) -> None:
    data = TWO + ONE[:kept] + end
    ids, problems = read(data)
    assert ids == ["b"]
    assert "truncated-last-line" in codes(problems)
    with pytest.raises(InputError, match=r"cut off|NUL"):
        parse_lines(data, name="f.json")


def test_a_complete_last_line_needs_no_line_break() -> None:
    assert read(TWO + ONE.rstrip(b"\n")) == (["b", "a"], [])


def test_a_file_that_ends_in_nul_bytes_says_so() -> None:
    ids, problems = read(ONE + b"\0" * 512)
    assert ids == ["a"]
    assert [(p.code, p.line) for p in problems] == [("truncated-last-line", 2)]


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (ONE + TWO[:9] + b"\n" + ONE, 2, "cut off here"),
        (ONE + TWO[:9] + ONE, 2, "not JSON"),
        (ONE + b"{'id': 'b'}\n" + TWO, 2, "expecting property name"),
        (ONE + b"{'id': 'b'}", 2, "expecting property name"),
        (ONE + b"hello\n", 2, "not JSON"),
        (ONE + b"\0\0\n" + TWO, 2, "NUL"),
        (b'{"id": "a\0"}\n', 1, "NUL byte at character 9"),
        (ONE + b"[1]\n", 2, "an array, not a JSON object"),
        (ONE + b"null\n", 2, "null, not a JSON object"),
        (ONE + b"NaN\n", 2, "a number, not a JSON object"),
        (ONE + b"true\n", 2, "true or false, not a JSON object"),
        (b'"text"', 1, "a string, not a JSON object"),
        (b'{\n "id": "a"\n}\n', 1, "one JSON value over several lines"),
        (b'[{"id": "a"}, 3]', 1, "a number in the array"),
        (b'[{"id": "a"}\n {"id": "b"}]', 1, "no comma"),
        (b'[{"id": "a"},\n\n {"id": b}]', 3, "expecting value"),
        (b'[{"id": "a"}]\n{"id": "b"}', 1, "more text after"),
        (b'{"a":' * 400 + b"1" + b"}" * 400, 1, "nested deeper than 256 levels"),
        (b'\n{"a": NaN, "b": ' + b"[" * 400 + b"]" * 400 + b"}", 2, "nested deeper than 256 levels"),
        (b'[{"a": ' + b"[" * 400 + b"]" * 400 + b"}]", 1, "nested deeper than 256 levels"),
    ],
)
@pytest.mark.parametrize("tolerant", [True, False])
def test_unreadable_input_is_one_line_with_its_place(
    data: bytes, line: int, what: str, tolerant: bool
) -> None:
    with pytest.raises(InputError, match=what) as refused:
        parse_lines(data, name="f.json", problems=[] if tolerant else None)
    assert str(refused.value).startswith(f"f.json:{line}: ")
    assert "\n" not in str(refused.value)
    assert refused.value.hint


def test_what_comes_before_the_damage_is_handed_out() -> None:
    lines = read_lines(io.BytesIO(ONE + b"oops\n"))
    assert next(lines).value["id"] == "a"
    with pytest.raises(InputError):
        next(lines)


def test_windows_bytes_are_read_as_such_and_said() -> None:
    data = TWO + '{"id": "a", "result": "“café” €"}\n'.encode("cp1252")
    problems: list[Problem] = []
    found = parse_lines(data, name="f.json", problems=problems)
    assert found[1].value["result"] == "“café” €"
    assert codes(problems) == ["encoding"]
    assert problems[0].line == 2
    assert "first at byte 23 of line 2: read as Windows-1252" in problems[0].message
    with pytest.raises(InputError, match=r"f\.json:2: not UTF-8 at byte 23"):
        parse_lines(data, name="f.json")


def test_bytes_that_no_encoding_has_still_give_text() -> None:
    _, problems = read(b'{"id": "a", "result": "' + bytes(range(0x80, 0x100)) + b'"}')
    assert codes(problems) == ["encoding"]


def test_a_damaged_byte_among_sound_utf8_is_replaced_and_said() -> None:
    problems: list[Problem] = []
    data = b'{"id": "a", "result": "caf\xc3\xa9 caf\xc3"}\n'
    (found,) = parse_lines(data, problems=problems)
    assert found.value["result"] == "café caf\ufffd"
    assert "U+FFFD" in problems[0].message


def test_half_a_surrogate_pair_stored_as_bytes_is_kept() -> None:
    problems: list[Problem] = []
    (found,) = parse_lines(b'{"id": "\xed\xa0\xbd"}', problems=problems)
    assert found.value["id"] == "\ud83d"
    assert codes(problems) == ["lone-surrogate"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"id": "a", "result": "\\ud83d"}', "lone-surrogate"),
        (b'{"id": "a", "result": NaN}', "non-finite-number"),
        (b'{"id": "a", "result": 1e400}', "non-finite-number"),
        (b'{"id": "a", "id": "b"}', "duplicate-keys"),
        (b'{"id": "a", "x": {"id": 1}, "result": "", "result": 2}', "duplicate-keys"),
        (b'{"id": "a", "result": ' + b"7" * 5000 + b"}", "long-number"),
    ],
)
def test_oddities_are_said_once_for_the_file(data: bytes, code: str) -> None:
    problems = read(ONE + data + b"\n" + data)[1]
    assert [(p.code, p.line) for p in problems] == [(code, 2)]
    assert "2 lines" in problems[0].message


def test_a_key_inside_another_object_is_no_duplicate() -> None:
    assert read(b'{"id": "a", "result": {"id": "b", "result": "\\"id\\""}}')[1] == []


def test_a_number_that_changes_is_refused_where_it_cannot_be_said() -> None:
    with pytest.raises(InputError, match="more than 4,300 digits"):
        parse_lines(b'{"id": ' + b"7" * 5000 + b"}")


def test_objects_on_one_line_are_told_apart() -> None:
    ids, problems = read(ONE.strip() + b" " + TWO + ONE)
    assert ids == ["a", "b", "a"]
    assert [(p.code, p.line) for p in problems] == [("joined-lines", 1)]
    with pytest.raises(InputError, match="2 JSON values on one line"):
        parse_lines(ONE.strip() + TWO)


def test_lines_that_end_in_cr_alone_are_told_apart() -> None:
    assert read(ONE.replace(b"\n", b"\r") + TWO.replace(b"\n", b"\r"))[0] == ["a", "b"]


def test_line_separators_inside_text_end_no_line() -> None:
    (found,) = parse_lines('{"id": "a\u2028b\x85c\x0b"}'.replace("\x0b", ""))
    assert found.value["id"] == "a\u2028b\x85c"


def test_an_array_that_is_cut_off_keeps_its_whole_items() -> None:
    for end in (b"", b",", b', {"id": "c'):
        ids, problems = read(b"[" + ONE.strip() + b",\n" + TWO.strip() + end)
        assert ids == ["a", "b"]
        assert codes(problems) == ["json-array", "truncated-last-line"]


def test_compressed_data_that_breaks_off_is_said() -> None:
    lines = b"".join(
        b'{"id": "%d", "result": "%s"}\n' % (n, os.urandom(300).hex().encode()) for n in range(400)
    )
    packed = gzip.compress(lines)
    ids, problems = read(packed[: len(packed) // 2])
    assert 0 < len(ids) < 400
    assert codes(problems)[-1] == "truncated-last-line"
    with pytest.raises(InputError, match="breaks off"):
        parse_lines(packed[: len(packed) // 2])


@pytest.mark.parametrize("magic", [b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"])
def test_archives_are_named(magic: bytes) -> None:
    with pytest.raises(InputError, match="not JSON lines; unpack it first"):
        parse_lines(magic + b"....\n")


def test_empty_input_has_no_records() -> None:
    for data in (b"", b"\xef\xbb\xbf"):
        assert parse_lines(data) == []
    assert codes(read(b"\n\n \r\n")[1]) == ["line-ends", "blank-lines"]


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_LINE_BYTES", 2**20)
    with pytest.raises(InputError, match="a line of more than 1 MiB"):
        parse_lines(ONE + b'{"id": "' + b"x" * 2**20)
    (found,) = parse_lines(b'{"id": "' + b"x" * (2**20 - 20) + b'"}')
    assert len(found.value["id"]) == 2**20 - 20


def test_a_small_archive_does_not_grow_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_FILE_BYTES", 2**20)
    with pytest.raises(InputError, match="not plain JSON lines"):
        parse_lines(gzip.compress(b"[" + b" " * 2**21 + b"]"))


def test_files_and_streams_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(ONE + TWO)
    assert list(read_lines(file)) == list(read_lines(str(file))) == parse_lines(ONE + TWO)
    with file.open("rb") as stream:
        assert list(read_lines(stream)) == parse_lines(ONE + TWO)


def test_a_pipe_is_read_line_by_line() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        lines = read_lines(stream, name="standard input")
        pipe.write(ONE)
        assert next(lines).value["id"] == "a"  # before the writer is done
        pipe.write(TWO)
        assert next(lines).value["id"] == "b"


def test_what_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, not a file"):
        next(read_lines(tmp_path))
    with pytest.raises(InputError, match="No such file"):
        next(read_lines(tmp_path / "absent.jsonl"))
    with pytest.raises(InputError, match="is no file name"):
        next(read_lines("a\0b"))


def test_a_problem_prints_as_one_sentence_with_its_place() -> None:
    assert str(Problem("no-id", "an object has no id", "f.json", 3)) == "f.json:3: an object has no id"
    assert str(Problem("empty-file", "nothing", "f.json")) == "f.json: nothing"
    assert str(Problem("empty-file", "nothing")) == "nothing"
    assert Problem("json-array", "x").severity is Severity.NOTE


def test_every_problem_code_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text("utf-8")
    for code, severity in PROBLEMS.items():
        assert f"| `{code}` | {severity} |" in page


def test_files_with_marks_that_were_joined_still_read() -> None:
    ids, problems = read(b"\xef\xbb\xbf" + ONE + b"\xef\xbb\xbf" + TWO)
    assert ids == ["a", "b"]
    assert [(p.code, p.line) for p in problems] == [("byte-order-mark", 1), ("byte-order-mark", 2)]


def test_ids_from_a_file_cannot_break_the_line_they_are_printed_on() -> None:
    assert first_few(["a\n\x1b[31m", "\ud83d", "é"]) == "a\\n\\x1b[31m, \\ud83d, é"
    assert len(first_few(["x" * 1000])) == 81


def test_ids_and_counts_read_well() -> None:
    assert first_few([]) == ""
    assert first_few("abc") == "a, b, c"
    assert first_few(str(n) for n in range(2000)) == "0, 1, 2 and 1,997 more"
    assert count_of(0, "line") == "0 lines"


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=4),
        st.text(max_size=8) | st.integers() | st.lists(st.integers(), max_size=2),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([(", ", ": "), (",", ":")]),
    st.booleans(),
)
def test_a_key_that_stands_twice_is_said_whatever_stands_elsewhere(
    tmp_path_factory, record, separators, twice
):
    text = json.dumps({"id": "a", **record, "more": dict(record)}, separators=separators)
    if twice:
        text = f'{text[:-1]}{separators[0]}"id"{separators[1]}"b"}}'
    path = tmp_path_factory.mktemp("records") / "lines.jsonl"
    path.write_text(text, "utf-8")
    problems = []
    assert len(list(read_lines(path, problems=problems))) == 1
    assert ("duplicate-keys" in {problem.code for problem in problems}) is twice
