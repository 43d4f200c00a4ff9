"""A process in the environment of the released evaluator that answers questions, a JSON line each."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Self


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
