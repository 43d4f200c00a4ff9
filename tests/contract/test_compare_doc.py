"""docs/compare.md says what the command prints for its example."""

from __future__ import annotations

import json
import re
from pathlib import Path

from faircall.comparing import compare
from faircall.report.compare_view import category_columns
from faircall.report.comparisons import render_comparison
from faircall.rows import dump_json
from faircall.verdicts import sign_verdicts, writing_verdicts

DOC = (Path(__file__).parents[2] / "docs" / "compare.md").read_text("utf-8")
SIGNATURE = (
    "bench:bfcl-v4|data:2026.3.23#3bb6dfa5|profile:fair-1|decoder:auto|n:512|void:0|ci:wilson95|v:0.1.0"
)


def example(folder):
    """Verdicts of two runs with the counts of the page: those that differ first."""
    counted = json.loads(re.search(r"```json\n(.*?)\n```", DOC, re.DOTALL).group(1))
    path = folder / "verdicts.jsonl"
    with writing_verdicts(path) as stream:
        for side, model in enumerate(("kite", "heron")):
            for category, (both, first, second, neither) in counted.items():
                right = [side == 0] * first + [side == 1] * second + [True] * both + [False] * neither
                for number, passed in enumerate(right):
                    reason = "prose" if (category == "irrelevance") is passed else "decoded"
                    row = {
                        "model": model,
                        "category": category,
                        "id": f"{category}_{number}",
                        "reason": reason,
                    }
                    stream.write(dump_json({**row, "outcome": "pass" if passed else "fail"}) + "\n")
    sign_verdicts(path, SIGNATURE)
    return path


def test_the_example_is_output(tmp_path):
    comparison = compare(example(tmp_path))
    printed = render_comparison(comparison, entries=3)
    excerpt = re.search(r"```text\n(.*?)\n```", DOC, re.DOTALL).group(1)
    # Where the verdicts lie differs from machine to machine; the table of runs leaves it out for want of width or not.
    assert excerpt in re.sub(r"  (from|\S*verdicts\.jsonl)$", "", printed, flags=re.MULTILINE)


def test_every_column_is_explained(tmp_path):
    [pair] = compare(example(tmp_path)).pairs
    heads = [column.head for column in category_columns(pair)]
    assert [
        head for head in heads if head not in {"category", "n", "A %", "B %"} and f"`{head}`" not in DOC
    ] == []
