"""Rules on entries as a whole: tools that are held out, names that are alike, entries that repeat, keys without one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from faircall.canonical.shapes import Shape, shared_shape
from faircall.rows import dump_json
from faircall.rules.dataset_keys import CALLED, RIDE, SOUND
from faircall.rules.dataset_subject import ANY_DATASET, observed, read_example
from faircall.rules.points import points_of
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.schema import plain_name
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.dataset import Dataset, Item


def _held_out_offered(dataset: Dataset) -> Iterator[Observed]:
    for item in dataset.items:
        offered = {tool.name for tool in item.tools}
        names = [name for name in item.held_out if name in offered]
        if names:
            shown = ", ".join(f"`{name}`" for name in names)
            yield observed(
                item, "$.tools", f"The entry holds out {shown}, and offers it all the same", tools=names
            )


def _withheld_in_key(dataset: Dataset) -> Iterator[Observed]:
    for item in dataset.items:
        for turn, calls in enumerate(item.turns):
            called = {name for call in calls if (match := CALLED.match(call)) for name in (match[1],)}
            early = sorted(name for name in called if item.returned.get(name, 0) > turn)
            if early:
                shown = ", ".join(f"`{name}`" for name in early)
                back = max(item.returned[name] for name in early)
                message = (
                    f"The key calls {shown} in turn {turn}, and the tool is not offered before turn {back}"
                )
                yield observed(item, f"$[{turn}]", message, tools=early, turn=turn, returned=back)


def _duplicates(dataset: Dataset) -> Iterator[Observed]:
    groups: dict[str, list[Item]] = {}
    for item in dataset.items:
        if item.question.strip() and not item.shares_tools:
            text = " ".join(item.prompt.casefold().split())
            tools = sorted(dump_json(tool) for tool in item.tools)
            groups.setdefault(dump_json([text, tools]), []).append(item)
    for items in groups.values():
        if len(items) == 1:
            continue
        first, *others = items
        same = all(repr(other.expected) == repr(first.expected) for other in others)
        shown = ", ".join(other.id for other in others[:3]) + (
            f" and {len(others) - 3} more" if len(others) > 3 else ""
        )
        ids = [item.id for item in items]
        message = f"The question and the tools are those of {shown} as well"
        if {bool(item.expected) for item in items if item.expected is not None} == {True, False}:
            message += ", and a call is wanted of one and none of another"
        else:
            message += ", with the same key" if same else ", and the keys differ"
        yield observed(first, "$.question", message, ids=ids, same_key=same)


def _ambiguous_names(dataset: Dataset) -> Iterator[Observed]:
    for item in dataset.items:
        counts = Counter(plain_name(tool.name) for tool in item.tools)
        for name, count in counts.items():
            if count > 1:
                names = sorted({tool.name for tool in item.tools if plain_name(tool.name) == name})
                how = (
                    "have one name" if len(names) == 1 else "have one name where an interface allows no dots"
                )
                shown = ", ".join(f"`{each}`" for each in names)
                message = f"{count} of the offered tools {how}: {shown}"
                yield observed(item, "$.tools", message, tools=names, count=count)


def _required_undeclared(dataset: Dataset) -> Iterator[Observed]:
    seen: dict[tuple[str, str], tuple[Item, list[str]]] = {}
    for item in dataset.items:
        for tool in item.tools:
            for path, name in _undeclared(shared_shape(tool), "", set()):
                ids = seen.setdefault((tool.name + path, name), (item, []))[1]
                if not ids or ids[-1] != item.id:
                    ids.append(item.id)
    for (path, name), (item, ids) in seen.items():
        more = f" ({len(ids)} entries)" if len(ids) > 1 else ""
        found = observed(
            item, path, f"`{name}` is required, and the schema does not declare it{more}", parameter=name,
            entries=len(ids), ids=ids[:5],
        )  # fmt: skip
        yield found._replace(points=None)


def _undeclared(shape: Shape, path: str, seen: set[int]) -> Iterator[tuple[str, str]]:
    if id(shape) in seen:
        return
    seen.add(id(shape))
    yield from ((path, name) for name in shape.required if name not in shape.properties)
    for name, inner in shape.properties.items():
        yield from _undeclared(inner, f"{path}.{name}", seen)
    if shape.items is not None:
        yield from _undeclared(shape.items, f"{path}[]", seen)


def _unpaired(dataset: Dataset) -> Iterator[Observed]:
    for id_, what in dataset.unpaired.items():
        other = {"question": "key", "key": "question"}[what]
        yield Observed(
            id_, f"{id_}: There is a {what} of this id, and no {other}.", {"has": what, "lacks": other}
        )
    counts = Counter(item.id for item in dataset.items)
    for item in dataset.items:
        if counts[item.id] > 1:
            count = counts.pop(item.id)
            places = [each.where for each in dataset.items if each.id == item.id and each.where is not None]
            where = f" ({', '.join(places[:3])})" if places else ""
            evidence: dict[str, Any] = {
                "category": item.category,
                "entries": count,
                "where": places[0] if places else None,
            }
            message = f"{item.id}: {count} entries have this id{where}."
            yield Observed(item.id, message, evidence, points=points_of(item.category, count - 1))


ENTRY_RULES: Final[tuple[Rule[Dataset], ...]] = (
    Rule(
        id="D313",
        slug="held-out-tool-offered",
        severity=Severity.ERROR,
        versions="BFCL v4's multi-turn data (`excluded_function`), and JSON lines with `held_out`",
        claim="An entry names a tool that is to be held out, and the tool is offered all the same.",
        not_claimed="that a model gains by it; a model may do with the tool what the entry meant it to do without",
        wrong_if="what generates the outputs takes the tool away itself; bfcl-eval 2026.3.23 does not",
        command="faircall lint SUITE --select D313",
        bad=f'{{"tools": [{RIDE}], "held_out": ["ride"]}}',
        good=f'{{"tools": [{RIDE}], "held_out": ["drive"]}}',
        check=_held_out_offered,
        read=read_example,
    ),
    Rule(
        id="D314",
        slug="withheld-tool-in-key",
        severity=Severity.ERROR,
        versions="BFCL v4's multi-turn data (`missed_function`), and JSON lines with `returned` and `turns`",
        claim="The key of a dialogue calls a tool in a turn before the one in which it is offered.",
        not_claimed="that the entry cannot be solved; another tool may lead to the same state",
        wrong_if="what generates the outputs offers the tool earlier than the entry says",
        command="faircall lint SUITE --select D314",
        reports=(f"{ISSUES}/1254",),
        bad=f'{{"tools": [{RIDE}], "returned": {{"ride": 1}}, "turns": [["ride(to=\'home\')"], []]}}',
        good=f'{{"tools": [{RIDE}], "returned": {{"ride": 1}}, "turns": [[], ["ride(to=\'home\')"]]}}',
        check=_withheld_in_key,
        read=read_example,
    ),
    Rule(
        id="D315",
        slug="duplicate-entry",
        severity=Severity.WARNING,
        versions="single-turn entries with a question",
        claim="Two entries have the same question, the same system prompt and the same tools, but for letter case and "
        "spaces.",
        not_claimed="that one of them has to go; where the keys differ, at least one call is wrong for one of them",
        wrong_if="something that is not in the entry tells them apart",
        command="faircall lint SUITE --select D315",
        bad=f'{{"tools": [{RIDE}], "question": "Take me home."}}\n{{"tools": [{RIDE}], "question": "take me home."}}',
        good=f'{{"tools": [{RIDE}], "question": "Take me home."}}\n{{"tools": [{RIDE}], "question": "Take me there."}}',
        check=_duplicates,
        read=read_example,
    ),
    Rule(
        id="D316",
        slug="ambiguous-names",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="Two tools of an entry have the same name, or names that become the same where dots are not allowed.",
        not_claimed="which of them a model means; neither can a scorer tell",
        wrong_if="the tools are the same, given twice",
        command="faircall lint SUITE --select D316",
        bad='{"tools": ["geo.find", "geo_find"]}',
        good='{"tools": ["geo.find", "geo.list"]}',
        check=_ambiguous_names,
        read=read_example,
    ),
    Rule(
        id="D317",
        slug="required-undeclared",
        severity=Severity.WARNING,
        versions="tools in the schema dialects of BFCL, OpenAI, Anthropic, Gemini and MCP",
        claim="A schema requires a parameter that it does not declare.",
        not_claimed="that the tool has no such parameter",
        wrong_if="the parameter is declared by a part of the schema that is kept elsewhere",
        command="faircall lint SUITE --select D317",
        bad='{"tools": [{"name": "ride", "parameters": {"properties": {"to": {}}, "required": ["form"]}}]}',
        good=SOUND,
        check=_required_undeclared,
        read=read_example,
    ),
    Rule(
        id="D318",
        slug="unpaired-id",
        severity=Severity.ERROR,
        versions=ANY_DATASET,
        claim="A question has no key of its id, a key has no question, or several entries have one id.",
        not_claimed="that the official tool fails on it: it pairs questions and keys by their place",
        wrong_if="the keys of some entries are meant to be elsewhere",
        command="faircall lint SUITE --select D318",
        reports=(f"{ISSUES}/1196",),
        bad='{"id": "a", "tools": ["ride"]}\n{"id": "a", "tools": ["ride"]}',
        good='{"id": "a", "tools": ["ride"]}\n{"id": "b", "tools": ["ride"]}',
        check=_unpaired,
        read=read_example,
    ),
)
"""The rules on entries as a whole, in the order of their ids."""
