"""A score report as text, JSON, Markdown, CSV or HTML. JSON is the contract; the others are views of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from faircall.report.page.document import Look
    from faircall.runs import ScoreReport

FORMATS: Final = ("text", "json", "markdown", "csv", "html")


def render_score(
    report: ScoreReport,
    format: str = "text",  # noqa: A002
    *,
    flips: int = 5,
    width: int = 100,
    look: Look | None = None,
    page: Path | None = None,
) -> str:
    """Return the report as text for a terminal of `width` cells, or as `json`, `markdown`, `csv` or `html`.

    Text and Markdown show up to `flips` differing entries a run, JSON all of them, HTML every entry. `look` is the
    title and the theme of HTML, and `page` the file that it is meant for, beside which entries go that are too many for
    one file. Each carries the signature. Raises UsageError for another format, and for HTML of runs that were scored
    without `keep_entries`.
    """
    return "".join(score_pieces(report, format, flips=flips, width=width, look=look, page=page))


def score_pieces(
    report: ScoreReport,
    format: str = "text",  # noqa: A002
    *,
    flips: int = 5,
    width: int = 100,
    look: Look | None = None,
    page: Path | None = None,
) -> Iterator[str]:
    """Yield the text of `render_score` in pieces, of which those of JSON are small however many runs there are."""
    from faircall.report import score_csv, score_json, score_markdown, score_text  # noqa: PLC0415 - one of them is used

    if format == "text":
        yield score_text.render(report, flips=flips, width=width)
    elif format == "json":
        yield from score_json.pieces(report)
    elif format == "markdown":
        yield score_markdown.render(report, flips=flips)
    elif format == "csv":
        yield score_csv.render(report)
    elif format == "html":
        from faircall.report.page import document, runs  # noqa: PLC0415 - needs the extra `report`

        yield runs.render(report, look or document.Look(), page=page)
    else:
        raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")
