"""A sample of an evaluation framework judged: chat messages, tools and what was expected in; a verdict and counts out.

Messages are those of Inspect, as plain objects: what its scorers see and what its logs hold read the same.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.offering import ANY_CALL
from faircall.errors import InputError
from faircall.gate import Judgement
from faircall.jsontext import parse_json
from faircall.matching import compile_answers
from faircall.rows import dump_json, verdict_row
from faircall.schema import read_tools
from faircall.scoring import Wanted, judge_output, verdict_officially, verdict_on
from faircall.stats import Estimate, wilson, youden
from faircall.types import Decoded, DecodeError, Outcome, Reason, Span, State, Tool, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faircall.profiles import Profile

JUDGED: Final = (State.ABSTAINED, State.MALFORMED, State.CALLED)
"""The states that an output can be judged in."""
STRUCTURED: Final = "tool-calls"
_HINT: Final = (
    'write them as JSON in the target or under `expected` in the metadata, such as [{"ride": {"to": ["Lyon"]}}], '
    f'[] for none, or "{ANY_CALL}"'
)


class MessageCall(msgspec.Struct, frozen=True):
    """A native call of a message; `parse_error` says why the framework could not read what the model wrote."""

    function: str
    arguments: Any = None
    parse_error: str | None = None


class Message(msgspec.Struct, frozen=True):
    """A chat message, of which `content` is text or a list of blocks; `source` is `input` where it was given."""

    role: str
    content: str | list[dict[str, Any]] | None = None
    tool_calls: list[MessageCall] | None = None
    source: str | None = None


class Sample(msgspec.Struct, frozen=True):
    """One sample: the messages after its input, the tools, and what is expected: calls, none, or any call.

    `form` says how the expected calls are written, as `compile_answers` takes it; `data` names a benchmark's data.
    `error` says why the framework has no output to judge.
    """

    id: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    expected: list[Any] | str
    form: str = "auto"
    category: str | None = None
    language: str = "python"
    data: str | None = None
    error: str | None = None

    @property
    def wanted(self) -> State:
        """The state that is wanted of an output: a call, or none."""
        return State.CALLED if self.expected else State.ABSTAINED


def read_sample(stored: Mapping[str, Any], *, tools: Any = None) -> Sample:
    """Return a sample as Inspect has it: `id`, `messages`, `target`, `metadata` and, where it failed, `error`.

    Tools are those under `tools` in the metadata (`[]` where none is offered), else `tools`. Expected calls are those
    under `expected` there, else what the benchmark's category says, else the JSON of the target. Raises `InputError`
    where either is missing.

    >>> stored = {"id": 1, "target": '[{"ride": {"to": "Lyon"}}]', "metadata": {"tools": ["ride"]}, "messages": []}
    >>> read_sample(stored).expected
    [{'ride': {'to': 'Lyon'}}]
    """
    metadata = stored.get("metadata") or {}
    name = str(stored.get("id"))
    # `category_name` and `parsed_ground_truth` are what inspect_evals calls them.
    category = metadata.get("category", metadata.get("category_name"))
    known = CATEGORIES.get(category) if isinstance(category, str) else None
    try:
        offered = read_tools(metadata.get("tools") or tools or ())
        if not offered and metadata.get("tools") is None:
            raise InputError("no tools", hint="put them under `tools` in its metadata")
        expected = _expected(stored, metadata, known.kind if known else None)
        messages = _after_input(msgspec.convert(stored.get("messages") or [], list[Message]))
    except msgspec.ValidationError as error:
        raise InputError(f"messages that cannot be read ({error})", path=f"sample {name}") from error
    except InputError as error:
        raise InputError(str(error), path=f"sample {name}") from error
    language = metadata.get("language")
    failed = stored.get("error")
    return Sample(
        name,
        messages,
        offered,
        expected,
        form=str(metadata.get("form", "auto")),
        category=category if isinstance(category, str) else None,
        language=known.language if known else language if isinstance(language, str) else "python",
        data=metadata["data"] if isinstance(metadata.get("data"), str) else None,
        error=str(failed.get("message", "")) if isinstance(failed, dict) else None,
    )


def _expected(stored: Mapping[str, Any], metadata: Mapping[str, Any], kind: Kind | None) -> list[Any] | str:
    """Return what is expected. Raises `InputError` where nothing says so."""
    value = metadata.get("expected")
    if value is None and kind is not None and kind in {Kind.IRRELEVANCE, Kind.RELEVANCE}:
        value = [] if kind is Kind.IRRELEVANCE else ANY_CALL
    if value is None:
        value = metadata.get("parsed_ground_truth")
    if value is None:
        value = stored.get("target")
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str) and value.strip('" ') != ANY_CALL:
        try:
            value = parse_json(value)
        except InputError:
            raise InputError("no expected calls", hint=_HINT) from None
    if isinstance(value, str) and value.strip('" ') == ANY_CALL:
        return ANY_CALL
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("no expected calls", hint=_HINT)
    return value


def _after_input(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the model's messages after the last one of the user."""
    last = max((place for place, each in enumerate(messages) if each.role == "user"), default=-1)
    return tuple(each for each in messages[last + 1 :] if each.role == "assistant" and each.source != "input")


