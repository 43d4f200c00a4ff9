"""An audit's report as text, JSON, Markdown or CSV. JSON is the contract; the others are views of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.errors import UsageError

if TYPE_CHECKING:
    from faircall.auditing import AuditReport
    from faircall.report.page.document import Look

FORMATS: Final = ("text", "json", "markdown", "csv", "html")

# Valid in JSON as they are, but obeyed by terminals or taken for line ends by other readers.
_RISKY: Final = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def render_audit(
    report: AuditReport,
    format: str = "text",  # noqa: A002
    *,
    width: int = 100,
    look: Look | None = None,
) -> str:
    """Return the report as text in lines of `width` cells, or as `json`, `markdown`, `csv` or `html`.

    Text and Markdown show the rows that were asked for, or else the first ten and those with findings; JSON,
    CSV and HTML hold every row that was asked for. `look` is the title and the theme of HTML. Each carries the
    signature. Raises UsageError for any other.
    """
    from faircall.report import audit_csv, audit_markdown, audit_text  # noqa: PLC0415 - one of them is used

    if format == "text":
        return audit_text.render(report, width=width)
    if format == "json":
        return render_json(report)
    if format == "markdown":
        return audit_markdown.render(report)
    if format == "csv":
        return audit_csv.render(report)
    if format == "html":
        from faircall.report.page import board, document  # noqa: PLC0415 - needs the extra `report`

        return board.render(report, look or document.Look())
    raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")


def render_json(report: AuditReport) -> str:
    """Return the report as JSON text: a line for each row and each finding, so that two reports compare
    well."""
    document: dict[str, Any] = msgspec.to_builtins(report)
    parts = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            items = ",\n  ".join(_dump(item) for item in value)
            parts.append(f" {json.dumps(key)}: [\n  {items}\n ]")
        elif isinstance(value, dict) and key == "composition":
            items = ",\n  ".join(f"{json.dumps(name)}: {_dump(item)}" for name, item in value.items())
            parts.append(f" {json.dumps(key)}: {{\n  {items}\n }}")
        else:
            parts.append(f" {json.dumps(key)}: {_dump(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dump(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _RISKY.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
