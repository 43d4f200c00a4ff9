"""Rules on declared defaults: those that break their own schema, and those that a key and a comparison tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.canonical import step, suits
from faircall.canonical.shapes import ABSENT, Shape, shared_shape
from faircall.keys import default_sites, shorten_key, with_default
from faircall.matching import compile_answers
from faircall.matching.reasons import show, show_any_of
from faircall.rules.dataset_keys import SOUND, comparison_of, example
from faircall.rules.dataset_subject import ANY_DATASET, keyed, observed, read_example
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.types import Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.dataset import Dataset, Item
    from faircall.keys import DefaultSite, KeyCall

_MOST_IDS: Final = 5
_PLACES: Final = {"": "parameter", "field": "nested field", "item": "field of a list's items"}


def _default_breaks_schema(dataset: Dataset) -> Iterator[Observed]:
    seen: dict[tuple[str, str, str], list[str]] = {}
    first: dict[tuple[str, str, str], tuple[Item, Shape]] = {}
    for item in dataset.items:
        for tool in item.tools:
            for path, shape in _defaults(shared_shape(tool), "", set()):
                if shape.default is not None and not suits(shape.default, shape):
                    key = tool.name, path, repr(shape.default)
                    ids = seen.setdefault(key, [])
                    if not ids or ids[-1] != item.id:
                        ids.append(item.id)
                    first.setdefault(key, (item, shape))
    for (tool_name, path, _), ids in seen.items():
        item, shape = first[tool_name, path, _]
        wanted = (
            f"none of {show_any_of(list(shape.enum))}"
            if shape.enum
            else f"not of type `{'` or `'.join(sorted(shape.kinds))}`"
        )
        more = f" ({len(ids)} entries)" if len(ids) > 1 else ""
        found = observed(
            item,
            f"{tool_name}{path}",
            f"The declared default {show(shape.default)} is {wanted}{more}",
            default=shape.default,
            entries=len(ids),
            ids=ids[:_MOST_IDS],
        )
        yield found._replace(points=None)


def _defaults(shape: Shape, path: str, seen: set[int]) -> Iterator[tuple[str, Shape]]:
    """Yield each declared default once, by the first path that leads to it."""
    if id(shape) in seen:
        return
    seen.add(id(shape))
    for name, inner in shape.properties.items():
        where = path + step(name)
        if inner.default is not ABSENT and id(inner) not in seen:
            yield where, inner
        yield from _defaults(inner, where, seen)
    if shape.items is not None:
        yield from _defaults(shape.items, f"{path}[]", seen)


def _told_apart(item: Item, calls: list[KeyCall]) -> Iterator[tuple[KeyCall, DefaultSite, bool]]:
    """Yield the places where writing the default out and leaving it out get different verdicts officially.

    The last value says whether the call with the default written out is the one that passes.
    """
    if any(call.plain or call.tool is None for call in calls) or len(calls) != len(item.expected or []):
        return
    sites = [
        (index, site) for index, made in enumerate(shorten_key(calls)) for site in _sites(made, calls[index])
    ]
    if not sites:
        return
    made = shorten_key(calls)
    profile = comparison_of(item)
    answers = compile_answers(
        item.expected or [], item.tools, profile, item.language, category=item.category, form="allowed"
    )
    for index, site in sites:
        call = calls[index]
        passes = []
        for written in (True, False):
            arguments = with_default(made[index][call.name], site, written=written)
            changed = [*made[:index], {call.name: arguments}, *made[index + 1 :]]
            passes.append(answers.match(changed).outcome is Outcome.PASS)
        if passes[0] != passes[1]:
            yield call, site, passes[0]


def _sites(made: dict[str, dict[str, object]], call: KeyCall) -> Iterator[DefaultSite]:
    if call.shape.fills or any(inner.default is not ABSENT for inner in call.shape.properties.values()):
        yield from default_sites(made[call.name], call.shape)


def _omission_refused(dataset: Dataset) -> Iterator[Observed]:
    yield from _one_way(dataset, passes_written=True)


def _default_refused(dataset: Dataset) -> Iterator[Observed]:
    yield from _one_way(dataset, passes_written=False)


def _one_way(dataset: Dataset, *, passes_written: bool) -> Iterator[Observed]:
    for item, calls in keyed(dataset):
        for call, site, written in _told_apart(item, calls):
            if written is not passes_written:
                continue
            default = f"the declared default {show(site.default)}"
            said = (
                f"The key accepts {default}, and a call that leaves it out is refused"
                if written
                else f"The key lets it be left out, and a call with {default} is refused"
            )
            yield observed(
                item, f"{call.path}.args{site.path}", said, default=site.default, place=_PLACES[site.nested]
            )


DEFAULT_RULES: Final[tuple[Rule[Dataset], ...]] = (
    Rule(
        id="D309",
        slug="default-breaks-schema",
        severity=Severity.WARNING,
        versions="tools in the schema dialects of BFCL, OpenAI, Anthropic, Gemini and MCP",
        claim="A declared default is not of its declared type, or none of its declared values.",
        not_claimed="which of the two is wrong; under fair-1 the default is used as it stands",
        wrong_if="the default is a word for none that the tool understands",
        command="faircall lint SUITE --select D309",
        reports=(f"{ISSUES}/1313",),
        bad='{"tools": [{"name": "ride", "parameters": {"properties": {"km": {"type": "integer", "default": ""}}}}]}',
        good=SOUND,
        check=_default_breaks_schema,
        read=read_example,
    ),
    Rule(
        id="D310",
        slug="omission-refused",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key accepts the declared default of an optional value, and a call that leaves the value out, which "
        "means the same, is refused by a comparison that takes defaults literally, as the official one does.",
        not_claimed="that any model is failed for it; `faircall score` names those entries",
        wrong_if="the tool does something else when the value is left out than its schema says",
        command="faircall lint SUITE --select D310",
        reports=(f"{ISSUES}/1314", f"{ISSUES}/1133"),
        bad=example('{"ride": {"to": ["home"], "km": [5]}}'),
        good=SOUND,
        check=_omission_refused,
        read=read_example,
    ),
    Rule(
        id="D311",
        slug="default-refused",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A key lets an optional value be left out, and a call that writes its declared default, which means the "
        "same, is refused by a comparison that takes defaults literally, as the official one does.",
        not_claimed="that any model is failed for it; `faircall score` names those entries",
        wrong_if="the tool does something else when the value is left out than its schema says; the default breaks its "
        "own schema (D309); or the language is Java or JavaScript, for which the official tool wants source text",
        command="faircall lint SUITE --select D311",
        reports=(f"{ISSUES}/1314",),
        bad=example('{"ride": {"to": ["home"], "km": [7, ""]}}'),
        good=SOUND,
        check=_default_refused,
        read=read_example,
    ),
)
"""The rules on declared defaults, in the order of their ids."""
