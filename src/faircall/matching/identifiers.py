"""Numbers that name something, written in groups at will: telephones, cards, books, bank accounts; and addresses."""

from __future__ import annotations

import re
from typing import Final

_GROUPED: Final = re.compile(
    r"(?<![\w.,/(])(?<!\d[ -])(?<!\d\)[ -])(?<!\d\))\+?\(?\d++\)?(?:(?:[ -]|(?<=\)))\(?\d++\)?)++"
    r"(?![\w,/]|\.\d)",
    re.ASCII,
)
_DOTTED_PHONE: Final = re.compile(
    r"(?<![\w.,/-])(?:\+?\d{1,3}\.)?\d{3}\.\d{3}\.\d{4}(?![\w-]|\.\d)", re.ASCII
)
# A number without its area code is joined only where it is the whole text: among words it may be a range.
_LOCAL_PHONE: Final = re.compile(r"(\d{3})(?: ?- ?| )(\d{4})", re.ASCII)
_BANK_ACCOUNT: Final = re.compile(r"[a-z]{2}\d\d(?:[ -][\da-z]{4}){2,7}(?:[ -][\da-z]{1,3})?", re.ASCII)
_BOOK: Final = re.compile(
    r"(?<![\w-])(?:97[89][ -])?\d{1,5}[ -]\d{1,7}[ -]\d{1,7}[ -][\dx](?![\w-])", re.ASCII
)
_DIGITS_OF_A_BOOK: Final = frozenset({10, 13})
# How telephone and card numbers are grouped, by the lengths of their groups; a leading `0` is checked apart.
_GROUPINGS: Final = frozenset(
    (
        (3, 3, 4), (1, 3, 3, 4), (3, 2, 4), (4, 4, 4, 4), (4, 6, 5), (2, 2, 2, 2, 2), (3, 4, 4), (2, 4, 4),
        (4, 4, 4, 4, 2), (4, 4, 4, 4, 3), (4, 4, 4, 4, 4),
    )
)  # fmt: skip
_GROUPINGS_AFTER_ZERO: Final = frozenset(((4, 3, 3), (3, 3, 3), (5, 3, 3), (3, 3, 2, 2)))
_GROUP: Final = re.compile(r"\d+", re.ASCII)
_ADDRESS_INSIDE: Final = re.compile(
    r"[^\s@,;:<>()\[\]\"']++@[^\s@,;:<>()\[\]\"']++|(?:\b[a-z][a-z\d+.-]{0,20}+://|\bwww\.)[^\s,;<>()\[\]\"']++",
    re.ASCII,
)
_MARKS: Final = str.maketrans({"-": "\x06", "/": "\x07", "*": "\x05", "^": "\x04", ".": "\x03", "_": "\x0e"})
_ADDRESS: Final = re.compile(r"[^\s@/]+@[^\s@/]+\.[^\s@/]+|[a-z][a-z\d+.-]*://\S+", re.ASCII)


def address_form(plain: str) -> str | None:
    """Return the form of a text that is an e-mail or web address, in which every mark counts; None for others.

    >>> address_form("https://example.org/a/"), address_form("new-york")
    ('https://example.org/a', None)
    """
    if "@" not in plain and "://" not in plain:
        return None
    return plain.rstrip("/") if _ADDRESS.fullmatch(plain) else None


def keep_addresses(plain: str) -> str:
    """Return a text in which the marks of e-mail and web addresses are control characters, so that they count.

    >>> keep_addresses("to a.b@example.org, please") == keep_addresses("to ab@example.org, please")
    False
    """
    if "@" not in plain and "://" not in plain and "www." not in plain:
        return plain
    return _ADDRESS_INSIDE.sub(lambda found: found[0].rstrip("/.").translate(_MARKS), plain)


def join_identifier(plain: str) -> str:
    """Return a text that is one identifier without what groups it; any other text as it is.

    >>> join_identifier("+1 555 867 5309"), join_identifier("400-500-600")
    ('+15558675309', '400-500-600')
    """
    if _BANK_ACCOUNT.fullmatch(plain) or _LOCAL_PHONE.fullmatch(plain):
        return plain.replace(" ", "").replace("-", "")
    joined = join_identifiers(plain)
    return joined if joined.lstrip("+").isalnum() else plain


def join_identifiers(plain: str) -> str:
    """Return a text in which the identifiers have nothing that groups them.

    >>> join_identifiers("call 555.867.5309 or 555 867 5309")
    'call 5558675309 or 5558675309'
    """
    plain = _DOTTED_PHONE.sub(lambda found: found[0].replace(".", " "), plain)
    plain = _BOOK.sub(_join_book, plain)
    return _GROUPED.sub(_join_groups, plain)


def _join_book(found: re.Match[str]) -> str:
    joined = found[0].replace(" ", "").replace("-", "")
    return joined if len(joined) in _DIGITS_OF_A_BOOK else found[0]


def _join_groups(found: re.Match[str]) -> str:
    """Telephone and card numbers are grouped at will; other groups are ranges, lists or differences."""
    written = found[0]
    groups = tuple(map(len, _GROUP.findall(written)))
    if not (
        (written[0] == "+" and sum(groups) >= 7)
        or ("(" in written and groups[-2:] == (3, 4))
        or groups in _GROUPINGS
        or (written[0] == "0" and groups in _GROUPINGS_AFTER_ZERO)
    ):
        return written
    return "".join(character for character in written if character not in " -()")
