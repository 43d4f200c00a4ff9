"""One stored dialogue, read once, and its verdict under any profile."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.environments import MODULES
from faircall.dialogue.agentic import verdict_of_answer
from faircall.dialogue.multi_turn import Scene, verdict_of_dialogue
from faircall.dialogue.steps import Steps, read_steps
from faircall.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faircall.bfcl.data import Entry
    from faircall.profiles import Profile
    from faircall.replay import Broken, Played, Script
    from faircall.types import Tool, Verdict

OF_MULTI_TURN: Final = frozenset(
    {"gate", "positional", "names", "numbers", "dispatch", "responses", "abstain-turns"}
)
"""The switches that a verdict on a multi-turn entry depends on."""
OF_AGENTIC: Final = frozenset({"gate", "answers"})
"""The switches that a verdict on an agentic entry depends on."""


class DialogueReading(msgspec.Struct, frozen=True):
    """A dialogue's steps, with what is expected of the entry: a scene to be played, or accepted answers."""

    entry: Entry
    steps: Steps
    tools: frozenset[str]
    expected: Scene | tuple[str, ...]
    play: Callable[[Script], Played | Broken]
    _made: dict[Profile, Verdict] = {}
    _played: dict[Script, Played | Broken] = {}

    @property
    def raised(self) -> bool:
        """Whether the official decoder raises on the output: of a dialogue that says nothing."""
        return False

    @property
    def switches(self) -> frozenset[str]:
        """The switches that its verdicts depend on."""
        return OF_MULTI_TURN if isinstance(self.expected, Scene) else OF_AGENTIC

    def moot(self, _: Profile) -> frozenset[str]:
        """None of the switches is known beforehand to make no difference."""
        return frozenset()

    def verdict(self, profile: Profile) -> Verdict:
        """Return the verdict under a profile."""
        made = self._made.get(profile)
        if made is None:
            if isinstance(self.expected, Scene):
                made = verdict_of_dialogue(self.steps, self.expected, profile, self.played)
            else:
                made = verdict_of_answer(self.steps, self.expected, profile, self.tools)
            self._made[profile] = made
        return made

    def played(self, script: Script) -> Played | Broken:
        """Return what a script of this entry comes to; profiles with one script share it."""
        if script not in self._played:
            self._played[script] = self.play(script)
        return self._played[script]


def _scene(entry: Entry, expected: Any, tools: frozenset[str]) -> Scene:
    config = entry.extra.get("initial_config", {})
    if not isinstance(expected, list) or not all(
        isinstance(turn, list) and all(isinstance(line, str) for line in turn) for turn in expected
    ):
        raise _broken(entry, "its expected calls are not lists of texts, turn by turn")
    if not isinstance(config, dict) or not all(isinstance(state, dict) for state in config.values()):
        raise _broken(entry, "its initial states are not objects")
    if unknown := [name for name in entry.involved_classes if name not in MODULES]:
        raise _broken(entry, f"there is no environment {unknown[0]} to replay it in")
    withheld = entry.extra.get("missed_function", {})
    return Scene(
        entry.involved_classes,
        json.dumps(config),
        tuple(tuple(turn) for turn in expected),
        "long_context" in entry.category,
        tools,
        {name: int(turn) for turn, names in withheld.items() for name in names},
    )


def _broken(entry: Entry, what: str) -> InputError:
    return InputError(f"{entry.id}: {what}", hint="run `faircall data verify`")


def read_dialogue(
    entry: Entry,
    stored: Any,
    tools: Sequence[Tool],
    expected: Any,
    *,
    decoder: str,
    play: Callable[[Script], Played | Broken],
) -> DialogueReading:
    """Return the reading of what is stored for a multi-turn or agentic entry.

    `expected` is the benchmark's answer: the expected calls of each turn, or the accepted answers. `play` plays a
    script (`faircall.replay.Player.play`).
    """
    steps = read_steps(stored, tools, decoder=decoder)
    names = frozenset(tool.name for tool in tools)
    wanted: Scene | tuple[str, ...]
    if CATEGORIES[entry.category].kind is Kind.MULTI_TURN:
        wanted = _scene(entry, expected, names)
    elif isinstance(expected, list) and all(isinstance(answer, str) for answer in expected):
        wanted = tuple(expected)
    else:
        raise _broken(entry, "its accepted answers are not a list of texts")
    return DialogueReading(entry, steps, names, wanted, play)
