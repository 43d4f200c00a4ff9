"""One stored output, read both ways once, and its verdict under any profile."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.bfcl.models import find_model
from faircall.decoding.table import DECODERS
from faircall.gate import Judgement, judge
from faircall.gate.policies import decode_officially
from faircall.profiles import PROFILES, SWITCHES, Profile, load_profile
from faircall.scoring import compared_calls, is_call_list, verdict_officially, verdict_on
from faircall.types import Decoded, Outcome, Reason, State, Verdict

if TYPE_CHECKING:
    from faircall.bfcl.data import Entry
    from faircall.bfcl.questions import Questions

OFFICIAL = PROFILES["official-2026.3.23"]
FAIR = PROFILES["fair-1"]
LITERAL = load_profile("official-2026.3.23+gate=literal")
NOT_OF_ONE_TURN = frozenset({"missing", "abstain-turns"})
"""The switches that no verdict on a single turn depends on."""
NOT_OF_NAMES = NOT_OF_ONE_TURN | {"defaults", "numbers", "strings", "nested", "positional"}
"""The switches that do not say which tool a name stands for."""
SEVERAL = "several"
"""The switch of a flip that no switch makes alone."""


MISSING = Verdict(
    outcome=Outcome.VOID,
    state=State.ERROR,
    reason=Reason.MISSING,
    message="the entry is not in the result file",
)
"""The verdict on an entry that a result file does not hold."""


class Protocol(msgspec.Struct, frozen=True):
    """How a run's outputs are read: the decoder, where its name is from, and how the interface spells names."""

    decoder: str
    source: str
    underscores: bool | None


def protocol_of(model: str, *, decoder: str | None = None) -> Protocol:
    """Return how a model's outputs are read: as asked for, as BFCL's registry has it, or by whatever fits.

    `source` says which: `option`, `registry` or `auto`.

    >>> protocol_of("no-such-model").decoder
    'auto'
    """
    info = find_model(model)
    if decoder is not None:
        return Protocol(decoder, "option", None)
    return (
        Protocol(info.decoder, "registry", info.underscore_to_dot) if info else Protocol("auto", "auto", None)
    )


class Reading(msgspec.Struct, frozen=True):
    """An output of an entry as the gate judges it and as the official handler decodes it."""

    entry: Entry
    evidence: Judgement
    official: Decoded
    underscores: bool
    _made: dict[Profile, Verdict] = {}

    def verdict(self, questions: Questions, profile: Profile) -> Verdict:
        """Return the verdict under a profile."""
        made = self._made.get(profile)
        if made is None:
            wanted = questions.wanted(self.entry, profile, underscores=self.underscores)
            made = self._made[profile] = (
                verdict_on(self.evidence, wanted)
                if profile.gate == "evidence"
                else verdict_officially(self.official, wanted, profile)
            )
        return made

    def switch(self, questions: Questions, base: Profile, other: Profile) -> str:
        """Return the switch that alone turns the base profile's outcome into the other's.

        Switches are set one at a time, first from the base's side, then from the other's; `several` where none
        does it alone.
        """
        goal, start = (self.verdict(questions, profile).outcome for profile in (other, base))
        moot = self._moot(questions, base) if goal is Outcome.PASS else NOT_OF_ONE_TURN
        for name, changed in _one_at_a_time(base, other):
            if name not in moot and self.verdict(questions, changed).outcome is goal:
                return name
        for name, changed in _one_at_a_time(other, base):
            if name not in NOT_OF_ONE_TURN and self.verdict(questions, changed).outcome is start:
                return name
        return SEVERAL

    def _moot(self, questions: Questions, base: Profile) -> frozenset[str]:
        """The switches that cannot turn the base profile's verdict on these calls into a pass."""
        answers = questions.wanted(self.entry, base, underscores=self.underscores).answers
        calls = compared_calls(self.official) if is_call_list(self.official) else ()
        if base.gate == "evidence" or answers is None or answers.names_agree(calls):
            return NOT_OF_ONE_TURN
        moot = NOT_OF_NAMES | {"parallel"} if answers.regular else NOT_OF_NAMES
        return moot if answers.names_agree(compared_calls(self.evidence.decoded)) else moot | {"gate"}


@cache
def _one_at_a_time(origin: Profile, target: Profile) -> tuple[tuple[str, Profile], ...]:
    """Each switch in which two profiles differ, with the first profile changed in that switch alone."""
    return tuple(
        (name, load_profile(f"{origin.name}+{name}={target.value_of(name)}"))
        for name in SWITCHES
        if origin.value_of(name) != target.value_of(name)
    )


def read_output(
    entry: Entry, output: Any, questions: Questions, *, decoder: str, underscores: bool | None
) -> Reading:
    """Return the reading of a stored output; with `auto`, officially by the handler of the decoder that fits.

    `underscores` is None for a model that BFCL does not know: its interface has no dots in names where its
    outputs are structured calls.
    """
    evidence = judge(output, questions.tools(entry), decoder=decoder, language=entry.language)
    fitting = decoder
    if decoder == "auto" and evidence.decoded is not None and evidence.decoded.decoder in DECODERS:
        fitting = evidence.decoded.decoder
    if underscores is None:
        underscores = fitting in DECODERS and not DECODERS[fitting].text
    official = decode_officially(output, decoder=fitting, language=entry.language)
    return Reading(entry, evidence, official, underscores)


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is a pass."""
    return verdict.outcome is Outcome.PASS
