"""The worker process: reads scripts from standard input, plays them, and writes what came of them.

Started by `Player`, as ``python -m faircall.replay.worker``. The first frame holds the environments' sources and the
limits, each later one a script; every frame is answered by one, before which others may say how far a script has come.
A frame is a line with the number of bytes, and JSON.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import IO, Any

import msgspec

from faircall.replay.environments import Environments
from faircall.replay.interpreter import CALL_ERRORS
from faircall.replay.playing import play
from faircall.replay.records import Script


def read_frame(stream: IO[bytes]) -> Any:
    """Return the next frame's value, or None at the end of the stream."""
    head = stream.readline()
    if not head.strip().isdigit():
        return None
    body = stream.read(int(head))
    return json.loads(body) if len(body) == int(head) else None


def write_frame(stream: IO[bytes], value: Any) -> None:
    """Write a value as a frame. Text with lone surrogates is escaped, as all that is not ASCII."""
    body = json.dumps(value).encode("ascii")
    stream.write(b"%d\n%b" % (len(body), body))
    stream.flush()


def limit_cpu(limit_s: float) -> None:
    """Let this process have no more seconds of the processor from now on, whether or not anybody waits for it.

    The one that waits ends a process that takes too long; this ends it where that one is gone.
    """
    try:
        import resource  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + limit_s) + 1
    if hard == resource.RLIM_INFINITY or soft < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def limit_memory(limit_bytes: int) -> None:
    """Let this process have no more memory than that, where the system can see to it."""
    try:
        import resource  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or limit_bytes < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, hard))


def main() -> None:
    """Play scripts until standard input ends."""
    warnings.simplefilter("ignore")
    # An environment may print; what it prints is no frame.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    settings = read_frame(sys.stdin.buffer)
    if settings is None:
        return
    limit_memory(settings["memory_bytes"])
    environments = Environments(settings["sources"])
    write_frame(answers, {"ready": True})
    while (request := read_frame(sys.stdin.buffer)) is not None:
        script = msgspec.convert(request, Script)
        limit_cpu(settings["cpu_s"])
        try:
            reply = play(script, environments, lambda turns: write_frame(answers, {"so_far": turns}))
        except RecursionError as failed:
            reply = {"limit": "recursion", "message": str(failed)}
        except MemoryError:
            reply = {"limit": "memory", "message": "more memory than an entry may have"}
        except CALL_ERRORS as failed:
            # Only an initial state that the environments do not take gets here: calls have their errors as results.
            message = f"the environments cannot be set up or compared: {type(failed).__name__}: {failed}"
            reply = {"limit": "environment", "message": message}
        environments.restore(script.classes)
        write_frame(answers, reply)


if __name__ == "__main__":
    main()
