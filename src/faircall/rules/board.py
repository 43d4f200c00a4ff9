"""The board family of the register: every rule whose id begins with B, in the order of the ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.rules.board_credit import (
    LEADERS_BLOCK_SHARE,
    LOST_CALLS_CREDITED,
    ONE_BLOCK_SCORE,
    OUTRANKED_BY_CHANCE_LEVEL,
)
from faircall.rules.board_ranks import RANK_OUT_OF_ORDER, RANKS_NOT_TOLD_APART
from faircall.rules.board_recipe import (
    LEVEL_NOT_REBUILT,
    NA_COUNTED_AS_ZERO,
    NA_IN_SCORE,
    ROW_NOT_REBUILT,
    STATED_RECIPE_NOT_USED,
    TABLES_DISAGREE,
    UNKNOWN_RECIPE,
)
from faircall.rules.board_weights import WEIGHT_RULES
from faircall.rules.register import rank_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.board import RebuiltBoard
    from faircall.rules.register import Rule
    from faircall.types import Finding

BOARD_RULES: Final[tuple[Rule[RebuiltBoard], ...]] = (
    STATED_RECIPE_NOT_USED,
    LOST_CALLS_CREDITED,
    NA_COUNTED_AS_ZERO,
    NA_IN_SCORE,
    OUTRANKED_BY_CHANCE_LEVEL,
    ONE_BLOCK_SCORE,
    LEADERS_BLOCK_SHARE,
    RANKS_NOT_TOLD_APART,
    ROW_NOT_REBUILT,
    UNKNOWN_RECIPE,
    TABLES_DISAGREE,
    RANK_OUT_OF_ORDER,
    LEVEL_NOT_REBUILT,
    *WEIGHT_RULES,
)


def inspect_board(board: RebuiltBoard, *, source: str = "", options: Sequence[str] = ()) -> list[Finding]:
    """Return what the board rules report, by the points that it moves.

    `source` is the path of the board, if it has one, and `options` are what else was asked of the command.
    """
    words = {"BOARD": source}
    found = [finding for rule in BOARD_RULES for finding in rule.run(board, words, options)]
    return rank_findings(found, additive=False)
