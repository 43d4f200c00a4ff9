"""One expected call, compiled: its name, the arguments that are allowed, and the check of a call against them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from faircall.canonical import bind_positional, fill_defaults, step
from faircall.canonical.shapes import ABSENT, ANYTHING, Shape, shared_shape
from faircall.decoding.limits import LiteralError
from faircall.decoding.structured import read_stored
from faircall.matching.every_level import Rules, check_fields, check_value, compile_fields
from faircall.matching.forms import Forms
from faircall.matching.one_level import RAISED, OneLevel, complete_answer
from faircall.matching.reasons import CheckerCrashError, Mismatch, Why, kind_word, show
from faircall.schema import find_tool
from faircall.types import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from faircall.profiles import Profile
    from faircall.types import Tool

_PREFIX = "simple_function_checker:"


class Given(msgspec.Struct, frozen=True):
    """A call as it was given: `raw` is the object {name: arguments}, whatever it is where it is none.

    `plain` says that it was written in a form in which arguments are values and never lists of allowed ones,
    `underscored` that dots in its name may have been written as underscores.
    """

    raw: Any
    positional: tuple[Any, ...] = ()
    plain: bool = False
    underscored: bool = True


class Settings(msgspec.Struct, frozen=True):
    """What all expected calls of an entry share: the profile, the language, the tools, the names' spelling."""

    profile: Profile
    language: str
    tools: tuple[Tool, ...]
    underscores: bool
    rules: Rules

    @property
    def by_schema(self) -> bool:
        """Whether values are compared at every level, by the schema."""
        return self.profile.nested != "official"

    @property
    def canonical(self) -> bool:
        """Whether defaults are filled in."""
        return self.profile.defaults != "official"

    @property
    def resolve_names(self) -> bool:
        """Whether a name stands for the one offered tool that it can mean, and not only for its own spelling."""
        return self.profile.names != "official"

    @property
    def best_pairing(self) -> bool:
        """Whether any one-to-one pairing of calls and answers will do, whatever the category is called."""
        return self.profile.parallel != "official"


def settle(
    profile: Profile, language: str, tools: tuple[Tool, ...], *, underscores: bool = False
) -> Settings:
    """Return the settings under which an entry's answers are compiled."""
    return Settings(profile, language, tools, underscores, _rules_of(profile, language))


@lru_cache(maxsize=256)
def _rules_of(profile: Profile, language: str) -> Rules:
    return Rules(Forms(profile), defaults=profile.defaults != "official", language=language)


def read_given(call: Any) -> Given:
    """Return a call of any of the forms in which calls are given.

    >>> read_given({"name": "f", "arguments": {"x": 1}}).raw
    {'f': {'x': 1}}
    """
    if isinstance(call, Call):
        return Given({call.name: call.arguments}, call.positional, plain=True)
    if isinstance(call, dict) and len(call) == 2 and "name" in call and "arguments" in call:
        name, arguments = call["name"], call["arguments"]
        if isinstance(name, str) and isinstance(arguments, dict):
            return Given({name: arguments}, plain=True)
    return Given(call)


def read_expected(item: Any) -> Given:
    """Return an expected call of any of the forms in which calls are given, those of the providers' APIs included.

    >>> read_expected({"type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}).raw
    {'f': {'x': 1}}
    """
    given = read_given(item)
    if isinstance(item, dict) and not given.plain and ("name" in item or "function" in item):
        try:
            calls = read_stored([item]).calls
        except LiteralError:
            return given
        if len(calls) == 1:
            return read_given(calls[0])
    return given


