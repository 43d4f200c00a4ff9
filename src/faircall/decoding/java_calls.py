"""Java call lists; values are read from Java's syntax tree."""

from __future__ import annotations

import re
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

_PREFIX: Final = b"Object x = "
_SINGLE: Final = re.compile(r"'((?:[^'\\\"\n]|\\.){2,}+)'")
_LISTS: Final = {
    "ArrayList", "LinkedList", "Vector", "Stack", "ArrayDeque", "PriorityQueue", "HashSet", "LinkedHashSet",
    "TreeSet", "CopyOnWriteArrayList",
}  # fmt: skip
_MAPS: Final = {"HashMap", "LinkedHashMap", "TreeMap", "Hashtable", "ConcurrentHashMap", "Properties"}
_BOXES: Final = {
    "String", "Integer", "Long", "Short", "Byte", "Double", "Float", "Boolean", "Character",
}  # fmt: skip
_LIST_MAKERS: Final = {
    "Arrays.asList", "List.of", "Set.of", "Stream.of", "Collections.singletonList", "Collections.singleton",
    "Collections.emptyList", "Collections.emptySet", "ImmutableList.of", "ImmutableSet.of",
    "Lists.newArrayList", "Sets.newHashSet",
}  # fmt: skip
_MAP_MAKERS: Final = {"Map.of", "Collections.emptyMap", "Collections.singletonMap", "ImmutableMap.of"}


def read_java(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of a bare Java call list; raises LiteralError.

    Strings, numbers, booleans, `null`, arrays and the usual ways to make a list or a map are values; what
    only running would give (a name, another object, a lambda) stays source text, as the benchmark's
    answers have it. Text in single quotes and Python lists, which models mix in, are read as what they are.
    """
    return read_code_calls(text, tools, read_java_value)


def read_java_answer(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of an answer that is a Java call list, with the wrappers of `read_answer`."""
    return read_answer(text, tools, read_java)


def read_java_value(written: str, position: int) -> Any:
    """Return the value of one Java expression; raises LiteralError at `position`.

    >>> read_java_value('new ArrayList<>(List.of(1, 2))', 0)
    [1, 2]
    """
    if written[0] in "[{":
        try:
            value, end = read_python_literal(written)
        except LiteralError as failed:
            if written[0] == "[":
                raise failed.moved(position, closed=True) from None
        else:
            if not written[end:].strip():
                return value
    node = _parse(written)
    if node is None:
        node = _parse(_SINGLE.sub(r'"\1"', written))
    if node is None:
        raise LiteralError("not a Java expression", position)
    return _Converter(position).value(node, 0)


@cache
def _parser() -> Parser:
    import tree_sitter_java  # noqa: PLC0415 - a library that only Java outputs need
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_java.language()))


def _parse(written: str) -> Node | None:
    """Return the tree of the expression, or None where it is not one."""
    source = _PREFIX + written.encode("utf-8", "replace") + b";"
    root = _parser().parse(source).root_node
    if root.has_error or root.named_child_count != 1:
        return None
    declared = root.named_children[0]
    declarator = declared.child_by_field_name("declarator")
    return declarator.child_by_field_name("value") if declarator else None


