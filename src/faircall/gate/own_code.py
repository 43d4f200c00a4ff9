"""The code that a text brings along: what it defines, imports and assigns, so that its own calls are no tool calls."""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.decoding.fences import find_fences
from faircall.gate.offered import in_namespace, reads_like_function

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEFINES = re.compile(
    r"""(?xm)
      \b(?:def|function|func|fn|class|void|int|double|static)[ \t]+([^\W\d](?:\w|\\_)*)\s*+\(
    | ^[ \t]*+class[ \t]+(\w+)
    | ^[ \t]*+((?:\w|\\_)++)\s*+=\s*+(?:lambda|function|\()
    """
)
_ASSIGNS = re.compile(r"(?m)^[ \t]*+([^\W\d]\w*+)[ \t]*+=(?!=)")
_IMPORTS = re.compile(
    r"""(?xm)^[ \t]*+(?:
      from\s+([\w.]+)\s+import\s+.+
    | import\s+.+
    | (?:const|let|var)\s+.*\brequire\(
    )"""
)
# Languages in which no protocol writes its calls.
_FOREIGN: Final = frozenset({
    "bash", "c", "c#", "cpp", "csharp", "css", "dart", "elixir", "go", "haskell", "hcl", "html", "julia", "kotlin",
    "latex", "lua", "matlab", "perl", "php", "r", "ruby", "rust", "scala", "sh", "shell", "sql", "swift", "tex", "vb",
})  # fmt: skip
_ORDINARY: Final = frozenset(name.casefold() for name in dir(builtins)) | frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arctan2", "atan", "atan2", "sinh", "cosh",
    "tanh", "log", "ln", "lg", "exp", "sqrt", "cbrt", "root", "abs", "min", "max", "sum", "prod", "mean", "avg",
    "average", "median", "var", "std", "round", "floor", "ceil", "lim", "det", "gcd", "lcm", "mod", "pow", "int",
    "frac", "binom", "choose", "area", "area_of", "volume", "perimeter", "concat", "count", "length", "console.log",
    "printf", "println",
})  # fmt: skip
_LIBRARIES: Final = frozenset({
    "console", "cv2", "datetime", "document", "itertools", "json", "math", "numpy", "pandas", "random", "requests",
    "scipy", "self", "sklearn", "statistics", "sympy", "this", "time", "torch", "window",
})  # fmt: skip
_SHORT = 3
"""Characters of a name that stands for a library or a variable (`np`, `df`, `plt`), at the most."""


class Code(msgspec.Struct, frozen=True):
    """What a text defines, imports and assigns for itself."""

    defined: frozenset[str]
    assigned: frozenset[str]
    imported: bool
    from_namespace: bool
    """Whether it imports from a namespace under which providers show tools, as if the tool were there."""
    foreign: tuple[tuple[int, int], ...]
    """The fences in a language in which no protocol writes its calls."""

    @property
    def is_own(self) -> bool:
        """Whether the text brings code of its own."""
        return self.imported or bool(self.defined)

    def has_made(self, name: str) -> bool:
        """Whether the text made what the name calls: the function, or the object whose method it is."""
        head, dot, _ = name.partition(".")
        return name in self.defined or head in self.defined or (bool(dot) and head in self.assigned)

    def is_foreign(self, start: int) -> bool:
        """Whether the position lies in a fence of another language."""
        return any(opening <= start < closing for opening, closing in self.foreign)


def read_code(text: str) -> Code:
    """Return what the text defines, imports and assigns for itself.

    >>> read_code("import math\\nx = 2\\ndef f(y):\\n    return y").defined
    frozenset({'f'})
    """
    imports = list(_IMPORTS.finditer(text))
    spaces = [(match.group(1) or "").split(".")[0] for match in imports]
    fences = find_fences(text) if "```" in text else []
    return Code(
        _plain(name for match in _DEFINES.finditer(text) for name in match.groups() if name),
        _plain(_ASSIGNS.findall(text)),
        bool(imports),
        any(in_namespace(space + ".x") for space in spaces if space),
        tuple((fence.start, fence.end) for fence in fences if fence.language in _FOREIGN),
    )


def is_ordinary(name: str) -> bool:
    """Whether a name is one of mathematics or of programming languages, when no tool has it.

    >>> is_ordinary("print"), is_ordinary("sqrt"), is_ordinary("get_time")
    (True, True, False)
    """
    return name.casefold() in _ORDINARY


def is_method(name: str) -> bool:
    """Whether a name that was not offered is a method of a well-known library, or of a variable with a short name.

    >>> is_method("np.array"), is_method("math.hypot"), is_method("weather.get")
    (True, True, False)
    """
    head, dot, _ = name.partition(".")
    return bool(dot) and (len(head) <= _SHORT or head in _LIBRARIES)


def is_constructor(name: str) -> bool:
    """Whether a name that was not offered is a class's by its capital, and no function's by its verb.

    >>> is_constructor("threading.Thread"), is_constructor("GetWeather"), is_constructor("CalculateTax")
    (True, False, False)
    """
    last = name.rpartition(".")[2]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", last)
    return last[:1].isupper() and "_" not in last and not reads_like_function(words + "_")


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.replace("\\", "") for name in names)
