"""The table of what constant outputs score is what scoring them gives."""

from __future__ import annotations

import json

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.errors import InputError
from faircall.rules.board_weights import constant_outputs
from faircall.runs import score

NAMES = [name for name, category in CATEGORIES.items() if category.single_turn]


@pytest.mark.parametrize("constant", constant_outputs(), ids=lambda constant: constant.name)
def test_a_constant_output_is_credited_as_the_table_says(constant, tmp_path):
    try:
        benchmark = find()
    except InputError as error:
        pytest.skip(str(error))
    for name in NAMES:
        lines = [json.dumps({"id": id_, "result": constant.output}) for id_ in benchmark.entries(name)]
        (tmp_path / f"BFCL_v4_{name}_result.json").write_text("\n".join(lines), "utf-8")
    report = score(tmp_path, profile="official-2026.3.23", decoder=constant.decoder)
    found = {name: tally.credited["official"] for name, tally in report.runs[0].tallies.items()}
    assert found == {name: constant.credited[name] for name in NAMES}
    assert {"R204", "R207"} <= {finding.rule for finding in report.findings}
