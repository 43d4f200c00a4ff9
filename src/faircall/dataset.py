"""Datasets to look over: BFCL's own data, or anyone's JSON lines with `tools` and `expected`."""

from __future__ import annotations

import difflib
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, Group
from faircall.errors import InputError
from faircall.matching import compile_answers
from faircall.records import read_lines
from faircall.rows import dump_json
from faircall.schema import read_tools

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from faircall.bfcl.data import BenchmarkData, Entry
    from faircall.types import Tool

LANGUAGES: Final = ("python", "java", "javascript")
_FIELDS: Final = (
    "id", "tools", "expected", "question", "language", "category", "held_out", "returned", "turns",
)  # fmt: skip


class Item(msgspec.Struct, frozen=True):
    """One entry of a dataset: what is asked, the tools that are offered, and the key.

    `question` is what the user says, `prompt` all that is said, by whomever. `expected` is empty where no call is
    wanted, and None where there is no key, as for dialogues, whose keys are lines of calls by turn (`turns`).
    `held_out` are the names of tools that the entry says are not to be offered, `returned` says from which turn on
    (counted from 0) a tool is. `where` is the line of a file.
    """

    id: str
    tools: tuple[Tool, ...]
    expected: list[Any] | None = None
    question: str = ""
    prompt: str = ""
    language: str = "python"
    category: str | None = None
    held_out: tuple[str, ...] = ()
    returned: dict[str, int] = {}
    turns: tuple[tuple[str, ...], ...] = ()
    where: str | None = None
    shares_tools: bool = False
    """Whether the tools are those of an environment, which many entries have."""


class Dataset(msgspec.Struct, frozen=True):
    """The entries of a dataset, and the ids that only a question or only a key has.

    `name` says which it is, `hash8` stands for its content.
    """

    name: str
    items: tuple[Item, ...]
    version: str = "none"
    hash8: str = ""
    unpaired: dict[str, str] = {}


def read_dataset(source: str | os.PathLike[str] | IO[bytes], *, name: str | None = None) -> Dataset:
    """Return the dataset of a JSON-lines file, each line with `tools` and `expected`.

    A line may have `id` (else it goes by its number), `question`, `language`, `category`, `held_out` (the names of
    tools that are not to be offered), and for a dialogue `returned` (from which turn on a tool is offered, counted from
    0) and `turns` (the key: for each turn its calls as text). BFCL's own names `function` and `ground_truth` are read
    as well. Raises `InputError`, with the line, for what cannot be read.

    >>> import io
    >>> read_dataset(io.BytesIO(b'{"tools": ["ride"], "expected": [{"ride": {}}]}'), name="mine").items[0].id
    'line 1'
    """
    title = name or str(source)
    items = [_item(record.value, title, record.line) for record in read_lines(source, name=name)]
    if not items:
        raise InputError("no entry is stored", path=title, hint='store {"tools": […], "expected": […]} lines')
    return Dataset(title, tuple(items))


def _item(fields: dict[str, Any], title: str, line: int) -> Item:
    where = f"{title}:{line}"
    fields = dict(fields)
    for own, other in (("function", "tools"), ("ground_truth", "expected")):
        if own in fields and other not in fields:
            fields[other] = fields.pop(own)
    for name in _FIELDS:
        if name not in fields and (
            close := difflib.get_close_matches(name, fields.keys() - set(_FIELDS), 1, cutoff=0.8)
        ):
            hint = f"rename it to `{name}`, or to something less alike"
            raise InputError(f"`{close[0]}` is no field", path=title, line=line, hint=hint)
    if "tools" not in fields:
        raise InputError("no `tools`", path=title, line=line, hint="add `tools`")
    expected = fields.get("expected")
    if expected is not None and not isinstance(expected, list):
        hint = "write [] where no call is wanted"
        raise InputError("`expected` is not a list of calls", path=title, line=line, hint=hint)
    held_out = fields.get("held_out") or []
    if not isinstance(held_out, list) or not all(isinstance(each, str) for each in held_out):
        raise InputError(
            "`held_out` is not a list of names", path=title, line=line, hint="write names of tools"
        )
    language = fields.get("language") or "python"
    if language not in LANGUAGES:
        hint = f"write one of {', '.join(LANGUAGES)}"
        raise InputError(f"`language` is {language!r}", path=title, line=line, hint=hint)
    try:
        tools = read_tools(fields["tools"], lenient=True)  # rules report what is broken
        compile_answers(expected or [], tools, language=language)
    except InputError as error:
        raise InputError(str(error), path=title, line=line) from error
    returned, turns = fields.get("returned") or {}, fields.get("turns") or []
    if not isinstance(returned, dict) or not all(
        type(turn) is int and turn >= 0 for turn in returned.values()
    ):
        hint = 'write {"name": the turn from which it is offered, …}'
        raise InputError("`returned` is not an object of turns", path=title, line=line, hint=hint)
    if not isinstance(turns, list) or not all(
        isinstance(turn, list) and all(isinstance(call, str) for call in turn) for turn in turns
    ):
        hint = 'write a list of calls for each turn, such as [["ride(to=1)"], []]'
        raise InputError("`turns` is not a list of lists of calls as text", path=title, line=line, hint=hint)
    id_, category = fields.get("id"), fields.get("category")
    return Item(
        id=id_ if isinstance(id_, str) else f"line {line}" if id_ is None else str(id_),
        tools=tools,
        expected=expected,
        question=text_of(fields.get("question")),
        prompt=_whole(fields.get("question")),
        language=language,
        category=category if isinstance(category, str) else None,
        held_out=tuple(held_out),
        returned=returned,
        turns=tuple(tuple(map(str, turn)) for turn in turns),
        where=where,
    )


