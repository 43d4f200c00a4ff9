"""Writing results: whole files appear at once or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING

from faircall.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

STDOUT = "-"


@contextmanager
def writing(
    path: str | os.PathLike[str], *, keep_on: type[Exception] | tuple[type[Exception], ...] = ()
) -> Iterator[IO[str]]:
    """Give a text file that takes the place of `path` when the block ends well, and vanishes when it does not.

    After an exception of `keep_on` what was written is kept beside it, with ``.partial`` behind its name. A link is
    followed; what is no regular file (a device, a pipe) is written through; ``-`` is standard output. Raises
    `InputError` where the folder does not exist or cannot be written to.
    """
    if os.fspath(path) == STDOUT:
        yield sys.stdout
        return
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError("is a folder", path=path, hint="name a file to write to")
    try:
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        hint = "name a folder that exists and can be written to"
        raise InputError(f"cannot be written ({error.strerror})", path=path, hint=hint) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            try:
                yield stream
            except keep_on:
                stream.close()
                _publish(temporary, target.with_name(target.name + ".partial"))
                raise
        _publish(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def appending(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Give a text file whose text goes behind what `path` has, on a line of its own.

    A file that does not exist is written whole or not at all, as by `writing`. Raises `InputError` where it cannot be
    written to.
    """
    target = Path(path)
    if not target.is_file():
        with writing(path) as stream:
            yield stream
        return
    try:
        opened = target.open("a+b")
    except OSError as error:
        hint = "name a file that can be written to"
        raise InputError(f"cannot be written ({error.strerror})", path=path, hint=hint) from error
    with opened, TextIOWrapper(opened, encoding="utf-8", newline="\n") as stream:
        if opened.seek(0, os.SEEK_END):
            opened.seek(-1, os.SEEK_END)
            # Writing is at the end, wherever the last character was read.
            if opened.read(1) != b"\n":
                stream.write("\n")
        yield stream


def _publish(temporary: Path, target: Path) -> None:
    # mkstemp makes a private file; a result has the mode of any other new file.
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    temporary.replace(target)
