"""What a run cost: the latencies and token counts that result files store beside each output."""

from __future__ import annotations

import math
from array import array
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.records import read_lines
from faircall.stats import quantile

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from faircall.bfcl.models import ModelFacts
    from faircall.problems import Problem

MACHINE_DOLLARS_PER_HOUR: Final = 23.92
"""What the official tool takes eight H100 to cost in an hour."""

MACHINE_REQUESTS: Final = 100
"""How many requests the official tool takes such a machine to answer at a time."""

_BEYOND: Final = 1e18  # neither seconds nor tokens


class Usage(msgspec.Struct, frozen=True):
    """What a run took: tokens, and the latencies of its requests in seconds.

    The token counts are None where no file states any, the figures of latency where there is none, and the
    standard deviation where there is but one.
    """

    input_tokens: float | None = None
    output_tokens: float | None = None
    requests: int = 0
    latency_total_s: float = 0.0
    latency_mean_s: float | None = None
    latency_sd_s: float | None = None
    latency_p95_s: float | None = None

    def cost(self, facts: ModelFacts | None) -> float | None:
        """Return what the run cost in US dollars, as the official tool reckons, or None where it cannot.

        For a model whose tokens have prices, it is what they cost; for any other, the time of its requests on a
        machine of `MACHINE_DOLLARS_PER_HOUR` that answers `MACHINE_REQUESTS` at a time. The latter is a
        convention and no measurement: it knows neither the machine nor how busy it was.

        >>> round(Usage(requests=2, latency_total_s=3600.0).cost(None), 4)
        0.2392
        """
        if facts is not None and facts.input_price is not None and facts.output_price is not None:
            if self.input_tokens is None or self.output_tokens is None:
                return None
            paid_in = self.input_tokens * facts.input_price / 1_000_000
            return paid_in + self.output_tokens * facts.output_price / 1_000_000
        if not self.requests:
            return None
        return self.latency_total_s / 3600 * MACHINE_DOLLARS_PER_HOUR / MACHINE_REQUESTS


class Meter:
    """Adds up the usage of a run, entry by entry; what it keeps is one number for each request."""

    def __init__(self) -> None:
        self._latencies = array("d")
        self._tokens: dict[str, int | float] = {}

    def add(self, entry: dict[str, Any]) -> None:
        """Count one stored entry: its `latency`, `input_token_count` and `output_token_count`.

        Each is a number, or for several turns a list of lists of numbers, one for each request. As in the
        official tool, zeros are no measurements, and a flat list is passed over. So are numbers out of all range.

        >>> meter = Meter()
        >>> meter.add({"id": "multi_turn_base_0", "latency": [[1.0, 2.0], [0]]})
        >>> meter.usage().requests, meter.usage().latency_mean_s
        (2, 1.5)
        """
        self._latencies.extend(_numbers(entry.get("latency")))
        for field in ("input_token_count", "output_token_count"):
            found = _numbers(entry.get(field))
            if found:
                self._tokens[field] = self._tokens.get(field, 0) + sum(found)

    def usage(self) -> Usage:
        """Return what has been added up so far."""
        given, made = self._tokens.get("input_token_count"), self._tokens.get("output_token_count")
        if not self._latencies:
            return Usage(given, made)
        seconds = sorted(self._latencies)
        return Usage(
            input_tokens=given,
            output_tokens=made,
            requests=len(seconds),
            latency_total_s=math.fsum(seconds),
            latency_mean_s=mean(seconds),
            latency_sd_s=stdev(seconds) if len(seconds) > 1 else None,
            latency_p95_s=quantile(seconds, 0.95),
        )


def read_usage(paths: Iterable[str | os.PathLike[str]], *, problems: list[Problem] | None = None) -> Usage:
    """Return the usage that the result files of one run state, all entries of all files taken together.

    Entries without such fields add nothing; of an entry that is stored twice, both count, since both were paid.
    Raises `InputError` as `read_lines` does.

    >>> read_usage([]).requests
    0
    """
    meter = Meter()
    said = [] if problems is None else problems
    for path in paths:
        for record in read_lines(path, problems=said):
            meter.add(record.value)
    return meter.usage()


def _numbers(value: Any) -> list[int | float]:
    if isinstance(value, list):
        if not all(isinstance(inner, list) for inner in value):
            return []
        return [item for inner in value for item in inner if _is_measurement(item)]
    return [value] if _is_measurement(value) else []


def _is_measurement(value: Any) -> bool:
    # Written so that NaN is out as well.
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and value != 0
        and -_BEYOND < value < _BEYOND
    )
