"""The steps of a stored dialogue: for each, its state, and the calls that the released tool would run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding.official import CallTexts, decode_to_texts
from faircall.decoding.table import DECODERS
from faircall.gate import Judgement, judge
from faircall.types import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Tool


_MOST_PARTS: Final = 1000


class Step(msgspec.Struct, frozen=True):
    """What a model wrote in one step: the value as stored, and the gate's judgement."""

    output: Any
    judgement: Judgement


class OfficialStep(msgspec.Struct, frozen=True):
    """A step as the released tool takes it: the value, and the calls that its handler hands on."""

    output: Any
    calls: CallTexts


class Turn(msgspec.Struct, frozen=True):
    """One turn. `official` is None where the released tool raises on what is stored in place of steps."""

    steps: tuple[Step, ...]
    official: tuple[OfficialStep, ...] | None


class Steps(msgspec.Struct, frozen=True):
    """All steps of a dialogue, turn by turn.

    A turn that is stored as one value and no list is read as one step; the released tool takes the characters of a
    text, and the keys of an object, for steps. `shape` says what is wrong where the whole is no list of turns, and
    `whole` is the judgement on such a value as one output.
    """

    turns: tuple[Turn, ...] = ()
    shape: str | None = None
    whole: Judgement | None = None

    @property
    def all(self) -> list[Step]:
        """The steps of all turns."""
        return [step for turn in self.turns for step in turn.steps]

    def counts(self) -> dict[str, int]:
        """Return how many steps there are of each state."""
        found = Counter(step.judgement.state.value for step in self.all)
        return {
            state.value: found[state.value] for state in State if found[state.value] or state != State.ERROR
        }


def error_in(steps: Steps) -> tuple[str, Judgement] | None:
    """Return where an error of the harness stands in place of what the model wrote, and the judgement on it.

    Only where nothing else is stored: among steps of its own, a model may have written such words itself.
    """
    if steps.whole is not None and steps.whole.state is State.ERROR:
        return "$", steps.whole
    found = None
    for number, turn in enumerate(steps.turns):
        for at, step in enumerate(turn.steps):
            if step.judgement.state is not State.ERROR:
                return None
            found = found or (f"$.turns[{number}].steps[{at}]", step.judgement)
    return found


def read_steps(stored: Any, tools: Sequence[Tool], *, decoder: str) -> Steps:
    """Return the steps of a stored dialogue; never raises for what is stored.

    Under `auto` each step is read by whatever fits it, and officially by the handler of that decoder.
    """
    if not isinstance(stored, list):
        shape = f"{_kind(stored)} is stored in place of a list of turns"
        return Steps(shape=shape, whole=judge(stored, tools, decoder=decoder))
    return Steps(tuple(_read_turn(turn, tools, decoder) for turn in stored))


def _read_turn(stored: Any, tools: Sequence[Tool], decoder: str) -> Turn:
    steps = tuple(
        Step(output, judge(output, tools, decoder=decoder))
        for output in (stored if isinstance(stored, list) else [stored])
    )
    if isinstance(stored, list):
        return Turn(steps, tuple(_read_officially(step.output, _handler(step, decoder)) for step in steps))
    if not isinstance(stored, (str, dict)):
        return Turn(steps, None)
    handler = _handler(steps[0], decoder)
    # A hundred thousand characters are as little of a step as the last thousand of them.
    return Turn(steps, tuple(_read_officially(part, handler) for part in list(stored)[-_MOST_PARTS:]))


def _read_officially(output: Any, handler: str) -> OfficialStep:
    return OfficialStep(output, decode_to_texts(output, handler))


def _handler(step: Step, decoder: str) -> str:
    """Return whose handler the released tool would use: under `auto`, that of the decoder that fits."""
    if decoder != "auto":
        return decoder
    decoded = step.judgement.decoded
    if decoded is not None and decoded.decoder in DECODERS:
        return decoded.decoder
    return "python" if isinstance(step.output, str) else "tool-calls"


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return "text"
    return "an object" if isinstance(value, dict) else f"`{type(value).__name__}`"
