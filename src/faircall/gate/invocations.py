"""Calls written as a name with something in brackets behind it, in Python's way or near it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faircall.gate.attempt import Attempt, is_all, stands_alone
from faircall.gate.brackets import READING_BUDGET, close_bracket
from faircall.gate.fields import read_fields
from faircall.gate.objects import describes_schema
from faircall.gate.offered import in_namespace, is_plain_word, is_wording
from faircall.gate.own_code import is_constructor, is_method, is_ordinary
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.gate.brackets import Stretch
    from faircall.gate.offered import Offered
    from faircall.gate.own_code import Code

_NAME = re.compile(
    r"""(?x)(?<![\w.\\$])(?<![^\W\d][-/])(?<!\w->)(?<!\w::)
    (?P<name>[^\W\d](?:\w|\\_|(?:[.\-/]|::|->)(?=[^\W\d])){0,200}+)
    (?P<space>["'`]?[ ]?)\("""
)
# A method that runs what it is a method of, as LangChain's `tool.invoke({...})`.
_RUNS = re.compile(r"\.(?:a?invoke|a?call|a?run|execute|apply|delay|submit|forward|func|fn|__call__)$")
_WORDS_BEFORE = re.compile(r"(?:(?<![\w.\\])[^\W\d]\w*+ {1,3}){1,7}\Z")
_LONGEST_LEAD = 120
_KEYWORD = re.compile(r"""(?:^|,)\s*+(?:[\\"']*[^\W\d][\w\\\-]*+["']*\s*+=(?!=)|\*\*\s*+[\w{])""")
_LITERAL = re.compile(r"""(?:^|,)\s*+(?:["'{\[\d+\-.]|(?:True|False|None|true|false|null|lambda)\b)""")
_BARE_NAMES = re.compile(r"\s*+[^\W\d][\w\\.]*+(?:\s*+,\s*+[^\W\d][\w\\.]*+)*+\s*+(?:,\s*+)?")
_TYPED = re.compile(
    r"""(?xs)^\s*+\*{0,2}[^\W\d]\w*+\s*+
    :\s*+[^\W\d][\w\[\], .|]*
    (?: =[^,]*+ )?
    (?: ,.* )?$"""
)
_TYPES_AS_VALUES = re.compile(
    r"""(?x)(?:
    \s*+[^\W\d]\w*+\s*+=\s*+
    (?:str|int|float|bool|list|dict|tuple|any|string|integer|number|boolean|array|object)\b
    \s*+,?
    )+\s*+"""
)
_FIRST_IS_BARE = re.compile(r"\s*+[^\W\d]\w*+\s*+(?:,|$)")
_DOTS = re.compile(
    r"""(?x)
      ^\s*+(?:\.{3}|…|<[^<>]*>)\s*+$                                            # f(...), f(<city>)
    | =\s*+(?:\.{3}|…|<[\w ,.'\-]+>|\[[A-Za-z\ ]+\]|\{[A-Za-z_\ ]+\})\s*+(?:,|$)  # f(x=..., y=[your city])
    """
)
_BRACKET = re.compile(r"[()\[\]{}]")
_BETWEEN = " \t\n\"'`"
_LEAST_COST = 40


class Head(NamedTuple):
    """The name before a bracket, where it starts, and whether a space stands between the two."""

    start: int
    name: str
    spaced: bool


def find_invocations(text: str, offered: Offered, code: Code) -> Iterator[Attempt]:
    """Yield an attempt for each outermost ``name(...)`` that is a tool call by its name or its standing."""
    position = 0
    budget = READING_BUDGET
    while budget > 0 and (match := _NAME.search(text, position)) is not None:
        position = match.end()
        start, name = _read_name(text, match, offered)
        known = offered.has(name)
        if not known and (is_ordinary(name) or offered.is_sentinel(name)):
            continue
        stretch = close_bracket(text, match.end() - 1)
        budget -= max(stretch.end - match.start(), _LEAST_COST)
        body = text[match.end() : stretch.end - 1 if stretch.closed else stretch.end]
        head = Head(start, name, match.group("space").endswith(" "))
        attempt = _judge(text, head, stretch, body, offered, code)
        if attempt is None:
            continue
        if not stretch.closed:
            at_end = stretch.end >= len(text) and not stretch.crossed
            attempt = msgspec.structs.replace(
                attempt, broken=attempt.broken or (Reason.TRUNCATED if at_end else Reason.SYNTAX_ERROR)
            )
            line_end = text.find("\n", match.end())
            attempt = msgspec.structs.replace(attempt, end=line_end if line_end > 0 else len(text))
        yield attempt
        position = max(attempt.end, match.end())


def _read_name(text: str, match: re.Match[str], offered: Offered) -> tuple[int, str]:
    """Where the name before a bracket starts, and the name: with the words before it where they are part of it.

    A tool `find_trains` may be written as ``find trains(to="Rome")``.
    """
    start, name = match.start(), match.group("name").replace("\\", "")
    if offered.has(name):
        return start, name
    if (runs := _RUNS.search(name)) is not None and offered.has(tool := name[: runs.start()]):
        return start, tool
    lead = _WORDS_BEFORE.search(text, max(0, start - _LONGEST_LEAD), start)
    if lead is not None:
        for word in re.finditer(r"\S+", lead.group()):
            first = lead.start() + word.start()
            if offered.has(phrase := text[first:start] + name):
                return first, phrase
    return start, name


def _judge(
    text: str, head: Head, stretch: Stretch, body: str, offered: Offered, code: Code
) -> Attempt | None:
    """The attempt that a name with brackets makes, or None where it is a definition, a signature or just words."""
    start, name, spaced = head
    keyword = (_KEYWORD.match(body) if spaced else _KEYWORD.search(body)) is not None
    literal = (_LITERAL.match(body) if spaced else _LITERAL.search(body)) is not None
    if _is_definition(text, start):
        return None
    attempt = Attempt(
        start,
        stretch.end,
        name,
        offered.has(name),
        broken=Reason.SCHEMA_ECHO if describes_schema(body) else None,
        standing=stands_alone(text, start, stretch.end),
        hinted=_DOTS.search(body) is not None,
        written="python",
    )
    bracketed = _in_list(text, start)
    fields = read_fields(body, offered)
    valued = fields.values and not fields.types and (attempt.standing or fields.own)
    whole = (not spaced or (fields.words and not is_wording(name))) and is_all(text, start, stretch.end)
    given = literal or valued or (fields.words and whole)
    if spaced and not keyword and not (given and attempt.offered and attempt.standing):
        return None  # words in brackets behind a word
    if " " in name and (
        spaced or not (keyword or (attempt.standing and (literal or valued or not body.strip())))
    ):
        return None  # a phrase that reads like a tool's name, and something in brackets behind it
    if spaced and is_plain_word(name) and not attempt.standing:
        return None  # a word of the sentence, and something in brackets behind it
    if stretch.closed and not bracketed and (fields.types or _is_signature(text, attempt, body, offered)):
        return None
    called = keyword or literal or valued or attempt.hinted
    if attempt.offered:
        plain = attempt.standing and _has_names(body) and not _TYPED.match(body)
        if plain and body.strip() and not (offered.parameters or called or bracketed or whole):
            # Whether bare names are parameters or values is not known; in a list of tools they are the former.
            attempt = msgspec.structs.replace(attempt, hinted=_in_item(text, start))
        if called or bracketed or plain or (whole and (fields.words or not is_wording(name))):
            return attempt
        # Beside other text a field without quotes may as well be a description, and in a list of tools it is one.
        sketched = fields.words and attempt.standing and not _in_item(text, start)
        return msgspec.structs.replace(attempt, hinted=True) if sketched else None
    if in_namespace(name) or (code.from_namespace and attempt.standing):
        return attempt if attempt.standing or keyword or literal else None
    if bracketed and attempt.standing and not (called or _has_names(body)):
        return None
    keyword = keyword or (valued and whole and _is_telling(name))
    return _judge_invented(attempt, code, keyword=keyword, bracketed=bracketed)


def _judge_invented(attempt: Attempt, code: Code, *, keyword: bool, bracketed: bool) -> Attempt | None:
    """The attempt at a tool that was not offered: a call where it stands as one, outside code of the text's own."""
    name = attempt.name or ""
    short = len(name) < 3 and not (bracketed and keyword)
    if short or code.has_made(name) or code.is_foreign(attempt.start):
        return None
    if bracketed and attempt.standing:
        return attempt
    if not keyword or code.is_own:
        return None
    makes_object = bool(code.assigned) and (is_method(name) or is_constructor(name))
    if bracketed or (attempt.standing and not makes_object):
        return attempt
    # Within a sentence such a call is at the most a sketch of one.
    return msgspec.structs.replace(attempt, hinted=True) if _is_telling(name) else None


def _is_telling(name: str) -> bool:
    """Whether a name within a sentence is more than a word with brackets: of parts, and no method of a library."""
    return not is_method(name) and re.search(r"[^\W_][_.][^\W_]|[a-z][A-Z]", name) is not None


def _is_signature(text: str, attempt: Attempt, body: str, offered: Offered) -> bool:
    """Whether the brackets describe the parameters rather than give them: names, types or defaults."""
    if _TYPES_AS_VALUES.fullmatch(body):
        return True
    if not attempt.standing:
        nested = re.search(r"\w\($", text[max(0, attempt.start - 2) : attempt.start]) is not None
        return not nested and _FIRST_IS_BARE.match(body) is not None
    names = [name.strip() for name in body.split(",") if name.strip()]
    line = text.rfind("\n", 0, attempt.start) + 1
    lead = text[line : attempt.start]
    # Blanks before the first words, or before the mark of a list, do not make code of them.
    indented = lead[:1].isspace() and not _in_item(text, attempt.start) and bool(text[:line].strip())
    in_code = "=" in lead or indented
    return bool(names) and not in_code and all(name in offered.parameters for name in names)


def _has_names(body: str) -> bool:
    """Whether the brackets hold bare names or nothing, as in a signature or a call of variables."""
    return not body.strip() or _BARE_NAMES.fullmatch(body) is not None


def _is_definition(text: str, start: int) -> bool:
    lead = text[max(0, start - 30) : start]
    return re.search(r"\b(?:def|function|func|fn|class|new|void|async)[ \t]+$", lead) is not None


def _in_item(text: str, start: int) -> bool:
    """Whether the line begins as an item of a Markdown list."""
    return re.match(r"\s*+(?:[*\-+•]|\d++[.)])\s", text[text.rfind("\n", 0, start) + 1 : start]) is not None


def _in_list(text: str, start: int) -> bool:
    """Whether a list bracket opens right before the name, or before calls that come before it."""
    lead = text[max(0, start - 400) : start].rstrip(_BETWEEN)
    if lead.endswith(","):
        lead = lead[:-1].rstrip(_BETWEEN)
        if not lead.endswith(")"):
            return False
        depth = 0
        for bracket in reversed(list(_BRACKET.finditer(lead))):
            depth += 1 if bracket.group() in ")]}" else -1
            if depth < 0:
                lead = lead[: bracket.end()]
                break
    return lead.endswith("[") and not re.search(r"[\w)\]]\[$", lead)
