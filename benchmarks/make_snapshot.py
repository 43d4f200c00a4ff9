"""Make the board inside the package from a folder of BFCL's CSV files.

    python benchmarks/make_snapshot.py BOARD_FOLDER --date 2026-04

writes src/faircall/snapshot/bfcl-v4.json: the figures that the recipe reads, in whole hundredths of a
percent.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from faircall.board import read_board
from faircall.composition import Printed, load_recipe

TARGET = Path(__file__).resolve().parent.parent / "src" / "faircall" / "snapshot" / "bfcl-v4.json"


def hundredths(figure: Printed | None) -> int | None:
    if figure is None:
        return None
    if figure.half != 0.005:
        raise SystemExit(f"{figure.value} is not printed to two decimals")
    return round(figure.value * 100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--date", required=True, help="when the board was served, as YYYY-MM")
    parser.add_argument("--source", default="ShishirPatil/gorilla, branch gh-pages")
    parser.add_argument("--licence", default="Apache-2.0")
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    options = parser.parse_args()

    board = read_board(options.folder, load_recipe())
    rows = sorted(board.rows, key=lambda row: row.rank or 0)
    if [row.rank for row in rows] != list(range(1, len(rows) + 1)):
        raise SystemExit("the ranks are not 1, 2, 3, …")
    places: dict[tuple[int | None, ...], int] = {}
    columns = {}
    for column in rows[0].cells:
        figures = tuple(hundredths(row.cells[column]) for row in rows)
        columns[column] = places.setdefault(figures, len(places))
    head = {
        "board": "bfcl-v4",
        "date": options.date,
        "source": options.source,
        "licence": options.licence,
        "unit": 0.01,
        "tables": board.tables,
        "columns": columns,
    }
    lines = [
        f"  {json.dumps(row.model)}: "
        + json.dumps(
            [hundredths(row.published), *(figures[place] for figures in places)],
            separators=(",", ":"),
        )
        for place, row in enumerate(rows)
    ]
    text = json.dumps(head, indent=1)[:-2] + ',\n "rows": {\n' + ",\n".join(lines) + "\n }\n}\n"
    options.output.write_text(text, encoding="utf-8")
    print(f"{options.output}: {len(rows)} models, {len(places) + 1} figures each, {len(text)} bytes")


if __name__ == "__main__":
    main()
