"""The rule on questions that ask for more calls than the key has: a place to look, and not a fault by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from faircall.keys import KeyCall, key_fields
from faircall.rules.dataset_subject import keyed, observed, read_example
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.dataset import Dataset

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NUMBERED: Final = re.compile(r"(?:^|(?<=\s))\(?(\d{1,2})[.)](?=\s+\S)")
_BULLET: Final = re.compile(r"^\s*[-*•]\s+\S", re.MULTILINE)
_BETWEEN: Final = re.compile(r"\s*[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|&|as well as)\s+", re.IGNORECASE)
_SHORT: Final = 3  # words of an item of a list in a sentence


def _fewer_calls(dataset: Dataset) -> Iterator[Observed]:
    for item, calls in keyed(dataset):
        if not item.question or len(calls) < 2:
            continue
        counted = _count(item.question)
        if counted > len(calls):
            message = f"The question numbers {counted} things to do, and the key has {len(calls)} calls"
            yield observed(item, "$", message, counted=counted, calls=len(calls))
            continue
        left = _left_out(item.question, calls)
        if left:
            shown = ", ".join(f"`{each}`" for each in left[:3])
            message = f"The question lists {shown} beside values of the key's {len(calls)} calls, and no call has it"
            yield observed(item, "$", message, listed=left, calls=len(calls))


def _count(question: str) -> int:
    """Return how many things a question numbers: by words at the beginning of a clause, figures or bullets."""
    low = question.casefold()
    words = 0
    while words < len(_ORDINALS) and re.search(rf"\b{_ORDINALS[words]}(?:ly)?,", low):
        words += 1
    found = {int(match[1]) for match in _NUMBERED.finditer(question)}
    figures = 0
    while figures + 1 in found:
        figures += 1
    bullets = len(_BULLET.findall(question))
    return max(words, *(count if count > 1 else 0 for count in (figures, bullets)))


def _left_out(question: str, calls: list[KeyCall]) -> list[str]:
    """Return the items of a list in the question of which several are values of one parameter, and these are none."""
    values: dict[tuple[str, str], set[str]] = {}
    known: set[str] = set()
    for call in calls:
        for field in key_fields(call):
            texts = {str(value).casefold() for value in field.values if isinstance(value, (str, int, float))}
            texts |= {
                str(part).casefold() for value in field.values if isinstance(value, list) for part in value
            }
            known |= texts
            if field.depth == 0:
                values.setdefault((call.name, field.name), set()).update(texts)
    pieces = [piece.strip(" .?!\"'") for piece in _BETWEEN.split(question)]
    low = [piece.casefold() for piece in pieces]
    for texts in values.values():
        for run in _runs(low):
            items = [_item(low[place], first=place == run[0], last=place == run[-1]) for place in run]
            hits = [any(_holds(item, {text}) for text in texts) for item in items]
            left = [
                pieces[place]
                for place, item, hit in zip(run, items, hits, strict=True)
                if place != run[0]
                and not hit
                and item == low[place]
                and _is_name(pieces[place])
                and not _holds(item, known)
            ]
            if left and sum(hits) > max(1, len(left)) and sum(hits) + len(left) == len(run):
                return left
    return []


def _runs(pieces: list[str]) -> Iterator[range]:
    """Yield the stretches of pieces that read like lists: all but the first and the last of them are short."""
    start = 0
    for place in range(1, len(pieces) + 1):
        if place == len(pieces) or len(pieces[place].split()) > _SHORT or not pieces[place]:
            yield range(start, min(place + 1, len(pieces)))
            start = place


def _item(piece: str, *, first: bool, last: bool) -> str:
    """Return the part of a piece that belongs to the list: the end of the first one, the beginning of the last."""
    words = piece.split()
    if len(words) <= _SHORT:
        return piece
    return " ".join(words[-_SHORT:] if first and not last else words[:_SHORT])


def _is_name(item: str) -> bool:
    """Whether an item begins like a name, and is no mere abbreviation, as of a state behind its city."""
    return len(item) > 2 and item[:1].isupper()


def _holds(piece: str, texts: set[str]) -> bool:
    return any(text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", piece) for text in texts)


_CITY: Final = '"tools": [{"name": "forecast", "parameters": {"properties": {"city": {"type": "string"}}}}]'
QUESTION_RULES: Final[tuple[Rule[Dataset], ...]] = (
    Rule(
        id="D312",
        slug="fewer-calls-than-asked",
        severity=Severity.NOTE,
        versions="entries with a question in English",
        claim="Look: the question numbers or lists more things than the key has calls.",
        not_claimed="that the key is wrong; a question may list what one call takes, or what needs none",
        wrong_if="the list is of something else than calls, or a call stands for several things",
        command="faircall lint SUITE --select D312",
        reports=(f"{ISSUES}/235",),
        bad=f'{{{_CITY}, "question": "What of Oslo, Bergen, Tromsø and Bodø?", "expected": '
        '[{"forecast": {"city": ["Oslo"]}}, {"forecast": {"city": ["Bergen"]}}, {"forecast": {"city": ["Bodø"]}}]}',
        good=f'{{{_CITY}, "question": "How is the weather in Oslo and Bergen?", "expected": '
        '[{"forecast": {"city": ["Oslo"]}}, {"forecast": {"city": ["Bergen"]}}]}',
        check=_fewer_calls,
        read=read_example,
    ),
)
"""The rule on questions."""
