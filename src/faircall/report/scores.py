"""A score report as text, JSON, Markdown or CSV. JSON is the contract; the others are views of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.runs import ScoreReport

FORMATS: Final = ("text", "json", "markdown", "csv")


def render_score(report: ScoreReport, format: str = "text", *, flips: int = 5, width: int = 100) -> str:  # noqa: A002
    """Return the report as text for a terminal of `width` cells, or as `json`, `markdown` or `csv`.

    Text and Markdown show up to `flips` differing entries a run, JSON all of them. Each carries the signature.
    Raises UsageError for another format.
    """
    return "".join(score_pieces(report, format, flips=flips, width=width))


def score_pieces(
    report: ScoreReport,
    format: str = "text",  # noqa: A002
    *,
    flips: int = 5,
    width: int = 100,
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
    else:
        raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")
