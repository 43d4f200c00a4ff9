"""Calls against the schemas of their tools, by the `jsonschema` library: what a tool would refuse, and where."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.canonical import bind_positional, step
from faircall.canonical.shapes import SchemaKey, shared_shape
from faircall.decoding.structured import read_stored
from faircall.dialects import KINDS, Standard
from faircall.errors import InputError, UsageError
from faircall.matching.reasons import kind_word, show, show_any_of
from faircall.schema import find_tool, read_tools
from faircall.types import Call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faircall.types import Tool

INVALID: Final = "invalid-arguments"
"""The reason of a call that breaks the schema of its tool, where that is asked for."""
_EXTRA: Final = "validation needs jsonschema: pip install 'faircall[schema]'"
_MOST_PROBLEMS: Final = 20
_HINT: Final = "mend the tool's schema"


class Problem(msgspec.Struct, frozen=True):
    """What a tool's schema refuses in a call: where (`$.args.unit`), in words, and by which word of the schema."""

    path: str
    message: str
    word: str

    def __str__(self) -> str:
        return f"{self.message} - at `{self.path}`"


def validate(call: Any, tools: Any) -> tuple[Problem, ...]:
    """Return what the schema of its tool refuses in a call, in the order of the path; nothing where it is valid.

    `call` is a `Call`, ``{name: arguments}``, or a call as providers write it; `tools` are as in `check`. The schema is
    put into JSON Schema's own words first (`dict`, `float`, `STRING`, `nullable`…), and follows Draft 2020-12 unless
    its `$schema` says otherwise. Formats are checked. References that lead out of the schema are not followed. Of a
    call's problems the first twenty are returned. A tool that is not offered is a problem at `$.name`.

    Raises InputError for a call that cannot be read and for a schema that is broken (a type that is none, a reference
    that leads nowhere), with the tool and the place; UsageError where the extra `schema` is not installed.

    >>> ride = {"name": "ride", "parameters": {"type": "dict", "properties": {"km": {"type": "float"}}}}
    >>> [str(problem) for problem in validate({"ride": {"km": "far"}}, [ride])]  # doctest: +SKIP
    ['Expected `float`, got `string` - at `$.args.km`']
    """
    offered = read_tools(tools)
    read = call if isinstance(call, Call) else _read_call(call, offered)
    tool = find_tool(read.name, offered)
    if tool is None:
        named = f", one of {show_any_of([each.name for each in offered])}" if offered else ""
        message = f"Expected the name of an offered tool{named}, got {show(read.name)}"
        return (Problem("$.name", message, "name"),)
    validator = _validator_of(SchemaKey(tool))
    arguments, rest = read.arguments, read.positional
    if rest:
        arguments, rest, problem = bind_positional(arguments, rest, shared_shape(tool))
        if rest:
            return (Problem("$.args", problem, "positional"),)
    return validator.problems(arguments)


def first_problem(calls: Sequence[Call], tools: Sequence[Tool]) -> Problem | None:
    """Return the first thing that the tools' schemas refuse in calls, or None; of several calls the path has the index.

    >>> first_problem([Call("ride")], read_tools(["walk"])).path
    '$.name'
    """
    for index, call in enumerate(calls):
        for problem in validate(call, tuple(tools)):
            where = "$" if len(calls) == 1 else f"$[{index}]"
            return msgspec.structs.replace(problem, path=where + problem.path[1:])
    return None


def _read_call(call: Any, tools: tuple[Tool, ...]) -> Call:
    try:
        calls = read_stored([call], tools).calls
    except ValueError as error:
        raise InputError(f"a call that cannot be read ({error})", path="call") from error
    if len(calls) != 1:
        hint = 'give one call, such as {"ride": {"to": "home"}}'
        raise InputError(f"expected one call, got {len(calls)}", path="call", hint=hint)
    return calls[0]


@lru_cache(maxsize=256)
def _validator_of(key: SchemaKey) -> _Validator:
    return _Validator(key.tool)


