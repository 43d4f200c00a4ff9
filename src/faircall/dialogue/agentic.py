"""The verdict on an entry of the agentic categories: whether the model's last words give the answer."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from faircall.dialogue.asserted import find_assertion, is_answer_object
from faircall.types import Outcome, Progress, Reason, State, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from faircall.dialogue.steps import Step, Steps, Turn
    from faircall.gate import Judgement
    from faircall.profiles import Profile

_IGNORED: Final = str.maketrans("", "", ",./-_*^()")
"""What the official check takes out of both texts."""
_SHOWN: Final = 200


class Why(StrEnum):
    """Why an entry passes or fails, apart from the reasons of the gate."""

    MENTIONED = "answer-mentioned"
    ASSERTED = "answer-asserted"
    NOT_FOUND = "answer-not-found"
    DENIED = "answer-denied"
    SEVERAL = "several-answers"
    NO_CONCLUSION = "no-conclusion"
    NO_ANSWER = "no-final-answer"
    NO_DIALOGUE = "no-dialogue"
    CRASH = "evaluator-crash"


_BY_RULE: Final = {
    "asserted": Why.ASSERTED,
    "not-found": Why.NOT_FOUND,
    "denied": Why.DENIED,
    "several": Why.SEVERAL,
    "no-conclusion": Why.NO_CONCLUSION,
}
_SAYS: Final = {
    Why.NOT_FOUND: "none of the accepted answers is in it",
    Why.DENIED: "the accepted answer stands there denied",
    Why.SEVERAL: "the accepted answer is one of several that are offered",
    Why.NO_CONCLUSION: "a long text without an answer field, a label or a conclusion",
}


def verdict_of_answer(
    steps: Steps, accepted: Sequence[str], profile: Profile, tools: Collection[str]
) -> Verdict:
    """Return the verdict on an agentic entry under a profile.

    Officially the answer is looked for in the last step that does not decode as calls, wherever that stands. Under the
    evidence gate the answer is what the dialogue ends with: a call there is no answer, and a broken call neither.
    """
    official = profile.gate != "evidence"
    progress = Progress(steps.counts(), 0, 1)
    if not official and (void := _void(steps, progress)) is not None:
        return void
    if steps.shape is not None or len(steps.turns) != 1:
        message = steps.shape or f"Expected 1 turn, got {len(steps.turns)}"
        state = steps.whole.state if steps.whole is not None and not official else State.ABSTAINED
        return Verdict(
            Outcome.FAIL, state, Why.NO_DIALOGUE, path="$", message=message, dialogue=progress,
            official_error="agentic:inference_error" if official else None,
        )  # fmt: skip
    turn = steps.turns[0]
    if official and turn.official is None:
        message = "the released tool raises on a turn that holds no steps, and stops"
        return Verdict(
            Outcome.VOID, State.ABSTAINED, Why.CRASH, path="$.turns", message=message, dialogue=progress
        )
    if official:
        return _officially(turn, accepted, profile, progress)
    if not turn.steps:
        return _without_answer("nothing is stored", steps, progress)
    final = turn.steps[-1]
    path = f"$.turns[0][{len(turn.steps) - 1}]"
    broken = _no_words(final, tools, progress, path)
    return broken or _compared(final.output, accepted, profile, progress, final.judgement, path)


def _officially(turn: Turn, accepted: Sequence[str], profile: Profile, progress: Progress) -> Verdict:
    """Look for the answer in the last step that the official handler makes no call of."""
    found = None
    for index, step in enumerate(turn.official or ()):
        if step.calls.error is not None or not _has_calls(step.calls.texts):
            found = (index, step.output)
    if found is None or not found[1]:
        return Verdict(
            Outcome.FAIL, State.CALLED if turn.official and found is None else State.ABSTAINED, Why.NO_ANSWER,
            path="$.turns[0]", message="no message but calls", dialogue=progress,
            official_error="agentic:no_last_message",
        )  # fmt: skip
    return _compared(found[1], accepted, profile, progress, None, f"$.turns[0][{found[0]}]")


def _without_answer(message: str, steps: Steps, progress: Progress) -> Verdict:
    state = (
        State.CALLED if any(step.judgement.state is State.CALLED for step in steps.all) else State.ABSTAINED
    )
    return Verdict(Outcome.FAIL, state, Why.NO_ANSWER, path="$.turns[0]", message=message, dialogue=progress)


def _compared(
    output: Any,
    accepted: Sequence[str],
    profile: Profile,
    progress: Progress,
    judgement: Judgement | None,
    path: str,
) -> Verdict:
    text = _as_text(output)
    official = judgement is None
    if profile.answers == "official":
        found = mentions(text, accepted)
        why = Why.MENTIONED if found is not None else Why.NOT_FOUND
        message = (
            f"{found!r} is in the text"
            if found is not None
            else "none of the accepted answers is in the text"
        )
        right = found is not None
    else:
        assertion = find_assertion(text, accepted)
        why = _BY_RULE[assertion.why]
        right = assertion.holds
        shown = assertion.looked_at.strip()
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
        place = {"field": "the answer field", "label": "what follows the label"}.get(
            assertion.where, "the answer"
        )
        message = f"{place} {shown!r}: " + (f"gives {assertion.accepted!r}" if right else _SAYS[why])
    return Verdict(
        Outcome.PASS if right else Outcome.FAIL,
        judgement.state if judgement is not None else State.ABSTAINED, why, path=None if right else path,
        message=message, evidence=judgement.evidence if judgement is not None else None,
        dialogue=Progress(progress.steps, int(right), 1),
        official_error=None if right or not official else "agentic:answer_not_found",
    )  # fmt: skip


def mentions(text: str, accepted: Sequence[str]) -> str | None:
    """Return the accepted answer that the official check finds in a text, or None.

    It takes some signs out of both texts, and so finds `3.5` in `35 km`.

    >>> mentions("The trail is 35 km long.", ["3.5"])
    '3.5'
    """
    plain = _standard(text)
    for answer in accepted:
        if re.search(rf"\b{re.escape(_standard(answer))}\b", plain):
            return answer
    return None


def _standard(text: str) -> str:
    return text.translate(_IGNORED).lower().replace("'", '"')


def _as_text(output: Any) -> str:
    """Return a stored message as the official check takes it: of a list, its first item."""
    if type(output) is list and output:
        output = output[0]
    return output if type(output) is str else str(output)


def _has_calls(texts: Sequence[str]) -> bool:
    return bool(texts) and not (len(texts) == 1 and not texts[0])


def _no_words(final: Step, tools: Collection[str], progress: Progress, path: str) -> Verdict | None:
    """Return the verdict on a last step that is no answer in words; None where it is one."""
    judgement = final.judgement
    if isinstance(final.output, str) and is_answer_object(final.output):
        return None
    if judgement.state is State.CALLED:
        calls = judgement.decoded.calls if judgement.decoded is not None else ()
        if isinstance(final.output, str) and not any(call.name in tools for call in calls):
            return Verdict(
                Outcome.FAIL, State.MALFORMED, Reason.INVENTED_TOOL, path=path, calls=calls,
                message=f"the last words are a call of a tool that is not there: {calls[0].name}" if calls else None,
                evidence=judgement.evidence, dialogue=progress,
            )  # fmt: skip
        return Verdict(
            Outcome.FAIL, State.CALLED, Why.NO_ANSWER, path=path, calls=calls,
            message="the dialogue ends with a call, and no answer", evidence=judgement.evidence, dialogue=progress,
        )  # fmt: skip
    if judgement.state is State.MALFORMED and judgement.reason is not Reason.UNCLEAR:
        return Verdict(
            Outcome.FAIL, State.MALFORMED, judgement.reason, path=path,
            message=f"the last words are no answer: {judgement.message}", evidence=judgement.evidence,
            dialogue=progress,
        )  # fmt: skip
    return None


def _void(steps: Steps, progress: Progress) -> Verdict | None:
    error = steps.whole
    for step in steps.all:
        if step.judgement.state is State.ERROR:
            error = step.judgement
    if error is None or error.state is not State.ERROR:
        return None
    return Verdict(
        Outcome.VOID,
        State.ERROR,
        error.reason,
        message=error.message,
        evidence=error.evidence,
        dialogue=progress,
    )
