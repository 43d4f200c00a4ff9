"""`try_scorer`: a scorer's command in, a scorecard out: which cases it judges as wanted, and which not."""

from __future__ import annotations

import shlex
import shutil
from math import inf
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.errors import UsageError
from faircall.mutants import make_cases, read_bases
from faircall.mutants.cases import KEY, hash_cases
from faircall.rules.choice import EVERY_RULE, Choice
from faircall.rules.scorer import SCORER_RULES, inspect_trial
from faircall.signature import sign
from faircall.trials import Tally, run_trial, tally
from faircall.types import Finding  # noqa: TC001 - the type of a field, looked up when a card is decoded

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

LOST: Final = "S420"
"""The rule on verdicts that are not there, which is run whatever else is chosen."""
TIMEOUT_S: Final = 120.0
"""How many seconds a process of the scorer may take."""


class Scorecard(msgspec.Struct, frozen=True):
    """What a scorer makes of the cases: the tally of each rule, and the findings.

    `entries` names the entries that the cases are made of, of which `left_out` could not be used; `known` counts the
    findings that a baseline has.
    """

    scorer: str
    command: list[str]
    entries: str
    left_out: int
    cases: int
    rules: dict[str, Tally]
    findings: tuple[Finding, ...]
    known: tuple[Finding, ...]
    signature: str


def try_scorer(
    command: str | Sequence[str],
    *,
    entries: str | os.PathLike[str] | None = None,
    label: str | None = None,
    timeout_s: float = TIMEOUT_S,
    choice: Choice = EVERY_RULE,
) -> Scorecard:
    """Return the scorecard of a scorer: a command that reads JSON lines and prints verdicts.

    `command` is a line that is split as a shell does, or the words themselves; no shell runs it. The cases are made of
    the package's own entries, or of those of a file or of `bfcl` (`entries`); `label` stands for the command in the
    report. Raises `UsageError` for a command that does not exist, `InputError` for entries that cannot be read. What
    the command does wrong is a finding.

    >>> import sys
    >>> card = try_scorer([sys.executable, "-c", ""], label="silent")
    >>> card.rules["S401"].lost == card.rules["S401"].cases
    True
    """
    words = split_command(command)
    if not 0 < timeout_s < inf:
        raise UsageError(f"a time limit of {timeout_s:g} s is none: give seconds, more than 0")
    bases = read_bases(entries)
    # Keys are always asked for: what is made of one that does not pass says nothing.
    wanted = {rule.id for rule in SCORER_RULES if choice.takes(rule)} | {KEY}
    if LOST in wanted:
        wanted = {rule.id for rule in SCORER_RULES}
    elif choice.select and LOST not in choice.ignore:
        # A command that gives no verdicts is never found to be without a fault.
        choice = msgspec.structs.replace(choice, select=(*choice.select, LOST))
    cases = [case for case in make_cases(bases.entries) if case.rule in wanted]
    trial = run_trial(words, cases, scorer=label or shlex.join(words), timeout_s=timeout_s)
    options = [] if entries is None else ["--entries", str(entries)]
    if timeout_s != TIMEOUT_S:
        options += ["--timeout", f"{timeout_s:g}"]
    findings, known = choice.sift(inspect_trial(trial, shlex.join(words), options))
    rules = tally(trial)
    signature = sign(
        {
            "scorer": trial.scorer,
            "entries": bases.name,
            "cases": f"{len(cases)}#{hash_cases(cases)}",
            "void": sum(found.void for found in rules.values()),
            "lost": sum(found.lost for found in rules.values()),
        }
    )
    return Scorecard(
        scorer=trial.scorer,
        command=words,
        entries=bases.name,
        left_out=bases.left_out,
        cases=len(cases),
        rules=rules,
        findings=findings,
        known=known,
        signature=signature,
    )


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; a single one that is no program is split as a shell does.

    Raises `UsageError` for no words, and for quotes that do not close.

    >>> split_command("python 'my scorer.py' --fast")
    ['python', 'my scorer.py', '--fast']
    """
    words = [command] if isinstance(command, str) else list(command)
    try:
        alone = len(words) == 1 and shutil.which(words[0]) is None
        words = shlex.split(words[0]) if alone else words
    except ValueError as error:
        reason = str(error).lower()
        raise UsageError(
            f"the command cannot be split into words ({reason}); quote it for a shell"
        ) from error
    if not words:
        raise UsageError("no command; name the scorer, such as `faircall rules scorer 'faircall check'`")
    return words
