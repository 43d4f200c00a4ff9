"""Weights recovered from rows: what the blocks must count for, if the published scores are to come out.

Weights are named only where the rows leave no choice: rows enough for the unknowns, one set of round weights
within the rounding of the printed figures, and so narrow a rest of possible weights that the round one in it is
no accident.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from faircall.composition import Printed, Rebuilt, agrees

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIECES: Final = (10, 12, 20, 40, 100, 200, 1000, 10000)
"""What "round weights" means: whole numbers of so many equal pieces of the score, the roundest first."""
_MANY: Final = 100  # sets of weights that are counted; past it, they are many
_MOST_TRIALS: Final = 20_000
_CHANCE: Final = 0.01  # how likely a round set of weights may be to fit by accident
_ROUNDS: Final = 8
_SLACK: Final = 1e-6


class Line(NamedTuple):
    """A row to be explained: its published score and its blocks, none of them missing."""

    published: Printed
    parts: list[Rebuilt]

    def at(self, shares: Sequence[float]) -> tuple[float, float]:
        """Return the score with each block counting for its share, and how far rounding can move it."""
        value = half = 0.0
        for share, part in zip(shares, self.parts, strict=True):
            value += share * part.zero
            half += share * part.half
        return value, half

    def fits(self, weights: Sequence[float]) -> bool:
        """Return whether weights in percent make the published score, up to rounding."""
        value, half = self.at([weight / 100 for weight in weights])
        return agrees(value, half, self.published)


class Recovered(NamedTuple):
    """The roundest weights, in percent, that reproduce `matching` of the rows, and more than half.

    `several` says that other weights reproduce them too, so that these are one possibility and not the answer.
    """

    weights: list[float]
    matching: int
    several: bool


def rows_needed(unknowns: int) -> int:
    """Return how many rows have to match before a recipe with so many unknowns is named.

    Twice the unknowns, and three more than them at the least: each row past their number is a test that
    could have failed.

    >>> rows_needed(0), rows_needed(4)
    (3, 8)
    """
    return max(unknowns + 3, 2 * unknowns)


def recover_weights(lines: Sequence[Line]) -> Recovered | None:
    """Return the roundest weights that reproduce most lines, and more than half; or None where none do.

    Least squares over the lines, with those that fit worst set aside in turn; around each solution, every set
    of round weights is tried. None, too, where the lines are fewer than `rows_needed`.
    """
    if not lines or len(lines) < rows_needed(len(lines[0].parts) - 1):
        return None
    best: Recovered | None = None
    for kept in _consistent(lines):
        found = _roundest(kept, lines)
        if (
            found is not None
            and 2 * found.matching > len(lines)
            and (best is None or found.matching > best.matching)
        ):
            best = found
    return best


def _roundest(kept: Sequence[Line], lines: Sequence[Line]) -> Recovered | None:
    """Return the roundest weights that fit all lines that are kept, and how many of all lines they fit."""
    for pieces in _PIECES:
        sets, complete = _fitting(kept, pieces, limit=_MANY)
        if not sets:
            continue
        counts = [sum(line.fits(weights) for line in lines) for weights in sets]
        most = max(counts)
        weights = sets[counts.index(most)]
        alone = complete and counts.count(most) == 1
        several = not (alone and _narrow([line for line in lines if line.fits(weights)], pieces))
        return Recovered(weights, most, several)
    solved = _solve(kept, len(kept[0].parts))
    if solved is None or min(solved) < -_SLACK or not sum(solved) > 0:
        return None
    weights = [100 * max(0.0, weight) / sum(solved) for weight in solved]
    if not all(line.fits(weights) for line in kept):
        return None
    return Recovered(weights, sum(line.fits(weights) for line in lines), several=True)


def _narrow(lines: Sequence[Line], pieces: int) -> bool:
    """Return whether weights that fit are so few that a round one among them is unlikely to be an accident.

    Counted are the sets of weights that fit in much smaller pieces.
    """
    unknowns = len(lines[0].parts) - 1
    if unknowns == 0:
        return True
    finer = math.ceil((20 / _CHANCE) ** (1 / unknowns))
    most = math.floor(_CHANCE * finer**unknowns)
    sets, complete = _fitting(lines, pieces * finer, limit=most + 1)
    return complete and len(sets) <= most


def _fitting(lines: Sequence[Line], pieces: int, *, limit: int) -> tuple[list[list[float]], bool]:
    """Return the weights, in percent, that are whole numbers of `pieces` equal pieces and fit every line.

    They lie in an ellipsoid around the least-squares solution, in which each weight is tried in turn. With them
    comes whether these are all, rather than the first `limit` or what was found until the trials ran out.
    """
    *solved, last = range(len(lines[0].parts))
    rows = []
    for published, parts in lines:
        tolerance = max(part.half for part in parts) + published.half + _SLACK
        base = parts[last].zero
        row = [(parts[place].zero - base) / pieces for place in solved]
        rows.append([value / tolerance for value in (*row, published.value - base)])
    triangle, targets, rest = _triangle(rows, len(solved))
    units = [0] * len(lines[0].parts)
    found: list[list[float]] = []
    trials = 0

    def descend(place: int, left: int, budget: float) -> bool:
        """Try the weights from `place` down; return False where the search has to stop."""
        nonlocal trials
        trials += 1
        if trials > _MOST_TRIALS:
            return False
        if place < 0:
            units[last] = left
            weights = [100 * unit / pieces for unit in units]
            if all(line.fits(weights) for line in lines):
                found.append(weights)
            return len(found) < limit
        row = triangle[place]
        target = targets[place] - sum(row[other] * units[other] for other in solved[place + 1 :])
        reach = math.sqrt(budget)
        first, final = 0, left
        if abs(row[place]) * left > _SLACK:
            first = max(0, math.ceil((target - reach) / row[place] - _SLACK))
            final = min(left, math.floor((target + reach) / row[place] + _SLACK))
        elif abs(target) > reach + _SLACK:
            return True
        for unit in range(first, final + 1):
            units[place] = unit
            spare = max(0.0, budget - (target - row[place] * unit) ** 2)
            if not descend(place - 1, left - unit, spare):
                return False
        return True

    budget = len(lines) * (1 + _SLACK) - rest
    complete = budget < 0 or descend(len(solved) - 1, pieces, budget)
    return found, complete


def _triangle(rows: Sequence[Sequence[float]], width: int) -> tuple[list[list[float]], list[float], float]:
    """Return the rows' equations in triangular form: coefficients, right sides, and the squares left over.

    The last number of each row is its right side. By Gram and Schmidt, in the modified form.
    """
    columns = [[row[place] for row in rows] for place in range(width + 1)]
    triangle = [[0.0] * width for _ in range(width)]
    targets = [0.0] * width
    for place in range(width):
        own = columns[place]
        length = math.sqrt(sum(value * value for value in own))
        triangle[place][place] = length
        if length == 0:
            continue
        unit = [value / length for value in own]
        for other in range(place + 1, width + 1):
            along = sum(a * b for a, b in zip(unit, columns[other], strict=True))
            columns[other] = [b - along * a for a, b in zip(unit, columns[other], strict=True)]
            if other < width:
                triangle[place][other] = along
            else:
                targets[place] = along
    return triangle, targets, sum(value * value for value in columns[width])


def _consistent(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield all lines, then the part that fits a least-squares solution better, in turn."""
    kept = list(lines)
    width = len(lines[0].parts)
    seen: set[frozenset[int]] = set()
    for _ in range(_ROUNDS):
        places = frozenset(id(line) for line in kept)
        if places in seen:
            return
        seen.add(places)
        yield kept
        solved = _solve(kept, width)
        if solved is None:
            return
        misses = [abs(line.at(solved)[0] - line.published.value) for line in lines]
        ranked = [line for _, line in sorted(zip(misses, lines, strict=True), key=lambda pair: pair[0])]
        kept = ranked[: max(rows_needed(width - 1), len(lines) * 3 // 5)]


def _solve(lines: Sequence[Line], width: int) -> list[float] | None:
    """Return the least-squares solution by the normal equations, or None where the rows do not fix it."""
    matrix = [
        [sum(parts[i].zero * parts[j].zero for _, parts in lines) for j in range(width)]
        + [sum(parts[i].zero * published.value for published, parts in lines)]
        for i in range(width)
    ]
    scale = max((abs(matrix[i][i]) for i in range(width)), default=0.0)
    for column in range(width):
        pivot = max(range(column, width), key=lambda row: abs(matrix[row][column]))
        if abs(matrix[pivot][column]) <= 1e-9 * scale:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        for row in range(width):
            if row != column:
                factor = matrix[row][column] / matrix[column][column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[column], strict=True)]
    return [matrix[row][width] / matrix[row][row] for row in range(width)]
