"""A process in the environment of the released evaluator that answers questions, a JSON line each."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable


class OracleProcess:
    """The process; a context manager. `script` is run with ``--serve`` in `environment`, a folder with the tool."""

    def __init__(self, environment: str, script: str) -> None:
        settings = {**os.environ, "OPENAI_API_KEY": "unused", "PYTHONHASHSEED": "0"}
        settings.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [str(Path(environment) / "bin" / "python"), str(Path(script).resolve()), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=settings,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def put(self, question: Any) -> Any:
        """Return the answer to a question; raises RuntimeError where the process died of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the oracle died on {str(question)[:200]}")
        return json.loads(answer)


def run_by_hand(
    about: str,
    oracle: type[OracleProcess],
    *,
    serve: Callable[[], None],
    compare: Callable[[Any, int, int], tuple[Counter[str], list[str]]],
) -> None:
    """Serve, where a process of the oracle's environment was started; else compare and print what was counted."""
    if "--serve" in sys.argv:
        serve()
        return
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with oracle(os.environ["FAIRCALL_ORACLE"]) as running:
        found, differences = compare(running, chosen.rounds, chosen.seed)
    for what, number in sorted(found.items(), key=lambda pair: -pair[1]):
        print(number, what)
    for difference in differences[:12]:
        print(difference[:900])
