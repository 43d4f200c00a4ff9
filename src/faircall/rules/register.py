"""What a rule is: a check with an id, a slug, a severity, what it claims and does not, and two examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from faircall.types import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

S = TypeVar("S")


class Observed(NamedTuple):
    """What a check saw: of whom or what, the sentence that says it, and the numbers behind it."""

    subject: str
    message: str
    evidence: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Rule(Generic[S]):
    """One rule of the register; `check` looks at a subject and yields what it saw.

    `bad` and `good` are small inputs as text, of which the first must be reported and the second must not;
    `read` turns such a text into a subject. `wrong_if` says when the rule reports what is not there.
    """

    id: str
    slug: str
    severity: Severity
    claim: str
    not_claimed: str
    wrong_if: str
    bad: str
    good: str
    check: Callable[[S], Iterator[Observed]]
    read: Callable[[str], S]

    def run(self, subject: S) -> list[Finding]:
        """Return what the rule reports about `subject`."""
        return [
            Finding(
                rule=self.id,
                slug=self.slug,
                severity=self.severity,
                subject=seen.subject,
                message=seen.message,
                evidence=seen.evidence,
                not_claimed=self.not_claimed,
            )
            for seen in self.check(subject)
        ]
