"""How many single calls `faircall.reward` judges in a second, on one core.

usage: python benchmarks/reward_speed.py [--batch N] [--group N] [--rounds N]

Batches of made-up completions under three protocols: right calls, and the mixture that a policy in training writes
(right, partly right, wrong, broken, declined). Each row has a group of completions, as in GRPO. What is printed is the
best and the median of several rounds by the processor's clock; each round has rows of its own, and nothing of them is
compiled before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import faircall

if TYPE_CHECKING:
    from collections.abc import Callable

TOWNS: Final = ("Lyon", "Ghent", "Turin", "Bergen", "Porto", "Graz")
TOOLS: Final = [
    {
        "name": "find_trains",
        "description": "Trains between two stations on a day.",
        "parameters": {
            "type": "object",
            "properties": {
                "start": {"type": "string"},
                "goal": {"type": "string"},
                "seats": {"type": "integer"},
                "night": {"type": "boolean", "default": False},
            },
            "required": ["start", "goal", "seats"],
        },
    },
    {
        "name": "rent_bike",
        "description": "A bicycle at a station.",
        "parameters": {
            "type": "object",
            "properties": {"station": {"type": "string"}, "hours": {"type": "integer"}},
            "required": ["station", "hours"],
        },
    },
]


def write_python(name: str, arguments: dict[str, Any]) -> str:
    return f"[{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})]"


def write_hermes(name: str, arguments: dict[str, Any]) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def write_structured(name: str, arguments: dict[str, Any]) -> list[dict[str, str]]:
    return [{name: json.dumps(arguments)}]


PROTOCOLS: Final[dict[str, Callable[[str, dict[str, Any]], Any]]] = {
    "python": write_python,
    "hermes": write_hermes,
    "tool-calls": write_structured,
}


def make_batch(
    protocol: str, size: int, group: int, *, mixed: bool, seed: int
) -> tuple[list[Any], list[list[Any]]]:
    """Completions, and what is expected of each; mixed ones are right half of the time."""
    chance = random.Random(seed)  # noqa: S311 - rows, not secrets
    write = PROTOCOLS[protocol]
    completions, expected = [], []
    for index in range(size):
        if index % group == 0:
            start, goal = chance.sample(TOWNS, 2)
            right: dict[str, Any] = {"start": start, "goal": goal, "seats": chance.randint(1, 9_999)}
            row = [{"find_trains": {key: [value] for key, value in right.items()}}]
        expected.append(row)
        arguments = dict(right)
        kind = index % 10 if mixed else 0
        if kind in {5, 6, 7}:
            arguments |= {"seats": 0} if kind == 5 else {"goal": start} if kind == 6 else {"class": 2}
        written: Any = write("find_trains", arguments)
        if kind == 8 and isinstance(written, str):
            written = written[:-12]
        if kind == 9:
            written = "Which day would you like to travel?"
        completions.append(written)
    return completions, expected


def main() -> None:
    parser = argparse.ArgumentParser(description="Time faircall.reward on one core.")
    parser.add_argument("--batch", type=int, default=4000)
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print("completions a second on one core, best and median of", options.rounds)
    for mixed in (False, True):
        for protocol in PROTOCOLS:
            rates = []
            for round_ in range(options.rounds):
                completions, expected = make_batch(
                    protocol, options.batch, options.group, mixed=mixed, seed=round_
                )
                began = process_time()
                rewards = faircall.reward(completions, tools=TOOLS, expected=expected, decoder=protocol)
                rates.append(options.batch / (process_time() - began))
            if not mixed and rewards.values != [1.0] * options.batch:
                sys.exit(f"right calls of {protocol} are not all worth 1")
            rates.sort()
            kind = "mixed" if mixed else "right"
            print(
                f"{kind:6} {protocol:11} {rates[-1]:9,.0f} {rates[len(rates) // 2]:9,.0f}   {rewards.signature}"
            )


if __name__ == "__main__":
    main()
