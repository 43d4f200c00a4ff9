"""Source text through a tree-sitter grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.decoding.official.unreadable import UnreadableError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_BRACKETS: Final = 300
"""Levels of brackets. Released, Java raises at about 330, and JavaScript crashes at some thousands."""


def parse_source(parser: Parser, source: str, *, shift: int = 0) -> Node:
    """The root of the syntax tree; raises UnreadableError at its first error node.

    A missing token is no error: the grammar supplies it, as the semicolon after a single call.
    """
    if source.count("(") + source.count("[") + source.count("{") > MAX_BRACKETS:
        _check_brackets(source, shift)
    try:
        data = source.encode()
    except UnicodeEncodeError as error:
        raise UnreadableError("half of a surrogate pair", shift + error.start) from None
    root = parser.parse(data).root_node
    if root.has_error and (at := _first_error(root)) is not None:
        raise UnreadableError("broken syntax", shift + len(data[:at].decode(errors="ignore")))
    return root


def _first_error(root: Node) -> int | None:
    """The byte of the first error node; without recursion, as a tree can be as deep as its text is long."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.is_error:
            return node.start_byte
        if node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return None


def _check_brackets(source: str, shift: int) -> None:
    depth = 0
    for at, sign in enumerate(source):
        if sign in "([{":
            depth += 1
            if depth > MAX_BRACKETS:
                raise UnreadableError("nested too deeply", shift + at)
        elif sign in ")]}":
            depth -= 1
