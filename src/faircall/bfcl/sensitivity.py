"""Format sensitivity: how far the format that a prompt asks for moves a model."""

from __future__ import annotations

import math
from statistics import stdev, variance
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.errors import InputError
from faircall.records import read_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping


class Sensitivity(msgspec.Struct, frozen=True):
    """How far the prompt's format moves a model: in points of percent, and the accuracy in each format."""

    max_delta: float | None = None
    standard_deviation: float | None = None
    accuracies: dict[str, float] = {}
    variance: float | None = None


def sensitivity_of(counts: Mapping[str, tuple[int, int]]) -> Sensitivity | None:
    """Return the sensitivity from the right and the judged entries of each format; None where there is no format.

    Figures are rounded to two digits, as the official tool rounds them: the spread between the best and the worst
    format, the sample's standard deviation and variance, all of percentages. Of a single format they are unknown; the
    official tool, which only gets there by a partial evaluation, has 0.

    >>> sensitivity_of({"python": (3, 4), "json": (1, 4)}).max_delta
    50.0
    """
    accuracies = {style: correct / judged for style, (correct, judged) in counts.items() if judged}
    if not accuracies:
        return Sensitivity() if counts else None
    shares = list(accuracies.values())
    if len(shares) == 1:
        return Sensitivity(accuracies=accuracies)
    return Sensitivity(
        round((max(shares) - min(shares)) * 100, 2),
        round(stdev(shares) * 100, 2),
        accuracies,
        round(variance(shares) * 100**2, 2),
    )


def read_sensitivity(path: str | os.PathLike[str]) -> Sensitivity:
    """Return what the summary of a published format-sensitivity score file says.

    Raises `InputError` for an empty file, and as `read_lines` does.
    """
    first = next(read_lines(path, problems=[]), None)
    if first is None:
        raise InputError("the score file is empty", path=path, hint="its first line has to be the summary")
    summary = first.value
    configs = {name: value for name, value in summary.items() if isinstance(value, dict)}
    accuracies = {name: _number(value.get("accuracy")) for name, value in configs.items()}
    return Sensitivity(
        _number(summary.get("accuracy_max_delta")),
        _number(summary.get("accuracy_std")),
        {name: accuracy for name, accuracy in accuracies.items() if accuracy is not None},
        _number(summary.get("accuracy_variance")),
    )


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) else None
