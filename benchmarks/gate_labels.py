"""How the gate's three policies agree with hand labels: a table of confusions, whole and per model.

usage: python benchmarks/gate_labels.py LABELS.jsonl [LABELS.jsonl ...] [--wrong] [--fold K/N]

Each line holds `model`, `tools` (names), `output`, and the label `state`. AMBIGUOUS lines are counted apart.
`--fold 1/3` keeps the models whose number is 1 modulo 3, so that rules can be tuned on some models and read on others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from faircall.bfcl.models import find_model
from faircall.gate import judge
from faircall.gate.policies import decode_officially, literal_state, official_state

POLICIES = ("official", "literal", "evidence")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", nargs="+", type=Path)
    parser.add_argument(
        "--wrong", action="store_true", help="print the outputs on which evidence differs from the label"
    )
    parser.add_argument("--fold", help="K/N: only the models whose number is K modulo N")
    options = parser.parse_args()
    for path in options.labels:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        report(path.name, keep_fold(rows, options.fold), show_wrong=options.wrong)


def keep_fold(rows: list[dict], fold: str | None) -> list[dict]:
    if fold is None:
        return rows
    part, parts = map(int, fold.split("/"))
    kept = {
        model for i, model in enumerate(sorted({row["model"] for row in rows})) if i % parts == part % parts
    }
    return [row for row in rows if row["model"] in kept]


def report(title: str, rows: list[dict], *, show_wrong: bool) -> None:
    confusion: Counter[tuple[str, str, str]] = Counter()
    per_model: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for row in rows:
        info = find_model(row["model"])
        decoder = info.decoder if info else "auto"
        judged = judge(row["output"], row["tools"], decoder=decoder)
        official = decode_officially(row["output"], decoder="python" if decoder == "auto" else decoder)
        states = {
            "official": official_state(official).value,
            "literal": literal_state(official).value,
            "evidence": judged.state.value,
        }
        for policy in POLICIES:
            confusion[policy, row["state"], states[policy]] += 1
        if row["state"] == "AMBIGUOUS":
            continue
        right = (row["state"] == "ABSTAINED") == (judged.state == "ABSTAINED")
        per_model[row["model"]]["right" if right else "wrong"] += 1
        if not right:
            wrong.append((row, judged))
    print(f"{title}: {len(rows)} outputs of {len({row['model'] for row in rows})} models")
    columns = ("ABSTAINED", "MALFORMED", "CALLED", "ERROR")
    print(f"{'policy':10}{'label':12}" + "".join(f"{column:>11}" for column in columns))
    for policy in POLICIES:
        for label in ("ABSTAINED", "MALFORMED", "CALLED", "AMBIGUOUS"):
            counts = [confusion[policy, label, column] for column in columns]
            if any(counts):
                print(f"{policy:10}{label:12}" + "".join(f"{count:11}" for count in counts))
        judged_rows = sum(n for (p, label, _), n in confusion.items() if p == policy and label != "AMBIGUOUS")
        right = sum(
            n
            for (p, label, state), n in confusion.items()
            if p == policy and label != "AMBIGUOUS" and (label == "ABSTAINED") == (state == "ABSTAINED")
        )
        print(
            f"{policy:10}abstained or not: {right} of {judged_rows} right ({100 * right / max(1, judged_rows):.1f} %)"
        )
    shaky = {model: counts["wrong"] for model, counts in per_model.items() if counts["wrong"]}
    print(f"models with a wrong one: {shaky or 'none'}\n")
    for row, judged in wrong if show_wrong else []:
        print(
            f"--- {row['id']} label {row['state']} {row['reason']}; "
            f"judged {judged.state} {judged.reason}: {judged.message}"
        )
        print(f"    tools {row['tools']}  evidence {judged.evidence and judged.evidence.text[:120]!r}")
        print(f"    {row['output']!r:.700}")


if __name__ == "__main__":
    sys.exit(main())
