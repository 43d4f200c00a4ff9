"""Canonical calls: positional arguments bound, declared defaults filled in, and what was changed written down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.canonical.shapes import ABSENT, Shape, shared_shape
from faircall.schema import find_tool
from faircall.types import Call, Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from faircall.profiles import Profile

__all__ = [
    "Canonical",
    "bind_positional",
    "breaks_schema",
    "canonical_calls",
    "canonicalise",
    "fill_defaults",
    "step",
    "suits",
]

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")


class Canonical(msgspec.Struct, frozen=True):
    """A canonical call, the paths of what was filled in (`$.args.unit`), and what could not be done."""

    call: Call
    filled: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def canonicalise(call: Call, tool: Tool, *, defaults: bool = True, positional: bool = True) -> Canonical:
    """Return the call with its positional arguments bound and the declared defaults of its tool filled in.

    Defaults are filled in at every depth, in objects and in the items of lists, for optional parameters alone:
    a required one is never filled in. Unknown parameters stay. A default that breaks its own schema is used as it
    stands, and said. Positional arguments are bound in the schema's order; where they cannot be (too many, or one
    that is named as well) they stay as they are, and that is said.

    >>> tool = Tool("ride", "", {"properties": {"to": {"type": "string"}, "fast": {"default": False}},
    ...                          "required": ["to"]})
    >>> canonicalise(Call("ride", {}, ("home",)), tool).call.arguments
    {'to': 'home', 'fast': False}
    """
    shape = shared_shape(tool)
    problems: list[str] = []
    filled: list[str] = []
    arguments, rest = call.arguments, call.positional
    if positional and rest:
        arguments, rest, problem = bind_positional(arguments, rest, shape)
        problems += [problem] if problem else []
    if defaults and shape.fills:
        arguments = fill_defaults(arguments, shape, "$.args", filled, problems)
    return Canonical(Call(call.name, arguments, rest), tuple(filled), tuple(problems))


def canonical_calls(calls: Iterable[Call], tools: Sequence[Tool], profile: Profile) -> tuple[Canonical, ...]:
    """Return calls as a profile compares them, each canonical as far as its switches say so.

    A call of a tool that is not offered stays as it is. Of several calls, the paths of what was filled in begin with
    the call's place (`$[1].args.unit`).

    >>> from faircall.profiles import load_profile
    >>> tool = Tool("ride", "", {"properties": {"km": {"type": "integer", "default": 5}}})
    >>> [made.call.arguments for made in canonical_calls([Call("ride")], [tool], load_profile("fair-1"))]
    [{'km': 5}]
    """
    made = []
    for call in calls:
        tool = find_tool(call.name, tools)
        if tool is None:
            made.append(Canonical(call))
            continue
        defaults, positional = profile.defaults != "official", profile.positional != "official"
        made.append(canonicalise(call, tool, defaults=defaults, positional=positional))
    if len(made) == 1:
        return tuple(made)
    return tuple(
        msgspec.structs.replace(one, filled=tuple(f"$[{index}]{path[1:]}" for path in one.filled))
        for index, one in enumerate(made)
    )


def bind_positional(
    arguments: dict[str, Any], positional: tuple[Any, ...], shape: Shape
) -> tuple[dict[str, Any], tuple[Any, ...], str]:
    """Return the arguments with the positional ones bound, those left over, and why they were left.

    A lone object whose fields are parameters is the arguments themselves, unless the first parameter takes it.

    >>> from faircall.canonical.shapes import shape_of
    >>> shape = shape_of(Tool("f", "", {"properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}))
    >>> bind_positional({"y": 2}, (1,), shape)[0], bind_positional({}, ({"x": 1},), shape)[0]
    ({'y': 2, 'x': 1}, {'x': 1})
    """
    names = list(shape.properties)
    if not names:
        return arguments, positional, "positional arguments, and the schema names no parameters"
    first = positional[0]
    if len(positional) == 1 and isinstance(first, dict) and first and not arguments:
        taken = shape.field(names[0])
        fits = "object" in taken.kinds and (not taken.properties or set(first) <= set(taken.properties))
        if set(first) <= set(names) and not fits:
            return dict(first), (), ""
    if len(positional) > len(names):
        return arguments, positional, f"{len(positional)} positional arguments for {len(names)} parameters"
    bound = dict(zip(names, positional, strict=False))
    twice = [name for name in bound if name in arguments]
    if twice:
        return arguments, positional, f"`{twice[0]}` is given by position and by name"
    return {**arguments, **bound}, (), ""


def fill_defaults(value: Any, shape: Shape, path: str, filled: list[str], problems: list[str] | None) -> Any:
    """Return a value with the defaults below it filled in; the value itself is not changed.

    The paths go to `filled`, and defaults that break their own schema to `problems` where that is not None.

    >>> from faircall.canonical.shapes import shape_of
    >>> shape = shape_of(Tool("f", "", {"properties": {"unit": {"type": "string", "default": "m"}}}))
    >>> filled = []
    >>> fill_defaults({}, shape, "$.args", filled, None), filled
    ({'unit': 'm'}, ['$.args.unit'])
    """
    if not shape.fills:
        return value
    if shape.members:
        member = next((member for member in shape.members if suits(value, member)), None)
        return value if member is None else fill_defaults(value, member, path, filled, problems)
    if isinstance(value, dict):
        changed = {}
        for name, inner in shape.properties.items():
            if name in value:
                if inner.fills:
                    changed[name] = fill_defaults(value[name], inner, path + step(name), filled, problems)
            elif inner.default is not ABSENT and name not in shape.required:
                where = path + step(name)
                filled.append(where)
                changed[name] = fill_defaults(inner.default, inner, where, filled, None)
                if problems is not None and breaks_schema(inner.default, inner):
                    problems.append(f"the default of `{name}` breaks its own schema - at `{where}`")
        return {**value, **changed} if changed else value
    if isinstance(value, (list, tuple)):
        items = [
            fill_defaults(item, shape.item(index), f"{path}[{index}]", filled, problems)
            for index, item in enumerate(value)
        ]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    return value


def suits(value: Any, shape: Shape) -> bool:
    """Return whether a value is what a shape asks for: its kind, its values, and so for each of its parts.

    >>> from faircall.canonical.shapes import shape_of
    >>> shape = shape_of(Tool("f", "", {"properties": {"kind": {"const": "boat"}}, "required": ["kind"]}))
    >>> suits({"kind": "boat"}, shape), suits({"kind": "car"}, shape), suits({}, shape)
    (True, False, False)
    """
    return _suits(value, shape, {})


def _suits(value: Any, shape: Shape, known: dict[tuple[int, int], bool]) -> bool:
    """The same; `known` is what was found for parts, which the alternatives of a recursive schema ask for again."""
    key = (id(value), id(shape))
    if key not in known:
        known[key] = _suits_afresh(value, shape, known)
    return known[key]


def _suits_afresh(value: Any, shape: Shape, known: dict[tuple[int, int], bool]) -> bool:
    if shape.kinds and not (_is_kind(value, shape.kinds) if value is not None else "null" in shape.kinds):
        return False
    if shape.enum and not any(_is_same(value, one) for one in shape.enum):
        return value is None and bool(shape.members) and "null" in shape.kinds
    if isinstance(value, dict) and not all(name in value for name in shape.required):
        return False
    if shape.members:  # each of which follows what the shape asks for beside them
        return any(_suits(value, one, known) for one in shape.members) or (
            value is None and "null" in shape.kinds
        )
    if isinstance(value, dict):
        fields, extra = shape.properties, shape.extra
        if shape.closed and not all(name in fields for name in value):
            return False
        asked = ((part, fields.get(name, extra)) for name, part in value.items())
        return all(inner is None or _suits(part, inner, known) for part, inner in asked)
    if isinstance(value, (list, tuple)):
        return all(_suits(item, shape.item(index), known) for index, item in enumerate(value))
    return True


def _is_same(left: Any, right: Any) -> bool:
    """Whether two values are one in JSON, where `true` is no number and 1 is 1.0."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_is_same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(_is_same, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


def step(name: object) -> str:
    """Return one step of a path.

    >>> step("unit"), step("a b")
    ('.unit', '["a b"]')
    """
    written = str(name)
    if written.isascii() and written.isidentifier():  # as nearly all are
        return f".{written}"
    return f".{written}" if _PLAIN_NAME.fullmatch(written) else f'["{written}"]'


def breaks_schema(value: Any, shape: Shape) -> bool:
    """Return whether a declared default is not of its declared kind, or none of its declared values.

    >>> from faircall.canonical.shapes import shape_of
    >>> size = shape_of(Tool("f", "", {"properties": {"size": {"type": "integer", "default": "M"}}})).field("size")
    >>> breaks_schema(size.default, size), breaks_schema(2, size)
    (True, False)
    """
    if shape.enum:
        return not any(member == value and _kind(member) == _kind(value) for member in shape.enum)
    return bool(shape.kinds) and not _is_kind(value, shape.kinds)


def _is_kind(value: Any, kinds: Iterable[str]) -> bool:
    if value is None:
        return True  # the usual way to say that there is none
    kind = _kind(value)
    if kind == "number" and "integer" in kinds and value.is_integer():
        return True  # one type of number, by value
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _kind(value: Any) -> str:
    for kinds, word in (
        ((bool,), "boolean"), ((str,), "string"), ((int,), "integer"), ((float,), "number"),
        ((list, tuple), "array"), ((dict,), "object"),
    ):  # fmt: skip
        if isinstance(value, kinds):
            return word
    return "null"
