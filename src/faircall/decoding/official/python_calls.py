"""Python call lists, the format of the default prompt."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any, Final, Literal

from faircall.decoding.arithmetic import MAX_BITS, Budget, FoldError, UnsafeExpressionError, fold
from faircall.decoding.official.namespace import PYTHON_NAMES
from faircall.decoding.official.unreadable import UnreadableError
from faircall.types import Reason

MAX_CHARACTERS: Final = 1_000_000
"""Longer text is not given to Python's parser."""

_MAY_WARN: Final = re.compile(r"\\|[0-9][A-Za-z]")
"""What the parser warns about: unknown escapes, and numbers that run into a word."""


def parse_python(text: str, mode: Literal["eval", "exec"], *, shift: int = 0) -> Any:
    """The syntax tree of a text. `shift` is where the text starts in the stored output.

    Raises UnreadableError where Python's parser raises, at the character that it names.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError("the text is too long", shift)
    try:
        if _MAY_WARN.search(text):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(text, mode=mode)
        return ast.parse(text, mode=mode)
    except SyntaxError as error:
        at = locate(text, error.lineno or 1, (error.offset or 1) - 1)
        raise UnreadableError(error.msg, shift + at) from None
    except (MemoryError, RecursionError):
        raise UnreadableError("nested too deeply", shift) from None
    except ValueError as error:  # a NUL, or half of a surrogate pair
        raise UnreadableError(str(error), shift) from None


def locate(text: str, line: int, column: int, *, in_bytes: bool = False) -> int:
    """The character at a line (from 1) and column (from 0) of a text; syntax trees count columns in bytes."""
    start = 0
    for _ in range(line - 1):
        found = text.find("\n", start)
        if found < 0:
            break
        start = found + 1
    if in_bytes:
        before = text[start : start + column].encode(errors="replace")[:column]
        column = len(before.decode(errors="ignore"))
    return min(start + max(column, 0), len(text))


def fold_at(node: ast.expr, text: str, *, budget: Budget, namespace: frozenset[str], shift: int = 0) -> Any:
    """The value of an expression of literals; raises UnreadableError where it has none or has to be run."""
    try:
        return fold(node, budget=budget, namespace=namespace)
    except FoldError as error:
        unsafe = isinstance(error, UnsafeExpressionError)
        raise UnreadableError(
            str(error),
            shift + locate(text, error.line, error.column, in_bytes=True),
            reason=Reason.UNSAFE_EXPRESSION if unsafe else Reason.SYNTAX_ERROR,
        ) from None


def read_call_list(text: str, *, shift: int = 0) -> list[dict[str, Any]]:
    """The calls of a text such as `[f(a=1), g()]` or `f(a=1)`."""
    bare = text.strip()
    shift += len(text) - len(text.lstrip())
    clean = bare.strip("'")
    shift += len(bare) - len(bare.lstrip("'"))
    body = parse_python(clean, "eval", shift=shift).body
    resolver = Resolver(clean, shift=shift)
    if isinstance(body, ast.Call):
        return [resolver.call(body)]
    if not isinstance(body, (ast.List, ast.Tuple, ast.Set)):
        raise UnreadableError("expected a list of calls", shift)
    calls = []
    for item in body.elts:
        if not isinstance(item, ast.Call):
            at = locate(clean, item.lineno, item.col_offset, in_bytes=True)
            raise UnreadableError("expected a call", shift + at)
        calls.append(resolver.call(item))
    return calls


class Resolver:
    """Turns the syntax of calls and their values into objects, by the evaluator's rules.

    Among these: positional arguments are dropped, a bare name is a string, every unary operator negates, and
    a call without named arguments is its own text.
    """

    def __init__(self, text: str, *, shift: int = 0) -> None:
        self._text = text
        self._shift = shift
        self._budget = Budget()

    def call(self, node: ast.Call) -> dict[str, Any]:
        """`{name: arguments}` of a call; the key of `**x` is None."""
        parts = []
        function: ast.expr = node.func
        while isinstance(function, ast.Attribute):
            parts.append(function.attr)
            function = function.value
        if isinstance(function, ast.Name):
            parts.append(function.id)
        arguments = {keyword.arg: self._value(keyword.value) for keyword in node.keywords}
        return {".".join(reversed(parts)): arguments}

    def _value(self, node: ast.expr | None) -> Any:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.UnaryOp():
                if not isinstance(node.operand, ast.Constant):
                    raise self._unreadable("expected a constant after a sign", node)
                return -node.operand.value  # type: ignore[operator]
            case ast.List():
                return [self._value(item) for item in node.elts]
            case ast.Tuple():
                return tuple([self._value(item) for item in node.elts])
            case ast.Dict():
                return {
                    self._value(key): self._value(item)
                    for key, item in zip(node.keys, node.values, strict=True)
                }
            case ast.BinOp():
                return fold_at(
                    node, self._text, budget=self._budget, namespace=PYTHON_NAMES, shift=self._shift
                )
            case ast.Name():
                return node.id
            case ast.Call():
                return self.call(node) if node.keywords else ast.unparse(node)
            case ast.Subscript():
                return f"{ast.unparse(node.value)}[{ast.unparse(node.slice)}]"
            case _:
                raise self._unreadable(f"no value can be written as {type(node).__name__}", node)

    def _constant(self, node: ast.Constant) -> Any:
        value: Any = node.value
        if value is Ellipsis:
            return "..."
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise self._unreadable("an integer that cannot be printed", node)
        return value

    def _unreadable(self, message: str, node: ast.AST | None) -> UnreadableError:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return UnreadableError(message, self._shift + locate(self._text, line, column, in_bytes=True))
