"""What is stored for one entry, read both ways once, its verdict under any profile, and what makes two differ."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.models import find_model
from faircall.decoding.table import DECODERS
from faircall.formats import decode_formatted, format_of, judge_formatted
from faircall.gate import Judgement, judge
from faircall.gate.policies import decode_officially
from faircall.profiles import PROFILES, SWITCHES, Profile, load_profile
from faircall.scoring import compared_calls, is_call_list, verdict_officially, verdict_on
from faircall.types import Decoded, Outcome, Reason, State, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from faircall.bfcl.data import Entry
    from faircall.bfcl.questions import Questions
    from faircall.replay import Broken, Played, Script

OFFICIAL = PROFILES["official-2026.3.23"]
FAIR = PROFILES["fair-1"]
LITERAL = load_profile("official-2026.3.23+gate=literal")
SEVERAL = "several"
"""The switch of a flip that no switch makes alone."""
OF_ONE_TURN = frozenset(
    {"gate", "defaults", "numbers", "strings", "nested", "parallel", "positional", "names"}
)
"""The switches that a verdict on a single output depends on."""
OF_NAMES = frozenset({"gate", "parallel", "names"})
"""The switches that say which tool a name stands for."""


MISSING = Verdict(
    outcome=Outcome.VOID,
    state=State.ERROR,
    reason=Reason.MISSING,
    message="the entry is not in the result file",
)
"""The verdict on an entry that a result file does not hold."""


class ReadAs(msgspec.Struct, frozen=True):
    """How a run's outputs are read: the decoder, where its name is from, and how the interface spells names.

    `underscores` is None for a model that BFCL does not know: its interface has no dots in names where its outputs
    are structured calls.
    """

    decoder: str
    source: str
    underscores: bool | None


def protocol_of(model: str, *, decoder: str | None = None) -> ReadAs:
    """Return how a model's outputs are read: as asked for, as BFCL's registry has it, or by whatever fits.

    `source` says which: `option`, `registry` or `auto`.

    >>> protocol_of("no-such-model").decoder
    'auto'
    """
    info = find_model(model)
    if decoder is not None:
        return ReadAs(decoder, "option", None)
    return ReadAs(info.decoder, "registry", info.underscore_to_dot) if info else ReadAs("auto", "auto", None)


class Readable(Protocol):
    """What is stored for one entry, read once: a single output (`Reading`) or a dialogue."""

    @property
    def entry(self) -> Entry:
        """The benchmark's entry."""

    @property
    def raised(self) -> bool:
        """Whether the official decoder raises on the output."""

    @property
    def switches(self) -> frozenset[str]:
        """The switches that its verdicts depend on."""

    def moot(self, base: Profile) -> frozenset[str]:
        """Those of the switches that cannot turn the verdict under the base profile into a pass."""

    def verdict(self, profile: Profile) -> Verdict:
        """Return the verdict under a profile."""


class Reading(msgspec.Struct, frozen=True):
    """An output of an entry as the gate judges it and as the official handler decodes it."""

    entry: Entry
    evidence: Judgement
    official: Decoded
    underscores: bool
    questions: Questions
    _made: dict[Profile, Verdict] = {}

    @property
    def raised(self) -> bool:
        """Whether the official decoder raises on the output."""
        return self.official.error is not None

    @property
    def switches(self) -> frozenset[str]:
        """The switches that its verdicts depend on."""
        return OF_ONE_TURN

    def verdict(self, profile: Profile) -> Verdict:
        """Return the verdict under a profile."""
        made = self._made.get(profile)
        if made is None:
            wanted = self.questions.wanted(self.entry, profile, underscores=self.underscores)
            made = self._made[profile] = (
                verdict_on(self.evidence, wanted)
                if profile.gate == "evidence"
                else verdict_officially(self.official, wanted, profile)
            )
        return made

    def moot(self, base: Profile) -> frozenset[str]:
        """The switches that cannot turn the base profile's verdict on these calls into a pass."""
        answers = self.questions.wanted(self.entry, base, underscores=self.underscores).answers
        calls = compared_calls(self.official) if is_call_list(self.official) else ()
        if base.gate == "evidence" or answers is None or answers.names_agree(calls):
            return frozenset()
        useful = OF_NAMES - {"parallel"} if answers.regular else OF_NAMES
        if answers.names_agree(compared_calls(self.evidence.decoded)):
            return OF_ONE_TURN - useful
        return OF_ONE_TURN - useful | {"gate"}


def find_switch(reading: Readable, base: Profile, other: Profile) -> str:
    """Return the switch that alone turns the base profile's outcome into the other's.

    Switches are set one at a time, first from the base's side, then from the other's; `several` where none does it
    alone.
    """
    goal, start = (reading.verdict(profile).outcome for profile in (other, base))
    useful = reading.switches - reading.moot(base) if goal is Outcome.PASS else reading.switches
    for name, changed in _one_at_a_time(base, other):
        if name in useful and reading.verdict(changed).outcome is goal:
            return name
    for name, changed in sorted(_one_at_a_time(other, base), key=_breadth):
        if name in reading.switches and reading.verdict(changed).outcome is start:
            return name
    return SEVERAL


def _breadth(switched: tuple[str, Profile]) -> int:
    """How much else changes with a switch, on the way back to the official side: what changes least is named."""
    return {"gate": 2, "dispatch": 1}.get(switched[0], 0)


@cache
def _one_at_a_time(origin: Profile, target: Profile) -> tuple[tuple[str, Profile], ...]:
    """Each switch in which two profiles differ, with the first profile changed in that switch alone."""
    return tuple(
        (name, load_profile(f"{origin.name}+{name}={target.value_of(name)}"))
        for name in SWITCHES
        if origin.value_of(name) != target.value_of(name)
    )


def read_entry(
    entry: Entry,
    stored: Any,
    questions: Questions,
    protocol: ReadAs,
    *,
    play: Callable[[Script], Played | Broken],
) -> Readable:
    """Return the reading of what a run stores for an entry of any category; `play` plays the scripts of dialogues."""
    if CATEGORIES[entry.category].kind in {Kind.MULTI_TURN, Kind.AGENTIC}:
        from faircall.dialogue import read_dialogue  # noqa: PLC0415 - a run of single outputs needs none of it

        expected = questions.answer(entry)
        return read_dialogue(
            entry, stored, questions.tools(entry), expected, decoder=protocol.decoder, play=play
        )
    return read_output(entry, stored, questions, protocol)


def read_output(entry: Entry, output: Any, questions: Questions, protocol: ReadAs) -> Reading:
    """Return the reading of a stored output; with `auto`, officially by the handler of the decoder that fits.

    An output of format sensitivity is read in the format that its prompt asked for, where the decoder is that of a
    prompt.
    """
    decoder, underscores = protocol.decoder, protocol.underscores
    tools = questions.tools(entry)
    form = format_of(entry)
    if form is not None:
        evidence = judge_formatted(output, tools, decoder, form)
    else:
        evidence = judge(output, tools, decoder=decoder, language=entry.language)
    fitting = decoder
    if decoder == "auto" and evidence.decoded is not None and evidence.decoded.decoder in DECODERS:
        fitting = evidence.decoded.decoder
    if underscores is None:
        underscores = fitting in DECODERS and not DECODERS[fitting].text
    if form is not None:
        official = decode_formatted(output, fitting, form)
    else:
        official = decode_officially(output, decoder=fitting, language=entry.language)
    return Reading(entry, evidence, official, underscores, questions)


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is a pass."""
    return verdict.outcome is Outcome.PASS