class _Converter(TreeReader):
    """Turns a tree of the language into a value."""

    def of_language(self, node: Node, written: str, depth: int) -> Any:  # noqa: PLR0912 - one branch for each kind of node
        match node.type:
            case "string_literal":
                return _read_string(written)
            case "character_literal":
                return unescape(written[1:-1])
            case "null_literal":
                return None
            case "decimal_integer_literal":
                return read_integer(written, self.position)
            case "hex_integer_literal":
                return read_integer(written[2:], self.position, 16)
            case "octal_integer_literal":
                return read_integer(written.lstrip("0oO") or "0", self.position, 8)
            case "binary_integer_literal":
                return read_integer(written[2:], self.position, 2)
            case "decimal_floating_point_literal":
                return read_float(written.rstrip("fFdD"), self.position)
            case "cast_expression":
                inner = node.child_by_field_name("value")
                found = self.value(inner, depth + 1) if inner else SourceText(written)
                return SourceText(written) if isinstance(found, SourceText) else found
            case "array_initializer":
                return self._items(node, depth)
            case "array_creation_expression":
                made = node.child_by_field_name("value")
                return self._items(made, depth) if made else SourceText(written)
            case "object_creation_expression":
                return self._object(node, depth)
            case "method_invocation":
                return self._method(node, depth)
            case _:
                return SourceText(written)

    def _items(self, node: Node, depth: int) -> list[Any]:
        return [self.value(child, depth + 1) for child in node.named_children if "comment" not in child.type]

    def _object(self, node: Node, depth: int) -> Any:
        kind = node.child_by_field_name("type")
        given = node.child_by_field_name("arguments")
        name = re.sub(r"<.*", "", node_text(kind) if kind else "", flags=re.DOTALL).strip().rsplit(".", 1)[-1]
        arguments = self._items(given, depth) if given else []
        body = next((child for child in node.named_children if child.type == "class_body"), None)
        if name in _LISTS:
            items = list(arguments[0]) if arguments and isinstance(arguments[0], (list, tuple)) else []
            if arguments and isinstance(arguments[0], SourceText):
                return SourceText(node_text(node))
            return items + [part[0] for part in self._calls_in(body, {"add", "push", "offer"}, depth) if part]
        if name in _MAPS:
            if arguments and isinstance(arguments[0], SourceText):
                return SourceText(node_text(node))
            entries = dict(arguments[0]) if arguments and isinstance(arguments[0], dict) else {}
            for part in self._calls_in(body, {"put", "setProperty"}, depth):
                if len(part) == 2 and isinstance(part[0], (str, int, float)):
                    entries[part[0]] = part[1]
            return entries
        if name in _BOXES and len(arguments) == 1 and not isinstance(arguments[0], SourceText):
            return arguments[0]
        return SourceText(node_text(node))

    def _calls_in(self, body: Node | None, names: set[str], depth: int) -> list[list[Any]]:
        """Return the arguments of the `put(…)` or `add(…)` calls of an initialiser block."""
        found = []
        waiting = [body] if body is not None else []
        while waiting:
            node = waiting.pop()
            named = node.child_by_field_name("name") if node.type == "method_invocation" else None
            given = node.child_by_field_name("arguments") if named else None
            if named is not None and given is not None and node_text(named) in names:
                found.append(self._items(given, depth + 1))
            elif node.type in {"class_body", "block", "expression_statement", "method_invocation"}:
                waiting.extend(reversed(node.named_children))
        return found

    def _method(self, node: Node, depth: int) -> Any:
        target, named = node.child_by_field_name("object"), node.child_by_field_name("name")
        given = node.child_by_field_name("arguments")
        if target is None or named is None or given is None:
            return SourceText(node_text(node))
        holder = node_text(target).rsplit(".", 1)[-1]
        name = f"{holder}.{node_text(named)}"
        if name in _LIST_MAKERS:
            items = self._items(given, depth)
            return (
                items[0]
                if name == "Arrays.asList" and len(items) == 1 and isinstance(items[0], list)
                else items
            )
        if name in _MAP_MAKERS:
            parts = self._items(given, depth)
            if len(parts) % 2 == 0 and all(isinstance(key, (str, int, float)) for key in parts[::2]):
                return dict(zip(parts[::2], parts[1::2], strict=True))
        if name == "Map.ofEntries":
            return self._entries(node, given, depth)
        if node_text(named) == "valueOf" and holder in _BOXES:
            parts = self._items(given, depth)
            if len(parts) == 1 and not isinstance(parts[0], SourceText):
                return parts[0]
        return SourceText(node_text(node))

    def _entries(self, node: Node, given: Node, depth: int) -> Any:
        entries: dict[Any, Any] = {}
        for child in given.named_children:
            pair = child.child_by_field_name("arguments")
            parts = self._items(pair, depth + 1) if pair else []
            if len(parts) != 2 or not isinstance(parts[0], (str, int, float)):
                return SourceText(node_text(node))
            entries[parts[0]] = parts[1]
        return entries


def _read_string(written: str) -> str:
    if not written.startswith('"""'):
        return unescape(written[1:-1])
    body = written[3:-3].split("\n", 1)[-1]
    lines = body.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return unescape("\n".join(line[margin:].rstrip() if line.strip() else "" for line in lines))
