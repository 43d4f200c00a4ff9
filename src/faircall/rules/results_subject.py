"""What the rules on results look at, and how the examples in the register are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from faircall.aggregate import Judged, RunScore, Tally, decide
from faircall.bfcl.scores import PublishedScore
from faircall.gate import judge
from faircall.gate.policies import OFFICIAL_PROFILE, decode_officially
from faircall.problems import Problem
from faircall.profiles import load_profile
from faircall.schema import read_tools
from faircall.scoring import Wanted, verdict_officially, verdict_on
from faircall.types import Outcome, State
from faircall.written import Gathering, find_fit

ANY_RESULTS: Final = "results in BFCL v4's layout"
"""What most rules on results apply to."""
SHOWN: Final = 5
"""How many ids a finding names."""


def percent(part: int, whole: int) -> str:
    """Return a share in words, without decimals."""
    return f"{100 * part / whole:.0f} %"


def read_example(text: str) -> RunScore:
    """Return the figures of a small run written as JSON: its decoder, and outputs by category."""
    example = json.loads(text)
    tallies, gathered = {}, {}
    for name, outputs in example["outputs"].items():
        tally = Tally(name, n=len(outputs) + example.get("missing", 0))
        tally.add_missing(example.get("missing", 0))
        tally.void += example.get("unmet", 0)
        wanted = Wanted(State.CALLED if tally.wants_call else State.ABSTAINED)
        gathering = gathered[name] = Gathering()
        for number, output in enumerate(outputs):
            found = verdict_on(judge(output, ["book_table"], decoder=example["decoder"]), wanted)
            official = decode_officially(output, decoder=example["decoder"])
            verdicts = {
                "official": verdict_officially(official, wanted, load_profile(OFFICIAL_PROFILE)),
                "literal": verdict_officially(
                    official, wanted, load_profile(f"{OFFICIAL_PROFILE}+gate=literal")
                ),
                "evidence": found,
            }
            credit = {policy: verdict.outcome is Outcome.PASS for policy, verdict in verdicts.items()}
            tally.add(Judged(f"{name}_{number}", found, found.reason, credit, span=found.evidence))
            gathering.add(f"{name}_{number}", output, found, read_tools(["book_table"]), "python")
        tallies[name] = tally
    published = {
        name: PublishedScore(path=Path(name), correct=correct, n=n, wrong_ids=None)
        for name, (correct, n) in example.get("published", {}).items()
    }
    decision = decide(list(tallies.values()))
    problems = [
        Problem(code, f"{len(ids)} {code.replace('-', ' ')}", f"BFCL_v4_{name}_result.json", ids=tuple(ids))
        for name, found in example.get("ids", {}).items()
        for code, ids in found.items()
    ]
    return RunScore(
        "example", example["decoder"], "option", tallies, published, decision, (), tuple(problems),
        written={name: gathering.finish() for name, gathering in gathered.items()},
        fit=find_fit((one for each in gathered.values() for one in each.unread), beside=example["decoder"]),
    )  # fmt: skip
