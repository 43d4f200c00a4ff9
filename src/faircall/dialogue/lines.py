"""Calls as lines that the replay's worker reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    from faircall.types import Call


def write_line(
    call: Call,
    tools: Collection[str],
    *,
    classes: Collection[str] = (),
    nested: bool = False,
    positional: bool = True,
) -> str:
    """Return a call as a line of Python, whose values are literals.

    `nested` says that the protocol writes calls among the arguments: an object whose one key is an offered tool is
    such a call then. A name with its environment's class before it (of `classes`) is taken without. `positional` is
    False to leave positional arguments out, as the released tool does.

    >>> from faircall.types import Call
    >>> write_line(Call("post", {"text": {"name": {"user": 1}}}, ("a",)), {"post", "name"}, nested=True)
    "post('a',text=name(user=1))"
    """
    inside = tools if nested else ()
    owner, dot, method = call.name.partition(".")
    name = method if dot and owner in classes and method in tools and call.name not in tools else call.name
    parts = [_write(value, inside) for value in call.positional] if positional else []
    return f"{name}({','.join([*parts, *_named(call.arguments, inside)])})"


def _named(arguments: dict[str, Any], tools: Collection[str]) -> list[str]:
    plain = {key: value for key, value in arguments.items() if isinstance(key, str) and key.isidentifier()}
    parts = [f"{key}={_write(value, tools)}" for key, value in plain.items()]
    odd = {key: value for key, value in arguments.items() if key not in plain}
    return [*parts, f"**{odd!r}"] if odd else parts


def _write(value: Any, tools: Collection[str]) -> str:
    if isinstance(value, dict) and len(value) == 1 and tools:
        name, arguments = next(iter(value.items()))
        if name in tools and isinstance(arguments, dict):
            return f"{name}({','.join(_named(arguments, tools))})"
    return repr(value)
