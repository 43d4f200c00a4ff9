"""A score report as text, JSON, Markdown or CSV. JSON is the contract; the others are views of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.errors import UsageError
from faircall.rows import dump_json

if TYPE_CHECKING:
    from faircall.runs import ScoreReport

FORMATS: Final = ("text", "json", "markdown", "csv")


def render_score(report: ScoreReport, format: str = "text", *, flips: int = 5, width: int = 100) -> str:  # noqa: A002
    """Return the report as text for a terminal of `width` cells, or as `json`, `markdown` or `csv`.

    Text and Markdown show up to `flips` differing entries a run, JSON all of them. Each carries the signature.
    Raises UsageError for another format.
    """
    from faircall.report import score_csv, score_markdown, score_text  # noqa: PLC0415 - one of them is used

    if format == "text":
        return score_text.render(report, flips=flips, width=width)
    if format == "json":
        return dump_json(report.as_json(), indent=1) + "\n"
    if format == "markdown":
        return score_markdown.render(report, flips=flips)
    if format == "csv":
        return score_csv.render(report)
    raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")
