"""The benchmark's entries made ready for judging: tools read and answers compiled once, for any number of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.errors import InputError
from faircall.matching import Answers, compile_answers
from faircall.schema import read_tools
from faircall.scoring import Wanted
from faircall.types import State

if TYPE_CHECKING:
    from faircall.bfcl.data import BenchmarkData, Entry
    from faircall.profiles import Profile
    from faircall.types import Tool

_ABSTENTION = Wanted(State.ABSTAINED)
_ANY_CALL = Wanted(State.CALLED)


class Questions:
    """What each entry offers and wants, kept by category, profile and spelling of names."""

    def __init__(self, benchmark: BenchmarkData) -> None:
        self.benchmark = benchmark
        self._tools: dict[object, tuple[Tool, ...]] = {}
        self._wanted: dict[tuple[tuple[str, str], Profile, bool], Wanted] = {}

    def entries(self, category: str) -> dict[str, Entry]:
        """Return the entries of a category by id, in the benchmark's order."""
        return self.benchmark.entries(category)

    def tools(self, entry: Entry) -> tuple[Tool, ...]:
        """Return the tools that an entry offers."""
        key = entry.tools_key
        tools = self._tools.get(key)
        if tools is None:
            tools = self._tools[key] = read_tools(entry.tools)
        return tools

    def wanted(self, entry: Entry, profile: Profile, *, underscores: bool) -> Wanted:
        """Return what is wanted of an entry: an abstention, any call, or calls that answers are known for.

        `underscores` says that the model's interface has no dots in names. Raises `InputError` for an entry
        whose answers are not in the data.
        """
        kind = CATEGORIES[entry.category].kind
        if kind is Kind.IRRELEVANCE:
            return _ABSTENTION
        if kind is Kind.RELEVANCE:
            return _ANY_CALL
        key = (entry.base, profile, underscores)
        wanted = self._wanted.get(key)
        if wanted is None:
            answers = self._answers(entry, profile, underscores=underscores)
            wanted = self._wanted[key] = Wanted(State.CALLED, answers)
        return wanted

    def answer(self, entry: Entry) -> Any:
        """Return the benchmark's answer for an entry as stored. Raises `InputError` where the data has none."""
        expected = self.benchmark.answers(entry.category).get(entry.id)
        if expected is None:
            raise InputError(f"the data has no answer for {entry.id}", hint="run `faircall data verify`")
        return expected

    def _answers(self, entry: Entry, profile: Profile, *, underscores: bool) -> Answers:
        return compile_answers(
            self.answer(entry),
            self.tools(entry),
            profile,
            entry.language,
            category=entry.base[0],
            underscores=underscores,
            form="allowed",
        )
