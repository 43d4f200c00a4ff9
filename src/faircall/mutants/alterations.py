"""What is done to a key: changes after which the verdict has to stay, and changes that make the call a wrong one."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from faircall.canonical import suits
from faircall.canonical.shapes import ABSENT
from faircall.keys import default_sites, with_default
from faircall.mutants.bases import read_slot
from faircall.mutants.sites import Calls, Site, put, sites
from faircall.rows import dump_json
from faircall.schema import same_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from faircall.keys import DefaultSite
    from faircall.mutants.bases import Base, Slot

_SIGNED: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DECIMAL: Final = re.compile(r"-?\d+\.\d+")
_EXACT: Final = 2**53
OTHER_TEXT: Final = "quite another thing"
EXTRA: Final = "not_in_the_schema"


class Altered(NamedTuple):
    """The calls after a change, and the change in a few words."""

    calls: Calls
    change: str


class Alteration(NamedTuple):
    """A change: the rule that it tries, a name within the rule, whether the verdict has to stay, and how it is made.

    Of an entry, the first of what is made is taken.
    """

    rule: str
    name: str
    keeps: bool
    make: Callable[[Base], Iterator[Altered]]


def _shown(value: Any) -> str:
    text = dump_json(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _changed(base: Base, site: Site, value: Any) -> Altered:
    return Altered(put(base.calls, site, value), f"{site.name}: {_shown(site.value)} → {_shown(value)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _takes(site: Site, *kinds: str) -> bool:
    """Whether the schema says what a site takes, and that it is one of these kinds alone."""
    return bool(site.shape.kinds) and site.shape.kinds <= set(kinds)


# Changes after which the verdict has to stay.


def _leave_default_out(base: Base) -> Iterator[Altered]:
    for slot, index, site in _default_sites(base):
        value = site.value_in(slot.arguments)
        if type(site.default) is type(value) and site.default == value:
            about = f"{site.path[1:]}, which has its default {_shown(value)}, left out"
            yield _at_default(base, index, site, about, written=False)


def _write_default_out(base: Base) -> Iterator[Altered]:
    for slot, index, site in _default_sites(base):
        usable = site.default is not None and suits(site.default, site.shape)
        if usable and site.value_in(slot.arguments) is ABSENT:
            about = f"{site.path[1:]} written out with its default {_shown(site.default)}"
            yield _at_default(base, index, site, about, written=True)


def _default_sites(base: Base) -> Iterator[tuple[Slot, int, DefaultSite]]:
    for index, slot in enumerate(base.slots):
        for site in default_sites(slot.arguments, slot.shape):
            yield slot, index, site


def _at_default(base: Base, index: int, site: DefaultSite, about: str, *, written: bool) -> Altered:
    name, arguments = base.calls[index]
    changed = with_default(arguments, site, written=written)
    return Altered([*base.calls[:index], (name, changed), *base.calls[index + 1 :]], about)


def _reverse_calls(base: Base) -> Iterator[Altered]:
    calls = base.calls[::-1]
    if calls != base.calls:
        yield Altered(calls, "the calls in the opposite order")


def _reverse_arguments(base: Base) -> Iterator[Altered]:
    if any(len(arguments) > 1 for _, arguments in base.calls):
        calls = [(name, dict(reversed(arguments.items()))) for name, arguments in base.calls]
        yield Altered(calls, "the arguments in the opposite order")


def _change_number_form(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        value = site.value
        if "number" in site.shape.kinds and not site.shape.enum and _is_number(value) and abs(value) < _EXACT:
            if isinstance(value, int):
                yield _changed(base, site, float(value))
            elif value.is_integer():
                yield _changed(base, site, int(value))


# Changes that make it a wrong call.


def _flip_sign(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if _is_number(site.value) and site.value and site.frees(-site.value):
            yield _changed(base, site, -site.value)


def _flip_sign_in_text(base: Base) -> Iterator[Altered]:
    for site, text in _numbers_in_text(base, _SIGNED):
        flipped = text[1:] if text.startswith("-") else f"-{text}"
        if float(text) and site.frees(flipped):
            yield _changed(base, site, flipped)


def _drop_point(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if (
            isinstance(site.value, float)
            and _DECIMAL.fullmatch(repr(site.value))
            and not site.value.is_integer()
        ):
            whole = int(repr(site.value).replace(".", ""))
            if site.frees(whole):
                yield _changed(base, site, whole)


def _drop_point_in_text(base: Base) -> Iterator[Altered]:
    for site, text in _numbers_in_text(base, _DECIMAL):
        whole = text.replace(".", "")
        if float(text) != float(whole) and site.frees(whole):
            yield _changed(base, site, whole)


def _numbers_in_text(base: Base, pattern: re.Pattern[str]) -> Iterator[tuple[Site, str]]:
    """Yield the texts that read as numbers; not those that are versions or codes by their names, or members."""
    for site in sites(base):
        text = site.value
        if (
            isinstance(text, str)
            and pattern.fullmatch(text)
            and not site.shape.reading
            and not site.shape.enum
        ):
            yield site, text


def _write_boolean_for_number(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if _is_number(site.value) and site.value in (0, 1) and _takes(site, "integer", "number"):
            yield _changed(base, site, bool(site.value))


def _write_number_for_boolean(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if isinstance(site.value, bool) and _takes(site, "boolean"):
            yield _changed(base, site, int(site.value))


def _retype(*, nested: bool) -> Callable[[Base], Iterator[Altered]]:
    def make(base: Base) -> Iterator[Altered]:
        for site in sites(base):
            if site.nested is not nested or site.shape.enum:
                continue
            text = dump_json(site.value)
            fits = (_is_number(site.value) and _takes(site, "integer", "number")) or (
                isinstance(site.value, bool) and _takes(site, "boolean")
            )
            if fits and site.frees(text):
                yield _changed(base, site, text)

    return make


def _wrap(*, nested: bool) -> Callable[[Base], Iterator[Altered]]:
    def make(base: Base) -> Iterator[Altered]:
        for site in sites(base):
            plain = _takes(site, "integer", "number", "string", "boolean")
            if site.nested is nested and plain and not isinstance(site.value, (list, dict)):
                yield _changed(base, site, [site.value])

    return make


def _add_argument(base: Base) -> Iterator[Altered]:
    for index, slot in enumerate(base.slots):
        if slot.shape.extra is None and EXTRA not in slot.shape.properties:
            calls = [*base.calls[:index], (slot.name, {**slot.arguments, EXTRA: 7}), *base.calls[index + 1 :]]
            yield Altered(calls, f"{EXTRA}: 7 added")


def _drop_call(base: Base) -> Iterator[Altered]:
    if len(base.calls) > 1:
        yield Altered(base.calls[:-1], "the last call left out")


def _drop_every_call(base: Base) -> Iterator[Altered]:
    yield Altered([], "no call at all")


def _repeat_call(base: Base) -> Iterator[Altered]:
    yield Altered([*base.calls, base.calls[0]], "the first call made once more")


def _rename(base: Base) -> Iterator[Altered]:
    wanted = [name for name, _ in base.calls]
    offered = [tool.name for tool in base.offered]
    (name, arguments), *rest = base.calls
    for other in [*offered, f"{name}_again"]:
        if not any(same_name(other, each) for each in wanted):
            yield Altered([(other, arguments), *rest], f"{name} → {other}")


def _drop_argument(base: Base) -> Iterator[Altered]:
    for index, slot in enumerate(base.slots):
        for name in slot.arguments:
            if name in slot.shape.required:
                rest = {key: item for key, item in slot.arguments.items() if key != name}
                calls = [*base.calls[:index], (slot.name, rest), *base.calls[index + 1 :]]
                yield Altered(calls, f"{name}, which is required, left out")


def _write_null(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        required = not site.nested and site.steps[0] in base.slots[site.call].shape.required
        untold = not site.shape.kinds or "null" in site.shape.kinds or site.shape.enum
        if required and site.value is not None and not untold and None not in site.taken:
            yield _changed(base, site, None)


def _write_other_text(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if isinstance(site.value, str):
            others = [item for item in site.shape.enum if isinstance(item, str)] or [OTHER_TEXT]
            for other in others:
                if site.frees(other):
                    yield _changed(base, site, other)


def _write_other_number(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if _is_number(site.value) and not site.shape.enum and abs(site.value) < _EXACT:
            other = site.value + 1
            while not site.frees(other):
                other += 1
            yield _changed(base, site, other)


def _write_other_truth(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if isinstance(site.value, bool) and site.frees(not site.value):
            yield _changed(base, site, not site.value)


def _write_longer_text(base: Base) -> Iterator[Altered]:
    for site in sites(base):
        if isinstance(site.value, str) and site.value and not site.shape.enum:
            longer = f"{site.value} and {OTHER_TEXT}"
            if site.frees(longer):
                yield _changed(base, site, longer)


def _take_other_value(base: Base) -> Iterator[Altered]:
    for index, slot in enumerate(base.slots):
        for name, accepted in slot.allowed.items():
            for value in reversed(accepted):
                other = read_slot({slot.name: {name: [value]}}, base.offered).arguments.get(name)
                fits = suits(other, slot.shape.field(name))
                if (
                    value not in ("", None)
                    and other is not None
                    and fits
                    and other != slot.arguments.get(name)
                ):
                    calls = [
                        *base.calls[:index],
                        (slot.name, {**slot.arguments, name: other}),
                        *base.calls[index + 1 :],
                    ]
                    yield Altered(calls, f"{name}: {_shown(other)}, which the key accepts as well")


def _leave_out(base: Base) -> Iterator[Altered]:
    for index, slot in enumerate(base.slots):
        for name, accepted in slot.allowed.items():
            if "" in accepted and name in slot.arguments and name not in slot.shape.required:
                rest = {key: item for key, item in slot.arguments.items() if key != name}
                calls = [*base.calls[:index], (slot.name, rest), *base.calls[index + 1 :]]
                yield Altered(calls, f"{name} left out, as the key allows")


def _change_list(change: Callable[[list[Any]], list[Any]]) -> Callable[[Base], Iterator[Altered]]:
    """Return a change of the first list that is the only one which the key accepts in its place."""

    def make(base: Base) -> Iterator[Altered]:
        for site in sites(base):
            slot = base.slots[site.call]
            alone = len([value for value in slot.allowed.get(str(site.steps[0]), ()) if value != ""]) == 1
            several = [other.name for other in base.slots].count(slot.name) > 1
            if isinstance(site.value, list) and alone and not several:
                changed = change(site.value)
                if changed != site.value and "array" in site.shape.kinds:
                    yield _changed(base, site, changed)

    return make


def _longer(items: list[Any]) -> list[Any]:
    return [*items, items[-1]] if items else items


def _shorter(items: list[Any]) -> list[Any]:
    return items[:-1] if len(items) > 1 else items


def _turned(items: list[Any]) -> list[Any]:
    return items[::-1]


def _add_other_call(base: Base) -> Iterator[Altered]:
    wanted = [name for name, _ in base.calls]
    for tool in base.offered:
        if not any(same_name(tool.name, each) for each in wanted):
            yield Altered([*base.calls, (tool.name, {})], f"a call of {tool.name} added")


ALTERATIONS: Final = (
    Alteration("S402", "left-out", True, _leave_default_out),
    Alteration("S402", "written-out", True, _write_default_out),
    Alteration("S403", "calls", True, _reverse_calls),
    Alteration("S403", "arguments", True, _reverse_arguments),
    Alteration("S404", "number", False, _flip_sign),
    Alteration("S404", "text", False, _flip_sign_in_text),
    Alteration("S405", "number", False, _drop_point),
    Alteration("S405", "text", False, _drop_point_in_text),
    Alteration("S406", "for-number", False, _write_boolean_for_number),
    Alteration("S406", "for-boolean", False, _write_number_for_boolean),
    Alteration("S407", "text", False, _retype(nested=True)),
    Alteration("S407", "list", False, _wrap(nested=True)),
    Alteration("S408", "extra", False, _add_argument),
    Alteration("S409", "last", False, _drop_call),
    Alteration("S409", "all", False, _drop_every_call),
    Alteration("S410", "first", False, _repeat_call),
    Alteration("S414", "name", False, _rename),
    Alteration("S415", "required", False, _drop_argument),
    Alteration("S416", "null", False, _write_null),
    Alteration("S417", "text", False, _retype(nested=False)),
    Alteration("S417", "list", False, _wrap(nested=False)),
    Alteration("S421", "text", False, _write_other_text),
    Alteration("S421", "longer", False, _write_longer_text),
    Alteration("S421", "number", False, _write_other_number),
    Alteration("S421", "boolean", False, _write_other_truth),
    Alteration("S422", "form", True, _change_number_form),
    Alteration("S424", "value", True, _take_other_value),
    Alteration("S424", "omission", True, _leave_out),
    Alteration("S425", "longer", False, _change_list(_longer)),
    Alteration("S425", "shorter", False, _change_list(_shorter)),
    Alteration("S426", "turned", False, _change_list(_turned)),
    Alteration("S427", "other", False, _add_other_call),
)
"""Every change, in the order of the rules."""
