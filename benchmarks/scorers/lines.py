"""What the adapters share: cases read and verdicts printed, and structured calls for tools that take no text."""

from __future__ import annotations

import contextlib
import itertools
import json
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
    from faircall.mutants.bases import read_slot  # noqa: PLC0415
    from faircall.schema import read_tools  # noqa: PLC0415

    offered = read_tools(case["tools"])
    by_call: list[Calls] = []
    total = 1
    for item in case["expected"]:
        slot = read_slot(item, offered)
        given = {name for called, arguments in calls if called == slot.name for name in arguments}
        options = []
        for name, accepted in slot.allowed.items():
            values = [value for value in accepted if value != ""]
            omitted = len(values) < len(accepted) and (name not in given or not values)
            options.append([{}] * omitted + [{name: [value]} for value in values])
        ways = []
        for chosen in itertools.product(*options):
            arguments = {name: value for part in chosen for name, value in part.items()}
            ways.append((slot.name, read_slot({slot.name: arguments}, offered).arguments))
        total *= len(ways)
        if total > MOST_ALTERNATIVES:
            raise ValueError(f"more than {MOST_ALTERNATIVES} ways to meet the key")
        by_call.append(ways)
    for made in itertools.product(*by_call):
        yield list(made)
