"""One entry in full: what was asked, what was stored, what each decoder reads in it, and every verdict on it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.bfcl.data import find
from faircall.bfcl.layout import Run, discover, model_folder
from faircall.bfcl.questions import Questions
from faircall.bfcl.results import read_results
from faircall.canonical import Canonical, canonical_calls
from faircall.canonical.shapes import ABSENT, shape_of
from faircall.decoding import decode
from faircall.decoding.table import DECODERS
from faircall.dialogue import DialogueReading
from faircall.dialogue.multi_turn import Scene, lines_of, script_of, turns_of
from faircall.errors import InputError, UsageError
from faircall.problems import Problem, first_few
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.reading import FAIR, MISSING, OFFICIAL, Readable, Reading, find_switch, protocol_of, read_entry
from faircall.replay import Player
from faircall.rows import call_row, span_row, verdict_row
from faircall.signature import sign
from faircall.types import Decoded, Outcome, State, Tool, Verdict

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from faircall.bfcl.data import Entry
    from faircall.replay import Broken, Played, Script, TurnPlayed


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of a tool: its declared type, whether it is required, its default (`ABSENT` for none)."""

    name: str
    type: str
    required: bool
    default: Any = ABSENT


class OfferedTool(msgspec.Struct, frozen=True):
    """A tool as an explanation names it: its name and its parameters."""

    name: str
    parameters: tuple[Parameter, ...]


class DecodedBy(msgspec.Struct, frozen=True):
    """What one decoder makes of the output; `role` is `declared`, `official` or `auto`.

    `handler` is the official handler that was reproduced, with its mode; None for the others.
    """

    role: str
    decoded: Decoded
    handler: str | None = None


class ProfileVerdict(msgspec.Struct, frozen=True):
    """The verdict under one profile."""

    profile: str
    verdict: Verdict


class ExplainedStep(msgspec.Struct, frozen=True):
    """One step of a dialogue: the output, its state, the calls that were played, and what each of them gave."""

    output: Any
    state: State
    reason: str
    message: str
    calls: tuple[str, ...]
    results: tuple[str, ...] = ()


class ExplainedTurn(msgspec.Struct, frozen=True):
    """One turn of a dialogue: what the user said, the steps, the expected calls and what each of those gave.

    `question` is None for a turn that the benchmark's question does not have; `expected` is None for one in which no
    calls are compared: the turn of an agentic entry, and one that the question does not have.

    Results are there as far as the replay went: up to the first turn that is wrong under every profile.
    """

    question: str | None
    steps: tuple[ExplainedStep, ...]
    expected: tuple[str, ...] | None = None
    expected_results: tuple[str, ...] = ()


class Switched(msgspec.Struct, frozen=True):
    """A flip: the switch that makes it, the profile it leads to, and the outcomes without and with it."""

    switch: str
    profile: str
    official: Outcome
    fair: Outcome


class ExplainedEntry(msgspec.Struct, frozen=True):
    """One entry of one run.

    `stored` is False where the run's file does not have the entry; `output` is None then. `calls` are the
    canonical calls under `profile`. `expected` are the accepted answers, None where only a state is `wanted`; of a
    dialogue, `wanted` is None, since it differs from turn to turn.
    """

    model: str
    category: str
    id: str
    file: str
    decoder: str
    decoder_from: str
    question: str
    tools: tuple[OfferedTool, ...]
    stored: bool
    output: Any
    decoders: tuple[DecodedBy, ...]
    verdict: Verdict
    calls: tuple[Canonical, ...]
    wanted: State | None
    expected: Any
    verdicts: tuple[ProfileVerdict, ...]
    flip: Switched | None = None
    turns: tuple[ExplainedTurn, ...] = ()
    """The turns of a dialogue; none for a single output."""

    def as_json(self) -> dict[str, Any]:
        """Return the entry as the JSON contract names it."""
        verdict = self.verdict
        return {
            "model": self.model,
            "category": self.category,
            "id": self.id,
            "file": self.file,
            "decoder": self.decoder,
            "decoder_from": self.decoder_from,
            "question": self.question,
            "tools": [_tool_row(tool) for tool in self.tools],
            "stored": self.stored,
            "output": self.output,
            "decoders": [_decoder_row(made) for made in self.decoders],
            "state": verdict.state,
            "reason": verdict.reason,
            "message": verdict.message,
            "evidence": span_row(verdict.evidence),
            "calls": [call_row(made.call) for made in self.calls],
            "filled": [path for made in self.calls for path in made.filled],
            "wanted": self.wanted,
            "expected": self.expected,
            "verdicts": [
                {
                    **verdict_row(made.verdict, profile=made.profile),
                    "official_error": made.verdict.official_error,
                }
                for made in self.verdicts
            ],
            "flip": self.flip,
            **({"turns": list(self.turns)} if self.turns else {}),
        }


