"""The verdict on a dialogue in simulated environments, from its steps and from what their replay came to."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.dialogue.lines import nested_in, write_line
from faircall.dialogue.steps import error_in
from faircall.problems import count_of
from faircall.replay import Broken, Played, Script, TurnPlayed
from faircall.types import Outcome, Progress, Reason, Span, State, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faircall.dialogue.steps import Step, Steps, Turn
    from faircall.profiles import Profile
    from faircall.types import Call

_TEXT_WITH_CALLS = frozenset(
    {"python", "llama-pythonic", "deepseek", "gemini-prompt", "phi-prompt", "nemotron"}
)
"""Decoders of protocols in which a call may stand among another one's arguments."""


_PLAIN_CALL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\(")
_NESTED_CLASS = re.compile(r"=[A-Za-z_]\w*+\.[A-Za-z_]\w*+\(")
_NO_ATTEMPT = frozenset({Reason.EMPTY_OUTPUT, Reason.GARBAGE, Reason.UNCLEAR})
"""Why a step may be malformed without having been a call."""


_TOLD = re.compile(
    r"\b(?:not|never|already|earlier|before|without|need(?:ed|s)?)\b|n['’]t\b"
    r"|\b(?:I|we)(?:['’]ve|\s+have|\s+had)?\s+(?:just\s+)?(?:used|called|ran|run|made|did|executed|invoked|tried)\b",
    re.IGNORECASE,
)
"""Words that lead up to a call which is told of, or not made."""


class Why(StrEnum):
    """Why a dialogue fails, or cannot be judged."""

    NO_CALL = "no-call"
    UNWANTED_CALL = "unwanted-call"
    STATE_DIFFERS = "state-differs"
    RESULT_MISSING = "result-missing"
    WRONG_TURNS = "wrong-number-of-turns"
    NO_DIALOGUE = "no-dialogue"
    CRASH = "evaluator-crash"
    REPLAY_LIMIT = "replay-limit"


_OFFICIAL = {
    Why.NO_CALL: "multi_turn:empty_turn_model_response",
    Why.STATE_DIFFERS: "multi_turn:instance_state_mismatch",
    Why.RESULT_MISSING: "multi_turn:execution_response_mismatch",
    Why.WRONG_TURNS: "multi_turn:force_terminated",
    Why.NO_DIALOGUE: "multi_turn:inference_error",
}


class Scene(msgspec.Struct, frozen=True):
    """What an entry of the benchmark plays: its environments, their initial states as JSON text, the expected calls."""

    classes: tuple[str, ...]
    config: str
    expected: tuple[tuple[str, ...], ...]
    long_context: bool
    tools: frozenset[str]
    withheld: dict[str, int] = {}
    """The tools that are offered only from a turn on."""


def script_of(steps: Steps, scene: Scene, profile: Profile, *, detailed: bool = False) -> Script:
    """Return what is to be played under a profile: the calls that its gate finds, written as its `dispatch` says."""
    turns = tuple(tuple(filter(None, lines_of(turn, scene, profile))) for turn in steps.turns)
    fair_names = profile.gate == "evidence" and profile.names != "official"
    qualified = fair_names and any(_has_class(line) for turn in turns for step in turn for line in step)
    patched = profile.dispatch == "official" and _may_be_patched((*turns, scene.expected))
    return Script(
        scene.classes,
        scene.config,
        turns,
        scene.expected,
        scene.long_context,
        patched=patched,
        qualified=qualified,
        detailed=detailed,
    )


def lines_of(turn: Turn, scene: Scene, profile: Profile) -> list[tuple[str, ...]]:
    """Return the calls of a turn that are to be played, as lines, step by step; of some steps none."""
    if profile.gate != "evidence":
        return [step.calls.texts for step in turn.official or ()]
    return [_lines_of_step(step, scene, profile) for step in turn.steps]


def _lines_of_step(step: Step, scene: Scene, profile: Profile) -> tuple[str, ...]:
    decoded = step.judgement.decoded
    if step.judgement.state is not State.CALLED or decoded is None:
        return ()
    classes = scene.classes if profile.names != "official" else ()
    nested: set[str] = set()
    if decoded.decoder in _TEXT_WITH_CALLS and isinstance(step.output, str):
        evidence = step.judgement.evidence
        text = evidence.text if evidence is not None else step.output
        nested = nested_in(text, decoded.calls, scene.tools, classes)
    positional = profile.positional != "official"
    return tuple(
        write_line(call, scene.tools, classes=classes, nested=nested, positional=positional)
        for call in decoded.calls
    )


def _has_class(line: str) -> bool:
    return "." in line.partition("(")[0] or ("." in line and _NESTED_CLASS.search(line) is not None)


def turns_of(played: Played | Broken, profile: Profile) -> tuple[TurnPlayed, ...]:
    """Return the turns that count under a profile: where sides share values, officially as they are, else apart.

    Of a replay that broke a limit they are those that are known.
    """
    if isinstance(played, Played) and played.apart is not None and profile.dispatch != "official":
        return played.apart
    return played.turns


def _may_be_patched(turns: Sequence[Any]) -> bool:
    """Whether the released tool's way with a call's text can matter: not for a plain name and one parenthesis."""
    return any(
        _may_be_patched(part)
        if isinstance(part, tuple)
        else part.count("(") > 1 or _PLAIN_CALL.match(part) is None
        for part in turns
    )


def verdict_of_dialogue(
    steps: Steps, scene: Scene, profile: Profile, play: Callable[[Script], Played | Broken]
) -> Verdict:
    """Return the verdict on a dialogue under a profile; `play` plays a script."""
    if (whole := _verdict_without_replay(steps, scene, profile)) is not None:
        return whole
    script = script_of(steps, scene, profile)
    played = play(script)
    state, reason = state_of(steps, script, profile)
    judge_turn = _Judge(steps, scene, profile, script)
    broken = played if isinstance(played, Broken) else None
    for number, turn in enumerate(turns_of(played, profile)):
        found = judge_turn(number, turn)
        if found is not None:
            why, path, message = found
            return Verdict(
                Outcome.FAIL, state, why, path=path, message=message, calls=_calls(steps, number),
                evidence=_evidence(steps, number), dialogue=judge_turn.progress(number),
                official_error=_OFFICIAL.get(why) if profile.gate != "evidence" else None,
            )  # fmt: skip
    if broken is not None:
        return _given_up(broken, judge_turn, state)
    return Verdict(
        Outcome.PASS, state, reason, message=f"all {len(scene.expected)} turns are right",
        calls=_calls(steps, len(scene.expected) - 1), dialogue=judge_turn.progress(len(scene.expected)),
    )  # fmt: skip


def _given_up(broken: Broken, judge_turn: _Judge, state: State) -> Verdict:
    """Return the verdict where the replay broke a limit, and no turn before that fails.

    A call where none is wanted, and none where some are, fails the entry whatever a replay would say. The released
    tool never gets to a later turn.
    """
    steps, scene, profile = judge_turn.steps, judge_turn.scene, judge_turn.profile
    given_up = f"the replay was given up ({broken.limit}): {broken.message}"
    for number, wanted in enumerate(scene.expected):
        made = sum(map(len, judge_turn.script.turns[number]))
        found = None
        if profile.gate == "evidence" and wanted and not made:
            found = judge_turn(number, TurnPlayed(calls=0))
        elif profile.abstain_turns == "checked" and made and not wanted:
            found = (
                Why.UNWANTED_CALL,
                f"$.turns[{number}]",
                f"makes {count_of(made, 'call')} where none is wanted",
            )
        if found is not None:
            why, path, message = found
            return Verdict(
                Outcome.FAIL, state, why, path=path, message=f"{message}; {given_up}",
                calls=_calls(steps, number), dialogue=judge_turn.progress(len(broken.turns)),
            )  # fmt: skip
    return Verdict(
        Outcome.VOID,
        State.ERROR,
        Why.REPLAY_LIMIT,
        message=given_up,
        dialogue=judge_turn.progress(len(broken.turns)),
    )


def _verdict_without_replay(steps: Steps, scene: Scene, profile: Profile) -> Verdict | None:
    """Return the verdict on what is no dialogue, or has another number of turns than the question."""
    official = profile.gate != "evidence"
    progress = Progress(steps.counts(), 0, len(scene.expected))
    if not official and (error := error_in(steps)) is not None:
        path, judged = error
        return Verdict(
            Outcome.VOID, State.ERROR, judged.reason, path=path, message=judged.message,
            evidence=judged.evidence, dialogue=progress,
        )  # fmt: skip
    if steps.shape is not None and steps.whole is not None:
        state = steps.whole.state if not official else State.ABSTAINED
        return Verdict(
            Outcome.FAIL, state, Why.NO_DIALOGUE, path="$", message=steps.shape, evidence=steps.whole.evidence,
            dialogue=progress, official_error=_OFFICIAL[Why.NO_DIALOGUE] if official else None,
        )  # fmt: skip
    if len(steps.turns) != len(scene.expected):
        state, _ = state_of(steps, script_of(steps, scene, profile), profile)
        message = f"Expected {len(scene.expected)} turns, got {len(steps.turns)}"
        return Verdict(
            Outcome.FAIL, state, Why.WRONG_TURNS, path="$.turns", message=message, dialogue=progress,
            official_error=_OFFICIAL[Why.WRONG_TURNS] if official else None,
        )  # fmt: skip
    if official and any(turn.official is None for turn in steps.turns):
        message = "the released tool raises on a turn that holds no steps, and stops"
        return Verdict(
            Outcome.VOID, State.ABSTAINED, Why.CRASH, path="$.turns", message=message, dialogue=progress
        )
    return None


class _Judge:
    """Judges turns one after the other, and collects what is beside the verdict."""

    def __init__(self, steps: Steps, scene: Scene, profile: Profile, script: Script) -> None:
        self.steps = steps
        self.scene = scene
        self.profile = profile
        self.script = script
        self.notes: list[str] = []

    def __call__(self, number: int, turn: TurnPlayed) -> tuple[Why, str, str] | None:
        """Return why a turn fails, at which path, in what words; None where it is right."""
        wanted = self.scene.expected[number]
        path = f"$.turns[{number}]"
        if not wanted:
            return self._unwanted(number, path, turn)
        if not any(self.script.turns[number]):
            expected = count_of(len(wanted), "call")
            return Why.NO_CALL, path, f"Expected {expected} in turn {number}, got none{self._unread(number)}"
        if turn.state is not None:
            where = f"{path}.state{turn.state.path.removeprefix('$')}"
            message = f"Expected `{turn.state.expected}`, got `{turn.state.model}` after turn {number}"
            return Why.STATE_DIFFERS, where, f"{message}{self._unread(number)}"
        missing = turn.missing if self.profile.numbers == "official" else turn.missing_by_value
        if missing:
            shown = f"{missing[0][:200]!r}" + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")
            if self.profile.responses == "official" or not turn.changes:
                message = f"no call so far gave the result {shown}, which is expected in turn {number}"
                return Why.RESULT_MISSING, f"{path}.results", f"{message}{self._unread(number)}"
            self.notes.append(f"turn {number}: the state is as expected; no call gave {shown}")
        for name in sorted(self._early(number)):
            self.notes.append(
                f"turn {number}: calls {name}, which is offered from turn {self.scene.withheld[name]} on"
            )
        if unread := self._unread(number):
            self.notes.append(f"turn {number}: right{unread}")
        if turn.calls > len(wanted):
            self.notes.append(f"turn {number}: {turn.calls} calls, {len(wanted)} expected")
        if turn.hidden is not None:
            self.notes.append(f"turn {number}: {turn.hidden} differs, which is not compared")
        return None

    def _early(self, number: int) -> set[str]:
        """The tools that are called in a turn before they are offered."""
        called = {call.name for call in _calls(self.steps, number)}
        return {name for name in called if self.scene.withheld.get(name, 0) > number}

    def _unwanted(self, number: int, path: str, turn: TurnPlayed) -> tuple[Why, str, str] | None:
        if not turn.calls:
            return self._unwanted_attempt(number, path)
        changed = "and changes the state" if turn.changes else "and leaves the state as it is"
        message = f"makes {count_of(turn.calls, 'call')} where none is wanted, {changed}"
        if self.profile.abstain_turns == "checked" or (
            self.profile.abstain_turns == "changes" and turn.changes
        ):
            return Why.UNWANTED_CALL, path, message
        self.notes.append(f"{path.removeprefix('$.')}: {message}")
        return None

    def _unwanted_attempt(self, number: int, path: str) -> tuple[Why, str, str] | None:
        """A call that was tried and broken is one where none is wanted; noise and silence are noted."""
        if self.profile.gate != "evidence":
            return None
        steps = self.steps.turns[number].steps
        malformed = [
            (at, step.judgement) for at, step in enumerate(steps) if step.judgement.state is State.MALFORMED
        ]
        tried = [(at, judged) for at, judged in malformed if _is_attempt(steps[at])]
        if tried and self.profile.abstain_turns == "checked":
            at, judged = tried[0]
            message = f"tries a call where none is wanted, and breaks it ({judged.reason}): {judged.message}"
            return Why.UNWANTED_CALL, f"{path}.steps[{at}]", message
        if malformed:
            self.notes.append(f"turn {number}: no call{self._unread(number)}")
        return None

    def _unread(self, number: int) -> str:
        """What to add where steps of a turn are malformed, which nothing is played for."""
        malformed = [
            step for step in self.steps.turns[number].steps if step.judgement.state is State.MALFORMED
        ]
        if not malformed:
            return ""
        return f" ({len(malformed)} of its steps malformed: {malformed[0].judgement.reason})"

    def progress(self, passed: int) -> Progress:
        """Return how far the dialogue got."""
        return Progress(self.steps.counts(), passed, len(self.scene.expected), tuple(self.notes))


def _is_attempt(step: Step) -> bool:
    """Whether a malformed step is a call that was tried: no noise, no question about one, no word of an earlier one."""
    judged = step.judgement
    if judged.reason in _NO_ATTEMPT:
        return False
    span = judged.evidence
    if judged.reason is not Reason.WRAPPED_CALL or span is None or not isinstance(step.output, str):
        return True
    if not span.text.lstrip("`*- ")[:1].isalpha() or step.output[: span.start].endswith("["):
        return True  # in tags, as an object, in a list: written to be run
    around = f"{step.output[: span.start]} {step.output[span.end :]}"
    lead = re.split(r"[.!?]\s|\n\s*\n", step.output[: span.start])[-1]
    return "?" not in around and _TOLD.search(lead) is None


def state_of(steps: Steps, script: Script, profile: Profile) -> tuple[State, Reason]:
    """Return the state of a dialogue as a whole: called, if anything is played; else malformed, if a step is.

    Officially a step that does not decode says nothing.
    """
    if any(script.turns):
        return State.CALLED, Reason.DECODED
    malformed = next((step for step in steps.all if step.judgement.state is State.MALFORMED), None)
    if profile.gate == "evidence" and malformed is not None:
        return State.MALFORMED, malformed.judgement.reason
    return State.ABSTAINED, Reason.PROSE


def _calls(steps: Steps, number: int) -> tuple[Call, ...]:
    """The calls of a turn, as the gate reads them."""
    if not 0 <= number < len(steps.turns):
        return ()
    return tuple(
        call
        for step in steps.turns[number].steps
        if step.judgement.decoded is not None and step.judgement.state is State.CALLED
        for call in step.judgement.decoded.calls
    )


def _evidence(steps: Steps, number: int) -> Span | None:
    """The deciding span of the first malformed step of a turn, where there is one."""
    return next(
        (
            step.judgement.evidence
            for step in steps.turns[number].steps
            if step.judgement.state is State.MALFORMED
        ),
        None,
    )
