"""Rules on what a score is made of: credit for not calling, one block for all, and the control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.rules import board_examples as examples
from faircall.rules.board_subject import (
    ANY_BOARD,
    HIGH_IRRELEVANCE,
    LEADERS,
    NEAR_ZERO_J,
    ONE_BLOCK_SHARE,
    abstention_name,
    counted,
    has_lost_calls,
    listed,
    plain,
    ranged,
    read_example,
    two,
)
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.board import RebuiltBoard, RebuiltRow


def _lost_calls_credited(board: RebuiltBoard) -> Iterator[Observed]:
    wanted = board.recipe.relevance.entries if board.recipe.relevance else None
    for row in board.rows:
        if not has_lost_calls(row) or row.irrelevance is None:
            continue
        credit = f"is credited with {two(row.irrelevance)} for making none where none is wanted"
        if row.share is not None and row.published is not None:
            credit += f", {row.share:.1f} % of its {two(row.published.value)} points"
        questions = f", of {wanted} questions" if wanted else ""
        yield Observed(
            row.model,
            f"{row.model} makes no decodable call where one is wanted (relevance {two(0.0)}{questions}), and "
            f"{credit}.",
            {
                "relevance": row.relevance,
                "irrelevance": row.irrelevance,
                "share": None if row.share is None else round(row.share, 2),
                "published": row.published.value if row.published else None,
                "rank": row.rank,
                "J": None if row.j is None else round(row.j.value, 4),
            },
            points=row.block_points(board.recipe).get(board.recipe.abstention or ""),
            words={"MODEL": row.model},
        )


def _rest(board: RebuiltBoard, row: RebuiltRow) -> float | None:
    """Return the points of a row's score from the other blocks than the one that credits not calling."""
    name = board.recipe.abstention
    points = row.block_points(board.recipe)
    if name not in points or len(points) < len(board.recipe.score.parts):
        return None
    return sum(points.values()) - points[name]


def _outranked_by_chance_level(board: RebuiltBoard) -> Iterator[Observed]:
    if not board.known:
        return
    block = abstention_name(board.recipe)
    chance = [row for row in board.rows if row.j is not None and row.j.value <= NEAR_ZERO_J and row.published]
    for row in board.rows:
        rest = _rest(board, row)
        if rest is None or row.published is None or not row.relevance:
            continue
        above = []
        for other in chance:
            other_rest = _rest(board, other)
            if other_rest is None or other.published is None or other.j is None:
                continue
            slack = row.weighted.half + other.weighted.half
            if other.published.value > row.published.value and rest > other_rest + slack:
                above.append((other, other.j.value, other_rest))
        if not above:
            continue
        names = listed([f"{other.model} (rank {other.rank}, J {two(j)})" for other, j, _ in above])
        rests = listed([two(points) for _, _, points in above])
        yield Observed(
            row.model,
            f"{row.model} (relevance {two(row.relevance)}, rank {row.rank}) stands below {names}; "
            f"without the {block} block it would stand above, with {two(rest)} points against {rests}.",
            {
                "rank": row.rank,
                "published": row.published.value,
                "J": None if row.j is None else round(row.j.value, 4),
                "without_block": round(rest, 3),
                "above": [
                    {
                        "model": other.model,
                        "rank": other.rank,
                        "J": round(j, 4),
                        "without_block": round(points, 3),
                    }
                    for other, j, points in above
                ],
            },
            words={"MODEL": row.model},
        )


def _one_block_score(board: RebuiltBoard) -> Iterator[Observed]:
    if not board.known:
        return
    for row in board.rows:
        points = row.block_points(board.recipe)
        if row.published is None or row.published.value == 0 or not points:
            continue
        block, most = max(points.items(), key=lambda item: item[1])
        share = 100 * most / row.published.value
        if share >= ONE_BLOCK_SHARE:
            yield Observed(
                row.model,
                f"{row.model} has {share:.1f} % of its {two(row.published.value)} points from one block, "
                f"{plain(block)}.",
                {
                    "block": block,
                    "share": round(share, 2),
                    "published": row.published.value,
                    "rank": row.rank,
                },
                points=most,
                words={"MODEL": row.model},
            )