def judge_sample(sample: Sample, profile: Profile, *, decoder: str = "auto") -> Verdict:
    """Return the verdict on a sample.

    Native calls are judged as `tool-calls`, those of all messages after the input in order; text is read, with
    `decoder`, where there are none, as harnesses store outputs. A call that the framework could not parse is
    MALFORMED. Without a message of the model the sample is void.

    >>> from faircall.profiles import load_profile
    >>> message = Message("assistant", "", [MessageCall("ride", {"to": "Lyon"})])
    >>> sample = Sample("1", (message,), (Tool("ride"),), [{"ride": {"to": "Lyon"}}])
    >>> judge_sample(sample, load_profile("fair-1")).outcome
    <Outcome.PASS: 'pass'>
    """
    if sample.error is not None or not sample.messages:
        return Verdict(
            Outcome.VOID,
            State.ERROR,
            Reason.MISSING if sample.error is None else Reason.HARNESS_ERROR,
            message=sample.error or "the model wrote no message after the input",
        )
    calls = [call for message in sample.messages for call in message.tool_calls or ()]
    wanted = _wanted(sample, profile, native=bool(calls))
    broken = next((call.parse_error for call in calls if call.parse_error), None)
    if broken is not None:
        return _unparsed(broken, wanted, profile)
    if not calls:
        text = "\n".join(_texts(sample.messages))
        return judge_output(text, sample.tools, wanted, profile, decoder=decoder, language=sample.language)
    # Arguments as JSON text, as interfaces for calls give them and the official handler reads them.
    output = [{call.function: dump_json(call.arguments or {})} for call in calls]
    return judge_output(output, sample.tools, wanted, profile, decoder=STRUCTURED, language=sample.language)


def _wanted(sample: Sample, profile: Profile, *, native: bool) -> Wanted:
    if not sample.expected or sample.expected == ANY_CALL:
        return Wanted(sample.wanted)
    answers = compile_answers(
        sample.expected,
        sample.tools,
        profile,
        sample.language,
        category=sample.category,
        underscores=native,
        form=sample.form,
    )
    return Wanted(State.CALLED, answers)


def _unparsed(error: str, wanted: Wanted, profile: Profile) -> Verdict:
    """Return the verdict on a call that the framework could not parse; its error holds what the model wrote."""
    message = "the arguments of a call could not be parsed"
    decoded = Decoded(STRUCTURED, error=DecodeError(message))
    if profile.gate != "evidence":
        return verdict_officially(decoded, wanted, profile)
    span = Span(0, len(error), error)
    return verdict_on(Judgement(State.MALFORMED, Reason.SYNTAX_ERROR, message, span, decoded), wanted)


def _texts(messages: Sequence[Message]) -> list[str]:
    """Return the texts of messages; blocks of reasoning, images and the like are left out."""
    texts = []
    for message in messages:
        content = message.content
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
        texts += [str(block["text"]) for block in blocks if block.get("type") == "text" and block.get("text")]
    return texts