class _Validator:
    """The validator of one tool's arguments; making it refuses a broken schema."""

    def __init__(self, tool: Tool) -> None:
        try:
            import jsonschema  # noqa: PLC0415 - of an extra
            from jsonschema.validators import validator_for  # noqa: PLC0415 - of an extra
            from jsonschema_specifications import REGISTRY  # noqa: PLC0415 - of an extra
        except ImportError as error:
            raise UsageError(_EXTRA) from error
        self.where = f"tool `{tool.name}`"
        self.standard = Standard(tool.parameters)
        _refuse_unknown_types(tool.parameters, f"{self.where}: parameters")
        schema = self.standard.schema
        draft = validator_for(schema, default=jsonschema.Draft202012Validator)
        try:
            draft.check_schema(schema)
        except jsonschema.SchemaError as error:
            place = "".join(f".{part}" for part in error.absolute_path)
            raise InputError(
                _short(error.message), path=f"{self.where}: parameters{place}", hint=_HINT
            ) from error
        except (re.error, RecursionError) as error:
            raise InputError(
                f"a schema that cannot be read ({error})", path=self.where, hint=_HINT
            ) from error
        # A registry of its own is what keeps references from being fetched.
        self.validator = draft(schema, registry=REGISTRY, format_checker=draft.FORMAT_CHECKER)

    def problems(self, arguments: dict[str, Any]) -> tuple[Problem, ...]:
        """Return what the schema refuses in the arguments."""
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - of an extra

        found: list[Problem] = []
        try:
            for error in self.validator.iter_errors(_as_json(arguments)):
                found += self._told(error)
                if len(found) >= _MOST_PROBLEMS:
                    break
        except Unresolvable as error:
            what = f"a reference that leads nowhere (`{getattr(error, 'ref', '')}`)"
            raise InputError(what, path=f"{self.where}: parameters", hint=_HINT) from error
        except re.error as error:
            raise InputError(
                f"a pattern that cannot be read ({error})", path=self.where, hint=_HINT
            ) from error
        except RecursionError:
            return (Problem("$.args", "Expected a value, got one that is nested too deeply", "depth"),)
        return tuple(sorted(found[:_MOST_PROBLEMS], key=lambda problem: problem.path))

    def _told(self, error: Any) -> Iterator[Problem]:
        path = "$.args" + "".join(
            f"[{part}]" if isinstance(part, int) else step(part) for part in error.absolute_path
        )
        word, wanted, given = error.validator, error.validator_value, error.instance
        if word is None:
            yield Problem(path, f"Expected nothing, got {show(given)}", "false")
        elif word == "required":
            for name in wanted:
                if name not in given:
                    yield Problem(
                        path + step(name), "Expected a value, got none: the parameter is required", word
                    )
        elif word == "additionalProperties" and wanted is False:
            for name in _additional(given, error.schema):
                yield Problem(path + step(name), "the schema has no such parameter", word)
        else:
            yield Problem(path, self._expected(error, word, wanted, given), word)

    def _expected(self, error: Any, word: str, wanted: Any, given: Any) -> str:
        if word == "type":
            return f"Expected {self._types(error)}, got `{kind_word(given)}`"
        if word == "enum":
            return f"Expected {'any of ' if len(wanted) > 1 else ''}{show_any_of(list(wanted))}, got {show(given)}"
        if word == "const":
            return f"Expected {show(wanted)}, got {show(given)}"
        if word in {"anyOf", "oneOf"}:
            matching = (
                len(wanted) - len({each.schema_path[0] for each in error.context}) if error.context else 2
            )
            number = "one" if word == "oneOf" else "any"
            count = f" that follows {number} of {len(wanted)} alternatives"
            return f"Expected a value{count}, got {show(given)}" + (
                f", which follows {matching}" if matching else ""
            )
        return f"Expected {word} {show(wanted)}, got {show(given)}"

    def _types(self, error: Any) -> str:
        """The types that are asked for, in the tool's own words."""
        own = self.standard.words.get(id(error.schema), {}).get("type", error.validator_value)
        names = [name for name in (own if isinstance(own, (list, tuple)) else [own]) if isinstance(name, str)]
        if (
            isinstance(error.validator_value, list)
            and "null" in error.validator_value
            and "null" not in names
        ):
            names.append("null")
        return " or ".join(f"`{name}`" for name in names)


def _additional(given: Any, schema: Any) -> list[Any]:
    listed = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    return [
        name for name in given if name not in listed and not any(re.search(each, name) for each in patterns)
    ]


def _refuse_unknown_types(schema: Any, path: str, depth: int = 0) -> None:
    """Raise InputError for a type that no dialect has a word for; matching asks nothing there."""
    if not isinstance(schema, dict) or depth > 50:
        return
    stated = schema.get("type")
    for name in stated if isinstance(stated, list) else [stated]:
        if isinstance(name, str) and name.lower() not in KINDS and name.lower() not in {"any", ""}:
            raise InputError(f"`{name}` is no type", path=f"{path}.type", hint=_HINT)
        if name is not None and not isinstance(name, str):
            raise InputError("a type is a name, or a list of names", path=f"{path}.type", hint=_HINT)
    for key in ("properties", "$defs", "definitions"):
        parts = schema.get(key)
        for name, part in parts.items() if isinstance(parts, dict) else ():
            _refuse_unknown_types(part, f"{path}.{key}.{name}", depth + 1)
    for key in ("items", "additionalProperties"):
        _refuse_unknown_types(schema.get(key), f"{path}.{key}", depth + 1)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        parts = schema.get(key)
        for index, part in enumerate(parts) if isinstance(parts, list) else ():
            _refuse_unknown_types(part, f"{path}.{key}[{index}]", depth + 1)


def _as_json(value: Any) -> Any:
    """A value with its tuples as lists and its keys as text, as JSON has them."""
    if isinstance(value, dict):
        return {str(key): _as_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(part) for part in value]
    return value


def _short(message: str) -> str:
    return " ".join(message.split())[:200]
