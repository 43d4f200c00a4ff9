"""Whether a text says of a call that it is not to be made."""

from __future__ import annotations

import re

_REACH = 160
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n|\n[-*\d]")
_CLAUSE_END = re.compile(r"[.!?。！？…;:,،؛、—–\n]")

# English has more to say than a particle ("no problem", "not only"), so that its sentences are read for the verb.
_VERBS = r"(?:call|invok|us|mak|run|execut|emit|output|writ|send|respond\w*\ with|generat|produc)\w*"
_ON_WITH_IT = r"(?:but|so|then|therefore|thus|hence|instead|and\ (?:i|we))"
_FORBIDDEN = re.compile(
    rf"""(?xi)(?:
    # "I will not call", "there is no point in using", and what else comes before the call
      (?: \b(?:do|does|did|should|must|can|could|would|will|am|is|are|was|were)\s*(?:not|n't|n’t)
        | \b(?:wo|ca)n['’]t | \bcannot | \bnever | \bnot\ (?:to|going\ to|able\ to) | \bunable\ to
        | \bno\ (?:need|point|reason|sense|use)\ (?:to|in) | \binstead\ of | \brather\ than
        | \bavoid | \bagainst | \bwithout | \brefus\w+\ to
        | \b(?:wrong|incorrect|pointless|useless|a\ mistake)\ (?:to|in)
      )\s+ (?!(?:but|only|just)\b) (?:\w+\s+){{0,3}}? {_VERBS}\b (?:(?!\b{_ON_WITH_IT}\b)[^.!?:\n]){{0,60}}
    # "I cannot f()", the name being the verb
    | (?: \b(?:do|does|did|should|must|can|could|would|will)\s*(?:not|n't|n’t)
        | \b(?:wo|ca)n['’]t | \bcannot | \b(?:unable|not\ able)\ to
      )\s+ [`'"*\[]*
    # "I skip f()", "no need for f()", "neither f() nor g()"
    | \b(?:avoid\w*|skip\w*|omit\w*|declin\w*|lack\w*|instead\ of|rather\ than|neither|nor|not
        |(?:do|does|did)\s*(?:not|n't|n’t)\s+(?:need|want)
        |no\ (?:need|use|point|reason)\ (?:for|of|in)|(?:there(?:'s|\ is)|have|has|with)\ no)
      \s+ (?:(?:an?|the|any)\s+)? (?:call\s+(?:to|of)\s+)? [`'"\[]*
    )$"""
)
_DISMISSED = re.compile(
    r"""(?xi)^[`'"\])\s]*(?:
      (?:\w+\s+){0,4}? (?:is|are|was|would\ be|will\ be|seems)\s+ (?:(?:the|an?)\s+)?
        (?:not\b|wrong|incorrect|inappropriate|irrelevant|unsuitable|useless|pointless|invalid|mistake\b|error\b)
    | (?:is|are|was)(?:n't|n’t)\b
    | (?:makes?|serves?)\ no\b
    | (?:would|will|does|can|could|should)(?:\ not|n't|n’t|not)\b
    )"""
)
_RENOUNCED = re.compile(
    rf"""(?xi)^[^.!?\n]{{0,120}}\b(?:i|we)\s*
    (?: (?:will|can|do|should|shall|am|are)\ ?(?:not|n't|n’t) | (?:wo|ca|do|should)n['’]t | cannot | ['’]m\ not )
    \s+ (?:be\s+)? {_VERBS}\s+ (?:that|it|this|any|the|a|such)\b"""
)
_ENGLISH = re.compile(
    r"\b(?:the|this|that|I|you|your|it|of|with|would|should|will be|for|here|call(?:ing|ed|s)?|us(?:e|es|ing)|run)\b"
)

