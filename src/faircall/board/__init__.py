"""Published boards: CSV files in, rows rebuilt from their recipe out."""

from __future__ import annotations

from faircall.board.fitting import Doubt as Doubt
from faircall.board.fitting import Fit as Fit
from faircall.board.fitting import Match as Match
from faircall.board.levels import Level as Level
from faircall.board.levels import level_agrees as level_agrees
from faircall.board.levels import printed_and_parts as printed_and_parts
from faircall.board.reading import Board as Board
from faircall.board.reading import BoardRow as BoardRow
from faircall.board.reading import assemble as assemble
from faircall.board.reading import parse_board as parse_board
from faircall.board.reading import read_board as read_board
from faircall.board.reading import read_snapshot as read_snapshot
from faircall.board.rebuilding import Neighbour as Neighbour
from faircall.board.rebuilding import RebuiltBoard as RebuiltBoard
from faircall.board.rebuilding import RebuiltRow as RebuiltRow
from faircall.board.rebuilding import rebuild as rebuild
from faircall.board.tables import parse_table as parse_table
