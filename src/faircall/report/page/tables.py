"""Tables of a page that sort, filter and search: what each column is, and each cell as text and as a value."""

from __future__ import annotations

import msgspec


class Heading(msgspec.Struct, frozen=True):
    """A column: its title, what it means, whether it holds numbers, and whether its cells name their rows."""

    title: str
    about: str
    number: bool = True
    heads: bool = False


class Cell(msgspec.Struct, frozen=True):
    """A cell: its text, and the value that it is sorted by: "" sorts last, None by the text."""

    text: str
    value: float | str | None = None


class Row(msgspec.Struct, frozen=True):
    """A row; `id` is what a link to it names, `href` where its name leads, `marked` ones stand out."""

    cells: tuple[Cell, ...]
    id: str = ""
    href: str = ""
    marked: bool = False


class Filter(msgspec.Struct, frozen=True):
    """A choice of the values of one column, by its number; with `words`, a cell has several of them."""

    label: str
    column: int
    values: tuple[str, ...]
    words: bool = False


class SortableTable(msgspec.Struct, frozen=True):
    """A table with its caption, its columns and rows, and the choices above it."""

    name: str
    caption: str
    columns: tuple[Heading, ...]
    rows: tuple[Row, ...]
    filters: tuple[Filter, ...] = ()


def number_cell(value: float | None, digits: int = 2, *, none: str = "-") -> Cell:
    """Return the cell of a number, which sorts last where there is none.

    >>> number_cell(2.5), number_cell(None)
    (Cell(text='2.50', value=2.5), Cell(text='-', value=''))
    """
    return Cell(none, "") if value is None else Cell(f"{value:.{digits}f}", value)
