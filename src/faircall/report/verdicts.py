"""A verdict in a few lines of plain text, as a failed test shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from faircall.report.tables import clean, shorten
from faircall.rows import call_row, dump_json
from faircall.types import Outcome

if TYPE_CHECKING:
    from faircall.types import Span, Verdict

MOST_CELLS: Final = 400
"""How much of a value is shown, in cells of a terminal."""
_MOST_CHARACTERS: Final = 4 * MOST_CELLS


def headline(verdict: Verdict) -> str:
    """Return what a verdict says, in one line; of a void one, that it cannot be judged and why.

    >>> from faircall import check
    >>> headline(check("No.", tools=["ride"], expected=[{"ride": {}}]))
    'prose: Expected `CALLED`, got `ABSTAINED`: words, and no call in any protocol - at `$`'
    """
    where = f" - at `{verdict.path}`" if verdict.path is not None else ""
    message = (verdict.message or "").removesuffix(where) + where
    if verdict.outcome is Outcome.VOID:
        return _one_line(f"void, it cannot be judged: {verdict.reason}: {message}")
    return _one_line(f"{verdict.reason}: {message}")


def verdict_lines(verdict: Verdict, *, expected: Any, profile: str) -> list[str]:
    """Return a verdict as lines: what it says, what was expected, and what was read in the output.

    Each is safe for a terminal and cut where it is long. `expected` is the key, as `check` takes it.
    """
    calls = [call_row(call) for call in verdict.calls]
    fields = {
        "path": verdict.path or "none",
        "expected": _wanted(expected),
        "calls": dump_json(calls) if calls else "none",
        "decoder": verdict.decoder or "none",
        "state": verdict.state,
        "reason": str(verdict.reason),
        "evidence": _place(verdict.evidence),
        "profile": profile,
    }
    return [headline(verdict), *(f"  {name:9} {_one_line(text)}" for name, text in fields.items())]


def _wanted(expected: Any) -> str:
    if expected is None:
        return "no malformed call (the state alone is judged)"
    return dump_json(expected) if expected else "no call"


def _place(evidence: Span | None) -> str:
    if evidence is None:
        return "none"
    block = f" of block {evidence.block:,}" if evidence.block else ""
    return f"characters {evidence.start:,} to {evidence.end:,}{block}: {evidence.text[:_MOST_CHARACTERS]}"


def _one_line(text: str) -> str:
    return shorten(clean(text[:_MOST_CHARACTERS]), MOST_CELLS)
