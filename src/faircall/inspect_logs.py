"""Logs of Inspect re-scored: JSON, or the zip of JSON that `.eval` is, read without Inspect and without a model."""

from __future__ import annotations

import os
import zipfile
import zlib
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.decoding import decode
from faircall.decoding.table import DECODERS
from faircall.errors import InputError, UsageError
from faircall.jsontext import parse_json
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.rows import dump_json
from faircall.samples import Count, judge_sample, judged_row, read_sample, signature_fields
from faircall.signature import sign
from faircall.verdicts import refuse_unwritable, sign_verdicts, writing_verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

MAX_BYTES: Final = 2 * 2**30
_ZIP: Final = b"PK\x03\x04"
_ZSTD: Final = 93  # the method of zip members that are packed with Zstandard
_WRITTEN_BY: Final = "name a log that `inspect eval` wrote"
_WHOLE: Final = "copy the log again, whole"
_TO_JSON: Final = "or write it again: inspect log convert LOG --to json --output-dir DIR"
_ATTACHED: Final = "attachment://"
ALL: Final = "all"
"""What stands in place of a category for all samples of a log."""


class LogScore(msgspec.Struct, frozen=True):
    """The figures of one log: by category, where its samples have one, and of all of them."""

    log: str
    task: str
    model: str
    status: str
    data: str | None
    categories: dict[str, Count]
    total: Count

    def as_json(self) -> dict[str, Any]:
        """Return the figures as the JSON report has them."""
        return {
            "log": self.log,
            "task": self.task,
            "model": self.model,
            "status": self.status,
            "categories": {name: count.as_json() for name, count in self.categories.items()},
            ALL: self.total.as_json(),
        }


class LogReport(msgspec.Struct, frozen=True):
    """All logs with their figures, and the signature."""

    logs: tuple[LogScore, ...]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """Return the report as `--format json` prints it."""
        return {"logs": [log.as_json() for log in self.logs], "signature": self.signature}


