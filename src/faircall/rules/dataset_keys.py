"""Rules on keys beside the schema: what the schema does not have, and what no call can meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from faircall.bfcl.categories import CATEGORIES
from faircall.canonical import step
from faircall.keys import (
    OMITTED,
    KeyCall,
    KeyField,
    KeyObject,
    key_calls,
    key_fields,
    key_objects,
    replay_key,
)
from faircall.matching import compile_answers
from faircall.matching.every_level import is_member, item_values
from faircall.matching.expected_calls import settle
from faircall.matching.reasons import show, show_any_of
from faircall.profiles import PROFILES, Profile, load_profile
from faircall.rules.dataset_subject import ANY_DATASET, keyed, observed, read_example
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.schema import plain_name
from faircall.types import Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.canonical.shapes import Shape
    from faircall.dataset import Dataset, Item
    from faircall.matching import Match

CALLED: Final = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
"""The name of a call that is written as text."""
FAIR: Final = PROFILES["fair-1"]
OFFICIAL: Final = PROFILES["official-2026.3.23"]
LITERAL: Final = load_profile("fair-1+defaults=official")

RIDE: Final = (
    '{"name": "ride", "parameters": {"type": "object", "properties": {"to": {"type": "string"}, '
    '"km": {"type": "integer", "default": 5}, "class": {"type": "string", "enum": ["first", "second"]}}, '
    '"required": ["to"]}}'
)
"""The tool of the examples."""


def comparison_of(item: Item) -> Profile:
    """Return how a key is compared: BFCL's officially, another by the schema, with defaults taken literally.

    The official comparison reads BFCL's dialect of schemas alone.
    """
    return OFFICIAL if item.category in CATEGORIES else LITERAL


def example(key: str, *, more: str = "") -> str:
    """Return an example: one tool, one key for it, and what `more` the line has."""
    return f'{{"tools": [{RIDE}], "expected": [{key}]{more}}}'


SOUND: Final = example('{"ride": {"to": ["home"], "km": [5, ""], "class": ["first", ""]}}')


def _fields(dataset: Dataset) -> Iterator[tuple[Item, KeyCall, KeyField]]:
    for item, calls in keyed(dataset):
        for call in calls:
            if call.tool is not None:
                yield from ((item, call, field) for field in key_fields(call))


def _parts(field: KeyField) -> Iterator[tuple[Any, Shape, str]]:
    """Yield each accepted value with its schema, and the items of lists; objects' fields are fields of their own."""
    for value in field.values:
        yield from _with_items(value, field.shape, field.path, plain=field.plain)


def _with_items(value: Any, shape: Shape, path: str, *, plain: bool) -> Iterator[tuple[Any, Shape, str]]:
    yield value, shape, path
    if isinstance(value, (list, tuple)) and not shape.members:
        for index, item in enumerate(value):
            inner = shape.item(index)
            for each in item_values(item, inner, plain=plain):
                yield from _with_items(each, inner, f"{path}[{index}]", plain=plain)


def _breaks_type(dataset: Dataset) -> Iterator[Observed]:
    forms = settle(FAIR, "python", ()).rules.forms
    for item, _, field in _fields(dataset):
        for part, shape, path in _parts(field):
            code = item.language != "python" and isinstance(part, str)
            wrong = not forms.is_kind(part, shape.kinds, top=field.depth == 0)
            # An optional value may be null, as a way to say that there is none.
            nothing = part is None and not (field.required and path == field.path)
            if nothing or code or not wrong or is_member(part, shape, forms):
                continue
            kinds = sorted(shape.kinds)
            yield observed(
                item,
                path,
                f"The key accepts {show(part)}, which is not of type `{'` or `'.join(kinds)}`",
                value=part,
                type=kinds,
            )


def _breaks_enumeration(dataset: Dataset) -> Iterator[Observed]:
    forms = settle(FAIR, "python", ()).rules.forms
    for item, _, field in _fields(dataset):
        for part, shape, path in _parts(field):
            if not shape.enum or part is None or is_member(part, shape, forms):
                continue
            if isinstance(part, (list, tuple)) and "array" in shape.kinds:
                continue
            yield observed(
                item,
                path,
                f"The key accepts {show(part)}, which is none of {show_any_of(list(shape.enum))}",
                value=part,
                enum=list(shape.enum),
            )


def _required_not_in_key(dataset: Dataset) -> Iterator[Observed]:
    for item, each in _objects(dataset):
        for name in each.shape.required:
            if name not in each.answer:
                message = f"`{name}` is required, and the key has no value for it"
                yield observed(item, each.path, message, parameter=name)


def _objects(dataset: Dataset) -> Iterator[tuple[Item, KeyObject]]:
    for item, calls in keyed(dataset):
        for call in calls:
            if call.tool is not None:
                yield from ((item, each) for each in key_objects(call))


def _required_omittable(dataset: Dataset) -> Iterator[Observed]:
    for item, _, field in _fields(dataset):
        if field.required and field.omittable:
            alone = not field.values
            yield observed(
                item,
                field.path,
                f"`{field.name}` is required, and the key {'only ' if alone else ''}lets it be left out",
                parameter=field.name,
                values=list(field.values),
            )


