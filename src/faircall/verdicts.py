"""The file of verdicts: JSON lines, or, by its ending, a Parquet table of the same rows."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, Final, TextIO, cast

from faircall.errors import UsageError
from faircall.files import STDOUT, writing
from faircall.rows import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterator

PARQUET: Final = ".parquet"
OTHER_TABLES: Final = (".csv", ".tsv", ".xlsx", ".md", ".html", ".feather", ".arrow")
"""Endings of files that verdicts would not be found in."""
COLUMNS: Final = (
    "model", "category", "id", "outcome", "state", "reason", "path", "message", "calls", "filled", "evidence",
    "dialogue",
)  # fmt: skip
"""The columns of the table, which are the fields of a line.

`calls` is JSON text, since arguments have no fixed type, and so is `dialogue`, which is null for single outputs;
`filled` is a list of texts and `evidence` a struct of `block`, `start`, `end` and `text`. All others are text.
"""
ROWS_AT_ONCE: Final = 50_000


def refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """Raise `UsageError` for standard output, for other tables, and for Parquet where `polars` is not installed.

    >>> refuse_unwritable("-")
    Traceback (most recent call last):
    faircall.errors.UsageError: verdicts cannot go to standard output, where the report goes: name a file
    """
    if os.fspath(path) == STDOUT:
        raise UsageError("verdicts cannot go to standard output, where the report goes: name a file")
    if os.fspath(path).lower().endswith(OTHER_TABLES):
        raise UsageError(f"verdicts are JSON lines, or a {PARQUET} table: name a file that ends so")
    if _is_parquet(path) and find_spec("polars") is None:
        raise UsageError("writing Parquet needs polars: pip install 'faircall[table]', or name a .jsonl file")


def _is_parquet(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().endswith(PARQUET)


@contextmanager
def writing_verdicts(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Give a text file that takes verdicts as JSON lines; it appears at `path` when the block ends well.

    Where `path` ends in ``.parquet``, the lines are kept in a temporary file and turned into a table at the end, a
    batch at a time, so that memory does not grow with their number. Raises as `refuse_unwritable` does, and
    `InputError` where the folder cannot be written to.

    >>> with TemporaryDirectory() as folder:
    ...     with writing_verdicts(Path(folder) / "v.jsonl") as stream:
    ...         _ = stream.write('{"id": "multiple_0"}\\n')
    ...     (Path(folder) / "v.jsonl").read_text("utf-8")
    '{"id": "multiple_0"}\\n'
    """
    refuse_unwritable(path)
    if not _is_parquet(path):
        with writing(path) as stream:
            yield stream
        return
    with writing(path) as stream, TemporaryDirectory(prefix="faircall-") as folder:
        kept = Path(folder) / "verdicts.jsonl"
        with kept.open("w", encoding="utf-8", newline="\n") as lines:
            yield lines
        table = _tabulate(kept)
        with table.open("rb") as made:
            shutil.copyfileobj(made, cast("TextIO", stream).buffer)


def _tabulate(lines: Path) -> Path:
    """Write the lines as a Parquet file beside them, and return its path."""
    import polars as pl  # noqa: PLC0415 - of the extra `table`, and slow to load

    text = pl.String()
    span = pl.Struct({"block": pl.Int64(), "start": pl.Int64(), "end": pl.Int64(), "text": text})
    schema = {**dict.fromkeys(COLUMNS, text), "filled": pl.List(text), "evidence": span}
    parts: list[Path] = []
    with lines.open(encoding="utf-8", newline="\n") as stream:
        while batch := [_flatten(json.loads(line)) for line in islice(stream, ROWS_AT_ONCE)]:
            parts.append(lines.with_name(f"part-{len(parts)}{PARQUET}"))
            pl.DataFrame(batch, schema=schema).write_parquet(parts[-1])
    whole = lines.with_name(f"whole{PARQUET}")
    if parts:
        pl.scan_parquet(parts).sink_parquet(whole)
    else:
        pl.DataFrame(schema=schema).write_parquet(whole)
    return whole


def _flatten(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with texts that Unicode allows, and its calls as JSON text."""
    flat = {name: _sound(row.get(name)) for name in COLUMNS}
    flat["calls"] = dump_json(row["calls"])
    flat["dialogue"] = dump_json(row["dialogue"]) if "dialogue" in row else None
    return flat


def _sound(value: Any) -> Any:
    """Return a value in whose texts half of a surrogate pair is U+FFFD, which keeps every position."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_sound(item) for item in value]
    if isinstance(value, dict):
        return {key: _sound(item) for key, item in value.items()}
    return value