def is_log(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a log of Inspect, by its content: a zip of samples, or JSON that begins as a log does.

    >>> is_log("no-such-file.eval")
    False
    """
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(4096)
    except (OSError, ValueError):
        return False
    if head.startswith(_ZIP):
        try:
            with zipfile.ZipFile(path) as archive:
                return any(_is_part(name) for name in archive.namelist())
        except (OSError, ValueError, zipfile.BadZipFile):
            return False
    # A log is one object over several lines; results are one object a line.
    text = head.decode("utf-8", "replace").replace(" ", "").replace("\n", "").replace("\r", "")
    return text.startswith('{"version":') and '"eval":{' in text


def all_logs(paths: Sequence[str | os.PathLike[str]]) -> bool:
    """Return whether files are logs of Inspect; raises `UsageError` where only some of them are.

    >>> all_logs(["results"])
    False
    """
    logs = [Path(path).suffix == ".eval" or is_log(path) for path in paths]
    if any(logs) and not all(logs):
        raise UsageError("logs of Inspect and other results are scored apart: name one kind")
    return all(logs)


def _is_part(name: str) -> bool:
    return name in {"header.json", "_journal/start.json"} or name.startswith("samples/")


def score_logs(
    paths: Sequence[str | os.PathLike[str]],
    *,
    profile: str | Profile = DEFAULT_PROFILE,
    decoder: str | None = None,
    categories: Sequence[str] = (),
    verdicts: str | os.PathLike[str] | None = None,
    advance: Callable[[int, int], None] | None = None,
) -> LogReport:
    """Return the figures of every log, judged as the scorer `tool_call` judges; no model is asked.

    `categories` limits them to samples of those categories. `verdicts` names a file that gets a line for each sample,
    with its signature beside it. Samples that failed, and those without a message of the model, are void.

    Raises `InputError` for a log that cannot be read, and for one whose samples lack tools or expected calls, with the
    sample and what is missing.

    >>> score_logs(["no-such-file.eval"])
    Traceback (most recent call last):
    faircall.errors.InputError: no-such-file.eval: cannot be read (No such file or directory)...
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    if decoder is not None and decoder not in DECODERS and decoder != "auto":
        decode("", decoder)  # raises, with the names there are
    reader = decoder or "auto"
    taken: AbstractContextManager[IO[str] | None] = nullcontext()
    if verdicts is not None:
        refuse_unwritable(verdicts)
        taken = writing_verdicts(verdicts)
    made = []
    with taken as stream:

        def write(row: dict[str, Any]) -> None:
            if stream is not None:
                stream.write(dump_json(row) + "\n")

        for path in paths:
            with _opened(path) as log:
                made.append(_score_log(log, switches, reader, categories, advance, write))
    benches = {log.data for log in made}
    signature = sign({
        **signature_fields(benches.pop() if len(benches) == 1 else None, switches, reader),
        "n": sum(log.total.n for log in made),
        "void": sum(log.total.void for log in made),
        "ci": "wilson95",
    })  # fmt: skip
    if verdicts is not None:
        sign_verdicts(verdicts, signature)
    return LogReport(tuple(made), signature)


def _score_log(
    log: _Log,
    profile: Profile,
    decoder: str,
    categories: Sequence[str],
    advance: Callable[[int, int], None] | None,
    write: Callable[[dict[str, Any]], object],
) -> LogScore:
    spec = log.header.get("eval") or {}
    model = str(spec.get("model", "unknown"))
    counts: dict[str, Count] = {}
    total, data = Count(), set()
    for place, stored in enumerate(log.samples(), 1):
        try:
            sample = read_sample(stored, tools=_last_offer(stored))
            if categories and sample.category not in categories:
                continue
            verdict = judge_sample(sample, profile, decoder=decoder)
        except InputError as error:
            where = f"{log.path}: {error.path}" if error.path else log.path
            raise InputError(error.what, path=where, hint=error.hint) from error
        row = judged_row(sample, verdict)
        data.add(sample.data)
        total.add(sample.id, row)
        if sample.category is not None:
            counts.setdefault(sample.category, Count()).add(sample.id, row)
        id_ = sample.id if stored.get("epoch", 1) == 1 else f"{sample.id}#{stored['epoch']}"
        write({"model": model, "category": sample.category or ALL, "id": id_, **row})
        if advance is not None:
            advance(place, log.size)
    if not total.n:
        hint = f"there is none of {', '.join(categories)}" if categories and log.size else _WRITTEN_BY
        raise InputError("holds no sample to score", path=log.path, hint=hint)
    order = list(CATEGORIES)
    named = sorted(counts, key=lambda name: order.index(name) if name in order else len(order))
    return LogScore(
        log.path.name,
        str(spec.get("task", "unknown")),
        model,
        str(log.header.get("status", "started")),
        data.pop() if len(data) == 1 else None,
        {name: counts[name] for name in named},
        total,
    )


class _Log:
    """An open log: its header, how many samples it has, and the samples one by one."""

    def __init__(
        self, path: Path, header: dict[str, Any], size: int, samples: Callable[[], Iterator[dict[str, Any]]]
    ) -> None:
        self.path = path
        self.header = header
        self.size = size
        self.samples = samples


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[_Log]:
    """Give an open log. Raises `InputError` for a file that is none, or cannot be read."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            zipped = stream.read(4) == _ZIP
            stream.seek(0)
            text = b"" if zipped else stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(what, path=path, hint=_WRITTEN_BY) from error
    if zipped:
        try:
            archive = zipfile.ZipFile(file)
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            what = f"cannot be read as a zip ({error})"
            raise InputError(what, path=file, hint=_WHOLE) from error
        with archive:
            yield _log_of_zip(archive, file)
        return
    if len(text) > MAX_BYTES:
        raise InputError("over 2 GiB of JSON", path=path, hint="write the log as .eval")
    log = _parse(text, path)
    samples = log.get("samples") or []
    if not isinstance(samples, list) or not isinstance(log.get("eval"), dict):
        raise InputError("is no log of Inspect", path=path, hint=_WRITTEN_BY)
    yield _Log(file, log, len(samples), lambda: (_with_attachments(sample, file) for sample in samples))


def _log_of_zip(archive: zipfile.ZipFile, file: Path) -> _Log:
    members = {info.filename: info for info in archive.infolist()}
    head = members.get("header.json") or members.get("_journal/start.json")  # the header comes at a run's end
    names = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
    if head is None:
        raise InputError("is a zip, and no log of Inspect", path=file, hint=_WRITTEN_BY)

    def member(name: str) -> dict[str, Any]:
        return _parse(_unpack(archive, members[name], file), f"{file}!{name}")

    header = member(head.filename)
    return _Log(file, header, len(names), lambda: (_with_attachments(member(name), file) for name in names))


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: Path) -> bytes:
    where = f"{file}!{info.filename}"
    if info.file_size > MAX_BYTES:
        raise InputError("over 2 GiB", path=where, hint="no log has such samples")
    try:
        if info.compress_type != _ZSTD:
            with archive.open(info) as stream:
                return stream.read(info.file_size + 1)
        unpacked = _unpack_zstd(_packed(archive, info), info.file_size, where)
    except (
        OSError,
        EOFError,
        RuntimeError,
        NotImplementedError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise InputError(f"is damaged ({error})", path=where, hint=_WHOLE) from error
    if zlib.crc32(unpacked) != info.CRC:
        raise InputError("is damaged (another checksum)", path=where, hint=_WHOLE)
    return unpacked


def _packed(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return a member's bytes as they lie in the file, which `zipfile` gives for no method that it does not know."""
    stream = archive.fp
    if stream is None:
        raise ValueError("closed")
    stream.seek(info.header_offset)
    head = stream.read(30)
    if not head.startswith(_ZIP):
        raise ValueError("no member where one should be")
    stream.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), os.SEEK_CUR)
    return stream.read(info.compress_size)


