"""The tools on offer, ready for finding their names in text that a model wrote."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Tool

# Namespaces under which providers show tools to a model; a call into one of them is a tool call by intent.
NAMESPACES = ("functions", "tools", "default_api", "tool_code", "function", "tool", "api_tools")

_SENTINEL = re.compile(
    r"""(?x)
    no_?(?:function|tool|call|op|action|match|relevant|suitable|applicable|appropriate|available|api)\w*
    | none | null | nil | n_?a
    | out_of_(?:domain|scope) | irrelevant\w*
    | not_(?:applicable|available|supported|possible|relevant|answerable)
    | do_nothing | cannot_answer | unanswerable | directly_answer
    """
)


# What the names of functions that are written with underscores begin or end with, where those of data do not.
_VERBS = frozenset({
    "add", "analyze", "apply", "ask", "assign", "block", "book", "build", "buy", "calc", "calculate",
    "cancel", "change", "check", "classify", "compare", "compute", "convert", "count", "create",
    "delete", "detect", "determine", "divide", "download", "draw", "edit", "estimate", "evaluate",
    "execute", "extract", "fetch", "filter", "find", "forecast", "format", "generate", "get",
    "identify", "integrate", "invoke", "list", "load", "lookup", "make", "measure", "modify", "move",
    "multiply", "notify", "open", "optimize", "order", "parse", "pay", "plan", "play", "plot", "post",
    "predict", "process", "provide", "publish", "purchase", "query", "read", "recommend", "record",
    "register", "remove", "rename", "rent", "reserve", "resolve", "retrieve", "run", "save", "schedule",
    "search", "select", "send", "set", "show", "simulate", "solve", "sort", "start", "stop", "store",
    "submit", "subscribe", "subtract", "suggest", "sum", "summarize", "track", "translate", "turn",
    "update", "upload", "validate", "verify", "view", "write",
})  # fmt: skip


def fold_name(name: str) -> str:
    """Return the name with case, separators and Markdown escapes folded: ``get\\_Time`` and ``get.time`` agree.

    >>> fold_name("Get\\\\_time") == fold_name("get.time")
    True
    """
    return re.sub(r"[.\-\s/:>]+", "_", name.replace("\\", "")).strip("_`\"'*").casefold()


class Offered:
    """The offered tools; their names and parameters, folded, are gathered when they are first asked for."""

    def __init__(self, tools: Sequence[Tool] = ()) -> None:
        self.tools = tuple(tools)

    @cached_property
    def spelled(self) -> frozenset[str]:
        """The tools' names, as they are."""
        return frozenset(tool.name for tool in self.tools)

    @cached_property
    def names(self) -> frozenset[str]:
        """The tools' names, folded."""
        return frozenset(filter(None, (fold_name(tool.name) for tool in self.tools)))

    @cached_property
    def tails(self) -> frozenset[str]:
        """The last parts of dotted names that are still telling alone, folded.

        They are ``get_timings`` of ``schedule.get_timings``, but not ``predict`` of ``model.predict``.
        """
        parts = (tool.name.rpartition(".")[2] for tool in self.tools)
        return frozenset(fold_name(part) for part in parts if "_" in part)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of the tools' parameters, as they are."""
        schemas = (tool.parameters.get("properties") for tool in self.tools)
        return frozenset(str(key) for schema in schemas if isinstance(schema, dict) for key in schema)

    def pattern_in(self, text: str) -> re.Pattern[str] | None:
        """Return a pattern that finds the names in a text; None where it has none of them, as most texts have not."""
        written = _squeeze(fold_name(text))
        return _pattern_of(frozenset(name for name in self.names if _squeeze(name) in written))

    def has(self, name: str) -> bool:
        """Whether the name is that of an offered tool, bare or under a tool namespace."""
        folded = fold_name(name)
        return (
            folded in self.names
            or folded in self.tails
            or any(folded.removeprefix(space + "_") in self.names for space in NAMESPACES)
        )

    def has_beginning(self, piece: str) -> bool:
        """Whether the name of an offered tool begins like this."""
        return any(name.startswith(fold_name(piece)) for name in self.names)

    def is_sentinel(self, name: str) -> bool:
        """Whether the name says "no call" and is not itself a tool on offer."""
        if name in self.spelled or any(char.isspace() for char in name):
            return False
        folded = fold_name(name)
        return _SENTINEL.fullmatch(folded) is not None and folded not in self.names


def reads_like_function(name: str) -> bool:
    """Whether a name that was not offered looks like a function's: dotted, in camel case, or with a verb in it.

    >>> reads_like_function("get_price"), reads_like_function("orders.next"), reads_like_function("solar_system")
    (True, True, False)
    """
    if re.search(r"[^\W_]\.[^\W_]|[a-z][A-Z]", name):
        return True
    parts = name.casefold().split("_")
    return len(parts) > 1 and bool(_VERBS & {parts[0], parts[-1]})


def is_plain_word(name: str) -> bool:
    """Whether a name is one word of the language, which text uses without meaning the tool.

    >>> is_plain_word("Average"), is_plain_word("sumColumn"), is_plain_word("get_time")
    (True, False, False)
    """
    return re.fullmatch(r"[^\W\d_](?:[^\W\d_A-Z]*|[A-Z]*)", name) is not None


def is_noun(name: str) -> bool:
    """Whether a name is one plain word and no verb that we know, so that it may label an answer.

    >>> is_noun("average"), is_noun("calculate"), is_noun("get_time")
    (True, False, False)
    """
    return is_plain_word(name) and name.casefold() not in _VERBS


def is_wording(name: str) -> bool:
    """Whether a name, as written, may be the words of a sentence: one plain word, or several with spaces between.

    >>> is_wording("find trains"), is_wording("Average"), is_wording("find_trains")
    (True, True, False)
    """
    return any(map(str.isspace, name)) or is_plain_word(name)


def in_namespace(name: str) -> bool:
    """Whether the name lies in one of the namespaces under which tools are shown to models."""
    head, _, tail = name.replace("\\", "").partition(".")
    return bool(tail) and head in NAMESPACES


def _squeeze(folded: str) -> str:
    return re.sub("_{2,}", "_", folded) if "__" in folded else folded


@lru_cache(maxsize=4096)
def _pattern_of(folded: frozenset[str]) -> re.Pattern[str] | None:
    if not folded:
        return None
    # A separator in a name may be written as another one, or escaped for Markdown.
    alternatives = (
        r"(?:\\?[._\-/ ])".join(re.escape(part) for part in name.split("_") if part)
        for name in sorted(folded, key=len, reverse=True)
    )
    space = "|".join(NAMESPACES)
    return re.compile(rf"(?<![\w.])(?:(?:{space})\.)?(?:{'|'.join(alternatives)})(?![\w])", re.IGNORECASE)
