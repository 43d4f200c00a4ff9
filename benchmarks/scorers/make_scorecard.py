"""Write docs/scorecard.md: each scorer in its own environment, tried with `faircall rules scorer`.

usage: python benchmarks/scorers/make_scorecard.py FOLDER [--environment NAME=PATH …]

An environment for each package is made in FOLDER, with the versions that stand in `SCORERS`, unless it is there
already; `--environment bfcl_eval=PATH` takes one from elsewhere. Every figure of the page comes out of this run.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import msgspec

from faircall.report.markdown import escape, table
from faircall.report.scorecards import COLUMNS, rule_rows
from faircall.report.tables import Column
from faircall.rules import all_rules
from faircall.rules.choice import choose
from faircall.scorecards import Scorecard, try_scorer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "scorecard.md"
TIMEOUT_S = 600.0


class Scorer(NamedTuple):
    """A scorer: its package, what is installed for it, its script with arguments, and how it is used, in words."""

    name: str
    package: str
    requires: tuple[str, ...]
    script: str
    arguments: tuple[str, ...]
    about: str
    of_benchmark: bool = False


INSPECT = ("inspect_evals==0.26.0", "inspect_ai==0.3.285")
DEEPEVAL = ("deepeval==4.3.1",)
RAGAS = ("ragas==0.4.3", "langchain-community<0.4")
CALLS_ONLY = (
    "It compares calls with one expected list: a case passes if it does with any choice among the accepted values. It "
    "takes calls and no text: faircall decodes them, and what is neither calls nor a refusal is void."
)
SCORERS = (
    Scorer(
        "bfcl-eval", "bfcl_eval", ("bfcl-eval==2026.3.23", "soundfile"), "score_with_bfcl_eval.py", (),
        "The handlers and checks of its `eval_runner`, on the outputs as they are; JSON Schema's names of types are "
        "written as the benchmark writes them.",
        of_benchmark=True,
    ),
    Scorer(
        "inspect_evals (BFCL)", "inspect_evals", INSPECT, "score_with_inspect_evals.py", (),
        "Its `bfcl_scorer`, on messages made by the parsers of inspect_ai. It takes no calls written as Python text: "
        "faircall decodes those, and such text that is neither calls nor a refusal is void, as are errors of the "
        "harness, which Inspect keeps apart.",
        of_benchmark=True,
    ),
    Scorer(
        "deepeval (exact)", "deepeval", DEEPEVAL, "score_with_deepeval.py", ("exact",),
        "`ToolCorrectnessMetric(threshold=1, evaluation_params=[INPUT_PARAMETERS], should_exact_match=True)`, which "
        f"compares in order. {CALLS_ONLY}",
    ),
    Scorer(
        "deepeval (ordered)", "deepeval", DEEPEVAL, "score_with_deepeval.py", ("ordered",),
        "`ToolCorrectnessMetric(threshold=1, evaluation_params=[INPUT_PARAMETERS], should_consider_ordering=True)`. "
        f"{CALLS_ONLY}",
    ),
    Scorer(
        "deepeval (any order)", "deepeval", DEEPEVAL, "score_with_deepeval.py", ("any-order",),
        "`ToolCorrectnessMetric(threshold=1, evaluation_params=[INPUT_PARAMETERS])`, which asks that the expected "
        f"calls are among those made. {CALLS_ONLY}",
    ),
    Scorer(
        "ragas (strict order)", "ragas", RAGAS, "score_with_ragas.py", ("strict-order",),
        f"`ragas.metrics.collections.ToolCallAccuracy()`; a score of 1 passes. {CALLS_ONLY}",
    ),
    Scorer(
        "ragas (any order)", "ragas", RAGAS, "score_with_ragas.py", ("any-order",),
        f"`ragas.metrics.collections.ToolCallAccuracy(strict_order=False)`; a score of 1 passes. {CALLS_ONLY}",
    ),
)  # fmt: skip
INTRO = """# The scorecard

Some scorers of tool calls, each tried with [`faircall rules scorer`](scorers.md) on the entries inside the package.
The page is written by `python benchmarks/scorers/make_scorecard.py FOLDER`, which makes an environment for each; the
[adapters](../benchmarks/scorers/README.md) are there as well.

What it does **not** claim: that a scorer with fewer findings is a better one, or how much a finding matters to scores
of models. The cases are made, and a tool may not aim at what a rule asks for: one that compares sequences has to heed
their order, and one that compares values need not know a schema. Each is used with its own settings for exact
comparison; where it has several, each has a column. What an adapter cannot hand to a tool is void, and no fault of the
tool; on errors of the harness (S412), not to judge is what is wanted.
"""


def make_environment(scorer: Scorer, folder: Path) -> Path:
    """Return the interpreter of a scorer's environment, which is made where it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *scorer.requires], check=True)
        # What faircall itself needs; its own modules are those of this folder.
        subprocess.run([python, "-m", "pip", "install", "-q", ROOT], check=True)
    return python


