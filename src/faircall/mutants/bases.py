"""Entries whose keys are replayed: those inside the package, a file of the user's own, or BFCL's."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.canonical.shapes import Shape  # noqa: TC001 - the type of a field
from faircall.errors import FaircallError, InputError
from faircall.keys import key_calls, replay_key
from faircall.records import read_lines
from faircall.rows import dump_json
from faircall.schema import read_tools
from faircall.scoring import check
from faircall.signature import hash8
from faircall.types import Outcome

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from faircall.types import Tool

BFCL: Final = "bfcl"
"""The word that stands for the benchmark's own entries."""
_OWN: Final = "entries.jsonl"


class Slot(msgspec.Struct, frozen=True):
    """One call of a key: its name, the arguments chosen, and for each parameter the values that the key allows."""

    name: str
    arguments: dict[str, Any]
    allowed: dict[str, list[Any]]
    shape: Shape


class Base(msgspec.Struct, frozen=True):
    """An entry with its key replayed: the tools and the expected calls as they are written, and the calls chosen."""

    id: str
    tools: list[Any]
    expected: list[Any]
    slots: tuple[Slot, ...]
    offered: tuple[Tool, ...]

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """The calls of the key, as names and arguments."""
        return [(slot.name, slot.arguments) for slot in self.slots]


class Bases(msgspec.Struct, frozen=True):
    """Entries, where they are from, and how many were left out: not of single Python-like calls, or void."""

    name: str
    entries: tuple[Base, ...]
    left_out: int = 0

    @property
    def hash8(self) -> str:
        """Eight digits that stand for the entries."""
        return hash8(dump_json([base.id, base.tools, base.expected]) for base in self.entries)


def read_bases(source: str | os.PathLike[str] | None = None) -> Bases:
    """Return the entries of a file of JSON lines with `tools` and `expected`, of `bfcl`, or those of the package.

    Entries without `expected`, those in another language than Python, and those whose key does not pass under `fair-1`
    as it is written are left out and counted. Raises `InputError` for a file that cannot be read, or of which nothing
    is left.

    >>> read_bases().entries[0].calls
    [('book_ferry', {'port': 'Piran', 'passengers': 3, 'deck': 'open'})]
    """
    if source is None:
        with (files("faircall.mutants") / _OWN).open("rb") as stream:
            return _collect("built-in", _stored(stream, _OWN))
    if source == BFCL:
        data = find()
        return _collect(f"bfcl-{data.version}#{data.hash8}", _of_benchmark())
    found = _collect(str(source), _stored(source, str(source)))
    if not found.entries:
        hint = "give each line `tools` and `expected`, a list of calls"
        raise InputError("no entry whose key can be replayed", path=source, hint=hint)
    return found


def _collect(name: str, lines: Iterable[tuple[str, dict[str, Any]]]) -> Bases:
    entries, left_out, seen = [], 0, set()
    for where, line in lines:
        base = None if line.get("expected") is None else _base_of(line, where)
        if base is None:
            left_out += 1
            continue
        if base.id in seen:
            raise InputError(
                f"a second entry is called {base.id!r}", path=where, hint="give each its own `id`"
            )
        seen.add(base.id)
        entries.append(base)
    return Bases(name, tuple(entries), left_out)


def _stored(source: Any, title: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for record in read_lines(source, name=title):
        yield f"{title}:{record.line}", {"id": str(record.line), **record.value}


def _of_benchmark() -> Iterator[tuple[str, dict[str, Any]]]:
    data = find()
    for name, category in CATEGORIES.items():
        if not category.single_turn or (category.wants_call and not category.has_answers):
            continue
        answers = data.answers(name) if category.has_answers else {}
        for id_, entry in data.entries(name).items():
            expected = answers.get(id_) if category.has_answers else []
            yield id_, {"id": id_, "tools": entry.tools, "expected": expected, "language": entry.language}


def _base_of(line: dict[str, Any], where: str) -> Base | None:
    """Return an entry with its key replayed; None for one that cannot be judged, or is not in Python's syntax."""
    if line.get("language", "python") != "python":
        return None
    tools, expected = line.get("tools") or [], line["expected"]
    tools = tools if isinstance(tools, list) else [tools]
    if not isinstance(expected, list):
        raise InputError(
            "`expected` is not a list of calls", path=where, hint="write [] where none is wanted"
        )
    try:
        offered = read_tools(tools)
        output = [{name: arguments} for name, arguments in _chosen(expected, offered)]
        verdict = check(output, tools=offered, expected=expected, decoder="tool-calls")
    except FaircallError as error:
        raise InputError(str(error), path=where) from error
    if verdict.outcome is not Outcome.PASS:
        return None
    slots = tuple(read_slot(item, offered) for item in expected)
    return Base(str(line["id"]), tools, expected, slots, offered)


def _chosen(expected: list[Any], offered: tuple[Tool, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    for item in expected:
        slot = read_slot(item, offered)
        yield slot.name, slot.arguments


def read_slot(item: Any, offered: tuple[Tool, ...]) -> Slot:
    """Return an expected call with its arguments chosen: of each parameter the first value that the schema allows.

    Raises `InputError` for what is no call.

    >>> read_slot({"ride": {"to": ["Lyon", "Lyons"], "km": ["", 5]}}, ()).arguments
    {'to': 'Lyon', 'km': 5}
    """
    calls = key_calls([item], offered)
    if not calls:
        hint = "write {name: {parameter: [allowed, …]}}, or a call as providers write it"
        raise InputError("an expected call is no call", hint=hint)
    [call] = calls
    [made] = replay_key(calls, suited=True)
    plain = call.plain
    allowed = {
        key: value if isinstance(value, list) and not plain else [value] for key, value in call.answer.items()
    }
    return Slot(call.name, made[call.name], allowed, call.shape)
