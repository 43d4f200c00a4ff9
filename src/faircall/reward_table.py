"""Reward tables: named, versioned values of what an output can be.

A table is written ``reward-1`` or, with values that differ from it, ``reward-1+malformed=-1``; or it is a TOML file
with a ``base`` and values. An unknown name is an error, and so is a table under which broken syntax would pay.
"""

from __future__ import annotations

import difflib
import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.errors import UsageError
from faircall.tomlfiles import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_TABLE: Final = "reward-1"
RIGHT: Final = 1.0
"""What a right output is worth under every table: the calls that are wanted, or none where none is."""


class RewardTable(msgspec.Struct, frozen=True, kw_only=True):
    """What outputs are worth; right ones are worth 1.

    `malformed` is for broken attempts at calls, wherever they stand. Where a call is wanted: `wrong` for wrong calls,
    up to `partly` for partly right ones, `abstained` for none. Where none is wanted: `called`.

    Raises `UsageError` unless ``malformed <= abstained <= wrong <= partly < 1``, ``malformed < wrong`` and
    ``malformed <= called <= 0``: otherwise breaking the syntax, or declining, would pay.
    """

    base: str = DEFAULT_TABLE
    partly: float = 0.5
    wrong: float = 0.0
    abstained: float = 0.0
    called: float = 0.0
    malformed: float = -0.5

    def __post_init__(self) -> None:
        for name in VALUES:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise UsageError(f"reward table: `{name}` is {value!r}; write a number")
        order = "malformed <= abstained <= wrong <= partly < 1, malformed < wrong, malformed <= called <= 0"
        if not (
            self.malformed <= self.abstained <= self.wrong <= self.partly < RIGHT
            and self.malformed < self.wrong
            and self.malformed <= self.called <= 0
        ):
            raise UsageError(f"reward table {self.name}: the values have to keep {order}")

    @property
    def name(self) -> str:
        """The table as a signature writes it, with the values that differ from its base.

        >>> load_table("reward-1", malformed=-1).name
        'reward-1+malformed=-1'
        """
        base = TABLES.get(self.base)
        changed = [
            f"{name}={float(getattr(self, name))!r}".removesuffix(".0")
            for name in VALUES
            if base is None or getattr(self, name) != getattr(base, name)
        ]
        return "+".join((self.base, *changed))

    def between(self, share: float) -> float:
        """What calls are worth that are right by a share from 0 to 1, and not wholly right.

        >>> load_table().between(0.5)
        0.25
        """
        return self.wrong + (self.partly - self.wrong) * share


VALUES: Final = ("partly", "wrong", "abstained", "called", "malformed")
"""The values of a table."""
TABLES: Final[dict[str, RewardTable]] = {}
TABLES[DEFAULT_TABLE] = RewardTable()


def load_table(name: str = DEFAULT_TABLE, **values: float) -> RewardTable:
    """Return the table of that name, name with values, or TOML file; `values` are set on top of it.

    Raises `UsageError` for a name or a value that does not exist, and for a table under which broken syntax would
    pay; `InputError` for an unreadable file.

    >>> load_table("reward-1+malformed=-1").malformed
    -1.0
    """
    if name.endswith(".toml"):
        table = _load_file(Path(name))
    else:
        base, *changes = name.split("+")
        table = _build(base, dict(_read_change(change, name) for change in changes), where=f"table {name!r}")
    return _build(table, values, where="reward table") if values else table


def _read_change(change: str, name: str) -> tuple[str, float]:
    key, equals, value = change.partition("=")
    try:
        return key, float(value)
    except ValueError:
        hint = f"{value!r} is no number" if equals else "write a value as name=number, such as malformed=-1"
        raise UsageError(f"table {name!r}: {hint}") from None


def _load_file(path: Path) -> RewardTable:
    fields = read_toml(path)
    base = fields.pop("base", DEFAULT_TABLE)
    return _build(str(base), fields, where=str(path))


def _build(base: str | RewardTable, values: Mapping[str, float], *, where: str) -> RewardTable:
    if isinstance(base, str):
        if base not in TABLES:
            close = difflib.get_close_matches(base, TABLES, 1)
            hint = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(TABLES)}"
            raise UsageError(f"{where}: no reward table is called {base!r}{hint}")
        base = TABLES[base]
    for key in values:
        if key not in VALUES:
            raise UsageError(f"{where}: no value is called {key!r}; there are {', '.join(VALUES)}")
    return msgspec.structs.replace(base, **values)
