"""What a tool's schema asks for, compiled once: kinds of value, enumerations, required fields, defaults."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from faircall.canonical.readings import describes_label, names_label, names_secret, tells_apart
from faircall.dialects import KINDS

if TYPE_CHECKING:
    from faircall.types import Tool


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""Stands where there is no value; None is a value."""

_DETAILED: Final = frozenset(
    ("additionalProperties", "const", "default", "enum", "items", "prefixItems", "properties", "required")
)
_WORDS_ONLY: Final = frozenset(
    {"title", "description", "default", "examples", "$defs", "definitions", "$schema", "$id"}
)
"""The words of a schema that ask nothing of a value."""
_NULL: Final = frozenset({"null"})
_MOST_ALTERNATIVES: Final = 10_000
_MOST_DEFAULTS: Final = 10_000
_LONGEST_CHAIN: Final = 32
_COMPOSING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})


def is_kind_word(word: object) -> bool:
    """Return whether a word names a type in some dialect of schemas.

    >>> is_kind_word("ArrayList"), is_kind_word("any"), is_kind_word("txt")
    (True, True, False)
    """
    return isinstance(word, str) and (word.lower() in KINDS or word.lower() in {"any", ""})


class Shape:
    """What one value may be. `kinds` is empty where any kind will do.

    `members` are the alternatives of `anyOf` and `oneOf`, one of which a value has to follow; the shape itself then
    says what any of them may be. `closed` is set where the schema forbids fields that it does not list; `extra` is the
    shape of those where it allows them in so many words. `default` is ABSENT where none is declared. How texts are read
    follows from the `enumerations`, the `descriptions` and the `names` of the parameter, and from `holder`, whose item
    it is.
    Compiled shapes are shared and never changed afterwards; a recursive schema is a cycle of them.
    """

    __slots__ = (
        "_reading", "closed", "default", "descriptions", "enum", "enumerations", "extra", "fills", "holder", "items",
        "kinds", "members", "names", "prefix", "properties", "required",
    )  # fmt: skip

    def __init__(self) -> None:
        self.kinds: frozenset[str] = frozenset()
        self.enum: tuple[Any, ...] = ()
        self.members: tuple[Shape, ...] = ()
        self.properties: dict[str, Shape] = {}
        self.required: tuple[str, ...] = ()
        self.items: Shape | None = None
        self.prefix: tuple[Shape, ...] = ()
        self.default: Any = ABSENT
        self.closed = False
        self.extra: Shape | None = None
        self.fills = False
        self.enumerations: tuple[tuple[Any, ...], ...] = ()
        self.descriptions: tuple[str, ...] = ()
        self.names: tuple[str, ...] = ()
        self.holder: Shape | None = None
        self._reading: str | None = None

    @property
    def reading(self) -> str:
        """How texts are read: `label` where they are versions or codes and no numbers, else empty.

        It is `exact` where an enumeration tells texts apart that are alike otherwise, and for passwords and keys.
        """
        if self._reading is None:
            if any(map(tells_apart, self.enumerations)) or any(map(names_secret, self.names)):
                self._reading = "exact"
            elif any(map(describes_label, self.descriptions)) or any(map(names_label, self.names)):
                self._reading = "label"
            else:
                self._reading = self.holder.reading if self.holder is not None else ""
        return self._reading

    def item(self, index: int) -> Shape:
        """The shape of the item at an index of a list of this shape."""
        if index < len(self.prefix):
            return self.prefix[index]
        return self.items or ANYTHING

    def field(self, name: str) -> Shape:
        """The shape of a field of an object of this shape."""
        found = self.properties.get(name) or self.extra
        if found is None or found is ANYTHING:
            return LABEL if isinstance(name, str) and names_label(name) else ANYTHING
        return found

    def __repr__(self) -> str:
        return f"Shape({'|'.join(sorted(self.kinds)) or 'any'})"


ANYTHING: Final = Shape()
"""The shape of a value of which the schema says nothing."""

LABEL: Final = Shape()
"""The shape of a value of which its name alone says something: that it is a version or a code."""
LABEL._reading = "label"


def shape_of(tool: Tool) -> Shape:
    """Return the shape of a tool's arguments; unknown words of a schema ask for nothing.

    Reads the type names of every dialect in any case, lists of types, `nullable`, `enum`, `const`, `anyOf`, `oneOf`,
    `allOf` and references within the schema.

    >>> from faircall.types import Tool
    >>> shape = shape_of(Tool("f", "", {"properties": {"x": {"type": "float", "default": 1}}, "required": []}))
    >>> shape.field("x").kinds, shape.field("x").default
    (frozenset({'number'}), 1)
    """
    return _Compiler(tool.parameters).compile()