def text_of(question: Any) -> str:
    """Return what the user says, of a text or of turns of messages.

    >>> text_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Take me home."}])
    'Take me home.'
    """
    if isinstance(question, str):
        return question
    if isinstance(question, list):
        return "\n".join(text for part in question if (text := text_of(part)))
    if isinstance(question, dict) and question.get("role", "user") == "user":
        return text_of(question.get("content"))
    return ""


def _whole(question: Any) -> str:
    """Return all that is said, of a text or of turns of messages, each with who says it unless it is the user."""
    if isinstance(question, dict):
        role = question.get("role", "user")
        said = _whole(question.get("content"))
        return said if role == "user" else f"[{role}] {said}"
    if isinstance(question, list):
        return "\n".join(map(_whole, question))
    return question if isinstance(question, str) else ""


def benchmark_dataset(benchmark: BenchmarkData) -> Dataset:
    """Return BFCL's own data as a dataset: every category but format sensitivity, whose entries are of others."""
    items: list[Item] = []
    unpaired: dict[str, str] = {}
    for category in CATEGORIES.values():
        if category.group is Group.FORMAT_SENSITIVITY:
            continue
        entries, answers = benchmark.entries(category.name), benchmark.answers(category.name)
        if category.has_answers:
            unpaired |= dict.fromkeys(entries.keys() - answers.keys(), "question")
            unpaired |= dict.fromkeys(answers.keys() - entries.keys(), "key")
        shared: dict[object, tuple[Tool, ...]] = {}
        for id_, entry in entries.items():
            tools = shared.get(entry.tools_key)
            if tools is None:
                tools = shared[entry.tools_key] = read_tools(entry.tools)
            items.append(_benchmark_item(id_, entry, tools, answers.get(id_), single=category.single_turn))
    return Dataset("bfcl-v4", tuple(items), benchmark.version, benchmark.hash8, unpaired)


def _benchmark_item(id_: str, entry: Entry, tools: tuple[Tool, ...], answer: Any, *, single: bool) -> Item:
    returned = {
        name: int(turn) for turn, names in entry.extra.get("missed_function", {}).items() for name in names
    }
    dialogue = entry.category.startswith("multi_turn")
    return Item(
        id=id_,
        tools=tools,
        expected=[] if CATEGORIES[entry.category].wants_call is False else answer if single else None,
        question=text_of(entry.question),
        prompt=_whole(entry.question),
        language=entry.language,
        category=entry.category,
        held_out=tuple(entry.extra.get("excluded_function", ())),
        returned=returned,
        turns=tuple(tuple(map(str, turn)) for turn in answer)
        if dialogue and isinstance(answer, list)
        else (),
        shares_tools=bool(entry.involved_classes),
    )


def lines_of(dataset: Dataset) -> Iterator[str]:
    """Yield a line for each entry that stands for its content, for a hash."""
    for item in dataset.items:
        fields = {name: getattr(item, name) for name in item.__struct_fields__ if name != "where"}
        yield dump_json({**fields, "tools": [msgspec.to_builtins(tool) for tool in item.tools]})
