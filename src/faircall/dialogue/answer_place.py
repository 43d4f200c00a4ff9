"""Which part of a final message is its answer: the field that the prompt asks for, what follows a label, or all."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_python_literal
from faircall.decoding.reasoning import set_aside

SHORT_WORDS: Final = 150
SHORT_CHARACTERS: Final = 2_000
"""A text of no more is looked at as a whole."""
PARAGRAPH_WORDS: Final = 80
PARAGRAPH_CHARACTERS: Final = 1_000
"""A longer paragraph is no conclusion."""
FIELD_CHARACTERS: Final = 2_000
"""No answer is longer; the rest of a longer field is not looked at."""
MOST_KEYS: Final = 50
MOST_CHARACTERS: Final = 200_000
"""Of a longer text, so much of its end."""

_QUOTE: Final = r"""["'“”‘’`]"""
_KEY: Final = re.compile(
    rf"""(?:[{{,(]\s{{0,20}}|^[ \t]{{0,20}}(?=[\\*_]{{0,3}}{_QUOTE}))[\\*_]{{0,3}}{_QUOTE}?
    (?:final[_ ]|short[_ ])?answer[\\*_]{{0,3}}{_QUOTE}?[\\*_]{{0,3}}\s{{0,20}}[:=]\s{{0,20}}""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_OBJECT: Final = re.compile(
    rf"""\s{{0,50}}(?:```\w{{0,20}}\s{{0,20}})?\{{\s{{0,20}}[\\*_]{{0,3}}{_QUOTE}?
    (?:(?:final[_ ])?answer|context)\b[\\*_]{{0,3}}{_QUOTE}?[\\*_]{{0,3}}\s{{0,20}}[:=]""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG: Final = re.compile(r"<answer>(.{0,2000}?)</answer>", re.IGNORECASE | re.DOTALL)
_BARE_END: Final = re.compile(
    rf"""[;,.]?\s{{0,20}}[\\*_]{{0,3}}{_QUOTE}[A-Za-z_ ]{{1,30}}{_QUOTE}\s{{0,5}}[:=]
    |[;,]\s{{0,20}}[A-Za-z_]{{1,30}}\s{{0,5}}[:=]|;|\}}|\n\s{{0,20}}\n""",
    re.VERBOSE,
)
_PLACEHOLDER: Final = re.compile(
    r"[\s.…_<>\[\]-]*|(?:a|your|the)\s+(?:short\s+(?:and\s+precise\s+)?)?answer\b.*", re.IGNORECASE
)
_LABEL: Final = re.compile(
    r"^[ \t>#*_`-]{0,20}(?:the\s{1,3})?(?:(?:final|short|correct|my)\s{1,3})?(?:answer|conclusion|result)"
    r"(?:\s{1,3}to\s{1,3}[^\n:]{0,120})?\s{0,3}(?:is\s{0,3})?[*_`]{0,3}\s{0,3}(?::|$)"
    r"|\b(?:the|my)\s{1,3}(?:final\s{1,3}|correct\s{1,3}|short\s{1,3})?answer\s{1,3}(?:to\s{1,3}[^\n.:]{0,120}?\s)?"
    r"(?:is|would\s{1,3}be)\b(?!\s{1,3}(?:clear|not|un\w+|based|found|available|in|as|below|above|final|right|correct"
    r"|wrong|here|simple|known|no\s+longer)\b):?",
    re.IGNORECASE | re.MULTILINE,
)
_CONTEXT: Final = re.compile(
    r"\b(?:context|explanation|reason(?:ing)?|sources?|note|justification)\s{0,3}[:=]", re.IGNORECASE
)
_CONCLUDES: Final = re.compile(
    r"[\s>#*_`-]{0,20}(?:so|thus|therefore|hence|in conclusion|in summary|to summari[sz]e|overall|finally)\b",
    re.IGNORECASE,
)
_COURTESY: Final = re.compile(
    r"[\s>#*_`-]{0,20}(?:(?:please\s+)?let me know|(?:i\s+)?hope|feel free|if you|is there anything|please|happy to"
    r"|sources?\b|references?\b|[-*]\s|\d+\.\s|https?:)",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"~~[^~\n]{0,300}~~|[*_`#]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)")
_NUMBERED: Final = re.compile(r"^[ \t]*\(?\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_NICKNAME: Final = re.compile(r"""(?<=\w)\s["“'‘][A-Z]\w{1,12}["”'’](?=\s[A-Z])""")
_SENTENCE_END: Final = re.compile(
    r"(?:[^\W\d_]{3}|\b[AaPp][Mm]|\d[)%]?|[)\"'”’])(?P<end>[.!?])(?=\s+[A-Z\"'“*(]|\s*$)|(?P<mark>[!?])(?=\s|$)"
)


class Place(NamedTuple):
    """Where the answer stands (`field`, `label`, `whole` or `conclusion`), and the texts that it may be in."""

    where: str
    parts: tuple[str, ...]

    @property
    def stated(self) -> bool:
        """Whether the model marked it as its answer."""
        return self.where in {"field", "label"}


def find_place(text: str) -> Place:
    """Return which parts of a message are its answer; none of a long text that does not conclude.

    >>> find_place("{'answer': 'Lima', 'context': 'It is the capital.'}")
    Place(where='field', parts=('Lima',))
    """
    answer = set_aside(text[-MOST_CHARACTERS:])[0]
    field = _field(answer)
    if field is not None:
        return Place("field", (field[:FIELD_CHARACTERS],))
    labelled = _labelled(answer)
    if labelled is not None:
        return Place("label", labelled)
    where = "whole" if _is_short(answer) else "conclusion"
    return Place(where, _conclusions(answer))


def is_answer_object(text: str) -> bool:
    """Return whether a text begins with the object that the prompt asks for.

    >>> is_answer_object("{'answer': 'Oslo', 'context': 'It is the capital.'}")
    True
    """
    return _OBJECT.match(set_aside(text)[0]) is not None


def unmarked(text: str) -> str:
    """Return a text without the marks of Markdown, what is struck through, and the numbers and nicknames beside words.

    >>> unmarked('1. **Edward "Ed" Owens**')
    '- Edward Owens'
    """
    return _NICKNAME.sub("", _NUMBERED.sub("- ", _MARKS.sub("", text)))


def first_sentence(text: str) -> str:
    """Return the first sentence; the point of an initial or of a decimal number ends none.

    >>> first_sentence("It is Todd R. Gloria. He is the mayor.")
    'It is Todd R. Gloria.'
    """
    end = _SENTENCE_END.search(text)
    return text[: end.end()] if end else text


def _is_short(text: str) -> bool:
    return len(text) <= SHORT_CHARACTERS and len(text.split()) <= SHORT_WORDS


def _field(text: str) -> str | None:
    """Return the `answer` of the last object that has one; what stands inside an object's other values is none."""
    found = None
    end = 0
    for count, key in enumerate(_KEY.finditer(text)):
        if count >= MOST_KEYS:
            break
        if key.start() < end:
            continue
        value, end = _value(text, key)
        if not _PLACEHOLDER.fullmatch(value):
            found = value
    if found is None and (tags := _TAG.findall(text)):
        found = tags[-1]
    if found is None and text.lstrip().startswith("["):
        found = _listed(text)
    return found


def _value(text: str, key: re.Match[str]) -> tuple[str, int]:
    """Return the value behind a key as text, and where its object ends."""
    opening = text.rfind("{", key.start(), key.end()) if text[key.start()] == "{" else -1
    if opening >= 0:
        for read in (_read_json, _read_python):
            value, end = read(text, opening)
            if isinstance(value, dict):
                answer = next((part for name, part in value.items() if "answer" in str(name).casefold()), "")
                if read is _read_python and isinstance(answer, (int, float)):
                    break  # a date without quotes reads like a subtraction
                return _written(answer), end
    start = key.end()
    if text.startswith(('"', "'", "[", "{"), start):
        for read in (_read_json, _read_python):
            value, end = read(text, start)
            if end > start and re.match(r"\s{0,20}[,;})\n]|\s*\Z", text[end : end + 25]):
                return _written(value), _closing(text, end)
    closing = _BARE_END.search(text, start, start + FIELD_CHARACTERS)
    end = closing.start() if closing else min(len(text), start + FIELD_CHARACTERS)
    return text[start:end].strip().strip("\\\"'“”‘’`").rstrip(")"), _closing(text, end)


def _closing(text: str, start: int) -> int:
    """Return where the object ends that a value stands in, by its brace; without one, where the text does."""
    end = text.find("}", start)
    return end + 1 if end >= 0 else len(text)


def _read_json(text: str, start: int) -> tuple[Any, int]:
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _read_python(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = read_python_literal(text[start : start + 2 * FIELD_CHARACTERS], 0)
    except LiteralError:
        return None, start
    return value, start + end


def _listed(text: str) -> str | None:
    """Return the items of a text that is a list and nothing else, in lines."""
    start = len(text) - len(text.lstrip())
    value, end = _read_python(text, start)
    return _written(value) if isinstance(value, list) and not text[end:].strip() else None


def _written(value: Any) -> str:
    if isinstance(value, list):
        return (
            "\n".join(f"- {_written(item)}" for item in value)
            if len(value) > 1
            else "".join(map(_written, value))
        )
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_written(item)}" for key, item in value.items())
    return value if isinstance(value, str) else str(value)


def _labelled(text: str) -> tuple[str, ...] | None:
    """Return what stands after the last label: the sentence on its line, or else what is below."""
    last = None
    for found in _LABEL.finditer(text):
        last = found
    if last is None:
        return None
    line, _, below = text[last.end() :].partition("\n")
    if context := _CONTEXT.search(line):
        line = line[: context.start()]
    if unmarked(line).strip(" \t*_`:."):
        return (first_sentence(line[:FIELD_CHARACTERS]),)
    if context := _CONTEXT.search(below):
        below = below[: context.start()]
    return _conclusions(below) if below.strip() else None


def _conclusions(text: str) -> tuple[str, ...]:
    """Return a short text as it is; of a long one the paragraphs that it begins and ends with, and that conclude.

    What takes its leave at the end, and lists of sources, are left aside.
    """
    if _is_short(text):
        return (text,) if text.strip() else ()
    paragraphs = [part.strip() for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
    if not paragraphs:
        return ()
    while len(paragraphs) > 1 and _COURTESY.match(paragraphs[-1]):
        paragraphs.pop()
    ends = [paragraphs[0], *([paragraphs[-1]] if len(paragraphs) > 1 else [])]
    middle = [part for part in paragraphs[1:-1] if _CONCLUDES.match(part) or _is_bold(part)]
    return tuple(part for part in (*ends, *middle) if _is_paragraph(part))


def _is_paragraph(part: str) -> bool:
    return len(part) <= PARAGRAPH_CHARACTERS and len(part.split()) <= PARAGRAPH_WORDS


def _is_bold(paragraph: str) -> bool:
    return paragraph.startswith("**") and paragraph.endswith("**") and "**" not in paragraph[2:-2]
