"""Whether a final answer asserts one of the accepted answers: a rule that is the same every time, and can be shown.

`answer_place` says which part of the text is the answer, `tokens` what counts as the same, `phrases` the words that
deny, give up, search or do not know. Here is what is no assertion: a denial, a value that was given up for another, a
mention beside the answer, a question, words of not knowing, and one of several that are offered.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.dialogue import phrases
from faircall.dialogue.answer_place import Place, find_place, unmarked
from faircall.dialogue.tokens import Token, find_all, fold, plain, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLAUSE: Final = re.compile(
    r"[;:!?()\[\]\n]|\.(?!\d)|,(?!\d)|\s-{1,2}\s"
    r"|\b(?:but|however|although|though|while|whereas|because|since|instead,? it|rather,? it)\b"
)
_SENTENCE: Final = re.compile(r"[;!?\n]|\.(?!\d)")
_JOINS: Final = (
    r"\b(?:and/or|or|either|maybe|perhaps|possibly|alternatively)\b|(?<=[^\W\d])/(?=[^\W\d])|\s/\s|\|"
)
_ITEMS: Final = re.compile(
    rf",(?!\d)|:(?!\d)|;|\n|\b(?:and|plus)\b|&|(?:^|(?<=\s))\(?\d{{1,2}}[.)](?=\s)|{_JOINS}"
)
_ALTERNATIVE: Final = re.compile(_JOINS)
_BRACKETS: Final = re.compile(r"\((?P<inside>[^()\n]{0,300})\)")
_BULLET: Final = re.compile(r"^[ \t]*(?:[-*•+]|\(?\d{1,2}[.)])[ \t]+(?P<item>[^\n]*)$", re.MULTILINE)
_GUESS: Final = re.compile(r"(?P<item>[^.?!;\n]+)[.?!;\n]*")
_RANGE: Final = re.compile(r"(?:^|[^\w.])(\d[\d.,]*)\s{0,2}(?:-|to|through|and)\s{0,2}[$]?(\d[\d.,]*)")
_GOES_ON: Final = re.compile(r"\.(?!\d{3}(?!\d))\d")
"""After a number, what makes it a piece of a version: points before three digits may be those of thousands."""
_BRIEF: Final = 14
"""Words of a text that is all answer, in which what stands beside the answer is no answer."""
_FEW: Final = 6
"""Words of an item of a list of guesses, at the most; longer ones explain."""
_PLAIN_LIST_ITEMS: Final = 4
"""Bare items that commas alone make a list of: a place has up to three parts (`Salem, Oregon, USA`)."""
_YEARS: Final = range(1000, 2101)


class Assertion(msgspec.Struct, frozen=True):
    """What the rule finds.

    `why` is `asserted`, `not-found`, `aside`, `not-given`, `denied`, `several` or `no-conclusion`.

    `where` says which part of the text was looked at (`field`, `label`, `whole`, `conclusion`), `looked_at` is that
    part, `accepted` the accepted answer that decided, `sentence` the one that it stands in, without accents.
    """

    why: str
    where: str
    looked_at: str
    accepted: str | None = None
    sentence: str | None = None

    @property
    def holds(self) -> bool:
        """Whether an accepted answer is asserted."""
        return self.why == "asserted"


def find_assertion(text: str, accepted: Sequence[str]) -> Assertion:
    """Return whether a final answer asserts one of the accepted ones, and what decided.

    >>> find_assertion("{'answer': 'Bergen', 'context': 'Oslo was ruled out'}", ["Oslo"]).why
    'not-found'
    >>> find_assertion("It is certainly not Oslo.", ["Oslo"]).why
    'denied'
    >>> find_assertion("The trail is 35 km long.", ["3.5"]).why, find_assertion("1914-1918", ["1918"]).why
    ('not-found', 'asserted')
    """
    place = find_place(text)
    best: tuple[str, str | None, str | None] = ("no-conclusion", None, None)
    for part in place.parts:
        found = _Part(part, place, accepted).judge()
        if best[0] == "no-conclusion" or _ORDER[found[0]] < _ORDER[best[0]]:
            best = found
    return Assertion(best[0], place.where, "\n".join(place.parts) or text.strip(), *best[1:])


_ORDER: Final = {"asserted": 0, "several": 1, "denied": 2, "not-given": 3, "aside": 4, "not-found": 5}


class _Part:
    """One part of a text in which the answer may be."""

    def __init__(self, text: str, place: Place, accepted: Sequence[str]) -> None:
        bare = unmarked(text)
        self.place = place
        self.accepted = accepted
        self.readings = [(answer, wanted) for answer in accepted for wanted in _readings(answer)]
        self.cased = plain(bare)
        self.folded = fold(bare)
        self.tokens = tokenize(self.folded)
        self.clauses = [(found.start(), found.end()) for found in _CLAUSE.finditer(self.folded)]

    def judge(self) -> tuple[str, str | None, str | None]:
        """Return what the best of the places says at which an accepted answer stands."""
        best: tuple[str, str | None, str | None] = ("not-found", None, None)
        for answer, wanted in self.readings:
            for start, end in find_all(wanted, self.tokens):
                why = self._judge_at(start, end, wanted)
                if _ORDER[why] < _ORDER[best[0]]:
                    first, last = self.tokens[start].start, self.tokens[end - 1].end
                    best = (why, answer, self.cased[slice(*self._sentence(first, last))].strip())
        return best

    def _judge_at(self, start: int, end: int, wanted: list[Token]) -> str:
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        if self._is_of_a_longer_word(first, last) or self._is_no_verdict(start, wanted):
            return "not-found"
        if self._is_beside(first, last):
            return "aside"
        if self._is_denied(start, end) or self._is_given_up(first, last):
            return "denied"
        if self._is_asked(first, last) or self._is_unknown(first):
            return "not-given"
        if self._is_end_of_a_range(first, last, wanted) or self._is_one_of_several(first, last, wanted):
            return "several"
        return "asserted"

    def _is_of_a_longer_word(self, first: int, last: int) -> bool:
        """Whether the words are the end of a compound (`Winston-Salem`), or a piece of a name or a version."""
        before, after = self.folded[max(0, first - 2) : first], self.folded[last : last + 2]
        compound = (
            len(before) > 1 and before[1] == "-" and before[0].isalpha() and self.folded[first].isalpha()
        )
        return (
            compound
            or (before[-1:] == "." and before[:1].isdigit() and self.folded[first].isdigit())
            or (self.folded[last - 1].isdigit() and _GOES_ON.match(self.folded, last) is not None)
            or (before[-1:] == "_" and before[:1].isalnum())
            or (after[:1] == "_" and after[1:].isalnum())
        )

    def _is_beside(self, first: int, last: int) -> bool:
        """Whether the model says something else in the answer that it marked, and this only about it."""
        if len(self.tokens) > _BRIEF:
            return False
        opening, closing = self._sentence(first, last)
        for brackets in _BRACKETS.finditer(self.folded, opening, closing):
            if brackets.start() < first and last <= brackets.end():
                inside = [token for token in tokenize(brackets["inside"]) if token.value not in phrases.ALIAS]
                size = len(tokenize(self.folded[first:last]))
                return bool(tokenize(self.folded[opening : brackets.start()])) and len(inside) > size
        before = self.folded[opening:first]
        return bool(tokenize(before)) and phrases.SIDE.search(before) is not None

    def _is_no_verdict(self, start: int, wanted: list[Token]) -> bool:
        """Whether a yes or a no stands elsewhere than at the beginning, as which it answers."""
        if len(wanted) != 1 or wanted[0].value not in {"yes", "no"}:
            return False
        return not all(token.value in phrases.LEADS_TO_VERDICT for token in self.tokens[:start])

    def _is_denied(self, start: int, end: int) -> bool:
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        opening = max((clause_end for _, clause_end in self.clauses if clause_end <= first), default=0)
        closing = next((clause for clause, _ in self.clauses if clause >= last), len(self.folded))
        before = [str(token.value) for token in self.tokens[:start] if token.start >= opening]
        if self._is_negated(before, str(self.tokens[start].value)):
            return True
        if phrases.DENIED_AFTER.match(self.folded, last):
            return True
        after = [str(token.value) for token in self.tokens[end:] if token.end <= closing][:4]
        if after and after[0] in phrases.COPULAS:
            return any(
                word in phrases.WRONG
                or (word in phrases.NEGATORS and (word, following) not in phrases.HARMLESS)
                for word, following in itertools.pairwise([*after, ""])
            ) or ("ruled" in after and "out" in after)
        return False

    @staticmethod
    def _is_negated(before: list[str], answer: str) -> bool:
        """Whether an odd number of negations reaches the answer from the words before it in its clause."""
        if before[-1:] in (["over"], ["to"]) and phrases.PREFERRED & set(before[:-2]):
            return True
        if before and before[-1] in phrases.BOUNDS:
            return ("rather", "than") in itertools.pairwise(before) or (
                ("other", "than") in itertools.pairwise(before[-2:]) and not ({"no", "none"} & set(before))
            )
        count = 0
        for at, (word, following) in enumerate(itertools.pairwise([*before, answer])):
            if (word, following) in phrases.HARMLESS or (
                word == "doubt" and before[at - 1 : at] in (["no"], ["without"], ["any"])
            ):
                continue
            if (word, following) in phrases.NEGATING_PAIRS or word in phrases.NEGATORS:
                reached = before[at + 1 :]
                beyond = reached[1:] if reached[:1] and reached[0] in phrases.VERBS else reached
                if (
                    not phrases.THINKING & set(reached[:4])
                    and word not in phrases.STRONG
                    and phrases.VERBS & set(beyond)
                ):
                    continue  # a second verb: what was denied is another thing
                count += 1
        return count % 2 == 1

    def _is_unknown(self, first: int) -> bool:
        """Whether the text says that the model does not know, and takes no turn from there to the answer."""
        found = phrases.UNKNOWN.search(self.folded) if self.place.where != "field" else None
        if found is None or found.start() > first:
            return False
        return first < found.end() or not self._turns(found.end(), first)

    def _turns(self, start: int, first: int) -> bool:
        """Whether the text takes a turn between not knowing and the answer."""
        return phrases.TURN.search(self.folded, start, first) is not None

    def _is_given_up(self, first: int, last: int) -> bool:
        if phrases.GIVEN_UP_BEFORE.search(
            self.folded[max(0, first - 100) : first]
        ) and phrases.GIVEN_UP_AFTER.match(self.folded, last):
            return True
        if phrases.CLAIM_BEFORE.search(self.folded[max(0, first - 80) : first]) and phrases.CLAIM_AFTER.match(
            self.folded, last
        ):
            return True
        if phrases.WAS.search(self.folded[max(0, first - 40) : first]) and phrases.IS_NOW.match(
            self.folded, last
        ):
            return True
        return bool(
            re.search(r"\bfrom\s$", self.folded[max(0, first - 6) : first])
            and re.match(r"\s(?:to|into)\b", self.folded[last : last + 8])
            and not self.folded[last - 1].isdigit()
        )

    def _is_asked(self, first: int, last: int) -> bool:
        """Whether the answer stands in a question, or in words of what will be done."""
        if self.place.where == "field":
            return False
        _, closing = self._sentence(first, last)
        rest = self.folded[closing : closing + 1]
        if rest == "?" and (len(self.folded[closing + 1 :].strip()) == 0 or self.place.stated):
            return True
        return phrases.SEARCHING.search(self.folded[max(0, first - 120) : first]) is not None

    def _sentence(self, first: int, last: int) -> tuple[int, int]:
        opening = 0
        closing = len(self.folded)
        for found in _SENTENCE.finditer(self.folded):
            if found.end() <= first:
                opening = found.end()
            elif found.start() >= last:
                closing = found.start()
                break
        return opening, closing

    def _is_end_of_a_range(self, first: int, last: int, wanted: list[Token]) -> bool:
        """Whether a number is the end of a range: of years each end is given, of other numbers neither."""
        if len(wanted) != 1 or wanted[0].kind != "number":
            return False
        opening, closing = self._sentence(first, last)
        for found in _RANGE.finditer(self.folded, opening, closing):
            if any(token.kind == "date" and token.start <= first < token.end for token in self.tokens):
                break
            if (found.start(1) <= first < found.end(1)) or (found.start(2) <= first < found.end(2)):
                joined = self.folded[found.end(1) : found.start(2)].strip()
                if joined == "and" and not re.search(r"\bbetween\s{0,3}[$]?$", self.folded[: found.start(1)]):
                    continue
                ends = [int(float(found[number].strip(".,").replace(",", "") or 0)) for number in (1, 2)]
                return not all(end in _YEARS for end in ends)
        return False

    def _is_one_of_several(self, first: int, last: int, wanted: list[Token]) -> bool:
        if self._in_line_list(first, last) or self._in_row(wanted):
            return True
        if (other := phrases.OR_ELSE.match(self.folded, last)) and not self._accepts(other["item"]):
            return True
        if wanted[0].value in {"yes", "no"} and phrases.BOTH.match(self.folded, last):
            return True
        opening, closing = self._sentence(first, last)
        if len(phrases.POSSIBLE.findall(self.folded, opening, closing)) > 1:
            return True
        closing = self._semicolons(opening, closing, last)
        first, last = first - opening, last - opening
        sentence = self._without_brackets(self.folded[opening:closing], first, last)
        sentence = phrases.HEDGES.sub(lambda found: " " * len(found.group()), sentence)
        if excluded := phrases.EXCLUDED.search(sentence, last):
            sentence = sentence[: excluded.start()]
        items, joins = _split(sentence, first, last)
        own = next(
            (number for number, (start, end) in enumerate(items) if start <= first and last <= end), None
        )
        if own is None:
            return False
        texts = [sentence[start:end] for start, end in items]
        mine = {token.value for token in tokenize(sentence[first:last])}
        kind = all(token.kind == "number" for token in wanted)
        rivals = {
            number
            for number, text in enumerate(texts)
            if number != own and self._is_rival(text, mine, numbers=kind)
        }
        if self._is_joined(joins, own, rivals, texts, len(mine)):
            return True
        if not rivals or len(tokenize(texts[own])) > len(tokenize(sentence[first:last])) + 1:
            return (
                False  # nothing else is offered, or the answer stands in words of its own and not in a list
            )
        return self._is_list(sentence, joins, own, rivals, texts, opening)

    def _semicolons(self, opening: int, closing: int, last: int) -> int:
        """Take a list that semicolons make as one sentence, where all of its items are short."""
        end = self.folded.find("\n", last)
        whole = self.folded[opening : end if end >= 0 else len(self.folded)]
        parts = whole.split(";")
        if len(parts) > 1 and all(_is_short(part) for part in parts if part.strip(" .")):
            return opening + len(whole)
        return closing

    @staticmethod
    def _without_brackets(sentence: str, first: int, last: int) -> str:
        """Blank what explains the answer in brackets; a bare alternative in them stays."""

        def blanked(found: re.Match[str]) -> str:
            inside = tokenize(found["inside"])
            if found.start() < last and first < found.end():
                return found.group()
            if inside and inside[0].value in {"or", "maybe", "possibly", "perhaps"} and len(inside) <= 4:
                return f" {found['inside']} "
            return " " * len(found.group())

        return _BRACKETS.sub(blanked, sentence)

    def _is_rival(self, text: str, mine: set[object], *, numbers: bool) -> bool:
        """Whether an item of a list is another answer of the same kind."""
        tokens = tokenize(text)
        if not tokens or len(tokens) > _FEW or self._accepts(text):
            return False
        if not {token.value for token in tokens} - mine:
            return False  # the same words in another order
        return not numbers or any(token.kind == "number" for token in tokens)

    def _is_joined(self, joins: list[str], own: int, rivals: set[int], texts: list[str], size: int) -> bool:
        """Whether an `or`, a stroke or a `maybe` stands between the answer's item and a rival."""
        for place, other in ((own - 1, own - 1), (own, own + 1)):
            if not 0 <= place < len(joins) or other not in rivals:
                continue
            if joins[place].strip() == "/":
                # A stroke parts bare words; after a number, in a unit or an address it does not.
                bare = len(tokenize(texts[own])) <= size and len(tokenize(texts[other])) <= size + 1
                if not bare or any(sign.isdigit() for sign in texts[own] + texts[other]):
                    continue
            if _is_alternative(joins[place]):
                return True
        # `Oslo, Bergen or Hamar`: the comma stands for the `or` at the end.
        return any(
            re.search(r"\bor\b", join)
            and number + 1 in rivals
            and all(part.strip() == "," for part in joins[own:number])
            for number, join in enumerate(joins)
            if number > own
        ) and all(number in rivals for number in range(own + 1, len(texts)) if tokenize(texts[number]))

    def _is_list(
        self, sentence: str, joins: list[str], own: int, rivals: set[int], texts: list[str], opening: int
    ) -> bool:
        filled = [number for number, text in enumerate(texts) if tokenize(text)]
        if any(number != own and number not in rivals for number in filled):
            return False
        signs = {sign for join in joins for sign in re.findall(r"\(?\d+[.)]|\w+|[^\w\s]", join)}
        if any(re.fullmatch(r"\(?\d{1,2}[.)]", sign) for sign in signs) or ";" in signs:
            return True
        numbers = all(any(token.kind == "number" for token in tokenize(texts[number])) for number in filled)
        if numbers and ":" not in signs:
            return all(len(tokenize(texts[number])) == 1 for number in filled)
        if signs & {"and", "&", "plus"}:
            # Two or more names, and nothing else: both are asserted, where one was asked for.
            whole = sum(len(tokenize(texts[number])) for number in filled) == len(tokenize(sentence)) - sum(
                len(re.findall(r"\b(?:and|plus)\b", join)) for join in joins
            )
            return (
                whole
                and all(self._is_name(texts[number], sentence, opening) for number in filled)
                and (len(filled) == 2 or ("," in signs and re.search(r",\s*and\b", sentence) is not None))
            )
        if ":" in signs:
            return False
        # A place has parts, and is written with capitals: `Salem, Oregon, USA`.
        names = all(self._is_name(texts[number], sentence, opening) for number in filled)
        return len(filled) >= _PLAIN_LIST_ITEMS - (not names)

    def _is_name(self, text: str, sentence: str, opening: int) -> bool:
        """Whether an item is written with a capital, as names are."""
        at = sentence.find(text.strip(" .,"))
        return (
            at >= 0
            and len(self.cased) == len(self.folded)
            and self.cased[opening + at : opening + at + 1].isupper()
        )

    def _in_line_list(self, first: int, last: int) -> bool:
        """Whether the answer is a short item of a list of guesses, of which others are not accepted."""
        pattern = (
            _BULLET
            if _BULLET.search(self.folded)
            else _GUESS
            if phrases.GUESSES.search(self.folded)
            else None
        )
        if pattern is None:
            return False
        items = list(itertools.islice(pattern.finditer(self.folded), 50))
        if len(items) < 2 or any(":" in found["item"] and pattern is _BULLET for found in items):
            return False
        if not all(_is_short(found["item"]) for found in items):
            return False
        own = next((found for found in items if found.start() <= first and last <= found.end()), None)
        return own is not None and any(
            tokenize(found["item"]) and not self._accepts(found["item"])
            for found in items
            if found is not own
        )

    def _in_row(self, wanted: list[Token]) -> bool:
        """Whether the whole is a row of numbers with nothing but space between them, and one is wanted."""
        return (
            len(wanted) == 1
            and len(self.tokens) > 1
            and all(token.kind == "number" for token in self.tokens)
            and re.fullmatch(r"[\d\s]+", self.folded.strip(" .")) is not None
        )

    def _accepts(self, folded: str) -> bool:
        tokens = tokenize(folded)
        return any(find_all(wanted, tokens, most=1) for _, wanted in self.readings)


