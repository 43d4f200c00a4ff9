"""A script played: the model's calls and the expected ones, turn by turn, in two sets of environments.

Runs in the worker process. Compared are the public states after each turn and the results of the calls, as the
released tool does, and beside that by value.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from faircall.replay.environments import Environments, public_state
from faircall.replay.interpreter import play_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from faircall.replay.records import Script

_MOST_SHOWN: Final = 20_000
"""Characters of a result that are sent back to be shown."""
_SHOWN: Final = 300
"""Characters of a value that a difference shows."""
_BEFORE_PARENTHESIS: Final = re.compile(r"\b([A-Za-z_]\w*+)\s*+(?=\()")


class _Side:
    """One set of environments, with the table of what can be called in it."""

    def __init__(
        self, environments: Environments, script: Script, owner: str, *, apart: bool = False
    ) -> None:
        self.instances = environments.fresh(
            script.classes, script.config, long_context=script.long_context, apart=apart
        )
        self._patched = script.patched
        if script.patched:
            # The released tool calls `name_of_the_instance.method`, and the two sides have names of their own.
            self._names = {
                method: f"{owner}_{name}_instance"
                for name in self.instances
                for method in environments.methods({name: self.instances[name]}, lambda _, method: method)
            }
            self._methods = environments.methods(
                self.instances, lambda _, method: f"{self._names[method]}.{method}"
            )
        else:
            self._methods = environments.methods(self.instances, lambda _, method: method, apart=apart)
        if script.qualified:
            self._methods |= environments.methods(
                self.instances, lambda name, method: f"{name}.{method}", apart=apart
            )

    def play(self, lines: Iterable[str]) -> tuple[list[str], int]:
        """Return the results of calls, and how many of them are errors."""
        results, errors = [], 0
        for line in lines:
            result, failed = play_call(self._patch(line) if self._patched else line, self._methods)
            results.append(result)
            errors += failed
        return results, errors

    def environment_of(self, line: str) -> str:
        """Return the environment that a call with a plain name is made in: of several, the last."""
        method = line.partition("(")[0].strip()
        return next(name for name in reversed(self.instances) if hasattr(self.instances[name], method))

    def _patch(self, line: str) -> str:
        def replaced(found: re.Match[str]) -> str:
            name = found.group(1)
            return f"{self._names[name]}.{name}" if name in self._names else name

        return _BEFORE_PARENTHESIS.sub(replaced, line)


def play(
    script: Script, environments: Environments, report: Callable[[list[dict[str, Any]]], None]
) -> dict[str, Any]:
    """Return what a script comes to, as `Played` has it, up to the first turn that fails under every profile.

    `report` is called with the turns so far, after each turn that fails under some profile.
    """
    turns = _play_turns(script, environments, report=report)
    reply: dict[str, Any] = {"turns": turns}
    if environments.restore(script.classes) and not script.patched:
        reply["apart"] = _play_turns(script, environments, apart=True)
        environments.restore(script.classes)
    return reply


def _play_turns(
    script: Script,
    environments: Environments,
    *,
    apart: bool = False,
    report: Callable[[list[dict[str, Any]]], None] | None = None,
) -> list[dict[str, Any]]:
    model = _Side(environments, script, "model", apart=apart)
    expected = _Side(environments, script, "expected", apart=apart)
    so_far: list[str] = []
    turns = []
    for number, wanted in enumerate(script.expected):
        results, errors = [], 0
        for step in script.turns[number]:
            made, failed = model.play(step)
            results.append(made)
            errors += failed
            so_far.extend(made)
        right, _ = expected.play(wanted)
        turn: dict[str, Any] = {"calls": sum(map(len, results)), "errors": errors}
        if script.detailed:
            turn |= {
                "results": [[result[:_MOST_SHOWN] for result in made] for made in results],
                "expected_results": [result[:_MOST_SHOWN] for result in right],
            }
        turns.append(turn)
        if not wanted:
            if results:
                turn["changes"] = _first_difference(model, expected) is not None
                if report is not None:
                    report(turns)
            continue
        if not results:
            break
        turn["state"] = _first_difference(model, expected)
        if turn["state"] is not None:
            break
        turn["hidden"] = _hidden_difference(model, expected)
        missing = _missing(right, so_far, str)
        if missing:
            turn["missing"] = [right[at] for at in missing]
            turn["missing_by_value"] = [right[at] for at in _missing(right, so_far, by_value)]
            before = _Side(environments, script, "expected", apart=apart)
            for earlier in script.expected[:number]:
                before.play(earlier)
            turn["changes"] = all(
                _first_difference(before, expected, [expected.environment_of(wanted[at])]) is not None
                for at in missing
            )
            if turn["missing_by_value"] and not turn["changes"]:
                break
            if report is not None:
                report(turns)
    return turns


def _missing(wanted: Sequence[str], found: Sequence[str], form: Callable[[str], str]) -> list[int]:
    """Return which of the wanted results are not among those found; each stands for one."""
    there = Counter(form(result) for result in found)
    missing = []
    for at, result in enumerate(wanted):
        written = form(result)
        if there[written] > 0:
            there[written] -= 1
        else:
            missing.append(at)
    return missing


def by_value(result: str) -> str:
    """Return a form that results of one value share: `3` and `3.0`, and objects whatever the order of their keys.

    >>> by_value('{"b": 3.0, "a": 1}') == by_value('{"a": 1.0, "b": 3}')
    True
    """
    try:
        return json.dumps(_plain(json.loads(result)), sort_keys=True)
    except (ValueError, RecursionError):
        return result


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value


def _first_difference(one: _Side, other: _Side, names: Iterable[str] | None = None) -> dict[str, str] | None:
    """Return the first place in which the public states differ, environment by environment (all, or those named)."""
    for name in other.instances if names is None else names:
        right = other.instances[name]
        left = vars(one.instances[name])
        for attribute, value in public_state(right).items():
            if attribute not in left:
                return {"path": f"$.{name}.{attribute}", "model": "absent", "expected": _show(value)}
            if left[attribute] != value:
                return _descend(f"$.{name}.{attribute}", left[attribute], value)
    return None


def _hidden_difference(model: _Side, expected: _Side) -> str | None:
    """Return the path of a private value that differs, of those that say where one is: no random numbers, no dates."""
    for name, right in expected.instances.items():
        for attribute, value in vars(right).items():
            if attribute != "_current_dir":
                continue
            left = getattr(model.instances[name], attribute, None)
            if _place(left) != _place(value):
                return f"$.{name}.{attribute}"
    return None


def _place(folder: Any) -> list[str]:
    places: list[str] = []
    while folder is not None and len(places) < 1000:
        places.append(str(getattr(folder, "name", "")))
        folder = getattr(folder, "parent", None)
    return places


def _descend(path: str, left: Any, right: Any, depth: int = 0) -> dict[str, str]:
    """Return the innermost difference of two values that are not equal."""
    if depth < 40:
        if isinstance(left, dict) and isinstance(right, dict):
            for key in (*right, *left):
                if key not in left or key not in right:
                    shown = {side: _show(value[key]) if key in value else "absent"
                             for side, value in (("model", left), ("expected", right))}  # fmt: skip
                    return {"path": f"{path}.{key}", **shown}
                if left[key] != right[key]:
                    return _descend(f"{path}.{key}", left[key], right[key], depth + 1)
        elif isinstance(left, list) and isinstance(right, list):
            for index, (one, other) in enumerate(zip(left, right, strict=False)):
                if one != other:
                    return _descend(f"{path}[{index}]", one, other, depth + 1)
        elif type(left) is type(right) and hasattr(left, "__dict__"):
            ours, theirs = public_state(left), public_state(right)
            for name in theirs:
                if name != "parent" and ours.get(name) != theirs[name]:
                    return _descend(f"{path}.{name}", ours.get(name), theirs[name], depth + 1)
    return {"path": path, "model": _show(left), "expected": _show(right)}


def _show(value: Any) -> str:
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
