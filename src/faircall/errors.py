"""The errors that faircall raises.

    FaircallError
    ├── InputError       a file or a value is bad: what, where (path and line), how to mend it
    ├── UsageError       a name or an option does not exist, or options contradict each other
    └── ExternalError    something outside failed: a download, a missing program

What a model wrote never raises: unreadable model text is a value (`Decoded.error`), not an exception.
Each message is one line that fits after ``faircall: ``; the command line prints it and exits with 2.
"""

from __future__ import annotations


class FaircallError(Exception):
    """Base of every error that faircall raises on purpose."""


class InputError(FaircallError):
    """A file or a value cannot be used.

    `path` and `line` (counted from 1) say where; `hint` says how to mend it.

    >>> str(InputError("not a JSON object", path="runs/x.json", line=3, hint="store one object a line"))
    'runs/x.json:3: not a JSON object; store one object a line'
    """

    def __init__(
        self, what: str, *, path: object = None, line: int | None = None, hint: str | None = None
    ) -> None:
        self.what = what
        self.path = None if path is None else str(path)
        self.line = line
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        where = ""
        if self.path is not None:
            where = f"{self.path}:{self.line}: " if self.line is not None else f"{self.path}: "
        return f"{where}{self.what}" + (f"; {self.hint}" if self.hint else "")


class UsageError(FaircallError):
    """A name, an option or a combination of options that does not exist."""


class ExternalError(FaircallError):
    """Something outside faircall failed, such as a download."""
