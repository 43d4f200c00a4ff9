"""A reader of Python expressions that are data: literals, bare names, nested calls, constant arithmetic.

Nothing is evaluated. What would have to be run to get its value (arithmetic on a name or a call, a
comparison, a comprehension, a lambda, an f-string with a field) is refused as an unsafe expression. The
reader is more forgiving than Python's own grammar where the meaning is not in doubt: raw line breaks in
quoted text, parameters named like keywords, `true`, `false` and `null`, numbers with leading zeros (text:
they are codes). Values that are only names stay text: `x=abc`, `x=Unit.METRE`, `x=now()`.
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any, Final, NoReturn

from faircall.decoding.arithmetic import Budget, FoldError, UnsafeExpressionError, fold
from faircall.decoding.limits import MAX_DEPTH, MAX_OPERATORS, LiteralError
from faircall.decoding.scalars import read_number, read_string, starts_string
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACE: Final = re.compile(r"(?:[\s\ufeff\u200b]|#[^\n]*+|\\\r?\n)*+")
_NAME: Final = re.compile(r"[^\W\d]\w*+")
_DOTTED: Final = re.compile(r"[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+")
_PARAMETER: Final = re.compile(r"([^\W\d](?:[\w.$-]*[\w$])?)[\s\ufeff]*+=(?!=)")
_OPERATOR: Final = re.compile(r"\*\*|//|<<|>>|[-+*/%@&|^](?!=)")
_RUNS: Final = re.compile(r"(?:if|for|async|and|or|is|in|not)\b|[=!<>]=|[<>]|:=")
_CONSTANTS: Final[dict[str, bool | None]] = {
    "True": True, "False": False, "None": None, "true": True, "false": False, "null": None,
}  # fmt: skip
_STATEMENT_NAMES: Final = frozenset({"lambda", "not", "await", "yield"})

_BINARY: Final[dict[str, tuple[int, type[ast.operator]]]] = {
    "|": (1, ast.BitOr), "^": (2, ast.BitXor), "&": (3, ast.BitAnd), "<<": (4, ast.LShift),
    ">>": (4, ast.RShift), "+": (5, ast.Add), "-": (5, ast.Sub), "*": (6, ast.Mult), "/": (6, ast.Div),
    "//": (6, ast.FloorDiv), "%": (6, ast.Mod), "@": (6, ast.MatMult), "**": (8, ast.Pow),
}  # fmt: skip
_UNARY_RANK: Final = 7
_UNARY: Final[dict[str, type[ast.unaryop]]] = {"+": ast.UAdd, "-": ast.USub, "~": ast.Invert}


class _Opaque(str):
    """Source text that stands for a value which only running it would give: a name, an attribute, a call."""

    __slots__ = ()


class ExpressionReader:
    """Reads values and calls from `text`, starting at `pos`; `pos` moves as it reads.

    `names` are offered tool names; those that are no Python names (`get-weather`) are read as names too.
    """

    __slots__ = ("budget", "odd_names", "pos", "text")

    def __init__(self, text: str, pos: int = 0, names: Iterable[str] = ()) -> None:
        self.text = text
        self.pos = pos
        self.budget: Budget | None = None
        self.odd_names = sorted(
            (name for name in names if name and not _DOTTED.fullmatch(name)), key=len, reverse=True
        )

    # -- small steps ---------------------------------------------------------------------------------

    def skip(self) -> str:
        """Pass over white space and comments; return the next character, `""` at the end."""
        sign = self.text[self.pos : self.pos + 1]
        if "!" < sign < "\x7f" and sign not in "#\\":
            return sign
        found = _SPACE.match(self.text, self.pos)
        if found:
            self.pos = found.end()
        return self.text[self.pos : self.pos + 1]

    def fail(self, message: str, *, at: int | None = None, reason: Reason | None = None) -> NoReturn:
        """Raise the failure; at the end of the text it is a truncation."""
        where = self.pos if at is None else at
        cut = reason is None and not self.text[where:].strip()
        raise LiteralError(message, min(where, len(self.text)), truncated=cut, reason=reason)

    def refuse(self, what: str, at: int) -> NoReturn:
        """Raise the failure for a value that would have to be run."""
        self.fail(f"{what} would have to be run", at=at, reason=Reason.UNSAFE_EXPRESSION)

    def call_name(self) -> str | None:
        """Read a name that is followed by `(`; return it with `pos` after the bracket, or None."""
        for name in self.odd_names:
            if self.text.startswith(name, self.pos):
                after = self.pos + len(name)
                while self.text[after : after + 1] in {" ", "\t"}:
                    after += 1
                if self.text.startswith("(", after):
                    self.pos = after + 1
                    return name
        found = _DOTTED.match(self.text, self.pos)
        if not found:
            return None
        after = found.end()
        while self.text[after : after + 1] in {" ", "\t"}:
            after += 1
        if not self.text.startswith("(", after):
            return None
        self.pos = after + 1
        return found.group()

    # -- values --------------------------------------------------------------------------------------

    def value(self, depth: int) -> Any:
        """Read one value and what operators make of it."""
        begin = self.pos
        operators: list[tuple[int, str, bool]] = []
        operands: list[Any] = []
        count = 0
        while True:
            while (sign := self.skip()) and sign in "+-~":
                operators.append((_UNARY_RANK, sign, True))
                self.pos += 1
            operands.append(self.operand(depth))
            end = self.pos
            following = self.skip()
            if following in {",", ")", "]", "}"}:
                break
            found = _OPERATOR.match(self.text, self.pos)
            if not found:
                break
            sign = found.group()
            rank = _BINARY[sign][0]
            while operators and (operators[-1][0] > rank or (operators[-1][0] == rank and sign != "**")):
                self._reduce(operators, operands, begin)
            operators.append((rank, sign, False))
            self.pos = found.end()
            count += 1
            if count > MAX_OPERATORS:
                self.fail(f"more than {MAX_OPERATORS} operators", reason=Reason.UNSAFE_EXPRESSION)
        while operators:
            self._reduce(operators, operands, begin)
        runs = None if following in {",", ")", "]", "}"} else _RUNS.match(self.text, self.pos)
        if runs:
            self.refuse(f"an expression with `{runs.group()}`", self.pos)
        self.pos = end
        result = operands[0]
        return str(result) if isinstance(result, _Opaque) else result

    def _reduce(self, operators: list[tuple[int, str, bool]], operands: list[Any], begin: int) -> None:
        _, sign, unary = operators.pop()
        right = operands.pop()
        node: ast.expr
        if unary:
            if type(right) in (int, float) and sign in "+-":
                operands.append(-right if sign == "-" else right)
                return
            parts = [right]
            node = ast.UnaryOp(_UNARY[sign](), ast.Constant(right))
        else:
            left = operands.pop()
            parts = [left, right]
            node = ast.BinOp(ast.Constant(left), _BINARY[sign][1](), ast.Constant(right))
        if any(
            isinstance(part, (_Opaque, bool)) or not isinstance(part, (int, float, str)) for part in parts
        ):
            self.refuse("arithmetic on something other than constants", begin)
        self.budget = self.budget or Budget()
        try:
            result = fold(node, budget=self.budget)
        except UnsafeExpressionError as refused:
            self.fail(f"arithmetic that is refused: {refused}", at=begin, reason=Reason.UNSAFE_EXPRESSION)
        except FoldError as failed:
            self.fail(f"arithmetic without a result: {failed}", at=begin)
        if isinstance(result, complex) or (isinstance(result, float) and not math.isfinite(result)):
            self.fail("arithmetic without a finite result", at=begin)
        operands.append(result)

    def operand(self, depth: int) -> Any:
        """Read one value without the operators around it."""
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.pos)
        begin = self.pos
        sign = self.text[begin : begin + 1]
        result: Any
        if starts_string(self.text, begin):
            result = self.strings()
        elif sign.isdigit() or (sign == "." and self.text[begin + 1 : begin + 2].isdigit()):
            result, self.pos = read_number(self.text, begin)
        elif sign == "[":
            result = self.items("]", depth + 1)
        elif sign == "{":
            result = self.entries(depth + 1)
        elif sign == "(":
            result = self.bracketed(depth + 1)
        elif self.text.startswith("...", begin):
            self.pos += 3
            result = "..."
        else:
            return self.named(depth)
        after = self.text[self.pos : self.pos + 1]
        if after and after in ".([" and not (after == "." and isinstance(result, (int, float))):
            self.refuse("an operation on a literal", begin)
        return result

    def strings(self) -> str:
        """Read a quoted text, and those that follow it directly, as one."""
        parts = []
        while True:
            written, self.pos = read_string(self.text, self.pos)
            parts.append(written)
            self.skip()
            if not starts_string(self.text, self.pos):
                return parts[0] if len(parts) == 1 else "".join(parts)

    def items(self, closing: str, depth: int) -> list[Any]:
        """Read the values of a list, a tuple or a set, up to and with its closing bracket."""
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.pos)
        self.pos += 1
        found: list[Any] = []
        while True:
            if self.skip() == closing:
                self.pos += 1
                return found
            found.append(self.value(depth))
            self._separate(closing)

    def bracketed(self, depth: int) -> Any:
        """Read a value in round brackets, or a tuple."""
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.pos)
        self.pos += 1
        found: list[Any] = []
        comma = False
        while True:
            if self.skip() == ")":
                self.pos += 1
                return found[0] if len(found) == 1 and not comma else tuple(found)
            found.append(self.value(depth))
            comma = self._separate(")")

    def entries(self, depth: int) -> Any:
        """Read a dict, or a set (as a list, in the order written)."""
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.pos)
        begin = self.pos
        self.pos += 1
        found: dict[Any, Any] = {}
        members: list[Any] = []
        while True:
            sign = self.skip()
            if sign == "}":
                self.pos += 1
                if members and found:
                    self.fail("a dict with an entry that has no value", at=begin)
                return members or found
            if self.text.startswith("**", self.pos):
                self.pos += 2
                inner = self.value(depth)
                if not isinstance(inner, dict):
                    self.refuse("unpacking something other than a dict", self.pos)
                found.update(inner)
            else:
                at = self.pos
                key = self.value(depth)
                if self.skip() == ":":
                    self.pos += 1
                    self.skip()
                    if isinstance(key, (list, dict)) or (isinstance(key, tuple) and not _hashable(key)):
                        self.fail("a key that cannot be one", at=at)
                    found[key] = self.value(depth)
                else:
                    members.append(key)
            self._separate("}")

    def _separate(self, closing: str) -> bool:
        """Pass over a comma (True), or stop before `closing` (False)."""
        sign = self.skip()
        if sign == ",":
            self.pos += 1
            return True
        if sign != closing:
            self.fail(f"expected `,` or `{closing}`")
        return False

    def named(self, depth: int) -> Any:
        """Read a constant, a bare or dotted name, a subscript, or a nested call."""
        begin = self.pos
        first = _NAME.match(self.text, begin)
        if not first:
            self.fail("expected a value")
        word = first.group()
        after = self.text[first.end() : first.end() + 1]
        if word in _CONSTANTS and after not in {".", "(", "["}:
            self.pos = first.end()
            return _CONSTANTS[word]
        if word in _STATEMENT_NAMES and after in {" ", ":", "("}:
            self.refuse(f"`{word}`", begin)
        name = self.call_name()
        if name is None:
            dotted = _DOTTED.match(self.text, begin)
            self.pos = dotted.end() if dotted else first.end()
        else:
            arguments, positional = self.arguments(depth + 1)
            if arguments and not positional and self.text[self.pos : self.pos + 1] not in {".", "(", "["}:
                return {name: arguments}
        self._trailers(depth)
        return _Opaque(self.text[begin : self.pos])

    def _trailers(self, depth: int) -> None:
        """Pass over `.name`, `[…]` and `(…)` that follow."""
        while True:
            sign = self.text[self.pos : self.pos + 1]
            if sign == ".":
                name = _NAME.match(self.text, self.pos + 1)
                if not name:
                    self.fail("expected a name after `.`", at=self.pos + 1)
                self.pos = name.end()
            elif sign == "(":
                self.pos += 1
                self.arguments(depth + 1)
            elif sign == "[":
                self._subscript(depth + 1)
            else:
                return

    def _subscript(self, depth: int) -> None:
        self.pos += 1
        while True:
            sign = self.skip()
            if sign == "]":
                self.pos += 1
                return
            if sign and sign in ":,":
                self.pos += 1
            else:
                self.value(depth)

    # -- calls ---------------------------------------------------------------------------------------

    def arguments(self, depth: int) -> tuple[dict[str, Any], tuple[Any, ...]]:
        """Read the arguments of a call whose opening bracket is passed, up to and with the closing one."""
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.pos)
        named: dict[str, Any] = {}
        positional: list[Any] = []
        while True:
            if self.skip() == ")":
                self.pos += 1
                return named, tuple(positional)
            at = self.pos
            if self.text.startswith("**", at):
                self.pos += 2
                unpacked = self.value(depth)
                if not isinstance(unpacked, dict):
                    self.refuse("unpacking something other than a dict", at)
                for key, value in unpacked.items():
                    self._name_argument(named, str(key), value, at)
            elif self.text.startswith("*", at):
                self.pos += 1
                unpacked = self.value(depth)
                if not isinstance(unpacked, (list, tuple)):
                    self.refuse("unpacking something other than a list", at)
                positional.extend(unpacked)
            else:
                parameter = _PARAMETER.match(self.text, at)
                if parameter:
                    self.pos = parameter.end()
                    self._name_argument(named, parameter.group(1), self.value(depth), at)
                elif named:
                    self.value(depth)
                    self.fail("a positional argument after a named one", at=at)
                else:
                    positional.append(self.value(depth))
            self._separate(")")

    def _name_argument(self, named: dict[str, Any], name: str, value: Any, at: int) -> None:
        if name in named:
            self.fail(f"the parameter `{name}` is given twice", at=at)
        named[name] = value


def _hashable(key: tuple[Any, ...]) -> bool:
    return all(
        not isinstance(part, (list, dict)) and (not isinstance(part, tuple) or _hashable(part))
        for part in key
    )
