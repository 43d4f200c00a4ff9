"""Which call answers which expected one: a largest one-to-one assignment, found by augmenting paths (Kuhn)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def assign(count: int, fits: Callable[[int, int], bool]) -> list[int | None]:
    """Return, for each of `count` answers, the call that a largest assignment gives it; None where it gets none.

    `fits(answer, call)` says whether a call would do, and is asked at most once for each pair. Whether everything
    can be assigned does not depend on any order. H. W. Kuhn, The Hungarian method, 1955.

    >>> assign(2, lambda answer, call: answer == 0 or call == 0)
    [1, 0]
    """
    known: dict[tuple[int, int], bool] = {}
    taken: dict[int, int] = {}

    def fit(answer: int, call: int) -> bool:
        pair = (answer, call)
        if pair not in known:
            known[pair] = fits(answer, call)
        return known[pair]

    for start in range(count):
        # Breadth first and not by recursion: answers may be many.
        came_from: dict[int, int] = {}
        queue = [start]
        end = None
        for answer in queue:
            for call in range(count):
                if call in came_from or not fit(answer, call):
                    continue
                came_from[call] = answer
                if call not in taken:
                    end = call
                    break
                queue.append(taken[call])
            if end is not None:
                break
        while end is not None:
            answer = came_from[end]
            previous = next((call for call, owner in taken.items() if owner == answer), None)
            taken[end] = answer
            end = previous
    assigned: list[int | None] = [None] * count
    for call, answer in taken.items():
        assigned[answer] = call
    return assigned


def unassignable(assigned: list[int | None], fits: Callable[[int, int], bool]) -> tuple[list[int], list[int]]:
    """Return the answers, and the calls, that some largest assignment leaves out.

    Both sets are the same for every largest assignment (Dulmage and Mendelsohn, 1958), so that what is reported
    about them does not depend on the order in which calls were made.

    >>> unassignable([0, None], lambda answer, call: call == 0)
    ([0, 1], [1])
    """
    count = len(assigned)
    owner = {call: answer for answer, call in enumerate(assigned) if call is not None}
    answers = [answer for answer in range(count) if assigned[answer] is None]
    for answer in answers:
        for call in range(count):
            other = owner.get(call)
            if other is not None and other not in answers and fits(answer, call):
                answers.append(other)
    calls = [call for call in range(count) if call not in owner]
    for call in calls:
        for answer in range(count):
            other_call = assigned[answer]
            if other_call is not None and other_call not in calls and fits(answer, call):
                calls.append(other_call)
    return sorted(answers), sorted(calls)
