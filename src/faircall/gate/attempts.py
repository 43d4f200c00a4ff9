"""All call attempts in a text, outermost first, without overlaps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from faircall.gate.alone import read_alone
from faircall.gate.attempt import Attempt
from faircall.gate.cuts import find_cut
from faircall.gate.invocations import find_invocations
from faircall.gate.labels import find_labelled
from faircall.gate.markup import find_tags
from faircall.gate.objects import describes_schema, find_objects
from faircall.gate.offered import reads_like_function
from faircall.gate.remains import find_remains
from faircall.types import Reason

if TYPE_CHECKING:
    from faircall.gate.offered import Offered
    from faircall.gate.own_code import Code

# What an output that is nothing but the trace of a call looks like; texts of this kind are short.
_LONGEST_TRACE = 2_000
_NAMES_IN_BRACKETS = re.compile(
    r"""\[\s*+["']?(?P<name>[^\W\d][\w.]*+)["']?(?:\s*+,\s*+["']?[^\W\d][\w.]*+["']?)*+\s*+\]"""
)
_CUT_LIST = re.compile(r"\[\s*+(?P<name>[^\W\d][\w.]*+)")
_CUT_TAG = re.compile(r"<[|｜]?[A-Za-z_▁｜|]{1,40}")
_CUT_CALL = re.compile(r"""(?P<name>[^\W\d][\w.\-]*+)\s*+(?:[\[{(][\s"'{\[\w:]*+|:[\s"'{\[]*+)""")
_LOST_OPENING = re.compile(r"\[\s*+[^\W\d][\w.\\\-]*+\s*+=.*\)\s*+\]", re.DOTALL)
# A label at the most, then nothing but the arguments: the name was lost.
_BARE_ARGUMENTS = re.compile(
    r"""(?:[A-Z][\w ]{0,30}:\s*+)?\{\s*+["'](?:args|arguments|parameters|params|kwargs)["']\s*+:\s*+\{.*\}\s*+\}""",
    re.DOTALL,
)
_DICT_OF_DICTS = re.compile(r"""\[?\s*+\{\s*+["']?(?P<name>[^\W\d][\w.\-]*+)["']?\s*+:\s*+["']?\s*+\{""")
_FIRST_KEY = re.compile(r"""\[?\s*+\{\s*+["']?(?P<name>[^\W\d]\w*+)["']?\s*+:""")


def find_attempts(text: str, offered: Offered, code: Code) -> list[Attempt]:
    """Return what reads like a call in the text, in the order of the text, overlaps dropped.

    `code` is the code that the text brings along, whose own calls are none.

    Where several readings overlap, the one that starts first wins; of those that start together, the longest.
    """
    found = [
        *find_tags(text, offered),
        *find_objects(text, offered),
        *find_invocations(text, offered, code),
        *find_labelled(text, offered),
    ]
    found = found or _find_whole(text, offered)
    if not found and (left := find_cut(text, offered, code) or find_remains(text, offered)) is not None:
        return [left]
    found.sort(key=lambda attempt: (attempt.start, -attempt.end))
    kept: list[Attempt] = []
    for attempt in found:
        if not kept or attempt.start >= kept[-1].end:
            kept.append(attempt)
    return kept


def _find_whole(text: str, offered: Offered) -> list[Attempt]:
    """Outputs that are nothing but a tool's name, its arguments, or the shape of a stored call list."""
    whole = text.strip()
    if whole.startswith("```") and whole.endswith("```") and len(whole) > 6:
        whole = re.sub(r"^```\w*", "", whole[:-3]).strip()
    trace = _read_trace(whole, offered) if len(whole) < _LONGEST_TRACE else None
    read = trace or _read_shape(whole, offered)
    start = text.find(whole)
    if read is None and (alone := read_alone(whole, offered)) is not None:
        name, sketched = alone
        end = start + len(whole)
        return [Attempt(start, end, name, True, Reason.SYNTAX_ERROR, written="label", hinted=sketched)]
    if read is None:
        return []
    found, broken = read
    return [Attempt(start, start + len(whole), found, found is None or offered.has(found), broken)]


def _read_trace(whole: str, offered: Offered) -> tuple[str | None, Reason] | None:
    """The name in a text that is a piece of a call, and why it is none; the name may be lost as well."""
    bare = whole.strip("`[]\"'* .:;")
    if offered.has(bare):
        return bare, Reason.SYNTAX_ERROR
    cut = _CUT_LIST.fullmatch(whole)
    if cut is not None and (_has_parts(cut.group("name")) or offered.has_beginning(cut.group("name"))):
        return cut.group("name"), Reason.TRUNCATED
    if _CUT_TAG.fullmatch(whole):
        return None, Reason.TRUNCATED
    cut = _CUT_CALL.fullmatch(whole)
    if cut is not None and offered.has(cut.group("name")):
        return cut.group("name"), Reason.TRUNCATED
    names = _NAMES_IN_BRACKETS.fullmatch(whole)
    if names is not None and _has_parts(name := names.group("name")) and not offered.is_sentinel(name):
        return name, Reason.SYNTAX_ERROR
    if _LOST_OPENING.fullmatch(whole) and whole.count(")") > whole.count("("):
        return None, Reason.SYNTAX_ERROR
    if _BARE_ARGUMENTS.fullmatch(whole):
        return None, Reason.SCHEMA_ECHO if describes_schema(whole) else Reason.SYNTAX_ERROR
    return None


def _read_shape(whole: str, offered: Offered) -> tuple[str | None, Reason | None] | None:
    """The name of an object in an object that reads like a stored call; None for the arguments of one alone."""
    shape = _DICT_OF_DICTS.match(whole)
    if shape is not None:
        name = shape.group("name")
        if describes_schema(whole):
            return name, Reason.SCHEMA_ECHO
        if offered.has(name) or reads_like_function(name):
            return name, None
    key = _FIRST_KEY.match(whole)
    if key is not None and key.group("name") in offered.parameters and whole.endswith(("}", "]", ",", '"')):
        return None, Reason.SYNTAX_ERROR
    return None


def _has_parts(name: str) -> bool:
    return re.search(r"[^\W_][._]\w", name) is not None
