"""Rewards for post-training: a number for each completion, under a table in which broken syntax does not pay."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Sequence
from copy import deepcopy
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, overload

import msgspec

from faircall.decoding.readers import check_names
from faircall.errors import InputError, UsageError
from faircall.matching import compile_answers
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.reward_table import DEFAULT_TABLE, RIGHT, RewardTable, load_table
from faircall.schema import read_tools
from faircall.scoring import Wanted, judge_output, reading_of
from faircall.signature import sign
from faircall.types import Outcome, Reason, State, Tool, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NO_ANSWERS: Final = "no-answers"
"""The reason of a completion for which nothing is said of what was expected."""
_MOST_KEPT: Final = 2048
"""How many pairs of tools and expected calls stay compiled."""


class Reward(msgspec.Struct, frozen=True):
    """What one completion is worth: `value`, or None where it cannot be judged, which is never 0.

    `outcome`, `state` and `reason` are those of the verdict. `parts` say, where calls were compared, how near they
    come, each from 0 to 1: `share` of them is right, `names` of the expected calls are made by name, `exact` as wanted.
    """

    value: float | None
    outcome: Outcome
    state: State
    reason: Reason | str
    parts: dict[str, float] = {}


class Rewards(Sequence[Reward]):
    """The rewards of a batch, in the order of its completions, with the signature under which they were made."""

    __slots__ = ("_items", "signature")

    def __init__(self, items: Sequence[Reward], signature: str) -> None:
        self._items = tuple(items)
        self.signature = signature

    @property
    def values(self) -> list[float | None]:
        """The numbers alone; None where a completion cannot be judged."""
        return [item.value for item in self._items]

    @overload
    def __getitem__(self, index: int) -> Reward: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Reward]: ...
    def __getitem__(self, index: int | slice) -> Reward | Sequence[Reward]:
        return self._items[index]

    def __iter__(self) -> Iterator[Reward]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Rewards({self.values}, {self.signature!r})"


class Task(msgspec.Struct, frozen=True):
    """What a completion is judged by: the tools, and what is wanted (None where that is not known)."""

    tools: tuple[Tool, ...]
    wanted: Wanted | None


def reward(
    completions: Sequence[Any],
    *,
    expected: Any,
    tools: Any = (),
    decoder: str = "auto",
    language: str = "python",
    profile: str | Profile = DEFAULT_PROFILE,
    table: str | RewardTable = DEFAULT_TABLE,
    own_text: bool = False,
) -> Rewards:
    """Return what each completion is worth under a table: 1 exactly where `check` passes it.

    `tools` and `expected` are those of `check`: one list for all completions, or a list of lists, one for each. ``[]``
    says that no call is wanted; None in the place of a completion's list that nothing is known, which gives None.
    Other None: a completion that is missing (None), an error that a harness stored in its place, answers that nothing
    can satisfy. `own_text` says that no harness stands between the model and the completions, so that an error
    message among them is the model's own text, and malformed.

    Raises `UsageError` for lists of different lengths, for an unknown decoder, profile or table, and for a profile
    whose gate is not `evidence`, under which broken syntax counts as an abstention; `InputError` for tools and
    expected calls that cannot be read. Never for anything that a model wrote.

    >>> ride = {"name": "ride", "parameters": {"properties": {"to": {"type": "string"}, "km": {"type": "integer"}},
    ...                                        "required": ["to", "km"]}}
    >>> texts = ["[ride(to='home', km=5)]", "[ride(to='home', km=6)]", "[ride(to='hom", "Where to?"]
    >>> reward(texts, tools=[ride], expected=[{"ride": {"to": ["home"], "km": [5]}}]).values
    [1.0, 0.25, -0.5, 0.0]
    """
    if isinstance(completions, (str, bytes, dict)) or not isinstance(completions, Sequence):
        raise UsageError("`completions` is not a list; write [completion] for one")
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    if switches.gate != "evidence":
        raise UsageError(f"profile {switches.name}: a reward needs gate=evidence, or broken syntax pays")
    values = table if isinstance(table, RewardTable) else load_table(table)
    check_names(decoder, language)
    if expected is None:
        raise UsageError("`expected` is None; write [] where no call is wanted")
    count = len(completions)
    tool_lists = _spread(tools, count, "tools")
    answer_lists = _spread(expected, count, "expected")
    tasks: dict[tuple[int, int], Task] = {}
    items = []
    void = 0
    for index, output in enumerate(completions):
        offered, answers = tool_lists[index], answer_lists[index]
        # The lists stay alive for as long as their identities are used.
        key = (id(offered), id(answers))
        task = tasks.get(key)
        if task is None:
            try:
                task = tasks[key] = _find_task(offered, answers, language, switches)
            except InputError as error:
                raise InputError(f"for completion {index}: {error}") from error
        item = _value(output, task, values, switches, decoder, language, own_text=own_text)
        void += item.value is None
        items.append(item)
    fields = {"reward": values.name, "profile": switches.name, "decoder": decoder, "n": count, "void": void}
    if own_text:
        fields["texts"] = "own"
    return Rewards(items, sign(fields))


def _spread(given: Any, count: int, what: str) -> Sequence[Any]:
    """One list for each completion: those that are given, or the same one for all."""
    several = isinstance(given, (list, tuple)) and [
        item is None or isinstance(item, (list, tuple)) for item in given
    ]
    if not several or not any(several):
        return [given] * count
    if not all(several):
        raise UsageError(
            f"`{what}` mixes lists with others; give one list for all, or one for each completion"
        )
    if len(given) != count:
        raise UsageError(f"{len(given)} lists in `{what}` for {count} completions; give one for each")
    return list(given)


class _Kept:
    """What was made last, by key: at most so many, for any number of threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def find(self, key: object, make: Callable[[], Any]) -> Any:
        """Return what is kept under a key, or make it."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()
        with self._lock:
            self._made[key] = made
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        return made


_TASKS: Final = _Kept(_MOST_KEPT)
_TOOLS: Final = _Kept(_MOST_KEPT)


def _find_task(tools: Any, expected: Any, language: str, profile: Profile) -> Task:
    try:
        # Two texts of the same content may differ in how they are kept, which costs a compilation and no verdict.
        offered, wanted = marshal.dumps(tools, 2), marshal.dumps(expected, 2)
    except ValueError:  # records and other objects
        return _make_task(read_tools(tools), expected, language, profile)

    def make() -> Task:
        # Of copies of its own: the caller may go on to change the lists.
        own = _TOOLS.find(offered, lambda: read_tools(deepcopy(tools)))
        return _make_task(own, deepcopy(expected), language, profile)

    task: Task = _TASKS.find((offered, wanted, language, profile), make)
    return task


def _make_task(offered: tuple[Tool, ...], expected: Any, language: str, profile: Profile) -> Task:
    if expected is None:
        return Task(offered, None)
    answers = compile_answers(expected, offered, profile, language)
    return Task(offered, Wanted(State.CALLED, answers) if answers.expected else Wanted(State.ABSTAINED))


def _value(
    output: Any,
    task: Task,
    table: RewardTable,
    profile: Profile,
    decoder: str,
    language: str,
    *,
    own_text: bool,
) -> Reward:
    if output is None:
        return Reward(None, Outcome.VOID, State.ERROR, Reason.MISSING)
    wanted = task.wanted
    verdict = judge_output(
        output, task.tools, wanted or Wanted(None), profile, decoder=decoder, language=language
    )
    state, outcome = verdict.state, verdict.outcome
    if wanted is None:
        return Reward(None, Outcome.VOID, state, NO_ANSWERS)
    if outcome is Outcome.PASS:
        parts = {} if wanted.answers is None else {"share": 1.0, "names": 1.0, "exact": 1.0}
        return Reward(RIGHT, outcome, state, verdict.reason, parts)
    if state is State.ERROR and own_text:
        state, outcome = State.MALFORMED, Outcome.FAIL
        verdict = msgspec.structs.replace(verdict, reason=Reason.GARBAGE)
    if outcome is Outcome.VOID:
        return Reward(None, outcome, state, verdict.reason)
    if state is State.MALFORMED:
        return Reward(table.malformed, outcome, state, verdict.reason)
    if wanted.answers is None:
        return Reward(table.called, outcome, state, verdict.reason)
    if state is State.ABSTAINED:
        return Reward(table.abstained, outcome, state, verdict.reason)
    return _partly_right(verdict, wanted, table)


def _partly_right(verdict: Verdict, wanted: Wanted, table: RewardTable) -> Reward:
    answers = wanted.answers
    assert answers is not None  # noqa: S101 - calls are compared where there are answers
    typed, underscored = reading_of(verdict.decoder, answers)
    near = answers.nearness(verdict.calls, typed=typed, underscored=underscored)
    parts = {"share": near.share, "names": near.names, "exact": near.exact}
    return Reward(table.between(near.share), verdict.outcome, verdict.state, verdict.reason, parts)
