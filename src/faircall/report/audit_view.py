"""What the text and Markdown views of an audit share: which rows are shown, and how a figure is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from faircall.report.tables import Column

if TYPE_CHECKING:
    from faircall.auditing import AuditReport, ReportRow

FIRST_ROWS: Final = 10
MOST_SUBJECTS: Final = 12
DETAILED: Final = 3
NONE: Final = "-"
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

COLUMNS: Final = (
    Column("#"),
    Column("model", right=False, shrink=True),
    Column("score"),
    Column("wtd"),
    Column("unwtd", drop=2),
    Column("irrel."),
    Column("relev."),
    Column("J"),
    Column("share", drop=1),
    Column("95 %", drop=3),
    Column("alike", drop=4),
)
LEGEND: Final = (
    ("score", "as published"),
    ("wtd", "rebuilt by the recipe used"),
    ("unwtd", "unweighted average of the blocks"),
    ("irrel.", "accuracy where no call is wanted"),
    ("relev.", "accuracy where a call is wanted"),
    ("J", "irrel. + relev. - 1, as fractions"),
    ("share", "% of the score that is for not calling"),
    ("95 %", "interval, from the number of entries"),
    ("alike", "ranks that cannot be told apart"),
)


_BOUNDS: Final = ("bounds", "no interval: the score with what is missing at 0 and at 100")


def legend(rows: list[ReportRow]) -> list[tuple[str, str]]:
    """Return what the headings mean, and the mark of rows without an interval where one of `rows` has it."""
    return [*LEGEND, *([_BOUNDS] if any(row.bounds is not None for row in rows) else [])]


def shown_rows(report: AuditReport) -> list[ReportRow]:
    """Return the rows that a view shows: those asked for, or the first ten and those with findings."""
    if report.selection.top is not None or report.selection.model is not None:
        return list(report.rows)
    named = {finding.subject for finding in report.findings if finding.severity.rank > 0}
    if report.composition.worst is not None:
        named.add(report.composition.worst.model)
    return [row for place, row in enumerate(report.rows) if place < FIRST_ROWS or row.model in named]


def rows_title(report: AuditReport, shown: int) -> str:
    """Return what the table of rows holds."""
    total = report.board.models
    if shown == total:
        return f"all {total}"
    if report.selection.top is not None or report.selection.model is not None:
        return f"{shown} of {total}"
    return f"{shown} of {total}: the first {FIRST_ROWS} and those named above; --top {total} shows all"


def row_cells(row: ReportRow) -> list[str]:
    """Return the cells of a row, one for each of COLUMNS."""
    return [
        str(row.rank),
        row.model,
        figure(row.published),
        figure(row.weighted),
        figure(row.unweighted),
        figure(row.irrelevance),
        figure(row.relevance),
        figure(row.J),
        figure(row.irrelevance_share, 1),
        span(row.interval) if row.bounds is None else f"bounds {span(row.bounds)}",
        ranks(row.alike),
    ]


def figure(value: float | None, digits: int = 2) -> str:
    """Return a number with its digits, or a dash where there is none."""
    return NONE if value is None else f"{value:.{digits}f}"


def span(ends: tuple[float, float] | None, digits: int = 2) -> str:
    """Return an interval as `10.78-11.97`, with `to` where an end is negative, as one number where it has no width."""
    if ends is None:
        return NONE
    low, high = (f"{end:.{digits}f}" for end in ends)
    if low == high:
        return low
    return f"{low}{' to ' if ends[0] < 0 else '-'}{high}"


def ranks(alike: tuple[int, int] | None) -> str:
    """Return a stretch of ranks as `2-4`, or as one number."""
    if alike is None:
        return NONE
    return str(alike[0]) if alike[0] == alike[1] else f"{alike[0]}-{alike[1]}"


def plain(name: str) -> str:
    """Return a block's name in words."""
    return name.replace("_", "-")


def when(date: str | None) -> str | None:
    """Return `2026-04` as `April 2026`; another form of date as it is."""
    if (
        date is not None
        and len(date) == 7
        and date[4] == "-"
        and date[5:].isdigit()
        and 1 <= int(date[5:]) <= 12
    ):
        return f"{_MONTHS[int(date[5:]) - 1]} {date[:4]}"
    return date


def headline(report: AuditReport) -> str:
    """Return which board it is, in one line."""
    count = report.board.models
    about = [part for part in (when(report.board.date), f"{count} model{'' if count == 1 else 's'}") if part]
    source = f" ({report.board.source})" if report.board.source else ""
    return f"Audit of {report.board.name}, {', '.join(about)}{source}"


def composition_rows(report: AuditReport) -> list[list[str]]:
    """Return the table of blocks: name, stated and used weight, entries; then how many rows each
    reproduces."""
    made = report.composition
    rows = []
    for name, block in made.blocks.items():
        used = NONE if made.actual is None else f"{made.actual[name]:g} %"
        rows.append([plain(name), f"{block.stated:g} %", used, str(block.entries or NONE)])
    count = made.rows_compared
    matching = made.rows_matching
    rows.append(
        ["rows reproduced", f"{matching['stated']} of {count}", f"{matching['actual']} of {count}", ""]
    )
    if count:
        gaps = made.largest_difference
        rows.append(["largest difference", f"{gaps['stated']:.3f}", f"{gaps['actual']:.3f}", ""])
    return rows


COMPOSITION_COLUMNS: Final = (
    Column("block", right=False),
    Column("stated"),
    Column("used"),
    Column("entries"),
)


def composition_notes(report: AuditReport) -> list[str]:
    """Return what else there is to say of the composition: rounding, levels, what one entry counts for."""
    made = report.composition
    notes = [f"The recipe used is {made.recipe}."]
    if made.rows_compared:
        notes[0] += f" Rounding of the printed figures allows a difference of {made.tolerance:.3f}."
    if made.levels:
        whole = [level for level in made.levels.values() if level["rows_matching"] == level["rows_compared"]]
        notes.append(
            f"Below the top, {len(whole)} of {len(made.levels)} printed levels are rebuilt from their "
            "parts in every row."
        )
    sized = {name: part for name, part in made.categories.items() if part.per_entry}
    if len(sized) > 1:
        light = min(sized, key=lambda name: sized[name].per_entry or 0.0)
        heavy = max(sized, key=lambda name: sized[name].per_entry or 0.0)
        notes.append(
            f"One entry of {heavy} moves the score by {sized[heavy].per_entry:.4f} points, one of {light} by "
            f"{sized[light].per_entry:.4f}."
        )
    return notes


def detail_lines(row: ReportRow) -> list[str]:
    """Return what the table has no room for, of one row."""
    blocks = ", ".join(f"{plain(name)} {figure(value)}" for name, value in row.blocks.items())
    lines = [f"blocks: {blocks}"]
    if row.missing:
        lines.append(
            f"no figure: {', '.join(row.missing)}; the score is {span(row.bounds)} with them at 0 and at 100"
        )
    if row.J is not None:
        lines.append(f"J {figure(row.J)}, 95 % interval {span(row.J_interval)}")
    if row.next is not None:
        verdict = "told apart" if row.next.told_apart else "cannot be told apart"
        lines.append(
            f"next below: {row.next.model}, {figure(row.next.difference)} points, z "
            f"{figure(row.next.z, 1)}: {verdict}"
        )
    return lines