def shared_shape(tool: Tool) -> Shape:
    """Return the shape of a tool's arguments as `shape_of` does, compiled once for the schema object.

    >>> from faircall.types import Tool
    >>> tool = Tool("f", "", {"properties": {"x": {"type": "string"}}})
    >>> shared_shape(tool) is shared_shape(tool)
    True
    """
    return _shape_of(SchemaKey(tool))


class SchemaKey:
    """A tool by the identity of its schema, which is a dictionary and has no hash."""

    __slots__ = ("tool",)

    def __init__(self, tool: Tool) -> None:
        self.tool = tool

    def __hash__(self) -> int:
        return id(self.tool.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SchemaKey) and self.tool.parameters is other.tool.parameters


@lru_cache(maxsize=256)
def _shape_of(key: SchemaKey) -> Shape:
    return shape_of(key.tool)


class _Compiler:
    """Makes a shape of each part of a schema once: first all that the parts say themselves, then what follows."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.made: dict[int, Shape] = {}
        self.waiting: list[tuple[Shape, dict[Any, Any]]] = []
        self.united = 0
        self.sources: dict[int, dict[Any, Any]] = {}
        self.pairs: dict[tuple[int, int], dict[Any, Any]] = {}

    def compile(self) -> Shape:
        """Return the shape of the whole schema."""
        shape = self.shape(self.root)
        filled = 0
        while filled < len(self.waiting):  # which keeps the schemas alive, whose ids are their names
            one, schema = self.waiting[filled]
            filled += 1
            self._fill(one, schema, {id(schema)})
        unions = [one for one in self.made.values() if one.members]
        for one, members in [(one, _leaves(one)) for one in unions]:
            one.members = members
        for one in list(self.made.values()):
            if one.members:
                self._join_members(one)
            if one.enum and "array" in one.kinds and not any(isinstance(v, (list, tuple)) for v in one.enum):
                self._move_enum(one)
        self._settle_defaults()
        return shape

    def shape(self, schema: Any) -> Shape:
        if not isinstance(schema, dict) or not schema:
            return ANYTHING
        if id(schema) in self.made:
            return self.made[id(schema)]
        shape = self.made[id(schema)] = Shape()
        self.waiting.append((shape, schema))
        self.sources[id(shape)] = schema
        return shape

    def _both(self, first: Shape | None, schema: Any) -> Shape:
        """The shape of what follows two schemas at once, one of which has its shape already."""
        if first is None or first is ANYTHING:
            return self.shape(schema)
        other = self.sources.get(id(first))
        if other is None or other is schema or not isinstance(schema, dict) or not schema:
            return first
        key = (id(other), id(schema))
        if key not in self.pairs and len(self.pairs) < _MOST_ALTERNATIVES:
            self.pairs[key] = {"allOf": [other, schema]}
        return self.shape(self.pairs[key]) if key in self.pairs else first

    def _settle_defaults(self) -> None:
        """Mark the shapes that have a default somewhere below them, and drop defaults that never end."""
        declared = [shape for shape in self.made.values() if shape.default is not ABSENT]
        if not declared:
            return
        for shape in declared:
            if _Filling().is_endless(shape.default, shape, (id(shape),)):
                shape.default = ABSENT
        changed = True
        while changed:
            changed = False
            for shape in self.made.values():
                if not shape.fills and _fills(shape):
                    shape.fills = changed = True

    def _fill(self, shape: Shape, schema: dict[Any, Any], seen: set[int]) -> None:
        """Let a shape ask for what a schema asks for; `seen` are the schemas that it follows already."""
        if not _COMPOSING.isdisjoint(schema):
            for part in self._parts(schema):
                if id(part) not in seen:
                    seen.add(id(part))
                    self._fill(shape, part, seen)
            for word in ("anyOf", "oneOf"):
                if isinstance(schema.get(word), list):
                    self._fill_alternatives(shape, schema, schema[word], seen)
        kinds = _kinds_of(schema)
        shape.kinds = _kinds_of_both(shape.kinds, kinds)
        description = schema.get("description")
        if isinstance(description, str):
            shape.descriptions = (*shape.descriptions, description)
        if not _DETAILED.isdisjoint(schema):
            self._fill_details(shape, schema)

    def _fill_details(self, shape: Shape, schema: dict[Any, Any]) -> None:
        values = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if isinstance(values, (list, tuple)) and values:
            both = tuple(value for value in shape.enum if value in values)  # of two that have to hold at once
            shape.enum = both or tuple(values)
            shape.enumerations = (*shape.enumerations, shape.enum)
        properties = schema.get("properties")
        if isinstance(properties, dict):
            for name, part in properties.items():
                inner = shape.properties[name] = self._both(shape.properties.get(name), part)
                if isinstance(name, str) and inner is not ANYTHING and name not in inner.names:
                    inner.names = (*inner.names, name)
        if required := _required_of(schema):
            shape.required = tuple(dict.fromkeys((*shape.required, *required)))
        items = schema.get("items")
        prefix = schema.get("prefixItems", items if isinstance(items, list) else None)
        if isinstance(prefix, list):
            shape.prefix = tuple(self.shape(inner) for inner in prefix)
        if isinstance(items, dict):
            shape.items = self._both(shape.items, items)
            if shape.items is not ANYTHING:
                shape.items.holder = shape
        if "default" in schema:
            shape.default = schema["default"]
        self._fill_extra(shape, schema.get("additionalProperties"))

    def _fill_extra(self, shape: Shape, extra: Any) -> None:
        if extra is False:
            shape.closed = True
        elif isinstance(extra, dict) or extra is True:
            shape.extra = self.shape(extra)

    @staticmethod
    def _move_enum(shape: Shape) -> None:
        """An enumeration of a list's items is often written beside `items` instead of inside."""
        inner = Shape()
        if shape.items is not None:
            for name in Shape.__slots__:
                setattr(inner, name, getattr(shape.items, name))
        inner.enum = inner.enum or shape.enum
        inner.holder = shape
        shape.items, shape.enum = inner, ()

    def _parts(self, schema: dict[Any, Any]) -> list[dict[Any, Any]]:
        """The schemas all of which this one follows."""
        parts = [self._refer(schema["$ref"])] if isinstance(schema.get("$ref"), str) else []
        if isinstance(schema.get("allOf"), list):
            parts.extend(schema["allOf"])
        return [part for part in parts if isinstance(part, dict)]

    def _fill_alternatives(
        self, shape: Shape, schema: dict[Any, Any], alternatives: list[Any], seen: set[int]
    ) -> None:
        found = [self._resolve(item) for item in alternatives if isinstance(item, dict)]
        nullable = [
            item for item in found if set(item) <= _WORDS_ONLY | {"type"} and _kinds_of(item) == _NULL
        ]
        rest = [item for item in found if item not in nullable and item is not schema]
        rest = [item for index, item in enumerate(rest) if all(item is not other for other in rest[:index])]
        if len(rest) == 1 and id(rest[0]) not in seen:
            seen.add(id(rest[0]))
            self._fill(shape, rest[0], seen)
        elif len(rest) > 1 and self.united < _MOST_ALTERNATIVES:
            self.united += len(rest)
            own = {
                key: schema[key] for key in schema if key not in _WORDS_ONLY and key not in {"anyOf", "oneOf"}
            }
            members = [self._member(item, own, seen) for item in rest]
            shape.members = tuple(member for member in members if member is not shape)
        if nullable:
            known = bool(shape.kinds or shape.members) or not rest
            shape.kinds = shape.kinds | _NULL if known else shape.kinds
            shape.enum = (*shape.enum, None) if shape.enum else ()

    def _join_members(self, shape: Shape) -> None:
        """Let a shape say what any of its alternatives may be."""
        kinds = _kinds_of_any(shape.members)
        shape.kinds = shape.kinds | kinds if kinds else kinds
        for member in shape.members:
            for name, inner in member.properties.items():
                shape.properties[name] = self._either(shape.properties.get(name), inner)
            shape.items = self._either(shape.items, member.items) if shape.items or member.items else None
            shape.extra = shape.extra or member.extra

    def _either(self, first: Shape | None, second: Shape | None) -> Shape:
        """The shape of what may follow either of two."""
        if first is None or second is None or first is second:
            return first or second or ANYTHING
        if second in first.members:
            return first
        shape = Shape()
        self.made[id(shape)] = shape
        shape.members = (*(first.members or (first,)), *(second.members or (second,)))
        shape.kinds = _kinds_of_any(shape.members)
        shape.names = first.names
        return shape

    def _member(self, alternative: dict[Any, Any], own: dict[Any, Any], seen: set[int]) -> Shape:
        """The shape of an alternative, which follows what its schema asks for by itself as well."""
        if not own:
            return self.shape(alternative)
        member = Shape()
        self.made[id(member)] = member
        followed = set(seen)
        self._fill(member, own, followed)
        if id(alternative) not in followed:
            followed.add(id(alternative))
            self._fill(member, alternative, followed)
        return member

    def _resolve(self, schema: dict[Any, Any]) -> dict[Any, Any]:
        """The schema itself, or the one that it does nothing but refer to."""
        for _ in range(_LONGEST_CHAIN):
            target = self._refer(schema["$ref"]) if isinstance(schema.get("$ref"), str) else None
            if not isinstance(target, dict) or not set(schema) <= _WORDS_ONLY | {"$ref"}:
                break
            schema = target
        return schema

    def _refer(self, reference: str) -> Any:
        place: Any = self.root
        for step in reference.removeprefix("#").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if name and isinstance(place, dict):
                place = place.get(name)
        return place