def signature_fields(data: str | None, profile: Profile, decoder: str) -> dict[str, object]:
    """Return the fields of a signature that say how samples were judged: on which data, and under what."""
    bench, _, release = (data or "").partition(":")
    named = {"bench": bench, "data": release} if release else {"bench": "inspect"}
    return {**named, "profile": profile.name, "decoder": decoder}


def judged_row(sample: Sample, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as its JSON line has it, with the state that was wanted."""
    return {**verdict_row(verdict), "wanted": sample.wanted}


class Count:
    """What judged samples add up to.

    With several epochs each output counts, but a question is one draw: intervals are those of the number of different
    questions, so that repeating a question does not narrow them. `states` are those of judged outputs.
    """

    def __init__(self) -> None:
        self.n = 0
        self.correct = 0
        self.states: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self._judged: dict[str, Counter[str]] = {State.CALLED: Counter(), State.ABSTAINED: Counter()}
        self._called: Counter[str] = Counter()

    def add(self, id_: str, row: Mapping[str, Any]) -> None:
        """Count a judged sample, as `judged_row` gives it."""
        self.n += 1
        self.reasons[row["reason"]] += 1
        if row["outcome"] == Outcome.VOID:
            return
        self.states[row["state"]] += 1
        self.correct += row["outcome"] == Outcome.PASS
        self._judged[row["wanted"]][id_] += 1
        self._called[row["wanted"]] += row["state"] == State.CALLED

    @property
    def judged(self) -> int:
        """How many outputs could be judged."""
        return sum(counts.total() for counts in self._judged.values())

    @property
    def void(self) -> int:
        """How many could not."""
        return self.n - self.judged

    @property
    def accuracy(self) -> Estimate | None:
        """The share that is right of what could be judged, with Wilson's 95 % interval; None where nothing could."""
        questions = len({name for counts in self._judged.values() for name in counts})
        return _share(self.correct, self.judged, questions)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The accuracy if all void outputs were wrong, and if all were right; None without any output."""
        return (self.correct / self.n, (self.correct + self.void) / self.n) if self.n else None

    def called(self, wanted: State) -> Estimate | None:
        """The share of judged outputs with a call, where one is wanted or where none is."""
        counts = self._judged[wanted]
        return _share(self._called[wanted], counts.total(), len(counts))

    @property
    def decision(self) -> Estimate | None:
        """Youden's J, P(call | wanted) - P(call | none wanted), with its interval; None without one of the two."""
        where_wanted, where_not = self.called(State.CALLED), self.called(State.ABSTAINED)
        if where_wanted is None or where_not is None:
            return None
        value, low, high = where_not
        return youden(where_wanted, Estimate(1 - value, 1 - high, 1 - low))

    def as_json(self) -> dict[str, Any]:
        """Return the figures; what is not known is None."""
        accuracy, decision = _rounded(self.accuracy), _rounded(self.decision)
        called = {wanted: _rounded(self.called(wanted)) for wanted in (State.CALLED, State.ABSTAINED)}
        return {
            "n": self.n,
            "correct": self.correct,
            "void": self.void,
            "accuracy": accuracy[0],
            "interval": accuracy[1],
            "bounds": [round(value, 6) for value in self.bounds] if self.bounds else None,
            "states": {state.value: self.states[state] for state in JUDGED},
            "reasons": dict(sorted(self.reasons.items(), key=lambda item: (-item[1], item[0]))),
            "decision": {
                "called_where_wanted": called[State.CALLED][0],
                "called_where_none": called[State.ABSTAINED][0],
                "J": decision[0],
                "interval": decision[1],
            },
        }


def _share(successes: int, outputs: int, questions: int) -> Estimate | None:
    return wilson(successes * questions / outputs, questions) if outputs else None


def _rounded(estimate: Estimate | None) -> tuple[float | None, list[float] | None]:
    """Return a value and its interval to six digits; None for both where there is none."""
    if estimate is None:
        return None, None
    return round(estimate.value, 6), [round(estimate.low, 6), round(estimate.high, 6)]
