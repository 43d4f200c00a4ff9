"""Calls as lines that the replay's worker reads."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    from faircall.types import Call


def write_line(
    call: Call,
    tools: Collection[str],
    *,
    classes: Collection[str] = (),
    source: Any = None,
    positional: bool = True,
) -> str:
    """Return a call as a line of Python, whose values are literals.

    `source` is the text in which a protocol writes calls among the arguments: an object whose one key is an offered
    tool that stands there before a parenthesis is such a call. A name with its environment's class before it (of
    `classes`) is taken without. `positional` is False to leave positional arguments out, as the released tool does. A
    name that is no plain word of letters is quoted, so that it is the name of nothing, and so is a call with a number
    that Python does not write.

    >>> from faircall.types import Call
    >>> call = Call("post", {"text": {"name": {"user": 1}}}, ("a",))
    >>> write_line(call, {"post", "name"}, source="post('a', text=name(user=1))")
    "post('a',text=name(user=1))"
    >>> write_line(call, {"post", "name"})
    "post('a',text={'name': {'user': 1}})"
    """
    inside = {name for name in tools if f"{name}(" in source} if isinstance(source, str) else set()
    owner, dot, method = call.name.partition(".")
    name = method if dot and owner in classes and method in tools and call.name not in tools else call.name
    written = name if _is_plain(name) else repr(name)
    try:
        parts = [_write(value, inside) for value in call.positional] if positional else []
        return f"{written}({','.join([*parts, *_named(call.arguments, inside)])})"
    except ValueError:  # a number of more digits than Python writes
        return f"{name!r}()"


def _is_plain(name: object) -> bool:
    """Whether a name is one that Python reads as it is written: other letters it would take for their likes."""
    return isinstance(name, str) and name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def _named(arguments: dict[str, Any], tools: Collection[str]) -> list[str]:
    plain = {key: value for key, value in arguments.items() if _is_plain(key)}
    parts = [f"{key}={_write(value, tools)}" for key, value in plain.items()]
    odd = {key: value for key, value in arguments.items() if key not in plain}
    return [*parts, f"**{odd!r}"] if odd else parts


def _write(value: Any, tools: Collection[str]) -> str:
    if isinstance(value, dict) and len(value) == 1 and tools:
        name, arguments = next(iter(value.items()))
        if name in tools and isinstance(arguments, dict):
            return f"{name}({','.join(_named(arguments, tools))})"
    return repr(value)