class ExpectedCall:
    """An expected call; `fault` says, with its path, why no call can satisfy it.

    `tool` is None where no tool has the name, which matters only if tools are given at all.
    """

    def __init__(self, name: str, answer: Any, tool: Tool | None, settings: Settings, *, plain: bool) -> None:
        self.name = name
        self.tool = tool
        self.settings = settings
        self.answer = answer
        self.plain = plain
        self.fault = ""
        self.fault_path = ""
        if settings.by_schema:
            if tool is None and settings.tools:
                self.fault, self.fault_path = f"no offered tool is called `{name}`", ""
            self.fields = compile_fields(
                answer if isinstance(answer, dict) else {}, self.shape, settings.rules.afresh(), plain=plain
            )
            self.fault = self.fault or self.fields.fault
            self.fault_path = f".args{self.fields.fault_path}" if self.fields.fault else ""
        else:
            if plain and isinstance(answer, dict):
                answer = {key: [value] for key, value in answer.items()}
            self.answer = answer
            self._compile_one_level()

    @cached_property
    def shape(self) -> Shape:
        """The shape of the arguments; the official rules do without it."""
        return shared_shape(self.tool) if self.tool is not None else ANYTHING

    @property
    def unusable(self) -> bool:
        """Whether nothing can satisfy it, or all that it lists for some parameter is ruled out by the schema."""
        return bool(self.fault) or any(
            bool(want.ruled_out) and want.nothing_listed for want in self.fields.wants.values()
        )

    def _compile_one_level(self) -> None:
        self.levels: dict[str, OneLevel] = {}
        self.defaults: dict[str, Any] = {}
        settings = self.settings
        if settings.canonical and isinstance(self.answer, dict):
            self.answer = {
                name: complete_answer_list(allowed, self.shape.field(name))
                for name, allowed in self.answer.items()
            }
            for name, inner in self.shape.properties.items():
                if inner.default is ABSENT or name in self.shape.required:
                    continue
                form = self._form(inner.default, inner)
                allowed = self.answer.get(name, [""])
                if isinstance(allowed, list) and any(
                    item == "" or self._form(item, inner) == form for item in allowed
                ):
                    self.defaults[name] = form

    def _form(self, value: Any, shape: Shape) -> Any:
        filled = fill_defaults(value, shape, "", [], None)
        return self.settings.rules.forms.deep(filled, reading=shape.reading)

    def check(self, given: Given) -> tuple[Mismatch | None, tuple[str, ...]]:
        """Return the first difference of a call, and the paths below it of the defaults that were filled in.

        Raises CheckerCrashError where the official checker raises.
        """
        if self.settings.by_schema or self.settings.resolve_names:
            mismatch = self._check_form(given)
            if mismatch is not None:
                return mismatch, ()
        if not self.settings.by_schema:
            try:
                return self._check_officially(given)
            except RAISED as error:
                raise CheckerCrashError(type(error).__name__) from error
        name, arguments = next(iter(given.raw.items()))
        if not self._is_called(name, given):
            return self._wrong_function(name), ()
        arguments, filled, mismatch = self._canonical(arguments, given.positional)
        if mismatch is not None:
            return mismatch, ()
        mismatch = check_fields(arguments, self.fields, self.settings.rules.afresh(), "", frozenset(filled))
        if mismatch is not None:
            mismatch = msgspec.structs.replace(mismatch, path=".args" + mismatch.path)
        return mismatch, filled

    def is_named(self, given: Given) -> bool:
        """Return whether a call is one of this tool, whatever its arguments."""
        return self._check_form(given) is None and self._is_called(next(iter(given.raw)), given)

    def weigh(self, given: Given) -> float | None:
        """Return how much of a call is right, as `nearness` defines it; None for a call of another name.

        It is 0 where values are not compared by the schema, which alone tells arguments apart.
        """
        if not self.is_named(given):
            return None
        if not self.settings.by_schema:
            return 0.0
        arguments = next(iter(given.raw.values()))
        bound, filled, mismatch = self._canonical(arguments, given.positional)
        right, extra = 0, 0
        if mismatch is None:
            arguments = bound
        else:  # positional arguments that are no parameters
            extra = len(given.positional)
        rules, wants, defaults = self.settings.rules.afresh(), self.fields.wants, frozenset(filled)
        wanted = sum(not want.omittable for want in wants.values())
        for name, value in arguments.items():
            want = wants.get(name)
            fits = want is not None and check_value(value, want, rules, step(name), defaults) is None
            if want is not None and not want.omittable:
                right += fits
            else:
                extra += not fits
        return right / (wanted + extra) if wanted else 1 / (1 + extra)

    def _check_form(self, given: Given) -> Mismatch | None:
        raw = given.raw
        if not isinstance(raw, dict) or len(raw) != 1 or not isinstance(next(iter(raw)), str):
            found = kind_word(raw) if not isinstance(raw, dict) else show(raw)
            return Mismatch(Why.WRONG_FUNCTION, "", f"Expected an object {{name: arguments}}, got {found}")
        arguments = next(iter(raw.values()))
        if not isinstance(arguments, dict):
            return Mismatch(Why.WRONG_TYPE, ".args", f"Expected `object`, got `{kind_word(arguments)}`")
        return None

    def _is_called(self, name: str, given: Given) -> bool:
        """Whether a call of that name is a call of this tool."""
        settings = self.settings
        if not settings.resolve_names:
            return name == self.spelled_name()
        if name == self.name:
            return True
        offered = self.tool.name if self.tool is not None else self.name
        # Many interfaces allow no dots, and Markdown escapes underscores; nothing puts dots where there are none.
        written = name.replace("\\_", "_")
        if written != offered and not (given.underscored and written == offered.replace(".", "_")):
            return False
        return not settings.tools or find_tool(name, settings.tools) is self.tool

    def spelled_name(self) -> str:
        """Return the only spelling of the tool's name that counts where names are not resolved."""
        name = self.tool.name if self.tool is not None else self.name
        return name.replace(".", "_") if self.settings.underscores else name

    def _wrong_function(self, name: object) -> Mismatch:
        wanted = self.name if self.settings.resolve_names else self.spelled_name()
        message = f"Expected `{wanted}`, got `{name}`"
        return Mismatch(Why.WRONG_FUNCTION, ".name", message, _PREFIX + "wrong_func_name")

    def _canonical(
        self, arguments: Any, positional: tuple[Any, ...]
    ) -> tuple[Any, tuple[str, ...], Mismatch | None]:
        """The arguments, bound and filled in as far as the profile says, and a fault of the positional ones."""
        if not isinstance(arguments, dict):
            return arguments, (), None
        if positional and self.settings.profile.positional != "official":
            arguments, rest, problem = bind_positional(arguments, positional, self.shape)
            if rest:
                mismatch = Mismatch(
                    Why.UNEXPECTED_PARAMETER, ".args[0]", f"Expected named arguments, got {problem}"
                )
                return arguments, (), mismatch
        filled: list[str] = []
        if self.settings.canonical:
            arguments = fill_defaults(arguments, self.shape, "", filled, None)
        return arguments, tuple(filled), None

    def _check_officially(self, given: Given) -> tuple[Mismatch | None, tuple[str, ...]]:
        """The official order of checks; whatever it stumbles over raises."""
        if self.tool is None:
            raise TypeError
        answer = self.answer
        properties = self.tool.parameters["properties"]
        required = self.tool.parameters["required"]
        name = self.spelled_name()
        if self.settings.resolve_names:
            name = next(iter(given.raw))
            if not self._is_called(name, given):
                return self._wrong_function(name), ()
        if name not in given.raw:
            found = next(iter(given.raw), "nothing") if isinstance(given.raw, dict) else given.raw
            return self._wrong_function(found), ()
        arguments, filled, mismatch = self._canonical(given.raw[name], given.positional)
        if mismatch is None:
            mismatch = self._check_parameters(arguments, answer, properties, required, filled)
        return mismatch, filled

    def _check_parameters(
        self, arguments: Any, answer: Any, properties: Any, required: Any, filled: tuple[str, ...]
    ) -> Mismatch | None:
        for name in required:
            if name not in arguments:
                message = f"Expected `{name}`, which is required, got nothing"
                return Mismatch(
                    Why.MISSING_REQUIRED, ".args" + step(name), message, _PREFIX + "missing_required"
                )
        for name, value in arguments.items():
            path = step(name)
            if name in self.defaults and self._is_default(name, value):
                continue
            if name not in properties or name not in answer:
                message = f"Expected no `{name}`, got {show(value)}"
                return Mismatch(
                    Why.UNEXPECTED_PARAMETER, ".args" + path, message, _PREFIX + "unexpected_param"
                )
            level = self.levels.get(name)
            if level is None:
                level = self.levels[name] = self._level(properties[name], answer[name])
            mismatch = level.check(value, path)
            if mismatch is not None:
                if path in filled:
                    message = f"Expected `{name}`, got nothing (the default is {show(value)})"
                    mismatch = Mismatch(Why.MISSING_OPTIONAL, path, message, _PREFIX + "missing_optional")
                return msgspec.structs.replace(mismatch, path=".args" + mismatch.path)
        for name, allowed in answer.items():
            if name not in arguments and "" not in allowed:
                message = f"Expected `{name}`, got nothing"
                return Mismatch(
                    Why.MISSING_OPTIONAL, ".args" + step(name), message, _PREFIX + "missing_optional"
                )
        return None

    def _is_default(self, name: str, value: Any) -> bool:
        reading = self.shape.field(name).reading
        return bool(self.settings.rules.forms.deep(value, reading=reading) == self.defaults[name])

    def _level(self, details: Any, allowed: Any) -> OneLevel:
        settings = self.settings
        typed = settings.profile.gate == "evidence"
        return OneLevel(details, allowed, settings.rules.forms, settings.language, typed_values=typed)


