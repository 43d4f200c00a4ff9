"""When two texts say the same: the official leniency for words, by value for numbers, dates, versions and signs.

A text is turned into a form, and two texts are alike when their forms are equal, so that being alike is an
equivalence and sets of forms can be looked up.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from faircall.matching.amounts import plain_amounts
from faircall.matching.identifiers import address_form, join_identifier, join_identifiers, keep_addresses
from faircall.matching.operators import formula_form, keep_marks

if TYPE_CHECKING:
    from collections.abc import Hashable

_IGNORED: Final = str.maketrans("", "", " ,./-_*^")
_CACHED_CHARS: Final = 1_000

_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
_SIGNS: Final = {
    **_DASHES, ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"', ord("⁄"): "/", ord("٫"): ".", ord("٬"): ",",
}  # fmt: skip
# Control characters stand for marks that count in what follows; those of a text are none of them.
_CONTROLS: Final = {code: chr(0xE000 + code) for code in range(32) if chr(code) not in "\t\n\v\f\r"}

_SPACES: Final = re.compile(r" {2,}")
_NUMBER: Final = re.compile(
    r"(?P<sign>[+-]?) ?"
    r"(?P<whole>0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:_\d{3})+"
    r"|[1-9]\d?(?:,\d\d)*,0\d(?:,\d\d)*,\d{3}|[1-9]\d*)?"
    r"(?P<part>\.\d*)?(?P<power>e[+-]?\d{1,3})?",
    re.ASCII,
)
_SPECIAL: Final = {"inf": "inf", "infinity": "inf", "nan": "nan"}
_YEAR_FIRST: Final = re.compile(
    r"(?P<year>[12]\d{3})(?P<sep>[-/._])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?P<rest>[t ]\d.*)?",
    re.ASCII,
)
_COMPACT: Final = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)", re.ASCII)
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/._])(\d{1,2})\2([12]\d{3})", re.ASCII)
_MONTH: Final = re.compile(r"([12]\d{3})[-/_](0?[1-9]|1[0-2])", re.ASCII)
_TIME: Final = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)? ?(z|[+-]\d\d:?\d\d)?", re.ASCII)

_DATE_INSIDE: Final = re.compile(
    r"(?<![\d.])([12]\d{3})([-/._])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?![\d.]\d|\d)", re.ASCII
)
_DATE_LAST_INSIDE: Final = re.compile(
    r"(?<![\d./-])(\d{1,2})([-/])(\d{1,2})\2([12]\d{3})(?![\d./-])", re.ASCII
)
_KEPT_APART: Final = ("<super>", "<sub>", "<fraction>")
_ABBREVIATION: Final = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]\.)+[^\W\d_](?:\.|(?![\w]))")
_HAS_DIGIT: Final = re.compile(r"\d", re.ASCII)


def official_text(text: str) -> str:
    """Return the form under which the official checker compares texts.

    Case, spaces and ``,./-_*^`` do not count, and single quotes are double ones.

    >>> official_text("New-York, 'NY'") == official_text('new york "NY"')
    True
    """
    return text.translate(_IGNORED).lower().replace("'", '"')


def text_form(text: str, *, reading: str = "") -> Hashable:
    """Return the form under which the fair profile compares texts.

    Words have the official leniency, after Unicode's NFKC but for raised, lowered and fractional digits. A text that
    reads as a number, a date or a time has its value; a formula counts in full, and inside other texts signs and
    what stands between two digits do. `reading` is `label` for a version or a code, where `3.10` is no number, and
    `exact` where the schema tells texts apart that are alike otherwise.

    >>> text_form("1,500.0") == text_form("1500"), text_form("-5") == text_form("5")
    (True, False)
    >>> text_form("2024/01/02") == text_form("2024-1-2"), text_form("New York") == text_form("new_york")
    (True, True)
    """
    if reading == "exact":
        return ("exact", text)
    label = reading == "label"
    return _cached_form(text, label) if len(text) <= _CACHED_CHARS else _form(text, label)


def _form(text: str, label: bool) -> Hashable:
    text = text.translate(_CONTROLS)
    plain = text if text.isascii() else _normal(text).translate(_SIGNS)
    plain = _SPACES.sub(" ", plain.strip())
    plain = plain.lower() if plain.isascii() else _fold(plain)
    if plain.endswith(".") and not plain.endswith("..") and len(plain) > 1:
        plain = plain[:-1].rstrip()  # the end of a sentence
    address = address_form(plain)
    if address is not None:
        return ("address", address)
    plain = keep_addresses(plain)
    if "." in plain:
        plain = _ABBREVIATION.sub(lambda found: found[0].replace(".", ""), plain)
    if not _HAS_DIGIT.search(plain):
        if plain.lstrip("+- ") in _SPECIAL and not label:
            return ("number", ("-" if plain[0] == "-" else "") + _SPECIAL[plain.lstrip("+- ")])
        kept = formula_form(plain)
        return ("formula", kept) if kept else official_text(keep_marks(plain)) or ("marks", plain)
    moment = _moment(plain.replace(" - ", "-"))
    if moment is not None:
        return moment
    plain = join_identifier(plain)
    value = None if label else _number(plain)
    return ("number", value) if value is not None else _mixed(plain, label)


_cached_form = lru_cache(maxsize=8192)(_form)


def _fold(plain: str) -> str:
    return _normal(plain.casefold())


def _normal(text: str) -> str:
    """NFKC, in which `1²` does not become `12`, nor `3½` another number, and with every script's digits as ASCII's."""
    text = "".join(_digit(character) for character in text)
    whole = unicodedata.normalize("NFKC", text)
    if whole == text:
        return text
    return unicodedata.normalize(
        "NFC",
        "".join(
            character
            if character.isascii() or unicodedata.decomposition(character).startswith(_KEPT_APART)
            else unicodedata.normalize("NFKC", character)
            for character in text
        ),
    )


def _digit(character: str) -> str:
    """A decimal digit as ASCII has it; any other character as it is."""
    return (
        character if character.isascii() or not character.isdecimal() else str(unicodedata.decimal(character))
    )


def _number(plain: str) -> Decimal | None:
    found = _NUMBER.fullmatch(plain)
    if not found or (not found["whole"] and len(found["part"] or "") < 2):
        return None
    digits = (found["whole"] or "0").replace(",", "").replace(" ", "").replace("_", "")
    value = Decimal(f"{found['sign']}{digits}{found['part'] or ''}{found['power'] or ''}")
    return value if value else Decimal(0)


def _moment(plain: str) -> tuple[Any, ...] | None:
    """The date, the month or the point in time that a text is."""
    if found := _YEAR_FIRST.fullmatch(plain) or _COMPACT.fullmatch(plain):
        try:
            day = date(int(found["year"]), int(found["month"]), int(found["day"]))
        except ValueError:
            return None
        rest = found.groupdict().get("rest")
        return ("date", day) if not rest else _point(day, rest[1:])
    if found := _YEAR_LAST.fullmatch(plain):
        first, second = int(found[1]), int(found[3])
        if min(first, second) in range(1, 13) and max(first, second) in range(1, 32):
            return ("date with the year last", first, second, int(found[4]))
    if found := _MONTH.fullmatch(plain):
        return ("month", int(found[1]), int(found[2]))
    return None


def _point(day: date, written: str) -> tuple[Any, ...] | None:
    found = _TIME.fullmatch(written)
    if not found:
        return None
    hour, minute, second, fraction, zone = found.groups()
    offset = "" if zone is None else "+00:00" if zone == "z" else zone
    try:
        moment = datetime.fromisoformat(
            f"{day}T{int(hour):02}:{minute}:{second or '00'}.{(fraction or '').ljust(6, '0')}{offset}"
        )
        return ("time", moment.astimezone(UTC)) if zone else ("local time", moment)
    except (ValueError, OverflowError):
        return None


def _mixed(plain: str, label: bool) -> Hashable:
    """The form of words with digits among them: between digits nothing is lost, elsewhere the words' leniency."""
    plain = _DATE_INSIDE.sub(lambda found: f"{found[1]}\x01{int(found[3]):02}\x01{int(found[4]):02}", plain)
    plain = _DATE_LAST_INSIDE.sub("\\1\x01\\3\x01\\4", plain)
    plain = join_identifiers(plain_amounts(plain, label=label))
    formula = formula_form(plain)
    if formula is not None:
        return ("formula", formula)
    return official_text(keep_marks(plain.replace("**", "^")))