def _leaders_block_share(board: RebuiltBoard) -> Iterator[Observed]:
    scored = [row for row in board.rows if row.published is not None]
    leaders = scored[:LEADERS]
    shares = [row.share for row in leaders if row.share is not None]
    wanted = [row.relevance for row in leaders if row.relevance is not None]
    if not leaders or len(shares) < len(leaders) or len(wanted) < len(leaders):
        return
    lost = [row.model for row in leaders if has_lost_calls(row)]
    who = f"The top {counted(len(leaders), 'row')}" if len(leaders) > 1 else "The top row"
    credit = ranged(min(shares), max(shares), digits=1)
    calls = ranged(min(wanted), max(wanted), digits=0)
    message = (
        f"{who} get{'' if len(leaders) > 1 else 's'} {credit} % of the score from the "
        f"{abstention_name(board.recipe)} block, with a relevance of {calls} %: "
    )
    message += (
        f"{counted(len(lost), 'of them has', 'of them have')} the pattern of B002 ({listed(lost)})."
        if lost
        else "none of them has the pattern of B002"
    )
    others = [row.rank for row in scored[LEADERS:] if has_lost_calls(row)]
    if not lost:
        message += f", whose first row is at rank {min(others)}." if others else "."
    js = [row.j.value for row in leaders if row.j is not None]
    yield Observed(
        f"top {len(leaders)}",
        message,
        {
            "rows": len(leaders),
            "share": [round(min(shares), 2), round(max(shares), 2)],
            "relevance": [min(wanted), max(wanted)],
            "J": [round(min(js), 4), round(max(js), 4)] if js else None,
            "lost_calls": lost,
        },
    )


LOST_CALLS_CREDITED: Final = Rule(
    id="B002",
    slug="lost-calls-credited",
    severity=Severity.ERROR,
    versions=ANY_BOARD,
    claim="A row makes no decodable call where one is wanted, and is credited for making none where none "
    "is wanted "
    f"(relevance 0, irrelevance {HIGH_IRRELEVANCE:g} or more): what a run looks like whose calls are lost.",
    not_claimed="why there are no calls (a decoder that does not fit, outputs lost before they were "
    "stored, a model that declines): the stored outputs tell, with `faircall score`",
    wrong_if="a model truly declines everything; relevance has few questions, so that a rate of up to "
    "about one in five can show as 0",
    command="faircall audit BOARD --model MODEL --select B002",
    reports=(
        f"{ISSUES}/1362",
        f"{ISSUES}/443",
    ),
    bad=examples.MUTE,
    good=examples.SOUND,
    check=_lost_calls_credited,
    read=read_example,
)
OUTRANKED_BY_CHANCE_LEVEL: Final = Rule(
    id="B005",
    slug="outranked-by-chance-level",
    severity=Severity.WARNING,
    versions=ANY_BOARD,
    claim="A row that makes calls ranks below one whose J is near 0 or under it "
    f"({NEAR_ZERO_J:g} or less), and would rank above it without the block that credits not calling.",
    not_claimed="that the row is the better model, or that the block should go; only that the block "
    "decides the order of these two",
    wrong_if="the row above declines rightly, and J is near 0 by the chance of few relevance questions",
    command="faircall audit BOARD --model MODEL --select B005",
    reports=(f"{ISSUES}/601",),
    bad=examples.OVERTAKEN,
    good=examples.NOT_OVERTAKEN,
    check=_outranked_by_chance_level,
    read=read_example,
)
ONE_BLOCK_SCORE: Final = Rule(
    id="B006",
    slug="one-block-score",
    severity=Severity.WARNING,
    versions=ANY_BOARD,
    claim=f"{ONE_BLOCK_SHARE:g} % or more of a row's score comes from one block.",
    not_claimed="that the block's own figure is wrong",
    wrong_if="the model is made for that one task",
    command="faircall audit BOARD --model MODEL --select B006",
    reports=(f"{ISSUES}/601",),
    bad=examples.MUTE,
    good=examples.SOUND,
    check=_one_block_score,
    read=read_example,
)
LEADERS_BLOCK_SHARE: Final = Rule(
    id="B007",
    slug="leaders-block-share",
    severity=Severity.NOTE,
    versions=ANY_BOARD,
    claim="The control: what share of the score the top rows get from the block that credits not "
    "calling, and whether any of them has the pattern of B002.",
    not_claimed="that every point of the top rows' blocks is earned; only their outputs can show that",
    wrong_if="the top rows lose calls on some questions only, which a relevance well above 0 does not show",
    command="faircall audit BOARD --select B007",
    bad=examples.SOUND,
    good=examples.NO_RELEVANCE,
    check=_leaders_block_share,
    read=read_example,
)
