"""Arithmetic on literals, folded within limits and without running anything.

A model writes `payment=1200 / 12` or `name="Ada " + "Lovelace"` where a value is wanted. `fold` computes
such values from the syntax tree alone. What would take running text (a call, an attribute, a format string)
and what would outgrow the limits below is refused, so that no text of 60 characters can cost a gigabyte.
"""

from __future__ import annotations

import ast
import builtins
import operator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_DEPTH: Final = 320
"""Nested operations. Python's own way from tree to text to value gives up at about 328."""
MAX_DIGITS: Final = 4300
"""Decimal digits of an integer: the length at which Python refuses to print one."""
MAX_SIZE: Final = 100_000
"""Characters and items that the sequence operations of one text may build, taken together."""

MAX_BITS: Final = int(MAX_DIGITS * 3.3219280948873626)

BUILTIN_NAMES: Final[frozenset[str]] = frozenset(dir(builtins))

_Sequence = (str, bytes, list, tuple)
_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.MatMult: operator.matmul,
}
_UNARY: Final[dict[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class FoldError(Exception):
    """An expression without a value: Python raises on it too, as on a division by zero or an unknown name.

    `line` and `column` are those of the node: the line counted from 1, the column in UTF-8 bytes from 0.
    """

    def __init__(self, message: str, node: ast.AST | None = None) -> None:
        super().__init__(message)
        self.line: int = getattr(node, "lineno", 1)
        self.column: int = getattr(node, "col_offset", 0)


class UnsafeExpressionError(FoldError):
    """An expression whose value would take running text, or more room than the limits allow."""


class Budget:
    """What is left of MAX_SIZE; one budget serves all expressions of a text."""

    def __init__(self, size: int = MAX_SIZE) -> None:
        self.left = size

    def spend(self, size: int, node: ast.AST) -> None:
        """Take `size` off; raises UnsafeExpressionError where less is left."""
        if size > self.left:
            raise UnsafeExpressionError("a sequence grows past the limit", node)
        self.left -= size


def fold(node: ast.expr, *, budget: Budget | None = None, namespace: frozenset[str] = BUILTIN_NAMES) -> Any:
    """The value of an expression of literals, as Python computes it.

    `namespace` are the names that would resolve if the text were run: using one is unsafe, using any other is
    the NameError that Python raises.

    Raises FoldError where Python raises, and UnsafeExpressionError where the text would have to be run or a
    limit is reached.

    >>> fold(ast.parse("2 ** 10 - 24", mode="eval").body)
    1000
    """
    return _Folder(budget or Budget(), namespace).value(node, 0)


class _Folder:
    def __init__(self, budget: Budget, namespace: frozenset[str]) -> None:
        self.budget = budget
        self.namespace = namespace

    def value(self, node: ast.expr | None, depth: int) -> Any:  # noqa: PLR0912 - one branch for each kind of node
        if depth > MAX_DEPTH:
            raise UnsafeExpressionError("an expression is nested too deeply", node)
        match node:
            case ast.Constant():
                return node.value
            case ast.BinOp():
                return self._binary(node, depth)
            case ast.UnaryOp():
                operand = self.value(node.operand, depth + 1)
                return self._apply(_UNARY[type(node.op)], node, operand)
            case ast.List():
                return self._items(node.elts, depth)
            case ast.Tuple():
                return tuple(self._items(node.elts, depth))
            case ast.Set():
                return self._apply(set, node, self._items(node.elts, depth))
            case ast.Dict():
                return self._mapping(node, depth)
            case ast.BoolOp():
                return self._boolean(node, depth)
            case ast.Compare():
                return self._comparison(node, depth)
            case ast.IfExp():
                chosen = node.body if self.value(node.test, depth + 1) else node.orelse
                return self.value(chosen, depth + 1)
            case ast.Subscript():
                container = self.value(node.value, depth + 1)
                return self._apply(operator.getitem, node, container, self._index(node.slice, depth + 1))
            case ast.JoinedStr():
                return self._joined(node)
            case ast.Name() if node.id not in self.namespace:
                raise FoldError(f"name {node.id!r} is not defined", node)
            case ast.Call(func=first) | ast.Attribute(value=first):
                # Python looks its first part up before it runs anything: an unknown name ends there
                self.value(first, depth + 1)
                raise self._unsafe(node)
            case _:
                raise self._unsafe(node)

    def _unsafe(self, node: ast.AST | None) -> UnsafeExpressionError:
        what = node.id if isinstance(node, ast.Name) else type(node).__name__
        return UnsafeExpressionError(f"its value would take running text ({what})", node)

    def _apply(self, function: Callable[..., Any], node: ast.AST, *operands: Any) -> Any:
        try:
            return function(*operands)
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise FoldError(f"{type(error).__name__}: {error}", node) from None

    def _items(self, nodes: list[ast.expr], depth: int) -> list[Any]:
        items: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                starred = self.value(node.value, depth + 2)
                self.budget.spend(_size(starred), node)
                self._apply(items.extend, node, starred)
            else:
                items.append(self.value(node, depth + 1))
        return items

    def _mapping(self, node: ast.Dict, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                inner = self.value(item, depth + 1)
                if not isinstance(inner, dict):
                    raise FoldError("TypeError: only a mapping can follow **", item)
                self.budget.spend(_size(inner), item)
                result.update(inner)
            else:
                name = self.value(key, depth + 1)
                self._apply(result.__setitem__, node, name, self.value(item, depth + 1))
        return result

    def _boolean(self, node: ast.BoolOp, depth: int) -> Any:
        wanted = isinstance(node.op, ast.Or)
        result: Any = None
        for operand in node.values:
            result = self.value(operand, depth + 1)
            if bool(result) is wanted:
                break
        return result

    def _comparison(self, node: ast.Compare, depth: int) -> Any:
        left = self.value(node.left, depth + 1)
        result: Any = True
        for kind, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator, depth + 1)
            if type(kind) not in _COMPARE:
                raise UnsafeExpressionError("identity is a matter of the interpreter", node)
            result = self._apply(_COMPARE[type(kind)], node, left, right)
            if not result:
                break
            left = right
        return result

    def _index(self, node: ast.expr, depth: int) -> Any:
        if isinstance(node, ast.Slice):
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if part is None else self.value(part, depth + 1) for part in parts))
        return self.value(node, depth + 1)

    def _joined(self, node: ast.JoinedStr) -> str:
        parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        if len(parts) < len(node.values):
            raise UnsafeExpressionError("a format string would have to be filled in", node)
        return "".join(str(part) for part in parts)

    def _binary(self, node: ast.BinOp, depth: int) -> Any:
        # `1 + 2 + 3` nests to the left: that side is walked in a loop, and its length costs no frames
        spine = [node]
        while isinstance(spine[-1].left, ast.BinOp):
            spine.append(spine[-1].left)
        if depth + len(spine) > MAX_DEPTH:
            raise UnsafeExpressionError("an expression is nested too deeply", node)
        result = self.value(spine[-1].left, depth + len(spine))
        for level in range(len(spine), 0, -1):
            operation = spine[level - 1]
            right = self.value(operation.right, depth + level)
            self._check(operation, result, right)
            result = self._apply(_BINARY[type(operation.op)], operation, result, right)
            if isinstance(result, int) and result.bit_length() > MAX_BITS:
                raise UnsafeExpressionError(f"an integer has more than {MAX_DIGITS} digits", operation)
        return result

    def _check(self, node: ast.BinOp, left: Any, right: Any) -> None:
        """Refuse an operation before it is carried out where its result would be too large."""
        kind = type(node.op)
        if isinstance(left, int) and isinstance(right, int):
            if _bits(kind, left, right) > MAX_BITS:
                raise UnsafeExpressionError(f"an integer has more than {MAX_DIGITS} digits", node)
        elif kind is ast.Mod and isinstance(left, (str, bytes)):
            raise UnsafeExpressionError("a format string would have to be filled in", node)
        elif kind is ast.Mult:
            for sequence, times in ((left, right), (right, left)):
                if isinstance(sequence, _Sequence) and isinstance(times, int) and times > 0:
                    self.budget.spend(_size(sequence) * times, node)
        elif kind in (ast.Add, ast.BitOr) and isinstance(left, (*_Sequence, dict, set)):
            self.budget.spend(_size(left) + _size(right), node)


def _bits(kind: type[ast.operator], left: int, right: int) -> int:
    """A lower bound on the bits of an operation's result, for the operations that make integers grow."""
    if kind is ast.Mult:
        return max(left.bit_length() + right.bit_length() - 1, 0)
    if kind is ast.Pow and right > 0 and abs(left) > 1:
        # the exact length is at most twice this; the result is checked again
        return (left.bit_length() - 1) * right
    if kind is ast.LShift and left and right > 0:
        return left.bit_length() + right
    return 0


def _size(value: Any) -> int:
    """Characters and items of a value as printed, counted to just past MAX_SIZE at most."""
    if isinstance(value, (str, bytes)):
        return len(value)
    parts: Iterable[Any]
    if isinstance(value, dict):
        parts = (part for item in value.items() for part in item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = value
    else:
        return 1
    total = 1
    for part in parts:
        total += _size(part)
        if total > MAX_SIZE:
            break
    return total