# Elsewhere a closed class of particles negates the clause that they stand in: before the verb and its object, or
# behind it where the verb comes last.
_NOT_BEFORE = re.compile(
    r"""(?xi)(?:\b(?:
      nicht | kein\w* | nie(?:mals)? | ohne | niet | geen | nooit | zonder        # German, Dutch
    | ikke | ikkje | ingen | aldrig? | inte | ej | uden | utan | uten | ekki      # the Nordic languages
    | pas | jamais | sans | no | nunca | jamás | sin | não | nao | sem            # French, Spanish, Portuguese
    | non | senza | nu\ (?:voi|vom|pot|putem|trebuie|se|am|este)                  # Italian, Romanian
    | не | нет | нельзя | ні | без                                                # Cyrillic
    | nie | bez | ne | ne(?:bud|lz|ní|moh|můž|mog|chc|ć|vol|použ|třeb)\w*         # Polish, Czech, South Slavic
    | ei | emme | eivät | älä | en\ (?:kutsu|käytä|suorita|aja|voi|aio) | nem     # Finnic, Hungarian
    | δεν | δε | μην | μη | χωρίς | לא | אין | בלי                                # Greek, Hebrew
    | لا | لن | لم | ليس | ليست | بدون | دون                                      # Arabic
    | không | chưa | đừng | chẳng | tidak | bukan | jangan | tanpa | hindi        # South-East Asia
    )\b
    | ไม่ | อย่า                                                                     # Thai
    | 不(?![过過仅僅但错錯同妨断斷管只止限久]) | 没 | 沒 | [别別](?!的) | 勿 | 未 | 无需 | 無需        # Chinese
    )"""
)
_NOT_BEHIND = re.compile(
    r"""(?xi)(?:\b(?:
      nicht | niet | ikke | ikkje | inte | no | non | não | ne | pas | не | nie | ei | nem | değil | yok
    | नहीं | मत | না | نہیں
    | \w+m[ae](?:yaca|yece|malı|meli|z\b|k\b)\w* | \w+m[ıiuü]yor\w*               # Turkish verbs
    | ن(?:می|خواه)\S*                                                             # Persian verbs
    )(?!\w)
    | ない | ません | なし | ず(?:に|\b)                                          # Japanese
    | 않 | 못 | 없 | 마세 | 마십 | 말[고아것]                                     # Korean
    | இல்லை | மாட்ட                                                               # Tamil
    )"""
)
_ON_WITH_IT_ELSEWHERE = re.compile(
    r"""(?xi)\b(?:
      donc | alors | mais | aber | also | dann | sondern | nur | maar | dus | alleen | men | så | bara | kun
    | pero | entonces | así | solo | mas | então | ma | quindi
    | но | а | поэтому | значит | только | але | тільки | więc | ale | tylko
    )\b | 而 | 但 | 所以 | 因此"""
)
_NEAR = 4
"""Words between a particle and the call, at the most, for the call to be what it negates."""


def is_ruled_out(text: str, start: int, end: int) -> bool:
    """Whether the sentence that a call stands in says that it is not to be made.

    >>> text = "I will not call f(x=1) for that."
    >>> is_ruled_out(text, 16, 22), is_ruled_out("No problem: f(x=1)", 12, 18)
    (True, False)
    """
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH].partition("\n")[0]
    sentence = _SENTENCE_END.split(before)[-1]
    following = _SENTENCE_END.split(after)[0]
    if _FORBIDDEN.search(sentence) or _DISMISSED.match(following) or _RENOUNCED.match(following):
        return True
    return _is_negated(before, after) is True


def is_doubted(text: str, start: int, end: int) -> bool:
    """Whether a particle of negation stands in the clause of the call, but too far from it to decide."""
    return _is_negated(text[max(0, start - _REACH) : start], text[end : end + _REACH]) is False


def _is_negated(before: str, after: str) -> bool | None:
    """Whether a clause that is not English negates the call; None where no particle stands in it."""
    lead = _CLAUSE_END.split(before.rstrip("`'\"[( "))[-1]
    tail = _CLAUSE_END.split(after.lstrip("`'\"]) "))[0]
    if _ENGLISH.search(lead) or _ENGLISH.search(tail):
        return None
    gaps = [lead[found.end() :] for found in _NOT_BEFORE.finditer(lead)]
    gaps += [tail[: found.start()] for found in _NOT_BEHIND.finditer(tail)]
    if not gaps:
        return None
    return any(len(gap.split()) <= _NEAR and not _ON_WITH_IT_ELSEWHERE.search(gap) for gap in gaps)
