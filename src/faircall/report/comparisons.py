"""A comparison of runs as text, JSON, Markdown, CSV or HTML. JSON is the contract; the others are views of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.comparing import Comparison
    from faircall.report.page.document import Look

FORMATS: Final = ("text", "json", "markdown", "csv", "html")


def render_comparison(
    comparison: Comparison,
    format: str = "text",  # noqa: A002
    *,
    entries: int = 5,
    pairs: int = 10,
    all_entries: bool = False,
    width: int = 100,
    look: Look | None = None,
) -> str:
    """Return the comparison as text for a terminal of `width` cells, or as `json`, `markdown`, `csv` or `html`.

    Text and Markdown show up to `pairs` pairs in full, each with up to `entries` entries that differ; HTML shows as
    many with all of them, under the title and in the theme of `look`. JSON has all pairs, and all entries where two
    runs are compared or `all_entries` is set; CSV has all pairs and no entries. Each carries the signature. Raises
    UsageError for another format.
    """
    made = comparison_pieces(
        comparison, format, entries=entries, pairs=pairs, all_entries=all_entries, width=width, look=look
    )
    return "".join(made)


def comparison_pieces(
    comparison: Comparison,
    format: str = "text",  # noqa: A002
    *,
    entries: int = 5,
    pairs: int = 10,
    all_entries: bool = False,
    width: int = 100,
    look: Look | None = None,
) -> Iterator[str]:
    """Yield the text of `render_comparison` in pieces, of which those of JSON are a pair each."""
    from faircall.report import compare_csv, compare_json, compare_markdown, compare_text  # noqa: PLC0415 - one is used

    if format == "text":
        yield compare_text.render(comparison, entries=entries, pairs=pairs, width=width)
    elif format == "json":
        yield from compare_json.pieces(comparison, all_entries=all_entries)
    elif format == "markdown":
        yield compare_markdown.render(comparison, entries=entries, pairs=pairs)
    elif format == "csv":
        yield compare_csv.render(comparison)
    elif format == "html":
        from faircall.report.page.comparison import render  # noqa: PLC0415 - needs the extra `report`
        from faircall.report.page.document import Look  # noqa: PLC0415

        yield render(comparison, look or Look(), pairs=pairs)
    else:
        raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")
