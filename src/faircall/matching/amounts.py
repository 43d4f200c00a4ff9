"""Numbers inside texts, written one way: thousands, decimals before a unit, pairs of coordinates, seasons."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = (
    "percent", "degrees?", "celsius", "fahrenheit", "c", "f", "k",
    "k?m", "[cmµn]m", "mi(?:les?)?", "ft", "feet", "inch(?:es)?", "yd", "yards?", "(?:kilo)?met(?:er|re)s?",
    "km/h", "mph", "m/s", "[kmµ]?g", "kgs?", "(?:kilo)?grams?", "lbs?", "oz", "tons?", "m?l", "lit(?:er|re)s?",
    "gal(?:lons?)?", "s(?:ec(?:onds?)?)?", "min(?:utes?)?", "h(?:rs?|ours?)?", "days?", "weeks?", "months?", "years?",
    "usd", "eur", "gbp", "jpy", "inr", "cad", "aud", "chf", "cny", "dollars?", "euros?", "pounds?", "yen", "rupees?",
    "[kmgt]?b", "[kmg]?hz", "k?w", "kwh", "m?v", "stars?", "points?", "cups?", "t(?:b?sp|ablespoons?|easpoons?)",
    "thousand", "[mbt]r?illion", "acres?", "hectares?", "knots",
)  # fmt: skip
_GROUPS: Final = r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)*,0\d(?:,\d\d)*,\d{3})(?![\d,])"
# Numbers that begin a bracket are arguments or a point, but where a unit follows.
_THOUSANDS: Final = re.compile(
    rf"(?<![\d.,(\[{{]){_GROUPS}|(?<=[(\[{{]){_GROUPS}(?=\.\d| ?[a-z%€°])", re.ASCII
)
_CODES: Final = ("usd", "eur", "gbp", "jpy", "inr", "cad", "aud", "chf", "cny")
_CURRENCY: Final = "|".join(
    (r"(?<=[$€£¥₹₩₽₺₪])", *(f"(?<={code}{gap})" for code in _CODES for gap in ("", " ")))
)
_AMOUNT: Final = re.compile(
    rf"(?:{_CURRENCY})( ?\d+)\.(\d+)(?![.\d])"
    rf"|(?<![\d.])(\d+)\.(\d+)(?= ?(?:[%°]|(?:{'|'.join(_UNITS)})(?![^\W_])))",
    re.ASCII,
)
_SIGN_INSIDE: Final = re.compile(r"([$€£¥₹]) ?-(?=\d)")
_COORDINATES: Final = re.compile(r"(?<=\d)(\.\d+) (?=-\d+\.\d)", re.ASCII)
_SERIES: Final = re.compile(r"[\[(]?[-+]?\d+(?:\.\d+)?(?:[,;] ?[-+]?\d+(?:\.\d+)?)+[\])]?", re.ASCII)
_DECIMAL: Final = re.compile(r"(\d+)\.(\d+)", re.ASCII)
_SEASON: Final = re.compile(r"(?<![\d/.-])((?:19|20)\d(\d))/(\d\d)(?![\d/-])", re.ASCII)


def plain_amounts(plain: str, *, label: bool) -> str:
    """Return a text in which each number is written in one way, as far as it reads as an amount.

    A decimal counts as one before a unit, after a sign of currency and in a series of numbers, but in no label.

    >>> plain_amounts("$1,250.50, or 3.10 km, or python 3.10", label=False)
    '$1250.5, or 3.1 km, or python 3.10'
    """
    if label:
        return plain
    plain = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), plain)
    plain = _SEASON.sub(_one_season, plain)
    plain = _SIGN_INSIDE.sub(r"-\1", plain)
    if "." not in plain:
        return plain
    plain = _COORDINATES.sub(r"\1, ", plain)
    if _SERIES.fullmatch(plain):
        return _DECIMAL.sub(_shortest, plain)
    return _AMOUNT.sub(_shortest, plain)


def _shortest(found: re.Match[str]) -> str:
    whole, part = (group for group in found.groups() if group is not None)
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole


def _one_season(found: re.Match[str]) -> str:
    """A year and the next one, as a season has them: `2031/32` is `2031-32`."""
    following = f"{int(found[1]) + 1}"[2:]
    return f"{found[1]}-{found[3]}" if found[3] == following else found[0]