def _kinds_of(schema: dict[Any, Any]) -> frozenset[str]:
    stated = schema.get("type")
    if isinstance(stated, str) and schema.get("nullable") is not True:
        return _kind_named(stated)
    names = stated if isinstance(stated, list) else [stated]
    kinds = {KINDS.get(name.lower(), "any") for name in names if isinstance(name, str)}
    if schema.get("nullable") is True and kinds:
        kinds.add("null")
    if not kinds and isinstance(schema.get("properties"), dict):
        kinds.add("object")
    return frozenset() if "any" in kinds else frozenset(kinds)


@lru_cache(maxsize=1024)
def _kind_named(name: str) -> frozenset[str]:
    kind = KINDS.get(name.lower())
    return frozenset() if kind is None else frozenset({kind})


def _required_of(schema: dict[Any, Any]) -> list[str]:
    stated = schema.get("required")
    names = [name for name in stated if isinstance(name, str)] if isinstance(stated, (list, tuple)) else []
    properties = schema.get("properties")
    if isinstance(properties, dict):
        names += [
            name
            for name, inner in properties.items()
            if isinstance(inner, dict) and inner.get("required") is True
        ]
    return names


def _leaves(union: Shape) -> tuple[Shape, ...]:
    """The alternatives of a shape, with those that are alternatives themselves replaced by theirs, each once."""
    leaves: list[Shape] = []
    seen = {id(union)}
    waiting = list(reversed(union.members))
    while waiting:
        member = waiting.pop()
        if id(member) in seen:
            continue
        seen.add(id(member))
        if member.members:
            union.kinds |= member.kinds & _NULL
            waiting.extend(reversed(member.members))
        else:
            leaves.append(member)
    return tuple(leaves)


