"""One output against what was wanted: a verdict with its state, reason, path and evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from faircall.decoding.table import DECODERS
from faircall.errors import UsageError
from faircall.gate import Judgement, judge
from faircall.gate.policies import decode_officially, literal_state, official_state
from faircall.matching import Answers, compile_answers
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.schema import read_tools
from faircall.types import Decoded, Outcome, Reason, State, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Tool

_TYPED_SOURCE = frozenset({"java", "javascript"})
"""Decoders whose fair reading tells a quoted value from a bare one, as the language does."""
DECODE_FAILED = "ast_decoder:decoder_failed"
WRONG_FORMAT = "ast_decoder:decoder_wrong_output_format"


def check(
    output: Any,
    *,
    tools: Any = (),
    expected: Sequence[Any] | None = None,
    decoder: str = "auto",
    language: str = "python",
    profile: str | Profile = DEFAULT_PROFILE,
    category: str | None = None,
    valid: bool = False,
) -> Verdict:
    """Return the verdict on one output.

    Without `expected` only the state is judged: a malformed output fails, an error is void, anything else passes.
    With ``expected=[]`` the model should have abstained. One expected call has to be made exactly, several in any
    order; each is ``{name: {parameter: [allowed values]}}``, where ``""`` says that the parameter may be left out,
    or a plain ``{name: {parameter: value}}``. `category` is read by the official profile alone. With `valid`, a call
    that would pass and breaks its tool's schema (see `faircall.validate`) fails, with the reason `invalid-arguments`;
    so does a call of a tool that is not offered.

    Raises `UsageError` for an unknown decoder or profile, `InputError` for tools or expected calls that cannot be
    read; never for anything that a model wrote.

    >>> check("None of these tools knows the weather.", tools=["get_time"], expected=[]).outcome
    <Outcome.PASS: 'pass'>
    >>> ride = {"name": "ride", "parameters": {"properties": {"to": {"type": "string"}}, "required": ["to"]}}
    >>> check("[ride(to='hom')]", tools=[ride], expected=[{"ride": {"to": ["home"]}}], decoder="python").path
    '$.args.to'
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    offered = read_tools(tools)
    wanted: Wanted
    if not expected:
        wanted = Wanted(state=None if expected is None else State.ABSTAINED)
    else:
        answers = compile_answers(expected, offered, switches, language, category=category)
        wanted = Wanted(State.CALLED, answers)
    verdict = judge_output(output, offered, wanted, switches, decoder=decoder, language=language)
    if valid and verdict.outcome is Outcome.PASS and verdict.state is State.CALLED:
        return _validated(verdict, offered, language)
    return verdict


def _validated(verdict: Verdict, tools: Sequence[Tool], language: str) -> Verdict:
    """Return a verdict that passes as a failure where a call of it breaks the schema of its tool."""
    from faircall.validation import INVALID, first_problem  # noqa: PLC0415 - it needs a library of an extra

    if language != "python":
        raise UsageError(f"`valid` is for values; the arguments of {language} calls are source text")
    problem = first_problem(verdict.calls, tools)
    if problem is None:
        return verdict
    return msgspec.structs.replace(
        verdict, outcome=Outcome.FAIL, reason=INVALID, path=problem.path, message=str(problem)
    )


class Wanted(msgspec.Struct, frozen=True):
    """What was wanted of an output: a state (None for no demand), and the answers where calls are to be compared."""

    state: State | None
    answers: Answers | None = None


def judge_output(
    output: Any,
    tools: Any,
    wanted: Wanted,
    profile: Profile,
    *,
    decoder: str = "auto",
    language: str = "python",
) -> Verdict:
    """Return the verdict on an output under the profile: its state by the gate, its calls by the answers."""
    if profile.gate == "evidence":
        return verdict_on(judge(output, tools, decoder=decoder, language=language), wanted)
    return verdict_officially(decode_officially(output, decoder=decoder, language=language), wanted, profile)


