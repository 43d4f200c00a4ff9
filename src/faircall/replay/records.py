"""What goes to the worker process and what comes back."""

from __future__ import annotations

from typing import Any

import msgspec


class Script(msgspec.Struct, frozen=True):
    """What is to be played for one entry: the model's calls beside the expected ones, turn by turn.

    `turns` holds, for each turn, its steps, and for each step the calls as lines of Python; `expected` the expected
    calls of each turn. `config` is JSON text, the initial state of each environment by its class. With `patched`,
    calls are changed as the released tool changes them before it runs them: names that stand before a parenthesis,
    inside quotes too. With `qualified`, a name may have its environment's class before it. `detailed` asks for the
    results of the calls.
    """

    classes: tuple[str, ...]
    config: str
    turns: tuple[tuple[tuple[str, ...], ...], ...]
    expected: tuple[tuple[str, ...], ...]
    long_context: bool = False
    patched: bool = False
    qualified: bool = False
    detailed: bool = False


class Difference(msgspec.Struct, frozen=True):
    """The first place in which the states differ, with both values as text, shortened."""

    path: str
    model: str
    expected: str


class TurnPlayed(msgspec.Struct, frozen=True):
    """What one turn came to.

    `calls` and `errors` count the model's calls and those of them that gave an error. `state` is the difference of
    the public states after the turn, and `hidden` of the private ones, which no check looks at. `missing` are
    expected results that are not among the model's so far, compared as text; `missing_by_value` those that are not
    there by value either. `changes` says, where results are missing, whether each of their environments ends the turn
    changed, as expected; and where no call is wanted, whether the model's calls changed any. It is None elsewhere.
    """

    calls: int
    errors: int = 0
    state: Difference | None = None
    hidden: str | None = None
    missing: tuple[str, ...] = ()
    missing_by_value: tuple[str, ...] = ()
    changes: bool | None = None
    results: tuple[tuple[str, ...], ...] = ()
    expected_results: tuple[str, ...] = ()


class Played(msgspec.Struct, frozen=True):
    """The turns of an entry up to the first that fails under every profile.

    `apart` is set where the two sides have changed a value that they share: a method's default list, or a record that
    the environments take from one place. It is what comes of the script where nothing is shared.
    """

    turns: tuple[TurnPlayed, ...]
    apart: tuple[TurnPlayed, ...] | None = None


class Broken(msgspec.Struct, frozen=True):
    """An entry that could not be played: it broke a limit (`time`, `memory`, `recursion`), or its worker died.

    `turns` are those before the limit was broken, up to the last of them that fails under some profile.
    """

    limit: str
    message: str
    turns: tuple[TurnPlayed, ...] = ()


def read_reply(reply: dict[str, Any], turns: Any = ()) -> Played | Broken:
    """Return the worker's reply as a record; `turns` is what it has sent of the script before that."""
    if "limit" in reply:
        return msgspec.convert({**reply, "turns": turns}, Broken)
    return msgspec.convert(reply, Played)
