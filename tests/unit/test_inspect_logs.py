"""Logs of Inspect, as JSON and as zips, read without Inspect: made here in the format that it writes."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

from faircall.errors import InputError, UsageError
from faircall.inspect_logs import all_logs, is_log, score_logs
from faircall.report.log_scores import render_logs
from faircall.signature import parse_signature

RIDE = {
    "name": "ride",
    "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
}
LONG = "Lyon, by way of " + "Dijon and " * 20


def stored(number, *, to="Lyon", target='[{"ride": {"to": ["Lyon"]}}]', epoch=1, metadata=None, **more):
    """A sample as Inspect stores it; `to` is where the model rides, None where it declines."""
    message = {"id": "m2", "content": "", "source": "generate", "role": "assistant", "model": "mockllm"}
    if to is None:
        message["content"] = "No tool here does that."
    else:
        message["tool_calls"] = [{"id": "1", "function": "ride", "arguments": {"to": to}, "type": "function"}]
    return {
        "id": number,
        "epoch": epoch,
        "input": "Take me there.",
        "target": target,
        "messages": [{"id": "m1", "content": "Take me there.", "source": "input", "role": "user"}, message],
        "output": {"model": "mockllm", "choices": [], "completion": message["content"]},
        "scores": {"other": {"value": float("nan"), "history": []}},
        "metadata": {"tools": [RIDE]} if metadata is None else metadata,
        "events": [],
        **more,
    }


def header(**more):
    spec = {"task": "rides", "model": "mockllm/model", "dataset": {"samples": 2}, "config": {"epochs": 1}}
    return {"version": 2, "status": "success", "eval": spec, "plan": {}, "results": {}, "stats": {}, **more}


def write_json(path, samples, **more):
    path.write_text(json.dumps({**header(**more), "samples": samples}, indent=2), "utf-8")
    return path


def write_zip(path, samples, *, method=zipfile.ZIP_DEFLATED, head="header.json"):
    with zipfile.ZipFile(path, "w", compression=method) as archive:
        archive.writestr(
            "_journal/start.json", json.dumps({"version": 2, "eval": header()["eval"], "plan": {}})
        )
        for each in samples:
            archive.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
        archive.writestr("summaries.json", "[]")
        if head is not None:
            archive.writestr(head, json.dumps(header()))
    return path


def write_zstd(path, samples, pack):
    """A zip as Inspect writes it: each member packed by `pack`, under the method of Zstandard, which is 93."""
    members = {"header.json": header(), **{f"samples/{each['id']}_epoch_1.json": each for each in samples}}
    body = index = b""
    for name, value in members.items():
        data = json.dumps(value).encode()
        packed = pack(data)
        fields = struct.pack(
            "<HHHHHIIIHH", 20, 0, 93, 0, 0, zlib.crc32(data), len(packed), len(data), len(name), 0
        )
        index += b"PK\x01\x02" + struct.pack("<H", 20) + fields
        index += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + fields + name.encode() + packed
    count = len(members)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(index), len(body), 0)
    path.write_bytes(body + index + end)
    return path


def figures(path, **options):
    return score_logs([path], **options).logs[0].total.as_json()


SAMPLES = [stored(1), stored(2, to="Nice"), stored(3, to=None, target="[]")]


@pytest.mark.parametrize("write", [write_json, write_zip])
def test_both_formats_give_the_same_figures(tmp_path, write):
    path = write(tmp_path / "kite.log", SAMPLES)
    assert is_log(path)
    report = score_logs([path])
    made = report.logs[0].total.as_json()
    assert (made["n"], made["correct"], made["void"]) == (3, 2, 0)
    assert made["states"] == {"ABSTAINED": 1, "MALFORMED": 0, "CALLED": 2}
    assert made["decision"]["J"] == 1
    fields = parse_signature(report.signature)
    assert (fields["bench"], fields["profile"], fields["n"], fields["void"]) == (
        "inspect",
        "fair-1",
        "3",
        "0",
    )


def test_a_run_that_was_not_finished_is_read_as_far_as_it_got(tmp_path):
    path = write_zip(tmp_path / "kite.eval", SAMPLES[:1], head=None)
    log = score_logs([path]).logs[0]
    assert (log.status, log.total.n) == ("started", 1)


def test_samples_that_failed_are_void_and_bounds_say_so(tmp_path):
    failed = {**stored(4), "error": {"message": "timeout", "traceback": "", "traceback_ansi": ""}}
    failed["messages"] = failed["messages"][:1]
    made = figures(write_json(tmp_path / "kite.json", [*SAMPLES, failed]))
    assert (made["void"], made["accuracy"]) == (1, pytest.approx(2 / 3))
    assert made["bounds"] == [0.5, 0.75]
    assert made["reasons"]["harness-error"] == 1


def test_texts_that_the_log_keeps_apart_are_put_back(tmp_path):
    kept = stored(1, to="attachment://abc", target=json.dumps([{"ride": {"to": [LONG]}}]))
    assert figures(write_json(tmp_path / "kite.json", [kept]))["correct"] == 0
    assert (
        figures(write_json(tmp_path / "kite.json", [{**kept, "attachments": {"abc": LONG}}]))["correct"] == 1
    )


def test_tools_are_those_of_the_last_request_where_the_metadata_has_none(tmp_path):
    event = {"event": "model", "tools": [{**RIDE, "description": "attachment://d"}]}
    old = {"event": "model", "tools": [{"name": "walk", "parameters": {}}]}
    kept = stored(1, metadata={}, events=[old, event, {"event": "score"}], attachments={"d": "Take a ride."})
    assert figures(write_json(tmp_path / "kite.json", [kept]))["correct"] == 1
    with pytest.raises(
        InputError, match=r"kite.json: sample 1: no tools; put them under `tools` in its metadata"
    ):
        score_logs([write_json(tmp_path / "kite.json", [stored(1, metadata={})])])


def test_categories_are_counted_apart_in_the_benchmarks_order(tmp_path):
    samples = [
        stored(number, metadata={"tools": [RIDE], "category": name, "data": "bfcl-v4:2026.3.23#12345678"})
        for number, name in enumerate(["zoo", "multiple", "simple_python", "multiple"])
    ]
    path = write_json(tmp_path / "kite.json", samples)
    report = score_logs([path])
    assert {name: count.n for name, count in report.logs[0].categories.items()} == {
        "simple_python": 1, "multiple": 2, "zoo": 1,
    }  # fmt: skip
    assert list(report.logs[0].categories) == ["simple_python", "multiple", "zoo"]
    assert report.signature.startswith("bench:bfcl-v4|data:2026.3.23#12345678|")
    assert figures(path, categories=["multiple"])["n"] == 2
    with pytest.raises(InputError, match="holds no sample to score; there is none of parallel"):
        score_logs([path], categories=["parallel"])


def test_verdicts_are_written_with_their_signature(tmp_path):
    path = write_json(tmp_path / "kite.json", [stored(1), stored(1, to=None, epoch=2)])
    report = score_logs([path], verdicts=tmp_path / "v.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text("utf-8").splitlines()]
    assert [(row["id"], row["outcome"]) for row in rows] == [("1", "pass"), ("1#2", "fail")]
    assert (tmp_path / "v.jsonl.signature").read_text("utf-8").startswith(report.signature)


def test_the_profile_is_that_of_the_caller(tmp_path):
    path = write_json(tmp_path / "kite.json", [stored(1, to="lyon.")])
    assert parse_signature(score_logs([path], profile="official-2026.3.23").signature)["profile"].startswith(
        "official"
    )
    with pytest.raises(UsageError, match="no profile is called"):
        score_logs([path], profile="fair-9")
    with pytest.raises(UsageError, match="hermess"):
        score_logs([path], decoder="hermess")


@pytest.mark.parametrize("frames", [1, 2])
def test_members_packed_with_zstandard(tmp_path, frames):
    zstandard = pytest.importorskip("zstandard", reason="the extra `zstd` is not installed")

    def pack(data):
        half = len(data) // 2 if frames == 2 else len(data)
        return zstandard.compress(data[:half]) + (zstandard.compress(data[half:]) if frames == 2 else b"")

    path = write_zstd(tmp_path / "kite.eval", SAMPLES, pack)
    assert is_log(path)
    assert figures(path)["correct"] == 2
    for damaged in (
        lambda data: pack(data)[:-9],
        lambda data: pack(data + b" ")[:-1],
        lambda data: b"\0" * 40,
    ):
        with pytest.raises(InputError, match="is damaged"):
            score_logs([write_zstd(tmp_path / "kite.eval", SAMPLES, damaged)])


def test_without_zstandard_the_line_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("faircall.inspect_logs._is_there", lambda module: False)
    path = write_zstd(tmp_path / "kite.eval", SAMPLES, lambda data: data)
    message = r"header.json: is packed with Zstandard.*pip install 'faircall\[zstd\]'.*inspect log convert"
    with pytest.raises(InputError, match=message):
        score_logs([path])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no JSON"),
        (b"[]", "is no log of Inspect"),
        (b'{"version": 2}', "is no log of Inspect"),
        (b'{"version": 2, "eval": {}, "samples": {}}', "holds no sample"),
        (b'{"version": 2, "eval": {}, "samples": [1]}', "a sample that is no object"),
        (b"PK\x03\x04", "cannot be read as a zip"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "kite.eval"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        score_logs([path])
    assert "\n" not in str(caught.value)


def test_a_damaged_member_is_named(tmp_path):
    path = write_zip(tmp_path / "kite.eval", SAMPLES, method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"Take me there.", b"Take me where."))
    with pytest.raises(InputError, match=r"samples/1_epoch_1.json: is damaged"):
        score_logs([path])


def test_logs_are_told_by_their_content(tmp_path):
    results = tmp_path / "results.json"
    results.write_text('{"id": "irrelevance_0", "result": "No."}\n', "utf-8")
    log = write_json(tmp_path / "kite.json", SAMPLES)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert [is_log(path) for path in (results, log, tmp_path / "other.zip", tmp_path)] == [
        False,
        True,
        False,
        False,
    ]
    assert all_logs([log])
    assert not all_logs([results])
    with pytest.raises(UsageError, match="scored apart"):
        all_logs([log, results])


def test_the_report_gives_a_terminal_no_orders(tmp_path):
    spec = {**header()["eval"], "model": "kite\x1b[31m", "task": "rides"}
    path = write_json(tmp_path / "kite.json", SAMPLES, eval=spec)
    text = render_logs(score_logs([path]))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    [row] = [line.split() for line in text.splitlines() if line.startswith("  all ")]
    assert row[1:7] == ["3", "1", "0", "2", "0", "2"]
    assert row[7:] == ["66.67", "20.8-93.9"]
    with pytest.raises(UsageError, match="text or json, not as csv"):
        render_logs(score_logs([path]), "csv")


def faircall(*arguments):
    command = [sys.executable, "-m", "faircall.cli", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_the_command_scores_logs_without_inspect(tmp_path):
    paths = [write_zip(tmp_path / "kite.eval", SAMPLES), write_json(tmp_path / "heron.json", SAMPLES[:1])]
    report = json.loads(faircall("score", *paths, "--format", "json").stdout)
    assert [(log["log"], log["all"]["correct"]) for log in report["logs"]] == [
        ("kite.eval", 2),
        ("heron.json", 1),
    ]
    assert parse_signature(report["signature"])["n"] == "4"
    code = "import sys, faircall.cli, faircall.inspect_logs; print('inspect_ai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_the_line_of_the_page_is_what_is_printed(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "inspect.md").read_text("utf-8")
    [line] = re.findall(r"```text\n(faircall: .*)\n```", page)
    done = faircall("score", write_zip(tmp_path / "kite.eval", [stored(1, target="Lyon")]))
    assert (done.returncode, done.stderr.strip().replace(f"{tmp_path}/", "")) == (2, line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", "x"], "faircall: --scores is of results in BFCL's layout"),
        (["--fail-on", "error"], "faircall: --fail-on is of results in BFCL's layout"),
        (["--format", "csv"], "faircall: logs of Inspect are reported as text or json"),
        (["--category", "parallel"], "faircall: "),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, arguments, message):
    done = faircall("score", write_zip(tmp_path / "kite.eval", SAMPLES), *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith(message)
