"""The entries of a page, packed a category at a time: inside the page, or in a folder beside it where they are many."""

from __future__ import annotations

import gzip
import shutil
from base64 import b64encode
from typing import TYPE_CHECKING, Final

from faircall.errors import InputError, UsageError
from faircall.problems import count_of
from faircall.rows import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MOST_EMBEDDED: Final = 24_000_000
"""How many characters of packed entries a page holds; beyond, they go to files beside it."""
_FOLDER: Final = ".entries"
_MARK: Final = "made-by-faircall"


class Shards:
    """Takes packed texts by name, and says which stand in the page and which in the folder beside it.

    `page` is where the page goes, None for standard output. Texts are written to the folder as soon as there are more
    than the page may hold, so that memory does not grow with them.
    """

    def __init__(self, page: Path | None, *, most_embedded: int = MOST_EMBEDDED) -> None:
        self.page = page
        self.embedded: dict[str, str] = {}
        self.beside: str | None = None
        self._most = most_embedded
        self._size = 0
        self._files = 0

    def add(self, name: str, lines: Iterable[str]) -> None:
        """Take a text of JSON lines under a name of letters, digits, `-` and `_`."""
        text = pack(lines)
        self._size += len(text)
        if self.beside is None and self._size > self._most:
            self._move_out()
        if self.beside is None:
            self.embedded[name] = text
        else:
            self._write(name, text)

    def note(self) -> str:
        """Return where the entries are, in a sentence; nothing where they are in the page."""
        if self.beside is None:
            return ""
        return (
            f"The entries ({self._size / 1e6:.0f} MB, packed) are in the folder {self.beside} beside this file, in "
            f"{count_of(self._files, 'file')}; keep the two together."
        )

    def _move_out(self) -> None:
        if self.page is None:
            what = f"more entries than a page may hold ({self._most / 1e6:.0f} MB): they go to a folder beside it"
            raise UsageError(f"{what}; name a file with -o")
        folder = self.page.with_name(self.page.stem + _FOLDER)
        try:
            if folder.exists() and not (folder / _MARK).exists():
                raise UsageError(
                    f"{folder} is there already, and no page of faircall made it: name another file"
                )
            if folder.exists():
                shutil.rmtree(folder)
            folder.mkdir(parents=True)
            (folder / _MARK).write_text(
                "The entries of a report; the page beside this folder reads them.\n", "utf-8"
            )
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", path=folder) from error
        self.beside = folder.name
        for name, text in self.embedded.items():
            self._write(name, text)
        self.embedded = {}

    def _write(self, name: str, text: str) -> None:
        assert self.page is not None and self.beside is not None  # noqa: S101, PT018 - set where files are written
        file = self.page.with_name(self.beside) / f"{name}.js"
        try:
            file.write_text(f"faircallShard({dump_json(name)}, {dump_json(text)});\n", "utf-8")
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", path=file) from error
        self._files += 1


def pack(lines: Iterable[str]) -> str:
    """Return JSON lines as gzip in base64, which a browser unpacks by itself and in which nothing can be markup.

    >>> pack(['{"id": 1}'])[:4]
    'H4sI'
    """
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return b64encode(gzip.compress(text, 6, mtime=0)).decode()
