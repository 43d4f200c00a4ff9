"""The register keeps its promises: every rule is complete, has a page that is in step, and two examples that hold."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from faircall.cli import app
from faircall.errors import UsageError
from faircall.report.rules import rule_page, rules_index
from faircall.rules import all_rules, find_rule
from faircall.rules.register import FAMILIES

PAGES = Path(__file__).parents[2] / "docs" / "rules"
RULES = list(all_rules().values())

EVER_GIVEN = {
    "B001": "stated-recipe-not-used",
    "B002": "lost-calls-credited",
    "B003": "na-counted-as-zero",
    "B004": "na-in-score",
    "B005": "outranked-by-chance-level",
    "B006": "one-block-score",
    "B007": "leaders-block-share",
    "B008": "ranks-not-told-apart",
    "B009": "row-not-rebuilt",
    "B010": "unknown-recipe",
    "B011": "tables-disagree",
    "B012": "rank-out-of-order",
    "B013": "level-not-rebuilt",
    "B014": "entry-weights-differ",
    "B015": "counts-differ",
    "B016": "beaten-by-constant-output",
    "R201": "malformed-credited",
    "R202": "lost-output-credited",
    "R203": "error-credited",
    "R204": "unattested",
    "R205": "published-differs",
    "R206": "void-entries",
    "R207": "constant-output",
    "R208": "lost-outputs",
    "R209": "truncated-outputs",
    "R210": "ids-differ",
    "R211": "decoder-misfit",
    "R212": "one-call-each",
    "R213": "garbage-credited",
    "R214": "key-not-met",
    "D301": "value-breaks-type",
    "D302": "value-not-in-enumeration",
    "D303": "required-not-in-key",
    "D304": "required-omittable",
    "D305": "unknown-parameter",
    "D306": "unsatisfiable-key",
    "D307": "key-refused",
    "D308": "unknown-tool",
    "D309": "default-breaks-schema",
    "D310": "omission-refused",
    "D311": "default-refused",
    "D312": "fewer-calls-than-asked",
    "D313": "held-out-tool-offered",
    "D314": "withheld-tool-in-key",
    "D315": "duplicate-entry",
    "D316": "ambiguous-names",
    "D317": "required-undeclared",
    "D318": "unpaired-id",
    "D319": "mixed-key",
    "D320": "malformed-schema",
    "S401": "key-fails",
    "S402": "default-changes-verdict",
    "S403": "order-changes-verdict",
    "S404": "sign-ignored",
    "S405": "decimal-point-ignored",
    "S406": "boolean-counts-as-number",
    "S407": "nested-type-ignored",
    "S408": "extra-argument-credited",
    "S409": "missing-call-credited",
    "S410": "duplicated-call-credited",
    "S411": "broken-call-credited",
    "S412": "error-string-credited",
    "S413": "hostile-text",
    "S414": "wrong-name-credited",
    "S415": "missing-argument-credited",
    "S416": "null-credited",
    "S417": "type-ignored",
    "S418": "refusal-fails",
    "S419": "unwanted-call-credited",
    "S420": "verdict-lost",
    "S421": "wrong-value-credited",
    "S422": "number-form-changes-verdict",
    "S423": "empty-output-credited",
    "S424": "accepted-value-refused",
    "S425": "list-length-ignored",
    "S426": "list-order-ignored",
    "S427": "extra-call-credited",
}
"""Every id that was ever given, and to what. Lines are added here, and never changed."""


def test_an_id_stays_with_its_rule():
    assert {id_: all_rules()[id_].slug for id_ in EVER_GIVEN} == EVER_GIVEN
    assert set(all_rules()) == set(EVER_GIVEN), "add the new rule to the ids that were ever given"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
class TestEveryRule:
    def test_the_bad_example_is_reported_and_the_good_one_is_not(self, rule):
        found = rule.run(rule.read(rule.bad))
        assert found
        assert {(one.rule, one.slug, one.severity, one.not_claimed) for one in found} == {
            (rule.id, rule.slug, rule.severity, rule.not_claimed)
        }
        assert not rule.run(rule.read(rule.good))

    def test_its_texts_are_whole(self, rule):
        assert re.fullmatch(r"[A-Z]\d{3}", rule.id)
        assert rule.family in FAMILIES
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.slug)
        assert rule.claim.endswith(".")
        assert rule.not_claimed
        assert rule.wrong_if
        assert rule.versions
        assert all(re.fullmatch(r"https://[\w./-]+", address) for address in rule.reports)

    def test_its_page_is_in_step(self, rule):
        page = PAGES / f"{rule.id}.md"
        assert page.read_text("utf-8") == rule_page(rule), "run: python benchmarks/make_rule_pages.py"

    def test_its_command_exists(self, rule):
        program, *words = shlex.split(rule.command)
        assert program == "faircall"
        command = app
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        known = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known

    def test_it_is_shown_by_id_and_slug(self, rule):
        for name in (rule.id, rule.id.lower(), rule.slug):
            shown = CliRunner().invoke(app, ["rules", "show", name])
            assert (shown.exit_code, shown.output) == (0, rule_page(rule))


def test_the_list_of_pages_is_in_step():
    assert (PAGES / "README.md").read_text("utf-8") == rules_index(RULES)
    assert {path.stem for path in PAGES.glob("*.md")} == {*EVER_GIVEN, "README"}


def test_the_table_and_its_json_name_every_rule():
    text = CliRunner().invoke(app, ["rules"]).output
    rows = json.loads(CliRunner().invoke(app, ["rules", "--format", "json"]).output)["rules"]
    assert [row["id"] for row in rows] == list(EVER_GIVEN)
    assert all(re.search(rf"^{id_}  {slug}\b", text, re.MULTILINE) for id_, slug in EVER_GIVEN.items())
    assert max(map(len, text.splitlines())) <= 100


def test_what_is_no_rule_is_refused():
    with pytest.raises(UsageError, match="no rule `R999`"):
        find_rule("R999")
