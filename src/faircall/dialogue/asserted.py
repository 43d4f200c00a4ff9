"""Whether a final answer asserts one of the accepted answers: a rule that is the same every time, and can be shown.

1. *Where the answer stands.* The prompt of these categories asks for an object with an `answer`; where the text has
   one, its `answer` is the answer, and nothing else of the text. Else it is what follows a label (`Final answer:`).
   Else a short text as a whole, and of a long one its first and last paragraph, and those that conclude.
2. *What counts as the same.* Words by their letters, accents and case aside; numbers, dates and times of day by value
   (`31.4` is not `314`, and `25 October 2024` is `2024-10-25`).
3. *What is no assertion.* A denial in the same clause (`it is not Oslo`), and one of several that are offered (`Oslo
   or Bergen`, a list of guesses), unless all of them are accepted.
"""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_python_literal
from faircall.decoding.reasoning import set_aside
from faircall.dialogue.tokens import Token, find_all, fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHORT_WORDS: Final = 150
"""A text of no more words is looked at as a whole."""
PARAGRAPH_WORDS: Final = 80
"""A longer paragraph is no conclusion."""
MOST_OBJECTS: Final = 200

_KEY: Final = re.compile(r"""[{,]\s*+["'“”‘’`]?answer["'“”‘’`]?\s*+:\s*+""", re.IGNORECASE)
_OBJECT: Final = re.compile(
    r"""\s*(?:```\w*\s*)?\{\s*+["'“”‘’`]?(?:answer|context)["'“”‘’`]?\s*+:""", re.IGNORECASE
)
_BARE_END: Final = re.compile(
    r"""\s*,\s*["'“”‘’`]?(?:context|reason|explanation)["'“”‘’`]?\s*:|\}|\Z""", re.IGNORECASE
)
_LABEL: Final = re.compile(
    r"^[\s>#*_`-]*(?:the\s+)?(?:final|short|correct|my)?\s*answer(?:\s+to\s+[^\n:]{0,120})?\s*(?:is\s*)?[*_`]*\s*[:\n]"
    r"|\b(?:so|thus|therefore|hence)?,?\s*(?:the|my)\s+(?:final\s+|correct\s+)?answer\s+(?:to\s+[^\n.:]{0,120}?\s)?"
    r"(?:is\b(?!\s+(?:clear|not|unclear|unknown|based|found|available|in|as follows|below)\b):?|would be\b:?)",
    re.IGNORECASE | re.MULTILINE,
)
_CONCLUDES: Final = re.compile(
    r"[\s>#*_`-]*(?:so|thus|therefore|hence|in conclusion|in summary|to summari[sz]e|overall|finally|conclusion)\b",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"[*_`#]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_CLAUSE: Final = re.compile(
    r"[;:!?()\[\]\n]|\.(?!\d)|,(?!\d)|\s-{1,2}\s"
    r"|\b(?:but|however|although|though|while|whereas|because|since|instead it|rather it)\b"
)
_BRACKETS: Final = re.compile(r"\([^()\n]{0,300}\)")
_SENTENCE: Final = re.compile(r"[;!?\n]|\.(?!\d)")
_NEGATORS: Final = frozenset(
    [
        "not",
        "no",
        "never",
        "neither",
        "nor",
        "cannot",
        "without",
        "except",
        "excluding",
        "unlikely",
        "isnt",
        "wasnt",
        "arent",
        "werent",
        "dont",
        "doesnt",
        "didnt",
        "cant",
        "couldnt",
        "wont",
        "wouldnt",
        "shouldnt",
        "hasnt",
        "havent",
        "hadnt",
        "aint",
        "deny",
        "denies",
        "denied",
    ]
)
_NEGATING_PAIRS: Final = (("rather", "than"), ("instead", "of"), ("other", "than"), ("ruled", "out"), ("ruling", "out"),
                          ("far", "from"), ("opposed", "to"))  # fmt: skip
_HARMLESS: Final = (("not", "only"), ("not", "just"), ("not", "merely"), ("no", "doubt"), ("without", "doubt"),
                    ("without", "a"), ("no", "other"))  # fmt: skip
