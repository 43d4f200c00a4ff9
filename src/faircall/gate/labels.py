"""Calls written with labels, bare words or the wrong brackets: ReAct steps, command lines, attribute tags."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from faircall.gate.attempt import Attempt, stands_alone
from faircall.gate.offered import is_plain_word
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.gate.offered import Offered

_INPUT: Final = r"(?:input|arguments?|args|param(?:eter)?s?|kwargs)"
_STEP: Final = re.compile(
    rf"""(?xim)
    ^[ \t>*\-`]*+
    (?:action|tool|function|(?:tool|function)[ _]?call|api(?:[ _]?call)?|(?:tool[ _]?|function[ _]?)?name)
    \**\s*+[:=]\s*+\**\s*+
    [`"'\[]*(?P<name>[A-Za-z_][\w.\-\\]*+)[`"'\]]*\**(?:\(\))?[ \t]*+,?
    \s++(?:(?:with|and)\s++)?[\s>*\-`]*+
    (?:(?:action|tool|function)[ _])?(?:{_INPUT}|with)\**\s*+[:=]"""
)
_TYPE_AS_VALUE: Final = re.compile(
    r"""(?x)\s*+["'`<]?(?:str(?:ing)?|int(?:eger)?|float|number|bool(?:ean)?|list|array|dict|object|any)
    ["'`>]?\s*+(?:[,}\])>]|$)"""
)


@lru_cache(maxsize=4096)
def _loose_pattern(name: str, parameter: str) -> re.Pattern[str]:
    """The ways to write an offered name with fields and without round brackets; a name and a parameter given."""
    field = r"""\\*["']?[\w\-]+\\*["']?\s*+[:=]"""
    own_field = rf"""\\*["']?(?:{parameter})\\*["']?\s*+[:=]"""
    return re.compile(
        rf"""(?xim)
        # the name, then an object or fields in brackets that are not round
        (?:^|(?<=[\s`"'\[({{<>/:\\]))(?P<object>{name})[`"'*]*+\s*+(?:[:=\-]{{1,2}}>?\s*+)?(?:```\w*+\s*+)?
            [\[{{<]\s*+{field}
        # the same, whatever marks or label of arguments stand between, if the field is one of the tools'
        |(?P<labelled>{name})[^\w(]{{0,20}}(?:{_INPUT}[^\w(]{{0,10}})?[\[{{<][^\w(]{{0,8}}{own_field}
        # the name inside such a bracket, then fields
        |[\[{{<(]\s*+[`"']?(?P<inside>{name})[`"']?[\s:,;]++{field}
        |\(\s*+(?P<lisp>{name})\s++:\w
        # an XML element with the tool's name
        |<(?P<element>{name})\s*+/?>
        # a ReAct step with its input in brackets, or a mapping with the tool as its key
        |^[ \t>*]*+(?:action|tool|function|call)\s*+:\s*+[`"']?(?P<step>{name})[`"']?\s*+[\[({{]
        |^[ \t\-]*+["'`]?(?P<mapping>{name})["'`]?\s*+:[ \t]*+\n\s++[\w\-]+\s*+:\s*+\S
        # a command line, a query, or fields without brackets
        |^[ \t>*$`\[/]*+(?:(?:get|post|put)[ \t]++/?)?(?P<command>{name})(?:\s++(?:--?\w|\w+\s*+=\s*+\S)|\?\w+=)
        # the name, then one of the tools' own parameters with a value, whatever stands between
        |^[ \t>*]*+(?P<fields>{name})[^\w(]{{1,6}}(?:{parameter})["'`]?\s*+[=:]\s*+\S
        # the name, then an object with quoted keys in the same sentence, whatever words of whatever language join them
        |(?P<near>{name})[^{{}}\n.!?]{{0,60}}(?:\n[^{{}}\n]{{0,30}})?\{{\s*+["'][\w\-]+["']\s*+:
        # round brackets set off from the name by marks, and other brackets with nothing or an element in them
        |(?P<marked>{name})[\]*`\s]{{1,4}}\(\s*+(?:{own_field}|["'\w]++\s*+=|\w++\s*+:\s*+["']|["']\w++["']\s*+:)
        |^[ \t>*`]*+(?P<void>{name})\s*+(?:\{{\s*+\}}|\[\s*+\]|<\w+>)
        # an object that lost its brackets
        |["']name["']\s*+:\s*+["'](?P<bare>{name})["']\s*+,\s*+["'](?:arguments|parameters|args|input)["']\s*+:
        """
    )


def find_labelled(text: str, offered: Offered) -> Iterator[Attempt]:
    """Yield an attempt for each labelled step, and for each offered name with fields behind it."""
    for step in _STEP.finditer(text):
        name = step.group("name")
        known = offered.has(name)
        label = text[step.start() : step.start("name")].casefold()
        if offered.is_sentinel(name) or (not known and "name" in label):
            continue
        yield Attempt(step.start(), _end_of_paragraph(text, step.end()), name, known, written="label")
    if offered.pattern is None:
        return
    parameter = "|".join(sorted(map(re.escape, offered.parameters))) or "(?!)"
    for match in _loose_pattern(offered.pattern.pattern, parameter).finditer(text):
        kind = str(match.lastgroup)
        name = match.group(kind)
        if _TYPE_AS_VALUE.match(text, match.end()) or (
            is_plain_word(name) and not _is_meant(match, kind, offered)
        ):
            continue  # a signature, or words
        start = match.start()
        yield Attempt(
            start,
            _end_of_paragraph(text, match.end()),
            name,
            offered=True,
            broken=None if kind in {"object", "near"} else Reason.SYNTAX_ERROR,
            standing=stands_alone(text, start, start),
            written="label",
        )


def _is_meant(match: re.Match[str], kind: str, offered: Offered) -> bool:
    """Whether a plain word that is a tool's name stands for the tool: by its form, or by one of its parameters."""
    if kind in {"element", "step", "bare", "labelled"}:
        return True
    fields = match.string[match.end(kind) : match.end() + 1]
    own = any(re.search(rf"\b{re.escape(parameter)}\b", fields) for parameter in offered.parameters)
    return own and (kind in {"object", "inside", "mapping"} or "=" in fields)


def _end_of_paragraph(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end