class Explanation(msgspec.Struct, frozen=True):
    """An entry in every run that has its category, with the profile asked for and the signature."""

    id: str
    profile: str
    entries: tuple[ExplainedEntry, ...]
    signature: str
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as the JSON contract names it."""
        return {
            "id": self.id,
            "profile": self.profile,
            "entries": [entry.as_json() for entry in self.entries],
            "problems": [str(problem) for problem in self.problems],
            "signature": self.signature,
        }


def explain(
    path: str | os.PathLike[str],
    id: str,  # noqa: A002 - the benchmark's own word
    *,
    model: str | None = None,
    decoder: str | None = None,
    profile: str | Profile = DEFAULT_PROFILE,
    data: str | os.PathLike[str] | None = None,
) -> Explanation:
    """Return everything there is to say about one entry, for every run at `path` that has its category.

    `model` limits the runs to those whose name it is, or else whose name contains it. `decoder`, `profile` and
    `data` are those of `faircall.score`, and so is each verdict.

    Raises `UsageError` for an id, a model, a decoder or a profile that does not exist, `InputError` for files
    that cannot be read, and where no run has a file of the entry's category.

    >>> explain("results", "simple_python_0", profile="fair-0")
    Traceback (most recent call last):
    faircall.errors.UsageError: profile 'fair-0': no profile is called 'fair-0'; did you mean fair-1?
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    if decoder is not None:
        decode("", decoder)  # raises, with the names there are
    problems: list[Problem] = []
    runs = _named(discover(path, problems=problems), model)
    benchmark = find(data)
    problems.extend(benchmark.problems)
    questions = Questions(benchmark)
    entry = _find_entry(id, questions)
    holding = [run for run in runs if entry.category in run.files]
    if not holding:
        there = sorted({name for run in runs for name in run.files})
        what = f"{id} is of {entry.category}, of which there is no result file"
        raise InputError(what, path=path, hint=f"there are {first_few(there)}")
    with Player(benchmark) as player:
        explained = tuple(
            _explain(run, entry, questions, decoder, switches, problems=problems, play=player.play)
            for run in holding
        )
    fields = {
        "bench": "bfcl-v4",
        "data": f"{benchmark.version}#{benchmark.hash8}",
        "profile": switches.name,
        "decoder": decoder or "+".join(sorted({_source(made.decoder_from) for made in explained})),
        "id": id,
        "n": len(explained),
    }
    return Explanation(id, switches.name, explained, sign(fields), tuple(problems))


def _source(decoder_from: str) -> str:
    return "by-model" if decoder_from == "registry" else "auto"


