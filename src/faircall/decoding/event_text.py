"""The text of a streamed body as its events: server-sent events, or JSON lines."""

from __future__ import annotations

from typing import Any, Final

from faircall.errors import InputError
from faircall.jsontext import parse_json

_DONE: Final = "[DONE]"
_FIELDS: Final = ("data", "event", "id", "retry")


def read_events(text: str, *, where: str = "stream") -> list[Any]:
    """Return the events of a streamed body, each the value of its JSON, in order.

    Server-sent events may have several `data` lines; comments, `event` lines and `[DONE]` say nothing of their own. A
    body without `data` lines is read as JSON lines, or as one JSON array. An event that stops in the middle at the end
    of the text is left out, as a client would. Raises InputError for an event that is no JSON, with its line.

    >>> read_events('data: {"a": 1}\\n\\ndata: [DONE]\\n\\n')
    [{'a': 1}]
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not any(line.startswith("data:") for line in lines):
        return _read_values(text, lines, where)
    events: list[Any] = []
    data: list[str] = []
    began = 0
    for number, line in enumerate([*lines, ""], 1):
        if not line:
            if data:
                _add(events, "\n".join(data), where, began, last=number >= len(lines))
            data = []
            continue
        name, _, value = line.partition(":")
        if name == "data":
            began = began if data else number
            data.append(value.removeprefix(" "))
        elif name and name not in _FIELDS:
            raise InputError(
                f"`{line[:40]}` is no field of an event",
                path=where,
                line=number,
                hint="give the body as it was sent",
            )
    return events


def _add(events: list[Any], data: str, where: str, line: int, *, last: bool) -> None:
    if data.strip() in {_DONE, ""}:
        return
    try:
        events.append(parse_json(data))
    except InputError as error:
        if not last:
            raise InputError(f"an event that is no JSON ({error.what})", path=where, line=line) from error


def _read_values(text: str, lines: list[str], where: str) -> list[Any]:
    if not text.strip():
        return []
    events: list[Any] = []
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if filled[0][1].lstrip().startswith("["):
        value = parse_json(text)
        return value if isinstance(value, list) else [value]
    if all(line.partition(":")[0] in {*_FIELDS, ""} for _, line in filled):  # events without data
        return []
    for place, (number, line) in enumerate(filled):
        _add(events, line, where, number, last=place == len(filled) - 1 and place > 0)
    return events
