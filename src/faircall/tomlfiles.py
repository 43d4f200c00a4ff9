"""TOML files that hold a table of settings."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from faircall.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds. Raises `InputError` for a file that cannot be read, or is no TOML.

    >>> from pathlib import Path
    >>> read_toml(Path("no-such-file.toml"))
    Traceback (most recent call last):
    faircall.errors.InputError: no-such-file.toml: cannot be read (No such file or directory)
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML ({error})", path=path) from error
