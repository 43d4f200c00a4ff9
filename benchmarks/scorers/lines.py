"""What the adapters share: cases read and verdicts printed, and structured calls for tools that take no text."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Calls = list[tuple[str, dict[str, Any]]]
MOST_ALTERNATIVES = 256


class Read(NamedTuple):
    """An output as faircall reads it: its state, and its calls as names and arguments."""

    state: str
    calls: Calls


def answer(judge: Callable[[dict[str, Any]], str]) -> None:
    """Print a verdict for each case on standard input; a case on which the tool raises gets none."""
    verdicts = sys.stdout
    for line in sys.stdin:
        case = json.loads(line)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                outcome = judge(case)
        except Exception as error:  # noqa: BLE001 - whatever the tool raises, it gives no verdict
            print(f"{case['id']}: {type(error).__name__}: {error}"[:300], file=sys.stderr)
            continue
        print(json.dumps({"id": case["id"], "outcome": outcome}), file=verdicts, flush=True)


def read_output(case: dict[str, Any]) -> Read:
    """Return what faircall reads in an output, for tools that take calls and no text."""
    from faircall import check  # noqa: PLC0415 - adapters that hand over the text do without it

    verdict = check(case["output"], tools=case["tools"], decoder=case["decoder"])
    return Read(verdict.state.value, [(call.name, call.arguments) for call in verdict.calls])


def alternatives(case: dict[str, Any], calls: Calls) -> Iterator[Calls]:
    """Yield the expected calls with every choice among the accepted values, for tools that compare with one of them.

    A parameter that may be left out is left out only where no call of that tool has it. Raises ValueError where there
    are more than `MOST_ALTERNATIVES` ways.
    """
    from faircall.keys import key_calls  # noqa: PLC0415
    from faircall.schema import read_tools  # noqa: PLC0415

    by_call: list[Calls] = []
    for call in key_calls(case["expected"], read_tools(case["tools"])):
        given = {name for called, arguments in calls if called == call.name for name in arguments}
        made = ways_of_object(call.answer, call.shape, plain=call.plain, depth=0, given=given)
        by_call.append([(call.name, arguments) for arguments in made])
    if math.prod(map(len, by_call)) > MOST_ALTERNATIVES:
        raise ValueError(f"more than {MOST_ALTERNATIVES} ways to meet the key")
    for chosen in itertools.product(*by_call):
        yield list(chosen)


def ways_of_object(
    answer: dict[str, Any], shape: Any, *, plain: bool, depth: int, given: set[str] | None = None
) -> list[dict[str, Any]]:
    """Return an object with every choice among the accepted values of its fields."""
    from faircall.matching.every_level import list_alternatives  # noqa: PLC0415

    options = []
    for name, allowed in answer.items():
        inner = shape.field(name)
        accepted = [allowed] if plain else list_alternatives(allowed, inner, depth)
        values = accepted if plain else [value for value in accepted if value != ""]
        omitted = len(values) < len(accepted) and (given is None or name not in given or not values)
        ways = [way for value in values for way in ways_of(value, inner, plain=plain, depth=depth)]
        options.append([{}] * omitted + [{name: way} for way in ways])
    if math.prod(map(len, options)) > MOST_ALTERNATIVES:
        raise ValueError(f"more than {MOST_ALTERNATIVES} ways to meet the key")
    return [
        {key: value for part in chosen for key, value in part.items()}
        for chosen in itertools.product(*options)
    ]


def ways_of(value: Any, shape: Any, *, plain: bool, depth: int) -> list[Any]:
    """Return a value with every choice among what is accepted inside it."""
    from faircall.matching.every_level import item_values  # noqa: PLC0415

    if isinstance(value, dict):
        return ways_of_object(value, shape, plain=plain, depth=depth + 1)
    if not isinstance(value, list):
        return [value]
    items = [
        [
            way
            for each in item_values(item, shape.item(index), plain=plain)
            for way in ways_of(each, shape.item(index), plain=plain, depth=depth + 1)
        ]
        for index, item in enumerate(value)
    ]
    if math.prod(map(len, items)) > MOST_ALTERNATIVES:
        raise ValueError(f"more than {MOST_ALTERNATIVES} ways to meet the key")
    return [list(chosen) for chosen in itertools.product(*items)]
