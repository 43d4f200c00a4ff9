"""The verdict on an entry of the agentic categories: whether the model's last words give the answer."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final

from faircall.dialogue.answer_place import is_answer_object
from faircall.dialogue.asserted import find_assertion
from faircall.dialogue.steps import error_in
from faircall.gate.blocks import read_blocks
from faircall.rows import dump_json
from faircall.types import Outcome, Progress, Reason, Span, State, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from faircall.dialogue.steps import Step, Steps
    from faircall.profiles import Profile

_IGNORED: Final = str.maketrans("", "", ",./-_*^()")
"""What the official check takes out of both texts."""
_NO_ATTEMPT: Final = frozenset({Reason.EMPTY_OUTPUT, Reason.GARBAGE, Reason.UNCLEAR})
"""Why words may be malformed without being a call; `AI`, alone, is a role to the gate, and may be an answer."""
_SHOWN: Final = 200
_QUOTED_ARGUMENT: Final = re.compile(r"\w\(\s{0,5}[\"']")
"""What tells the call `answer('…')` from words with brackets, `Python (3)`."""


class Why(StrEnum):
    """Why an entry passes or fails, apart from the reasons of the gate."""

    MENTIONED = "answer-mentioned"
    ASSERTED = "answer-asserted"
    NOT_FOUND = "answer-not-found"
    DENIED = "answer-denied"
    NOT_GIVEN = "answer-not-given"
    ASIDE = "answer-aside"
    SEVERAL = "several-answers"
    NO_CONCLUSION = "no-conclusion"
    NO_ANSWER = "no-final-answer"
    NO_DIALOGUE = "no-dialogue"
    WRONG_TURNS = "wrong-number-of-turns"
    CRASH = "evaluator-crash"


_BY_RULE: Final = {
    "asserted": Why.ASSERTED,
    "not-found": Why.NOT_FOUND,
    "denied": Why.DENIED,
    "not-given": Why.NOT_GIVEN,
    "aside": Why.ASIDE,
    "several": Why.SEVERAL,
    "no-conclusion": Why.NO_CONCLUSION,
}
_PLACES: Final = {"field": "the answer field", "label": "what follows the label"}
_SAYS: Final = {
    Why.NOT_FOUND: "none of the accepted answers is there",
    Why.DENIED: "the accepted answer stands there denied, or given up for another",
    Why.NOT_GIVEN: "the accepted answer stands in a question, or beside words of searching or of not knowing",
    Why.ASIDE: "the accepted answer is only mentioned beside another one",
    Why.SEVERAL: "the accepted answer is one of several that are offered",
    Why.NO_CONCLUSION: "there is no answer field, no label and no conclusion in it",
}


def verdict_of_answer(
    steps: Steps, accepted: Sequence[str], profile: Profile, tools: Collection[str]
) -> Verdict:
    """Return the verdict on an agentic entry under a profile.

    Officially the answer is looked for in the last step that does not decode as calls, wherever that stands. Under the
    evidence gate the answer is what the dialogue ends with: a call there is no answer, and a broken call neither.
    """
    judge = _Official if profile.gate != "evidence" else _Fair
    return judge(steps, accepted, profile, tools).verdict()


class _Judge(ABC):
    """What both ways have in common: the answer compared, and verdicts with the dialogue's state and progress."""

    official: ClassVar[bool]

    def __init__(
        self, steps: Steps, accepted: Sequence[str], profile: Profile, tools: Collection[str]
    ) -> None:
        self.steps = steps
        self.accepted = accepted
        self.profile = profile
        self.tools = tools

    @abstractmethod
    def has_calls(self) -> bool:
        """Whether any step makes a call."""

    @abstractmethod
    def verdict(self) -> Verdict:
        """Return the verdict."""

    def made(self, outcome: Outcome, reason: str, path: str | None, message: str, **more: Any) -> Verdict:
        """Return a verdict; the state is that of the dialogue unless another one is given."""
        more.setdefault("state", State.CALLED if self.has_calls() else State.ABSTAINED)
        progress = Progress(self.steps.counts(), int(outcome is Outcome.PASS), 1)
        return Verdict(outcome=outcome, reason=reason, path=path, message=message, dialogue=progress, **more)

    def wrong_shape(self) -> Verdict | None:
        """Return the verdict on what is no dialogue of one turn; None for one that is."""
        error = "agentic:inference_error" if self.official else None
        if self.steps.shape is not None:
            return self.made(Outcome.FAIL, Why.NO_DIALOGUE, "$", self.steps.shape, official_error=error)
        if len(self.steps.turns) != 1:
            message = f"Expected 1 turn, got {len(self.steps.turns)}"
            return self.made(Outcome.FAIL, Why.WRONG_TURNS, "$.turns", message, official_error=error)
        return None

    def compared(self, text: str, path: str, evidence: Span | None = None) -> Verdict:
        """Return the verdict on the text of the answer."""
        if self.profile.answers == "official":
            found = mentions(text, self.accepted)
            why = Why.NOT_FOUND if found is None else Why.MENTIONED
            message = _SAYS[why] if found is None else f"{found!r} is in the text"
        else:
            assertion = find_assertion(text, self.accepted)
            found, why = assertion.accepted if assertion.holds else None, _BY_RULE[assertion.why]
            place = _PLACES.get(assertion.where, "the answer")
            said = _SAYS[why] if found is None else f"gives {found!r}"
            shown = assertion.sentence or assertion.looked_at.strip()
            message = f"{place} {_shorten(shown)!r}: {said}"
            evidence = _span_of(assertion.looked_at, text, evidence)
        if found is not None:
            return self.made(Outcome.PASS, why, None, message, evidence=evidence)
        error = "agentic:answer_not_found" if self.official else None
        return self.made(Outcome.FAIL, why, path, message, evidence=evidence, official_error=error)


