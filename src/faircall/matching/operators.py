"""Signs, operators and separators inside texts: which of the marks that the leniency for words drops still count."""

from __future__ import annotations

import re
from typing import Final

_RUN: Final = re.compile(r"[ ,./_*^-]+")
# What a sign may stand before, besides a digit: a currency, a bracket, a root, a constant, a function.
_SIGNED: Final = re.compile(
    r"[$€£¥₹₩₽₺₪฿¢|√π½⅓¼¾(]|(?:us|ca|au|nz|hk|sg)\$|(?:usd|eur|gbp|jpy|inr|cad|aud|chf|cny|mxn|brl) ?\d|pi(?![^\W\d_])"
    r"|[xyz](?![^\W\d_])|[a-z]{2,6}\("
)
_UNKNOWNS: Final = "xyz"
_ZONE: Final = re.compile(r"(?<![^\W\d_])(?:utc|gmt)\Z")
_WORD: Final = re.compile(r"[^\W\d_]+")
# `min` is a unit and `max` a name as well: a function is one where it has an argument.
_FUNCTION: Final = re.compile(
    r"(?:sin|cos|tan|exp|log|ln|sqrt|abs|min|max|mod|asin|acos|atan)(?= ?\(| ?\d*[xyz](?![^\W\d_]))|lambda|pi"
)
_TELLING: Final = re.compile(r"[=^+*×÷√]|[a-z]\(")
"""Signs that only formulas have, next to the hyphens, strokes and brackets that words have as well."""
_JOINING: Final = frozenset("=+(")
"""Signs by which two letters are a product, and not a word."""
_LONGEST_PRODUCT: Final = 2
_MATHEMATICAL: Final = re.compile(r"[=^+*(×÷±≤≥<>√]")
_FORMULA: Final = re.compile(r"[\w\s+\-*/^=()\[\]{}|.,:;<>≤≥≠±×÷·%!$€£¥√π∞\x01]+")
_OPERATION: Final = re.compile(r"[\w)\]}.%!] ?[-*/^] ?[\w(\[{.$€£¥√π+-]")
# `2*x` is `2x`; a letter for a power of ten is none.
_IMPLIED: Final = re.compile(r"(?<=\d) ?\* ?(?=(?!e[\d+-])[a-z(√π])")
_FIELDS: Final = re.compile(r"[\d*/,?#lw-]+(?: [\w*/,?#-]+){4,6}", re.ASCII)
_KEPT: Final = str.maketrans({"-": "\x06", "/": "\x07", "*": "\x05", "^": "\x04", ".": "\x03", ",": "\x01"})
_LONGEST_FORMULA: Final = 300
_LONGEST_GRADE: Final = 3


def formula_form(plain: str) -> str | None:
    """Return the form of a text that is a formula, a range or a schedule: all but its spaces; None for other texts.

    A formula has an operator between operands, and no words but functions of something. Where its only operators are
    hyphens and strokes, as words have them too (`B-12`, `A/C`), its letters are those for unknowns.

    >>> formula_form("x - 5"), formula_form("b-12"), formula_form("new-york")
    ('x-5', None, None)
    """
    if len(plain) > _LONGEST_FORMULA:
        return None
    if "*" in plain and _FIELDS.fullmatch(plain):
        return plain
    plain = _IMPLIED.sub("", plain.replace("**", "^"))
    if not _FORMULA.fullmatch(plain):
        return None
    telling = _TELLING.search(plain) is not None
    if not _OPERATION.search(plain) and not (telling and "-" in plain):
        return None
    products = telling and not _JOINING.isdisjoint(plain)
    for word in _WORD.finditer(plain):
        written = word[0]
        if len(written) == 1:
            if not telling and written not in _UNKNOWNS:
                return None
        elif not (products and len(written) <= _LONGEST_PRODUCT) and not _is_function(plain, word):
            return None
    parts = plain.split(" ")
    made = parts[0]
    for part in parts[1:]:
        apart = made[-1:].isalnum() and part[:1].isdigit()  # `2 x` is `2x`; `x 2` is not `x2`
        made += ("\x01" if apart else "") + part
    return made


def _is_function(plain: str, word: re.Match[str]) -> bool:
    """Whether a word of several letters is a function of something."""
    function = _FUNCTION.match(plain, word.start())
    return function is not None and function.end() == word.end()


def keep_marks(plain: str) -> str:
    """Return a text in which the signs, operators and separators that count are written as control characters.

    >>> keep_marks("below -5, above 1.5") == keep_marks("below 5, above 1.5")
    False
    >>> keep_marks("new-york")
    'new-york'
    """
    mathematical = _MATHEMATICAL.search(plain) is not None
    return _RUN.sub(lambda found: _keep(found, mathematical), plain)


