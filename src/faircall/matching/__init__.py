"""Calls against the expected ones: a match, or the first mismatch with its reason and path.

One comparer serves every profile; its switches say what is canonical, what is equal, how deep it looks and which
call answers which. `compile_answers` prepares an entry's answers once for any number of models; `match` does both.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.errors import InputError, UsageError
from faircall.matching.expected_calls import (
    ExpectedCall,
    Given,
    Settings,
    is_plain,
    read_expected,
    read_given,
    settle,
)
from faircall.matching.nearness import Nearness, measure
from faircall.matching.pairing import assign, unassignable
from faircall.matching.reasons import CheckerCrashError, Mismatch, Why
from faircall.matching.source_values import mark_literals
from faircall.matching.verbatim import fill_verbatim
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.schema import find_tool, read_tools
from faircall.types import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Answers", "Match", "Why", "compile_answers", "match"]

_LANGUAGES = ("python", "java", "javascript")
_FORMS = ("auto", "allowed", "plain")
_COUNTERS = {
    "simple": "simple_function_checker",
    "multiple": "multiple_function_checker",
    "parallel": "parallel_function_checker_no_order",
}


class Match(msgspec.Struct, frozen=True):
    """Whether calls are what was expected; if not, the first difference.

    `reason` is one of `Why`. `filled` are the paths of the defaults that were filled in. `official_error` is what the
    official checker calls the error, or the name of the exception that it raises; it is set where all the switches
    that matter here are official.
    """

    outcome: Outcome
    reason: str
    path: str | None = None
    message: str | None = None
    filled: tuple[str, ...] = ()
    official_error: str | None = None


class Answers:
    """The expected calls of one entry under a profile, compiled when a call that is none to the letter comes.

    Can be shared by threads: what two of them compile at once is the same.
    """

    def __init__(
        self, expected: Sequence[Any], settings: Settings, *, category: str | None, form: str
    ) -> None:
        self.settings = settings
        self.expected = list(expected)
        self.kind = _kind_of(category, self.expected, settings)
        self._calls: list[ExpectedCall | None] = [None] * len(self.expected)
        self._form = form
        self.plain_form = self._is_plain_form()
        """Whether each expected call is an object of one name and its parameters, as BFCL writes it."""
        self.regular = self.plain_form and self._is_read_as_named()
        """Whether, beside that, the official check reads the tool that each of them names."""
        self._letters_tell = self.regular and settings.language == "python"

    def _is_plain_form(self) -> bool:
        for item in self.expected:
            if type(item) is not dict or len(item) != 1:
                return False
            for answer in item.values():
                if type(answer) is not dict:
                    return False
        return True

    def _is_read_as_named(self) -> bool:
        if self.kind == "parallel" or len(self.expected) != 1:
            return self.kind == "parallel" and bool(self.expected)
        tools = self.settings.tools
        return self.kind != "simple" or (bool(tools) and tools[0].name in self.expected[0])

    @cached_property
    def fault(self) -> Match | None:
        """Why nothing can satisfy the answers, where they are compared by the schema."""
        if self.settings.by_schema:
            for index in range(len(self.expected)):
                call = self._call(index)
                if call.fault:
                    path = self._prefix(index) + call.fault_path
                    message = f"Nothing can satisfy the answer: {call.fault} - at `{path}`"
                    return Match(Outcome.VOID, Why.UNSATISFIABLE_ANSWER, path, message)
        return None

    @cached_property
    def _may_be_verbatim(self) -> bool:
        """Whether calls can be compared to the letter: where each answer is known to list the allowed values."""
        if not self._letters_tell or self._form == "plain":
            return False
        if self._form == "allowed":
            return True
        settings = self.settings
        return (
            settings.by_schema
            and self.fault is None
            and not any(self._call(index).plain for index in range(len(self.expected)))
        )

    def _call(self, index: int) -> ExpectedCall:
        """The expected call at an index. Raises CheckerCrashError for what the official checker cannot read."""
        made = self._calls[index]
        if made is None:
            made = self._calls[index] = self._compile(self.expected[index])
        return made

    def _compile(self, item: Any) -> ExpectedCall:
        settings = self.settings
        written = read_expected(item)
        item = written.raw
        if not isinstance(item, dict) or not item:
            raise CheckerCrashError("IndexError" if isinstance(item, dict) else "AttributeError")
        name, answer = next(iter(item.items()))
        if settings.resolve_names:
            tool = find_tool(name, settings.tools)
        elif self.kind == "simple":
            tool = settings.tools[0] if settings.tools else None
        else:
            tool = next((tool for tool in settings.tools if tool.name == name), None)
        plain = self._form == "plain" or written.plain
        compiled = ExpectedCall(name, answer, tool, settings, plain=plain)
        if plain or self._form != "auto":
            return compiled
        if is_plain(answer, lambda: compiled.shape, settings.language):
            return ExpectedCall(name, answer, tool, settings, plain=True)
        if settings.by_schema and compiled.unusable:
            # The other way to read it, where that makes sense: a list of texts may hold an empty one.
            other = ExpectedCall(name, answer, tool, settings, plain=True)
            return compiled if other.unusable else other
        return compiled

    def match(self, calls: Sequence[Any], *, typed: bool = False, underscored: bool = True) -> Match:
        """Return whether the calls are the expected ones; never raises on anything that a model wrote.

        A call is a `Call`, an object `{name: arguments}` or `{"name": …, "arguments": …}`. `typed` says that the
        values are those of a Java or JavaScript program, whose strings are no source text; `underscored` that the
        calls come from an interface that has no dots in names. Both are for the fair switches alone.
        """
        settings = self.settings
        if self._may_be_verbatim and (underscored or not settings.underscores):
            left_out = fill_verbatim(
                calls,
                self.expected,
                settings.tools,
                underscores=settings.underscores,
                resolved=settings.resolve_names,
            )
            if left_out is not None:
                return _passed(dict(enumerate(left_out)) if settings.canonical else {}, len(left_out))
        if self.fault is not None:
            return self.fault
        try:
            found = self._match(self._read(calls, typed=typed, underscored=underscored))
        except CheckerCrashError as crash:
            name = str(crash)
            message = f"The official checker raises {name} on this entry and stops"
            return Match(Outcome.VOID, Why.EVALUATOR_CRASH, None, message, official_error=f"raises:{name}")
        except RecursionError:
            found = Match(
                Outcome.FAIL, Why.WRONG_VALUE, "$", "Expected a value, got one that is nested too deeply"
            )
        return found

    def nearness(self, calls: Sequence[Any], *, typed: bool = False, underscored: bool = True) -> Nearness:
        """Return how near calls come to the expected ones, which they are not; options are those of `match`."""
        answers = [self._call(index) for index in range(len(self.expected))]
        try:
            return measure(answers, self._read(calls, typed=typed, underscored=underscored))
        except RecursionError:
            return Nearness()

    def _read(self, calls: Sequence[Any], *, typed: bool, underscored: bool) -> list[Given]:
        given = [read_given(call) for call in calls]
        if not underscored:
            given = [msgspec.structs.replace(call, underscored=False) for call in given]
        if typed and self.settings.by_schema and self.settings.rules.code:
            given = [
                msgspec.structs.replace(
                    call, raw=mark_literals(call.raw), positional=mark_literals(call.positional)
                )
                for call in given
            ]
        return given

    def names_agree(self, calls: Sequence[Any]) -> bool:
        """Return whether as many calls as are expected name the expected tools, for names that count as spelled.

        True where that cannot be told. Without it, nothing that says how arguments compare makes a match.
        """
        if self.settings.resolve_names:
            return True
        try:
            wanted = [self._call(index).spelled_name() for index in range(len(self.expected))]
        except CheckerCrashError:
            return True
        given = [read_given(call).raw for call in calls]
        if any(not isinstance(raw, dict) or len(raw) != 1 for raw in given):
            return True
        # Each check but that of parallel calls reads the first answer alone.
        wanted = wanted if self.kind == "parallel" else wanted[:1]
        return Counter(next(iter(raw)) for raw in given) == Counter(wanted)

    def _match(self, given: list[Given]) -> Match:
        settings = self.settings
        wanted = 1 if self.kind == "simple" else len(self.expected)
        if len(given) != wanted:
            return self._wrong_count(given, wanted)
        if self.kind != "parallel":
            if not self.expected:
                raise CheckerCrashError("IndexError")
            mismatch, filled = self._call(0).check(given[0])
            if mismatch is None:
                return _passed({0: filled}, 1)
            if mismatch.why is Why.CONTRADICTORY_ANSWER:
                return self._contradicted([mismatch], [0])
            return self._failed(mismatch, 0, 1, mismatch.official)
        if settings.best_pairing:
            return self._match_best(given)
        return self._match_first(given)

    def _match_first(self, given: list[Given]) -> Match:
        """Each answer takes the first call that fits and is not taken."""
        taken: dict[int, tuple[str, ...]] = {}
        for answer in range(len(self.expected)):
            nearest: tuple[int, int, Mismatch] | None = None
            for index, call in enumerate(given):
                if index in taken:
                    continue
                mismatch, filled = self._call(answer).check(call)
                if mismatch is None:
                    taken[index] = filled
                    break
                if nearest is None or mismatch.why.distance < nearest[0]:
                    nearest = (mismatch.why.distance, index, mismatch)
            else:
                if nearest is not None:
                    error = f"{_COUNTERS['parallel']}:cannot_find_match"
                    return self._failed(nearest[2], nearest[1], len(given), error)
        return _passed(taken, len(given))

    def _match_best(self, given: list[Given]) -> Match:
        """Any one-to-one assignment will do."""
        count = len(given)
        checked: dict[tuple[int, int], tuple[Mismatch | None, tuple[str, ...]]] = {}

        def check(answer: int, call: int) -> tuple[Mismatch | None, tuple[str, ...]]:
            pair = (answer, call)
            if pair not in checked:
                checked[pair] = self._call(answer).check(given[call])
            return checked[pair]

        def fits(answer: int, call: int) -> bool:
            return check(answer, call)[0] is None

        assigned = assign(count, fits)
        pairs = {call: check(answer, call)[1] for answer, call in enumerate(assigned) if call is not None}
        if len(pairs) == count:
            return _passed(pairs, count)
        if self.settings.by_schema:
            lenient = assign(count, lambda answer, call: _is_void(check(answer, call)[0]))
            if None not in lenient:
                return self._contradicted(
                    [check(answer, call or 0)[0] for answer, call in enumerate(lenient)], lenient
                )
        answers, calls = unassignable(assigned, fits)
        misses = [
            (mismatch.why.distance, answer, call, mismatch)
            for answer in answers
            for call in calls
            if (mismatch := check(answer, call)[0]) is not None
        ]
        _, _, call, mismatch = min(misses, key=lambda miss: miss[:3])
        return self._failed(mismatch, call, count, f"{_COUNTERS['parallel']}:cannot_find_match")

    def _wrong_count(self, given: list[Given], wanted: int) -> Match:
        error = f"{_COUNTERS[self.kind]}:wrong_count"
        message = f"Expected {_count(wanted)}, got {len(given)} - at `$`"
        why = Why.WRONG_COUNT
        if self.settings.best_pairing and len(given) > wanted:
            different: list[Given] = []
            seen: list[Any] = []
            for call in given:
                written = self.settings.rules.forms.apart([call.raw, list(call.positional)])
                if written not in seen:
                    seen.append(written)
                    different.append(call)
            if len(different) == wanted and self._match(different).outcome is Outcome.PASS:
                why = Why.DUPLICATE_CALL
                message = f"Expected {_count(wanted)}, got {len(given)}: a right call is repeated - at `$`"
        return Match(Outcome.FAIL, why, "$", message, official_error=self._official(error))

    def _contradicted(self, found: list[Mismatch | None], calls: list[int | None]) -> Match:
        for mismatch, call in zip(found, calls, strict=True):
            if mismatch is not None:
                failed = self._failed(mismatch, call or 0, len(calls), "")
                return Match(Outcome.VOID, failed.reason, failed.path, failed.message)
        raise AssertionError("a contradiction without a mismatch")

    def _failed(self, mismatch: Mismatch, index: int, count: int, error: str) -> Match:
        path = ("$" if count == 1 else f"$[{index}]") + mismatch.path
        message = f"{mismatch.message} - at `{path}`"
        return Match(Outcome.FAIL, mismatch.why, path, message, official_error=self._official(error))

    def _official(self, error: str) -> str | None:
        return error if is_official(self.settings.profile) else None

    def _prefix(self, index: int) -> str:
        return "$" if len(self.expected) == 1 else f"$[{index}]"


def _is_void(mismatch: Mismatch | None) -> bool:
    return mismatch is None or mismatch.why is Why.CONTRADICTORY_ANSWER


@lru_cache(maxsize=256)
def is_official(profile: Profile) -> bool:
    """Return whether every switch that matters to matching is official.

    >>> is_official(load_profile("official-2026.3.23+gate=evidence"))
    True
    """
    switches = (
        profile.defaults, profile.numbers, profile.strings, profile.nested, profile.parallel, profile.positional,
        profile.names,
    )  # fmt: skip
    return all(switch == "official" for switch in switches)


def _kind_of(category: str | None, expected: list[Any], settings: Settings) -> str:
    """Which of the official checks an entry takes: by the category's name officially, else by the answers' shape."""
    if settings.best_pairing:
        return "parallel" if len(expected) != 1 else "multiple"
    if category is None:
        if len(expected) != 1:
            return "parallel"
        return "simple" if len(settings.tools) == 1 else "multiple"
    return "parallel" if "parallel" in category else "multiple" if "multiple" in category else "simple"


def _count(number: int) -> str:
    return "no call" if number == 0 else f"{number} call{'' if number == 1 else 's'}"


def _passed(filled: dict[int, tuple[str, ...]], count: int) -> Match:
    paths = [
        ("$.args" if count == 1 else f"$[{index}].args") + path
        for index in sorted(filled)
        for path in filled[index]
    ]
    return Match(Outcome.PASS, Why.MATCHED, filled=tuple(paths))


def compile_answers(
    expected: Sequence[Any],
    tools: Any = (),
    profile: str | Profile = DEFAULT_PROFILE,
    language: str = "python",
    *,
    category: str | None = None,
    underscores: bool = False,
    form: str = "auto",
) -> Answers:
    """Return an entry's expected calls, compiled for matching the calls of any number of models.

    An expected call is `{name: {parameter: [allowed, …]}}`, where `""` means that the parameter may be left out, or
    a plain call `{name: {parameter: value}}`, also as the providers' APIs write it; `form` says which (`allowed`,
    `plain`) or leaves it to the schema. Several calls are expected in any order. `category` decides under the official
    profile alone, where `underscores` says that the model's interface has no dots in names.

    Raises `UsageError` for an unknown profile, language or form, `InputError` for tools and expected calls that
    cannot be read.

    >>> tools = [{"name": "fly", "parameters": {"properties": {"to": {"type": "string"}}, "required": ["to"]}}]
    >>> compile_answers([{"fly": {"to": ["Oslo"]}}], tools).match([{"fly": {"to": "OSLO"}}]).outcome
    <Outcome.PASS: 'pass'>
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    if language not in _LANGUAGES:
        raise UsageError(f"no language is called {language!r}; there are {', '.join(_LANGUAGES)}")
    if form not in _FORMS:
        raise UsageError(f"`form` is one of {', '.join(_FORMS)}, not {form!r}")
    if isinstance(expected, (str, dict)) or not hasattr(expected, "__len__"):
        raise InputError("`expected` is not a list of calls", hint="write [] where no call is wanted")
    settings = settle(switches, language, read_tools(tools), underscores=underscores)
    answers = Answers(expected, settings, category=category, form=form)
    if settings.by_schema and not answers.plain_form:
        _refuse_what_is_no_call(expected)
    return answers


