"""Calls written as objects: a name beside arguments, a tool as a key, a pair of both; in JSON, Python or neither."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_python_literal
from faircall.gate.attempt import Attempt, is_all, stands_alone
from faircall.gate.brackets import READING_BUDGET, close_bracket
from faircall.gate.offered import is_noun, is_plain_word
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.gate.offered import Offered

# In the order in which they are asked for the name; a text that is cut off is read by the same keys.
NAME_KEYS = (
    "name", "tool_name", "function_name", "toolname", "functionname", "function", "tool", "recipient_name",
    "api_name", "api", "func_name", "func", "action", "call", "method", "tool_call", "function_call", "command",
)  # fmt: skip
ARGUMENT_KEYS = frozenset({
    "arguments", "argument", "parameters", "parameter", "params", "param", "args", "arg", "kwargs",
    "input", "inputs", "action_input", "tool_input", "function_args", "tool_args", "properties",
})  # fmt: skip
_AROUND = 400
_OPENING = re.compile(r"[{\[(]")
_KEY_TOKEN = re.compile(
    r"""(?xs)
      (?P<key>
          (?<!\\)\\*+"(?P<double>[^"\\\n]{1,120})\\*"\s*+:
        | (?<!\\)\\*+'(?P<single>[^'\\\n]{1,120})\\*'\s*+:
        | (?P<bare>[A-Za-z_][\w.\-\\]{0,120})\s*+[:=](?![:=])
      )
    | (?P<open>[{\[(])
    | (?P<close>[}\])])
    | (?P<string>"(?:[^"\\]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'(?=\s*+[,}\]:)]))"""
)
_VALUE = re.compile(r"""\s*+\\*["']?\s*+([A-Za-z_][\w.\-\\/ ]{0,120}?)\s*+\\*["']?\s*+(?=[,}\]\n;]|$)""")
_OPENS = re.compile(r"""\s*+\\*["']?\s*+[\[{]""")
_PLAIN = re.compile(r"""(?i)\s*+\\*+(?:["'\d]|[+\-.]\d|(?:true|false|null|none)\b)""")
_NONE = re.compile(
    r"""(?i)\s*+\\*+["']?\s*+(?:false|null|none|n/?a|no|not|nothing|never|cannot|can['’]t|unable|un\w+able|irrelevant
    |(?:an?|the|this)\s+(?:\w+\s+)?(?:tool|function|api|method|service)|["'])(?!\w)""",
    re.VERBOSE,
)
_PAIR = re.compile(r"""[\[(]\s*+\\*["']([A-Za-z_][\w.\-\\]*+)\\*["']\s*+,\s*+([\[{])""")
# A schema: `properties` with a type or a description each, or any names with nothing but a type each.
_TYPE = r"(?:string|integer|number|float|boolean|dict|object|array|str|int|any|tuple|list|bool)"
_SCHEMA = re.compile(
    r"""(?xi)\bproperties\\*["']?\s*+[:=]\s*+
    \{[^{}]*\{[^{}]*\b(?:type|description)\\*["']?\s*+[:=]"""
)
_FLAT_SCHEMA = re.compile(
    rf"""(?xi)(?:^[\s\[{{(]*+|(?:parameters|arguments)\\*["']?\s*+[:=]\s*+\{{\s*+)\\*["'][\w.\-]+\\*["']\s*+:\s*+
    \{{\s*+\\*["']type\\*["']\s*+:\s*+\\*["']{_TYPE}\\*["']"""
)


class _Key(msgspec.Struct, frozen=True):
    name: str
    value_start: int


def describes_schema(text: str) -> bool:
    """Whether the text repeats a JSON Schema: properties that carry a type or a description each."""
    return _SCHEMA.search(text) is not None or _FLAT_SCHEMA.search(text) is not None


def parses_as_json(text: str) -> bool:
    """Whether the whole text is JSON, read strictly."""
    try:
        msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def read_value(text: str) -> Any:
    """Return the JSON value or the Python literal that the whole text is, or None where it is neither.

    >>> read_value("{'a': [1]}"), read_value("a: 1")
    ({'a': [1]}, None)
    """
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        value, end = read_python_literal(text)
    except LiteralError:
        return None
    return None if text[end:].strip() else value


