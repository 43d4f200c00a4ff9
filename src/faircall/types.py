"""Frozen records that every layer shares: tools, calls, decoded outputs, verdicts, findings."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec


class State(StrEnum):
    """What a model's output is, decided by what the model wrote."""

    ABSTAINED = "ABSTAINED"
    MALFORMED = "MALFORMED"
    CALLED = "CALLED"
    ERROR = "ERROR"


class Reason(StrEnum):
    """Why an output has its state; the docs page "The gate" explains each one with an example."""

    PROSE = "prose"
    EMPTY_LIST = "empty-list"
    SENTINEL = "sentinel"
    OWN_CODE = "own-code"
    SYNTAX_ERROR = "syntax-error"
    FOREIGN_FORMAT = "foreign-format"
    WRAPPED_CALL = "wrapped-call"
    TRUNCATED = "truncated"
    SCHEMA_ECHO = "schema-echo"
    INVENTED_TOOL = "invented-tool"
    EMPTY_OUTPUT = "empty-output"
    GARBAGE = "garbage"
    UNCLEAR = "unclear"
    UNSAFE_EXPRESSION = "unsafe-expression"
    DECODED = "decoded"
    HARNESS_ERROR = "harness-error"
    MISSING = "missing"


class Outcome(StrEnum):
    """The verdict on one entry; `void` means that it cannot be judged, never that it is wrong."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    VOID = "void"


class Tool(msgspec.Struct, frozen=True):
    """A function that a model may call: `parameters` is its JSON Schema, of any dialect."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}


class Call(msgspec.Struct, frozen=True):
    """One call: a name, named arguments, and positional ones where the protocol allows them."""

    name: str
    arguments: dict[str, Any] = {}
    positional: tuple[Any, ...] = ()


class Span(msgspec.Struct, frozen=True):
    """A stretch of an output, by character: `text[start:end]` of block `block`.

    A stored string is block 0. In a stored list, the block is the index of the item.
    """

    start: int
    end: int
    text: str
    block: int = 0


class DecodeError(msgspec.Struct, frozen=True):
    """Why an output could not be read as calls, and at which character."""

    message: str
    position: int = 0
    reason: Reason = Reason.SYNTAX_ERROR


class Decoded(msgspec.Struct, frozen=True):
    """What a decoder made of an output.

    Either `error` says why the text could not be read, or `calls` are what it says. No calls and no error
    means that the output *is* an explicit empty call list; text that could not be read never looks like that.

    `reasoning` are the stretches that were set aside (`<think>` blocks and their like).
    `value` is set by the official profile alone: the very object that the official handler returns.
    """

    decoder: str
    calls: tuple[Call, ...] = ()
    error: DecodeError | None = None
    reasoning: tuple[Span, ...] = ()
    value: Any = None


class Progress(msgspec.Struct, frozen=True):
    """How far a dialogue got: its steps by state, the turns that are right, and what no verdict depends on.

    `steps` counts the model's steps by their states. `passed` of `turns` turns are right, counted up to the first
    that is not. `notes` say what is beside the verdict: results that are missing although the state is right, calls
    beyond the expected ones, a working folder that differs.
    """

    steps: dict[str, int]
    passed: int
    turns: int
    notes: tuple[str, ...] = ()


class Verdict(msgspec.Struct, frozen=True):
    """The judgement on one entry: outcome, state, reason, the path of the first difference, the evidence."""

    outcome: Outcome
    state: State
    reason: Reason | str
    path: str | None = None
    message: str | None = None
    calls: tuple[Call, ...] = ()
    filled: tuple[str, ...] = ()
    evidence: Span | None = None
    decoder: str | None = None
    official_error: str | None = None
    """What the official tool calls the error; set under an official profile alone."""
    dialogue: Progress | None = None
    """How far a dialogue got; None for a single output."""


class Severity(StrEnum):
    """How much a finding matters; ordered by `rank`."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """Position in the order note < warning < error."""
        return list(Severity).index(self)


class Finding(msgspec.Struct, frozen=True):
    """What a rule of the register reports: a claim about a subject, with the evidence for it.

    `points` is how many points of a score (of 100) it moves or puts in doubt, None where that is not known;
    `reproduce` is the command that shows the finding again.
    """

    rule: str
    slug: str
    severity: Severity
    subject: str
    message: str
    evidence: dict[str, Any] = {}
    not_claimed: str = ""
    points: float | None = None
    reproduce: str = ""
