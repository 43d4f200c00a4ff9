"""Whether an offered name with fields behind it is a call, a sketch of one, or told about in words."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final

from faircall.gate.attempt import stands_alone
from faircall.gate.fields import read_fields, tells
from faircall.gate.offered import is_noun, is_plain_word, is_wording

if TYPE_CHECKING:
    from faircall.gate.offered import Offered

_TYPE_AS_VALUE: Final = re.compile(
    r"""(?x)\s*+["'`<]?(?:str(?:ing)?|int(?:eger)?|float|number|bool(?:ean)?|list|array|dict|object|any)
    ["'`>]?\s*+(?:[,}\])>]|$)"""
)
# What tells of a tool, in place of using it: "find_trains only accepts {...}". A weak verb tells of its call as well.
_DESCRIBES: Final = re.compile(
    r"""(?xi)[`"'*\])]*+ (?:\([^()\n]{0,60}\)[`"'*]*+)?+ (?:['’]s\b)? ,?[ ]?
    (?:\s*+(?:function|tool|api|method|endpoint|which|that|only|just|also|always|currently|schema|signature
        |parameters?|arguments?|inputs?))*+
    \s++(?:(?P<weak>is|are|was|can|must|should|may|would)
      |has|have|does|do|takes?|accepts?|expects?|requires?|needs?|wants?|supports?|allows?|lists?
      |defines?|describes?|understands?|knows?|returns?|gives?|lacks?|works?|covers?
      |hat|nimmt|akzeptiert|erwartet|braucht|benötigt|verlangt                           # German
      |tiene|acepta|espera|necesita|requiere|toma                                        # Spanish
      |accepte|attend|prend|exige|nécessite|demande|possède                              # French
      |accetta|richiede|prende|aceita|requer|precisa|recebe|heeft|accepteert|verwacht    # Italian, Portuguese, Dutch
      |принимает|требует|имеет|ожидает)\b
    | [`"'*\])]*+\s*+(?:函数|工具)?\s*+(?:只|仅)?(?:接受|需要|要求|有|支持)"""
)
_PARTS_OF: Final = re.compile(
    r"(?i)\b(?:parameters?|arguments?|inputs?|properties|fields|schema|signature|definition|format)\s+(?:of|for)\s+"
    r"(?:the\s+)?(?:(?:tool|function)\s+)?[`\"'*]*+\Z"
)
_CALLS: Final = re.compile(r"(?i)\b(?:call|invo[ck]|use[ds]?\b|run\b|execut)")
_NOT_A_FIELD: Final = re.compile(
    r"(?i)\s(?:descriptions?|purpose|about|usage|notes?|types?|required|optional|returns?)\s*+:"
)
_LEFT_OUT: Final = re.compile(r"""\s*+["'`]?(?:\.{3}|…|<[^<>\n]*+>)["'`]?\s*+(?:[,}\])>]|$)""")
_QUESTION: Final = re.compile(r"[^\n]{0,120}\?")
_QUOTED_KEY: Final = re.compile(r"""["'][\w\-]+\\*["']\s*+:\s*+\Z""")
_BARE_KEY: Final = re.compile(r"""[\w\-]\s*+:\s*+\Z""")
_DATUM: Final = re.compile(r"""(?i)["'\d\[{]|[+\-]\d|(?:true|false|none|null)\b""")
_KEYWORD: Final = re.compile(r"""\(\s*+["']?\w++["']?\s*+=""")
_ASSIGNS: Final = re.compile(r"[`\"'*]*+\s*+=(?![=>])")
_ENDS_AT_VALUE: Final = frozenset({"fields", "mapping", "called"})
_BRACKETED: Final = frozenset({"object", "labelled", "inside", "near", "marked", "noted"})
_MEANT: Final = frozenset({"element", "step", "bare", "called", "ordered"})
"""Forms in which even a plain word is a tool."""
_LEAD: Final = 60
_LONGEST_ORDER: Final = 300
_MOST_WORDS: Final = 4


class Stance(Enum):
    """What a name with fields is where it is more than words: a call that is made, or a sketch of one."""

    MADE = "made"
    SKETCH = "sketch"


class Sighting:
    """A match in a masked copy of a text, as a match in the text itself, whose characters have the same places."""

    def __init__(self, found: re.Match[str], text: str) -> None:
        self.string = text
        self._found = found

    def start(self, group: str | int = 0) -> int:
        """Where a group begins."""
        return self._found.start(group)

    def end(self, group: str | int = 0) -> int:
        """Where a group ends."""
        return self._found.end(group)

    def group(self, group: str | int = 0) -> str:
        """What the text has in the place of a group."""
        return self.string[self._found.start(group) : self._found.end(group)]


def read_stance(match: Sighting, kind: str, end: int, offered: Offered) -> Stance | None:
    """Return the stance of an offered name with fields; None for a signature, a description or words.

    `kind` is the form that matched, and the name of its group; `end` is where the brackets behind the name close.
    """
    text, name = match.string, match.group(kind)
    at = match.end() - (kind in _ENDS_AT_VALUE)
    between = text[match.end(kind) : at]
    if _TYPE_AS_VALUE.match(text, at):
        return None
    if kind == "called":
        return _read_step(match, at)
    if kind == "ordered":
        return Stance.MADE if _is_nothing_but_fields(text[at:]) else None
    if kind in _ENDS_AT_VALUE and tells(text, at):
        return None
    if kind == "mapping" and _NOT_A_FIELD.search(between) and not _has_own(between, offered):
        return None
    if kind in {"object", "labelled", "near"} and _is_told(match, kind, at):
        # "f accepts {...}" tells of the tool; "f is called with {...}" may be its call.
        said = text[max(0, match.start() - _LEAD) : match.start()] + between
        told = tells(text, at, quoted=True) or _LEFT_OUT.match(text, at) is not None
        strong = is_wording(name) or (kind == "near" and _describes(match, strongly=True))
        return None if (told or strong) and not _CALLS.search(said) else Stance.SKETCH
    if kind == "step" and read_fields(text[match.end() : end - 1], offered).types:
        return None
    standing = stands_alone(text, match.start(), end)
    if kind == "noted" and not _is_called_behind_note(text, match.end(), end, offered, standing=standing):
        return None
    bare = kind == "marked" and _BARE_KEY.search(between) is not None and _DATUM.match(text, at) is None
    if bare and (not standing or tells(text, at)):
        return None  # "`f` (city: where you are)" tells of the tool; so does a bare field within a sentence
    if is_wording(name) and kind not in _MEANT:
        return _read_wording(match, kind, between, offered, standing=standing)
    return Stance.SKETCH if _LEFT_OUT.match(text, at) else Stance.MADE


def _read_step(match: Sighting, at: int) -> Stance | None:
    """The stance of a labelled name: a call if it is all of the text, or if the label says that it is one."""
    text = match.string
    label = match.group()[: match.start("called") - match.start()].casefold()
    says_call = "call" in label or "action" in label
    if tells(text, at):
        # "to: The Hague" may be a value where the label says that this is a call.
        return Stance.SKETCH if says_call and not _QUESTION.match(text, at) else None
    if says_call:
        return Stance.MADE
    if match.start() > len(text) - len(text.lstrip()):
        return Stance.SKETCH
    lines = text[at:].strip().splitlines()[1:]
    return Stance.MADE if all(re.search(r"\w\W{0,8}[:=]", line) for line in lines) else Stance.SKETCH


def _read_wording(
    match: Sighting, kind: str, between: str, offered: Offered, *, standing: bool
) -> Stance | None:
    """The stance of a name that may be words of the sentence: a call where it stands alone."""
    name = match.group(kind)
    if is_plain_word(name) and kind != "labelled":
        # A plain word stands for the tool by a parameter of the tool.
        fields = match.string[match.end(kind) : match.end() + 1]
        if not _has_own(fields, offered) or (
            kind not in {"object", "inside", "mapping"} and "=" not in fields
        ):
            return None
    if kind in _BRACKETED and not standing:
        return Stance.SKETCH if _QUOTED_KEY.search(between) else None
    if is_noun(name) and (kind == "fields" or _ASSIGNS.match(between)):
        return Stance.SKETCH  # "**Distance:** a = 3", or a variable of that name
    return Stance.MADE


def _is_told(match: Sighting, kind: str, at: int) -> bool:
    """Whether the words before or behind a name lead to what its parameters are, and not to their values."""
    lead = _PARTS_OF.search(match.string, max(0, match.start() - _LEAD), match.start())
    return lead is not None or (kind == "near" and _describes(match))


def _describes(match: Sighting, *, strongly: bool = False) -> bool:
    found = _DESCRIBES.match(match.string, match.end("near"))
    return found is not None and not (strongly and found.group("weak"))


def _is_called_behind_note(text: str, start: int, end: int, offered: Offered, *, standing: bool) -> bool:
    """Whether the brackets behind a note hold arguments: by an equals sign, or standing alone with a value in them."""
    if read_fields(text[start + 1 : end - 1], offered).types:
        return False
    return standing or _KEYWORD.match(text, start) is not None


def _is_nothing_but_fields(text: str) -> bool:
    """Whether each part of the text, by its commas, is a field with a value of a few words."""
    if len(text) > _LONGEST_ORDER or "\n" in (text := text.strip().rstrip(".!;`\"'")):
        return False
    parts = re.split(r",\s*(?:and\s)?|\sand\s", text)
    return all(
        re.match(r"[`\"'*]*+\w[\w\-]*+[`\"'*]*+\s*+[:=]", part) and len(part.split()) <= _MOST_WORDS
        for part in parts
    )


def _has_own(fields: str, offered: Offered) -> bool:
    return any(
        parameter in fields and re.search(rf"\b{re.escape(parameter)}\b", fields)
        for parameter in offered.parameters
    )
