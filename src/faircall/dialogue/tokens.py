"""A final answer's text as tokens that compare by value: words, numbers, dates, times of day."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = r"(?P<{}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY: Final = r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_PATTERN: Final = re.compile(
    "|".join((
        r"(?P<iso>\b(?P<y1>\d{4})[-/](?P<m1>\d{1,2})[-/](?P<d1>\d{1,2})\b)",
        r"(?P<us>\b(?P<m2>\d{1,2})/(?P<d2>\d{1,2})/(?P<y2>\d{4})\b)",
        rf"(?P<mdy>\b{_MONTH.format('m3')}\s+{_DAY.format('d3')}\b(?:\s*,?\s*(?P<y3>\d{{4}})\b)?)",
        rf"(?P<dmy>\b{_DAY.format('d4')}\s+(?:of\s+)?{_MONTH.format('m4')}(?:\s*,?\s*(?P<y4>\d{{4}})\b)?)",
        r"(?P<clock>\b(?P<h1>\d{1,2})(?::(?P<n1>\d{2}))?\s*(?P<half>[ap])\.?m\b\.?)",
        r"(?P<hours>\b(?P<h2>\d{1,2}):(?P<n2>\d{2})\b(?!:))",
        r"(?P<number>(?<![\w.])[-+](?=\d)|)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)",
        r"(?P<word>[^\W\d_]+)",
    ))
)  # fmt: skip
_APOSTROPHES: Final = re.compile(r"(?<=\w)['’ʼ`´](?=\w)")
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_BETWEEN: Final = frozenset({"to", "until", "through", "till"})
_ONES: Final = {
    word: number
    for number, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        )
    )
}  # fmt: skip
_TENS: Final = {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2
    )
}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}


class Token(NamedTuple):
    """One token: its kind (`word`, `number`, `date`, `time`), its value, and where it stands in the text."""

    kind: str
    value: object
    start: int
    end: int


def fold(text: str) -> str:
    """Return the text in small letters without accents, with plain dashes and without apostrophes in words.

    >>> fold("O’Connell, Büdenbender")
    'oconnell, budenbender'
    """
    plain = unicodedata.normalize("NFKD", text).translate(_DASHES)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _APOSTROPHES.sub("", plain).casefold()


def tokenize(folded: str) -> list[Token]:
    """Return the tokens of a folded text. Signs between words say nothing; a hyphen between digits is no minus.

    Numbers are exact decimals, a number in words is its number, `$` and `%` are left aside, and a range is its ends.

    >>> [token.value for token in tokenize(fold("31.4 km on 3 May 2024, twenty-two %"))]
    [Decimal('31.4'), 'km', 'on', (2024, 5, 3), Decimal('22')]
    """
    found = [token for match in _PATTERN.finditer(folded) if (token := _token(match)) is not None]
    return _without_between(_with_scales(_spelt(found)))


def _token(match: re.Match[str]) -> Token | None:
    kind = match.lastgroup if match.lastgroup in _KINDS else _kind_of(match)
    start, end = match.span()
    if kind == "word":
        return Token("word", match["word"], start, end)
    if kind in _DATES:
        number = _DATES[kind]
        month = match[f"m{number}"]
        date = (
            int(match[f"y{number}"]) if match[f"y{number}"] else None,
            _MONTHS.get(month) or int(month),
            int(match[f"d{number}"]),
        )
        if date[1] > 12 >= date[2]:
            date = (date[0], date[2], date[1])
        return Token("date", date, start, end)
    if kind == "clock":
        hour = int(match["h1"]) % 12 + (12 if match["half"] == "p" else 0)
        return Token("time", 60 * hour + int(match["n1"] or 0), start, end)
    if kind == "hours":
        return Token("time", 60 * int(match["h2"]) + int(match["n2"]), start, end)
    try:
        value = Decimal(match["number"] + match["digits"].replace(",", ""))
    except InvalidOperation:
        return None
    return Token("number", value.normalize() + 0, start, end)


_DATES: Final = {"iso": "1", "us": "2", "mdy": "3", "dmy": "4"}
_KINDS: Final = frozenset({*_DATES, "clock", "hours", "word"})


def _kind_of(match: re.Match[str]) -> str:
    return next((kind for kind in (*_DATES, "clock", "hours", "word") if match[kind] is not None), "number")


def _spelt(tokens: list[Token]) -> list[Token]:
    """Put numbers for numbers in words: `thirty five` is 35, `five hundred and thirteen` 513."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        end, value = _number_at(tokens, at)
        if end == at:
            out.append(tokens[at])
            at += 1
        else:
            out.append(Token("number", Decimal(value).normalize() + 0, tokens[at].start, tokens[end - 1].end))
            at = end
    return out