def _keep(found: re.Match[str], mathematical: bool) -> str:
    text, start, end = found.string, found.start(), found.end()
    before, after = text[start - 1 : start], text[end : end + 1]
    run = found[0]
    if _is_digit(after):
        if _is_digit(before):
            return "\x01" if run == "-" and _ends_code(text, start) else _between_digits(run)
        return _before_digit(run, text, start, before, mathematical)
    if run.endswith("-") and (len(run) > 1 or not _ends_word(before)) and _SIGNED.match(text, end):
        return run[:-1] + "\x02"
    if run[0] == "^" and before == "[":
        return "\x04" + run[1:]
    marks = run.replace(" ", "")
    if _ends_operand(text, start) and _starts_operand(text, end):
        if marks == "*" and _is_digit(before) and _IMPLIED.match(text, start):
            return ""
        if "*" in marks or "^" in marks:
            return marks.translate(_KEPT)
        if "/" in marks and _is_digit(before):
            return marks.translate(_KEPT)
        if "-" in marks and (before in _UNKNOWNS or after in _UNKNOWNS) and mathematical:
            return marks.translate(_KEPT)
    if marks == "*" and before and after and run[0] == run[-1] == " ":
        return "\x05"  # a word of its own: `select * from`
    if run[0] == "-" and not after.isalnum() and _is_digit(before):
        return "\x02" + run[1:]
    if run[0] == "-" and (len(run) > 1 or not after.isalnum()) and _is_short_word(text, start):
        return "\x02" + run[1:]  # a charge or a grade: `O-`, `B-`
    return run


def _between_digits(run: str) -> str:
    if run == ".":
        return "\x03"
    marks = run.replace(" ", "").replace("**", "^")
    operators = marks.replace(",", "").replace("_", "").replace(".", "")
    if not operators:
        return "\x01\x02" + "0\x03" if len(run) > 1 and run.endswith(" .") else "\x01"
    return marks.replace("_", "").translate(_KEPT)


def _before_digit(run: str, text: str, start: int, before: str, mathematical: bool) -> str:
    """What stands between a text's beginning, a letter or another character and a digit."""
    letter = before.isalpha()
    marks = run.replace(" ", "")
    if not letter:
        spaced = run.strip(" .") if before and before in "=<>≤≥(:[" else run.rstrip(".")
        sign = "\x02" if spaced.endswith("-") else ""
        point = "0\x03" if run.endswith(".") else ""
        rest = marks.rstrip(".").removesuffix("-")
        kept = rest.translate(_KEPT) if rest.endswith("*/") or (rest and before and before in ")]}%!") else ""
        return kept + sign + point
    if "-" in marks and _ZONE.search(text, max(0, start - 4), start):
        return "\x02"
    if run == "-" and before == "e" and _is_digit(text[start - 2 : start - 1]):
        return "\x02"
    single = _is_single(text, start)
    operator = set(marks) & set("*^/") or (before in _UNKNOWNS and mathematical)
    if marks.strip("._,") and single and operator:
        return marks.translate(_KEPT)
    if marks in {"^", "*"} and (run == marks or run[0] == run[-1] == " "):
        return marks.translate(_KEPT)
    signed = run.rstrip(".")
    sign = "\x02" if signed.endswith("-") and len(signed) > 1 and signed.strip("-") else ""
    point = "0\x03" if run.endswith((" .", "-.")) else ""
    if marks.endswith("*/"):
        return "\x05\x07"
    return sign + point


def _ends_word(character: str) -> bool:
    return character.isalnum() or (bool(character) and character in ")]}|")


def _is_digit(character: str) -> bool:
    return character.isascii() and character.isdigit()


def _ends_code(text: str, end: int) -> bool:
    """Whether the digits before `end` follow a letter, as in `Q1` and `INV-2031`: words, whose hyphens are spaces."""
    name = text[max(0, end - 8) : end].rstrip("0123456789")
    if name[-2:-1].isalpha() and name[-1] == "-":
        name = name[:-1]
    return name[-1:].isalpha() and not (name[-1] in _UNKNOWNS and not name[-2:-1].isalpha())


def _is_single(text: str, end: int) -> bool:
    """Whether a letter before `end` stands alone."""
    return text[end - 1 : end].isalpha() and not text[max(0, end - 2) : end - 1].isalnum()


def _is_short_word(text: str, end: int) -> bool:
    if not text[end - 1 : end].isalpha():
        return False
    start = end - 1
    while start > max(0, end - 1 - _LONGEST_GRADE) and text[start - 1].isalpha():
        start -= 1
    return end - start <= _LONGEST_GRADE


def _ends_operand(text: str, end: int) -> bool:
    before = text[end - 1 : end]
    return bool(before) and (_is_digit(before) or before in ")]" or _is_single(text, end))


def _starts_operand(text: str, start: int) -> bool:
    after = text[start : start + 1]
    return bool(after) and (
        _is_digit(after) or after in "([" or (after.isalpha() and not text[start + 1 : start + 2].isalpha())
    )
