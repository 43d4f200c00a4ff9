"""Calls in the syntax of other languages and of nobody, told only by being all of the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.gate.fields import tells
from faircall.gate.offered import is_noun, is_plain_word

if TYPE_CHECKING:
    from faircall.gate.offered import Offered

_NAME: Final = r"[`\"']?(?P<name>[^\W\d](?:\w|[.\-/](?=\w)){0,200}+)[`\"']?"
_LABEL: Final = (
    r"(?P<label>(?:tool|function|func|fn|call|action|api|use|invoke|exec)(?:[_ ]?call)?\s*+[:=|]\s*+)?+"
)
_INDEXED: Final = re.compile(
    rf"""(?xs){_NAME} [ ]?[\[<]\s*+ (?:["'{{\d]|[+\-]\d|(?:True|False|None|true|false|null)\b) .* [\]>]"""
)
_ATOM: Final = r"""(?:"(?:[^"\\]|\\.)*+"|'[^'\n]*+'|[+\-]?\d[\w.\-]*+|true\b|false\b|nil\b)"""
_LISP: Final = re.compile(rf"(?s)\(\s*+{_NAME}(?:\s++(?:{_ATOM}|#?:[\w\-]++))++\s*+\)")
_COMMAND: Final = re.compile(rf"(?s)[!$>/]*+\s*+{_NAME}(?:\s++{_ATOM})++")
_ENCLOSED: Final = re.compile(
    rf"""(?xs)(?P<open>\[\[?|<<?|\{{\{{?) \s*+ (?i:{_LABEL}) (?![`"']) {_NAME} \s*+
    (?: [:|=] (?![:=]) \s*+ (?P<value>[^\s/].*?) | (?P<rest>) ) (?P<close>[\]>}}]{{1,2}})"""
)
# A step of ReAct, `search[Dune]`; an element with arguments as attributes; a call as a language or a formula has it.
_STEP: Final = re.compile(rf"{_NAME}\[(?P<inside>[^\[\]\n]{{1,300}})\]")
_ELEMENT: Final = re.compile(
    rf"""(?xs)<\s*+{_NAME}(?:\s++[\w\-]++\s*+=\s*+(?:"[^"]*+"|'[^']*+'))++\s*+(?:/>|>\s*+(?:</[\w.\-]*+>)?+)"""
)
_SET_OFF: Final = re.compile(rf"(?s)(?:new\s++|@|\$\$?\s*+){_NAME}\(.*\)(?:\.\w++\(\))?+[;$\s]*+")
_GIVEN: Final = r"""\s*+=\s*+(?:"(?:[^"\\]|\\.)*+"|'[^'\n]*+'|[+\-]?\d[\w.]*+)"""
_ARGUMENTS: Final = re.compile(rf"(?s)\(?\s*+(?:(?:^|(?<=[(,\s]))[\w\-]++{_GIVEN}\s*+,?\s*+)++\)?")
_ARGUMENT: Final = re.compile(rf"([\w\-]++){_GIVEN}")
_QUOTE: Final = re.compile(r"[\"']")
_QUOTED_OR_NAMED: Final = re.compile(r"""["'=]""")
_NUMBER: Final = re.compile(r"[+\-]?\d[\d.,]*+\s*+[^\W\d]{0,3}%?\s*+")
_PAIRS: Final = {"[": "]", "<": ">", "{": "}"}


def read_alone(whole: str, offered: Offered) -> tuple[str | None, bool] | None:
    """Return the offered name that a text as a whole calls, and whether it is only a sketch.

    It may be indexed, in Lisp's brackets, a command line, an element, or labelled within other brackets.
    The name is None for arguments that have lost theirs.

    >>> from faircall.schema import read_tools
    >>> from faircall.gate.offered import Offered
    >>> read_alone('get_time["Oslo"]', Offered(read_tools(["get_time"])))
    ('get_time', False)
    """
    for pattern in (_INDEXED, _LISP, _COMMAND, _ELEMENT, _SET_OFF):
        found = pattern.fullmatch(whole)
        if found is not None and offered.has(name := found.group("name")):
            return name, pattern is _COMMAND and is_plain_word(name)
    found = _STEP.fullmatch(whole)
    if found is not None and offered.has(name := found.group("name")):
        told = _NUMBER.fullmatch(found.group("inside")) or tells(found.group("inside"), 0)
        return None if told else (name, is_noun(name))
    quoted = _QUOTE.search(whole) is not None  # "x = 5" may as well be an answer
    if quoted and _ARGUMENTS.fullmatch(whole) and offered.parameters.issuperset(_ARGUMENT.findall(whole)):
        return None, False
    found = _ENCLOSED.fullmatch(whole)
    if found is None or not offered.has(name := found.group("name")):
        return None
    if found.group("close") != "".join(_PAIRS[mark] for mark in found.group("open")):
        return None
    value, labelled = found.group("value"), found.group("label") is not None
    if value is None:
        return (name, False) if labelled else None
    if tells(value, 0):
        return None
    if not labelled and is_noun(name) and _NUMBER.fullmatch(value):
        return None  # "[Average: 4.2]" gives an answer
    # "[weather: fine]" may as well give one, and "[f: only prices]" tell what the tool does.
    remark = len(value.split()) > 1 and _QUOTED_OR_NAMED.search(value) is None
    return name, not labelled and (remark or is_noun(name))
