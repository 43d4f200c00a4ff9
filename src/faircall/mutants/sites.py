"""The places of a key at which it can be altered, and the key with another value at such a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from faircall.canonical.shapes import ABSENT, Shape
from faircall.matching.texts import text_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.mutants.bases import Base

Calls = list[tuple[str, dict[str, Any]]]


class Site(msgspec.Struct, frozen=True):
    """A value inside a key: of which call, by which steps, what the schema says of it.

    `taken` are the plain values that the key names anywhere for this parameter, in any call of the same tool, and
    those of its declared default: a value that is not among them is a wrong one.
    """

    call: int
    steps: tuple[str | int, ...]
    value: Any
    shape: Shape
    taken: tuple[Any, ...]

    @property
    def nested(self) -> bool:
        """Whether it is inside an argument, and not an argument itself."""
        return len(self.steps) > 1

    @property
    def name(self) -> str:
        """The path as a reader writes it.

        >>> from faircall.canonical.shapes import ANYTHING
        >>> Site(0, ("stops", 1, "town"), "Bovec", ANYTHING, ()).name
        'stops[1].town'
        """
        written = ""
        for step in self.steps:
            written += f"[{step}]" if isinstance(step, int) else f".{step}"
        return written.removeprefix(".")

    def frees(self, value: Any) -> bool:
        """Return whether a plain value is wrong here, by its kind or because the key does not name it."""
        kind = type(value)
        return not any(
            _is_same(value, other) for other in self.taken if (type(other) is bool) == (kind is bool)
        )


def _is_same(left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.strip().casefold() == right.strip().casefold() or text_form(left) == text_form(right)
    return bool(left == right)


def sites(base: Base) -> Iterator[Site]:
    """Yield every value of a key, arguments before what is inside them, in the order of the calls."""
    for index, slot in enumerate(base.slots):
        for name, value in slot.arguments.items():
            taken = tuple(
                leaf
                for other in base.slots
                if other.name == slot.name
                for leaf in _leaves(
                    [other.allowed.get(name), list(_defaults(other.shape.field(name), set()))]
                )
            )
            yield from _walk(index, (name,), value, slot.shape.field(name), taken)


def _walk(
    call: int, steps: tuple[str | int, ...], value: Any, shape: Shape, taken: tuple[Any, ...]
) -> Iterator[Site]:
    yield Site(call, steps, value, shape, taken)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(call, (*steps, name), inner, shape.field(name), taken)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(call, (*steps, index), inner, shape.item(index), taken)


def _defaults(shape: Shape, seen: set[int]) -> Iterator[Any]:
    """Yield the declared defaults of a value and of what is inside it."""
    if id(shape) in seen:
        return
    seen.add(id(shape))
    if shape.default is not ABSENT:
        yield shape.default
    for inner in [*shape.properties.values(), *([shape.items] if shape.items is not None else [])]:
        yield from _defaults(inner, seen)


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the plain values inside a value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def put(calls: Calls, site: Site, value: Any) -> Calls:
    """Return the calls with another value at a site.

    >>> from faircall.mutants.bases import read_bases
    >>> base = read_bases().entries[0]
    >>> put(base.calls, list(sites(base))[1], 4)
    [('book_ferry', {'port': 'Piran', 'passengers': 4, 'deck': 'open'})]
    """
    name, arguments = calls[site.call]
    changed = _put(arguments, site.steps, value)
    return [*calls[: site.call], (name, changed), *calls[site.call + 1 :]]


def _put(holder: Any, steps: tuple[str | int, ...], value: Any) -> Any:
    if not steps:
        return value
    first, rest = steps[0], steps[1:]
    if isinstance(holder, dict):
        return {key: _put(inner, rest, value) if key == first else inner for key, inner in holder.items()}
    return [_put(inner, rest, value) if index == first else inner for index, inner in enumerate(holder)]
