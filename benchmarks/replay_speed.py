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

from score_speed import Took, official_counts, run

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
        time_both(options, root, name, list(files))


def copy_run(files: dict[str, Path], folder: Path) -> None:
    for category, path in files.items():
        target = folder / CATEGORIES[category].group / f"BFCL_v4_{category}_result.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def time_both(options: argparse.Namespace, root: Path, name: str, categories: list[str]) -> None:
    ours = [sys.executable, "-m", "faircall.cli", "score", str(root / "result"), "--profile", options.profile]
    commands = {
        "official": [
            str(options.official / "bin" / "bfcl"), "evaluate",
            "--model", name, "--test-category", ",".join(categories),
        ],
        "faircall": [*ours, "--format", "csv", "-o", str(root / "faircall.csv")],
        "official, import alone": [
            str(options.official / "bin" / "python"), "-c", "import bfcl_eval.eval_checker.eval_runner",
        ],
    }  # fmt: skip
    took: dict[str, list[Took]] = {tool: [] for tool in commands}
    counts: dict[str, int] = {}
    for number in range(options.rounds + 1):
        for tool, command in commands.items():
            shutil.rmtree(root / "score", ignore_errors=True)
            seconds = run(command, root)
            if tool == "official":
                counts = official_counts(root / "score")
            if number:
                took[tool].append(seconds)
    medians = {}
    print(f"whole process, median of {options.rounds}    wall s    cpu s")
    for tool, rounds in took.items():
        medians[tool] = Took(median(one.wall_s for one in rounds), median(one.cpu_s for one in rounds))
        print(f"  {tool:28}{medians[tool].wall_s:8.2f}{medians[tool].cpu_s:9.2f}")
    slow, fast = medians["official"], medians["faircall"]
    print(f"  {'official / faircall':28}{slow.wall_s / fast.wall_s:8.1f}{slow.cpu_s / fast.cpu_s:9.1f}")
    print(f"correct entries as the official tool counts them: {counts}")


def time_cores(options: argparse.Namespace, root: Path, files: dict[str, Path], name: str) -> None:
    shutil.rmtree(root / "result")
    for number in range(options.cores * 4):
        copy_run(files, root / "result" / f"{name.replace('/', '_')}-{number}")
    ours = [sys.executable, "-m", "faircall.cli", "score", str(root / "result"), "--profile", options.profile]
    ours += ["--decoder", "tool-calls", "--format", "csv", "-o", str(root / "faircall.csv")]
    for workers in (1, options.cores):
        seconds = [run([*ours, "--workers", str(workers)], root).wall_s for _ in range(options.rounds)]
        print(f"{options.cores * 4} runs, {workers} worker(s): {median(seconds):.2f} s")


if __name__ == "__main__":
    main()
