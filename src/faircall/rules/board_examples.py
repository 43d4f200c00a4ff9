"""Small boards, invented, that the register's examples are made of."""

from __future__ import annotations

from typing import Final

HEAD: Final = (
    "Model,Overall Acc,Non-Live AST Acc,Live Acc,Irrelevance Detection,"
    "Multi Turn Acc,Web Search Acc,Memory Acc,Relevance Detection\n"
)

SOUND: Final = (
    HEAD
    + """\
Kite,51.00%,80.00%,70.00%,90.00%,50.00%,40.00%,20.00%,75.00%
Heron,29.00%,60.00%,50.00%,80.00%,20.00%,10.00%,10.00%,87.50%
Wren,15.80%,40.00%,30.00%,50.00%,10.00%,0.00%,4.00%,62.50%
"""
)
"""Three rows weighted 10/10/10/30/40, far apart, each with calls where calls are wanted."""

EVEN: Final = (
    HEAD
    + """\
Kite,64.00%,80.00%,70.00%,90.00%,50.00%,40.00%,20.00%,75.00%
Heron,44.00%,60.00%,50.00%,80.00%,20.00%,10.00%,10.00%,87.50%
Wren,26.40%,40.00%,30.00%,50.00%,10.00%,0.00%,4.00%,62.50%
"""
)
"""The same three rows with the plain average of the blocks as their score."""

NO_RELEVANCE: Final = "\n".join(line.rpartition(",")[0] for line in SOUND.splitlines()) + "\n"
"""The sound board without a column for relevance."""

MUTE: Final = SOUND + "Mute,10.60%,0.00%,0.00%,100.00%,0.00%,2.00%,1.00%,0.00%\n"
"""A row that never calls where a call is wanted, and takes nearly all of its score from not calling."""

BELOW_CONSTANT: Final = SOUND + "Faint,8.00%,10.00%,10.00%,40.00%,0.00%,8.00%,2.00%,37.50%\n"
"""A row below what declining everything is worth."""

OVERTAKEN: Final = MUTE + "Robin,9.60%,40.00%,20.00%,30.00%,0.00%,0.00%,3.00%,56.25%\n"
"""A row that does better on every block but one, and stands below the row that never calls."""

NOT_OVERTAKEN: Final = MUTE + "Robin,12.60%,40.00%,20.00%,60.00%,0.00%,0.00%,3.00%,56.25%\n"

NOT_RUN: Final = SOUND + "Half,36.00%,80.00%,70.00%,90.00%,N/A,40.00%,20.00%,75.00%\n"
"""A row without a multi-turn figure, whose score counts it as 0."""

LEFT_OUT: Final = SOUND + "Half,51.43%,80.00%,70.00%,90.00%,N/A,40.00%,20.00%,75.00%\n"
"""A row without a multi-turn figure, whose score is the average of the rest."""

MEASURED_ZERO: Final = SOUND + "Half,36.00%,80.00%,70.00%,90.00%,0.00%,40.00%,20.00%,75.00%\n"

CLOSE: Final = SOUND + "Kestrel,50.90%,79.00%,70.00%,90.00%,50.00%,40.00%,20.00%,75.00%\n"
"""A row a tenth of a point below the first."""

ODD_ROW: Final = SOUND + "Swift,34.00%,60.00%,50.00%,80.00%,20.00%,10.00%,10.00%,87.50%\n"
"""A row whose score is five points above what its blocks make."""

NO_RECIPE: Final = (
    HEAD
    + """\
Kite,97.00%,80.00%,70.00%,90.00%,50.00%,40.00%,20.00%,75.00%
Heron,96.00%,60.00%,50.00%,80.00%,20.00%,10.00%,10.00%,87.50%
Wren,95.00%,40.00%,30.00%,50.00%,10.00%,0.00%,4.00%,62.50%
"""
)
"""Scores above every block: no average makes them."""

TWO_TABLES: Final = (
    SOUND
    + """\
[live]
Model,Live Overall Acc
Kite,70.00%
Heron,50.00%
Wren,30.00%
"""
)
DIFFERENT_TABLES: Final = TWO_TABLES.replace("\nHeron,50.00%\n", "\nHeron,55.00%\n")

_RANKED: Final = [f"{place or 'Rank'},{line}" for place, line in enumerate(SOUND.splitlines())]
RANKED: Final = "\n".join(_RANKED) + "\n"
MISRANKED: Final = RANKED.replace("2,Heron", "3,Heron").replace("3,Wren", "2,Wren")

_LIVE: Final = ("Live Simple AST", "Live Multiple AST", "Live Parallel AST", "Live Parallel Multiple AST")
_PARTS: Final = ("80.00%,70.00%,70.00%,62.50%", "60.00%,50.00%,50.00%,41.67%", "40.00%,30.00%,25.00%,25.00%")


def _with_live_parts(live: tuple[str, str, str]) -> str:
    lines = SOUND.splitlines()
    rows = [f"{lines[0]},{','.join(_LIVE)}"]
    for line, figure, parts in zip(lines[1:], live, _PARTS, strict=True):
        cells = line.split(",")
        cells[3] = figure
        rows.append(",".join([*cells, parts]))
    return "\n".join(rows) + "\n"


LEVELS: Final = _with_live_parts(("71.78%", "51.76%", "31.76%"))
"""Live figures that are their parts by entries, as the recipe has it."""
OTHER_LEVELS: Final = _with_live_parts(("70.63%", "50.42%", "30.00%"))
"""Live figures that are the plain average of their parts."""
