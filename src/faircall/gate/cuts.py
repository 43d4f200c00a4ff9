"""Texts that begin as a call and stop inside it, before anything else tells what they call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.gate.attempt import Attempt
from faircall.gate.brackets import REACH, close_bracket
from faircall.gate.objects import ARGUMENT_KEYS, NAME_KEYS
from faircall.gate.offered import reads_like_function
from faircall.gate.own_code import is_method, is_ordinary
from faircall.types import Reason

if TYPE_CHECKING:
    from faircall.gate.offered import Offered
    from faircall.gate.own_code import Code

_WRAPPER_KEYS: Final = frozenset({
    "tool_calls", "toolcalls", "function_calls", "functioncalls", "calls", "tool_uses", "actions", "function_call",
    "tool_call",
})  # fmt: skip
_LEAD: Final = re.compile(r"\s*+(?:`{3,}+(?P<language>\w*+)\s*+)?")
_OPENED: Final = re.compile(r"""(?:\[\s*+)*+\{\s*+(?P<inside>.*)""", re.DOTALL)
_KEY: Final = re.compile(r"""\\*+["'](?P<key>[\w\-]*+)(?:(?P<closed>\\*+["'])\s*+(?P<colon>:)?\s*+)?""")
_NAME: Final = re.compile(r"""\\*+["']?(?P<name>[\w.\-/]*+)(?P<closed>\\*+["'])?\s*+(?P<comma>,)?\s*+""")
_TYPE: Final = re.compile(r"""\\*+["'](?:function|tool_call|tool_use|function_call)""")
_CALL: Final = re.compile(r"""(?P<list>(?:\[\s*+)*+)["'`]?(?P<name>[^\W\d][\w.\-]*+)\(""")
_FIRST_ARGUMENT: Final = re.compile(r"""\s*+(?:\Z|["'\d{\[]|[+\-]\d|[^\W\d]\w*+\s*+(?:[=,]|:\s|\Z))""")
_NOTHING: Final = re.compile(r"(?:\[\s*+\]|\{\s*+\}|null)")
_DEEPEST: Final = 8
"""Objects within objects that are looked into for a name."""
_TELLING: Final = 4
"""Characters of a tool's name from which on its beginning tells what was meant."""


def find_cut(text: str, offered: Offered, code: Code) -> Attempt | None:
    """Return the attempt that all of the text, or its last paragraph, begins and does not finish.

    It need not name an offered tool, and may stop within the name or before it. Prose that ends in an open bracket
    begins as no call, and data that is cut off is no call either.

    >>> from faircall.gate.offered import Offered
    >>> from faircall.gate.own_code import read_code
    >>> find_cut('[{"name": "get_ti', Offered(), read_code("")).broken
    <Reason.TRUNCATED: 'truncated'>
    """
    if code.is_own:
        return None
    text = text.rstrip()
    starts = dict.fromkeys([0, text.rfind("\n\n") + 2, text.rfind("```")])
    for start in starts:
        if 0 <= start < len(text) and len(text) - start <= REACH:
            found = _read_cut(text, start, offered, code)
            if found is not None:
                return found
    return None


def _read_cut(text: str, start: int, offered: Offered, code: Code) -> Attempt | None:
    lead = _LEAD.match(text, start)
    at = lead.end() if lead is not None else start
    alone = not text[:start].strip()
    if code.is_foreign(at):
        return None
    opened = _OPENED.match(text, at)
    called = _CALL.match(text, at)
    if opened is not None and _is_open(text, at):
        name = _name_in_object(opened.group("inside"), offered, alone=alone)
    elif called is not None and _is_open(text, at if called.group("list") else called.end() - 1):
        name = _name_of_call(text, called, offered, alone=alone)
    else:
        return None
    if name is None or offered.is_sentinel(name):
        return None
    return Attempt(at, len(text), name or None, not name or offered.has(name), Reason.TRUNCATED)


def _is_open(text: str, start: int) -> bool:
    """Whether the bracket is still open where the text ends."""
    stretch = close_bracket(text, start)
    return not stretch.closed and not stretch.crossed and stretch.end >= len(text)


def _name_in_object(inside: str, offered: Offered, *, alone: bool) -> str | None:
    """The name of what a cut object calls, "" where the name is not there yet, None where it is no call."""
    for _ in range(_DEEPEST):
        found = _KEY.match(inside)
        if found is None:
            return None
        key, rest = found.group("key"), inside[found.end() :]
        if not found.group("closed"):
            return "" if not rest and _is_begun(key, offered, alone=alone) else None
        if offered.has(key):
            return key
        folded = key.casefold().replace("-", "_")
        if _is_opening(folded, rest) or (alone and key in offered.parameters and found.group("colon")):
            return ""  # what is around the call, or its arguments alone
        if folded not in NAME_KEYS:
            return None
        if not rest.startswith("{"):
            return _name_beside(rest, offered, alone=alone)
        inside = rest[1:].lstrip()
    return None


def _is_begun(key: str, offered: Offered, *, alone: bool) -> bool:
    """Whether a key that is cut off begins like one of a call, or like the name of an offered tool."""
    if len(key) >= _TELLING and offered.has_beginning(key):
        return True
    return alone and bool(key) and any(name.startswith(key) for name in (*NAME_KEYS, *_WRAPPER_KEYS))


def _is_opening(key: str, rest: str) -> bool:
    """Whether a key and what is behind it stand around a call or before it: a list of calls, a type, an identifier."""
    if key in _WRAPPER_KEYS and (not rest or rest[0] in "[{"):
        return _NOTHING.match(rest) is None
    return (key == "type" and _TYPE.match(rest) is not None) or (key == "id" and rest[1:].startswith("call"))


def _name_beside(rest: str, offered: Offered, *, alone: bool) -> str | None:
    """The name at the start of the text, if what follows may still be the key of the arguments."""
    named = _NAME.match(rest)
    if named is None:
        return None
    name, rest = named.group("name"), rest[named.end() :]
    if rest:
        key = _KEY.match(rest)
        if key is None or not named.group("comma"):
            return None
        word = key.group("key").casefold()
        whole = key.group("closed") is not None
        if not (word in ARGUMENT_KEYS if whole else any(known.startswith(word) for known in ARGUMENT_KEYS)):
            return None
    return name if alone or offered.has(name) or reads_like_function(name) else None


def _name_of_call(text: str, called: re.Match[str], offered: Offered, *, alone: bool) -> str | None:
    """The name before a bracket that does not close, if it can be a tool and arguments begin behind it."""
    name, listed = called.group("name"), bool(called.group("list"))
    if not offered.has(name) and (is_ordinary(name) or is_method(name)):
        return None
    body = text[called.end() :]
    if listed and body.lstrip().startswith(")"):
        return name  # a first call without arguments, and the list goes on
    if _FIRST_ARGUMENT.match(body) is None:
        return None
    # Beside words, a call without a list around it may as well be code of the text's own.
    telling = offered.has(name) or (reads_like_function(name) and (alone or listed))
    return name if telling or (alone and (listed or not body.strip())) else None