def _unknown_parameter(dataset: Dataset) -> Iterator[Observed]:
    for item, each in _objects(dataset):
        # Below the top a schema allows other fields unless it says that it does not.
        shuts_out = each.shape.closed or (each.depth == 0 and each.shape.extra is None)
        if not each.shape.properties or not shuts_out:
            continue
        for field in each.fields():
            if not field.known:
                yield observed(
                    item,
                    field.path,
                    f"The schema has no `{field.name}`, which the key names",
                    parameter=field.name,
                    omittable=field.omittable,
                )


def _unknown_tool(dataset: Dataset) -> Iterator[Observed]:
    for item in dataset.items:
        offered = {plain_name(tool.name) for tool in item.tools}
        if not offered:
            continue
        calls = key_calls(item.expected or [], item.tools, item.language)
        named = [(call.name, call.path) for call in calls if call.tool is None]
        for turn, texts in enumerate(item.turns):
            called = [match[1] for text in texts if (match := CALLED.match(text))]
            named += [
                (name, f"$[{turn}]") for name in called if plain_name(name.split(".")[-1]) not in offered
            ]
        for name, path in named:
            yield observed(item, path, f"The key calls `{name}`, which is not offered", tool=name)


def _unsatisfiable(dataset: Dataset) -> Iterator[Observed]:
    for item, calls in keyed(dataset):
        fault = compile_answers(item.expected or [], item.tools, FAIR, item.language).fault
        officially = item.language == "python" and comparison_of(item) is OFFICIAL
        refused = [call for call in calls if officially and not _can_pass(call, item)]
        if fault is None and not refused:
            continue
        path = fault.path if fault is not None and fault.path else refused[0].path
        said = _said(fault) if fault is not None else "Nothing can satisfy the key"
        by = [name for name, by_it in (("the official comparison", refused), ("the schema", fault)) if by_it]
        message = f"{said} (by {' and '.join(by)})"
        yield observed(item, path, message, official=bool(refused), fair=fault is not None)


def _said(found: Match) -> str:
    """Return what a comparison says, without the path at its end."""
    return (found.message or str(found.reason)).rsplit(" - at ", 1)[0]


def _can_pass(call: KeyCall, item: Item) -> bool:
    """Whether some call meets an expected one officially: what is refused is tried with all that the key lists.

    True where the official comparison raises, which says nothing of the key.
    """
    answers = compile_answers(
        [{call.name: call.answer}],
        item.tools,
        OFFICIAL,
        category="multiple",
        form="plain" if call.plain else "allowed",
    )
    [made] = replay_key([call])
    arguments = dict(made[call.name])
    left = {field.name: _ways(field, call) for field in key_fields(call) if field.depth == 0}
    while True:
        found = answers.match([{call.name: arguments}])
        if found.outcome is not Outcome.FAIL:
            return True
        name = next((each for each in left if (found.path or "").startswith(f"$.args{step(each)}")), None)
        way = None if name is None else next(left[name], None)
        if name is None or way is None:
            return False
        arguments = {key: value for key, value in arguments.items() if key != name} | way


def _ways(field: KeyField, call: KeyCall) -> Iterator[dict[str, Any]]:
    """Yield what a call may have for a parameter: each accepted value, nothing, and the mark of nothing as a text."""
    for value in field.values:
        [made] = replay_key([KeyCall(call.name, {field.name: [value]}, call.tool, call.plain, call.path)])
        yield made[call.name]
    yield {}
    yield {field.name: OMITTED}


def _mixed_key(dataset: Dataset) -> Iterator[Observed]:
    for item, calls in keyed(dataset):
        for call in calls:
            listed = [
                name
                for name, value in call.answer.items()
                if isinstance(value, list)
                and (kinds := call.shape.field(name).kinds)
                and "array" not in kinds
            ]
            bare = [name for name, value in call.answer.items() if not isinstance(value, list)]
            if listed and bare:
                message = (
                    f"The key lists accepted values for `{listed[0]}`, and has a bare one for `{bare[0]}`"
                )
                yield observed(item, f"{call.path}.args", message, listed=listed, bare=bare)


def _key_refused(dataset: Dataset) -> Iterator[Observed]:
    for item, calls in keyed(dataset):
        if item.language != "python" or len(calls) != len(item.expected or []):
            continue
        form = "auto" if any(call.plain for call in calls) else "allowed"
        profile = comparison_of(item)
        answers = compile_answers(item.expected or [], item.tools, profile, category=item.category, form=form)
        found = answers.match(replay_key(calls))
        if found.outcome is Outcome.FAIL or (found.outcome is Outcome.VOID and profile is OFFICIAL):
            yield observed(
                item,
                found.path or "$",
                f"The key, made as a call, is refused: {_said(found)}",
                outcome=found.outcome.value,
                error=found.official_error,
            )


