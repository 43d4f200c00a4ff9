"""What a rule is: a check with an id, what it claims and does not, how to run it, and two examples."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from faircall.types import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

S = TypeVar("S")

FAMILIES: Final = {
    "B": "a published board: `faircall audit`",
    "R": "stored results: `faircall score`",
    "D": "a dataset: `faircall lint`",
    "S": "a scorer: `faircall rules scorer`",
}
"""What the rules of each family look at, by the letter that their ids begin with."""

ISSUES: Final = "https://github.com/ShishirPatil/gorilla/issues"
"""Where the benchmark's own issues and pull requests are discussed."""
_PATHS: Final = frozenset({"BOARD", "RESULTS", "SCORES", "SUITE"})
_WORD: Final = re.compile(r"[A-Z]{2,}")


class Observed(NamedTuple):
    """What a check saw: of whom or what, the sentence that says it, and the numbers behind it.

    `points` is how many points of a score the finding moves or puts in doubt, None where that is not known. `words`
    are what the capitals of the rule's command stand for.
    """

    subject: str
    message: str
    evidence: dict[str, Any]
    points: float | None = None
    words: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class Rule(Generic[S]):
    """One rule of the register; `check` looks at a subject and yields what it saw.

    `versions` says what the rule applies to. `wrong_if` says when the rule reports what is not there. `command`
    reproduces a finding; its words in capitals (`BOARD`, `RESULTS`) are the reader's. `reports` are the addresses of
    the public reports that the rule answers to. `bad` and `good` are small inputs as text, of which the first must be
    reported and the second must not; `read` turns such a text into a subject. A rule that is no longer run says in
    `retired` why and since when; it keeps its id and its page.
    """

    id: str
    slug: str
    severity: Severity
    versions: str
    claim: str
    not_claimed: str
    wrong_if: str
    command: str
    reports: tuple[str, ...] = ()
    bad: str
    good: str
    check: Callable[[S], Iterator[Observed]]
    read: Callable[[str], S]
    retired: str = ""

    @property
    def family(self) -> str:
        """The letter that says what the rule looks at."""
        return self.id[0]

    def run(
        self, subject: S, words: Mapping[str, str] | None = None, options: Sequence[str] = ()
    ) -> list[Finding]:
        """Return what the rule reports about `subject`.

        `words` stand in the command for those in capitals, and `options` are added to it.
        """
        if self.retired:
            return []
        return [
            Finding(
                rule=self.id,
                slug=self.slug,
                severity=self.severity,
                subject=seen.subject,
                message=seen.message,
                evidence=seen.evidence,
                not_claimed=self.not_claimed,
                points=None if seen.points is None else round(seen.points, 6),
                reproduce=" ".join(
                    [fill_words(self.command, {**(words or {}), **seen.words}), *map(shlex.quote, options)]
                ),
            )
            for seen in self.check(subject)
        ]


def fill_words(command: str, words: Mapping[str, str]) -> str:
    """Return a command with its words in capitals replaced, quoted for a shell where they need it.

    A word that stands for nothing is left out; one that is not known stays as it is.

    >>> fill_words("faircall audit BOARD --model MODEL", {"MODEL": "Kite 7B", "BOARD": ""})
    "faircall audit --model 'Kite 7B'"
    """
    parts = [
        (_quote(part, words[part]) if words[part] else "")
        if _WORD.fullmatch(part) and part in words
        else part
        for part in command.split(" ")
    ]
    return " ".join(part for part in parts if part)


def _quote(word: str, value: str) -> str:
    """Return a value as a shell takes it; a path that looks like an option is written as a path."""
    if word in _PATHS and value.startswith("-") and value != "-":
        value = f"./{value}"
    if value.isprintable():
        return shlex.quote(value)
    coded = "".join(
        char if 32 <= byte < 127 and (char := chr(byte)) not in "\\'" else f"\\x{byte:02x}"
        for byte in value.encode("utf-8", "surrogateescape" if _has_escapes(value) else "surrogatepass")
    )
    return f"$'{coded}'"


def _has_escapes(value: str) -> bool:
    """Whether a path holds bytes that are no UTF-8, as Python keeps them."""
    return any("\udc80" <= char <= "\udcff" for char in value)


def rank_findings(findings: list[Finding], *, additive: bool) -> list[Finding]:
    """Return findings by the points they move, the most first; then by severity and id.

    Findings of one rule stay together. A rule moves what its findings move together where they are `additive`, as
    those of one run are (several on one subject and category count once), and else what the heaviest of them does.
    """
    moved: dict[str, float] = {}
    seen = set()
    for finding in findings:
        place = finding.rule, finding.subject, finding.evidence.get("category")
        points, before = finding.points or 0.0, moved.get(finding.rule, 0.0)
        moved[finding.rule] = max(before, points) if not additive else before + points * (place not in seen)
        seen.add(place)
    return sorted(
        findings, key=lambda one: (-moved[one.rule], -one.severity.rank, one.rule, -(one.points or 0.0))
    )