def _kinds_of_both(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    """The kinds that both of two parts allow; those of either where nothing would be left."""
    if not first or not second:
        return first or second
    both = first & second
    for one, other in ((first, second), (second, first)):
        if "integer" in one and "number" in other:
            both |= {"integer"}
    return both or first | second


def _kinds_of_any(shapes: tuple[Shape, ...]) -> frozenset[str]:
    """The kinds that any of the shapes allows; none, which means every kind, where one allows them all."""
    if not all(shape.kinds for shape in shapes):
        return frozenset()
    return frozenset().union(*(shape.kinds for shape in shapes))


def _fills(shape: Shape) -> bool:
    if not (shape.properties or shape.items or shape.prefix or shape.members):
        return False
    if any(
        inner.fills or (inner.default is not ABSENT and name not in shape.required)
        for name, inner in shape.properties.items()
    ):
        return True
    parts = (*shape.prefix, *shape.members, *([shape.items] if shape.items else ()))
    return any(inner.fills for inner in parts)


class _Filling:
    """Tells whether filling in the defaults below a default ends, within a number of steps that any schema needs."""

    def __init__(self) -> None:
        self.steps = 0

    def is_endless(self, value: Any, shape: Shape, filling: tuple[int, ...]) -> bool:
        """Whether a default is filled in again below itself, or there is no end of others."""
        self.steps += 1
        if self.steps > _MOST_DEFAULTS:
            return True
        for member in shape.members:
            if self.is_endless(value, member, filling):
                return True
        if isinstance(value, dict):
            for name, inner in shape.properties.items():
                if name in value:
                    if self.is_endless(value[name], inner, filling):
                        return True
                elif (
                    inner.default is not ABSENT
                    and name not in shape.required
                    and (id(inner) in filling or self.is_endless(inner.default, inner, (*filling, id(inner))))
                ):
                    return True
        elif isinstance(value, (list, tuple)):
            return any(self.is_endless(item, shape.item(index), filling) for index, item in enumerate(value))
        return False
