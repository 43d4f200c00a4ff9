"""Calls as lines that the replay's worker reads."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from faircall.types import Call

_QUOTED: Final = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
_BEFORE_PARENTHESIS: Final = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*+)\s*+\(")


def write_line(
    call: Call,
    tools: Collection[str],
    *,
    classes: Collection[str] = (),
    nested: Collection[str] = (),
    positional: bool = True,
) -> str:
    """Return a call as a line of Python, whose values are literals.

    `nested` are the tools that are called among arguments (see `nested_in`): an object whose one key is such a name is
    a call of it. A name with an environment's class before it (of `classes`) stays as it is. `positional` is False to
    leave positional arguments out, as the released tool does. Any other name that is no plain word of letters is
    quoted, so that it is the name of nothing, and so is a call with a number that Python does not write.

    >>> from faircall.types import Call
    >>> call = Call("post", {"text": {"name": {"user": 1}}}, ("a",))
    >>> write_line(call, {"post", "name"}, nested={"name"})
    "post('a',text=name(user=1))"
    >>> write_line(call, {"post", "name"})
    "post('a',text={'name': {'user': 1}})"
    """
    owner, _, method = call.name.partition(".")
    of_class = owner in classes and method in tools and call.name not in tools
    written = call.name if of_class or _is_plain(call.name) else repr(call.name)
    try:
        parts = [_write(value, nested) for value in call.positional] if positional else []
        return f"{written}({','.join([*parts, *_named(call.arguments, nested)])})"
    except ValueError:  # a number of more digits than Python writes
        return f"{call.name!r}()"


def nested_in(text: str, calls: Iterable[Call], tools: Collection[str], classes: Collection[str]) -> set[str]:
    """Return the names of tools that a text in a protocol of Python's kind calls among the arguments of its calls.

    Text in quotes counts for nothing, and each of the calls that were read for one place.

    >>> from faircall.types import Call
    >>> text = "[post(text=name(user=1)), log(text='id(2)')]"
    >>> sorted(nested_in(text, [Call("post"), Call("log")], {"name", "id"}, ()))
    ['name']
    """
    found = Counter(_BEFORE_PARENTHESIS.findall(_QUOTED.sub("''", text)))
    found.subtract(call.name for call in calls)
    return {
        name
        for name, times in found.items()
        if times > 0
        and (name in tools or (name.partition(".")[0] in classes and name.partition(".")[2] in tools))
    }


def _is_plain(name: object) -> bool:
    """Whether a name is one that Python reads as it is written: other letters it would take for their likes."""
    return isinstance(name, str) and name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def _named(arguments: dict[str, Any], nested: Collection[str]) -> list[str]:
    plain = {key: value for key, value in arguments.items() if _is_plain(key)}
    parts = [f"{key}={_write(value, nested)}" for key, value in plain.items()]
    odd = {key: value for key, value in arguments.items() if key not in plain}
    return [*parts, f"**{odd!r}"] if odd else parts


def _write(value: Any, nested: Collection[str]) -> str:
    if isinstance(value, dict) and len(value) == 1 and nested:
        name, arguments = next(iter(value.items()))
        if name in nested and isinstance(arguments, dict):
            return f"{name}({','.join(_named(arguments, nested))})"
    return repr(value)
