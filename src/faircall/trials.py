"""A scorer run as a command: cases in, verdicts out, within limits; what goes wrong is written down, not raised."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import msgspec

from faircall.errors import InputError, UsageError
from faircall.jsontext import parse_json
from faircall.mutants.cases import HOSTILE, Case
from faircall.mutants.hostile import MARKER
from faircall.rows import dump_json
from faircall.types import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_OUTPUT: Final = 64_000_000
"""How many bytes a scorer may write before it is stopped."""
_OUTCOMES: Final = frozenset(map(str, Outcome))
_PAUSE_S: Final = 0.02
_SHOWN: Final = 5
_MOST_STOPPED: Final = 3  # hostile cases in a row that take too long before the rest is left
_LONGEST: Final = 200


class Trouble(msgspec.Struct, frozen=True):
    """What went wrong beside the verdicts: what it is, and the cases or lines that it is about.

    `evaluated` is set where a text was evaluated.
    """

    what: str
    about: tuple[str, ...] = ()
    evaluated: bool = False


class Trial(msgspec.Struct, frozen=True):
    """What a scorer said of the cases: outcomes by id, and the troubles with plain cases and with hostile ones.

    `ending` says how the process with the plain cases ended.
    """

    scorer: str
    cases: tuple[Case, ...]
    outcomes: dict[str, str]
    troubles: tuple[Trouble, ...] = ()
    hostile: tuple[Trouble, ...] = ()
    ending: str = ""

    def standing(self, case: Case) -> str:
        """Return how a verdict compares with the one wanted: `right`, `wrong`, `void` or `lost`.

        What is made of a key that does not pass is void: a scorer that fails the key fails its mutants as well.
        """
        got = self.outcomes.get(case.id)
        if got is None:
            return "lost"
        if got == Outcome.VOID or (case.key is not None and self.outcomes.get(case.key) != Outcome.PASS):
            return "void"
        if case.wanted == Outcome.VOID:
            return "wrong" if got == Outcome.PASS else "right"
        return "right" if got == case.wanted else "wrong"


def run_trial(command: Sequence[str], cases: Sequence[Case], *, scorer: str, timeout_s: float) -> Trial:
    """Return what a command says of the cases; it reads JSON lines and prints `{"id", "outcome"}`, in any order.

    Plain cases are given to one process. Hostile ones are given to a second, and those without a verdict once more,
    each to its own process, so that a text costs no verdict but its own. A process may take `timeout_s` seconds. The
    command is not run by a shell. Raises `UsageError` where there is no such command.
    """
    if shutil.which(command[0]) is None:
        raise UsageError(f"no command `{command[0]}`; name a program on the path, or the path of one")
    plain = [case for case in cases if case.rule != HOSTILE]
    hostile = [case for case in cases if case.rule == HOSTILE]
    with tempfile.TemporaryDirectory(prefix="faircall-") as name:
        room = _Room(command, Path(name), timeout_s)
        outcomes, troubles = room.ask(plain) if plain else ({}, [])
        ending = room.ending
        found, hostile_troubles = _ask_hostile(room, hostile)
    # What goes wrong with plain cases as well is no matter of hostile texts.
    kinds = {trouble.what.split(":")[0] for trouble in troubles}
    hostile_troubles = [each for each in hostile_troubles if each.what.split(":")[0] not in kinds]
    if plain and not outcomes:
        hostile_troubles = [each for each in hostile_troubles if each.evaluated]
    every = {**outcomes, **found}
    return Trial(scorer, tuple(cases), every, tuple(troubles), tuple(hostile_troubles), ending)


def _ask_hostile(room: _Room, cases: list[Case]) -> tuple[dict[str, str], list[Trouble]]:
    if not cases:
        return {}, []
    outcomes, troubles = room.ask(cases)
    stopped = 0
    for case in cases:
        if case.id in outcomes:
            continue
        if stopped == _MOST_STOPPED:
            troubles.append(
                Trouble(f"{case.change} and what follows is not tried: the last {stopped} took too long")
            )
            break
        alone, _ = room.ask([case])
        stopped = stopped + 1 if room.stopped else 0
        outcomes.update(alone)
        if not alone:
            troubles.append(Trouble(f"{case.change} gets no verdict; {room.ending}", (case.id,)))
    for case in cases:
        if room.marker(case).exists():
            troubles.append(Trouble(f"{case.change}: the text was evaluated", (case.id,), evaluated=True))
    return outcomes, troubles


class _Room:
    """A folder in which a scorer is run, and how its last process ended."""

    def __init__(self, command: Sequence[str], folder: Path, timeout_s: float) -> None:
        self.command = command
        self.folder = folder
        self.timeout_s = timeout_s
        self.ending = ""
        self.stopped = False

    def marker(self, case: Case) -> Path:
        """Return the file that is there once the text of a case was evaluated."""
        return self.folder / f"marker-{case.id.split('/')[-2]}"

    def ask(self, cases: Sequence[Case]) -> tuple[dict[str, str], list[Trouble]]:
        """Return the outcomes that a new process gives, by id, and what else it wrote."""
        questions, answers, complaints = (self.folder / part for part in ("in", "out", "err"))
        with questions.open("w", encoding="utf-8", newline="\n") as stream:
            for case in cases:
                line = dump_json(case.line)
                if case.rule == HOSTILE:
                    line = line.replace(MARKER, self.marker(case).as_posix())
                stream.write(line + "\n")
        with questions.open("rb") as source, answers.open("wb") as target, complaints.open("wb") as errors:
            self.ending = self._run(source, target, errors)
        last = _last_line(complaints)
        self.ending += f": {last}" if last else ""
        return _read_verdicts(answers, {case.id for case in cases})

    def _run(self, source: IO[bytes], target: IO[bytes], errors: IO[bytes]) -> str:
        """Run the command and return how it ended."""
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, and no shell
                self.command, stdin=source, stdout=target, stderr=errors, start_new_session=True
            )
        except OSError as error:
            raise UsageError(f"`{self.command[0]}` cannot be run ({error.strerror or error})") from error
        end = time.monotonic() + self.timeout_s
        self.stopped = True
        try:
            while process.poll() is None:
                if time.monotonic() > end:
                    return f"the command was stopped after {self.timeout_s:g} s"
                if max(os.fstat(stream.fileno()).st_size for stream in (target, errors)) > MOST_OUTPUT:
                    return f"the command was stopped after {MOST_OUTPUT // 1_000_000} MB of output"
                time.sleep(_PAUSE_S)
            self.stopped = False
        finally:
            _stop(process)
        return f"the command ended with {_named(process.returncode)}"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started, also where it has ended itself."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _named(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _last_line(path: Path) -> str:
    """Return the last line of what a command complained of, shortened."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 10 * _LONGEST))
        lines = stream.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:_LONGEST] if lines else ""