def complete_answer_list(allowed: Any, shape: Shape) -> Any:
    """Return a parameter's allowed values, each with the defaults below it."""
    return (
        [complete_answer(item, shape) for item in allowed]
        if isinstance(allowed, list) and shape.fills
        else allowed
    )


def _is_plain_in_code(value: list[Any]) -> bool:
    """Whether a list is a value although answers for code may name a variable: not where it may be one."""
    if any(isinstance(item, (list, dict)) for item in value):
        return False
    texts = [item for item in value if isinstance(item, str)]
    return not texts or (len(value) > 1 and not any(mark in text for text in texts for mark in "({[<"))


def is_plain(answer: Any, shape: Callable[[], Shape], language: str) -> bool:
    """Return whether an answer's arguments are values themselves, and not lists of the allowed ones.

    Where every argument is a list, the schema tells: a parameter that takes no list has a list of allowed values;
    one that takes a list has its value where the items are items.

    >>> from faircall.canonical.shapes import shape_of
    >>> from faircall.types import Tool
    >>> shape = shape_of(Tool("f", "", {"properties": {"ids": {"type": "array", "items": {"type": "integer"}}}}))
    >>> is_plain({"ids": [1, 2]}, lambda: shape, "python"), is_plain({"ids": [[1, 2]]}, lambda: shape, "python")
    (True, False)
    """
    if not isinstance(answer, dict):
        return False
    if not all(isinstance(value, list) for value in answer.values()):
        return True
    votes = False
    for name, value in answer.items():
        inner = shape().field(name)
        if not inner.kinds:
            continue
        if (
            "array" not in inner.kinds
            or inner.members
            or (language != "python" and not _is_plain_in_code(value))
        ):
            return False
        items = inner.items or ANYTHING
        for item in value:
            if item is None or (isinstance(item, str) and item == ""):
                return False
            if isinstance(item, list) and (
                "array" not in items.kinds or all(isinstance(part, list) for part in item)
            ):
                return False
        votes = True
    return votes
