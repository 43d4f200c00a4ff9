"""Tool-call tags: the openers of every protocol that wraps a call in markup, and what stands inside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from faircall.gate.attempt import Attempt
from faircall.gate.brackets import close_bracket
from faircall.gate.emptiness import is_empty_list, opens_with_empty_list
from faircall.gate.formats import is_sound_format
from faircall.gate.objects import describes_schema, find_objects, parses_as_json
from faircall.types import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.gate.offered import Offered

_OPENER = re.compile(
    r"""(?xi)
    (?:<|&lt;) [|｜]? (?:[\w.]{1,40}[:|｜])?
      (?:
        (?:tool|function)s?[\s_▁\-]*+(?:call|use|request|invocation)s?(?:[_▁](?:begin|start|section_begin))?
          # <tool_call>, <|tool_call|>, <function_calls>, <TOOLCALL>, <｜tool▁calls▁begin｜>, <tool_use>
      | (?:start|begin)[_▁](?:of[_▁])?(?:function|tool)[_▁]?calls? | \w{1,40}_tool_call
          # <start_function_call>, <begin_of_tool_call>
      | python_tag | action_?start | start_action | api_?call | use_mcp_tool
          # Llama's <|python_tag|>, InternLM's <|action_start|>, Cohere's <|START_ACTION|>
      | invoke(?=\s) | function(?=\s*+=|\s++(?:name|id)\b) | parameter=\w+
          # <invoke name="…">, <function=…>, <function name="…">
      | functions?(?=\s*+[>|]) | call(?=\s++\w+\s*+=) | tools?(?=\s*+>|\s++(?:name|id)\s*+=)
      | tool[_\-]?name(?=\s*+>)
          # <functions>, <call name="…">, <tool name="…">, <tool_name>
      )
    | \[/?TOOL_(?:CALLS?|REQUEST)\]           # Mistral's [TOOL_CALLS], LM Studio's [TOOL_REQUEST]
    | <<function>>                            # Gorilla
    | \bfunctools(?=\s*+\[)                   # Phi
    | \bto=(?:functions|tools)\.[\w.]+        # the recipient of an OpenAI channel
    """
)
_REST_OF_TAG = re.compile(r"\s*+[|｜]?\s*+(?:>|&gt;)")
_CLOSER = re.compile(
    r"""(?xi)
      (?:</|&lt;/)\s*+[|｜]?[\w.:▁\-]{0,40}(?:tool|function|call|invoke|action)[\w.:▁\-]{0,40}[|｜]?(?:>|&gt;)
    | <[|｜](?:
          /
        | [\w▁]{0,40}(?:tool|function|call|action)[\w▁]{0,40}[_▁]?end
        | [\w▁]{0,40}end[_▁][\w▁]{0,40}(?:tool|function|call|action)
      )[\w▁]{0,40}[|｜]>
    | <end_function_call>
    | \[/TOOL_(?:CALLS?|REQUEST)\]"""
)
_NAME = re.compile(
    r"""(?xi)
      ["']?\b(?:name|function|tool_name|tool|function_name|api)["']?\s*+[:=>]\s*+\\*["']?([A-Za-z_][\w.\-\\/]*)
    | (?:function|invoke)=["']?([A-Za-z_][\w.\-]*)
    | (?:call:|<<function>>|functions\.|[▁｜]>)\s*+([A-Za-z_][\w.\-]*)"""
)
_CALL_LIKE = re.compile(r"""[{(\[=]|[\w.]+\s*\(|"\s*:|<\w+""")
_FENCE = re.compile(r"^\s*+```\w*+\s*+|(?<!\s)\s*+```\s*+$")


def find_tags(text: str, offered: Offered) -> Iterator[Attempt]:
    """Yield an attempt for each run of tags that opens a call, whatever stands inside.

    A run goes from an opener to the last closer before ordinary words go on. Yields nothing for a tag that is
    merely mentioned in a sentence, and nothing for one that holds an explicit empty list or a sentinel.
    """
    position = 0
    while (opener := _OPENER.search(text, position)) is not None:
        if _is_mention(text, opener.start(), opener.end()):
            position = opener.end()
            continue
        end = _end_of_run(text, opener.end())
        position = max(end, opener.end() + 1)
        inside = _inside(text[opener.end() : end])
        if is_empty_list(inside) or opens_with_empty_list(inside) or offered.is_sentinel(inside):
            continue
        name = _name_in(text[opener.start() : end], offered)
        if name is not None and offered.is_sentinel(name):
            continue
        sound = is_sound_format(text[opener.start() : end])
        yield Attempt(
            opener.start(),
            end,
            name,
            offered=name is not None and offered.has(name),
            broken=None if sound else _fault(text, inside, end, offered),
            tagged=True,
            written="markup" if sound else "object",
        )


def _inside(body: str) -> str:
    inside = _REST_OF_TAG.sub("", body, count=1) if _REST_OF_TAG.match(body) else body
    inside = _CLOSER.sub(" ", inside)
    inside = _OPENER.sub(" ", inside)
    return _FENCE.sub("", re.sub(r"^(?:=[\w.\-]+)?[\s>|｜]+", "", inside)).strip()


def _end_of_run(text: str, start: int) -> int:
    end = len(text)
    closer = None
    for closer in _CLOSER.finditer(text, start):
        following = text[closer.end() : closer.end() + 40].lstrip()
        if not following or not (
            _OPENER.match(following) or _CLOSER.match(following) or following[0] in "{[<"
        ):
            return closer.end()
    return closer.end() if closer is not None else end


def _is_mention(text: str, start: int, end: int) -> bool:
    """Whether the tag is named in a sentence: in quotes, or among words with nothing like a call behind it."""
    before = text[max(0, start - 2) : start]
    quoted = before[-1:] in {"`", '"', "'"} and text[end : end + 3].lstrip(">")[:1] in {"`", '"', "'"}
    line_lead = text[max(0, start - 200) : start].rpartition("\n")[2].strip()
    in_sentence = len(line_lead.split()) >= 2
    return quoted or (in_sentence and _CALL_LIKE.search(text[end : end + 160].lstrip(">")) is None)


def _name_in(stretch: str, offered: Offered) -> str | None:
    pattern = offered.pattern_in(stretch)
    if pattern is not None and (known := pattern.search(stretch)):
        return known.group()
    named = _NAME.search(stretch)
    return next((group for group in named.groups() if group), None) if named else None


def _fault(text: str, inside: str, end: int, offered: Offered) -> Reason | None:
    if describes_schema(inside):
        return Reason.SCHEMA_ECHO
    if parses_as_json(inside):
        return None
    if end >= len(text) and _stops_inside(text, inside):
        return Reason.TRUNCATED
    objects = list(find_objects(inside, offered))
    sound = all(parses_as_json(inside[item.start : item.end]) for item in objects)
    return None if objects and sound and not inside.startswith("<") else Reason.SYNTAX_ERROR


def _stops_inside(text: str, inside: str) -> bool:
    """Whether the text ends with a bracket or a tag still open, or right after the opener."""
    if not inside or text.rfind("<") > text.rfind(">"):
        return True
    opening = re.search(r"[\[{(]", inside)
    if opening is None:
        return False
    stretch = close_bracket(inside, opening.start())
    while stretch.closed and (opening := re.search(r"[\[{(]", inside[stretch.end :])) is not None:
        stretch = close_bracket(inside, stretch.end + opening.start())
    return not stretch.closed and not stretch.crossed
