"""The decoders on measured data: public cases, mutated texts, and whole runs."""

from __future__ import annotations

import gzip
import json

import pytest

from faircall.decoding import DECODERS, decode

pytestmark = pytest.mark.shared

MADE_FOR = {
    "hermes": "hermes", "think_hermes": "hermes", "py": "python", "think_py": "python",
    "functiongemma": "functiongemma", "phi": "phi", "gemma_fence": "gemini-prompt", "deepseek": "deepseek",
    "llama31": "llama-json", "granite": "granite", "fc": "tool-calls", "nemotron": "nemotron", "xlam": "xlam",
    "jsonlist": "hammer", "falcon": "falcon", "mistral": "mistral", "minicpm": "minicpm",
}  # fmt: skip


def as_json(value):
    return json.loads(json.dumps(value))


def rows(path):
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("auto", [False, True], ids=["named", "auto"])
def test_public_cases(shared, auto):
    for case in rows(shared / "cases" / "single_turn.jsonl"):
        decoded = decode(case["output"], "auto" if auto else case["decoder"], tools=case["tools"])
        state = case["want"]["state"]
        if state == ["CALLED"]:
            assert decoded.calls, case["id"]
        elif state in (["MALFORMED"], ["ERROR"]):
            assert decoded.error is not None, case["id"]


def test_texts_that_both_read_are_read_alike(shared):
    """Where the official handler of a protocol finds calls, and the fair decoder too, they are the same."""
    compared = dropped = 0
    for row in rows(shared / "parity" / "decode_dev.jsonl.gz"):
        made = row["source"].removeprefix("made:")
        if made not in MADE_FOR:
            continue
        handler = DECODERS[MADE_FOR[made]].official
        official = next(entry for entry in row["decoded"] if handler in entry["handlers"])
        decoded = decode(row["output"], MADE_FOR[made], language=row["language"])
        if decoded.calls and official.get("ok"):
            compared += 1
            read = as_json([{call.name: call.arguments} for call in decoded.calls])
            # The official handler drops a last call whose closing tag is cut off.
            assert read[: len(official["ok"])] == official["ok"], row["id"]
            dropped += len(read) > len(official["ok"])
    assert compared > 300
    assert dropped <= 1


def test_every_list_of_calls_in_the_runs_decodes(shared):
    lists = broken = 0
    for path in sorted(shared.glob("data/runs/*/result/*/*live/*.json")):
        for row in rows(path):
            if isinstance(row["result"], list) and any(isinstance(item, dict) for item in row["result"]):
                lists += 1
                decoded = decode(row["result"], "tool-calls")
                if decoded.error is not None:
                    broken += 1
                    assert decoded.error.message.startswith("the arguments of"), path.name
    assert lists > 5_000
    assert broken < 10
