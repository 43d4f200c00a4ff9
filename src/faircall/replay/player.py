"""The near end of the worker process: sends scripts, waits no longer than the limit, and starts a dead worker anew."""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import subprocess
import sys
import threading
import time
import weakref
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import VERSION
from faircall.bfcl.environments import MODULES
from faircall.errors import ExternalError, InputError
from faircall.replay.environments import SHARED_MODULE
from faircall.replay.records import Broken, Played, Script, read_reply
from faircall.replay.worker import read_frame, write_frame

if TYPE_CHECKING:
    from faircall.bfcl.data import BenchmarkData

TIME_LIMIT_S: Final = 10.0
MEMORY_LIMIT_BYTES: Final = 2 * 2**30
START_LIMIT_S: Final = 60.0
_FOLDER: Final = "eval_checker/multi_turn_eval/func_source_code"
SOURCE_SHA256: Final = {
    "gorilla_file_system": "84173750930b09aaa31b90547c9bd79ce75714682608b35e78a9c1ea259faf2b",
    "math_api": "abde32cc25e71b2ff3acf4d028a3c005b98409c174aba4abddbfe1c018afb9a8",
    "message_api": "cf72af1635654147af17df1891a7fb354549e78a61930139f741a31f4be21121",
    "posting_api": "32b887aaa37c7167ad9c84ddfa7bbb855c75d3c1edab19ba868aba29acc4cfa1",
    "ticket_api": "6a9375aa6425410c07a151aef27f3e44e9ed1023bb5cc5c25f14f4a9b3c99116",
    "trading_bot": "cc2e3949035b561e9d07418b081561aa07b211672200e2e511aec074bf79fcb2",
    "travel_booking": "e698e22adccf0d6d41b297f2d5e44faebd828cef4752df6a4ffb1570c0c35296",
    "vehicle_control": "f5f7a2f28968728927a98ae12ec68a32d70781cfb74c2d7b14801772362b12d1",
    "long_context": "5c9a5710115609c779e5b2ccb43f6ad58271ed96f2ea7a797edb0d65c385aa38",
}
"""The environments' modules of the pinned release. No other code of the benchmark's is ever run."""


class Player:
    """Plays scripts in a worker process, which is started for the first one; a context manager.

    `time_limit_s` is what one script may take. A script that takes longer, or more memory than `memory_limit_bytes`
    (where the system can see to that), or that ends the worker, is `Broken`, and the next one gets a new worker.

    `play` raises `InputError` where the data's environments are not those of the pinned release.
    """

    def __init__(
        self,
        data: BenchmarkData,
        *,
        time_limit_s: float = TIME_LIMIT_S,
        memory_limit_bytes: int = MEMORY_LIMIT_BYTES,
    ) -> None:
        self._data = data
        self._memory_limit_bytes = memory_limit_bytes
        self._time_limit_s = time_limit_s
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stop: weakref.finalize[..., Any] | None = None

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, script: Script) -> Played | Broken:
        """Return what a script comes to."""
        process = self._process if self._process is not None else self._start()
        deadline = time.monotonic() + self._time_limit_s
        so_far: Any = ()
        try:
            write_frame(_opened(process.stdin), msgspec.to_builtins(script))
            reply = self._replies.get(timeout=self._time_limit_s)
            while reply is not None and "so_far" in reply:
                so_far = reply["so_far"]
                reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            reply = {"limit": "time", "message": f"more than {self._time_limit_s:g} s"}
            self.close()
        except BrokenPipeError:
            reply = None
        if reply is None:
            reply = {"limit": "worker", "message": "the worker process died of it"}
            self.close()
        return read_reply(reply, so_far)

    def close(self) -> None:
        """End the worker process, where there is one."""
        if self._stop is not None:
            self._stop()
        self._process = self._stop = None

    def _start(self) -> subprocess.Popen[bytes]:
        settings = {
            "sources": read_sources(self._data),
            "memory_bytes": self._memory_limit_bytes,
            "cpu_s": 2 * self._time_limit_s + 5,
        }
        process = subprocess.Popen(
            # -P: no module is taken from the folder that this happens to run in, where the results may lie.
            [sys.executable, "-P", "-m", "faircall.replay.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        # A queue of its own, so that a reply of a worker that was given up never counts for the next one.
        self._replies = queue.SimpleQueue()
        reader = threading.Thread(
            target=_read_all, args=(_opened(process.stdout), self._replies), daemon=True
        )
        reader.start()
        self._process, self._stop = process, weakref.finalize(self, _end, process, reader)
        try:
            write_frame(_opened(process.stdin), settings)
            ready = self._replies.get(timeout=START_LIMIT_S)
        except (queue.Empty, BrokenPipeError):
            ready = None
        if ready is None:
            self.close()
            raise ExternalError("the worker process that replays dialogues cannot be started")
        return process


def read_sources(data: BenchmarkData) -> dict[str, str]:
    """Return the source of the environments' modules. Raises `InputError` where one is not the pinned release's."""
    sources = {}
    for module in (*MODULES.values(), SHARED_MODULE):
        content = data.read(f"{_FOLDER}/{module}.py")
        if hashlib.sha256(content).hexdigest() != SOURCE_SHA256[module]:
            raise InputError(
                f"{module}.py is not that of bfcl-eval {VERSION}, and code that is not known is not run",
                path=data.path,
                hint="run: faircall data pull",
            )
        sources[module] = content.decode("utf-8")
    return sources


def _environment() -> dict[str, str]:
    """The worker's variables: this process's, with the place that this package is imported from."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
    paths = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


def _read_all(stream: IO[bytes], replies: queue.SimpleQueue[Any]) -> None:
    """Put every frame on the queue as it comes, and None at the end."""
    while (value := read_frame(stream)) is not None:
        replies.put(value)
    replies.put(None)


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 - both are pipes
    return stream


def _end(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    process.kill()
    process.wait()
    reader.join(timeout=5)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()
