"""How the arguments inside a call's brackets are written where no equals sign names them: values, types or words."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from faircall.gate.offered import Offered

_MOST = 60
"""Fields that are looked at in one pair of brackets; the first ones tell what the rest is like."""
_FIELD: Final = re.compile(
    r"""(?x)(?:^|[,;\n])\s*+[*`"'\\]*+
    (?P<name>[^\W\d](?:\w|-(?!>))*+)[*`"'\\?]*+
    (?P<join>\s*+(?::=|:|=>|->)\s*+|\s++)(?=\S)"""
)
_TYPE: Final = re.compile(
    r"""(?xi)
      ["'`<]?(?:typing\.)?
      (?: str(?:ing)? | text | int(?:eger)? | float | double | decimal | num(?:ber)? | bool(?:ean)? | list | array
        | dict(?:ionary)? | object | map(?:ping)? | any | tuple | set | date(?:time)? | time(?:stamp)? | enum
        | optional | required | union | literal | sequence | iterable | bytes | json
      )s?\b["'`>]?[ \t]*+(?=[,;=|\[<?)\]}&(\n]|$|(?:or|of)\b)
    | "[^"\n]{0,60}"\s*+\| | '[^'\n]{0,60}'\s*+\|        # a union of the values allowed
    """
)
_VALUE: Final = re.compile(r"""(?i)["'\d\[{]|[+\-.]\d|(?:true|false|none|null)\b""")
_DATUM: Final = re.compile(r"""["'\d]|[+\-.]\d""")
_TOLD: Final = re.compile(
    r"""(?xi)
      (?:the|an?|your|any|some|which|what|where|when|how|who|be|is|not|no|name\ of|e\.g\.|for\ example
        |unknown|missing|unspecified|needed|mandatory|tbd)\b
    | <[^<>\n]*+> | \.{3} | … | [?]
    | [^,;\n]{0,80} (?: [?]\s*+(?:[,;\n]|$) | \((?:str|int|float|number|bool|list|array|date|optional|required) )
    """
)
_GAP: Final = 80


class Fields(NamedTuple):
    """What the brackets hold: fields with `values`, `own` ones among them; with `types`; with bare `words`.

    A field is own if one of the tools' parameters has its name, or if these are not known. Words count for own
    fields alone, and where they do not tell what the parameter is for.
    """

    values: bool
    own: bool
    types: bool
    words: bool


def read_fields(body: str, offered: Offered) -> Fields:
    """Return how the fields between brackets are written; fields with an equals sign are left to others.

    >>> from faircall.gate.offered import Offered
    >>> read_fields("to: 'Rome', day: 3", Offered()).values, read_fields("to: str, day: int = 3", Offered()).types
    (True, True)
    """
    values = own = types = words = False
    for field in islice(_FIELD.finditer(body), _MOST):
        joined = bool(field.group("join").strip())
        # Of tools that are known by their names alone, any field may be one.
        mine = field.group("name") in offered.parameters or (joined and not offered.parameters)
        if joined and _TYPE.match(body, field.end()):
            types = True
        elif (_VALUE if joined else _DATUM).match(body, field.end()):
            # Without a sign between the two, only a parameter's own name makes a field of them.
            values = values or joined or mine
            own = own or mine
        elif joined and mine and not tells(body, field.end()):
            words = True
    return Fields(values, own, types, words)


def tells(text: str, at: int, *, quoted: bool = False) -> bool:
    """Whether the words from here on tell what a parameter is for, or ask for it, rather than give its value.

    A value in quotes is a value, unless `quoted` words are to be read as well.

    >>> tells("the city to go to", 0), tells("where?", 0), tells("Rome", 0), tells("string", 0)
    (True, True, False, True)
    """
    near = text[at : at + _GAP]
    at += len(near) - len(near.lstrip(" \t\n\"'`" if quoted else None))
    return _TYPE.match(text, at) is not None or _TOLD.match(text, at) is not None