def find_objects(text: str, offered: Offered) -> Iterator[Attempt]:
    """Yield an attempt for each outermost object or pair that names a tool beside its arguments."""
    position = 0
    budget = READING_BUDGET
    while budget > 0 and (opening := _OPENING.search(text, position)) is not None:
        start = opening.start()
        pair = _PAIR.match(text, start)
        if opening.group() != "{" and pair is None:
            position = start + 1
            continue
        stretch = close_bracket(text, start)
        budget -= stretch.end - start
        attempt = (
            _judge_pair(text, pair, stretch.end, offered)
            if pair is not None
            else _judge_object(text, start, stretch.end, offered)
        )
        if attempt is None:
            # The name may sit deeper, as in {"calls": [{"name": ...}]}.
            position = start + 1
            continue
        if not stretch.closed and attempt.broken is None:
            attempt = msgspec.structs.replace(
                attempt, broken=Reason.SYNTAX_ERROR if stretch.crossed else Reason.TRUNCATED
            )
        yield attempt
        position = max(stretch.end, start + 1)


def _judge_pair(text: str, pair: re.Match[str], end: int, offered: Offered) -> Attempt | None:
    """The attempt that a name and what follows it in a list or tuple make: an object, or a list if offered."""
    name, following = pair.groups()
    known = offered.has(name)
    standing = stands_alone(text, pair.start(), end)
    if not known and (not standing or following != "{"):
        return None
    return Attempt(pair.start(), end, name, known, standing=standing)


def _judge_object(text: str, start: int, end: int, offered: Offered) -> Attempt | None:
    """The attempt that an object makes: a tool as a key of an object, or a name beside arguments."""
    keys = _top_keys(text, start, end)
    if not keys:
        return None
    standing = stands_alone(text, start, end)
    schema = describes_schema(text[start:end])
    broken = Reason.SCHEMA_ECHO if schema else None
    tool_key = next((key for key in keys if offered.has(key.name)), None)
    if tool_key is not None and _OPENS.match(text, tool_key.value_start):
        own = any(_names_parameter(text[tool_key.value_start : end], key) for key in offered.parameters)
        data = is_plain_word(tool_key.name) and bool(offered.parameters) and not own
        return Attempt(start, end, tool_key.name, True, broken, standing=standing, hinted=data)
    if tool_key is not None and (plain := _judge_plain(text, tool_key, keys, offered)) is not None:
        alone = is_all(text, start, end)
        if alone or (standing and not is_plain_word(tool_key.name)):
            # A noun may as well label an answer: {"average": 4.2}.
            hinted = plain or is_noun(tool_key.name)
            return Attempt(start, end, tool_key.name, True, broken, standing=standing, hinted=hinted)
    named = {key.name.casefold().replace("-", "_"): key for key in keys}
    names = [name for key in NAME_KEYS if key in named and (name := _value_of(text, named[key], end))]
    name = next(filter(offered.has, names), names[0] if names else None)
    if name is None or offered.is_sentinel(name):
        return None
    known = offered.has(name)
    if not known and (" " in name or not ARGUMENT_KEYS & named.keys()):
        return None
    if not known and schema and _is_told(text, start, end):
        return None  # a tool that the text proposes to write
    return Attempt(start, end, name, known, broken, standing=standing)


def _judge_plain(text: str, tool_key: _Key, keys: list[_Key], offered: Offered) -> bool | None:
    """Whether an object with a tool as a key and a plain value behind it is only a sketch; None where it is other data.

    It is a sketch where the value says that there is none, where that cannot be known, or where each of several
    tools has a remark.
    """
    if not _PLAIN.match(text, tool_key.value_start):
        return None
    if not all(offered.has(key.name) or key.name in offered.parameters for key in keys):
        # Beside an unknown key it may be either, where the tools' parameters are not known.
        other = offered.parameters or tool_key is not keys[0] or is_plain_word(tool_key.name)
        return None if other else True
    return (
        _NONE.match(text, tool_key.value_start) is not None or sum(offered.has(key.name) for key in keys) > 1
    )


def _is_told(text: str, start: int, end: int) -> bool:
    """Whether a text of several words leads up to the stretch or follows it, and not further objects."""
    around = (
        text[max(0, start - _AROUND) : start].rpartition("}")[2] + text[end : end + _AROUND].partition("{")[0]
    )
    return len(around.split()) >= 8


def _names_parameter(text: str, parameter: str) -> bool:
    return re.search(rf"""["']?\b{re.escape(parameter)}\b\\*["']?\s*+[:=]""", text) is not None


def _value_of(text: str, key: _Key, end: int) -> str | None:
    value = _VALUE.match(text, key.value_start, min(end, key.value_start + 200))
    return value.group(1).replace("\\", "") if value else None


def _top_keys(text: str, start: int, end: int) -> list[_Key]:
    keys: list[_Key] = []
    depth = 0
    for token in _KEY_TOKEN.finditer(text, start, end):
        if token.group("open"):
            depth += 1
        elif token.group("close"):
            depth -= 1
            if depth <= 0:
                break
        elif token.group("key") and depth == 1:
            name = token.group("double") or token.group("single") or token.group("bare") or ""
            keys.append(_Key(name.strip(), token.end()))
    return keys
