"""Values against allowed values the official way: by the declared type, one level deep, mistakes included.

The rules are those of bfcl-eval 2026.3.23. What it compares is left to the `numbers` and `strings` switches; how deep
it looks, which types it knows and where it raises are the `nested` switch's official side and live here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.canonical import fill_defaults
from faircall.canonical.shapes import ABSENT, Shape
from faircall.matching.reasons import CheckerCrashError, Mismatch, Why, kind_word, show, show_any_of
from faircall.matching.scanning import UnconvertibleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from faircall.matching.forms import Forms

_PYTHON: Final[dict[str, type]] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list, "dict": dict,
    "any": str,
}  # fmt: skip
_JAVA: Final[dict[str, type]] = {
    "byte": int, "short": int, "integer": int, "long": int, "float": float, "double": float, "boolean": bool,
    "char": str, "String": str, "any": str, "Array": list, "ArrayList": list, "Queue": list, "Stack": list,
    "Set": set, "HashMap": dict, "Hashtable": dict,
}  # fmt: skip
_JAVASCRIPT: Final[dict[str, type]] = {
    "String": str, "integer": int, "Bigint": int, "float": float, "Boolean": bool, "dict": dict, "array": list,
    "any": str,
}  # fmt: skip
_TYPES: Final = {"python": _PYTHON, "java": _JAVA, "javascript": _JAVASCRIPT}
_NESTING: Final = {
    "python": frozenset({"array", "tuple"}),
    "java": frozenset({"Array", "ArrayList", "array"}),
    "javascript": frozenset({"Array", "ArrayList", "array"}),
}
_CODE_ERROR: Final = {"java": "type_error:java", "javascript": "type_error:js"}
RAISED: Final = (
    TypeError, KeyError, IndexError, AttributeError, ValueError, OverflowError, RecursionError, UnconvertibleError,
)  # fmt: skip
"""What the official checker raises on odd schemas, answers and values."""


class OneLevel:
    """The allowed values of one parameter, compiled for the official rules.

    `typed_values` says that the values of Java and JavaScript come as values and not only as source text.
    """

    def __init__(
        self, details: Any, allowed: Any, forms: Forms, language: str, *, typed_values: bool
    ) -> None:
        self.forms = forms
        self.language = language
        self.typed_values = typed_values
        self.allowed = allowed
        types = _TYPES[language]
        # What the released checker stumbles over counts only where a value makes it walk there.
        self.declared: Any = _walk(lambda: details["type"])
        self.kind: Any = _walk(lambda: types[details["type"]])
        self.nested_name: Any = None
        self.nested: Any = None
        if not isinstance(self.kind, _Raises) and self.declared in _NESTING[language]:
            self.nested_name = _walk(lambda: details["items"]["type"])
            self.nested = _walk(lambda: types[details["items"]["type"]])
        self.first: Any = _walk(lambda: _first_type(allowed))
        # Few values need all of these, so that each is made when a value first does.
        self.texts: Any = ABSENT
        self.lists: Any = ABSENT
        self.objects: dict[int, _Fields] = {}
        self.apart: Any = ABSENT

    def _std(self, value: Any) -> Any:
        return self.forms.text(value) if isinstance(value, str) else self.forms.apart(value)

    def check(self, value: Any, path: str) -> Mismatch | None:
        """Return how a value differs. Raises CheckerCrashError where the official checker raises."""
        try:
            return self._check(value, path)
        except _WalkError as error:
            raise CheckerCrashError(str(error)) from None
        except RAISED as error:
            raise CheckerCrashError(type(error).__name__) from error

    def _check(self, value: Any, path: str) -> Mismatch | None:
        _walked(self.kind)
        if self.language != "python":
            if isinstance(value, str):
                _walked(self.nested)
                value = _converter(self.language)(value, self.declared, self.nested_name)
            elif not self.typed_values:
                return _type_mismatch("source text", value, path, _CODE_ERROR[self.language])
        elif self.declared == "tuple" and type(value) is tuple:
            value = list(value)
        elif self.declared == "float" and type(value) is int:
            value = float(value)
        _walked(self.nested)
        variable, mismatch = self._check_type(value, path)
        if mismatch is not None:
            return mismatch
        if not variable:
            if self.kind is dict:
                return self._check_objects(value, _items(self.allowed), path)
            if self.kind is list and self.nested is dict:
                return self._check_object_lists(value, path)
            if self.kind is str:
                return self._check_text(value, path)
            if self.kind is list:
                return self._check_list(value, path)
        return self._check_other(value, path)

    def _is(self, value: Any, kind: type) -> bool:
        found = type(value)
        if found is kind:
            return True
        if not self.forms.by_value:
            return False
        if kind is float:
            return found is int
        return kind is int and found is float and value.is_integer()

    def _check_type(self, value: Any, path: str) -> tuple[bool, Mismatch | None]:
        """Whether the value stands for a variable, which the type of the first answer tells, and a wrong type."""
        error = "type_error:simple"
        _walked(self.first)
        if self._is(value, self.kind):
            variable = self.first is not None and not self._alike(self.first, self.kind)
            if self.nested is None or any(self._fits(value, answer) for answer in self.allowed):
                return variable, None
            error = "type_error:nested"
            if self.first is type(value):
                return variable, _type_mismatch(f"{self.declared} of {self.nested_name}", value, path, error)
            error = "type_error:simple"
        if self.first is not None and self._is(value, self.first):
            return True, None
        return False, _type_mismatch(self.declared, value, path, error)

    def _alike(self, found: type, kind: type) -> bool:
        return found is kind or (self.forms.by_value and {found, kind} == {int, float})

    def _fits(self, value: Any, answer: Any) -> bool:
        """Whether the items of a list have the declared type, or that of the answer's first item."""
        if type(answer) is not list:
            return True
        first = _first_type(answer)
        kind = self.nested
        return all(
            (kind is not None and self._is(item, kind)) or (first is not None and self._is(item, first))
            for item in value
        )

    def _check_other(self, value: Any, path: str) -> Mismatch | None:
        if self.apart is ABSENT:
            self.apart = self.forms.apart(self.allowed)
        if self.forms.apart(value) in self.apart:
            return None
        return self._wrong(value, path, "value_error:others")

    def _check_text(self, value: str, path: str) -> Mismatch | None:
        if self.texts is ABSENT:
            texts = [answer for answer in _items(self.allowed) if type(answer) is str]
            if self.forms.fair_texts:  # the mark of what may be left out is no text
                texts = [answer for answer in texts if answer != ""]
            self.texts = {self.forms.text(answer) for answer in texts}
        if self.forms.text(value) in self.texts:
            return None
        return self._wrong(value, path, "value_error:string")

    def _check_list(self, value: list[Any], path: str) -> Mismatch | None:
        if self.lists is ABSENT:
            answers = _items(self.allowed)
            self.lists = [[self._std(item) for item in _items(answer)] for answer in answers]
        plain = [self._std(item) for item in value]
        return None if plain in self.lists else self._wrong(value, path, "value_error:list/tuple")

    def _object(self, answer: Any) -> Any:
        """An answer that is an object, compiled once: its fields' allowed values and whether they may be left out."""
        known = self.objects.get(id(answer))
        if known is None:
            known = self.objects[id(answer)] = _Fields(answer, self)
        return known

    def _check_objects(self, value: Any, answers: list[Any], path: str) -> Mismatch | None:
        mismatch: Mismatch | None = _type_mismatch("one of the answers", value, path, "dict_checker:unclear")
        for answer in answers:
            if isinstance(answer, str) and answer == "":
                continue
            mismatch = self._object(answer).check(value, path)
            if mismatch is None:
                return None
        return mismatch

    def _check_object_lists(self, value: Any, path: str) -> Mismatch | None:
        mismatch: Mismatch | None = _type_mismatch(
            "one of the answers", value, path, "list_dict_checker:unclear"
        )
        for answer in _items(self.allowed):
            if len(value) != len(answer):
                message = f"Expected {len(answer)} objects, got {len(value)}"
                mismatch = Mismatch(Why.WRONG_VALUE, path, message, "value_error:list_dict_count")
                continue
            for index, item in enumerate(value):
                mismatch = self._check_objects(item, [answer[index]], f"{path}[{index}]")
                if mismatch is not None:
                    break
            else:
                return None
        return mismatch

    def _wrong(self, value: Any, path: str, official: str) -> Mismatch:
        allowed = self.allowed if isinstance(self.allowed, list) else [self.allowed]
        listed = [answer for answer in allowed if not (isinstance(answer, str) and answer == "")]
        message = f"Expected {show_any_of(listed)}, got {show(value)}"
        return Mismatch(Why.WRONG_VALUE, path, message, official)


