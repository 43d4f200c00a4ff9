"""Plain text for terminals and files: safe, measured in terminal cells, aligned without colour."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ELLIPSIS: Final = "…"
_GLUE: Final = "\0"  # stands for a space that no line is broken at; cleaned text holds none


def clean(text: str) -> str:
    r"""Return the text with everything that a terminal obeys, or does not show, written as an escape.

    Control characters (and with them ANSI sequences and line breaks), marks of direction, joiners and lone
    surrogates become `\x1b`, `\u202e` and so on. Letters of every script stay.

    >>> clean("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if unicodedata.category(char) in _HIDDEN else char for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cell_width(text: str) -> int:
    """Return how many cells of a terminal the text takes: two for wide letters, none for combining marks."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - only where a text needs it

    return cell_len(text)


def shorten(text: str, width: int) -> str:
    """Return the text within `width` cells, cut in the middle, so that both its ends stay.

    >>> shorten("Kite-70B-Instruct (FC)", 16)
    'Kite-70B…ct (FC)'
    """
    if cell_width(text) <= width:
        return text
    if width < 2:
        return _ELLIPSIS[:width]
    head = (width - 1 + 1) // 2
    start = _take(text, head)
    end = _take(text, width - 1 - cell_width(start), backwards=True)
    return f"{start}{_ELLIPSIS}{end}"


def _take(text: str, width: int, *, backwards: bool = False) -> str:
    """Return the longest start (or end) of the text that fits in `width` cells."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        piece = text[len(text) - middle :] if backwards else text[:middle]
        low, high = (middle, high) if cell_width(piece) <= width else (low, middle - 1)
    piece = text[len(text) - low :] if backwards else text[:low]
    while backwards and piece and unicodedata.combining(piece[0]):
        piece = piece[1:]
    return piece


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return the text filled with spaces to `width` cells; to the left of it where it is set to the
    `right`."""
    space = " " * max(0, width - cell_width(text))
    return space + text if right else text + space


def wrap(text: str, width: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """Return the text in lines of at most `width` cells, broken at spaces, after `first` and `rest`.

    A word that is longer than a line is broken where it must be; a percent sign stays with its number.

    >>> wrap("one two three", 8, first="- ")
    ['- one', '  two', '  three']
    """
    rest = " " * cell_width(first) if rest is None else rest
    lines: list[str] = []
    line, empty = first, True
    for word in text.replace(" %", f"{_GLUE}%").split(" "):
        piece = word.replace(_GLUE, " ")
        joined = f"{line}{piece}" if empty else f"{line} {piece}"
        if cell_width(joined) <= width:
            line, empty = joined, False
            continue
        if not empty:
            lines.append(line)
            line, empty = rest, True
        while cell_width(f"{line}{piece}") > width:
            fits = _take(piece, max(1, width - cell_width(line))) or piece[:1]
            lines.append(f"{line}{fits}")
            line, piece = rest, piece[len(fits) :]
        line, empty = f"{line}{piece}", False
    lines.append(line)
    return [each.rstrip() for each in lines]


class Column(NamedTuple):
    """A column of a table: its heading, whether it is set to the right, and what it gives up for width.

    The column that may `shrink` is cut to what is left; those with the highest `drop` are left out first, and
    one with `drop` 0 never is.
    """

    head: str
    right: bool = True
    shrink: bool = False
    drop: int = 0


def lay_out(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int, *, gap: str = "  ", least: int = 24
) -> list[str]:
    """Return the table in lines of at most `width` cells, headings first.

    Where the table is too wide, its shrinking column is cut, to `least` cells or what its texts need; where
    that is not enough, whole columns are left out.
    """
    body = [list(row) for row in rows]
    kept = list(range(len(columns)))
    while True:
        sizes = {
            place: max([cell_width(columns[place].head), *(cell_width(row[place]) for row in body)])
            for place in kept
        }
        over = sum(sizes.values()) + len(gap) * (len(kept) - 1) - width
        elastic = next((place for place in kept if columns[place].shrink), None)
        if over > 0 and elastic is not None and sizes[elastic] - over >= min(least, sizes[elastic]):
            sizes[elastic] -= over
            over = 0
        droppable = [place for place in kept if columns[place].drop]
        if over <= 0 or not droppable:
            break
        kept.remove(max(droppable, key=lambda place: columns[place].drop))
    if over > 0 and elastic is not None:
        sizes[elastic] = max(1, sizes[elastic] - over)
    lines = []
    for row in [[column.head for column in columns], *body]:
        texts = (
            pad(shorten(row[place], sizes[place]), sizes[place], right=columns[place].right) for place in kept
        )
        lines.append(gap.join(texts).rstrip())
    return lines
