"""Result files: what a model wrote for each entry of a category, as BFCL stores it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import parse_file_name
from faircall.errors import InputError
from faircall.problems import Problem, count_of, first_few
from faircall.records import read_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Collection

_OLD_ID: Final = re.compile(r"(simple|java|javascript)_\d+")


class ResultFile(msgspec.Struct, frozen=True):
    """What one file stores: the value of `result` by entry id, in the order of the file.

    `missing` are the known entries without a stored value: they are void, neither wrong nor right.
    `duplicates` says how often each id occurs that occurs more than once, `conflicting` which of those have
    different values. `unknown` are the ids that do not belong to the category; their values are left out.
    """

    path: Path
    entries: dict[str, Any]
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    duplicates: dict[str, int] = {}
    conflicting: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_results(path: str | os.PathLike[str], known_ids: Collection[str] | None = None) -> ResultFile:
    """Return what a result file stores for the entries `known_ids`, or for all, and what is odd about it.

    Entries are paired by id and never by position. Of an id that occurs twice, the last value counts, as when
    a run is taken up again and answers anew; equal and different values are reported apart. A last line that
    is cut off is dropped, and its entry missing. Fields other than `id` and `result` are left aside.

    Raises `InputError`, with the line, where a line is not a JSON object, and where no line has an id.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "BFCL_v4_multiple_result.json"
    ...     _ = file.write_text('{"id": "multiple_0", "result": "[f(x=1)]"}')
    ...     read_results(file, ["multiple_0", "multiple_1"]).missing
    ('multiple_1',)
    """
    path = Path(path)
    where = str(path)
    known = None if known_ids is None else dict.fromkeys(known_ids)
    problems: list[Problem] = []
    entries: dict[str, Any] = {}
    seen: dict[str, int] = {}
    conflicting: dict[str, int] = {}
    unknown: dict[str, int] = {}
    without: dict[str, int] = {}
    nameless: list[int] = []
    for record in read_lines(path, problems=problems):
        name = record.value.get("id")
        if not isinstance(name, str):
            nameless.append(record.line)
            continue
        if known is not None and name not in known:
            unknown.setdefault(name, record.line)
            continue
        if "result" not in record.value:
            without.setdefault(name, record.line)
            continue
        value = record.value["result"]
        seen[name] = seen.get(name, 0) + 1
        # By `repr`, which tells 1 from 1.0 and True, and lets NaN equal itself.
        if name in entries and repr(entries[name]) != repr(value):
            conflicting.setdefault(name, record.line)
        entries[name] = value

    if nameless and not (entries or unknown or without):
        raise InputError(
            "no object has a text `id`",
            path=path,
            line=nameless[0],
            hint='store {"id": …, "result": …} lines',
        )
    if not (entries or unknown or without or nameless):
        problems.append(Problem("empty-file", "no entry is stored", where))
    if nameless:
        message = f"{count_of(len(nameless), 'object')} without a text `id`; left out"
        problems.append(Problem("no-id", message, where, nameless[0]))
    without = {name: line for name, line in without.items() if name not in entries}
    _say(problems, "no-result", where, without, "without a `result`; void")
    duplicates = {name: count for name, count in seen.items() if count > 1}
    equal = {name: 0 for name in duplicates if name not in conflicting}
    _say(problems, "duplicate-ids", where, equal, "stored more than once, with equal values; counted once")
    _say(problems, "conflicting-ids", where, conflicting, "stored with different values; the last one counts")
    _say(problems, "unknown-ids", where, unknown, _whose(path, unknown, entries))
    missing = tuple(name for name in known or () if name not in entries)
    absent = {name: 0 for name in missing if name not in without}
    _say(problems, "missing-ids", where, absent, f"of {len(known or ()):,} not in the file; void")
    return ResultFile(path, entries, missing, tuple(unknown), duplicates, tuple(conflicting), tuple(problems))


def _say(problems: list[Problem], code: str, where: str, ids: dict[str, int], what: str) -> None:
    """Report the ids, which come with the line of their first occurrence, or 0."""
    if ids:
        message = f"{count_of(len(ids), 'entry')} {what}: {first_few(ids)}"
        line = next(iter(ids.values())) or None
        problems.append(Problem(code, message, where, line, tuple(ids)))


def _whose(path: Path, unknown: dict[str, int], entries: dict[str, Any]) -> str:
    name = parse_file_name(path.name)
    category = name.category if name else "the category"
    if any(_OLD_ID.fullmatch(entry) for entry in unknown):
        return f"with ids of an earlier version of BFCL, not of {category} in v4; left out"
    if not entries:
        return f"of another category than {category}: the whole file is of something else; left out"
    return f"not of {category}; left out"