def verdict_officially(decoded: Decoded, wanted: Wanted, profile: Profile) -> Verdict:
    """Return the verdict that the official decoder's result leads to, under the `official` or `literal` gate."""
    state = literal_state(decoded) if profile.gate == "literal" else official_state(decoded)
    judgement = Judgement(state, _plain_reason(state, decoded), _plain_message(decoded), None, decoded)
    if wanted.answers is None or is_call_list(decoded):
        return verdict_on(judgement, wanted)
    verdict = verdict_on(judgement, Wanted(State.CALLED))
    error = DECODE_FAILED if decoded.error is not None else WRONG_FORMAT
    return msgspec.structs.replace(verdict, outcome=Outcome.FAIL, official_error=error)


def verdict_on(judgement: Judgement, wanted: Wanted) -> Verdict:
    """Return the verdict on a judged output; an error is void, whatever was wanted."""
    decoded = judgement.decoded
    verdict = Verdict(
        outcome=Outcome.PASS,
        state=judgement.state,
        reason=judgement.reason,
        message=judgement.message,
        calls=decoded.calls if decoded is not None and judgement.state is State.CALLED else (),
        evidence=judgement.evidence,
        decoder=decoded.decoder if decoded is not None else None,
    )
    if judgement.state is State.ERROR:
        return msgspec.structs.replace(verdict, outcome=Outcome.VOID)
    if wanted.answers is not None:
        # An official decoder's empty list goes on to the comparison, which counts its calls.
        read = decoded is not None and decoded.error is None
        if (
            judgement.state is State.CALLED
            or (read and wanted.answers.settings.profile.gate != "evidence")
            or wanted.answers.fault is not None
        ):
            return _compared(verdict, wanted.answers, decoded)
    if wanted.state is None:
        if judgement.state is State.MALFORMED:
            return msgspec.structs.replace(verdict, outcome=Outcome.FAIL, path="$")
        return verdict
    if judgement.state is not wanted.state:
        message = f"Expected `{wanted.state}`, got `{judgement.state}`: {judgement.message}"
        return msgspec.structs.replace(verdict, outcome=Outcome.FAIL, path="$", message=message)
    return verdict


def _compared(verdict: Verdict, answers: Answers, decoded: Decoded | None) -> Verdict:
    typed, underscored = reading_of(decoded.decoder if decoded is not None else None, answers)
    found = answers.match(compared_calls(decoded), typed=typed, underscored=underscored)
    if found.outcome is Outcome.PASS:
        return msgspec.structs.replace(verdict, filled=found.filled) if found.filled else verdict
    return msgspec.structs.replace(
        verdict,
        outcome=found.outcome,
        reason=found.reason,
        path=found.path,
        message=found.message,
        filled=found.filled,
        official_error=found.official_error,
    )


def reading_of(decoder: str | None, answers: Answers) -> tuple[bool, bool]:
    """Return how a decoder's calls are compared: whether as typed source, and whether dots may be underscores."""
    # Text can write any name as it is; interfaces that make calls of it may allow no dots.
    underscored = answers.settings.underscores or (decoder in DECODERS and not DECODERS[decoder].text)
    return decoder in _TYPED_SOURCE, underscored


def compared_calls(decoded: Decoded | None) -> Any:
    """Return what is compared with the answers: officially, the very object that the handler returns."""
    if decoded is None:
        return ()
    return decoded.value if decoded.value is not None else decoded.calls


def is_call_list(decoded: Decoded) -> bool:
    """Return whether an official handler returns a list of calls, and not some other object."""
    value = decoded.value
    return decoded.error is None and isinstance(value, list) and len(value) == len(decoded.calls)


def _plain_reason(state: State, decoded: Decoded) -> Reason:
    if state is State.CALLED:
        return Reason.DECODED
    if decoded.error is None:
        return Reason.EMPTY_LIST
    return decoded.error.reason if state is State.MALFORMED else Reason.PROSE


def _plain_message(decoded: Decoded) -> str:
    if decoded.error is not None:
        return f"the official decoder raises: {decoded.error.message}"
    count = len(decoded.calls)
    return f"the official decoder returns {count or 'no'} call{'' if count == 1 else 's'}"