def _readings(answer: str) -> list[list[Token]]:
    """Return what an accepted answer may be: its tokens, and for `03/01` the first of March as well."""
    tokens = tokenize(fold(answer))
    date = re.fullmatch(r"(\d{2})/(\d{2})", answer.strip())
    if date and 0 < int(date[1]) <= 12:
        return [tokens, [Token("date", (None, int(date[1]), int(date[2])), 0, 0)]]
    return [tokens]


def _split(sentence: str, first: int, last: int) -> tuple[list[tuple[int, int]], list[str]]:
    """Return the items of a sentence, and what stands between them; a sign inside the answer parts nothing."""
    items, joins, at = [], [], 0
    for found in _ITEMS.finditer(sentence):
        if first <= found.start() < last:
            continue
        items.append((at, found.start()))
        joins.append(found.group())
        at = found.end()
    items.append((at, len(sentence)))
    kept = [items[0]]
    between: list[str] = []
    for item, join in zip(items[1:], joins, strict=True):
        if not tokenize(sentence[slice(*kept[-1])]) and between:
            kept[-1], between[-1] = (
                item,
                between[-1] if join.strip() in {",", ":", "\n"} else f"{between[-1]}{join}",
            )
        else:
            kept.append(item)
            between.append(join)
    return kept, between


def _is_alternative(join: str) -> bool:
    """Whether what stands between two items offers them as alternatives."""
    return "/" in join or "|" in join or _ALTERNATIVE.search(join) is not None


def _is_short(item: str) -> bool:
    return 0 < len(tokenize(item)) <= _FEW