class _Official(_Judge):
    official = True

    def has_calls(self) -> bool:
        return any(_has_calls(step.calls.texts) for turn in self.steps.turns for step in turn.official or ())

    def verdict(self) -> Verdict:
        if (wrong := self.wrong_shape()) is not None:
            return wrong
        official = self.steps.turns[0].official
        if official is None:
            message = "the released tool raises on a turn that holds no steps, and stops"
            return self.made(Outcome.VOID, Why.CRASH, "$.turns", message)
        found = None
        for index, step in enumerate(official):
            if step.calls.error is not None or not _has_calls(step.calls.texts):
                found = (index, step.output)
        if found is None or not found[1]:
            return self.made(
                Outcome.FAIL, Why.NO_ANSWER, "$.turns[0]", "no message but calls",
                official_error="agentic:no_last_message",
            )  # fmt: skip
        # Of a list, the official check takes the first item.
        output = found[1][0] if type(found[1]) is list else found[1]
        return self.compared(output if type(output) is str else str(output), _path(found[0]))


class _Fair(_Judge):
    official = False

    def has_calls(self) -> bool:
        return any(step.judgement.state is State.CALLED for step in self.steps.all)

    def verdict(self) -> Verdict:
        if (error := error_in(self.steps)) is not None:
            path, judged = error
            return self.made(
                Outcome.VOID, judged.reason, path, judged.message, state=State.ERROR, evidence=judged.evidence
            )
        if (wrong := self.wrong_shape()) is not None:
            return wrong
        steps = self.steps.turns[0].steps
        if not steps:
            return self.made(Outcome.FAIL, Why.NO_ANSWER, "$.turns[0]", "nothing is stored")
        final, path = steps[-1], _path(len(steps) - 1)
        evidence = final.judgement.evidence
        if (text := _answer_object(final.output)) is not None:
            return self.compared(text, path, evidence)
        if (verdict := self._no_words(final, path)) is not None:
            return verdict
        words = _words(final.output)
        if not any(map(str.isalnum, words)):
            return self.made(
                Outcome.FAIL,
                Reason.EMPTY_OUTPUT,
                path,
                "there are no words in the last step",
                state=State.MALFORMED,
            )
        return self.compared(words, path, evidence)

    def _no_words(self, final: Step, path: str) -> Verdict | None:
        """Return the verdict on a last step that is no answer in words; None where it is one."""
        judged = final.judgement
        if judged.state is State.CALLED:
            return self._ends_with_calls(final, path)
        if judged.state is not State.MALFORMED or judged.reason in _NO_ATTEMPT:
            return None
        # Words beside the broken call may give the answer; what is quoted in the call does not.
        if isinstance(final.output, str) and (span := judged.evidence) is not None:
            words = f"{final.output[: span.start]} {final.output[span.end :]}"
            if self.profile.answers != "official" and find_assertion(words, self.accepted).holds:
                return self.compared(words, path, span)
        message = f"the last words are no answer: {judged.message}"
        return self.made(
            Outcome.FAIL, judged.reason, path, message, state=State.MALFORMED, evidence=judged.evidence
        )

    def _ends_with_calls(self, final: Step, path: str) -> Verdict | None:
        judged = final.judgement
        calls = judged.decoded.calls if judged.decoded is not None else ()
        more: dict[str, Any] = {"calls": calls, "evidence": judged.evidence}
        if isinstance(final.output, str) and calls and not any(call.name in self.tools for call in calls):
            bare = not any(call.arguments for call in calls) and not _QUOTED_ARGUMENT.search(final.output)
            if bare and not final.output.lstrip().startswith("["):
                return None  # words with brackets: `Python (3)`
            message = f"the last words are a call of a tool that is not there: {calls[0].name}"
            return self.made(Outcome.FAIL, Reason.INVENTED_TOOL, path, message, state=State.MALFORMED, **more)
        return self.made(
            Outcome.FAIL, Why.NO_ANSWER, path, "the dialogue ends with a call, and no answer", **more
        )


def _path(step: int) -> str:
    return f"$.turns[0].steps[{step}]"


def _answer_object(output: Any) -> str | None:
    """Return the object that the prompt asks for, as text, whether it is stored as text or as an object."""
    if isinstance(output, dict) and any(str(key).casefold() == "answer" for key in output):
        return dump_json(output)
    text = _words(output)
    return text if is_answer_object(text) else None


def _words(output: Any) -> str:
    """Return the words of a stored message: of a list, its texts."""
    if isinstance(output, dict) and isinstance(output.get("content"), (str, list)):
        output = output["content"]  # a whole message
    blocks = read_blocks(output)
    return "\n".join(block.text for block in blocks)


def _span_of(part: str, text: str, otherwise: Span | None) -> Span | None:
    """Return where the part that was looked at stands in the stored text, where it is there as it was looked at."""
    block = otherwise.block if otherwise is not None else 0
    start = text.find(part)
    return Span(start, start + len(part), part, block) if part and start >= 0 else otherwise


def _shorten(text: str) -> str:
    """Return a text that is not too long for a message."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


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


def _has_calls(texts: Sequence[str]) -> bool:
    return bool(texts) and not (len(texts) == 1 and not texts[0])
