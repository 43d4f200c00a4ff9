"""Whether a text presents a call as an example, a condition or an explanation, and not as its answer."""

from __future__ import annotations

import re

_REACH = 240
_SUPPOSED = re.compile(
    r"""(?xi)\b(?:
      (?:for|an?|here(?:'s|\ is)\ an?)\s+(?:\w+\s+)?(?:example|instance|use)\b
    | (?:example|sample)\ (?:of|usage|use|calls?) | e\.g\. | illustrat\w+ | placeholder | hypothetical\w*
    | something\ like | as\ follows | imagine
    | suppos(?:e|ing) | assum(?:e|ing)\b | requires?\b | in\ case\ you
    | if\ (?:you|i|we|there|such|it|your)\b | (?:were|had|should)\ (?:i|you|we|there)\b
    | (?:you|we|one|i)\ (?:can|could|may|might|would)\b | could\ (?:be|look)\b
    | would\ (?:look|need|have|require)\b | would\ like\ to\ (?:use|call|make)
    | how\ (?:to|you|it|one)\b | in\ order\ to\ use | to\ use\ (?:this|it)\b
    | por\ ejemplo | un\ ejemplo | si\ (?:quisiera|hubiera|tuviera)\w*              # Spanish
    | par\ exemple | à\ titre\ d['’]exemple | si\ vous\ (?:aviez|voul)\w*           # French
    | zum\ beispiel | z\.\s?b\. | gäbe\ es | wenn\ (?:sie|es|du)\b                  # German
    | per\ esempio | ad\ esempio | se\ (?:volesse|avesse|ci\ fosse)                 # Italian
    | por\ exemplo | um\ exemplo | se\ (?:quisesse|houvesse)                        # Portuguese
    | bijvoorbeeld | als\ (?:u|je|er)\b                                             # Dutch
    | til\ eksempel | for\ eksempel | till\ exempel | hvis\ (?:du|der)\b | om\ du\b  # Danish, Norwegian, Swedish
    | na\ przykład | gdyby\w* | například | kdyby\w*                                # Polish, Czech
    | например | если\ бы | наприклад | якби                                        # Russian, Ukrainian
    | örneğin | mesela | contohnya | misalnya | ví\ dụ | nếu\b                      # Turkish, Indonesian, Vietnamese
    )
    | 假如|如果|例如|比如|たとえば|例えば|もし|예를\ 들어|만약|उदाहरण|مثلا|ตัวอย่าง
    """
)


def is_supposed(text: str, start: int) -> bool:
    """Whether the words that lead up to a call make it an example, a condition or an explanation.

    The lead-in is what stands before it in the same paragraph and in the one before, 240 characters at most.

    >>> text = "If you had a city in mind, one could write f(x=1)."
    >>> is_supposed(text, text.index("f("))
    True
    """
    lead = text[max(0, start - _REACH) : start]
    near = "\n".join(re.split(r"\n\s*\n", lead)[-2:])
    return _SUPPOSED.search(near) is not None
