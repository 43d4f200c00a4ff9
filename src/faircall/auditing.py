"""`audit`: a published board in, a report out that says which of its points are real."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.board import Match, Neighbour, RebuiltBoard, RebuiltRow, read_board, read_snapshot, rebuild
from faircall.composition import DEFAULT_RECIPE, Average, load_recipe
from faircall.errors import UsageError
from faircall.rules.board import BOARD_RULES, inspect_board
from faircall.rules.board_credit import LEADERS_BLOCK_SHARE
from faircall.rules.board_ranks import RANKS_NOT_TOLD_APART
from faircall.rules.board_recipe import describe_doubt, describe_top, worst_row
from faircall.rules.board_subject import counted, has_lost_calls, listed, ranged, two
from faircall.rules.choice import EVERY_RULE, Choice
from faircall.signature import sign
from faircall.types import Finding  # noqa: TC001 - the type of a field, looked up when a report is decoded

if TYPE_CHECKING:
    from pathlib import Path

    from faircall.stats import Estimate

_CLOSE: Final = 3  # names that an unknown model is answered with


class BoardInfo(msgspec.Struct, frozen=True):
    """Which board it is: `date` is None where the board does not carry one; `hash` stands for its figures."""

    name: str
    date: str | None
    models: int
    source: str | None
    hash: str


class Worst(msgspec.Struct, frozen=True):
    """The row that is furthest from the unweighted average of its blocks."""

    model: str
    published: float
    unweighted: float
    gap: float


class BlockShare(msgspec.Struct, frozen=True):
    """What a block counts for by the stated recipe, in percent, and how many entries it has."""

    stated: float
    entries: int | None


class CategoryShare(msgspec.Struct, frozen=True):
    """What a category counts for: percent of the score, entries, and points of the score for one entry."""

    share: float
    entries: int | None
    per_entry: float | None


class CompositionInfo(msgspec.Struct, frozen=True):
    """How the scores are made: by the page (`stated`), and in fact (`actual`; None where it is not known).

    `rows_matching` counts the rows that each reproduces of `rows_compared`, to within `tolerance`, which is
    what the rounding of the printed figures allows; rows with a figure missing are not compared.
    """

    stated: str
    actual: dict[str, float] | None
    rows_matching: dict[str, int]
    worst: Worst | None
    recipe: str
    found: str
    rows_compared: int
    largest_difference: dict[str, float]
    tolerance: float
    levels: dict[str, dict[str, Any]]
    blocks: dict[str, BlockShare]
    categories: dict[str, CategoryShare]


class NextRow(msgspec.Struct, frozen=True):
    """The row below, how many points down it is, and by how many standard errors (`z`)."""

    model: str
    difference: float
    z: float
    told_apart: bool


class ReportRow(msgspec.Struct, frozen=True):
    """One model, in percent but `J`. What is missing is None; `bounds` is there where the score has a gap.

    `rank` is as published; `rank_weighted` and `rank_unweighted` are those by the two rebuilt scores, equal scores
    having the same. `alike` are the best and the worst rank that the row cannot be told apart from at 95 %.
    """

    rank: int
    model: str
    published: float | None
    weighted: float | None
    unweighted: float | None
    irrelevance: float | None
    relevance: float | None
    irrelevance_share: float | None
    interval: tuple[float, float] | None
    J: float | None
    J_interval: tuple[float, float] | None
    alike: tuple[int, int] | None
    next: NextRow | None
    blocks: dict[str, float | None]
    bounds: tuple[float, float] | None
    missing: tuple[str, ...]
    rank_weighted: int | None = None
    rank_unweighted: int | None = None


class Selection(msgspec.Struct, frozen=True):
    """Which rows were asked for; all of them where both are None."""

    top: int | None = None
    model: str | None = None


class AuditReport(msgspec.Struct, frozen=True):
    """What an audit found: the composition, the rows, the findings, and the signature of all its numbers.

    `known` are the findings that a baseline has already.
    """

    board: BoardInfo
    composition: CompositionInfo
    conclusion: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    findings: tuple[Finding, ...]
    known: tuple[Finding, ...]
    selection: Selection
    signature: str

    def __str__(self) -> str:
        """Return the conclusion and the signature."""
        return "\n".join([*self.conclusion, self.signature])


def audit(
    path: str | Path | None = None,
    *,
    top: int | None = None,
    model: str | None = None,
    recipe: str | Path | None = None,
    choice: Choice = EVERY_RULE,
) -> AuditReport:
    """Return the audit of the board at `path`: a CSV file, or a folder with BFCL's; without it, the snapshot.

    `top` keeps the first rows; `model` keeps the rows whose name holds it, in any case, with the findings
    that name them or are about the board. `recipe` names a recipe, or a file with another. All figures
    come from the whole board. `choice` says which rules' findings are listed, and which are known. Does not read any
    model's outputs. Raises InputError for a board or a recipe that cannot be read, and UsageError for a model that is
    not on the board, a `top` below 1, or an unknown recipe.

    >>> report = audit()
    >>> report.composition.rows_matching
    {'stated': 0, 'actual': 109}
    """
    if top is not None and top < 1:
        raise UsageError(f"the number of rows to show must be 1 or more, not {top}")
    loaded = load_recipe(recipe)
    board = rebuild(read_snapshot() if path is None else read_board(path, loaded), loaded)
    rows = _select(board, top, model)
    digits = board.board.hash()
    choice.refuse_none(BOARD_RULES, "boards")
    options = [] if recipe is None else ["--recipe", str(recipe)]
    findings = inspect_board(board, source="" if path is None else str(path), options=options)
    conclusion = _conclude(board, findings)
    weighted = _ranks([row.weighted.value for row in board.rows])
    unweighted = _ranks([row.unweighted.value for row in board.rows])
    if model is not None:
        shown = {row.model for row in rows}
        everyone = {row.model for row in board.rows}
        findings = [
            each
            for each in findings
            if each.subject not in everyone or any(name in each.message for name in shown)
        ]
    new, known = choice.sift(findings)
    return AuditReport(
        board=BoardInfo(board.board.name, board.board.date, len(board.rows), board.board.source, digits),
        composition=_composition(board),
        conclusion=tuple(conclusion),
        rows=tuple(
            _report_row(row, weighted.get(row.weighted.value), unweighted.get(row.unweighted.value))
            for row in rows
        ),
        findings=new,
        known=known,
        selection=Selection(top, model),
        signature=_signature(board, recipe, digits),
    )


def _select(board: RebuiltBoard, top: int | None, model: str | None) -> list[RebuiltRow]:
    rows = list(board.rows)
    if model is not None and not model.strip():
        raise UsageError("an empty name is in every name: give a part of a model's name")
    if model is not None:
        rows = [row for row in rows if model.casefold() in row.model.casefold()]
        if not rows:
            names = {row.model.casefold(): row.model for row in board.rows}
            close = get_close_matches(model.casefold(), names, n=_CLOSE, cutoff=0.3)
            hint = f"; close: {', '.join(repr(names[name]) for name in close)}" if close else ""
            raise UsageError(f"no model of the board has {model!r} in its name{hint}")
    return rows[:top]


def _signature(board: RebuiltBoard, recipe: str | Path | None, digits: str) -> str:
    fields = {
        "board": board.board.name,
        "date": board.board.date,
        "rows": f"{len(board.rows)}#{digits}",
        "recipe": board.recipe.label if board.known else "unknown",
    }
    if recipe is not None and str(recipe) != DEFAULT_RECIPE:
        fields["given"] = board.given.label
    return sign({**fields, "ci": "wilson95"})


def _composition(board: RebuiltBoard) -> CompositionInfo:
    fit = board.fit
    worst = worst_row(board, board.given.with_average(Average.UNWEIGHTED))
    stated = board.given.with_average(board.given.stated).weights()
    leaves = {leaf.name: leaf for leaf in board.recipe.score.leaves()}
    return CompositionInfo(
        stated=board.given.stated.value,
        actual={name: _short(weight) for name, weight in board.recipe.weights().items()}
        if board.known
        else None,
        rows_matching={"stated": fit.stated.matching, "actual": fit.match.matching},
        worst=None if worst is None else _worst(*worst),
        recipe=board.recipe.label if board.known else "unknown",
        found=fit.how,
        rows_compared=fit.match.compared,
        largest_difference={"stated": _largest(fit.stated), "actual": _largest(fit.match)},
        tolerance=round(fit.match.tolerance, 4),
        levels={
            level.name: {
                "average": level.average.value,
                "rows_matching": level.matching,
                "rows_compared": level.compared,
            }
            for level in board.levels
        },
        blocks={
            part.name: BlockShare(_short(stated[part.name]), part.size()) for part in board.recipe.score.parts
        },
        categories={
            name: CategoryShare(
                round(100 * share, 4),
                leaves[name].entries,
                None if not leaves[name].entries else round(100 * share / (leaves[name].entries or 1), 5),
            )
            for name, share in board.recipe.leaf_shares().items()
        },
    )


def _worst(row: RebuiltRow, value: float) -> Worst:
    published = row.published.value if row.published else 0.0
    return Worst(row.model, published, round(value, 2), round(abs(value - published), 2))


def _largest(match: Match) -> float:
    """Return the largest difference of the rows that match, or of all rows where none does."""
    return round(match.largest_matching if match.matching else match.largest, 4)


def _ranks(scores: list[float | None]) -> dict[float | None, int]:
    """Return the rank of each score that there is, the highest first."""
    there = sorted((score for score in scores if score is not None), reverse=True)
    ranks: dict[float | None, int] = {}
    for rank, score in enumerate(there, 1):
        ranks.setdefault(score, rank)
    return ranks


def _report_row(row: RebuiltRow, rank_weighted: int | None, rank_unweighted: int | None) -> ReportRow:
    gap = bool(row.weighted.missing)
    return ReportRow(
        rank=row.rank,
        model=row.model,
        published=None if row.published is None else row.published.value,
        weighted=_round(row.weighted.value, 3),
        unweighted=_round(row.unweighted.value, 3),
        irrelevance=_round(row.irrelevance, 3),
        relevance=_round(row.relevance, 3),
        irrelevance_share=_round(row.share, 2),
        interval=_ends(row.interval, 2),
        J=None if row.j is None else _round(row.j.value, 4),
        J_interval=_ends(row.j, 4),
        alike=row.alike,
        next=_next(row.below),
        blocks={name: _round(block.value, 3) for name, block in row.blocks.items()},
        bounds=(round(row.weighted.low, 2), round(row.weighted.high, 2)) if gap else None,
        missing=row.weighted.missing,
        rank_weighted=rank_weighted,
        rank_unweighted=rank_unweighted,
    )


def _next(below: Neighbour | None) -> NextRow | None:
    if below is None:
        return None
    z = round(below.separation, 2) if below.separation < 1e6 else 1e6
    return NextRow(below.model, round(below.difference, 3) + 0.0, z, below.told_apart)


def _round(value: float | None, digits: int) -> float | None:
    """Return a rounded figure, without a negative zero."""
    return None if value is None else round(value, digits) + 0.0


def _ends(estimate: Estimate | None, digits: int) -> tuple[float, float] | None:
    if estimate is None:
        return None
    return round(estimate.low, digits) + 0.0, round(estimate.high, digits) + 0.0


def _short(weight: float) -> float:
    return int(weight) if float(weight).is_integer() else weight


def _conclude(board: RebuiltBoard, findings: list[Finding]) -> list[str]:
    """Return what the audit comes to, in a handful of sentences for a reader with two minutes."""
    lines = [_conclude_recipe(board)]
    lost = [row for row in board.rows if has_lost_calls(row)]
    if lost:
        names = [row.model if row.share is None else f"{row.model} ({row.share:.0f} %)" for row in lost]
        most = "most of their score" if len(lost) > 1 else "most of its score"
        what = most if all((row.share or 0.0) > 50 for row in lost) else "points"
        lines.append(
            f"{counted(len(lost), 'row gets', 'rows get')} {what} for declining, without ever making a call "
            f"where one is wanted: {listed(names)}."
        )
    gaps = [row.model for row in board.rows if row.weighted.stated_missing]
    if gaps:
        lines.append(
            f"{counted(len(gaps), 'row has', 'rows have')} no figure in a part of the score (N/A): "
            f"{listed(gaps)}."
        )
    for finding in findings:
        if finding.rule == LEADERS_BLOCK_SHARE.id:
            lines.append(_conclude_control(finding.evidence, any_lost=bool(lost)))
        elif finding.rule == RANKS_NOT_TOLD_APART.id:
            pairs = counted(finding.evidence["pairs"], "neighbouring pair")
            lines.append(
                f"By the number of entries, {finding.evidence['told_apart']} of {pairs} can be told "
                "apart at 95 %; "
                "the column `alike` says which ranks cannot."
            )
    return lines


def _conclude_control(seen: dict[str, Any], *, any_lost: bool) -> str:
    share, wanted = seen["share"], seen["relevance"]
    kind = "of that kind" if any_lost else "of the kind whose calls are lost"
    who = f"The top {seen['rows']} are" if seen["rows"] > 1 else "The top row is"
    if seen["lost_calls"]:
        who = f"Of the top {seen['rows']}, {counted(len(seen['lost_calls']), 'is', 'are')}"
    are = f"{who} {kind}" if seen["lost_calls"] else f"{who} not {kind}"
    return (
        f"{are}: {ranged(*share, digits=1)} % of the score is for declining, and relevance is "
        f"{ranged(*wanted, digits=0)} %."
    )


def _conclude_recipe(board: RebuiltBoard) -> str:
    fit = board.fit
    if fit.match.compared == 0:
        return "No row has a figure for every block, so that no score can be rebuilt."
    stated = board.given.with_average(board.given.stated)
    if not board.known:
        doubt = "" if fit.doubt is None else f"; {describe_doubt(fit)} so that none is named"
        return (
            f"How the scores are made is not known: {describe_top(board.given, short=True)} reproduce "
            f"{fit.given.matching} of {counted(fit.given.compared, 'row')}{doubt}."
        )
    rows = counted(fit.match.compared, "row")
    if fit.how == "stated":
        return f"The overall score is as stated, {describe_top(stated)}: {fit.match.matching} of {rows} fit."
    worst = worst_row(board, stated)
    moved = ""
    if worst is not None and worst[0].published is not None:
        published = worst[0].published.value
        moved = f" {worst[0].model} is published at {two(published)}; as stated it would be {two(worst[1])}."
    return (
        f"The overall score is not {describe_top(stated, short=True)}, as stated: {fit.stated.matching} "
        f"of {rows} "
        f"fit. It follows {describe_top(fit.recipe)}: {fit.match.matching} of {fit.match.compared} "
        f"fit.{moved}"
    )
