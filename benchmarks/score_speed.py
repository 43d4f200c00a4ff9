"""How long it takes to score one run's single-turn categories: faircall beside the official tool, on one core.

usage: python benchmarks/score_speed.py OFFICIAL RESULTS [--as NAME] [--profile P] [--rounds N]

OFFICIAL is a virtual environment with bfcl-eval 2026.3.23, RESULTS the results of one model in BFCL's layout. The
official tool scores only models that it knows: --as gives the run the name of one. The benchmark's data has to be
pulled. Both tools score the same copy as a user would have them do it, in turns, after a round that is not timed;
medians are printed, and asserted is nothing. The floor is what parsing the same JSON once takes with msgspec, from
memory.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.bfcl.layout import discover
from faircall.bfcl.questions import Questions
from faircall.bfcl.results import read_results
from faircall.profiles import load_profile
from faircall.reading import protocol_of, read_output
from faircall.runs import score

if TYPE_CHECKING:
    from collections.abc import Callable


class Took(NamedTuple):
    """Seconds of one process: on the clock, and of the processor."""

    wall_s: float
    cpu_s: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Time faircall beside the official tool.")
    parser.add_argument("official", type=Path, help="virtual environment with bfcl-eval 2026.3.23")
    parser.add_argument("results", type=Path, help="results of one model in BFCL's layout")
    parser.add_argument("--as", dest="name", help="score the run under this model's name")
    parser.add_argument("--profile", default="official-2026.3.23")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    runs = discover(options.results)
    if len(runs) != 1:
        sys.exit(f"{options.results} holds {len(runs)} runs; give the folder of one")
    name = options.name or runs[0].model
    with TemporaryDirectory() as folder:
        root = Path(folder)
        single = {each: path for each, path in runs[0].files.items() if CATEGORIES[each].single_turn}
        files = copy_run(single, root / "result" / name.replace("/", "_"))
        entries = sum(CATEGORIES[category].entries for category in files)
        print(f"{name}: {entries:,} entries of {len(files)} categories, profile {options.profile}, one core")
        time_processes(options, root, name, list(files))
        time_inside(root, options.profile, files, entries)


def copy_run(files: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Copy the files of a run to where the official tool looks for them."""
    copies = {}
    for category, path in files.items():
        copies[category] = folder / CATEGORIES[category].group / f"BFCL_v4_{category}_result.json"
        copies[category].parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copies[category])
    return copies


def time_processes(options: argparse.Namespace, root: Path, name: str, categories: list[str]) -> None:
    report = root / "faircall.json"
    ours = [sys.executable, "-m", "faircall.cli", "score", str(root / "result"), "--profile", options.profile]
    run([*ours, "--format", "json", "-o", str(report)], root)
    counts = time_both(options, root, name, categories, ours)
    scored = json.loads(report.read_text("utf-8"))["runs"][0]["categories"]
    agreed = sum(scored[category]["correct"] == counts.get(category) for category in scored)
    print(f"correct entries as the official tool counts them: {agreed} of {len(scored)} categories\n")


def time_both(
    options: argparse.Namespace, root: Path, name: str, categories: list[str], ours: list[str]
) -> dict[str, int]:
    """Time the official command and ours in turns, print medians, and return the official tool's right entries."""
    commands = {
        "official": [
            str(options.official / "bin" / "bfcl"), "evaluate",
            "--model", name, "--test-category", ",".join(categories),
        ],
        "faircall": ours,
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
    print(f"whole process, median of {options.rounds}    wall s    cpu s")
    medians = {}
    for tool, rounds in took.items():
        medians[tool] = Took(median(one.wall_s for one in rounds), median(one.cpu_s for one in rounds))
        print(f"  {tool:28}{medians[tool].wall_s:8.2f}{medians[tool].cpu_s:9.2f}")
    slow, fast = medians["official"], medians["faircall"]
    print(f"  {'official / faircall':28}{slow.wall_s / fast.wall_s:8.1f}{slow.cpu_s / fast.cpu_s:9.1f}")
    return counts


def run(command: list[str], root: Path) -> Took:
    environment = {**os.environ, "BFCL_PROJECT_ROOT": str(root), "OPENAI_API_KEY": "unused"}
    # Both tools run as installed: from byte code, which the first round writes where it is not there.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("PYTHONPYCACHEPREFIX", str(root / "bytecode"))
    cpu_before, start = children_cpu_s(), perf_counter()
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    seconds = Took(perf_counter() - start, children_cpu_s() - cpu_before)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return seconds


def children_cpu_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


def official_counts(folder: Path) -> dict[str, int]:
    counts = {}
    for path in folder.rglob("BFCL_v4_*_score.json"):
        with path.open(encoding="utf-8") as stream:
            category = path.stem.removeprefix("BFCL_v4_").removesuffix("_score")
            counts[category] = json.loads(stream.readline())["correct_count"]
    return counts


def time_inside(root: Path, profile: str, files: dict[str, Path], entries: int) -> None:
    whole = best(lambda: score(root / "result", profile=profile, workers=1))
    first, later = time_entries(profile, files)
    floor = best(parser_of(files))
    print("in process, one core           ms   us per entry   times the floor")
    rows = {
        "floor: JSON parsed once": floor,
        "score(), all of it": whole,
        "judge + match, first model": first,
        "judge + match, later models": later,
    }
    for what, seconds in rows.items():
        print(f"  {what:27}{seconds * 1e3:7.1f}{seconds * 1e6 / entries:11.1f}{seconds / floor:18.1f}")


def time_entries(profile: str, files: dict[str, Path]) -> tuple[float, float]:
    """Return the seconds to judge and match all entries under one profile: answers to be compiled, and compiled."""
    switches = load_profile(profile)
    questions = Questions(find())
    stored: dict[str, dict[str, Any]] = {}
    for category, path in files.items():
        entries = questions.entries(category)
        stored[category] = read_results(path, entries).entries
        for entry in entries.values():
            questions.tools(entry)
    protocol = protocol_of(next(iter(files.values())).parent.parent.name)

    def judge_all() -> None:
        for category, outputs in stored.items():
            entries = questions.entries(category)
            for id_, output in outputs.items():
                read_output(entries[id_], output, questions, protocol).verdict(switches)

    start = process_time()
    judge_all()
    return process_time() - start, best(judge_all)


def parser_of(files: dict[str, Path]) -> Callable[[], None]:
    """Return what parses the results, the questions and the answers once."""
    data = find()
    texts = [path.read_bytes() for path in files.values()]
    for category in files:
        stem = f"BFCL_v4_{CATEGORIES[category].stem}.json"
        texts.append(data.read(f"data/{stem}"))
        if CATEGORIES[category].has_answers:
            texts.append(data.read(f"data/possible_answer/{stem}"))
    decoder = msgspec.json.Decoder()

    def parse() -> None:
        for text in texts:
            decoder.decode_lines(text)

    return parse


def best(work: Callable[[], object], *, times: int = 5) -> float:
    """Return the processor seconds of the fastest of some runs."""
    took = []
    for _ in range(times):
        start = process_time()
        work()
        took.append(process_time() - start)
    return min(took)


if __name__ == "__main__":
    main()