def _named(runs: list[Run], model: str | None) -> list[Run]:
    if model is None:
        return runs
    wanted = {model.casefold(), model_folder(model).casefold()}
    same = [run for run in runs if {run.label.casefold(), run.model.casefold()} & wanted]
    alike = same or [run for run in runs if any(name in run.label.casefold() for name in wanted)]
    if not alike:
        names = sorted({run.label for run in runs})
        close = difflib.get_close_matches(model_folder(model), names, 3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {first_few(names)}"
        raise UsageError(f"no run here is of a model called {model!r}; {hint}")
    return alike


def _find_entry(id_: str, questions: Questions) -> Entry:
    known: list[str] = []
    for name in CATEGORIES:
        entries = questions.entries(name)
        if id_ in entries:
            return entries[id_]
        # An id of format sensitivity goes on with the prompt's style and the base id, which the number stands for.
        if name == Kind.FORMAT_SENSITIVITY and (
            whole := next((each for each in entries if each.startswith(f"{id_}:")), None)
        ):
            return entries[whole]
        known.extend(entries)
    close = difflib.get_close_matches(id_, known, 3)
    hint = f"did you mean {' or '.join(close)}?" if close else "an id is one such as simple_python_0"
    raise UsageError(f"no entry is called {id_!r}; {hint}")


def _explain(
    run: Run,
    entry: Entry,
    questions: Questions,
    decoder: str | None,
    profile: Profile,
    *,
    problems: list[Problem],
    play: Callable[[Script], Played | Broken],
) -> ExplainedEntry:
    category = CATEGORIES[entry.category]
    protocol = protocol_of(run.model, decoder=decoder)
    declared = protocol.decoder
    file = run.files[entry.category]
    results = read_results(file, questions.entries(entry.category))
    said = (problem for problem in results.problems if problem.code != "missing-ids")
    problems.extend(problem for problem in said if entry.id in problem.ids)
    stored = results.entries
    profiles = {each.name: each for each in (OFFICIAL, FAIR, profile)}
    reading = None
    if entry.id in stored:
        reading = read_entry(entry, stored[entry.id], questions, protocol, play=play)
    verdicts = {
        name: MISSING if reading is None else reading.verdict(each) for name, each in profiles.items()
    }
    tools = questions.tools(entry)
    single = isinstance(reading, Reading)
    decides = category.kind in {Kind.IRRELEVANCE, Kind.RELEVANCE}
    return ExplainedEntry(
        model=run.label,
        category=entry.category,
        id=entry.id,
        file=str(file),
        decoder=declared,
        decoder_from=protocol.source,
        question=_last_message(entry),
        tools=tuple(_offered(tool) for tool in tools),
        stored=reading is not None,
        output=stored.get(entry.id),
        decoders=_decodings(reading, stored[entry.id], declared, tools)
        if isinstance(reading, Reading)
        else (),
        verdict=verdicts[profile.name],
        calls=canonical_calls(verdicts[profile.name].calls, tools, profile) if single else (),
        wanted=None
        if category.wants_call is None
        else State.CALLED
        if category.wants_call
        else State.ABSTAINED,
        expected=None if decides else questions.benchmark.answers(entry.category)[entry.id],
        verdicts=tuple(ProfileVerdict(name, verdict) for name, verdict in verdicts.items()),
        flip=None if reading is None else _flip(reading, verdicts, profile),
        turns=_turns(reading, profile) if isinstance(reading, DialogueReading) else (),
    )


def _turns(reading: DialogueReading, profile: Profile) -> tuple[ExplainedTurn, ...]:
    scene = reading.expected if isinstance(reading.expected, Scene) else None
    played: tuple[TurnPlayed, ...] = ()
    if scene is not None and len(reading.steps.turns) == len(scene.expected):
        made = reading.play(script_of(reading.steps, scene, profile, detailed=True))
        played = turns_of(made, profile)
    turns = []
    for number, stored in enumerate(reading.steps.turns):
        turn = played[number] if number < len(played) else None
        results = iter(turn.results if turn is not None else ())
        explained = []
        # The released tool takes a turn that is no list apart in its own way; its steps are shown as they are stored.
        played_lines = lines_of(stored, scene, profile) if scene is not None else []
        for index, step in enumerate(stored.steps):
            lines = played_lines[index] if index < len(played_lines) else ()
            judged = step.judgement
            explained.append(
                ExplainedStep(
                    step.output, judged.state, judged.reason, judged.message, lines,
                    tuple(next(results, ())) if lines else (),
                )
            )  # fmt: skip
        turns.append(
            ExplainedTurn(
                _said(reading.entry.question[number]) if number < len(reading.entry.question) else None,
                tuple(explained),
                scene.expected[number] if scene is not None and number < len(scene.expected) else None,
                turn.expected_results if turn is not None else (),
            )
        )
    return tuple(turns)


def _decodings(reading: Reading, output: Any, declared: str, tools: Sequence[Tool]) -> tuple[DecodedBy, ...]:
    """Return what the declared decoder, the official handler behind it, and `auto` make of the output."""

    def fair(name: str) -> Decoded:
        return decode(output, name, tools=tools, language=reading.entry.language)

    official = reading.official
    made = []
    if declared != "auto":
        # The gate may have read the output without what stands around it, and this is the reading that counts.
        made.append(DecodedBy("declared", reading.evidence.decoded or fair(declared)))
    made.append(DecodedBy("official", official, DECODERS[official.decoder].official))
    made.append(DecodedBy("auto", fair("auto")))
    return tuple(made)


def _flip(reading: Readable, verdicts: dict[str, Verdict], profile: Profile) -> Switched | None:
    other = FAIR if profile == OFFICIAL else profile
    before, after = verdicts[OFFICIAL.name].outcome, verdicts[other.name].outcome
    if before is after:
        return None
    return Switched(find_switch(reading, OFFICIAL, other), other.name, before, after)


def _offered(tool: Tool) -> OfferedTool:
    shape = shape_of(tool)
    declared = tool.parameters.get("properties")
    schemas = declared if isinstance(declared, dict) else {}
    return OfferedTool(
        tool.name,
        tuple(
            Parameter(name, _type_of(schemas.get(name)), name in shape.required, inner.default)
            for name, inner in shape.properties.items()
        ),
    )


def _type_of(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    kind = schema.get("type", "any")
    word = " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)
    items = schema.get("items")
    if isinstance(items, dict) and "type" in items:
        return f"{word} of {_type_of(items)}"
    return word


def _last_message(entry: Entry) -> str:
    """Return the text of the last message of the user."""
    return _said([message for turn in entry.question if isinstance(turn, list) for message in turn])


def _said(messages: Any) -> str:
    said = [message for message in messages if isinstance(message, dict) and message.get("role") == "user"]
    return str(said[-1].get("content", "")) if said else ""


def _tool_row(tool: OfferedTool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "parameters": [
            {"name": each.name, "type": each.type, "required": each.required}
            | ({} if each.default is ABSENT else {"default": each.default})
            for each in tool.parameters
        ],
    }


def _decoder_row(made: DecodedBy) -> dict[str, Any]:
    decoded = made.decoded
    return {
        "role": made.role,
        "decoder": decoded.decoder,
        "handler": made.handler,
        "calls": None if decoded.error else [call_row(call) for call in decoded.calls],
        "error": decoded.error,
    }