def _unpack_zstd(packed: bytes, size: int, where: str) -> bytes:
    """Return what was packed with Zstandard, in one frame or several; at most one byte more than `size`."""
    name = next((name for name in ("compression.zstd", "zstandard") if _is_there(name)), None)
    if name is None:
        hint = f"pip install 'faircall[zstd]' (Python 3.14 needs nothing), {_TO_JSON}"
        raise InputError("is packed with Zstandard, which this Python cannot read", path=where, hint=hint)
    zstd = import_module(name)
    try:
        if name == "zstandard":
            reader = zstd.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        else:
            reader = zstd.ZstdFile(BytesIO(packed))
        with reader:
            unpacked: bytes = reader.read(size + 1)
    except zstd.ZstdError as error:
        raise InputError(f"is damaged ({error})", path=where, hint=_WHOLE) from error
    return unpacked


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its package is not there either
        return False


def _parse(text: bytes, where: object) -> dict[str, Any]:
    try:
        value = parse_json(text)
    except InputError as error:
        raise InputError(f"is no JSON ({error.what})", path=where, hint=_WRITTEN_BY) from error
    if not isinstance(value, dict):
        raise InputError("is no log of Inspect", path=where, hint=_WRITTEN_BY)
    return value


def _with_attachments(stored: Any, file: Path) -> dict[str, Any]:
    """Return a sample whose long texts, which a log may keep apart, stand where they belong."""
    if not isinstance(stored, dict):
        raise InputError("a sample that is no object", path=file, hint=_WRITTEN_BY)
    attached = stored.get("attachments")
    if not isinstance(attached, dict) or not attached:
        return stored

    def resolve(value: Any) -> Any:
        if isinstance(value, str) and value.startswith(_ATTACHED):
            return attached.get(value.removeprefix(_ATTACHED), value)
        if isinstance(value, list):
            return [resolve(item) for item in value]
        if isinstance(value, dict):
            return {key: resolve(item) for key, item in value.items()}
        return value

    kept = ("messages", "metadata", "target", "error")
    offered = _last_offer(stored)
    return {
        **stored,
        **{name: resolve(stored[name]) for name in kept if name in stored},
        "events": [] if offered is None else [{"event": "model", "tools": resolve(offered)}],
    }


def _last_offer(stored: dict[str, Any]) -> Any:
    """Return the tools of a sample's last request to the model; None where the log keeps no request with tools."""
    events = stored.get("events")
    for event in reversed(events if isinstance(events, list) else []):
        if isinstance(event, dict) and event.get("event") == "model" and event.get("tools"):
            return event["tools"]
    return None
