"""BFCL v4's categories as facts, and the names of its files.

Categories are matched by their whole name. Matching by substring, tempting with names such as `multiple`,
`live_multiple` and `parallel_multiple`, pairs files with the wrong questions.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

import msgspec

VERSION: Final = "2026.3.23"
"""The release of `bfcl-eval` whose data, counts and verdicts all of this describes."""


class Group(StrEnum):
    """The folder below a model's folder in which a category's file lies."""

    NON_LIVE = "non_live"
    LIVE = "live"
    MULTI_TURN = "multi_turn"
    AGENTIC = "agentic"
    FORMAT_SENSITIVITY = "format_sensitivity"


class Kind(StrEnum):
    """What an entry of a category asks for, and so how it is judged."""

    SIMPLE = "simple"
    MULTIPLE = "multiple"
    PARALLEL = "parallel"
    PARALLEL_MULTIPLE = "parallel_multiple"
    IRRELEVANCE = "irrelevance"
    RELEVANCE = "relevance"
    MULTI_TURN = "multi_turn"
    AGENTIC = "agentic"
    FORMAT_SENSITIVITY = "format_sensitivity"


class Category(msgspec.Struct, frozen=True):
    """One category; `entries` counts them, and `shared_stem` is set where it shares its data files."""

    name: str
    group: Group
    kind: Kind
    entries: int
    language: str = "python"
    shared_stem: str | None = None

    @property
    def stem(self) -> str:
        """What the names of its data files say: `BFCL_v4_<stem>.json`."""
        return self.shared_stem or self.name

    @property
    def folder(self) -> str:
        """Where bfcl-eval puts its result and score files, below the model's folder."""
        if self.shared_stem == "memory":
            return f"{self.group}/memory/{self.name.removeprefix('memory_')}"
        return self.group.value

    @property
    def has_answers(self) -> bool:
        """Whether the benchmark holds accepted answers; irrelevance and relevance have none."""
        return self.kind not in {Kind.IRRELEVANCE, Kind.RELEVANCE}

    @property
    def single_turn(self) -> bool:
        """Whether an entry is one question and one output."""
        return self.group in {Group.NON_LIVE, Group.LIVE}

    @property
    def wants_call(self) -> bool | None:
        """Whether a call is wanted (irrelevance: none is); None where that differs from turn to turn."""
        if self.group in {Group.MULTI_TURN, Group.AGENTIC}:
            return None
        return self.kind is not Kind.IRRELEVANCE


_ROWS: Final = (
    Category("simple_python", Group.NON_LIVE, Kind.SIMPLE, 400),
    Category("simple_java", Group.NON_LIVE, Kind.SIMPLE, 100, "java"),
    Category("simple_javascript", Group.NON_LIVE, Kind.SIMPLE, 50, "javascript"),
    Category("multiple", Group.NON_LIVE, Kind.MULTIPLE, 200),
    Category("parallel", Group.NON_LIVE, Kind.PARALLEL, 200),
    Category("parallel_multiple", Group.NON_LIVE, Kind.PARALLEL_MULTIPLE, 200),
    Category("irrelevance", Group.NON_LIVE, Kind.IRRELEVANCE, 240),
    Category("live_simple", Group.LIVE, Kind.SIMPLE, 258),
    Category("live_multiple", Group.LIVE, Kind.MULTIPLE, 1053),
    Category("live_parallel", Group.LIVE, Kind.PARALLEL, 16),
    Category("live_parallel_multiple", Group.LIVE, Kind.PARALLEL_MULTIPLE, 24),
    Category("live_irrelevance", Group.LIVE, Kind.IRRELEVANCE, 884),
    Category("live_relevance", Group.LIVE, Kind.RELEVANCE, 16),
    Category("multi_turn_base", Group.MULTI_TURN, Kind.MULTI_TURN, 200),
    Category("multi_turn_miss_func", Group.MULTI_TURN, Kind.MULTI_TURN, 200),
    Category("multi_turn_miss_param", Group.MULTI_TURN, Kind.MULTI_TURN, 200),
    Category("multi_turn_long_context", Group.MULTI_TURN, Kind.MULTI_TURN, 200),
    Category("memory_kv", Group.AGENTIC, Kind.AGENTIC, 155, shared_stem="memory"),
    Category("memory_vector", Group.AGENTIC, Kind.AGENTIC, 155, shared_stem="memory"),
    Category("memory_rec_sum", Group.AGENTIC, Kind.AGENTIC, 155, shared_stem="memory"),
    Category("web_search_base", Group.AGENTIC, Kind.AGENTIC, 100, shared_stem="web_search"),
    Category("web_search_no_snippet", Group.AGENTIC, Kind.AGENTIC, 100, shared_stem="web_search"),
    Category("format_sensitivity", Group.FORMAT_SENSITIVITY, Kind.FORMAT_SENSITIVITY, 5200),
)

CATEGORIES: Final[dict[str, Category]] = {row.name: row for row in _ROWS}
"""Every category by name, in the order in which reports list them."""

_FILE_NAME: Final = re.compile(
    r"BFCL_v(?P<version>\d+)_(?P<category>\w+?)_(?P<role>result|score)(?P<rest>[^/\\]*?)\.jsonl?(?:\.gz)?",
    re.ASCII,
)
_OLD_FILE_NAME: Final = re.compile(
    r"gorilla_openfunctions_v\d+_test_(?P<category>\w+?)_(?P<role>result|score)\.json", re.ASCII
)


class FileName(msgspec.Struct, frozen=True):
    """What a file's name says: a `result` or `score` file, of which category, of which version of BFCL.

    `exact` is False where more stands between the role and the ending, as in `…_score.reduced.json`.
    """

    category: str
    role: str
    version: int
    exact: bool = True

    @property
    def known(self) -> Category | None:
        """The category of BFCL v4, or None where this version has none of that name."""
        return CATEGORIES.get(self.category) if self.version == 4 else None

    @property
    def prerequisite(self) -> bool:
        """Whether the file holds the conversations that fill a memory beforehand, which are not scored."""
        return self.category.endswith("_prereq") and self.category.removesuffix("_prereq") in CATEGORIES


def parse_file_name(name: str) -> FileName | None:
    """Return what the name of a result or score file says, or None for any other name.

    The layout is that of bfcl-eval: `BFCL_v4_<category>_result.json`, `BFCL_v4_<category>_score.json`.

    >>> parse_file_name("BFCL_v4_live_multiple_result.json")
    FileName(category='live_multiple', role='result', version=4, exact=True)
    >>> parse_file_name("data_overall.csv") is None
    True
    """
    if match := _FILE_NAME.fullmatch(name):
        return FileName(match["category"], match["role"], int(match["version"]), not match["rest"])
    if match := _OLD_FILE_NAME.fullmatch(name):
        return FileName(match["category"], match["role"], 1)
    return None
