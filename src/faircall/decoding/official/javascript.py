"""A JavaScript call, as the evaluator reads it with tree-sitter."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from faircall.decoding.official.grammar import parse_source
from faircall.decoding.official.unreadable import UnreadableError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@cache
def _parser() -> Parser:
    import tree_sitter_javascript  # noqa: PLC0415 - loaded when JavaScript is first read
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_javascript.language()))


def read_javascript_call(source: str, *, shift: int = 0) -> list[dict[str, dict[str | None, str]]] | None:
    """`[{name: arguments}]` of the first statement that is a call, values as text; None without one."""
    root = parse_source(_parser(), source, shift=shift)
    for statement in root.children:
        if root.type != "program" or statement.type != "expression_statement":
            continue
        for child in statement.children:
            if child.type == "call_expression":
                return [{_text(child.children[0]): _arguments(child.children[1])}]
    return None


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _arguments(node: Node) -> dict[str | None, str]:
    arguments: dict[str | None, str] = {}
    for child in node.children:
        name: str | None
        if child.type == "assignment_expression":
            name, value = _text(child.children[0]), _text(child.children[2])
            if (value.startswith('"') and value.endswith('"')) or (
                value.startswith("'") and value.endswith("'")
            ):
                value = value[1:-1]
        elif child.type in {"identifier", "true"}:
            name, value = None, _text(child)
        else:
            continue
        if name in arguments:
            raise UnreadableError("two arguments of one name")
        arguments[name] = value
    return arguments
