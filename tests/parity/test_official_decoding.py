"""The official decoders against the release: on measured texts, and on random ones where the release is installed."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from official_texts import is_harmless, outputs
from oracle_decoding import Oracle, compare

from faircall.bfcl.models import registry
from faircall.decoding.official import decode_official, is_call_list
from faircall.decoding.table import DECODERS
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANDLERS = {handler: row.name for row in reversed(DECODERS.values()) for handler in row.handlers}
HANDLERS["ClaudeHandler/prompt"] = "python"


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    environment = os.environ.get("FAIRCALL_ORACLE")
    if not environment:
        pytest.skip("FAIRCALL_ORACLE names no environment with bfcl-eval 2026.3.23")
    with Oracle(environment) as running:
        yield running


def _as_json(value: Any) -> str:
    return json.dumps(value, default=str, sort_keys=True)


@pytest.mark.shared
def test_every_handler_on_every_measured_text(shared: Path) -> None:
    agreed: Counter[str] = Counter()
    unsafe: Counter[str] = Counter()
    wrong = []
    with gzip.open(shared / "parity" / "decode_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            for group in entry["decoded"]:
                expected = None if group.get("raised") else _as_json(group["ok"])
                for decoder in sorted({HANDLERS[handler] for handler in group["handlers"]}):
                    decoded = decode_official(entry["output"], decoder, language=entry["language"])
                    found = None if decoded.error else _as_json(json.loads(_as_json(decoded.value)))
                    handlers = [handler for handler in group["handlers"] if HANDLERS[handler] == decoder]
                    if found == expected:
                        agreed.update(handlers)
                    elif decoded.error and decoded.error.reason is Reason.UNSAFE_EXPRESSION:
                        unsafe.update(handlers)
                    else:
                        wrong.append((entry["id"], decoder, expected, found))
    assert not wrong, wrong[:5]
    assert not unsafe
    assert set(agreed.values()) == {1600}
    assert set(agreed) == set(HANDLERS)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(outputs(), st.sampled_from(sorted(DECODERS)))
def test_an_answer_is_a_value_or_an_error(asked: tuple[Any, str], decoder: str) -> None:
    output, language = asked
    decoded = decode_official(output, decoder, language=language)
    again = decode_official(output, decoder, language=language)
    assert repr(decoded) == repr(again)
    if decoded.error is not None:
        assert decoded.value is None
        assert 0 <= decoded.error.position <= (len(output) if isinstance(output, str) else 0)
    assert bool(decoded.calls) == (is_call_list(decoded.value) and bool(decoded.value))


def test_random_texts(oracle: Oracle) -> None:
    totals: Counter[str] = Counter()

    @settings(
        max_examples=400,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(outputs(), st.booleans())
    def run(asked: tuple[Any, str], tag: bool) -> None:
        output, language = asked
        assume(is_harmless(output))
        # A stray backtick is a divergence of the JavaScript grammars; docs/divergences.md has it.
        assume(language != "javascript" or not isinstance(output, str) or "`" not in output.strip("` \n"))
        counts, wrong = compare(oracle, output, language, tag=tag)
        totals.update(counts)
        assert not wrong, wrong[:3]

    run()
    assert totals["agreed"] > 100 * (totals["unsafe"] + totals["grammar"])


def test_the_registry(oracle: Oracle) -> None:
    official = oracle.registry()
    ours = {model.name: model for model in registry().models}
    assert set(ours) == set(official)
    for name, facts in official.items():
        model = ours[name]
        assert HANDLERS[facts["handler"]] == model.decoder, name
        assert facts["underscore_to_dot"] == model.underscore_to_dot, name
        assert facts["display_name"] == model.display_name, name
    assert set(HANDLERS) == {facts["handler"] for facts in official.values()}
