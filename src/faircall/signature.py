"""The line that says how a number was made: `board:bfcl-v4|date:2026-04|rows:109#1a2b3c4d|…|v:0.1.0`."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from faircall import __version__
from faircall.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*\Z")
_UNFIT: Final = re.compile(r"[\s|]+|[^ -~]+")


def sign(fields: Mapping[str, object]) -> str:
    """Return the signature line of `fields`, in their order, with the version of faircall at its end.

    A value is kept to printable ASCII without spaces and bars, so that the line stays one line and splits at
    its bars; other characters become `_`. A value of None reads `none`. Raises UsageError for a key that is
    not a lower-case word, for the key `v`, and for no fields at all.

    >>> sign({"board": "my board", "rows": 12}).rsplit("|", 1)[0]
    'board:my_board|rows:12'
    """
    if not fields:
        raise UsageError("a signature needs at least one field")
    parts = []
    for key, value in fields.items():
        if not _KEY.match(key) or key == "v":
            raise UsageError(f"`{key}` cannot be a key of a signature")
        text = "none" if value is None else _UNFIT.sub("_", str(value))
        parts.append(f"{key}:{text}")
    return "|".join([*parts, f"v:{__version__}"])


def parse_signature(line: str) -> dict[str, str]:
    """Return the fields of a signature line; raises UsageError for text that is not one.

    >>> parse_signature("board:bfcl-v4|rows:109#1a2b3c4d|v:0.1.0")["rows"]
    '109#1a2b3c4d'
    """
    fields = {}
    for part in line.strip().split("|"):
        key, colon, value = part.partition(":")
        if not colon or not _KEY.match(key) or key in fields:
            raise UsageError(f"`{part}` is not a field of a signature")
        fields[key] = value
    return fields


def hash8(pieces: Iterable[str]) -> str:
    """Return the first eight hexadecimal digits of the SHA-256 of `pieces`, each ended by a line feed.

    >>> hash8(["a", "b"]) == hash8(["a", "b"]) != hash8(["b", "a"])
    True
    """
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:8]
