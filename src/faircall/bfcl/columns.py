"""The columns of the six tables behind BFCL's board, as bfcl-eval 2026.3.23 writes them, and where each is from.

Titles and their order are the file format of the board's page. What the page shows of a run in which a category
was not run is a matter of the column: a *score* counts the category as 0, a *figure* reads N/A.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Source(StrEnum):
    """What fills a column."""

    RANK = "rank"
    MODEL = "model"
    FACT = "fact"
    USAGE = "usage"
    SENSITIVITY = "sensitivity"
    CONFIG = "config"
    FIGURE = "figure"
    SCORE = "score"


class Column(NamedTuple):
    """A column: its title, what fills it, and the name of the node, field or configuration that does."""

    title: str
    source: Source
    name: str = ""


class TableLayout(NamedTuple):
    """A table: its file, its columns, and the column by which its rows are ranked, highest first."""

    file: str
    columns: tuple[Column, ...]
    ranked_by: Column

    @property
    def score(self) -> str | None:
        """The node of the recipe that the table ranks by, or None where it ranks by something else."""
        return self.ranked_by.name if self.ranked_by.source is Source.SCORE else None


RELEVANCE: Final = "live_relevance"
"""Printed beside the score, and no part of it."""

SENSITIVITY_CONFIGS: Final = (
    *(
        f"ret_fmt={answer}&tool_call_tag={tag}&func_doc_fmt={tools}&prompt_fmt=plaintext&style=classic"
        for answer in ("python", "json", "verbose_xml", "concise_xml")
        for tag in ("True", "False")
        for tools in ("python", "xml", "json")
    ),
    "ret_fmt=python&tool_call_tag=False&func_doc_fmt=json&prompt_fmt=markdown&style=classic",
    "ret_fmt=python&tool_call_tag=False&func_doc_fmt=json&prompt_fmt=plaintext&style=experimental",
)
"""The prompt formats of format sensitivity, as score files and column titles spell them."""

EXTRA_COLUMNS: Final = ("Coverage", "Lower Bound", "Upper Bound")
"""What other profiles than the official ones add to each table with a score: the share of the entries of that
score that were judged, and the score with every entry that was not taken as wrong, and as right."""

EXTRA_OVERALL_COLUMNS: Final = ("Interval Low", "Interval High", "Missing Categories", "Published Categories")
"""What they add to `data_overall.csv` after that: the 95 % interval, the categories without a judged entry, and
those whose counts are from published score files, and so by the official rules."""

SIGNATURE_COLUMN: Final = "Signature"
"""The last column of every table of other profiles than the official ones."""


def _figures(**titles: str) -> tuple[Column, ...]:
    return tuple(Column(title, Source.FIGURE, name) for name, title in titles.items())


_RANK: Final = Column("Rank", Source.RANK)
_MODEL: Final = Column("Model", Source.MODEL)
_OVERALL: Final = Column("Overall Acc", Source.SCORE, "overall")
_NON_LIVE: Final = Column("Non-Live Overall Acc", Source.SCORE, "non_live")
_LIVE: Final = Column("Live Overall Acc", Source.SCORE, "live")
_MULTI_TURN: Final = Column("Multi Turn Overall Acc", Source.SCORE, "multi_turn")
_AGENTIC: Final = Column("Agentic Overall Acc", Source.SCORE, "agentic")
_MAX_DELTA: Final = Column("Format Sensitivity Max Delta", Source.SENSITIVITY, "max_delta")
_SPREAD: Final = Column("Format Sensitivity Standard Deviation", Source.SENSITIVITY, "standard_deviation")
_AGENTIC_FIGURES: Final = {
    "web_search_base": "Web Search Base",
    "web_search_no_snippet": "Web Search No Snippet",
    "memory_kv": "Memory KV",
    "memory_vector": "Memory Vector",
    "memory_rec_sum": "Memory Recursive Summarization",
}


def _agentic(web_search: str, memory: str) -> tuple[Column, ...]:
    titles = _AGENTIC_FIGURES.items()
    return _figures(
        web_search=web_search,
        **{name: title for name, title in titles if name.startswith("web_search")},
        memory=memory,
        **{name: title for name, title in titles if name.startswith("memory")},
    )


TABLES: Final = (
    TableLayout(
        "data_overall.csv",
        (
            _RANK,
            _OVERALL,
            _MODEL,
            Column("Model Link", Source.FACT, "link"),
            Column("Total Cost ($)", Source.USAGE, "cost"),
            Column("Latency Mean (s)", Source.USAGE, "latency_mean_s"),
            Column("Latency Standard Deviation (s)", Source.USAGE, "latency_sd_s"),
            Column("Latency 95th Percentile (s)", Source.USAGE, "latency_p95_s"),
            *_figures(
                non_live="Non-Live AST Acc",
                simple="Non-Live Simple AST",
                multiple="Non-Live Multiple AST",
                parallel="Non-Live Parallel AST",
                parallel_multiple="Non-Live Parallel Multiple AST",
            ),
            Column("Live Acc", Source.SCORE, "live"),
            *_figures(
                live_simple="Live Simple AST",
                live_multiple="Live Multiple AST",
                live_parallel="Live Parallel AST",
                live_parallel_multiple="Live Parallel Multiple AST",
            ),
            Column("Multi Turn Acc", Source.SCORE, "multi_turn"),
            *_figures(
                multi_turn_base="Multi Turn Base",
                multi_turn_miss_func="Multi Turn Miss Func",
                multi_turn_miss_param="Multi Turn Miss Param",
                multi_turn_long_context="Multi Turn Long Context",
            ),
            *_agentic("Web Search Acc", "Memory Acc"),
            *_figures(live_relevance="Relevance Detection", hallucination="Irrelevance Detection"),
            _MAX_DELTA,
            _SPREAD,
            Column("Organization", Source.FACT, "organisation"),
            Column("License", Source.FACT, "licence"),
        ),
        _OVERALL,
    ),
    TableLayout(
        "data_non_live.csv",
        (
            _RANK,
            _MODEL,
            _NON_LIVE,
            *_figures(
                non_live="AST Summary",
                simple="Simple AST",
                simple_python="Python Simple AST",
                simple_java="Java Simple AST",
                simple_javascript="JavaScript Simple AST",
                multiple="Multiple AST",
                parallel="Parallel AST",
                parallel_multiple="Parallel Multiple AST",
                irrelevance="Irrelevance Detection",
            ),
        ),
        _NON_LIVE,
    ),
    TableLayout(
        "data_live.csv",
        (
            _RANK,
            _MODEL,
            _LIVE,
            *_figures(
                live="AST Summary",
                live_simple="Python Simple AST",
                live_multiple="Python Multiple AST",
                live_parallel="Python Parallel AST",
                live_parallel_multiple="Python Parallel Multiple AST",
                live_irrelevance="Irrelevance Detection",
                live_relevance="Relevance Detection",
            ),
        ),
        _LIVE,
    ),
    TableLayout(
        "data_multi_turn.csv",
        (
            _RANK,
            _MODEL,
            _MULTI_TURN,
            *_figures(
                multi_turn_base="Base",
                multi_turn_miss_func="Miss Func",
                multi_turn_miss_param="Miss Param",
                multi_turn_long_context="Long Context",
            ),
        ),
        _MULTI_TURN,
    ),
    TableLayout(
        "data_agentic.csv",
        (_RANK, _MODEL, _AGENTIC, *_agentic("Web Search Summary", "Memory Summary")),
        _AGENTIC,
    ),
    TableLayout(
        "data_format_sensitivity.csv",
        (
            _RANK,
            _MODEL,
            _MAX_DELTA,
            _SPREAD,
            *(Column(f"Config {config}", Source.CONFIG, config) for config in SENSITIVITY_CONFIGS),
        ),
        _MAX_DELTA,
    ),
)
"""The six tables, the one with the overall score first."""
