"""Write docs/rules anew: a page for each rule of the register, and the page that lists them.

usage: python benchmarks/make_rule_pages.py

A test checks that the pages are in step with the register. Pages of ids that are not in the register are left alone and
named, since a rule keeps its page.
"""

from __future__ import annotations

from pathlib import Path

from faircall.report.rules import rule_page, rules_index
from faircall.rules import all_rules

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "rules"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    rules = all_rules()
    for rule in rules.values():
        (FOLDER / f"{rule.id}.md").write_text(rule_page(rule), "utf-8")
    (FOLDER / "README.md").write_text(rules_index(rules.values()), "utf-8")
    for path in sorted(FOLDER.glob("[A-Z][0-9][0-9][0-9].md")):
        if path.stem not in rules:
            print(f"{path.name} is of no rule: put it back into the register as retired")


if __name__ == "__main__":
    main()
