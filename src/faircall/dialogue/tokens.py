"""A final answer's text as tokens that compare by value: words, numbers, dates, times of day."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Final, NamedTuple

MAX_DIGITS: Final = 40
"""A longer row of digits is compared as a word."""

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
        r"(?P<iso>(?<![\w])(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?:t[\d:.]{5,15}z?)?(?![\w]))",
        r"(?P<us>(?<![\w])(?P<m2>\d{1,2})[-/.](?P<d2>\d{1,2})[-/.](?P<y2>\d{4})(?![\w]))",
        rf"(?P<mdy>\b{_MONTH.format('m3')}\s{{1,3}}(?:the\s{{1,3}})?{_DAY.format('d3')}\b(?:\s{{0,3}},?\s{{0,3}}(?P<y3>\d{{4}})\b)?)",
        rf"(?P<dmy>\b{_DAY.format('d4')}[\s-]{{1,3}}(?:of\s{{1,3}})?{_MONTH.format('m4')}(?:\s{{0,3}}[,-]?\s{{0,3}}(?P<y4>\d{{4}})\b)?)",
        r"(?P<clock>\b(?P<h1>\d{1,2})(?:[:.](?P<n1>\d{2}))?\s{0,3}(?P<half>[ap])(?:\.\s?m\.|\s?m\b))",
        r"(?P<hours>\b(?P<h2>\d{1,2}):(?P<n2>\d{2})(?::\d{2})?\b)",
        r"(?P<number>(?<![\w.])[-+](?=\d)|\bminus\s{1,3}(?=\d)|)"
        r"(?P<digits>\d{1,3}(?:,\d{3}){1,12}(?:\.\d{1,40})?(?![\d,])|\d{1,3}(?:[ \u00a0\u202f_]\d{3}){1,12}(?![\d])"
        r"|\d{1,40}(?:\.\d{1,40}|,\d{1,2}(?![\d,]))?(?!\d))(?P<thousands>k(?!\w))?",
        r"(?P<row>\d{1,4000})",
        r"(?P<word>[^\W\d_]{1,200})",
    ))
)  # fmt: skip
_KINDS: Final = ("iso", "us", "mdy", "dmy", "clock", "hours", "row", "word")
_DATES: Final = {"iso": "1", "us": "2", "mdy": "3", "dmy": "4"}
_POSSESSIVE: Final = re.compile(r"(?<=[^\W\d_])['’ʼ`´]s\b", re.IGNORECASE)
_APOSTROPHES: Final = re.compile(r"(?<=[^\W\d_])['’ʼ`´ʻ‘](?=[^\W\d_])|(?<=[^\W\d_])ʻ")
_LETTERS: Final = str.maketrans({
    **dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", " "), "đ": "d", "Đ": "D", "ł": "l", "Ł": "L",
    "ø": "o", "Ø": "O", "ı": "i", "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe",
})  # fmt: skip
_BETWEEN: Final = frozenset({"to", "until", "through", "till"})
_ARTICLES: Final = frozenset({"the", "a", "an"})
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


def plain(text: str) -> str:
    """Return the text without accents, with plain dashes, and without apostrophes in words.

    >>> plain("O’Connell, Büdenbender's")
    'OConnell, Budenbender'
    """
    # Raised digits are no part of a number, and would be one once they are normalised.
    spread = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return _APOSTROPHES.sub("", _POSSESSIVE.sub("", bare))


def fold(text: str) -> str:
    """Return a plain text in small letters, as long as it was.

    >>> fold("O’Connell, Büdenbender")
    'oconnell, budenbender'
    """
    bare = plain(text)
    small = bare.lower()
    return small if len(small) == len(bare) else "".join(sign.lower()[:1] or sign for sign in bare)


def tokenize(folded: str) -> list[Token]:
    """Return the tokens of a folded text. Signs between words say nothing; a hyphen between digits is no minus.

    Numbers are exact decimals, a number in words is its number, `$` and `%` are left aside, and a range is its ends.

    >>> [token.value for token in tokenize(fold("31.4 km on 3 May 2024, twenty-two %"))]
    [Decimal('31.4'), 'km', 'on', (2024, 5, 3), Decimal('22')]
    """
    found = [_token(match) for match in _PATTERN.finditer(folded)]
    return _without_between(_with_scales(_spelt(found)))


def _token(match: re.Match[str]) -> Token:
    kind = next((name for name in _KINDS if match[name] is not None), "number")
    start, end = match.span()
    if kind in {"word", "row"}:
        return Token("word", match[kind], start, end)
    if kind in _DATES:
        number = _DATES[kind]
        month = match[f"m{number}"]
        year = match[f"y{number}"]
        date = (int(year) if year else None, _MONTHS.get(month) or int(month), int(match[f"d{number}"]))
        if date[1] > 12 >= date[2]:
            date = (date[0], date[2], date[1])
        return Token("date", date, start, end)
    if kind == "clock":
        hour = int(match["h1"]) % 12 + (12 if match["half"] == "p" else 0)
        return Token("time", 60 * hour + int(match["n1"] or 0), start, end)
    if kind == "hours":
        return Token("time", 60 * int(match["h2"]) + int(match["n2"]), start, end)
    value = Decimal(("-" if match["number"].strip() in {"-", "minus"} else "") + _digits(match["digits"]))
    return Token("number", value * 1000 if match["thousands"] else value, start, end)


def _digits(written: str) -> str:
    """Return digits with a point for the decimals; a comma before one or two digits at the end is one."""
    if re.fullmatch(r"\d+,\d{1,2}", written):
        return written.replace(",", ".")
    return re.sub(r"[,\s_]", "", written)


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
            out.append(Token("number", Decimal(value), tokens[at].start, tokens[end - 1].end))
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
    return out


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


def _same(wanted: Token, found: Token) -> bool:
    """Whether two tokens have one value; a year is also the year of a date, and a day of no year is of any."""
    if wanted.kind == "date" and found.kind == "date":
        return wanted.value == found.value or (
            isinstance(wanted.value, tuple)
            and isinstance(found.value, tuple)
            and wanted.value[0] is None
            and wanted.value[1:] == found.value[1:]
        )
    if wanted.kind == found.kind:
        return wanted.value == found.value or (
            wanted.kind == "word" and _is_plural(wanted.value, found.value)
        )
    if wanted.kind == "number" and found.kind == "date" and isinstance(found.value, tuple):
        return found.value[0] is not None and wanted.value == found.value[0]
    return False


def _is_plural(one: object, other: object) -> bool:
    """Whether one word is the other with an ending `s` or `es`; short words and names in `s` are left alone."""
    short, long = sorted((str(one), str(other)), key=len)
    if len(short) <= 2 or short.endswith("s"):
        return False
    return long in {f"{short}s", f"{short}es"} or (short.endswith("y") and long == f"{short[:-1]}ies")


def find_all(wanted: list[Token], found: list[Token], *, most: int = 20) -> list[tuple[int, int]]:
    """Return where the wanted tokens stand one after the other: first token and one past the last, at most so many.

    Words may be written together or apart (`e-sports` is `esports`); an article, an `and` and an initial may stand
    among them.
    """
    wanted = [token for token in wanted if token.value not in _ARTICLES] or wanted
    places: list[tuple[int, int]] = []
    for start in range(len(found)):
        end = _ends(wanted, found, start) if wanted else None
        if end is not None:
            places.append((start, end))
            if len(places) >= most:
                break
    return places


def _ends(wanted: list[Token], found: list[Token], start: int) -> int | None:
    at = start
    index = 0
    while index < len(wanted):
        if at >= len(found):
            return None
        if _same(wanted[index], found[at]):
            index += 1
            at += 1
            continue
        joined = _joined(wanted, index, found, at)
        if joined is not None:
            index, at = joined
        elif at > start and index > 0 and _may_stand_among(found[at]):
            at += 1
        else:
            return None
    return at


def _may_stand_among(token: Token) -> bool:
    value = str(token.value)
    return token.kind == "word" and (value in _ARTICLES or value == "and" or len(value) == 1)


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