class _Fields:
    """One object among the answers."""

    def __init__(self, answer: Any, owner: OneLevel) -> None:
        self.answer = answer
        self.owner = owner
        self.values: dict[Any, Any] = {}

    def check(self, value: Any, path: str) -> Mismatch | None:
        """Return how an object differs; the field that is missing hides the one that is wrong."""
        mismatch = None
        for name, found in value.items():
            if name not in self.answer:
                message = f"Expected no `{name}`, got {show(found)}"
                mismatch = Mismatch(
                    Why.UNEXPECTED_PARAMETER, f"{path}.{name}", message, "value_error:dict_key"
                )
                break
            if name not in self.values:
                self.values[name] = [self.owner._std(item) for item in _items(self.answer[name])]
            if self.owner._std(found) not in self.values[name]:
                allowed = self.answer[name]
                listed = allowed if isinstance(allowed, list) else [allowed]
                message = f"Expected {show_any_of(listed)}, got {show(found)}"
                mismatch = Mismatch(Why.WRONG_VALUE, f"{path}.{name}", message, "value_error:dict_value")
                break
        for name, allowed in self.answer.items():
            if name not in value and "" not in allowed:
                message = f"Expected `{name}`, got nothing"
                return Mismatch(Why.MISSING_OPTIONAL, f"{path}.{name}", message, "value_error:dict_key")
        return mismatch


