"""JavaScript call lists; values are read from JavaScript's syntax tree."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from faircall.decoding.call_lists import read_answer
from faircall.decoding.code_calls import (
    SourceText,
    read_code_calls,
    read_float,
    read_integer,
    unescape,
)
from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_python_literal
from faircall.decoding.syntax_trees import TreeReader, node_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node, Parser

    from faircall.types import Call, Tool

_PREFIX: Final = b"x = "
_BASES: Final = {"0x": 16, "0o": 8, "0b": 2}
_LISTS: Final = frozenset({"Set", "Array", "WeakSet"})
_WORDS: Final[dict[str, bool | None]] = {"True": True, "False": False, "None": None}


def read_javascript(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of a bare JavaScript call list; raises LiteralError.

    Strings, templates without fields, numbers, booleans, `null`, arrays, objects, `Map` and `Set` are
    values; what only running would give (a name, a function, a call) stays source text, as the
    benchmark's answers have it. `undefined` is null.
    """
    return read_code_calls(text, tools, read_javascript_value)


def read_javascript_answer(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of an answer that is a JavaScript call list, with the wrappers of `read_answer`."""
    return read_answer(text, tools, read_javascript)


def read_javascript_value(written: str, position: int) -> Any:
    """Return the value of one JavaScript expression; raises LiteralError at `position`.

    >>> read_javascript_value('{axis: {min: 1}, "size": "5"}', 0)
    {'axis': {'min': 1}, 'size': '5'}
    """
    node = _parse(written)
    if node is not None:
        return _Converter(position).value(node, 0)
    try:
        value, end = read_python_literal(written)
    except LiteralError:
        end = -1
    if end < 0 or written[end:].strip():
        raise LiteralError("not a JavaScript expression", position)
    return value


@cache
def _parser() -> Parser:
    import tree_sitter_javascript  # noqa: PLC0415 - a library that only JavaScript outputs need
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_javascript.language()))


def _parse(written: str) -> Node | None:
    """Return the tree of the expression, or None where it is not one."""
    source = _PREFIX + written.encode("utf-8", "replace") + b";"
    root = _parser().parse(source).root_node
    if root.has_error or root.named_child_count != 1 or root.named_children[0].named_child_count != 1:
        return None
    return root.named_children[0].named_children[0].child_by_field_name("right")


class _Converter(TreeReader):
    """Turns a tree of the language into a value."""

    def of_language(self, node: Node, written: str, depth: int) -> Any:
        match node.type:
            case "string":
                return unescape(written[1:-1])
            case "template_string":
                fields = any(child.type == "template_substitution" for child in node.named_children)
                return SourceText(written) if fields else unescape(written[1:-1])
            case "number":
                return self._number(written)
            case "null" | "undefined":
                return None
            case "identifier":
                return _WORDS.get(written, SourceText(written))
            case "array":
                items = self._items(node, depth)
                return SourceText(written) if items is None else items
            case "object":
                entries = self._entries(node, depth)
                return SourceText(written) if entries is None else entries
            case "new_expression":
                return self._new(node, depth)
            case _:
                return SourceText(written)

    def _number(self, written: str) -> Any:
        base = _BASES.get(written[:2].lower())
        if base:
            return read_integer(written[2:], self.position, base)
        if written.rstrip("n").replace("_", "").isdigit():
            return read_integer(written, self.position)
        return read_float(written, self.position)

    def _items(self, node: Node, depth: int) -> list[Any] | None:
        children = [child for child in node.named_children if child.type != "comment"]
        if any(child.type == "spread_element" for child in children):
            return None
        return [self.value(child, depth + 1) for child in children]

    def _entries(self, node: Node, depth: int) -> dict[Any, Any] | None:
        entries: dict[Any, Any] = {}
        for child in node.named_children:
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            name = child.child_by_field_name("name")
            if (
                child.type == "pair"
                and key is not None
                and value is not None
                and key.type != "computed_property_name"
            ):
                spelled = node_text(key)
                entries[unescape(spelled[1:-1]) if key.type == "string" else spelled] = self.value(
                    value, depth + 1
                )
            elif child.type == "shorthand_property_identifier":
                entries[node_text(child)] = SourceText(node_text(child))
            elif child.type == "method_definition" and name is not None:
                entries[node_text(name)] = SourceText(node_text(child))
            elif child.type != "comment":
                return None
        return entries

    def _new(self, node: Node, depth: int) -> Any:
        made, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        name = node_text(made) if made else ""
        arguments = self._items(given, depth) if given else []
        if arguments is not None and name in _LISTS:
            if not arguments or (len(arguments) == 1 and isinstance(arguments[0], list)):
                return arguments[0] if arguments else []
            if name == "Array" and not (len(arguments) == 1 and isinstance(arguments[0], int)):
                return arguments
        if arguments is not None and name == "Map":
            pairs = arguments[0] if arguments else []
            if isinstance(pairs, list) and all(
                isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], (str, int, float))
                for pair in pairs
            ):
                return {pair[0]: pair[1] for pair in pairs}
        return SourceText(node_text(node))
