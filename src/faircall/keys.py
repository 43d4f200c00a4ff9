"""Answer keys taken apart: every accepted value with what the schema says of it, and keys made into calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.canonical import step, suits
from faircall.canonical.shapes import ABSENT, ANYTHING, Shape, shared_shape
from faircall.matching.every_level import item_values, list_alternatives
from faircall.matching.expected_calls import is_plain, read_expected
from faircall.schema import find_tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faircall.types import Tool

OMITTED = ""
"""What stands in a list of accepted values to say that the parameter may be left out."""


class KeyCall(msgspec.Struct, frozen=True):
    """One expected call: `plain` says that its values are values, and not lists of the accepted ones.

    `path` is where it stands in the key (`$` if it is the only one), `tool` None where none has the name.
    """

    name: str
    answer: dict[str, Any]
    tool: Tool | None
    plain: bool
    path: str

    @property
    def shape(self) -> Shape:
        """What the tool's schema asks of the arguments."""
        return shared_shape(self.tool) if self.tool is not None else ANYTHING


class KeyField(msgspec.Struct, frozen=True):
    """A parameter or a field that a key names: the accepted values as the key lists them, and its schema.

    `known` says whether the schema has it, `required` whether it asks for it; `depth` is 0 for a parameter. `omittable`
    says that the key lets it be left out.
    """

    path: str
    name: str
    values: tuple[Any, ...]
    shape: Shape
    known: bool
    required: bool
    omittable: bool
    depth: int
    plain: bool


def key_calls(expected: Sequence[Any], tools: tuple[Tool, ...], language: str = "python") -> list[KeyCall]:
    """Return the expected calls of a key, each with its tool; what is no call is left out.

    >>> from faircall.schema import read_tools
    >>> [call] = key_calls([{"ride": {"to": ["home"]}}], read_tools([{"name": "ride", "parameters": {}}]))
    >>> call.name, call.plain, call.path
    ('ride', False, '$')
    """
    calls = []
    for index, item in enumerate(expected):
        written = read_expected(item)
        raw = written.raw
        if not isinstance(raw, dict) or len(raw) != 1:
            continue
        name, answer = next(iter(raw.items()))
        if not isinstance(answer, dict):
            continue
        tool = find_tool(name, tools)
        plain = written.plain or is_plain(
            answer, partial(shared_shape, tool) if tool else lambda: ANYTHING, language
        )
        calls.append(KeyCall(name, answer, tool, plain, "$" if len(expected) == 1 else f"$[{index}]"))
    return calls


class KeyObject(msgspec.Struct, frozen=True):
    """An object of a key, the arguments of a call among them: its fields as the key writes them, and its schema."""

    path: str
    answer: dict[Any, Any]
    shape: Shape
    depth: int
    plain: bool

    def fields(self) -> Iterator[KeyField]:
        """Yield the fields that the key names."""
        for name, allowed in self.answer.items():
            inner = self.shape.field(name)
            alternatives = [allowed] if self.plain else list_alternatives(allowed, inner, self.depth)
            marked = not self.plain and OMITTED in alternatives
            yield KeyField(
                path=self.path + step(name),
                name=str(name),
                values=tuple(value for value in alternatives if not (marked and value == OMITTED)),
                shape=inner,
                known=name in self.shape.properties,
                required=name in self.shape.required,
                omittable=marked,
                depth=self.depth,
                plain=self.plain,
            )


def key_objects(call: KeyCall) -> Iterator[KeyObject]:
    """Yield every object of an expected call, from the arguments down.

    >>> from faircall.schema import read_tools
    >>> [call] = key_calls([{"ride": {"seat": [{"row": [3]}]}}], read_tools(["ride"]))
    >>> [each.path for each in key_objects(call)]
    ['$.args', '$.args.seat']
    """
    yield from _objects(call.answer, call.shape, f"{call.path}.args", plain=call.plain, depth=0)


def _objects(
    answer: dict[Any, Any], shape: Shape, path: str, *, plain: bool, depth: int
) -> Iterator[KeyObject]:
    found = KeyObject(path, answer, shape, depth, plain)
    yield found
    for field in found.fields():
        for value in field.values:
            yield from _inside(value, field.shape, field.path, plain=plain, depth=depth)