class _Raises:
    """What cannot be walked: the name of the exception that walking it raises."""

    def __init__(self, name: str) -> None:
        self.name = name


class _WalkError(Exception):
    """A value made the checker walk where it raises."""


def _walked(found: Any) -> Any:
    if isinstance(found, _Raises):
        raise _WalkError(found.name)
    return found


def _walk(walk: Callable[[], Any]) -> Any:
    try:
        return walk()
    except RAISED as error:
        return _Raises(type(error).__name__)


def _items(answers: Any) -> list[Any]:
    """The items by their index: what has a length and no indexes raises, as in the release."""
    return [answers[index] for index in range(len(answers))]


def _first_type(answers: Any) -> type | None:
    return next((type(answer) for answer in answers if answer != ""), None)


def _converter(language: str) -> Callable[..., Any]:
    if language == "java":
        from faircall.matching.java_values import convert_java  # noqa: PLC0415 - one language of three

        return convert_java
    from faircall.matching.javascript_values import convert_javascript  # noqa: PLC0415

    return convert_javascript


def _type_mismatch(wanted: str, value: Any, path: str, official: str) -> Mismatch:
    return Mismatch(Why.WRONG_TYPE, path, f"Expected `{wanted}`, got `{kind_word(value)}`", official)


def complete_answer(answer: Any, shape: Shape) -> Any:
    """Return an answer's objects with the defaults that the schema declares below them, for canonical comparison.

    A field that the answer leaves out may have its default alone; one that may be left out may have it too.

    >>> from faircall.canonical.shapes import shape_of
    >>> from faircall.types import Tool
    >>> shape = shape_of(Tool("f", "", {"properties": {"unit": {"type": "string", "default": "m"}}}))
    >>> complete_answer({"n": [1]}, shape)
    {'n': [1], 'unit': ['m']}
    """
    if not shape.fills:
        return answer
    if isinstance(answer, list):
        return [complete_answer(item, shape.item(index)) for index, item in enumerate(answer)]
    if not isinstance(answer, dict):
        return answer
    completed = dict(answer)
    for name, inner in shape.properties.items():
        if inner.default is ABSENT or name in shape.required:
            continue
        allowed = completed.get(name, [""])
        if isinstance(allowed, list) and "" in allowed:
            completed[name] = [*(allowed if name in completed else ()), inner.default]
    for name, allowed in completed.items():
        inner = shape.field(name)
        if inner.fills and isinstance(allowed, list):
            completed[name] = [fill_defaults(item, inner, "", [], None) for item in allowed]
    return completed
