"""What the page's script needs to find entries: a list for each category of each run, and what the entries ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.bfcl.questions import Questions
from faircall.details import question_row
from faircall.rows import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from faircall.aggregate import Tally
    from faircall.details import Details
    from faircall.report.page.shards import Shards


class EntryList(msgspec.Struct, frozen=True):
    """The entries of one category of a run: the shard that has them, that of the questions, and how many there are."""

    category: str
    shard: str
    questions: str | None
    n: int


def add_entries(
    shards: Shards, number: int, tallies: Mapping[str, Tally], details: Details, questions: Mapping[str, str]
) -> tuple[EntryList, ...]:
    """Pack the entries of a run, a shard for each category, and return where they are."""
    made = []
    for name, tally in tallies.items():
        shard = f"run-{number + 1}-{name}"
        shards.add(shard, details.lines(number, name))
        made.append(EntryList(name, shard, questions.get(name), tally.n))
    return tuple(made)


def add_questions(shards: Shards, categories: Sequence[str], data: str | None) -> dict[str, str]:
    """Pack what the entries of each category ask, and return the names of these shards.

    `data` is where the benchmark's data is, as for `faircall.score`; raises as it does where there is none.
    """
    made: dict[str, str] = {}
    if not any(name in CATEGORIES for name in categories):
        return made
    questions = Questions(find(data))
    for name in categories:
        if name not in CATEGORIES:
            continue
        made[name] = f"questions-{name}"
        shards.add(made[name], _question_lines(questions, name))
    return made


def _question_lines(questions: Questions, category: str) -> Iterable[str]:
    """Yield a line for each set of tools, once, and one for each entry, which names its set by number."""
    sets: dict[str, int] = {}
    for id_, entry in questions.entries(category).items():
        row = question_row(entry, questions)
        tools = dump_json(row.pop("tools"))
        if tools not in sets:
            sets[tools] = len(sets)
            yield f'{{"tools": {tools}}}'
        yield dump_json({"id": id_, "set": sets[tools], **row})
