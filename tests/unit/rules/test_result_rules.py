"""Each rule on results reports its bad example and not its good one."""

from __future__ import annotations

import pytest

from faircall.rules.results import RESULT_RULES


@pytest.mark.parametrize("rule", RESULT_RULES, ids=lambda rule: rule.id)
def test_examples(rule):
    findings = rule.run(rule.read(rule.bad))
    assert findings
    assert all((finding.rule, finding.slug) == (rule.id, rule.slug) for finding in findings)
    assert not rule.run(rule.read(rule.good))


@pytest.mark.parametrize("rule", RESULT_RULES, ids=lambda rule: rule.id)
def test_texts(rule):
    for text in (rule.claim, rule.wrong_if):
        assert text[0].isupper()
        assert text.endswith(".")
    assert rule.not_claimed
    assert not rule.not_claimed.endswith(".")
