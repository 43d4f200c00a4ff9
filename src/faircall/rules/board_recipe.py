"""Rules on how a board's scores are made: its recipe, its gaps, its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.board import Doubt, Fit, RebuiltBoard, RebuiltRow, level_agrees, printed_and_parts
from faircall.composition import Average, Node, Recipe, agrees, average
from faircall.rules import board_examples as examples
from faircall.rules.board_subject import ANY_BOARD, counted, listed, plain, read_example, two
from faircall.rules.register import ISSUES, Observed, Rule
from faircall.types import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faircall.composition import Rebuilt

_AVERAGES: Final = {
    Average.UNWEIGHTED: "the unweighted average of",
    Average.WEIGHTED: "the stated weights of",
    Average.ENTRIES: "the average by number of entries of",
}
_KINDS: Final = {
    Average.UNWEIGHTED: "the unweighted average",
    Average.WEIGHTED: "the average by its weights",
    Average.ENTRIES: "the average by number of entries",
}
_LIMIT: Final = 25  # models that a finding lists by name in its evidence


def describe_top(recipe: Recipe, *, short: bool = False) -> str:
    """Return how a recipe makes the overall score: `the weights 10/10/10/30/40 (non-live, live, …)`.

    A short description leaves out the names of the blocks.
    """
    names = "" if short else f" ({', '.join(plain(part.name) for part in recipe.score.parts)})"
    kind = recipe.score.average
    if kind is not Average.WEIGHTED:
        return f"{_AVERAGES[kind]} the {len(recipe.score.parts)} blocks{names}"
    weights = "/".join(f"{weight:g}" for weight in recipe.weights().values())
    return f"the weights {weights}{names}"


def describe_doubt(fit: Fit) -> str:
    """Return why no recipe is named though some would fit, as the first half of a sentence."""
    rows = counted(fit.match.compared, "row")
    if fit.doubt is Doubt.FEW_ROWS:
        return (
            f"{rows} can be compared, too few to tell which recipe made the scores "
            f"(at least {fit.needed} would have to follow it),"
        )
    return f"several recipes fit {fit.fitting} of {rows} equally well, to within the rounding of the printed figures,"


def _stated_recipe_not_used(board: RebuiltBoard) -> Iterator[Observed]:
    fit = board.fit
    if not board.known or fit.how == "stated" or fit.match.compared == 0:
        return
    stated = board.given.with_average(board.given.stated)
    verb = "reproduce" if fit.recipe.score.average is Average.WEIGHTED else "reproduces"
    message = (
        f"The stated recipe, {describe_top(stated)}, reproduces {fit.stated.matching} of "
        f"{counted(fit.stated.compared, 'published score')}. "
        f"{_sentence(describe_top(fit.recipe, short=True))} {verb} "
        f"{fit.match.matching} of {fit.match.compared} to the printed digits (largest difference "
        f"{fit.match.largest_matching:.3f})."
    )
    if fit.recipe.changes:
        message += f" The change from {board.given.label}: {', '.join(fit.recipe.changes)}."
    worst = worst_row(board, stated)
    evidence: dict[str, Any] = {
        "stated": board.given.stated.value,
        "recipe": fit.recipe.label,
        "weights": fit.recipe.weights(),
        "rows_matching": {"stated": fit.stated.matching, "actual": fit.match.matching},
        "rows_compared": fit.match.compared,
        "largest_difference": round(fit.match.largest_matching, 4),
        "tolerance": round(fit.match.tolerance, 4),
    }
    if worst is not None:
        row, value = worst
        published = row.published.value if row.published else 0.0
        gap = abs(value - published)
        message += (
            f" The furthest row, {row.model}, is published at {two(published)} and would have "
            f"{two(value)} by the stated recipe, a gap of {two(gap)}."
        )
        evidence["worst"] = {
            "model": row.model,
            "published": published,
            board.given.stated.value: round(value, 2),
            "gap": round(gap, 2),
        }
    yield Observed(board.board.name, message, evidence, points=evidence.get("worst", {}).get("gap"))


def worst_row(board: RebuiltBoard, recipe: Recipe) -> tuple[RebuiltRow, float] | None:
    """Return the row furthest from what `recipe` makes of its blocks, with that figure."""
    shares = recipe.score.shares()
    found: tuple[float, RebuiltRow, float] | None = None
    for row in board.rows:
        value = average(shares, list(row.blocks.values()))
        if row.published is None or value.missing:
            continue
        gap = abs(value.zero - row.published.value)
        if found is None or gap > found[0] + 1e-9:
            found = gap, row, value.zero
    return None if found is None else (found[1], found[2])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unknown_recipe(board: RebuiltBoard) -> Iterator[Observed]:
    fit = board.fit
    if board.known or fit.given.compared == 0:
        return
    if fit.doubt is not None:
        message = f"{_sentence(describe_doubt(fit))} so that none is named."
    else:
        message = (
            "No recipe was found that reproduces more than half of the published scores: neither "
            f"{describe_top(board.given)} ({fit.given.matching} of {fit.given.compared}) nor the stated "
            f"average ({fit.stated.matching} of {fit.stated.compared}), nor any other average of the blocks "
            "that was tried."
        )
    evidence = {
        "rows_matching": {"stated": fit.stated.matching, "given": fit.given.matching},
        "rows_compared": fit.given.compared,
        "doubt": None if fit.doubt is None else fit.doubt.value,
        "rows_fitting": fit.fitting,
        "rows_needed": fit.needed if fit.doubt is Doubt.FEW_ROWS else None,
    }
    yield Observed(board.board.name, message, evidence)


def _row_not_rebuilt(board: RebuiltBoard) -> Iterator[Observed]:
    if not board.known:
        return
    for row in board.rows:
        if row.published is None or row.weighted.missing or row.matches:
            continue
        made = row.weighted.zero
        yield Observed(
            row.model,
            f"{row.model} is published at {two(row.published.value)}, but its blocks make {two(made)} by the "
            f"recipe that reproduces {board.fit.match.matching} of "
            f"{counted(board.fit.match.compared, 'row')}.",
            {
                "published": row.published.value,
                "rebuilt": round(made, 3),
                "gap": round(abs(made - row.published.value), 3),
                "tolerance": round(row.weighted.half + row.published.half, 4),
            },
            points=abs(made - row.published.value),
            words={"MODEL": row.model},
        )


def _gaps(board: RebuiltBoard) -> Iterator[tuple[RebuiltRow, str, bool, dict[str, object]]]:
    """Yield each scored row with a gap: the row, what is missing, whether it counts as 0, and the numbers."""
    for row in board.rows:
        made = row.weighted
        if row.published is None or not made.missing or not made.stated_missing:
            continue
        as_zero = agrees(made.zero, made.half, row.published)
        left_out = made.left_out is not None and agrees(made.left_out, made.half, row.published)
        evidence: dict[str, object] = {
            "missing": list(made.missing),
            "published": row.published.value,
            "as_zero": round(made.zero, 3),
            "left_out": None if made.left_out is None else round(made.left_out, 3),
            "bounds": [round(made.low, 2), round(made.high, 2)],
        }
        yield row, _missing_words(board.recipe, made), as_zero and not (left_out and made.zero > 0), evidence


def _missing_words(recipe: Recipe, made: Rebuilt) -> str:
    """Return what is missing, whole blocks by their own name."""
    lost = set(made.missing)
    words: list[str] = []

    def descend(node: Node) -> None:
        leaves = {leaf.name for leaf in node.leaves()}
        if node.name in lost or leaves <= lost:
            words.append(plain(node.name))
        else:
            for part in node.parts:
                descend(part)

    for block in recipe.score.parts:
        descend(block)
    return listed(words, most=8)


def _na_counted_as_zero(board: RebuiltBoard) -> Iterator[Observed]:
    for row, missing, as_zero, evidence in _gaps(board):
        if as_zero and row.published is not None:
            yield Observed(
                row.model,
                f"{row.model} has no figure for {missing}; its published {two(row.published.value)} is "
                "what comes "
                f"out with 0 in that place. What was not measured leaves the score anywhere from "
                f"{two(row.weighted.low)} to {two(row.weighted.high)}.",
                evidence,
                points=row.weighted.high - row.weighted.low,
                words={"MODEL": row.model},
            )


def _na_in_score(board: RebuiltBoard) -> Iterator[Observed]:
    for row, missing, as_zero, evidence in _gaps(board):
        if as_zero or row.published is None:
            continue
        made = row.weighted
        how = "cannot be rebuilt from what is printed"
        if made.left_out is not None and agrees(made.left_out, made.half, row.published):
            how = "is the average of the rest, so that it is not comparable with the other rows"
        yield Observed(
            row.model,
            f"{row.model} has no figure for {missing}; its published {two(row.published.value)} {how}. "
            "With what "
            f"is missing at 0 and at 100 the score is {two(made.low)} to {two(made.high)}.",
            evidence,
            points=made.high - made.low,
            words={"MODEL": row.model},
        )


def _tables_disagree(board: RebuiltBoard) -> Iterator[Observed]:
    recipe = board.given
    nodes = [node for part in recipe.score.parts for node in part.walk()]
    nodes += [recipe.relevance] if recipe.relevance else []
    for row in board.rows:
        odd = {}
        for node in nodes:
            figures = {key: cell for key in node.columns if (cell := row.cells.get(key)) is not None}
            if len(figures) > 1:
                low = min(figures.values(), key=lambda cell: cell.value)
                high = max(figures.values(), key=lambda cell: cell.value)
                if not agrees(low.value, low.half, high):
                    odd[node.name] = {key: cell.value for key, cell in figures.items()}
        if odd:
            name, figures_of = next(iter(odd.items()))
            shown = ", ".join(f"{two(value)} in `{key}`" for key, value in figures_of.items())
            more = f", and {counted(len(odd) - 1, 'figure')} more" if len(odd) > 1 else ""
            yield Observed(
                row.model,
                f"{row.model} has different figures for {plain(name)} in different files: {shown}{more}.",
                {"figures": odd},
            )
    for table, models in board.board.strays.items():
        yield Observed(
            board.board.name,
            f"{counted(len(models), 'model')} of the board and of `{recipe.tables[table]}` "
            f"{'is' if len(models) == 1 else 'are'} not in both: {listed(list(models))}.",
            {"table": table, "models": list(models[:_LIMIT]), "count": len(models)},
        )


def _level_not_rebuilt(board: RebuiltBoard) -> Iterator[Observed]:
    nodes = {node.name: node for part in board.given.score.parts for node in part.walk()}
    for level in board.levels:
        if level.matching == level.compared and level.average is level.given:
            continue
        if 2 * level.matching <= level.compared or level.average is not level.given:
            found = (
                f"; {_KINDS[level.average]} reproduces {level.matching}"
                if level.average is not level.given
                else ""
            )
            yield Observed(
                board.board.name,
                f"The printed {plain(level.name)} figure is {_KINDS[level.given]} of its parts, by the "
                "recipe; that "
                f"reproduces {level.given_matching} of {counted(level.compared, 'row')}{found}.",
                {
                    "level": level.name,
                    "recipe": level.given.value,
                    "fits": level.average.value,
                    "rows_matching": {"recipe": level.given_matching, "fits": level.matching},
                    "rows_compared": level.compared,
                },
            )
            if 2 * level.matching <= level.compared:
                continue
        node = msgspec.structs.replace(nodes[level.name], average=level.average)
        for row in board.rows:
            pair = printed_and_parts(node, row.cells)
            if pair is not None and not level_agrees(node, *pair):
                made = average(node.shares(), pair[1]).zero
                yield Observed(
                    row.model,
                    f"{row.model} has {two(pair[0].value)} printed for {plain(level.name)}, but its "
                    "parts make "
                    f"{two(made)}.",
                    {"level": level.name, "printed": pair[0].value, "rebuilt": round(made, 3)},
                )


STATED_RECIPE_NOT_USED: Final = Rule(
    id="B001",
    slug="stated-recipe-not-used",
    severity=Severity.ERROR,
    versions=ANY_BOARD,
    claim="The published scores are not made by the average that the board's page states, but by another "
    "one.",
    not_claimed="that the other weights are wrong, or which of the two a reader should prefer",
    wrong_if="the page's statement has changed since the recipe file was written, or the blocks are printed "
    "with so few digits that several recipes fit",
    command="faircall audit BOARD --select B001",
    bad=examples.SOUND,
    good=examples.EVEN,
    check=_stated_recipe_not_used,
    read=read_example,
)
NA_COUNTED_AS_ZERO: Final = Rule(
    id="B003",
    slug="na-counted-as-zero",
    severity=Severity.ERROR,
    versions=ANY_BOARD,
    claim="A row has no figure in a scored part, and its published score counts that part as 0.",
    not_claimed="what the row would have scored; only the bounds are known",
    wrong_if="the part was run, scored 0, and was printed as N/A",
    command="faircall audit BOARD --model MODEL --select B003",
    reports=(
        f"{ISSUES}/1353",
        f"{ISSUES}/788",
    ),
    bad=examples.NOT_RUN,
    good=examples.MEASURED_ZERO,
    check=_na_counted_as_zero,
    read=read_example,
)
NA_IN_SCORE: Final = Rule(
    id="B004",
    slug="na-in-score",
    severity=Severity.WARNING,
    versions=ANY_BOARD,
    claim="A row has a score but no figure in a part that the score is made of, so that it cannot be "
    "rebuilt.",
    not_claimed="that the score is too high or too low",
    wrong_if="the missing figure is printed elsewhere, in a file that was not given",
    command="faircall audit BOARD --model MODEL --select B004",
    bad=examples.LEFT_OUT,
    good=examples.MEASURED_ZERO,
    check=_na_in_score,
    read=read_example,
)
ROW_NOT_REBUILT: Final = Rule(
    id="B009",
    slug="row-not-rebuilt",
    severity=Severity.ERROR,
    versions=ANY_BOARD,
    claim="A row's score is not what its own blocks make by the recipe that the other rows follow.",
    not_claimed="which of the row's figures is the wrong one",
    wrong_if="the row was made at another time, by another recipe",
    command="faircall audit BOARD --model MODEL --select B009",
    bad=examples.ODD_ROW,
    good=examples.SOUND,
    check=_row_not_rebuilt,
    read=read_example,
)
UNKNOWN_RECIPE: Final = Rule(
    id="B010",
    slug="unknown-recipe",
    severity=Severity.ERROR,
    versions=ANY_BOARD,
    claim="No recipe can be named: none that was tried reproduces more than half of the published scores, or the "
    "rows are too few or too alike to tell those that do apart.",
    not_claimed="that the scores are wrong; they may be made of something that is not printed",
    wrong_if="the board has another layout, for which a recipe file has yet to be written",
    command="faircall audit BOARD --select B010",
    bad=examples.NO_RECIPE,
    good=examples.SOUND,
    check=_unknown_recipe,
    read=read_example,
)
TABLES_DISAGREE: Final = Rule(
    id="B011",
    slug="tables-disagree",
    severity=Severity.WARNING,
    versions="boards of several files",
    claim="The board's files give different figures for the same thing, or do not list the same models.",
    not_claimed="which file is right",
    wrong_if="two columns that a recipe file takes for the same figure are not",
    command="faircall audit BOARD --select B011",
    reports=(f"{ISSUES}/812",),
    bad=examples.DIFFERENT_TABLES,
    good=examples.TWO_TABLES,
    check=_tables_disagree,
    read=read_example,
)
LEVEL_NOT_REBUILT: Final = Rule(
    id="B013",
    slug="level-not-rebuilt",
    severity=Severity.WARNING,
    versions="boards that print figures below the overall score",
    claim="A printed figure below the overall score is not the average of its parts that the recipe says.",
    not_claimed="that the overall score is affected; that is B001 and B009",
    wrong_if="the figure is made of entries that are not in the printed parts",
    command="faircall audit BOARD --select B013",
    reports=(
        f"{ISSUES}/827",
        f"{ISSUES}/1129",
    ),
    bad=examples.OTHER_LEVELS,
    good=examples.LEVELS,
    check=_level_not_rebuilt,
    read=read_example,
)
