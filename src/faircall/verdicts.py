"""The file of verdicts: JSON lines, or, by its ending, a Parquet table of the same rows; and its signature.

A file of verdicts has a second one beside it, `FILE.signature`: the signature line of the scores that the verdicts
add up to, and the hash of the file that it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, Final, TextIO, cast

from faircall.errors import InputError, UsageError
from faircall.files import STDOUT, writing
from faircall.jsontext import parse_json
from faircall.records import read_lines
from faircall.rows import dump_json
from faircall.signature import parse_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
SIGNATURE: Final = ".signature"
_NEEDED: Final = ("model", "category", "id", "outcome", "reason")
_SCORE_AGAIN: Final = "score the results again: faircall score RESULTS --verdicts FILE"


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


def sign_verdicts(path: str | os.PathLike[str], signature: str) -> None:
    """Write the signature of a file of verdicts beside it, with the hash by which the two are known to be a pair.

    What is no regular file (a device, a pipe) has none.
    """
    file = Path(path).resolve()
    if file.is_file():
        with writing(_signature_of(file)) as stream:
            stream.write(f"{signature}\nsha256:{_hash(file)}\n")


def read_signature(path: str | os.PathLike[str]) -> str:
    """Return the signature line of a file of verdicts.

    Raises `InputError` where it has none, or has changed since it was signed.
    """
    file = Path(path).resolve()
    beside = _signature_of(file)
    try:
        signature, _, rest = beside.read_text("utf-8").partition("\n")
        signed = rest.strip().removeprefix("sha256:") == _hash(file)
        parse_signature(signature)
    except FileNotFoundError as error:
        what = f"has no signature beside it ({beside.name})"
        raise InputError(what, path=path, hint=f"keep both files together, or {_SCORE_AGAIN}") from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path, hint=_SCORE_AGAIN) from error
    except (UnicodeDecodeError, UsageError) as error:
        raise InputError("is no signature of verdicts", path=beside, hint=_SCORE_AGAIN) from error
    if not signed:
        what = f"is not the file that {beside.name} was written for: one of them has changed since"
        raise InputError(what, path=path, hint=_SCORE_AGAIN)
    return signature


def read_verdicts(path: str | os.PathLike[str]) -> Iterator[dict[str, str]]:
    """Yield of each verdict in a file its `model`, `category`, `id`, `outcome` and `reason`, in the file's order.

    Raises `InputError` for a file of anything else, `UsageError` for Parquet where `polars` is not installed.

    >>> with TemporaryDirectory() as folder:
    ...     with writing_verdicts(Path(folder) / "v.jsonl") as stream:
    ...         _ = stream.write('{"model": "kite"}\\n')
    ...     list(read_verdicts(Path(folder) / "v.jsonl"))
    Traceback (most recent call last):
    faircall.errors.InputError: ...v.jsonl:1: is no verdict: no text `category`; name a file that ...
    """
    for row in _checked_rows(path, _NEEDED):
        yield {name: row[name] for name in _NEEDED}


def read_verdict_rows(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """Yield each verdict in a file with all of its fields, as its JSON line has them. Raises as `read_verdicts` does.

    >>> with TemporaryDirectory() as folder:
    ...     row = {"model": "kite", "category": "multiple", "id": "multiple_0", "outcome": "pass", "reason": "decoded"}
    ...     with writing_verdicts(Path(folder) / "v.jsonl") as stream:
    ...         _ = stream.write(dump_json({**row, "filled": ["$.args.unit"]}) + "\\n")
    ...     next(read_verdict_rows(Path(folder) / "v.jsonl"))["filled"]
    ['$.args.unit']
    """
    for row in _checked_rows(path, COLUMNS):
        if _is_parquet(path):
            row["calls"] = parse_json(row["calls"])
            dialogue = row.pop("dialogue")
            if dialogue is not None:
                row["dialogue"] = parse_json(dialogue)
        yield row


def _checked_rows(path: str | os.PathLike[str], columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, a table's with these columns alone; each has the texts that any verdict has."""
    lines = ((each.line, each.value) for each in read_lines(path))
    for line, row in _table_rows(path, columns) if _is_parquet(path) else lines:
        for name in _NEEDED:
            if not isinstance(row.get(name), str):
                hint = "name a file that `faircall score --verdicts` wrote"
                raise InputError(f"is no verdict: no text `{name}`", path=path, line=line, hint=hint)
        yield row


def _table_rows(path: str | os.PathLike[str], columns: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    if find_spec("polars") is None:
        raise UsageError("reading Parquet needs polars: pip install 'faircall[table]', or name a .jsonl file")
    import polars as pl  # noqa: PLC0415 - of the extra `table`, and slow to load

    try:
        table = pl.read_parquet(Path(path), columns=list(columns))
    except (OSError, pl.exceptions.PolarsError) as error:
        what = f"is no Parquet table of verdicts ({str(error).splitlines()[0]})"
        raise InputError(what, path=path, hint=_SCORE_AGAIN) from error
    yield from enumerate(table.iter_rows(named=True), 1)


def _signature_of(file: Path) -> Path:
    return file.with_name(file.name + SIGNATURE)


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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