def _read_verdicts(path: Path, ids: set[str]) -> tuple[dict[str, str], list[Trouble]]:
    """Return the outcome of each id, and what the lines hold beside; an id that is there twice has no outcome."""
    outcomes: dict[str, str] = {}
    twice: list[str] = []
    unknown: list[str] = []
    garbled: list[str] = []
    for raw in _lines(path):
        verdict = _verdict_of(raw)
        if verdict is None:
            garbled.append(raw[:_LONGEST].decode("utf-8", "replace"))
            continue
        id_, outcome = verdict
        if id_ not in ids:
            unknown.append(str(id_)[:_LONGEST])
        elif id_ in outcomes:
            twice.append(id_)
        else:
            outcomes[id_] = outcome
    for id_ in twice:
        outcomes.pop(id_, None)
    troubles = []
    for found, what in (
        (twice, "with a second verdict on a case"),
        (unknown, "about an id that is not in the input"),
        (garbled, 'that are no verdict, such as {"id": "a", "outcome": "pass"} (or "fail", or "void")'),
    ):
        if found:
            shown = tuple(dict.fromkeys(found))[:_SHOWN]
            troubles.append(
                Trouble(f"The output has lines {what}: {len(found):,}, the first `{shown[0]}`", shown)
            )
    return outcomes, troubles


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        for line in stream:
            if line.strip():
                yield line.strip()


def _verdict_of(raw: bytes) -> tuple[str, str] | None:
    try:
        value = parse_json(raw)
    except InputError:
        return None
    if not isinstance(value, dict) or "id" not in value or not isinstance(value.get("outcome"), str):
        return None
    id_, outcome = value["id"], value["outcome"]
    return (id_ if isinstance(id_, str) else dump_json(id_), outcome) if outcome in _OUTCOMES else None


class Tally(msgspec.Struct, frozen=True):
    """The cases of a rule: those judged as wanted and otherwise, those not judged, those without a verdict."""

    cases: int
    right: int
    wrong: int
    void: int
    lost: int


def tally(trial: Trial) -> dict[str, Tally]:
    """Return the tally of each rule that has cases, in the order of the ids."""
    standings: dict[str, list[str]] = {}
    for case in trial.cases:
        standings.setdefault(case.rule, []).append(trial.standing(case))
    return {
        rule: Tally(len(found), *(found.count(word) for word in ("right", "wrong", "void", "lost")))
        for rule, found in sorted(standings.items())
    }