_VERBS: Final = frozenset(
    [
        "is",
        "was",
        "are",
        "were",
        "can",
        "could",
        "would",
        "should",
        "may",
        "might",
        "has",
        "have",
        "had",
        "does",
        "did",
        "do",
        "seems",
    ]
)
_WRONG: Final = frozenset(
    {"wrong", "incorrect", "false", "unlikely", "impossible", "excluded", "mistaken", "untrue"}
)
_ITEMS: Final = re.compile(
    r",(?!\d{3}\b)|:(?!\d)|;|\n|\||\s/\s|(?<=[^\W\d])/(?=[^\W\d])|\b(?:and/or|or|and|either|maybe|perhaps|possibly)\b"
)
_ALTERNATIVE: Final = re.compile(r"\b(?:or|and/or)\b|\||(?<=[^\W\d])/(?=[^\W\d])|\s/\s")
_BULLET: Final = re.compile(r"^\s*(?:[-*•+]|\(?\d{1,2}[.)])\s+(?P<item>[^\n]*)$", re.MULTILINE)
_LINE: Final = re.compile(r"^(?P<item>[^\n]+)$", re.MULTILINE)
_GUESSES: Final = re.compile(r"\b(?:guess(?:es)?|options?|candidates?|possibilit(?:y|ies))\b|\?[^?]*\?")
_GUESS: Final = re.compile(r"(?P<item>[^.?!;\n]+)[.?!;\n]*")
_FEW: Final = 6
"""Words of an item of a list of guesses, at the most; longer ones explain."""
_LIST_ITEMS: Final = 3
_PLAIN_LIST_ITEMS: Final = 4
"""Items that commas make a list of, without `or` and without a comma before `and`: a place has up to three parts
(`Salem, Oregon, USA`; `Mostar, Bosnia and Herzegovina`)."""


class Assertion(msgspec.Struct, frozen=True):
    """What the rule finds: `why` is `asserted`, `not-found`, `denied`, `several` or `no-conclusion`.

    `where` says which part of the text was looked at (`field`, `label`, `whole`, `conclusion`), `looked_at` is that
    part, `accepted` the accepted answer that decided.
    """

    why: str
    where: str
    looked_at: str
    accepted: str | None = None

    @property
    def holds(self) -> bool:
        """Whether an accepted answer is asserted."""
        return self.why == "asserted"


def find_assertion(text: str, accepted: Sequence[str]) -> Assertion:
    """Return whether a final answer asserts one of the accepted ones, and what decided.

    >>> find_assertion("{'answer': 'Bergen', 'context': 'Oslo was ruled out'}", ["Oslo"]).why
    'not-found'
    >>> find_assertion("It is certainly not Oslo.", ["Oslo"]).why
    'denied'
    >>> find_assertion("The trail is 35 km long.", ["3.5"]).why, find_assertion("1914-1918", ["1918"]).why
    ('not-found', 'asserted')
    """
    answer, _ = set_aside(text)
    where, parts = _parts(answer)
    found = [_judge(part, accepted) for part in parts]
    best = min(found, key=lambda pair: _ORDER[pair[0]], default=("no-conclusion", None))
    looked_at = "\n".join(parts)
    return Assertion(best[0], where, looked_at if parts else answer.strip(), best[1])


_ORDER: Final = {"asserted": 0, "several": 1, "denied": 2, "not-found": 3}


def is_answer_object(text: str) -> bool:
    """Return whether a text begins with the object that the prompt asks for.

    >>> is_answer_object("{'answer': 'Oslo', 'context': 'It is the capital.'}")
    True
    """
    return _OBJECT.match(set_aside(text)[0]) is not None


def _parts(text: str) -> tuple[str, list[str]]:
    """Return which parts of a text are its answer."""
    fields = list(_fields(text))
    if fields:
        return "field", [fields[-1]]
    if text.lstrip().startswith("[") and (items := _listed(text)) is not None:
        return "field", [items]
    labelled = _labelled(text)
    if labelled is not None:
        return "label", _conclusions(labelled)
    return "whole" if len(text.split()) <= SHORT_WORDS else "conclusion", _conclusions(text)


def _conclusions(text: str) -> list[str]:
    """Return a short text as it is; of a long one the paragraphs that it begins and ends with, and that conclude."""
    if len(text.split()) <= SHORT_WORDS:
        return [text] if text.strip() else []
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    ends = [paragraphs[0], *([paragraphs[-1]] if len(paragraphs) > 1 else [])]
    middle = [part for part in paragraphs[1:-1] if _CONCLUDES.match(part) or _is_bold(part)]
    return [part for part in (*ends, *middle) if len(part.split()) <= PARAGRAPH_WORDS]


