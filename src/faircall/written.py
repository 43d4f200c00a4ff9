"""What a run's files hold beside its verdicts: outputs that repeat, are empty or cut off, or do not decode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding import decode
from faircall.decoding.table import DECODERS
from faircall.rows import dump_json
from faircall.schema import find_tool
from faircall.types import Reason, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faircall.types import Tool, Verdict

SAMPLED: Final = 60
"""How many outputs that do not decode are tried with every decoder, at least, where there are so many."""
_SHOWN: Final = 80  # characters of an output that repeats
_KEPT: Final = 5  # ids of each kind


class Written(msgspec.Struct):
    """What the outputs of one category add up to.

    `commonest` of the `n` outputs are one and the same, which begins as `sample` does. `ids` are the first of each
    reason for which there is no answer to judge (`empty-output`, `truncated`); `counts` say how many there are.
    `unread` outputs are attempts at calls that the decoder does not read; of those that it reads as calls, `called`,
    so many are a `single` one.
    """

    n: int = 0
    commonest: int = 0
    sample: str = ""
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    ids: dict[str, list[str]] = msgspec.field(default_factory=dict)
    unread: int = 0
    called: int = 0
    single: int = 0


class Fit(msgspec.Struct, frozen=True):
    """Which decoder reads outputs that the run's own does not: `decoder` reads `read` of `tried` of them."""

    decoder: str
    read: int
    tried: int


class Gathering:
    """Gathers what the outputs of one category add up to, entry by entry."""

    def __init__(self) -> None:
        self.written = Written()
        self.unread: list[tuple[Any, tuple[Tool, ...], str]] = []
        self._stride = 1
        self._repeats: dict[int, int] = {}
        self._most: Any = None

    def add(self, id_: str, output: Any, verdict: Verdict, tools: tuple[Tool, ...], language: str) -> None:
        """Count an output with its verdict by the evidence."""
        written = self.written
        written.n += 1
        key = hash(output) if isinstance(output, str) else hash(repr(output))
        count = self._repeats[key] = self._repeats.get(key, 0) + 1
        if count > written.commonest:
            written.commonest, self._most = count, output
        written.called += verdict.state is State.CALLED
        written.single += verdict.state is State.CALLED and len(verdict.calls) == 1
        if verdict.dialogue is not None or verdict.state is not State.MALFORMED:
            return
        reason = str(verdict.reason)
        if reason in {Reason.EMPTY_OUTPUT, Reason.TRUNCATED}:
            written.counts[reason] = written.counts.get(reason, 0) + 1
            ids = written.ids.setdefault(reason, [])
            if len(ids) < _KEPT:
                ids.append(id_)
        if reason != Reason.EMPTY_OUTPUT:
            if written.unread % self._stride == 0:
                self.unread.append((output, tools, language))
            if len(self.unread) == 2 * SAMPLED:  # from all of the file, and not from its beginning alone
                del self.unread[1::2]
                self._stride *= 2
            written.unread += 1

    def finish(self) -> Written:
        """Return what was gathered, with the beginning of the output that is there most often."""
        most = self._most
        text = most if isinstance(most, str) else "" if most is None else dump_json(most)
        self.written.sample = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        return self.written


def find_fit(unread: Iterable[tuple[Any, tuple[Tool, ...], str]], *, beside: str) -> Fit | None:
    """Return the decoder that reads the most of some outputs as calls of offered tools; None where none reads any.

    Each output comes with the tools that were offered and its language; `beside` is the decoder not to try.

    >>> from faircall.types import Tool
    >>> find_fit([("[ride(to='home')]", (Tool("ride"),), "python")], beside="hermes")
    Fit(decoder='python', read=1, tried=1)
    """
    outputs = list(unread)
    counts = {
        name: sum(_reads(output, name, tools, language) for output, tools, language in outputs)
        for name in DECODERS
        if name != beside
    }
    best = max(counts, key=lambda name: counts[name])
    return Fit(best, counts[best], len(outputs)) if counts[best] else None


def _reads(output: Any, decoder: str, tools: tuple[Tool, ...], language: str) -> bool:
    decoded = decode(output, decoder, tools=tools, language=language)
    # Interfaces that allow no dots have underscores in their place.
    known = all(find_tool(call.name, tools) is not None for call in decoded.calls)
    return bool(decoded.calls) and decoded.error is None and known
