"""JSON text as the handlers load it."""

from __future__ import annotations

import json
from typing import Any

from faircall.decoding.official.unreadable import MAX_NESTING


def load_json(text: Any) -> Any:
    """The value of a JSON text, as Python's `json` reads it (`NaN` and repeated names included).

    Raises what `json.loads` raises, and RecursionError past MAX_NESTING levels. The released evaluator meets
    that error at about 980, a number that depends on its caller.
    """
    value = json.loads(text)
    if isinstance(text, str) and text.count("[") + text.count("{") > MAX_NESTING:
        _check_nesting(value)
    return value


def _check_nesting(value: Any) -> None:
    level = [value]
    for _ in range(MAX_NESTING):
        level = [
            part
            for container in level
            if isinstance(container, (dict, list))
            for part in (container.values() if isinstance(container, dict) else container)
        ]
        if not level:
            return
    if any(isinstance(part, (dict, list)) for part in level):
        raise RecursionError(f"nested more than {MAX_NESTING} levels deep")
