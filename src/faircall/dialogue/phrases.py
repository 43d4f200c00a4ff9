"""The words by which a final answer denies, gives up, searches for or does not know what it names.

All are of folded text (`tokens.fold`): small letters, no accents, no apostrophes in words.
"""

from __future__ import annotations

import re
from typing import Final

NEGATORS: Final = frozenset({
    "not", "no", "never", "neither", "nor", "none", "cannot", "without", "except", "excluding", "unlikely", "hardly",
    "barely", "nobody", "doubt", "doubtful", "deny", "denies", "denied", "reject", "rejected", "false", "wrong",
    "incorrect", "unable", "isnt", "wasnt", "arent", "werent", "dont", "doesnt", "didnt", "cant", "couldnt", "wont",
    "wouldnt", "shouldnt", "hasnt", "havent", "hadnt", "aint", "unlike",
})  # fmt: skip
"""Words that deny what follows them in their clause; two of them cancel each other."""
NEGATING_PAIRS: Final = frozenset({
    ("rather", "than"), ("instead", "of"), ("other", "than"), ("ruled", "out"), ("ruling", "out"), ("far", "from"),
    ("opposed", "to"), ("anyone", "but"), ("anything", "but"), ("but", "not"),
})  # fmt: skip
HARMLESS: Final = frozenset({
    ("not", "only"), ("not", "just"), ("not", "merely"), ("not", "surprisingly"), ("not", "above"), ("not", "below"),
    ("not", "exceed"), ("no", "later"), ("no", "more"), ("no", "less"), ("no", "longer"), ("no", "earlier"),
    ("no", "it"), ("no", "its"), ("no", "that"), ("no", "this"), ("no", "you"), ("no", "i"), ("no", "he"),
    ("no", "she"), ("no", "they"), ("no", "the"), ("no", "problem"), ("no", "doubt"), ("without", "doubt"),
    ("without", "any"), ("without", "question"), ("never", "hesitate"), ("dont", "forget"), ("dont", "hesitate"),
    ("dont", "be"),
})  # fmt: skip
"""A negator and the word after it that together deny nothing."""
THINKING: Final = frozenset({
    "think", "believe", "know", "say", "confirm", "find", "found", "see", "sure", "certain", "clear", "true", "case",
    "whether", "if", "appear", "seem", "mean", "claim", "suggest", "that",
})  # fmt: skip
"""Words after a negator by which it reaches over the next verb: `I do not think it is …`."""
STRONG: Final = frozenset({"false", "wrong", "doubt", "unable"})
"""Negators that reach over a verb by themselves."""
VERBS: Final = frozenset({"is", "was", "are", "were", "has", "have", "had", "be", "being", "been"})
COPULAS: Final = frozenset({
    "is", "was", "are", "were", "can", "could", "would", "should", "may", "might", "has", "have", "had", "does", "did",
    "do", "seems",
})  # fmt: skip
WRONG: Final = frozenset({
    "wrong", "incorrect", "false", "unlikely", "impossible", "excluded", "mistaken", "untrue", "rejected",
})  # fmt: skip
BOUNDS: Final = frozenset(
    {"after", "before", "until", "past", "by", "than", "above", "under", "below", "over"}
)
"""Words between a negator and a value that it does not deny: `no work after 11 PM`."""
DENIED_AFTER: Final = re.compile(
    r"\s{0,2}(?:[:?(]|\s-|\.\s)\s{0,2}(?:is\s|was\s)?(?:no|not|wrong|incorrect|false|ruled out|excluded|rejected)\b"
    r"\s{0,2}(?=[.,;:)!]|$)"
    r"|\s(?:isnt|wasnt|arent|werent|doesnt|didnt|dont|wont|cannot|cant|never)\b(?!\s(?:only|just))"
)
"""What denies a value behind it: `Oslo: no.`, `Oslo (wrong)`, `Oslo does not …`."""
GIVEN_UP_BEFORE: Final = re.compile(
    r"\b(?:originally|formerly|initially|previously|at first)(?:\s(?:on|at|in|it was))?\s{0,2}$"
    r"|\b(?:first thought|first assumed|used to be|assumed|thought it was|moved from|changed from|rescheduled from"
    r"|shifted from)\b[^.;!?\n]{0,60}$"
)
"""What goes before a value that another one replaced; `originally founded in 1897` is no such value."""
GIVEN_UP_AFTER: Final = re.compile(
    r"[^.;!?\n]{0,60}\b(?:now|but|instead|actually|correction|later|then|to)\b|[^\n]{0,40}\bcorrection\b"
    r"|\s{0,2}[;.]\s{0,2}(?:but\s)?now\b"
)
CLAIM_BEFORE: Final = re.compile(
    r"\b(?:claim|idea|notion|statement|belief|rumou?r|myth|assumption)\sthat\s[^.;!?\n]{0,40}$"
)
CLAIM_AFTER: Final = re.compile(
    r"[^.;!?\n]{0,60}\b(?:is|was)\s(?:\w+\s)?(?:false|wrong|untrue|incorrect|mistaken|myth|not true)\b"
)
"""What goes round a claim that is said to be false."""
PREFERRED: Final = frozenset(
    {"prefer", "prefers", "preferred", "chose", "choose", "chosen", "favor", "favors", "picked"}
)
"""Words by which what stands after `over` or `to` is not the answer: `you prefer tea over coffee`."""
WAS: Final = re.compile(r"\b(?:was|were)\s(?:\w+\s){0,2}$")
IS_NOW: Final = re.compile(
    r"[^.;!?\n]{0,30}\b(?:but|and)\s(?:it\s)?(?:is|was)?\s?(?:now|moved|rescheduled|changed)\b"
)
SEARCHING: Final = re.compile(
    r"\b(?:let me|i will|ill|i am going to|im going to|i need to|i should|should i|i am trying to|im trying to)\s"
    r"(?:\w+\s){0,2}?(?:search|look|check|find|call|verify|query|retrieve|use|confirm|ask|see)\b[^.!?\n]{0,80}$"
    r"|\b(?:regarding|question about)\b[^.!?:\n]{0,80}$"
    r"|(?:^|[.!?\n])\s{0,2}(?:now\s)?(?:searching|looking)\s(?:for|up)\s[^.,!?:\n]{0,60}$"
)
UNKNOWN: Final = re.compile(
    r"\b(?:i (?:do not|dont|did not|didnt) (?:know|have|find|recall|remember)"
    r"|i (?:cannot|can not|cant|could not|couldnt) (?:find|answer|determine|recall|say|confirm)"
    r"|(?:have|has|know|knows) nothing|nothing (?:in|on|about|was|is|stored)|no (?:information|record|memory|idea|data)"
    r"|unable to|not (?:found|available|known)|(?:was|is) not able to)\b"
)
TURN: Final = re.compile(
    r"\b(?:but|however|still|so|therefore|thus|hence|based on|likely|probably|you (?:said|mentioned|told|noted|are))\b"
)
"""What leads from not knowing to an answer all the same."""
SIDE: Final = re.compile(
    r"(?:,|\s-)\s{0,3}(?:near|next to|followed by|ahead of|unlike|compared (?:to|with)|as opposed to|rather than"
    r"|instead of|not to be confused with)\b"
    r"|\b(?:(?:predecessor|successor|rival)\s(?:of|to)|runner-up|second to|older than|larger than|smaller than)\b"
    r"|\b(?:who|which)\s(?:succeeded|overtook|preceded|beat|replaced|followed)\b"
)
ALIAS: Final = frozenset({
    "also", "written", "known", "spelled", "called", "as", "or", "aka", "i", "e", "ie", "in", "short", "abbreviated",
    "formerly", "the", "a",
})  # fmt: skip
"""Words with which brackets give another name of what stands before them."""
HEDGES: Final = re.compile(
    r"\bor\s(?:so|more|less|fewer|later|earlier|thereabouts|over|above|below|under|equivalent|similar"
    r"|(?:its|an|the|some)\sequivalent|something\ssimilar)\b"
)
POSSIBLE: Final = re.compile(r"\b(?:could|might|may)\sbe\b|\b(?:maybe|perhaps|possibly)\b")
OR_ELSE: Final = re.compile(
    r"\s{0,2}[.\u2026]{1,4}\s{0,2}or\s(?:maybe\s|perhaps\s|possibly\s)?(?P<item>[^.!?;\n]{1,60})"
)
"""What offers another answer in a sentence of its own: `Oslo. Or Bergen.`"""
BOTH: Final = re.compile(r"\s{0,2}(?:and|or|/)\s{0,2}(?:yes|no)\b")
LEADS_TO_VERDICT: Final = frozenset({
    "i", "would", "say", "id", "absolutely", "definitely", "certainly", "actually", "well", "so", "clearly", "simply",
})  # fmt: skip
"""Words that may stand before a yes or a no that answers."""
EXCLUDED: Final = re.compile(r",?\s(?:not|rather than|instead of|as opposed to)\b")
GUESSES: Final = re.compile(r"\b(?:guess(?:es)?|options?|candidates?|possibilit(?:y|ies))\b|\?[^?]{0,80}\?")
