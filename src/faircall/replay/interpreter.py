"""One call as a line of Python: parsed, its literals taken, and dispatched through a table. Nothing else is done.

A call may have calls of the same table among its arguments. Whatever else stands in a line (names, attributes,
operators, comprehensions, calls of anything that is not in the table) is an error of that line, before any of its
calls is made.
"""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CALL_ERRORS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    BufferError,
    EOFError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    ReferenceError,
    RuntimeError,
    StopIteration,
    SyntaxError,
    TypeError,
    ValueError,
    Warning,
)
"""What a method may raise on arguments that it was not made for; it is the call's result then."""
MAX_CALL_TEXT: Final = 1_000_000


class UnplayableError(Exception):
    """A line that is no call of the table's methods."""


def play_call(line: str, methods: Mapping[str, Callable[..., Any]]) -> tuple[str, bool]:
    """Return the result of a call as the released tool writes it, and whether it is an error.

    Text stays as it is, a dictionary becomes JSON, anything else its `str`. `methods` are the public methods by the
    name that a line calls them by. Raises RecursionError and MemoryError, which are limits and no results.

    >>> play_call("area(width=2)", {"area": lambda width: {"area": width * width}})
    ('{"area": 4}', False)
    >>> play_call("area.__globals__", {"area": len})
    ('Error during execution: not a call', True)
    """
    try:
        call = _parse(line)
        _refuse_unknown(call, methods)
        value = _make(call, methods)
        return _write(value), False
    except RecursionError:
        raise
    except (*CALL_ERRORS, UnplayableError) as failed:
        return f"Error during execution: {failed}", True


def _parse(line: str) -> ast.Call:
    if len(line) > MAX_CALL_TEXT:
        raise UnplayableError(f"a call of more than {MAX_CALL_TEXT} characters")
    try:
        body = ast.parse(line.lstrip(" \t"), mode="eval").body
    except (RecursionError, MemoryError):
        raise UnplayableError("nested too deeply") from None
    if not isinstance(body, ast.Call):
        raise UnplayableError("not a call")
    return body


def _refuse_unknown(node: ast.AST, methods: Mapping[str, Callable[..., Any]]) -> None:
    """Raise for the first expression, in the order of writing, that is no literal and no call of a known method."""
    if isinstance(node, ast.Call):
        name = _dotted(node.func)
        if name not in methods:
            raise UnplayableError(f"name {name!r} is not defined")
        named = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
        if len(set(named)) < len(named):
            raise UnplayableError("keyword argument repeated")
        for part in (*node.args, *(keyword.value for keyword in node.keywords)):
            _refuse_unknown(part, methods)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for part in node.elts:
            _refuse_unknown(part, methods)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise UnplayableError("`**` in an object")
            _refuse_unknown(key, methods)
            _refuse_unknown(value, methods)
    elif not isinstance(node, ast.Constant):
        _number(node)


def _dotted(node: ast.expr) -> str:
    """Return the name that a call has, with its dots; raises for anything else in its place."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise UnplayableError("a call of something that is no name")
    return ".".join((node.id, *reversed(parts)))


def _make(node: ast.expr, methods: Mapping[str, Callable[..., Any]]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Call):
        positional = [_make(part, methods) for part in node.args]
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            value = _make(keyword.value, methods)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, dict):
                named.update(value)
            else:
                raise UnplayableError("`**` before something that is no object")
        return methods[_dotted(node.func)](*positional, **named)
    if isinstance(node, ast.List):
        return [_make(part, methods) for part in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_make(part, methods) for part in node.elts)
    if isinstance(node, ast.Set):
        return {_make(part, methods) for part in node.elts}
    if isinstance(node, ast.Dict):
        keys = [_make(key, methods) for key in node.keys if key is not None]
        return dict(zip(keys, (_make(value, methods) for value in node.values), strict=True))
    return _number(node)


def _number(node: ast.AST) -> complex:
    """Return a number with its signs, or a complex one as Python writes it; raises for any other expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        value = _number(node.operand)
        return -value if isinstance(node.op, ast.USub) else +value
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left, right = _number(node.left), _number(node.right)
        if isinstance(right, complex) and not isinstance(left, complex):
            return left - right if isinstance(node.op, ast.Sub) else left + right
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)):
        return node.value
    if isinstance(node, ast.Name):
        raise UnplayableError(f"name {node.id!r} is not defined")
    raise UnplayableError("an argument that is no literal")


def _write(value: Any) -> str:
    if type(value) is str:
        return value
    if type(value) is dict:
        try:
            return json.dumps(value)
        except (TypeError, ValueError):
            return str(value)
    return str(value)
