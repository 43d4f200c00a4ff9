"""Values read from a language's syntax tree: what the trees of Java and JavaScript have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from faircall.decoding.code_calls import SourceText, fold_binary
from faircall.decoding.limits import MAX_DEPTH

if TYPE_CHECKING:
    from tree_sitter import Node


def node_text(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


class TreeReader(ABC):
    """Turns a syntax tree into a value; what only running would give stays source text."""

    def __init__(self, position: int) -> None:
        self.position = position

    def value(self, node: Node, depth: int) -> Any:
        """Return the value of a node that lies `depth` levels deep."""
        written = node_text(node)
        if depth > MAX_DEPTH:
            return SourceText(written)
        match node.type:
            case "true" | "false":
                return node.type == "true"
            case "parenthesized_expression":
                alone = node.named_child_count == 1
                return self.value(node.named_children[0], depth + 1) if alone else SourceText(written)
            case "unary_expression":
                return self._unary(node, written, depth)
            case "binary_expression":
                return self._binary(node, written, depth)
            case _:
                return self.of_language(node, written, depth)

    @abstractmethod
    def of_language(self, node: Node, written: str, depth: int) -> Any:
        """Return the value of a node of a kind that is the language's own."""

    def _unary(self, node: Node, written: str, depth: int) -> Any:
        operand = node.child_by_field_name("operand") or node.child_by_field_name("argument")
        sign = node.child_by_field_name("operator")
        found: Any = self.value(operand, depth + 1) if operand else None
        if sign and type(found) in (int, float) and node_text(sign) in {"-", "+"}:
            return -found if node_text(sign) == "-" else found
        return SourceText(written)

    def _binary(self, node: Node, written: str, depth: int) -> Any:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None or sign is None:
            return SourceText(written)
        found = fold_binary(self.value(left, depth + 1), node_text(sign), self.value(right, depth + 1))
        return SourceText(written) if found is None else found