def _refuse_what_is_no_call(expected: Sequence[Any]) -> None:
    for index, item in enumerate(expected):
        raw = read_expected(item).raw
        if not isinstance(raw, dict) or len(raw) != 1 or not isinstance(next(iter(raw.values())), dict):
            raise InputError(
                f"expected[{index}] is not a call",
                hint="write {name: {parameter: [allowed, …]}}, or a call as providers write it",
            )


def match(
    calls: Sequence[Any],
    expected: Sequence[Any],
    *,
    tools: Any = (),
    profile: str | Profile = DEFAULT_PROFILE,
    language: str = "python",
    category: str | None = None,
    underscores: bool = False,
    form: str = "auto",
) -> Match:
    """Return whether calls are the expected ones: pass, fail with the first difference, or void.

    `void` means that nothing can satisfy the answers, or that the official checker raises on them. The arguments are
    those of `compile_answers`, and so are the errors; nothing that a model wrote raises.

    >>> tools = [{"name": "ride", "parameters": {"properties": {
    ...     "to": {"type": "string"}, "km": {"type": "integer", "default": 5}}, "required": ["to"]}}]
    >>> match([{"ride": {"to": "home"}}], [{"ride": {"to": ["home"], "km": [5]}}], tools=tools).filled
    ('$.args.km',)
    >>> match([{"ride": {"to": "home", "km": 6}}], [{"ride": {"to": ["home"], "km": [5]}}], tools=tools).message
    'Expected `5`, got `6` - at `$.args.km`'
    """
    answers = compile_answers(
        expected, tools, profile, language, category=category, underscores=underscores, form=form
    )
    return answers.match(calls)