def _is_bold(paragraph: str) -> bool:
    return paragraph.startswith("**") and paragraph.endswith("**") and "**" not in paragraph[2:-2]


def _fields(text: str) -> Iterator[str]:
    """Yield the `answer` of every object that has one, however it is written; a list becomes its items in lines."""
    for count, found in enumerate(_KEY.finditer(text)):
        if count >= MOST_OBJECTS:
            return
        yield _value(text, found.end())


def _value(text: str, start: int) -> str:
    try:
        value: Any = json.JSONDecoder().raw_decode(text, start)[0]
        return _written(value)
    except (ValueError, RecursionError):
        pass
    try:
        value, end = read_python_literal(text, start)
        if re.match(r"\s*[,}]|\s*\Z", text[end:]):
            return _written(value)
    except LiteralError:
        pass
    closing = _BARE_END.search(text, start)
    bare = text[start : closing.start() if closing else len(text)].strip()
    return bare.strip("\"'“”‘’`")


def _listed(text: str) -> str | None:
    """Return the items of a text that is a list and nothing else, in lines."""
    try:
        value, end = read_python_literal(text, len(text) - len(text.lstrip()))
    except LiteralError:
        return None
    return _written(value) if isinstance(value, list) and not text[end:].strip() else None


def _written(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_written(item) for item in value)
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_written(item)}" for key, item in value.items())
    return value if isinstance(value, str) else str(value)


def _labelled(text: str) -> str | None:
    """Return what stands after the last label: the rest of its line, or else all that is below."""
    last = None
    for found in _LABEL.finditer(text):
        last = found
    if last is None:
        return None
    rest = text[last.end() :] if text[last.end() - 1] != "\n" else text[last.end() - 1 :]
    line, _, below = rest.partition("\n")
    if _MARKS.sub("", line).strip(" \t*_`:."):
        return line
    return below if below.strip() else None


def _judge(part: str, accepted: Sequence[str]) -> tuple[str, str | None]:
    folded = fold(_MARKS.sub("", part))
    tokens = tokenize(folded)
    best: tuple[str, str | None] = ("not-found", None)
    for answer in accepted:
        for wanted in _readings(answer):
            for start, end in find_all(wanted, tokens):
                verdict = _verdict_at(folded, tokens, start, end, accepted)
                if _ORDER[verdict] < _ORDER[best[0]]:
                    best = (verdict, answer)
    return best


def _readings(answer: str) -> list[list[Token]]:
    """Return what an accepted answer may be: its tokens, and for `03/01` the first of March as well."""
    tokens = tokenize(fold(answer))
    if (date := re.fullmatch(r"(\d{2})/(\d{2})", answer.strip())) and 0 < int(date[1]) <= 12:
        return [tokens, [Token("date", (None, int(date[1]), int(date[2])), 0, 0)]]
    return [tokens]


def _verdict_at(folded: str, tokens: list[Token], start: int, end: int, accepted: Sequence[str]) -> str:
    first, last = tokens[start].start, tokens[end - 1].end
    if _is_denied(folded, tokens, start, end):
        return "denied"
    if _is_one_of_several(folded, first, last, accepted):
        return "several"
    return "asserted"


def _is_denied(folded: str, tokens: list[Token], start: int, end: int) -> bool:
    first, last = tokens[start].start, tokens[end - 1].end
    opening = max((found.end() for found in _CLAUSE.finditer(folded, 0, first)), default=0)
    closing = next((found.start() for found in _CLAUSE.finditer(folded, last)), len(folded))
    before = [str(token.value) for token in tokens[:start] if token.start >= opening]
    after = [str(token.value) for token in tokens[end:] if token.end <= closing][:4]
    for pair in itertools.pairwise([*before, str(tokens[start].value)]):
        if pair in _NEGATING_PAIRS or (pair[0] in _NEGATORS and pair not in _HARMLESS):
            return True
    if after and after[0] in _VERBS:
        return any(
            word in _WRONG or (word in _NEGATORS and tuple(after[index : index + 2]) not in _HARMLESS)
            for index, word in enumerate(after)
        ) or ("ruled" in after and "out" in after)
    return bool(after) and after[0] in {"isnt", "wasnt", "arent", "werent", "cannot", "cant"}


