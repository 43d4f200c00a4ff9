"""One cell of a published table: text in, a figure or "there is none" out."""

from __future__ import annotations

import re
from typing import Final

from faircall.composition import Printed

_NUMBER: Final = re.compile(r"([0-9]{1,12})(?:\.([0-9]{0,12}))?\s*%?\Z")
_NONE: Final = frozenset({"", "n/a", "na", "nan", "none", "null", "-", "--", "–", "—"})


def is_none(text: str) -> bool:
    """Return whether the cell says that there is no figure: `N/A` and its like, a dash, nothing.

    >>> is_none(" N/A "), is_none("0.00%")
    (True, False)
    """
    return text.strip().casefold() in _NONE


def read_score(text: str) -> Printed | None:
    """Return the percentage of a cell, with or without its sign; None where the text is not one of 0 to 100.

    The half unit is that of the last digit shown: `77.5%` stands for anything from 77.45 to 77.55.

    >>> read_score("77.47%")
    Printed(value=77.47, half=0.005)
    >>> read_score("n.d.") is None
    True
    """
    match = _NUMBER.match(text.strip())
    if match is None:
        return None
    whole, decimals = match[1], match[2] or ""
    value = float(f"{whole}.{decimals or '0'}")
    return Printed(value, 0.5 * 10.0 ** -len(decimals)) if value <= 100 else None
