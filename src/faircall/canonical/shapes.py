"""What a tool's schema asks for, compiled once: kinds of value, enumerations, required fields, defaults."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from faircall.canonical.readings import describes_label, names_label, tells_apart

if TYPE_CHECKING:
    from faircall.types import Tool


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""Stands where there is no value; None is a value."""

_KINDS: Final = {
    "string": "string", "str": "string", "text": "string", "char": "string", "character": "string",
    "integer": "integer", "int": "integer", "long": "integer", "short": "integer", "byte": "integer",
    "bigint": "integer", "float": "number", "number": "number", "double": "number",
    "boolean": "boolean", "bool": "boolean",
    "array": "array", "list": "array", "tuple": "array", "arraylist": "array", "set": "array",
    "queue": "array", "stack": "array",
    "object": "object", "dict": "object", "hashmap": "object", "hashtable": "object", "map": "object",
    "null": "null", "none": "null",
}  # fmt: skip
_DETAILED: Final = frozenset(
    ("additionalProperties", "const", "default", "enum", "items", "prefixItems", "properties", "required")
)
_COMPOSING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})


class Shape:
    """What one value may be. `kinds` is empty where any kind will do.

    `closed` is set where the schema forbids fields that it does not list; `extra` is the shape of those where it
    allows them in so many words. `default` is ABSENT where none is declared. How texts are read follows from the
    `enumerations`, the `descriptions` and the `names` of the parameter, and from `holder`, whose item it is.
    Compiled shapes are shared and never changed afterwards; a recursive schema is a cycle of them.
    """

    __slots__ = (
        "_reading", "closed", "default", "descriptions", "enum", "enumerations", "extra", "fills", "holder", "items",
        "kinds", "names", "prefix", "properties", "required",
    )  # fmt: skip

    def __init__(self) -> None:
        self.kinds: frozenset[str] = frozenset()
        self.enum: tuple[Any, ...] = ()
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

        It is `exact` where an enumeration tells texts apart that are alike otherwise.
        """
        if self._reading is None:
            if any(map(tells_apart, self.enumerations)):
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
    compiler = _Compiler(tool.parameters)
    shape = compiler.shape(tool.parameters)
    compiler.settle()
    return shape


def shared_shape(tool: Tool) -> Shape:
    """Return the shape of a tool's arguments as `shape_of` does, compiled once for the schema object.

    >>> from faircall.types import Tool
    >>> tool = Tool("f", "", {"properties": {"x": {"type": "string"}}})
    >>> shared_shape(tool) is shared_shape(tool)
    True
    """
    return _shape_of(_Key(tool))


class _Key:
    """A tool by the identity of its schema, which is a dictionary and has no hash."""

    __slots__ = ("tool",)

    def __init__(self, tool: Tool) -> None:
        self.tool = tool

    def __hash__(self) -> int:
        return id(self.tool.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.tool.parameters is other.tool.parameters


@lru_cache(maxsize=256)
def _shape_of(key: _Key) -> Shape:
    return shape_of(key.tool)


class _Compiler:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.made: dict[int, Shape] = {}
        self.kept: list[Any] = []

    def shape(self, schema: Any) -> Shape:
        if not isinstance(schema, dict) or not schema:
            return ANYTHING
        if id(schema) in self.made:
            return self.made[id(schema)]
        shape = self.made[id(schema)] = Shape()
        self.kept.append(schema)  # an id is a name only while its object lives
        self._fill(shape, schema, (id(schema),))
        return shape

    def settle(self) -> None:
        """Mark the shapes that have a default somewhere below them, and drop defaults that never end."""
        declared = [shape for shape in self.made.values() if shape.default is not ABSENT]
        if not declared:
            return
        for shape in declared:
            if _is_endless(shape.default, shape, (id(shape),)):
                shape.default = ABSENT
        changed = True
        while changed:
            changed = False
            for shape in self.made.values():
                if not shape.fills and (shape.properties or shape.items or shape.prefix) and _fills(shape):
                    shape.fills = changed = True

    def _fill(self, shape: Shape, schema: dict[Any, Any], seen: tuple[int, ...]) -> None:
        if not _COMPOSING.isdisjoint(schema):
            for part in self._parts(schema):
                if id(part) not in seen:
                    self._fill(shape, part, (*seen, id(part)))
        kinds = _kinds_of(schema)
        shape.kinds = shape.kinds | kinds if shape.kinds else kinds
        description = schema.get("description")
        if isinstance(description, str):
            shape.descriptions = (*shape.descriptions, description)
        if not _DETAILED.isdisjoint(schema):
            self._fill_details(shape, schema)
        if shape.enum and "array" in shape.kinds and not any(isinstance(v, list | tuple) for v in shape.enum):
            self._move_enum(shape)

    def _fill_details(self, shape: Shape, schema: dict[Any, Any]) -> None:
        values = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if isinstance(values, list | tuple) and values:
            shape.enum = tuple(values)
            shape.enumerations = (*shape.enumerations, shape.enum)
        properties = schema.get("properties")
        if isinstance(properties, dict):
            for name, part in properties.items():
                inner = shape.properties[name] = self.shape(part)
                if isinstance(name, str) and inner is not ANYTHING and name not in inner.names:
                    inner.names = (*inner.names, name)
        if required := _required_of(schema):
            shape.required = tuple(dict.fromkeys((*shape.required, *required)))
        items = schema.get("items")
        prefix = schema.get("prefixItems", items if isinstance(items, list) else None)
        if isinstance(prefix, list):
            shape.prefix = tuple(self.shape(inner) for inner in prefix)
        if isinstance(items, dict):
            shape.items = self.shape(items)
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
        """The schemas that this one is put together from."""
        parts = []
        if isinstance(schema.get("$ref"), str):
            parts.append(self._refer(schema["$ref"]))
        for word in ("allOf", "anyOf", "oneOf"):
            members = schema.get(word)
            if isinstance(members, list):
                found = [member for member in members if isinstance(member, dict)]
                if word != "allOf" and len(found) > 1:
                    found = [_without_demands(member) for member in found]
                    self.kept.extend(found)
                parts.extend(found)
        return [part for part in parts if isinstance(part, dict)]

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
    kinds = {_KINDS.get(name.lower(), "any") for name in names if isinstance(name, str)}
    if schema.get("nullable") is True and kinds:
        kinds.add("null")
    if not kinds and isinstance(schema.get("properties"), dict):
        kinds.add("object")
    return frozenset() if "any" in kinds else frozenset(kinds)


@lru_cache(maxsize=1024)
def _kind_named(name: str) -> frozenset[str]:
    kind = _KINDS.get(name.lower())
    return frozenset() if kind is None else frozenset({kind})


def _required_of(schema: dict[Any, Any]) -> list[str]:
    stated = schema.get("required")
    names = [name for name in stated if isinstance(name, str)] if isinstance(stated, list | tuple) else []
    properties = schema.get("properties")
    if isinstance(properties, dict):
        names += [
            name
            for name, inner in properties.items()
            if isinstance(inner, dict) and inner.get("required") is True
        ]
    return names


def _without_demands(schema: dict[Any, Any]) -> dict[Any, Any]:
    """One of several schemas that a value may follow: what it demands need not hold."""
    return {
        key: value for key, value in schema.items() if key not in {"required", "enum", "const", "default"}
    }


def _fills(shape: Shape) -> bool:
    if any(
        inner.fills or (inner.default is not ABSENT and name not in shape.required)
        for name, inner in shape.properties.items()
    ):
        return True
    return any(inner.fills for inner in (*shape.prefix, *([shape.items] if shape.items else ())))


def _is_endless(value: Any, shape: Shape, filling: tuple[int, ...]) -> bool:
    """Whether filling in the defaults below a default would fill in that default again."""
    if isinstance(value, dict):
        for name, inner in shape.properties.items():
            if name in value:
                if _is_endless(value[name], inner, filling):
                    return True
            elif (
                inner.default is not ABSENT
                and name not in shape.required
                and (id(inner) in filling or _is_endless(inner.default, inner, (*filling, id(inner))))
            ):
                return True
    elif isinstance(value, list | tuple):
        return any(_is_endless(item, shape.item(index), filling) for index, item in enumerate(value))
    return False