KEY_RULES: Final[tuple[Rule[Dataset], ...]] = (
    Rule(
        id="D301",
        slug="value-breaks-type",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key accepts a value that is not of the type that the schema declares.",
        not_claimed="which of the two is wrong, the key or the schema; a model that follows the schema may be right",
        wrong_if="the schema uses a type in a sense of its own",
        command="faircall lint SUITE --select D301",
        reports=(f"{ISSUES}/838",),
        bad=example('{"ride": {"to": [7]}}'),
        good=SOUND,
        check=_breaks_type,
        read=read_example,
    ),
    Rule(
        id="D302",
        slug="value-not-in-enumeration",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key accepts a value that is none of those which the schema lists, with leniency for words.",
        not_claimed="which of the two is wrong; the official comparison does not look at enumerations",
        wrong_if="the schema lists examples where it should list all values",
        command="faircall lint SUITE --select D302",
        reports=(f"{ISSUES}/1313",),
        bad=example('{"ride": {"to": ["home"], "class": ["third"]}}'),
        good=SOUND,
        check=_breaks_enumeration,
        read=read_example,
    ),
    Rule(
        id="D303",
        slug="required-not-in-key",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key has no value for a parameter, or a field of an object, that the schema requires.",
        not_claimed="what the value should be",
        wrong_if="the schema requires more than the tool needs",
        command="faircall lint SUITE --select D303",
        bad=example('{"ride": {"km": [5]}}'),
        good=SOUND,
        check=_required_not_in_key,
        read=read_example,
    ),
    Rule(
        id="D304",
        slug="required-omittable",
        severity=Severity.WARNING,
        versions=ANY_DATASET,
        claim="A key lets a parameter be left out that the schema requires.",
        not_claimed="that a model is failed for it: a call without the parameter is, by either comparison",
        wrong_if="an empty text is a value that the tool takes",
        command="faircall lint SUITE --select D304",
        reports=(f"{ISSUES}/301",),
        bad=example('{"ride": {"to": ["home", ""]}}'),
        good=SOUND,
        check=_required_omittable,
        read=read_example,
    ),
    Rule(
        id="D305",
        slug="unknown-parameter",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key names a parameter that the schema does not have, or a field that the schema rules out.",
        not_claimed="whether the parameter belongs to another tool of the entry",
        wrong_if="the tool takes parameters that its schema does not list, and does not say so",
        command="faircall lint SUITE --select D305",
        bad=example('{"ride": {"to": ["home"], "seats": [2]}}'),
        good=SOUND,
        check=_unknown_parameter,
        read=read_example,
    ),
    Rule(
        id="D306",
        slug="unsatisfiable-key",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="No call can satisfy the key: by the official comparison, whatever accepted value is taken, or by the "
        "schema, which rules all of them out.",
        not_claimed="what the right key would be; under fair-1 an entry that the schema rules out is void, not failed",
        wrong_if="the schema declares a type or a list of values that the tool does not keep to",
        command="faircall lint SUITE --select D306",
        reports=(f"{ISSUES}/838", f"{ISSUES}/1133"),
        bad=example('{"ride": {"to": [""]}}'),
        good=SOUND,
        check=_unsatisfiable,
        read=read_example,
    ),
    Rule(
        id="D307",
        slug="key-refused",
        severity=Severity.ERROR,
        versions="BFCL v4's Python data, and JSON lines with `tools` and `expected`",
        claim="The key, made as a call with a value for everything that it has one for, is refused: by the official "
        "comparison where it is BFCL's, else by one that follows the schema and takes defaults literally.",
        not_claimed="that no other call passes, such as one that leaves out what it may; that is D306",
        wrong_if="the first accepted value is written in a form that only another decoder gives",
        command="faircall lint SUITE --select D307",
        bad=example('{"ride": {"km": [5, ""]}}', more=', "category": "multiple"'),
        good=SOUND,
        check=_key_refused,
        read=read_example,
    ),
    Rule(
        id="D308",
        slug="unknown-tool",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key calls a tool that the entry does not offer.",
        not_claimed="that the model is expected to make up tools",
        wrong_if="the tool list is filled in elsewhere",
        command="faircall lint SUITE --select D308",
        bad=example('{"drive": {"to": ["home"]}}'),
        good=SOUND,
        check=_unknown_tool,
        read=read_example,
    ),
)
"""The rules on keys beside the schema, in the order of their ids."""

MIXED_KEY: Final[Rule[Dataset]] = Rule(
    id="D319",
    slug="mixed-key",
    severity=Severity.ERROR,
    versions=ANY_DATASET,
    claim="One call of a key has lists of accepted values for some parameters and bare values for others, so that the "
    "lists are taken for values.",
    not_claimed="which of the two ways was meant",
    wrong_if="the parameter takes a list, which its schema does not say",
    command="faircall lint SUITE --select D319",
    bad=example('{"ride": {"to": ["home"], "km": 5}}'),
    good=SOUND,
    check=_mixed_key,
    read=read_example,
)
"""The rule on the form of a key."""
