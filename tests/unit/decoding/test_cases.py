"""The case tables: text in, decoded calls or the failure out; one file of `tests/cases/decoding` a decoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faircall.decoding import DECODERS, decode

TABLES = Path(__file__).parents[2] / "cases" / "decoding"


def rows():
    for path in sorted(TABLES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield pytest.param(path.stem, row, id=f"{path.stem}: {row['note']}")


def as_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(("decoder", "row"), list(rows()))
def test_case(decoder, row):
    decoded = decode(
        row["output"], decoder, tools=row.get("tools", ()), language=row.get("language", "python")
    )
    assert decoded.decoder == decoder
    if "calls" in row:
        assert decoded.error is None
        assert as_json([{call.name: call.arguments} for call in decoded.calls]) == row["calls"]
        if "positional" in row:
            assert as_json([call.positional for call in decoded.calls]) == row["positional"]
        else:
            assert not any(call.positional for call in decoded.calls)
    else:
        assert not decoded.calls
        assert decoded.error is not None
        assert str(decoded.error.reason) == row["error"], decoded.error
        if "at" in row:
            assert row["output"][decoded.error.position :].startswith(row["at"]), decoded.error


def test_every_decoder_has_its_table():
    kinds = {name: set() for name in DECODERS}
    counts = dict.fromkeys(DECODERS, 0)
    for path in TABLES.glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            counts[path.stem] += 1
            kinds[path.stem].add(row.get("error") or ("calls" if row["calls"] else "empty"))
    assert min(counts.values()) >= 6
    for name, seen in kinds.items():
        assert {"calls", "truncated", "syntax-error"} <= seen, name
