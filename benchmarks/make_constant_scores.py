"""Make the table inside the package of what constant outputs score, by scoring them.

    python benchmarks/make_constant_scores.py

writes src/faircall/snapshot/constant-outputs.json: for each of a few outputs, how many entries of each category the
official check credits a model that writes nothing else, in every turn and step. The benchmark's data has to be pulled.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faircall.bfcl.categories import CATEGORIES, Group
from faircall.bfcl.data import BenchmarkData, find
from faircall.runs import score

TARGET = Path(__file__).resolve().parent.parent / "src" / "faircall" / "snapshot" / "constant-outputs.json"
PROFILE = "official-2026.3.23"
OUTPUTS = (
    ("an empty list of calls", [], "tool-calls"),
    ("an empty list as text", "[]", "python"),
    ("an empty text", "", "python"),
    ("an error in place of an answer", "Error during inference: connection refused", "python"),
    ("a refusal", "I cannot help with that.", "python"),
)
"""What each output is called, the output, and the decoder that its scores are made with."""


def write_run(folder: Path, output: Any, benchmark: BenchmarkData) -> None:
    """Write the results of a model that writes one output for everything, but for format sensitivity."""
    for name, category in CATEGORIES.items():
        if category.group is Group.FORMAT_SENSITIVITY:
            continue
        file = folder / category.folder / f"BFCL_v4_{name}_result.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8") as stream:
            for id_ in benchmark.entries(name):
                turns = len(benchmark.answers(name)[id_]) if category.group is Group.MULTI_TURN else 1
                result = output if category.single_turn else [[output]] * turns
                stream.write(json.dumps({"id": id_, "result": result}) + "\n")


def count(
    output: Any, decoder: str, benchmark: BenchmarkData, categories: list[str] | None = None
) -> dict[str, int]:
    """Return how many entries of each category are credited officially to a model that writes one output alone."""
    with TemporaryDirectory() as folder:
        write_run(Path(folder) / "constant", output, benchmark)
        report = score(
            folder,
            profile=PROFILE,
            decoder=decoder,
            categories=categories
            or [
                name
                for name, category in CATEGORIES.items()
                if category.group is not Group.FORMAT_SENSITIVITY
            ],
        )
    return {name: tally.credited["official"] for name, tally in report.runs[0].tallies.items()}


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    benchmark = find()
    rows = [
        {"name": name, "output": output, "decoder": decoder, "credited": count(output, decoder, benchmark)}
        for name, output, decoder in OUTPUTS
    ]
    head = {"data": f"{benchmark.version}#{benchmark.hash8}", "profile": PROFILE}
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    TARGET.write_text(f'{json.dumps(head)[:-1]}, "outputs": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
