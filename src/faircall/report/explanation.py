"""One entry for the terminal: question, tools, output with the deciding span marked, readings, verdicts."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from faircall.bfcl.categories import CATEGORIES, Kind
from faircall.canonical.shapes import ABSENT
from faircall.errors import UsageError
from faircall.report.score_view import DECODER_FROM, problem_line
from faircall.report.tables import Column, cell_width, clean, lay_out, pad, shorten, wrap
from faircall.rows import call_row, dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.explaining import (
        DecodedBy,
        ExplainedEntry,
        ExplainedTurn,
        Explanation,
        OfferedTool,
        ProfileVerdict,
    )
    from faircall.types import Span

FORMATS: Final = ("text", "json")
OPEN: Final = ">>>"
CLOSE: Final = "<<<"
"""What stands before and after the span that decided the state."""
MAX_LINES: Final = 60
"""How many lines of an output are shown; of a longer one its ends, and what is around the deciding span."""
MAX_RESULT: Final = 400
"""How many cells the calls that a decoder reads take at most; what is longer is cut in the middle."""
_AROUND: Final = 10
_BAR: Final = "  | "
_INDENT: Final = "  "
_ROLES: Final = {"declared": "declared", "official": "official handler", "auto": "auto (what fits)"}
_VERDICT_COLUMNS: Final = (
    Column("profile", right=False, shrink=True),
    Column("outcome", right=False),
    Column("state", right=False),
    Column("reason", right=False),
    Column("path", right=False, drop=1),
)


def render_explanation(explanation: Explanation, format: str = "text", *, width: int = 100) -> str:  # noqa: A002
    """Return the explanation as text for a terminal of `width` cells, or as `json`, the signature last.

    Raises UsageError for another format.
    """
    if format == "json":
        return dump_json(explanation.as_json(), indent=1) + "\n"
    if format != "text":
        raise UsageError(f"no report format `{format}`; there are {', '.join(FORMATS)}")
    lines: list[str] = []
    for entry in explanation.entries:
        lines += [*_entry(entry, explanation.profile, width), ""]
    for problem in explanation.problems:
        lines += wrap(clean(problem_line(problem)), width)
    return "\n".join([*lines, clean(explanation.signature)]) + "\n"


def _entry(entry: ExplainedEntry, profile: str, width: int) -> list[str]:
    title = shorten(clean(f"{entry.id} in {entry.model}"), width)
    about = f"{entry.category}, decoder {entry.decoder}: {DECODER_FROM[entry.decoder_from]}"
    lines = [title, "=" * cell_width(title), *wrap(clean(about), width)]
    if not entry.turns:
        lines += ["", "Question", *_quote(entry.question, width)]
    lines += ["", "Tools (`?` may be left out, `=` has a default)"]
    for tool in entry.tools:
        lines += wrap(clean(_signature_of(tool)), width, first=_INDENT, rest=_INDENT * 3)
    if not entry.stored:
        return [*lines, "", "The entry is not in the result file.", "", *_verdicts(entry, width)]
    if entry.wanted is None and not entry.turns:
        lines += ["", "Output (no dialogue)", *_output(_written(entry.output), width)]
        return [*lines, "", *_progress(entry, width), *_verdicts(entry, width)]
    if entry.turns:
        for number, turn in enumerate(entry.turns):
            lines += ["", *_turn(number, turn, width)]
        return [*lines, "", *_progress(entry, width), *_verdicts(entry, width)]
    evidence = entry.verdict.evidence or _evidence_of(entry)
    marked = _mark(entry.output, evidence)
    legend = f" ({OPEN} {CLOSE} marks what decided)" if marked is not None else ""
    lines += ["", f"Output{legend}", *_output(marked or _written(entry.output), width)]
    lines += ["", "What is read in it", *_readings(entry, width)]
    handlers = [made.handler for made in entry.decoders if made.handler]
    lines += wrap(f"The official handler is {', '.join(handlers)}.", width, first=_INDENT)
    verdict = entry.verdict
    lines += ["", f"State under {clean(profile)}"]
    lines += wrap(clean(f"{verdict.state}, {verdict.reason}: {verdict.message}"), width, first=_INDENT)
    if evidence is not None and evidence.text:
        where = f"characters {evidence.start:,} to {evidence.end:,}"
        block = f" of block {evidence.block}" if isinstance(entry.output, list) else ""
        lines += wrap(f"Evidence: {where}{block}.", width, first=_INDENT)
    if entry.calls:
        lines += ["", f"Canonical calls under {clean(profile)}"]
        for made in entry.calls:
            lines += wrap(clean(dump_json(call_row(made.call))), width, first=_INDENT)
            if made.filled:
                lines += wrap(clean(f"filled in: {', '.join(made.filled)}"), width, first=_INDENT * 2)
            for problem in made.problems:
                lines += wrap(clean(problem), width, first=_INDENT * 2)
    lines += ["", *_expected(entry, width), "", *_verdicts(entry, width)]
    return lines


def _turn(number: int, turn: ExplainedTurn, width: int) -> list[str]:
    lines = [f"Turn {number}"]
    lines += (
        [f"{_INDENT}(the question has no such turn)"]
        if turn.question is None
        else _quote(turn.question, width)
    )
    for place, step in enumerate(turn.steps):
        head = f"step {place}: {step.state}, {step.reason}"
        lines += wrap(clean(head if step.calls else f"{head}: {step.message}"), width, first=_INDENT)
        if not step.calls:
            written = _written(step.output)
            is_answer = turn.expected is None and place == len(turn.steps) - 1
            lines += _output(written if is_answer else shorten(written, MAX_RESULT), width)
        lines += _played(step.calls, step.results, width)
    if turn.expected is None:
        return lines
    lines.append(f"{_INDENT}expected calls:" if turn.expected else f"{_INDENT}expected: no call")
    return [*lines, *_played(turn.expected, turn.expected_results, width)]


def _played(calls: Sequence[str], results: Sequence[str], width: int) -> list[str]:
    """Return calls with what they gave, where they were played."""
    lines = []
    for call, result in zip_longest(calls, results):
        shown = call if result is None else f"{call} -> {shorten(result, MAX_RESULT // 2)}"
        lines += wrap(clean(shorten(shown, MAX_RESULT)), width, first=_INDENT * 2, rest=_INDENT * 4)
    return lines


def _progress(entry: ExplainedEntry, width: int) -> list[str]:
    """Return the accepted answers of an agentic entry, and what is beside the verdict of any dialogue."""
    lines = []
    if CATEGORIES[entry.category].kind is Kind.AGENTIC:
        lines += wrap(clean(f"Accepted answers: {dump_json(entry.expected)}"), width)
    made = entry.verdict.dialogue
    if made is not None and CATEGORIES[entry.category].kind is Kind.MULTI_TURN:
        lines.append(f"Turns right, up to the first that is not: {made.passed} of {made.turns}")
        for note in made.notes:
            lines += wrap(clean(note), width, first=_INDENT)
    return [*lines, ""]


def _signature_of(tool: OfferedTool) -> str:
    parts = []
    for each in tool.parameters:
        mark = "" if each.required or each.default is not ABSENT else "?"
        default = "" if each.default is ABSENT else f" = {shorten(dump_json(each.default), 40)}"
        parts.append(f"{each.name}{mark}: {each.type}{default}")
    return f"{tool.name}({', '.join(parts)})"


def _evidence_of(entry: ExplainedEntry) -> Span | None:
    """Return the span that any of the verdicts rests on: the official ones have none of their own."""
    return next((made.verdict.evidence for made in entry.verdicts if made.verdict.evidence), None)


def _written(output: Any) -> str:
    return output if isinstance(output, str) else dump_json(output, indent=1)


def _mark(output: Any, span: Span | None) -> str | None:
    """Return the text that holds the span, with the span marked; None where there is nothing to tell apart.

    The text of a stored list is the block that the span is of.
    """
    if span is None:
        return None
    blocks = output if isinstance(output, list) else [output]
    text = blocks[span.block] if span.block < len(blocks) else None
    if not isinstance(text, str) or text[span.start : span.end] != span.text:
        return None
    if not span.text or (len(blocks) == 1 and span.text == text):
        return None
    return f"{text[: span.start]}{OPEN}{span.text}{CLOSE}{text[span.end :]}"


def _quote(text: str, width: int) -> list[str]:
    """Return a text line by line behind bars, so that nothing in it passes for a line of the report."""
    return [line for piece in text.split("\n") for line in wrap(clean(piece), width, first=_BAR, rest=_BAR)]


def _output(text: str, width: int) -> list[str]:
    lines = _quote(text, width) if text else [f"{_BAR.rstrip()} (empty)"]
    if len(lines) <= MAX_LINES:
        return lines
    third = MAX_LINES // 3
    kept = {*range(third), *range(len(lines) - third, len(lines))}
    for place, line in enumerate(lines):
        if OPEN in line or CLOSE in line:
            kept.update(range(max(0, place - _AROUND), min(len(lines), place + _AROUND)))
            if len(kept) > 2 * MAX_LINES:
                break  # the marks occur in the text itself
    shown: list[str] = []
    last = -1
    for place in sorted(kept):
        if place > last + 1:
            shown.append(f"{_INDENT}({place - last - 1:,} lines left out; --format json has them)")
        shown.append(lines[place])
        last = place
    return shown


def _readings(entry: ExplainedEntry, width: int) -> list[str]:
    heads = ["read by", *(_ROLES[made.role] for made in entry.decoders)]
    names = ["decoder", *(made.decoded.decoder for made in entry.decoders)]
    results = ["calls, or the error and its position", *(_result(made) for made in entry.decoders)]
    widths = max(map(cell_width, heads)), max(map(cell_width, names))
    lines = []
    for head, name, result in zip(heads, names, results, strict=True):
        first = f"{_INDENT}{pad(head, widths[0])}  {pad(name, widths[1])}  "
        lines += wrap(clean(shorten(result, MAX_RESULT)), width, first=first)
    return lines


def _result(made: DecodedBy) -> str:
    decoded = made.decoded
    if decoded.error is not None:
        error = decoded.error
        return f"{error.reason} at {error.position}: {error.message}"
    if decoded.calls:
        count = len(decoded.calls)
        calls = dump_json([call_row(call) for call in decoded.calls])
        return f"{count} call{'' if count == 1 else 's'}: {calls}"
    if decoded.value:
        return f"no call list: {dump_json(decoded.value)}"
    return "an empty call list"


def _expected(entry: ExplainedEntry, width: int) -> list[str]:
    if entry.expected is None:
        return [f"Expected: {'no call' if entry.wanted == 'ABSTAINED' else 'a call, whichever'}"]
    lines = ['Expected (any value of each list; `""` in it: may be left out)']
    for call in entry.expected if isinstance(entry.expected, list) else [entry.expected]:
        lines += wrap(clean(dump_json(call)), width, first=_INDENT)
    return lines


def _verdicts(entry: ExplainedEntry, width: int) -> list[str]:
    rows = [_verdict_cells(made) for made in entry.verdicts]
    lines = ["Verdicts"]
    lines += [_INDENT + line for line in lay_out(_VERDICT_COLUMNS, rows, width - len(_INDENT))]
    for made in entry.verdicts:
        verdict = made.verdict
        official = f" [{verdict.official_error}]" if verdict.official_error else ""
        lines += wrap(clean(f"{made.profile}: {verdict.message}{official}"), width, first="  - ")
    if entry.flip is not None:
        flip = entry.flip
        why = (
            f"no switch alone makes the difference between the official {flip.official} and {flip.fair}"
            if flip.switch == "several"
            else f"the switch `{flip.switch}` turns the official {flip.official} into {flip.fair}"
        )
        lines += wrap(clean(f"Flip: {why} under {flip.profile}."), width)
    return lines


def _verdict_cells(made: ProfileVerdict) -> list[str]:
    verdict = made.verdict
    return [
        clean(made.profile),
        verdict.outcome,
        verdict.state,
        str(verdict.reason),
        clean(verdict.path or "-"),
    ]
