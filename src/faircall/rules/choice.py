"""Which rules are run, and which findings are known already."""

from __future__ import annotations

import difflib
import re
from itertools import compress
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.errors import InputError, UsageError
from faircall.files import writing
from faircall.records import read_lines
from faircall.rows import dump_json
from faircall.rules import all_rules
from faircall.signature import hash8

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from faircall.rules.register import Rule
    from faircall.types import Finding

_PREFIX: Final = re.compile(r"[A-Za-z]\d{0,3}")


class Known(msgspec.Struct, frozen=True):
    """A finding as a baseline has it: the rule, the subject, and what stands for the evidence.

    A finding whose figures have changed is another one.
    """

    rule: str
    subject: str
    evidence: str


class Choice(msgspec.Struct, frozen=True):
    """The rules that are run: by id, the beginning of an id, or slug; and the findings of a baseline.

    Without `select` all rules are run; `ignore` takes from them, and wins.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    known: frozenset[Known] = frozenset()

    def takes(self, rule: Rule[Any] | Finding) -> bool:
        """Return whether a rule, or the rule of a finding, is run."""
        id_ = rule.rule if hasattr(rule, "rule") else rule.id
        chosen = not self.select or any(_names(word, id_, rule.slug) for word in self.select)
        return chosen and not any(_names(word, id_, rule.slug) for word in self.ignore)

    @property
    def label(self) -> str:
        """What was chosen, as signatures print it: `all`, or the words that were given."""
        chosen = "+".join(self.select) or "all"
        return "-".join([chosen, *self.ignore])

    def sift(self, findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """Return the findings of the chosen rules that are not known, and those that are."""
        chosen = [finding for finding in findings if self.takes(finding)]
        news = [known_as(finding) not in self.known for finding in chosen]
        return tuple(compress(chosen, news)), tuple(compress(chosen, (not new for new in news)))

    def refuse_none(self, rules: Iterable[Rule[Any]], what: str) -> None:
        """Raise `UsageError` where none of the rules is chosen; `what` says what they are rules on."""
        if not any(self.takes(rule) for rule in rules):
            said = f"--select {','.join(self.select)} --ignore {','.join(self.ignore)}"
            raise UsageError(f"no rule on {what} is chosen by {said}; run `faircall rules` for all of them")


EVERY_RULE: Final = Choice()
"""All rules, and no finding is known."""


def _names(word: str, id_: str, slug: str) -> bool:
    if word.casefold() == slug:
        return True
    return _PREFIX.fullmatch(word) is not None and id_.startswith(word.upper())


def known_as(finding: Finding) -> Known:
    """Return a finding as a baseline has it: whatever line of whatever file it is on."""
    evidence = {name: value for name, value in finding.evidence.items() if name != "where"}
    return Known(finding.rule, finding.subject, hash8([dump_json(evidence)]))


def choose(
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    *,
    baseline: str | os.PathLike[str] | None = None,
) -> Choice:
    """Return the choice of rules; `baseline` is a file of known findings, as `write_baseline` writes it.

    Rules are named by id (`R201`), the beginning of one (`R`, `R2`) or slug. Raises `UsageError` for what names no
    rule, `InputError` for a baseline that cannot be read.

    >>> choose(select=["R"], ignore=["malformed-credited"]).takes(all_rules()["R201"])
    False
    """
    for word in (*select, *ignore):
        rules = all_rules().values()
        if not any(_names(word, rule.id, rule.slug) for rule in rules):
            close = difflib.get_close_matches(
                word, [name for rule in rules for name in (rule.id, rule.slug)], 1
            )
            hint = f"did you mean {close[0]}?" if close else "run `faircall rules` for all of them"
            raise UsageError(f"no rule is called {word!r}; {hint}")
    known = frozenset() if baseline is None else frozenset(_read_baseline(baseline))
    return Choice(tuple(select), tuple(ignore), known)


def _read_baseline(path: str | os.PathLike[str]) -> Iterable[Known]:
    for record in read_lines(path):
        try:
            yield msgspec.convert(record.value, Known)
        except msgspec.ValidationError as error:
            hint = "write it with --write-baseline"
            what = f"not a known finding ({error})"
            raise InputError(what, path=path, line=record.line, hint=hint) from error


def write_baseline(findings: Iterable[Finding], path: str | os.PathLike[str]) -> None:
    """Write findings to a baseline, a JSON line each: what tells it from others, and its sentence for a reader."""
    with writing(path) as stream:
        for finding in findings:
            row = {**msgspec.to_builtins(known_as(finding)), "message": finding.message}
            stream.write(dump_json(row) + "\n")
