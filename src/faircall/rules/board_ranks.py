"""Rules on the order of a board: what the intervals can tell apart, and whether ranks follow the scores."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from faircall.rules import board_examples as examples
from faircall.rules.board_subject import ANY_BOARD, counted, listed, read_example, two
from faircall.rules.register import Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.board import RebuiltBoard

_MOST_BREAKS: Final = 15  # ranks that the sentence lists


def _ranks_not_told_apart(board: RebuiltBoard) -> Iterator[Observed]:
    pairs = board.pairs()
    apart = [row for row, below in pairs if below.told_apart]
    if len(apart) == len(pairs):
        return
    width = max(row.alike[1] - row.alike[0] + 1 for row in board.rows if row.alike is not None)
    message = (
        f"{len(apart)} of {counted(len(pairs), 'neighbouring pair')} can be told apart at 95 % from the "
        f"published figures and the number of entries; the widest group that cannot spans {width} ranks."
    )
    if 0 < len(apart) <= _MOST_BREAKS:
        ranks = [str(row.rank) for row in apart]
        message += f" Neighbours are told apart below {'rank' if len(ranks) == 1 else 'ranks'} "
        message += f"{listed(ranks, most=_MOST_BREAKS)}."
    yield Observed(
        board.board.name,
        message,
        {
            "pairs": len(pairs),
            "told_apart": len(apart),
            "widest_group": width,
            "breaks_below_rank": [row.rank for row in apart],
        },
    )


def _rank_out_of_order(board: RebuiltBoard) -> Iterator[Observed]:
    if not board.ranked:
        return
    scored = [row for row in board.rows if row.published is not None]
    for upper, lower in pairwise(scored):
        if upper.published is None or lower.published is None:
            continue
        apart = upper.published.value - lower.published.value
        if (upper.rank < lower.rank and apart < 0) or (upper.rank == lower.rank and apart):
            yield Observed(
                upper.model,
                f"{upper.model} has rank {upper.rank} with {two(upper.published.value)}, "
                f"{'as' if upper.rank == lower.rank else 'above'} "
                f"{lower.model} at rank {lower.rank} with {two(lower.published.value)}.",
                {
                    "rank": upper.rank,
                    "published": upper.published.value,
                    "below": {
                        "model": lower.model,
                        "rank": lower.rank,
                        "published": lower.published.value,
                    },
                },
                words={"MODEL": upper.model},
            )


RANKS_NOT_TOLD_APART: Final = Rule(
    id="B008",
    slug="ranks-not-told-apart",
    severity=Severity.NOTE,
    versions=ANY_BOARD,
    claim="Neighbouring rows differ by less than the number of entries can show at 95 %.",
    not_claimed="that the models are equal; a comparison entry by entry of the stored outputs would be "
    "sharper, and entries that ask the same thing several times would be blunter",
    wrong_if="the entries are far from independent, or a model answers differently from run to run, "
    "which no number of entries shows",
    command="faircall audit BOARD --select B008",
    bad=examples.CLOSE,
    good=examples.SOUND,
    check=_ranks_not_told_apart,
    read=read_example,
)
RANK_OUT_OF_ORDER: Final = Rule(
    id="B012",
    slug="rank-out-of-order",
    severity=Severity.WARNING,
    versions="boards that print ranks",
    claim="Printed ranks do not follow the published scores: a lower score is above, or two scores share one.",
    not_claimed="which of the two is right",
    wrong_if="the board ranks by something else than the score",
    command="faircall audit BOARD --model MODEL --select B012",
    bad=examples.MISRANKED,
    good=examples.RANKED,
    check=_rank_out_of_order,
    read=read_example,
)
