"""Per model, what the official check credits on the irrelevance questions, and what the evidence does.

usage: python benchmarks/irrelevance_by_model.py FOLDER

FOLDER holds a file a model, `<model>.jsonl`, with lines of `id`, `output` and `credited` (what the official check of
its day said). Questions and tools are those of the pulled benchmark data.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from faircall.bfcl.data import find
from faircall.bfcl.models import find_model
from faircall.gate import judge
from faircall.schema import read_tools
from faircall.types import State


def main(folder: Path) -> None:
    entries = find().entries("irrelevance")
    print(f"{'model':44}{'n':>5}{'official':>10}{'evidence':>10}{'malformed':>11}{'unclear':>9}{'error':>7}")
    totals: Counter[str] = Counter()
    for path in sorted(folder.glob("*.jsonl")):
        counts: Counter[str] = Counter()
        info = find_model(path.stem)
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found = judge(
                row["output"], read_tools(entries[row["id"]].tools), decoder=info.decoder if info else "auto"
            )
            counts["n"] += 1
            counts["official"] += row["credited"]
            counts["evidence"] += row["credited"] and found.state is State.ABSTAINED
            counts["malformed"] += (
                row["credited"] and found.state is State.MALFORMED and found.reason != "unclear"
            )
            counts["unclear"] += row["credited"] and found.reason == "unclear"
            counts["error"] += row["credited"] and found.state is State.ERROR
        print_row(path.stem, counts)
        totals += counts
    print_row("all", totals)


def print_row(name: str, counts: Counter[str]) -> None:
    figures = [counts[key] for key in ("n", "official", "evidence", "malformed", "unclear", "error")]
    widths = (5, 10, 10, 11, 9, 7)
    print(f"{name:44}" + "".join(f"{figure:{width}}" for figure, width in zip(figures, widths, strict=True)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
