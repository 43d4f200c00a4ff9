"""How long dialogues take: one run's multi-turn categories, faircall beside the official tool, on one core.

usage: python benchmarks/replay_speed.py OFFICIAL RESULTS [--as NAME] [--profile P] [--rounds N] [--cores N]

OFFICIAL is a virtual environment with bfcl-eval 2026.3.23, RESULTS the results of one model in BFCL's layout; --as
gives the run the name of a model that the official tool knows. Both tools score the same copy as whole processes, in
turns, after a round that is not timed; medians are printed, and asserted is nothing. With --cores, that many copies of
the run are scored by faircall with as many workers and with one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from score_speed import copy_run, run, time_both

from faircall.bfcl.categories import CATEGORIES, Group
from faircall.bfcl.layout import discover


def main() -> None:
    parser = argparse.ArgumentParser(description="Time faircall's replay beside the official tool.")
    parser.add_argument("official", type=Path, help="virtual environment with bfcl-eval 2026.3.23")
    parser.add_argument("results", type=Path, help="results of one model in BFCL's layout")
    parser.add_argument("--as", dest="name", help="score the run under this model's name")
    parser.add_argument("--profile", default="official-2026.3.23")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=1)
    options = parser.parse_args()
    [found] = discover(options.results)
    name = options.name or found.model
    with TemporaryDirectory() as folder:
        root = Path(folder)
        files = {
            category: path
            for category, path in found.files.items()
            if CATEGORIES[category].group is Group.MULTI_TURN
        }
        copy_run(files, root / "result" / name.replace("/", "_"))
        entries = sum(CATEGORIES[category].entries for category in files)
        print(f"{name}: {entries} entries of {', '.join(files)}; profile {options.profile}")
        if options.cores > 1:
            time_cores(options, root, files, name)
            return
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        command = [*ours(options, root), "--format", "csv", "-o", str(root / "faircall.csv")]
        counts = time_both(options, root, name, list(files), command)
        print(f"correct entries as the official tool counts them: {counts}")


def ours(options: argparse.Namespace, root: Path) -> list[str]:
    command = [sys.executable, "-m", "faircall.cli", "score", str(root / "result")]
    return [*command, "--profile", options.profile]


def time_cores(options: argparse.Namespace, root: Path, files: dict[str, Path], name: str) -> None:
    shutil.rmtree(root / "result")
    for number in range(options.cores * 4):
        copy_run(files, root / "result" / f"{name.replace('/', '_')}-{number}")
    command = [
        *ours(options, root),
        "--decoder",
        "tool-calls",
        "--format",
        "csv",
        "-o",
        str(root / "faircall.csv"),
    ]
    for workers in (1, options.cores):
        seconds = [run([*command, "--workers", str(workers)], root).wall_s for _ in range(options.rounds)]
        print(f"{options.cores * 4} runs, {workers} worker(s): {median(seconds):.2f} s")


if __name__ == "__main__":
    main()
