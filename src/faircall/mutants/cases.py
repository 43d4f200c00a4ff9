"""The cases that try a scorer: one line of input each, the verdict that is wanted, and the rule that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.mutants.alterations import ALTERATIONS
from faircall.mutants.hostile import hostile_outputs
from faircall.mutants.refusals import write_refusals
from faircall.mutants.writing import write_python, write_tool_calls
from faircall.rows import dump_json
from faircall.signature import hash8

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faircall.mutants.bases import Base
    from faircall.mutants.sites import Calls

KEY: Final = "S401"
HOSTILE: Final = "S413"


class Case(msgspec.Struct, frozen=True):
    """One case: what the scorer reads, and what is wanted of it.

    `wanted` is `pass`, `fail` or `void` (no judgement, or a failure). `key` names the case of the key that it was made
    of: where that does not pass, what is made of it says nothing. `change` says what was done to the key.
    """

    id: str
    rule: str
    wanted: str
    change: str
    output: Any
    decoder: str
    tools: list[Any]
    expected: list[Any]
    key: str | None = None

    @property
    def line(self) -> dict[str, Any]:
        """The line that the scorer reads, as `faircall check` does."""
        return {
            "id": self.id,
            "output": self.output,
            "tools": self.tools,
            "expected": self.expected,
            "decoder": self.decoder,
        }


def make_cases(bases: Iterable[Base]) -> list[Case]:
    """Return the cases of the entries: each key replayed, and one mutant for each change that fits it.

    Hostile texts are tried on the first entry whose key is one call with a required argument.

    >>> from faircall.mutants.bases import read_bases
    >>> cases = make_cases(read_bases().entries)
    >>> cases[0].id, cases[0].output
    ('ferry/S401-key/tool-calls', [{'book_ferry': '{"port": "Piran", "passengers": 3, "deck": "open"}'}])
    """
    every = list(bases)
    cases = [case for base in every for case in _cases_of(base)]
    for base in every:
        if len(base.slots) == 1 and _required(base):
            return [*cases, *_hostile_cases(base)]
    return cases


def _required(base: Base) -> list[str]:
    """The required arguments of an entry's first call."""
    slot = base.slots[0]
    return [name for name in slot.arguments if name in slot.shape.required]


def hash_cases(cases: Iterable[Case]) -> str:
    """Return eight digits that stand for the cases and what is wanted of them."""
    return hash8(dump_json([case.line, case.wanted, case.key]) for case in cases)


def _cases_of(base: Base) -> Iterator[Case]:
    if not base.slots:
        for made in write_refusals(base):
            id_ = f"{base.id}/{made.rule}-{made.name}/{made.decoder}"
            yield Case(
                id_, made.rule, made.wanted, made.change, made.output, made.decoder, base.tools, base.expected
            )
        return
    yield from _written(base, KEY, "key", "pass", "the key as it is", base.calls)
    for alteration in ALTERATIONS:
        made_of = next(alteration.make(base), None)
        if made_of is not None:
            wanted = "pass" if alteration.keeps else "fail"
            yield from _written(
                base,
                alteration.rule,
                alteration.name,
                wanted,
                made_of.change,
                made_of.calls,
            )


_WRITERS: Final = {"tool-calls": write_tool_calls, "python": write_python}


def _written(base: Base, rule: str, name: str, wanted: str, change: str, calls: Calls) -> Iterator[Case]:
    """Yield a case in each of the two protocols, where the key and the calls can be written in it."""
    for decoder, write in _WRITERS.items():
        output = write(calls)
        if output is not None and write(base.calls) is not None:
            id_ = f"{base.id}/{rule}-{name}/{decoder}"
            key = None if rule == KEY else f"{base.id}/{KEY}-key/{decoder}"
            yield Case(id_, rule, wanted, change, output, decoder, base.tools, base.expected, key)


def _hostile_cases(base: Base) -> Iterator[Case]:
    slot = base.slots[0]
    for made in hostile_outputs(slot.name, _required(base)[0]):
        id_ = f"{base.id}/{HOSTILE}-{made.name}/{made.decoder}"
        yield Case(id_, HOSTILE, "fail", made.change, made.output, made.decoder, base.tools, base.expected)
