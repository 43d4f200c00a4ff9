"""How time and memory grow with the number of runs that one `faircall score` is given.

usage: python benchmarks/many_runs.py RESULTS [--counts 1,10,100] [--workers N]

RESULTS are the results of one model in BFCL's layout; its single-turn files are scored under as many names as each
count says. Printed are the seconds and those for each run beyond the first count, and the largest memory of any of the
command's processes. Asserted is nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.layout import discover

_CHILD = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Score one run under many names.")
    parser.add_argument("results", type=Path, help="results of one model in BFCL's layout")
    parser.add_argument("--counts", default="1,10,100")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    counts = [int(count) for count in options.counts.split(",")]
    runs = discover(options.results)
    if len(runs) != 1:
        sys.exit(f"{options.results} holds {len(runs)} runs; give the folder of one")
    files = {category: path for category, path in runs[0].files.items() if CATEGORIES[category].single_turn}
    entries = sum(CATEGORIES[category].entries for category in files)
    print(f"{entries:,} entries of {len(files)} categories a run, JSON report and verdicts written\n")
    print("    runs  workers  seconds  seconds a further run  largest process, MB")
    first: tuple[int, float] | None = None
    for count in counts:
        for workers in sorted({1, options.workers}):
            seconds, megabytes = time_runs(files, count, workers)
            further = ""
            if workers == 1 and first is None:
                first = count, seconds
            elif first is not None and count > first[0]:
                further = f"{(seconds - first[1]) / (count - first[0]):.2f}"
            print(f"{count:8}{workers:9}{seconds:9.1f}{further:>23}{megabytes:21.0f}")


def time_runs(files: dict[str, Path], count: int, workers: int) -> tuple[float, float]:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for number in range(count):
            for category, path in files.items():
                copy = (
                    root
                    / "result"
                    / f"model-{number}"
                    / CATEGORIES[category].group
                    / f"BFCL_v4_{category}_result.json"
                )
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        command = [
            sys.executable, "-m", "faircall.cli", "score", str(root / "result"), "--workers", str(workers),
            "--format", "json", "-o", str(root / "report.json"), "--verdicts", str(root / "verdicts.jsonl"),
        ]  # fmt: skip
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, *command], capture_output=True, text=True, check=False
        )
        seconds = perf_counter() - start
        if done.returncode:
            sys.exit(done.stderr[-2000:])
        return seconds, int(done.stdout) / 1024


if __name__ == "__main__":
    main()
