"""FunctionGemma's calls: `call:name{key:<escape>text<escape>,count:2}` between call tokens."""

from __future__ import annotations

from typing import Any, Final

from faircall.decoding.official.prompted import between
from faircall.decoding.official.unreadable import MAX_NESTING, require_text

_START: Final = "<start_function_call>"
_END: Final = "<end_function_call>"
_CALL: Final = "call:"
_ESCAPE: Final = "<escape>"
_WORDS: Final[dict[str, bool | None]] = {"null": None, "true": True, "false": False}


def read_functiongemma(output: Any) -> list[dict[str, Any]]:
    """The calls between the call tokens; text without one is an empty list, as released."""
    text = require_text(output)
    calls: list[dict[str, Any]] = []
    at = 0
    while (found := between(text, _START, _END, at)) is not None:
        at = found[1] + len(_END)
        content = text[found[0] : found[1]].strip()
        if not content.startswith(_CALL):
            continue
        name, brace, rest = content[len(_CALL) :].partition("{")
        calls.append({name.strip(): _Arguments().read(brace + rest) if brace else {}})
    return calls


class _Arguments:
    """The released reader's states: open containers, and for each open object the key that waits for a value.

    Its oddities are kept. A value in an object without a key is remembered as a possible key (`last`); a `]`
    closes whatever is open without taking the key of an object off; a later value replaces an earlier one.
    """

    def __init__(self) -> None:
        self.root: list[Any] = []
        self.open: list[Any] = [self.root]
        self.keys: list[str | None] = []
        self.buffer: list[str] = []
        self.last: Any = None

    def read(self, text: str) -> dict[str, Any]:
        at = 0
        while at < len(text):
            if text.startswith(_ESCAPE, at):
                at = self._escaped(text, at)
                continue
            if text[at] in "{[:]},":
                # before a colon the buffer has been taken as a value, so that `last` holds the key
                self._commit()
                self._structure(text[at])
            else:
                self.buffer.append(text[at])
            at += 1
        self._commit()
        first = self.root[0] if self.root else None
        return first if isinstance(first, dict) else {}

    def _escaped(self, text: str, at: int) -> int:
        start = at + len(_ESCAPE)
        end = text.find(_ESCAPE, start)
        self._commit()
        if end < 0:
            self._add(text[at:])
            return len(text)
        self._add(text[start:end])
        return end + len(_ESCAPE)

    def _structure(self, sign: str) -> None:
        if sign == "{":
            self._push({})
            self.keys.append(None)
        elif sign == "[":
            self._push([])
        elif sign in "}]":
            if len(self.open) > 1:
                self.open.pop()
                if sign == "}" and self.keys:
                    self.keys.pop()
        elif sign == ":":
            key, self.last = self.last, None
            if key is not None and isinstance(self.open[-1], dict) and self.keys:
                self.keys[-1] = str(key)
            return
        self.last = None

    def _push(self, container: Any) -> None:
        if len(self.open) > MAX_NESTING:
            raise RecursionError(f"nested more than {MAX_NESTING} levels deep")
        self._add(container)
        self.open.append(container)

    def _commit(self) -> None:
        raw = "".join(self.buffer).strip()
        self.buffer.clear()
        if raw:
            self._add(_primitive(raw))

    def _add(self, value: Any) -> None:
        container = self.open[-1]
        if isinstance(container, list):
            container.append(value)
        elif self.keys and self.keys[-1] is not None:
            container[self.keys[-1]] = value
            self.keys[-1] = None
        else:
            self.last = value


def _primitive(raw: str) -> Any:
    if raw in _WORDS:
        return _WORDS[raw]
    for kind in (int, float):
        try:
            return kind(raw)
        except ValueError:
            continue
    return raw
