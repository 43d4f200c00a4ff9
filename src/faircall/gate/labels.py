"""Calls written with labels, bare words or the wrong brackets: ReAct steps, command lines, attribute tags."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from faircall.gate.attempt import Attempt, stands_alone
from faircall.gate.brackets import READING_BUDGET, close_bracket
from faircall.gate.stances import Sighting, Stance, read_stance
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
_LABEL: Final = r"(?:(?:action|tool|function|api)(?:[ _]?(?:call|name|used|to\ (?:call|use)))?|call|name)"
_ORDER: Final = r"(?:call(?:ing)?|invok(?:e|ing)|us(?:e|ing)|run(?:ning)?|execut(?:e|ing))"
# What stands in a copy of the text, character for character, for offered names and for their parameters, so that one
# pattern serves for all tools: letters of a script in which nobody writes to models.
_NAME_MASK: Final = "\U00012000", "\U00012001"
_PARAMETER_MASK: Final = "\U00012002", "\U00012003"
_UNMASKED: Final = str.maketrans(dict.fromkeys((*_NAME_MASK, *_PARAMETER_MASK), "\U00012004"))
_WORD: Final = re.compile(r"[\w\-]++")
# Such a field may be a parameter where the tools' own are not known, but for those that tell of a tool.
_ANY_PARAMETER: Final = (
    r"(?!(?:status|state|reason|purpose|about|descriptions?|notes?|comments?|us(?:e|age)|types?|returns?|results?"
    r"|answers?|outputs?|respon[sc]es?|explanation|required|optional|parameters?|capabilit\w+|limitations?)\b)[a-z_]\w{0,40}"
)
_OPENING: Final = re.compile(r"[\[{(<]")


@cache
def _loose_pattern(*, known: bool) -> re.Pattern[str]:
    """The ways to write a masked name with fields and without round brackets.

    `known` says whether the tools' parameters are; where they are not, any field may be one behind a label.
    """
    name, parameter = (rf"{first}{rest}*+" for first, rest in (_NAME_MASK, _PARAMETER_MASK))
    given = parameter if known else _ANY_PARAMETER
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
        # a label, the name, then such a parameter on the same line or on the next; an order with one
        |^[ \t>*\-`\#]*+{_LABEL}\**\s*+:\**\s*+[*`"'\[]*+(?P<called>{name})[*`"'\]]*+(?:\(\))?(?:[ \t]*+[,;|])?+\s++
            (?:(?:with|and)\s++)?[\s>*\-•`]*+(?:{given})["'`*]*+\s*+[=:]\**\s*+\S
        |\A\W*+{_ORDER}\s+(?:the\s+)?(?:(?:tool|function)\s+)?[`"']?(?P<ordered>{name})[`"']?\s+
            (?:(?:tool|function)\s+)?(?:with|using|for|where)\s+(?=[`"'*]?(?:{given})[`"'*]?\s*+[:=]\s*+\S)
        # a note in brackets between the name and the brackets of the call
        |(?P<noted>{name})(?:[\s*`_]{{0,4}}[(\[][^()\[\]\n]{{0,80}}[)\]]){{1,2}}[\s*`_]{{0,4}}(?=\(\s*+
            (?:{own_field}|["'\w]++\s*+=|["'\d]|\w++\s*+:\s*+["']))
        # the name, then an object with quoted keys in the same sentence, whatever words of whatever language join them
        |(?P<near>{name})[^{{}}\n.!?]{{0,60}}(?:\n[^{{}}\n]{{0,30}})?\{{\s*+["'][\w\-]+["']\s*+:
        # round brackets set off from the name by marks, and other brackets with nothing or an element in them
        |(?P<marked>{name})[\]*`"'\s:,–—\-]{{1,4}}\(\s*+(?:{own_field}|["'\w]++\s*+=|\w++\s*+:\s*+["']|["']\w++["']\s*+:)
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
    names = offered.pattern_in(text)
    if names is None:
        return
    masked = _mask(text, names, offered.parameters)
    budget = READING_BUDGET
    for found in _loose_pattern(known=bool(offered.parameters)).finditer(masked):
        match = Sighting(found, text)
        start, kind = match.start(), str(found.lastgroup)
        opening = _OPENING.search(text, match.end(kind) if kind != "inside" else start, match.end() + 1)
        end = match.end()
        if opening is not None and budget > 0:
            stretch = close_bracket(text, match.end() if kind == "noted" else opening.start())
            budget -= stretch.end - start
            end = stretch.end if stretch.closed else end
        stance = read_stance(match, kind, end, offered)
        if stance is None:
            continue
        yield Attempt(
            start,
            _end_of_paragraph(text, match.end()),
            match.group(kind),
            offered=True,
            broken=None if kind in {"object", "near"} else Reason.SYNTAX_ERROR,
            standing=stands_alone(text, start, start),
            written="label",
            hinted=stance is Stance.SKETCH,
        )


def _mask(text: str, names: re.Pattern[str], parameters: frozenset[str]) -> str:
    """Return a copy of the text, of the same length, with offered names and their parameters masked."""

    def hide(found: re.Match[str], mask: tuple[str, str]) -> str:
        return mask[0] + mask[1] * (found.end() - found.start() - 1)

    def hide_parameter(found: re.Match[str]) -> str:
        return hide(found, _PARAMETER_MASK) if found.group().casefold() in folded else found.group()

    folded = {parameter.casefold() for parameter in parameters}
    masked = names.sub(lambda found: hide(found, _NAME_MASK), text.translate(_UNMASKED))
    return _WORD.sub(hide_parameter, masked)


def _end_of_paragraph(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end
