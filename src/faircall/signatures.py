"""Tools from Python: functions by their signature and docstring, models by their fields.

Types are turned to JSON Schema by pydantic, docstrings read by docstring-parser; both come with the extra `schema`.
"""

from __future__ import annotations

import functools
import inspect
import typing
import warnings
from typing import TYPE_CHECKING, Any, Final

from faircall.errors import InputError, UsageError
from faircall.types import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

_EXTRA: Final = (
    "a function or a model as a tool needs pydantic and docstring-parser: pip install 'faircall[schema]'"
)
_HINT: Final = (
    "annotate it with types that JSON has a word for, or give the tool as an object with `parameters`"
)


def tool_of_function(function: Callable[..., Any], path: str) -> Tool:
    """Return the tool that a function, method, partial or callable object is.

    The parameters are those of the signature, with the types, defaults and descriptions of the annotations, and the
    descriptions of the docstring (Google's, NumPy's or Sphinx's form) where those give none. ``self`` is left out, and
    so is ``*args``, which no call by name can fill; ``**kwargs`` allows further parameters, which are refused
    otherwise. Raises InputError for types that have no JSON Schema, UsageError where the extra is not installed.

    >>> def ride(to: str, km: int = 5) -> None:
    ...     \"\"\"Book a ride.
    ...
    ...     Args:
    ...         to: Where to.
    ...     \"\"\"
    >>> tool_of_function(ride, "tools[0]").parameters["required"]  # doctest: +SKIP
    ['to']
    """
    name = _name_of(function)
    where = f"{path} `{name}`"
    if not name.isidentifier():
        raise InputError("a function without a name", path=where, hint="define it with `def`")
    try:
        import pydantic  # noqa: PLC0415 - of an extra
        from docstring_parser import parse  # noqa: PLC0415 - of an extra
    except ImportError as error:
        raise UsageError(_EXTRA) from error
    try:
        signature = inspect.signature(function)
        hints = typing.get_type_hints(_hinted(function), include_extras=True)
    except (TypeError, ValueError, NameError, AttributeError) as error:
        raise InputError(f"a signature that cannot be read ({error})", path=where, hint=_HINT) from error
    written = parse(inspect.getdoc(_documented(function)) or "")
    described = {each.arg_name.lstrip("*"): each.description or "" for each in written.params}
    fields: dict[str, Any] = {}
    further: Any = None
    for number, parameter in enumerate(_named(signature, function)):
        annotation = hints.get(parameter.name, Any)
        if parameter.kind is parameter.VAR_KEYWORD:
            further = annotation
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            description = _description_of(annotation) or described.get(parameter.name)
            default = ... if parameter.default is parameter.empty else parameter.default
            # Fields have names of their own, because those of parameters may be pydantic's own words.
            info = pydantic.Field(default, alias=parameter.name, description=description or None)
            fields[f"field_{number}"] = (annotation, info)
    try:
        config = pydantic.ConfigDict(arbitrary_types_allowed=True)
        model = pydantic.create_model(name, __config__=config, **fields)
        schema = _schema_of(model, where)
        if further is None:
            schema["additionalProperties"] = False
        elif further is not Any:
            schema["additionalProperties"] = _schema_of(pydantic.TypeAdapter(further), where)
    except (pydantic.errors.PydanticUserError, TypeError, NameError) as error:
        raise InputError(_one_line(error), path=f"{where}: parameters", hint=_HINT) from error
    schema.pop("title", None)
    for part in schema.get("properties", {}).values():
        part.pop("title", None)
    return Tool(name, _text_of(written), schema)


def tool_of_class(model: type, path: str) -> Tool:
    """Return the tool that a class is: a pydantic model, a dataclass or a TypedDict, whose fields are the parameters.

    Raises InputError for any other class.

    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Ride:
    ...     to: str
    >>> tool_of_class(Ride, "tools[0]").parameters["required"]  # doctest: +SKIP
    ['to']
    """
    name = model.__name__
    where = f"{path} `{name}`"
    try:
        import pydantic  # noqa: PLC0415 - of an extra
    except ImportError as error:
        raise UsageError(_EXTRA) from error
    fielded = hasattr(model, "__dataclass_fields__") or hasattr(model, "__required_keys__")
    if not fielded and not hasattr(model, "model_json_schema"):
        hint = "give a function, a pydantic model, a dataclass or a TypedDict"
        raise InputError("a class without declared fields", path=where, hint=hint)
    try:
        schema = _schema_of(
            model if hasattr(model, "model_json_schema") else pydantic.TypeAdapter(model), where
        )
    except (pydantic.errors.PydanticUserError, TypeError, NameError) as error:
        raise InputError(_one_line(error), path=f"{where}: parameters", hint=_HINT) from error
    schema.pop("title", None)
    described = schema.pop("description", None) or ("" if fielded else inspect.getdoc(model))
    return Tool(name, described or "", schema)


def _schema_of(source: Any, where: str) -> dict[str, Any]:
    """The JSON Schema of a model or an adapter; defaults that JSON cannot write are left out."""
    make = source.model_json_schema if hasattr(source, "model_json_schema") else source.json_schema
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = make(by_alias=True)
    if not isinstance(schema, dict):
        raise InputError("no schema of an object", path=where, hint=_HINT)
    return schema


def _named(signature: inspect.Signature, function: Any) -> list[inspect.Parameter]:
    parameters = list(signature.parameters.values())
    inside = "." in getattr(function, "__qualname__", "").rpartition("<locals>.")[2]
    if parameters and inside and not hasattr(function, "__self__") and parameters[0].name in {"self", "cls"}:
        del parameters[0]  # a method that is taken from its class
    return parameters


def _hinted(function: Any) -> Any:
    """What has the annotations of a callable."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isroutine(function):
        return inspect.unwrap(function)
    return type(function).__call__


def _documented(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.getdoc(type(function)):
        return type(function).__call__
    return function if inspect.isroutine(function) else type(function)


def _name_of(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None) or type(function).__name__
    return str(name)


def _description_of(annotation: Any) -> str:
    """The words that an annotation has beside its type: a string, or the documentation of `Doc`."""
    for word in getattr(annotation, "__metadata__", ()):
        if isinstance(word, str):
            return word
        for key in ("documentation", "description"):
            if isinstance(getattr(word, key, None), str):
                return str(getattr(word, key))
    return ""


def _text_of(written: Any) -> str:
    parts = [part.strip() for part in (written.short_description, written.long_description) if part]
    return "\n\n".join(parts)


def _one_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200]