def version_of(python: Path, package: str) -> str:
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def try_one(scorer: Scorer, python: Path, version: str) -> list[Scorecard]:
    """Return the scorecard on the package's own entries, and, of the benchmark's scorers, that on its keys."""
    command = [str(python), str(HERE / scorer.script), *scorer.arguments]
    label = f"{scorer.name} {version}"
    cards = [try_scorer(command, label=label, timeout_s=TIMEOUT_S)]
    if cards[0].rules["S401"].lost:
        sys.exit(f"{label} has no verdict on some keys; run its script by hand")
    if scorer.of_benchmark:
        keys = choose(["S401"])
        cards.append(try_scorer(command, label=label, timeout_s=TIMEOUT_S, entries="bfcl", choice=keys))
    return cards


def overview(cards: dict[str, Scorecard]) -> list[str]:
    """Return the table of all scorers: of each rule, how many cases each judges otherwise than wanted."""
    rules = all_rules()
    columns = (Column("rule", right=False), Column("slug", right=False), *map(Column, cards))
    rows = []
    for id_ in next(iter(cards.values())).rules:
        cells = [cell_of(id_, card) for card in cards.values()]
        rows.append([id_, rules[id_].slug, *cells])
    return table(columns, rows)


def cell_of(id_: str, card: Scorecard) -> str:
    """Return what a rule finds of a scorer, in a cell."""
    found = card.rules[id_]
    judged = found.right + found.wrong
    others = sum(finding.rule == id_ and "about" in finding.evidence for finding in card.findings)
    return (f"{found.wrong}/{judged}" if judged else "void") + (f" +{others}" if others else "")


def section(scorer: Scorer, version: str, cards: list[Scorecard]) -> list[str]:
    """Return the part of the page that is about one scorer."""
    card = cards[0]
    shown = " ".join(["python", f"benchmarks/scorers/{scorer.script}", *scorer.arguments])
    lines = [f"## {scorer.name} {version}", "", scorer.about, "", "```console"]
    lines.append(f"pip install {shlex.join(scorer.requires)}")
    label = shlex.quote(f"{scorer.name} {version}")
    lines += [
        f"faircall rules scorer --label {label} '{shown}'",
        "```",
        "",
        *table(COLUMNS, rule_rows(card)),
        "",
    ]
    for finding in card.findings:
        lines.append(
            f"- **{finding.rule} {finding.slug}** ({finding.severity.value}): {escape(finding.message)}"
        )
    lines += ["", f"`{card.signature}`", ""]
    for other in cards[1:]:
        found = other.rules["S401"]
        lines += [
            f"The keys of BFCL replayed (`--entries bfcl --select S401`): of {found.cases:,} cases, {found.right:,} "
            f"pass, {found.wrong:,} do not, {found.void:,} are void, and {found.lost:,} have no verdict.",
            "", f"`{other.signature}`", "",
        ]  # fmt: skip
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--environment", action="append", default=[], metavar="NAME=PATH")
    options = parser.parse_args()
    elsewhere = dict(item.split("=", 1) for item in options.environment)
    os.environ["PYTHONPATH"] = str(ROOT / "src")  # the adapters decode with this very version
    own = try_scorer([sys.executable, "-m", "faircall.cli", "check"], label="faircall check")
    if own.findings:
        sys.exit("faircall's own check is found wanting; run `faircall rules scorer 'faircall check'`")
    cards, parts = {"faircall check": own}, []
    for scorer in SCORERS:
        if scorer.package in elsewhere:
            python = Path(elsewhere[scorer.package]) / "bin" / "python"
        else:
            python = make_environment(scorer, options.folder.resolve() / scorer.package)
        version = version_of(python, scorer.package)
        made = try_one(scorer, python, version)
        cards[scorer.name] = made[0]
        parts += section(scorer, version, made)
        print(
            scorer.name,
            version,
            msgspec.json.encode({id_: one.wrong for id_, one in made[0].rules.items()}).decode(),
        )
    lines = [
        INTRO,
        "Cases that are judged otherwise than wanted, of those judged; `+1` is one more finding, such as a text that "
        "was evaluated:",
        "", *overview(cards), "",
        f"`{own.signature}`", "", *parts,
    ]  # fmt: skip
    PAGE.write_text("\n".join(lines).rstrip("\n") + "\n", "utf-8")


if __name__ == "__main__":
    main()
