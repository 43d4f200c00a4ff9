"""Cases that a test suite recorded: what each came to, and how all of them add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from faircall.passes import Passes, count_outcomes
from faircall.rows import dump_json
from faircall.schema import read_tools
from faircall.signature import hash8, sign
from faircall.types import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from faircall.types import Verdict


class Case(msgspec.Struct, frozen=True):
    """One recorded case: where it was recorded, under which name and group, and its verdict as plain text.

    `asked` stands for what was asked: a hash of the tools, the key and how the output was read.
    """

    test: str
    name: str
    group: str
    outcome: str
    state: str
    headline: str
    decoder: str
    profile: str
    asked: str


class GroupCount(msgspec.Struct, frozen=True):
    """How the cases of one group come out, and in which states their outputs are."""

    name: str
    passes: Passes
    states: dict[str, int]


class Question(msgspec.Struct, frozen=True):
    """What is asked of an output: the tools, the key, and how the output is read."""

    tools: Any
    expected: Sequence[Any] | None
    decoder: str
    profile: str
    language: str

    @property
    def digest(self) -> str:
        """Eight digits that stand for it; a tool counts as it is read, in whatever dialect it was given."""
        fields = (read_tools(self.tools), self.expected, self.decoder, self.profile, self.language)
        return hash8([dump_json(fields)])


def record_case(
    verdict: Verdict, question: Question, *, test: str, name: str, group: str, headline: str
) -> Case:
    """Return the record of one verdict; `headline` is the line that says what it is."""
    return Case(
        test=test,
        name=name,
        group=group,
        outcome=verdict.outcome.value,
        state=verdict.state.value,
        headline=headline,
        decoder=question.decoder,
        profile=question.profile,
        asked=question.digest,
    )


def group_cases(cases: Iterable[Case]) -> list[GroupCount]:
    """Return the cases counted by their group, in the order of the groups' names.

    >>> case = Case("t.py::t", "1", "rides", "pass", "CALLED", "", "auto", "fair-1", "1a2b3c4d")
    >>> [(found.name, found.passes.passed, found.states["CALLED"]) for found in group_cases([case, case])]
    [('rides', 2, 2)]
    """
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return [
        GroupCount(
            name,
            count_outcomes(case.outcome for case in found),
            {state.value: sum(case.state == state for case in found) for state in State},
        )
        for name, found in sorted(groups.items())
    ]


def sign_cases(cases: Sequence[Case]) -> str:
    """Return the signature line of the cases, the same in whatever order they were recorded.

    >>> case = Case("t.py::t", "1", "rides", "pass", "CALLED", "", "auto", "fair-1", "1a2b3c4d")
    >>> sign_cases([case]).rsplit("|", 1)[0]
    'bench:pytest|data:none#a72274b0|profile:fair-1|decoder:auto|n:1|void:0|ci:wilson95'
    """
    asked = sorted("\0".join((case.test, case.name, case.asked)) for case in cases)
    return sign(
        {
            "bench": "pytest",
            "data": f"none#{hash8(asked)}",
            "profile": join_names(case.profile for case in cases),
            "decoder": join_names(case.decoder for case in cases),
            "n": len(cases),
            "void": sum(case.outcome == "void" for case in cases),
            "ci": "wilson95",
        }
    )


def join_names(names: Iterable[str]) -> str | None:
    """Return the different names as a signature has them, or None for none.

    >>> join_names(["python", "hermes", "python"])
    'hermes,python'
    """
    return ",".join(sorted(set(names))) or None