def _number_at(tokens: list[Token], at: int) -> tuple[int, int]:
    total = current = 0
    end = at
    tens = ones = False
    while end < len(tokens) and tokens[end].kind == "word":
        word = str(tokens[end].value)
        if word in _ONES and not ones and not (tens and not 0 < _ONES[word] < 10):
            current, ones = current + _ONES[word], True
        elif word in _TENS and not tens and not ones:
            current, tens = current + _TENS[word], True
        elif word in _SCALES and end > at:
            scale = _SCALES[word]
            if scale == 100:
                current *= scale
            else:
                total, current = total + current * scale, 0
            tens = ones = False
        elif (
            word == "and" and end > at and str(tokens[end - 1].value) in _SCALES and _follows(tokens, end + 1)
        ):
            pass
        else:
            break
        end += 1
    return end, total + current


def _follows(tokens: list[Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at].value in _ONES or tokens[at].value in _TENS)


def _with_scales(tokens: list[Token]) -> list[Token]:
    """Multiply a number in digits by the scale after it: `222 million` is 222000000."""
    out: list[Token] = []
    for token in tokens:
        scale = _SCALES.get(str(token.value)) if token.kind == "word" else None
        if scale is not None and out and out[-1].kind == "number" and isinstance(out[-1].value, Decimal):
            out[-1] = Token("number", out[-1].value * scale, out[-1].start, token.end)
        else:
            out.append(token)
    return [
        token._replace(value=token.value.normalize() + 0) if isinstance(token.value, Decimal) else token
        for token in out
    ]


def _without_between(tokens: list[Token]) -> list[Token]:
    """Leave out the word of a range between two values: `1 to 20` is `1-20`."""
    return [
        token
        for index, token in enumerate(tokens)
        if not (
            token.value in _BETWEEN
            and 0 < index < len(tokens) - 1
            and tokens[index - 1].kind != "word"
            and tokens[index + 1].kind != "word"
        )
    ]


def same(wanted: Token, found: Token) -> bool:
    """Return whether two tokens have one value; a year is also the year of a date."""
    if wanted.kind == found.kind:
        return wanted.value == found.value
    if wanted.kind == "number" and found.kind == "date" and isinstance(found.value, tuple):
        return found.value[0] is not None and wanted.value == found.value[0]
    return False


def find_all(wanted: list[Token], found: list[Token]) -> list[tuple[int, int]]:
    """Return where the wanted tokens stand one after the other: first token and one past the last.

    Words may be written together or apart: `e-sports` is `esports`.
    """
    if not wanted:
        return []
    places = []
    for start in range(len(found)):
        end = _ends(wanted, found, start)
        if end is not None:
            places.append((start, end))
    return places


def _ends(wanted: list[Token], found: list[Token], start: int) -> int | None:
    at = start
    index = 0
    while index < len(wanted):
        if at >= len(found):
            return None
        if same(wanted[index], found[at]):
            index += 1
            at += 1
            continue
        joined = _joined(wanted, index, found, at)
        if joined is None:
            return None
        index, at = joined
    return at


def _joined(wanted: list[Token], index: int, found: list[Token], at: int) -> tuple[int, int] | None:
    """Match words that one side writes together: return the places after them, or None."""
    left = right = ""
    while True:
        if len(left) <= len(right):
            if index >= len(wanted) or wanted[index].kind != "word":
                return None
            left += str(wanted[index].value)
            index += 1
        else:
            if at >= len(found) or found[at].kind != "word":
                return None
            right += str(found[at].value)
            at += 1
        if left == right:
            return index, at
        if not (left.startswith(right) or right.startswith(left)):
            return None
