"""A Java call, as the evaluator reads it with tree-sitter."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.official.grammar import parse_source
from faircall.decoding.official.unreadable import UnreadableError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_VERBATIM: Final = frozenset({"identifier", "class_literal", "type_identifier", "method_invocation"})
_POSITIONAL: Final = frozenset({"identifier", "class_literal", "set"})
_QUOTED: Final = frozenset({"string_literal", "character_literal"})


@cache
def _parser() -> Parser:
    import tree_sitter_java  # noqa: PLC0415 - loaded when Java is first read
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_java.language()))


def read_java_call(source: str, *, shift: int = 0) -> list[dict[str, Any]] | dict[str, Any]:
    """`[{name: arguments}]` of the first call of the source, every value as text; `{}` where there is none.

    Text is cut out of the source by byte positions, as if they counted characters: after a character outside
    ASCII every value is shifted.
    """
    return _Source(source).first_call(parse_source(_parser(), source, shift=shift)) or {}


class _Source:
    def __init__(self, source: str) -> None:
        self._source = source

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte]

    def first_call(self, node: Node) -> list[dict[str, Any]] | None:
        if node.type == "method_invocation":
            return [self._call(node)]
        for child in node.children:
            if found := self.first_call(child):
                return found
        return None

    def _call(self, node: Node) -> dict[str, Any]:
        name = self._text(_field(node, "name"))
        owner = node.child_by_field_name("object")
        if owner is not None:
            name = f"{self._text(owner)}.{name}"
        return {name: self._arguments(_field(node, "arguments"))}

    def _arguments(self, node: Node) -> dict[str | None, str]:
        arguments: dict[str | None, str] = {}
        for child in node.children:
            if child.type == "assignment_expression":
                name: str | None = self._text(child.children[0])
                value = self._value(child.children[2], nested=False)
            elif child.type in _POSITIONAL:
                name, value = None, self._value(child, nested=False)
            else:
                continue
            if name in arguments:
                raise UnreadableError("two arguments of one name")
            arguments[name] = value
        return arguments

    def _value(self, node: Node, *, nested: bool = True) -> str:
        if node.type in _QUOTED:
            return self._text(node) if nested else self._text(node)[1:-1]
        if node.type in _VERBATIM:
            return self._text(node)
        if node.type == "array_creation_expression":
            return f"new {self._value(_field(node, 'type'))}[]{self._value(_field(node, 'value'))}"
        if node.type == "object_creation_expression":
            return self._creation(node)
        if node.type == "set":
            items = [self._value(child) for child in node.children if child.type not in {",", "set"}]
            return "{" + ", ".join(items) + "}"
        if node.child_count > 0:
            return "".join(self._value(child) for child in node.children)
        return self._text(node)

    def _creation(self, node: Node) -> str:
        kind = self._value(_field(node, "type"))
        arguments = node.child_by_field_name("arguments")
        if arguments is None:
            return f"new {kind}()"
        texts = [self._value(child) for child in arguments.children if child.type not in {",", "(", ")"}]
        return f"new {kind}({', '.join(texts)})"


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    if child is None:
        raise UnreadableError(f"a Java {node.type} without its {name}")
    return child
