"""A published board: a folder of CSV files, one CSV file, or the snapshot inside the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faircall.board.cells import is_none, read_score
from faircall.board.tables import BOARD_HINT, Record, Table, parse_table, read_table
from faircall.composition import Node, Printed, Recipe
from faircall.errors import InputError
from faircall.signature import hash8

if TYPE_CHECKING:
    from collections.abc import Iterator

_SNAPSHOT: Final = Path(__file__).parent.parent / "snapshot" / "bfcl-v4.json"
_OTHER_LAYOUT: Final = "for other columns, pass a recipe that names them with --recipe FILE (docs/audit.md)"
_SHOWN: Final = 40  # characters of a bad cell that a message quotes


class BoardRow(msgspec.Struct, frozen=True):
    """A model's row: its rank where the board prints one, and its figures by `table:Column`.

    A figure is None where the board says that there is none; a column that is not there is not in `cells`.
    """

    model: str
    published: Printed | None
    cells: dict[str, Printed | None]
    rank: int | None = None


class Board(msgspec.Struct, frozen=True):
    """A published table of models.

    `tables` names the files that were found, `strays` the models that are not in every one of them.
    """

    name: str
    rows: tuple[BoardRow, ...]
    tables: tuple[str, ...]
    date: str | None = None
    source: str | None = None
    strays: dict[str, tuple[str, ...]] = {}

    def hash(self) -> str:
        """Return eight digits that stand for the figures, whatever the order of rows and columns.

        Printed ranks count where they are not those of the scores.
        """
        pieces = []
        scored = [row for row in self.rows if row.rank is not None and row.published is not None]
        scored.sort(key=lambda row: row.rank or 0)
        values = [row.published.value for row in scored if row.published is not None]
        odd = values != sorted(values, reverse=True) or len({row.rank for row in scored}) < len(scored)
        for row in sorted(self.rows, key=lambda row: row.model):
            pieces.append(f"{row.rank} {row.model}" if odd else row.model)
            pieces.append(_figure(row.published))
            pieces += [f"{column}={_figure(row.cells[column])}" for column in sorted(row.cells)]
        return hash8(pieces)


def read_board(path: str | Path, recipe: Recipe) -> Board:
    """Return the board at `path`: a folder with the files that `recipe` names, or its first file alone.

    Columns are found by name. Raises InputError, with file and line, for a file that cannot be read, a column
    or block that is missing, a cell that is no percentage, a model that is there twice, and a shifted row.
    """
    path = Path(path)
    first = next(iter(recipe.tables))
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path, hint=BOARD_HINT) from error
    if is_folder:
        wanted = {key: path / name for key, name in recipe.tables.items()}
        if not wanted[first].is_file():
            raise InputError(
                f"no `{recipe.tables[first]}` in this folder", path=path, hint="give the folder that holds it"
            )
        tables = {key: read_table(file) for key, file in wanted.items() if file.is_file()}
        name = path.resolve().name
    elif is_there:
        tables = {first: read_table(path)}
        name = path.stem
    else:
        raise InputError("no such file or folder", path=path, hint=BOARD_HINT)
    return assemble(tables, recipe, name=name)


def parse_board(text: str, recipe: Recipe, *, name: str = "board") -> Board:
    """Return the board that CSV text holds; raises InputError as `read_board` does."""
    return assemble({next(iter(recipe.tables)): parse_table(text, f"{name}.csv")}, recipe, name=name)


def read_snapshot() -> Board:
    """Return the board inside the package: BFCL v4's 109 models, as served in April 2026.

    >>> len(read_snapshot().rows)
    109
    """
    raw = msgspec.json.decode(_SNAPSHOT.read_bytes(), type=_Snapshot)
    half = 0.5 * raw.unit
    scale = round(1 / raw.unit)
    rows = []
    for rank, (model, (published, *figures)) in enumerate(raw.rows.items(), 1):
        cells = {
            column: None if figure is None else Printed(figure / scale, half)
            for column, figure in ((column, figures[place]) for column, place in raw.columns.items())
        }
        overall = None if published is None else Printed(published / scale, half)
        rows.append(BoardRow(model, overall, cells, rank))
    return Board(raw.board, tuple(rows), raw.tables, raw.date, raw.source)


class _Snapshot(msgspec.Struct):
    """The embedded file: figures as whole numbers of `unit`, the published score first.

    `columns` says at which place after it each column's figure stands; columns that hold the same figures in
    every row share a place.
    """

    board: str
    date: str
    source: str
    licence: str
    unit: float
    tables: tuple[str, ...]
    columns: dict[str, int]
    rows: dict[str, list[int | None]]


class _Place(NamedTuple):
    """Where a figure of the recipe is printed in one table."""

    key: str
    column: str


def assemble(tables: dict[str, Table], recipe: Recipe, *, name: str) -> Board:
    """Return the board that the tables make together, joined by model; raises InputError as `read_board`."""
    first = next(iter(recipe.tables))
    main = tables[first]
    found = {table: _columns(tables[table]) for table in tables}
    model_column = {table: _need(tables[table], found[table], recipe.model_column) for table in tables}
    published_column = _need(main, found[first], *(key.partition(":")[2] for key in recipe.score.columns))
    places = {table: list(_places(recipe, table, found[table])) for table in tables}
    have = {place.key for table in tables for place in places[table]}
    lost = [block.name for block in recipe.score.parts if not _reachable(block, have)]
    if lost:
        block = next(part for part in recipe.score.parts if part.name == lost[0])
        columns = ", ".join(f"`{column}`" for column in _suggest(block, have, first))
        raise InputError(
            f"no column for {', '.join(lost)}: {columns} is missing",
            path=main.path,
            line=1,
            hint=f"give the board's own file, or its folder; {_OTHER_LAYOUT}",
        )
    rank_column = found[first].get(_fold(recipe.rank_column))
    models: dict[str, dict[str, Printed | None]] = {}
    heads: dict[str, tuple[int | None, Printed | None]] = {}
    strays: dict[str, tuple[str, ...]] = {}
    for table, content in tables.items():
        records = _by_model(content, model_column[table])
        if table == first:
            for model, record in records.items():
                rank = None if rank_column is None else _rank(record, rank_column, content.path)
                heads[model] = (rank, _score(record, published_column, content.path))
                models[model] = {}
        else:
            odd = [*(m for m in models if m not in records), *(m for m in records if m not in models)]
            if odd:
                strays[table] = tuple(odd)
        for model, record in records.items():
            if model in models:
                for place in places[table]:
                    models[model][place.key] = _score(record, place.column, content.path)
    _refuse_fractions(main, published_column, heads, models)
    rows = tuple(BoardRow(model, heads[model][1], cells, heads[model][0]) for model, cells in models.items())
    return Board(name, rows, tuple(tables), strays=strays)


def _fold(column: str) -> str:
    return " ".join(column.split()).casefold()


def _columns(table: Table) -> dict[str, str]:
    return {_fold(column): column for column in table.columns}


def _need(table: Table, found: dict[str, str], *names: str) -> str:
    for name in names:
        if _fold(name) in found:
            return found[_fold(name)]
    raise InputError(
        f"no column `{names[0]}`",
        path=table.path,
        line=1,
        hint=f"the first line must name the columns, as in BFCL's data_overall.csv; {_OTHER_LAYOUT}",
    )


def _places(recipe: Recipe, table: str, found: dict[str, str]) -> Iterator[_Place]:
    nodes = [node for part in recipe.score.parts for node in part.walk()]
    for node in [*nodes, *([recipe.relevance] if recipe.relevance else [])]:
        for key in node.columns:
            owner, _, column = key.partition(":")
            if owner == table and _fold(column) in found:
                yield _Place(key, found[_fold(column)])


def _reachable(node: Node, have: set[str]) -> bool:
    if node.weight == 0 or any(column in have for column in node.columns):
        return True
    return bool(node.parts) and all(_reachable(part, have) for part in node.parts)


def _suggest(node: Node, have: set[str], first: str) -> list[str]:
    own = [column.partition(":")[2] for column in node.columns if column.startswith(f"{first}:")]
    if own:
        return own[:1]
    lost = [part for part in node.parts if not _reachable(part, have)]
    return [column for part in lost for column in _suggest(part, have, first)] or [node.name]


def _by_model(table: Table, column: str) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for record in table.records:
        model = record.cells[column]
        if not model:
            raise InputError(
                "a row without a model", path=table.path, line=record.line, hint="name the model"
            )
        if model in records:
            raise InputError(
                f"model {model!r} is there twice, first on line {records[model].line}",
                path=table.path,
                line=record.line,
                hint="keep one of the two rows",
            )
        records[model] = record
    return records


def _score(record: Record, column: str, path: str) -> Printed | None:
    text = record.cells[column]
    if is_none(text):
        return None
    printed = read_score(text)
    if printed is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InputError(
            f"{shown!r} in column `{column}` is not a percentage from 0 to 100",
            path=path,
            line=record.line,
            hint="write 77.47% or 77.47, and N/A where there is none",
        )
    return printed


def _rank(record: Record, column: str, path: str) -> int | None:
    text = record.cells[column]
    if is_none(text):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InputError(
            f"{text[:_SHOWN]!r} in column `{column}` is not a rank",
            path=path,
            line=record.line,
            hint="write a whole number, or leave the column out",
        )
    return int(text)


def _refuse_fractions(
    main: Table,
    column: str,
    heads: dict[str, tuple[int | None, Printed | None]],
    models: dict[str, dict[str, Printed | None]],
) -> None:
    scores = [published for _, published in heads.values() if published is not None]
    figures = [cell for cells in models.values() for cell in cells.values() if cell is not None]
    signed = any("%" in record.cells[column] for record in main.records)
    top = max((figure.value for figure in [*scores, *figures]), default=0.0)
    if not signed and 0 < top <= 1:
        raise InputError(
            f"no figure is above {top:g}, so these look like fractions",
            path=main.path,
            line=main.records[0].line,
            hint="write percentages: 77.47 for 0.7747",
        )


def _figure(printed: Printed | None) -> str:
    return "none" if printed is None else f"{printed.value:.6g}"
