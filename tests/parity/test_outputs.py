"""Whole outputs, decoded and compared, as the released evaluator judges them."""

from __future__ import annotations

import os

import pytest
from oracle_outputs import Oracle, compare


@pytest.mark.skipif("FAIRCALL_ORACLE" not in os.environ, reason="no environment with the released evaluator")
def test_random_outputs_against_the_released_evaluator():
    with Oracle(os.environ["FAIRCALL_ORACLE"]) as oracle:
        counts, wrong = compare(oracle, 3000, seed=30)
    assert not wrong
    assert counts["agreed"] >= 3000 - counts["unsafe"]
    assert counts["  valid"] > 300
