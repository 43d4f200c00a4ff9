"""Published CSV files, read by column name: any order of columns, with the line of every row.

A file is refused, with the line and the way to mend it, rather than read with its cells shifted.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MAX_BYTES: Final = 64 * 1024 * 1024
_DELIMITERS: Final = ",;\t"
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # not the white space, and not escape
_RECORDS: Final = re.compile(r"\[\s*(?:[\[{\"\d\]-]|$)|\{\s*(?:\"|\}|$)")
_MARKUP: Final = re.compile(r"<(?:!|\?|[a-zA-Z])")
BOARD_HINT: Final = "name a CSV file or a folder with data_overall.csv"
"""How to mend a board that is none."""


class Record(msgspec.Struct, frozen=True):
    """One row of a file: the line on which it starts, counted from 1, and its cells by column."""

    line: int
    cells: dict[str, str]


class Table(msgspec.Struct, frozen=True):
    """A file: where it is, its columns as printed, its rows in their order."""

    path: str
    columns: tuple[str, ...]
    records: tuple[Record, ...]


def read_table(path: Path) -> Table:
    """Return the rows of the CSV file at `path`; raises InputError for a file that cannot be read as one."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError("larger than 64 MB", path=path, hint="this is not a board's table")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path, hint=BOARD_HINT) from error
    return parse_table(_decode(data, path), path)


def parse_table(text: str, path: object) -> Table:
    """Return the rows of CSV text; `path` is what messages call it.

    Commas, semicolons and tabs are known as separators, by the first line. Blank rows are passed over, and so
    are empty cells past the last column. Raises InputError for a row that is wider or narrower than the first
    line, for a column named twice, and for text without rows.

    >>> parse_table("Model,Overall Acc\\nKite,50.00%\\n", "board.csv").records[0].cells["Model"]
    'Kite'
    """
    _refuse_others(text, path)
    lines = _rows(text, path)
    first = next(lines, None)
    if first is None:
        raise InputError("empty", path=path, hint="give the CSV file that the board's page reads")
    head_line, header = first
    columns = tuple(" ".join(name.split()) for name in header)
    while columns and not columns[-1]:
        columns = columns[:-1]
    for name in columns:
        if name and columns.count(name) > 1:
            raise InputError(
                f"column `{name}` is there twice",
                path=path,
                line=head_line,
                hint="drop or rename one of them",
            )
    records = []
    for line, row in lines:
        while len(row) > len(columns) and not row[-1].strip():
            row.pop()
        if len(row) != len(columns):
            what = f"{len(row)} cells where the first line names {len(columns)} columns"
            hint = (
                "put cells that hold a comma, such as a model's name, in double quotes"
                if len(row) > len(columns)
                else "the row is cut short or a cell is missing"
            )
            raise InputError(what, path=path, line=line, hint=hint)
        records.append(Record(line, dict(zip(columns, (cell.strip() for cell in row), strict=True))))
    if not records:
        if len(columns) == 1:
            what = "not a CSV table: no comma, semicolon or tab in its first line"
            raise InputError(what, path=path, line=head_line, hint=BOARD_HINT)
        raise InputError(
            "no rows below the first line", path=path, line=head_line, hint="one row for each model is needed"
        )
    return Table(str(path), columns, tuple(records))


def _refuse_others(text: str, path: object) -> None:
    """Raise InputError for text that is a file of another kind."""
    start = text.lstrip()
    line = text[: len(text) - len(start)].count("\n") + 1
    for pattern, kind in ((_RECORDS, "looks like JSON"), (_MARKUP, "looks like HTML or XML")):
        if pattern.match(start):
            raise InputError(f"{kind}, not a CSV table", path=path, line=line, hint=BOARD_HINT)
    # A model's name may hold anything; the names of the columns hold no control characters.
    if _CONTROL.search(start.partition("\n")[0]):
        raise InputError("binary data, not a CSV table", path=path, line=line, hint=BOARD_HINT)


def _rows(text: str, path: object) -> Iterator[tuple[int, list[str]]]:
    head = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            hint = "check the double quotes and the line ends"
            raise InputError(f"not CSV ({error})", path=path, line=start, hint=hint) from error
        if any(cell.strip() for cell in row):
            yield start, row
        start = reader.line_num + 1


def _decode(data: bytes, path: Path) -> str:
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        if _CONTROL.search(data.decode("latin-1")):
            raise InputError("binary data, not a CSV table", path=path, line=line, hint=BOARD_HINT) from error
        hint = "save the CSV file as UTF-8"
        raise InputError("not UTF-8 text", path=path, line=line, hint=hint) from error
