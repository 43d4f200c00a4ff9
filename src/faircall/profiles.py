"""Profiles: named, versioned sets of scoring switches, each of which can also be set alone.

A profile is written ``fair-1`` or, with switches that differ from it, ``fair-1+gate=literal``; or it is a TOML
file with a ``base`` and switches. An unknown switch is an error, so that a misspelt one never passes in silence.

Every switch takes ``official``, the released evaluator's way, and the word of the fair way; ``fair`` stands for that
word:

``gate``            which outputs count as calls, as abstentions, as neither
``defaults``        ``canonical``: leaving out an optional parameter is passing its declared default
``numbers``         ``by-value``: one number type at every depth, and a boolean is never a number
``strings``         ``by-value``: case, spaces and ``,./-_*^`` are ignored in words, never in numbers and dates
``nested``          ``every-level``: one rule for all depths, driven by the schema; keys that it rules out are void
``parallel``        ``best``: any one-to-one pairing will do, by the shape of the answers and not by the category's name
``positional``      ``bound``: positional arguments go to the parameters in the schema's order
``names``           ``resolved``: a name stands for the one offered tool it can mean, as where dots became underscores
``missing``         ``not-available``: a category that was not run is N/A, with bounds, and not 0
``abstain-turns``   ``checked``: a call in a turn where none is wanted fails the entry; ``changes``: only if it changes
                    the environments' state
``dispatch``        ``direct``: a call reaches its environment with the arguments that the model wrote; officially it is
                    changed as text on the way, also inside quotes
``responses``       ``secondary``: where the expected calls change an environment, an equal state is enough, and its
                    results that are missing are reported; elsewhere they decide
``answers``         ``asserted``: a final answer has to be given, by value, and not only to be somewhere in the text
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Final

import msgspec

from faircall.errors import UsageError
from faircall.tomlfiles import read_toml

SWITCHES: Final[dict[str, tuple[str, ...]]] = {
    "gate": ("official", "literal", "evidence"),
    "defaults": ("official", "canonical"),
    "numbers": ("official", "by-value"),
    "strings": ("official", "by-value"),
    "nested": ("official", "every-level"),
    "parallel": ("official", "best"),
    "positional": ("official", "bound"),
    "names": ("official", "resolved"),
    "missing": ("official", "not-available"),
    "abstain-turns": ("official", "changes", "checked"),
    "dispatch": ("official", "direct"),
    "responses": ("official", "secondary"),
    "answers": ("official", "asserted"),
}
"""Every switch with the values it takes: the official one first, the fair one last."""


class Profile(msgspec.Struct, frozen=True, cache_hash=True):
    """A frozen set of switches: `base` names the version that it differs from by `changed` switches."""

    base: str
    gate: str
    defaults: str
    numbers: str
    strings: str
    nested: str
    parallel: str
    positional: str
    names: str
    missing: str
    abstain_turns: str
    dispatch: str
    responses: str
    answers: str
    changed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The profile as a signature writes it, with the switches that differ from its base."""
        return "+".join((self.base, *(f"{switch}={self.value_of(switch)}" for switch in self.changed)))

    def value_of(self, switch: str) -> str:
        """What a switch is set to, by the switch's written name.

        >>> load_profile("fair-1").value_of("abstain-turns")
        'checked'
        """
        value: str = getattr(self, _field(switch))
        return value


def _field(switch: str) -> str:
    return switch.replace("-", "_")


def _whole(base: str, position: int) -> Profile:
    chosen = {_field(switch): values[position] for switch, values in SWITCHES.items()}
    return msgspec.convert({"base": base, **chosen}, Profile)


PROFILES: Final[dict[str, Profile]] = {
    "fair-1": _whole("fair-1", -1),
    "official-2026.3.23": _whole("official-2026.3.23", 0),
}
DEFAULT_PROFILE: Final = "fair-1"


def load_profile(name: str) -> Profile:
    """Return the profile of that name, name with switches, or TOML file.

    Raises `UsageError` for a name, a switch or a value that does not exist, `InputError` for an unreadable file.

    >>> load_profile("fair-1+gate=literal").gate
    'literal'
    """
    if name.endswith(".toml"):
        return _load_file(Path(name))
    base, *changes = name.split("+")
    switches: dict[str, object] = {}
    for change in changes:
        switch, equals, value = change.partition("=")
        if not equals:
            raise UsageError(f"profile {name!r}: write a switch as name=value, such as gate=official")
        switches[switch] = value
    return _build(base, switches, where=f"profile {name!r}")


def _load_file(path: Path) -> Profile:
    fields = read_toml(path)
    base = fields.pop("base", DEFAULT_PROFILE)
    return _build(str(base), fields, where=str(path))


def _build(base: str, switches: dict[str, object], *, where: str) -> Profile:
    if base not in PROFILES:
        close = difflib.get_close_matches(base, PROFILES, 1)
        hint = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(PROFILES)}"
        raise UsageError(f"{where}: no profile is called {base!r}{hint}")
    profile = PROFILES[base]
    for switch, value in switches.items():
        if switch not in SWITCHES:
            raise UsageError(f"{where}: no switch is called {switch!r}; there are {', '.join(SWITCHES)}")
        values = SWITCHES[switch]
        chosen = values[-1] if value == "fair" else value
        if chosen not in values:
            raise UsageError(f"{where}: {switch} takes {', '.join(values)}, not {value!r}")
        profile = msgspec.structs.replace(profile, **{_field(switch): chosen})
    changed = tuple(
        switch for switch in switches if profile.value_of(switch) != PROFILES[base].value_of(switch)
    )
    return msgspec.structs.replace(profile, changed=changed)
