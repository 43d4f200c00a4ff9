"""The JSON and XML formats that the format-sensitivity prompts ask for."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from faircall.decoding.official.json_text import load_json
from faircall.decoding.official.python_calls import MAX_CHARACTERS
from faircall.decoding.official.unreadable import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable

_LIST_START: Final = re.compile(r"\[\s*\{")
_LIST_END: Final = re.compile(r"\}\s*\]")


def read_json_calls(text: str) -> list[dict[Any, Any]]:
    """The calls of a JSON list of {function, parameters}; what is no JSON is an empty list, as released."""
    first, last = text.find("["), text.rfind("]")
    if 0 <= first < last:
        text = text[first : last + 1]
    # From the first `[ {` to the first `} ]` after it: what the evaluator's pattern finds, without its
    # backtracking, which takes exponential time on a list that is not closed.
    start = _LIST_START.search(text)
    end = start and _LIST_END.search(text, start.end())
    if start and end:
        text = text[start.start() : end.end()]
    try:
        items = load_json(text)
    except json.JSONDecodeError:
        return []
    return [{item["function"]: item["parameters"]} for item in items if isinstance(item, dict)]


def read_verbose_xml(text: str, *, shift: int = 0) -> list[dict[str, Any]]:
    """The calls of <functions> whose parameters carry name, value and type as attributes."""
    calls = []
    for function in _functions(text, shift):
        name = function.attrib["name"]
        container = function.find("params")
        parameters = (function if container is None else container).findall("param")
        calls.append(
            {name: _arguments((p.attrib.get("name"), p.attrib.get("value", ""), p) for p in parameters)}
        )
    return calls


def read_concise_xml(text: str, *, shift: int = 0) -> list[dict[str, Any]]:
    """The calls of <functions> whose parameters carry their value as text."""
    calls = []
    for function in _functions(text, shift):
        name = function.attrib["name"]
        parameters = function.findall("param")
        calls.append({name: _arguments((p.attrib["name"], (p.text or "").strip(), p) for p in parameters)})
    return calls


def _arguments(parameters: Iterable[tuple[str | None, str, ElementTree.Element]]) -> dict[Any, Any]:
    return {name: _typed(raw, element.attrib.get("type", "string")) for name, raw, element in parameters}


def _functions(text: str, shift: int) -> list[ElementTree.Element]:
    start = text.find("<functions>")
    end = text.find("</functions>", start)
    if start < 0 or end < 0:
        raise UnreadableError("no <functions> element", shift)
    try:
        # The text begins with the root element, so that it can declare no entities.
        root = ElementTree.fromstring(text[start : end + len("</functions>")])  # noqa: S314
    except ElementTree.ParseError as error:
        raise UnreadableError(str(error), shift + start) from None
    return root.findall("function")


def _typed(raw: str, kind: str) -> Any:
    match kind:
        case "integer":
            return int(raw)
        case "float":
            return float(raw)
        case "boolean":
            return raw.lower() == "true"
        case "null":
            return None
        case "array" | "tuple" | "object" | "dict":
            return _literal(raw)
        case _:
            return raw


def _literal(raw: str) -> Any:
    if len(raw) > MAX_CHARACTERS:
        raise UnreadableError("a value is too long")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(raw)