def _inside(value: Any, shape: Shape, path: str, *, plain: bool, depth: int) -> Iterator[KeyObject]:
    if shape.members:
        return  # which of the alternatives is meant is not written down
    if isinstance(value, dict):
        yield from _objects(value, shape, path, plain=plain, depth=depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            inner = shape.item(index)
            for each in item_values(item, inner, plain=plain):
                yield from _inside(each, inner, f"{path}[{index}]", plain=plain, depth=depth + 1)


def key_fields(call: KeyCall) -> Iterator[KeyField]:
    """Yield every parameter and field that an expected call names, from the top down.

    >>> from faircall.schema import read_tools
    >>> tools = read_tools([{"name": "ride", "parameters": {"properties": {"to": {"type": "string"}}}}])
    >>> [(field.path, field.values) for field in key_fields(key_calls([{"ride": {"to": ["home", ""]}}], tools)[0])]
    [('$.args.to', ('home',))]
    """
    for each in key_objects(call):
        yield from each.fields()


def replay_key(calls: Sequence[KeyCall], *, suited: bool = False) -> list[dict[str, Any]]:
    """Return the key as calls: the first accepted value of everything that has one.

    With `suited` it is the first that the schema allows, where it allows one.

    >>> from faircall.schema import read_tools
    >>> replay_key(key_calls([{"ride": {"to": ["home", "work"], "km": ["", 5]}}], read_tools(["ride"])))
    [{'ride': {'to': 'home', 'km': 5}}]
    """
    chooser = _Chooser(suited)
    return [{call.name: chooser.fields(call.answer, call.shape, plain=call.plain, depth=0)} for call in calls]


def shorten_key(calls: Sequence[KeyCall]) -> list[dict[str, Any]]:
    """Return the key as calls that leave out whatever the key lets them.

    What is required and may only be left out is an empty text, as it stands in the key.

    >>> from faircall.schema import read_tools
    >>> shorten_key(key_calls([{"ride": {"to": ["home", "work"], "km": ["", 5]}}], read_tools(["ride"])))
    [{'ride': {'to': 'home'}}]
    """
    made = []
    for call in calls:
        kept = {}
        for name, allowed in call.answer.items():
            marked = not call.plain and isinstance(allowed, list) and OMITTED in allowed
            if marked and name not in call.shape.required:
                continue
            kept[name] = allowed
        arguments = _Chooser(suited=False).fields(kept, call.shape, plain=call.plain, depth=0)
        arguments |= {
            name: OMITTED for name, allowed in kept.items() if allowed == [OMITTED] and not call.plain
        }
        made.append({call.name: arguments})
    return made


class _Chooser:
    """Chooses one of the accepted values of everything: the first, or the first that the schema allows (`suited`)."""

    def __init__(self, suited: bool) -> None:
        self.suited = suited

    def fields(self, answer: dict[Any, Any], shape: Shape, *, plain: bool, depth: int) -> dict[Any, Any]:
        """Return an object with a value for each field that has one."""
        made = {}
        for name, allowed in answer.items():
            inner = shape.field(name)
            alternatives = [allowed] if plain else list_alternatives(allowed, inner, depth)
            values = alternatives if plain else [value for value in alternatives if value != OMITTED]
            if values:
                made[name] = self._one_of(values, inner, plain=plain, depth=depth)
        return made

    def _one_of(self, values: Sequence[Any], shape: Shape, *, plain: bool, depth: int) -> Any:
        opened = (self._open(value, shape, plain=plain, depth=depth) for value in values)
        first = next(opened)
        if not self.suited or suits(first, shape):
            return first
        return next((value for value in opened if suits(value, shape)), first)

    def _open(self, value: Any, shape: Shape, *, plain: bool, depth: int) -> Any:
        if isinstance(value, dict):
            return self.fields(value, shape, plain=plain, depth=depth + 1)
        if isinstance(value, (list, tuple)):
            items = [
                (item_values(item, shape.item(index), plain=plain), shape.item(index))
                for index, item in enumerate(value)
            ]
            return [self._one_of(values, inner, plain=plain, depth=depth + 1) for values, inner in items]
        return value


class DefaultSite(msgspec.Struct, frozen=True):
    """A place in a call's arguments where an optional value with a declared default may stand.

    `keys` lead there from the arguments; `path` is the same in words. `nested` says what it is below the top:
    empty for a parameter, `field` in objects, `item` where a list is on the way.
    """

    keys: tuple[str | int, ...]
    path: str
    default: Any
    nested: str
    shape: Shape = ANYTHING

    def value_in(self, arguments: dict[str, Any]) -> Any:
        """Return what stands there; ABSENT where nothing does."""
        value: Any = arguments
        for key in self.keys[:-1]:
            value = value[key]
        return value.get(self.keys[-1], ABSENT)


def default_sites(arguments: dict[str, Any], shape: Shape) -> Iterator[DefaultSite]:
    """Yield the places of a call's arguments in which an optional value declares a default.

    >>> from faircall.canonical.shapes import shape_of
    >>> from faircall.types import Tool
    >>> shape = shape_of(Tool("f", "", {"properties": {"unit": {"type": "string", "default": "m"}}}))
    >>> next(default_sites({}, shape)).path
    '.unit'
    """
    yield from _sites(arguments, shape, (), "", "")


def _sites(
    value: Any, shape: Shape, keys: tuple[str | int, ...], path: str, nested: str
) -> Iterator[DefaultSite]:
    if isinstance(value, dict):
        for name, inner in shape.properties.items():
            here, where = (*keys, name), path + step(name)
            if inner.default is not ABSENT and name not in shape.required:
                yield DefaultSite(here, where, inner.default, nested, inner)
            if name in value:
                yield from _sites(value[name], inner, here, where, nested or "field")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _sites(item, shape.item(index), (*keys, index), f"{path}[{index}]", "item")


def with_default(arguments: dict[str, Any], site: DefaultSite, *, written: bool) -> dict[str, Any]:
    """Return the arguments with the default written out at a place, or with nothing there.

    >>> site = DefaultSite(("unit",), ".unit", "m", "")
    >>> with_default({}, site, written=True), with_default({"unit": "m"}, site, written=False)
    ({'unit': 'm'}, {})
    """
    made: Any = _replaced(arguments, site.keys, site.default if written else ABSENT)
    return dict(made)


def _replaced(value: Any, keys: tuple[str | int, ...], new: Any) -> Any:
    head, *rest = keys
    if isinstance(value, list):
        return [
            _replaced(item, tuple(rest), new) if index == head else item for index, item in enumerate(value)
        ]
    made = dict(value)
    if rest:
        made[head] = _replaced(made[head], tuple(rest), new)
    elif new is ABSENT:
        made.pop(head, None)
    else:
        made[head] = new
    return made