def _is_one_of_several(folded: str, first: int, last: int, accepted: Sequence[str]) -> bool:
    if _in_line_list(folded, first, last, accepted):
        return True
    opening = max((found.end() for found in _SENTENCE.finditer(folded, 0, first)), default=0)
    closing = next((found.start() for found in _SENTENCE.finditer(folded, last)), len(folded))
    first, last = first - opening, last - opening
    # What stands in brackets beside the answer explains it: `Lima (or Ciudad de los Reyes, as it was called)`.
    sentence = _BRACKETS.sub(
        lambda found: (
            found.group() if found.start() < last and first < found.end() else " " * len(found.group())
        ),
        folded[opening:closing],
    )
    items, at = [], 0
    for found in (*_ITEMS.finditer(sentence), None):
        # A sign inside the answer itself parts nothing.
        if found is not None and first <= found.start() < last:
            continue
        end = found.start() if found is not None else len(sentence)
        items.append((at, end))
        at = found.end() if found is not None else end
    own = next((number for number, (start, end) in enumerate(items) if start <= first and last <= end), None)
    if own is None:
        return False
    others = [
        sentence[start:end]
        for number, (start, end) in enumerate(items)
        if number != own and tokenize(sentence[start:end])
    ]
    if not others:
        return False
    own_text = sentence[items[own][0] : items[own][1]]
    if _is_alternative(sentence, items, own, accepted, sentence[first:last]):
        return True
    if len(tokenize(own_text)) > len(tokenize(sentence[first:last])) + 1:
        return False  # the answer stands in a sentence of its own, and not in a list
    rivals = [other for other in others if _is_short(other) and not _accepts(other, accepted)]
    if _all_numbers(own_text) and any(_all_numbers(other) for other in rivals):
        return not _is_range(sentence)
    joined = re.search(r",\s*and\b|\bor\b", sentence) is not None
    return len(rivals) == len(others) and len(others) + 1 >= (_LIST_ITEMS if joined else _PLAIN_LIST_ITEMS)


def _is_alternative(
    sentence: str, items: list[tuple[int, int]], own: int, accepted: Sequence[str], answer: str
) -> bool:
    """Whether `or` (or a stroke) stands between the answer's item and its neighbour, which is no accepted one."""
    mine = {token.value for token in tokenize(answer)}
    for one, other in ((own - 1, own), (own, own + 1)):
        if one < 0 or other >= len(items):
            continue
        neighbour = sentence[slice(*items[one if one != own else other])]
        theirs = {token.value for token in tokenize(neighbour)}
        between = _ALTERNATIVE.search(sentence, items[one][1])
        if (
            between
            and between.start() < items[other][0]
            and theirs
            and not mine & theirs
            and not _accepts(neighbour, accepted)
        ):
            return True
    # `Oslo, Bergen or Hamar`: the comma stands for the `or` of the list's end.
    tail = [sentence[items[k][1] : items[k + 1][0]] for k in range(own, len(items) - 1)]
    if len(tail) > 1 and tail[0].strip() == "," and any(re.fullmatch(r"\s*or\s*", part) for part in tail[1:]):
        later = [sentence[slice(*items[k])] for k in range(own + 1, len(items))]
        return _is_short(sentence[slice(*items[own])]) and not all(
            _accepts(part, accepted) for part in later if tokenize(part)
        )
    return False


def _in_line_list(folded: str, first: int, last: int, accepted: Sequence[str]) -> bool:
    """Whether the answer is a short item of a list in lines, of which others are not accepted."""
    pattern = _BULLET if _BULLET.search(folded) else _GUESS if _GUESSES.search(folded) else _LINE
    items = list(pattern.finditer(folded))
    if len(items) < 2 or not all(_is_short(found["item"]) for found in items):
        return False
    own = next((found for found in items if found.start() <= first and last <= found.end()), None)
    if own is None:
        return False
    return any(
        tokenize(found["item"]) and not _accepts(found["item"], accepted)
        for found in items
        if found is not own
    )


def _is_short(item: str) -> bool:
    return 0 < len(tokenize(item)) <= _FEW


def _accepts(item: str, accepted: Sequence[str]) -> bool:
    tokens = tokenize(fold(item))
    return any(find_all(wanted, tokens) for answer in accepted for wanted in _readings(answer))


def _all_numbers(item: str) -> bool:
    tokens = tokenize(item)
    return bool(tokens) and all(token.kind == "number" for token in tokens)


def _is_range(sentence: str) -> bool:
    return re.search(r"\bbetween\b|\bfrom\b", sentence) is not None
