"""Charts as plotly's figures, plain objects: colours that the colour-blind can tell apart, and the figures in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

# Okabe and Ito's palette: https://jfly.uni-koeln.de/color/
BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
GREEN: Final = "#009E73"
ORANGE: Final = "#E69F00"
VERMILION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"
YELLOW: Final = "#F0E442"
GREY: Final = "#8A8A8A"
PALETTE: Final = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, YELLOW, GREY)
STATE_COLOURS: Final = {"abstained": BLUE, "malformed": VERMILION, "called": YELLOW, "error": GREY}
STATE_PATTERNS: Final = {"abstained": "", "malformed": "/", "called": ".", "error": "x"}
"""A second mark beside the colour, which print in grey keeps."""
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "{": "&#123;", "%": "&#37;"}
"""What the chart library would take for markup, for a formula or for a place to fill in."""
_ROW_PX: Final = 22
_FRAME_PX: Final = 130


class Chart(msgspec.Struct, frozen=True):
    """A chart: plotly's figure (`data` and `layout`), what it shows in a sentence, and the same figures as a table."""

    name: str
    title: str
    about: str
    figure: dict[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Bar(msgspec.Struct, frozen=True):
    """One kind of bar of a stacked chart: a value for each row, None for none."""

    name: str
    values: tuple[float | None, ...]
    colour: str
    pattern: str = ""


def stacked_bars(labels: Sequence[str], bars: Sequence[Bar], *, axis: str, unit: str) -> dict[str, Any]:
    """Return a figure of stacked horizontal bars, the first row at the top; `unit` stands behind a hovered value."""
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": bar.name,
            "y": _distinct(labels),
            "x": list(bar.values),
            "marker": {
                "color": bar.colour,
                "pattern": {
                    "shape": bar.pattern,
                    "fillmode": "overlay",
                    "fgcolor": "#000",
                    "fgopacity": 0.45,
                    "size": 6,
                    "solidity": 0.2,
                },
            },
            "hovertemplate": f"%{{y}}<br>{bar.name}: %{{x}}{unit}<extra></extra>",
        }
        for bar in bars
    ]
    layout = {
        **_rows_layout(labels),
        "barmode": "relative",
        "xaxis": {"title": {"text": axis}, "zeroline": True},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal"},
    }
    return {"data": traces, "layout": layout}


def whiskers(
    labels: Sequence[str],
    values: Sequence[float | None],
    intervals: Sequence[tuple[float, float] | None],
    bands: Sequence[tuple[int, int]],
    *,
    axis: str,
) -> dict[str, Any]:
    """Return a figure of points with their intervals, a row each; `bands` are stretches of rows that stand together."""
    ends = [
        (0.0, 0.0)
        if span is None or value is None
        else (max(0.0, span[1] - value), max(0.0, value - span[0]))
        for value, span in zip(values, intervals, strict=True)
    ]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "y": _distinct(labels),
        "x": list(values),
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high for high, _ in ends],
            "arrayminus": [low for _, low in ends],
            "thickness": 1.5,
            "width": 3,
            "color": BLUE,
        },
        "marker": {"color": BLUE, "size": 7},
        "hovertemplate": "%{y}<br>%{x}<extra></extra>",
    }
    shapes = [
        {
            "type": "rect",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": first - 0.5,
            "y1": last + 0.5,
            "line": {"width": 0},
            "fillcolor": SKY,
            "opacity": 0.16,
            "layer": "below",
        }
        for place, (first, last) in enumerate(bands)
        if place % 2 == 0
    ]
    layout = {
        **_rows_layout(labels),
        "xaxis": {"title": {"text": axis}},
        "shapes": shapes,
        "showlegend": False,
    }
    return {"data": [trace], "layout": layout}


class Marks(msgspec.Struct, frozen=True):
    """One kind of mark of a chart of rows: a value for each row, None for none."""

    name: str
    values: tuple[float | None, ...]
    colour: str
    symbol: str


def dumbbells(labels: Sequence[str], marks: Sequence[Marks], *, axis: str) -> dict[str, Any]:
    """Return a figure with several marks in each row, joined by a line."""
    names = _distinct(labels)
    joined = [
        [kind.values[place] for kind in marks if kind.values[place] is not None]
        for place in range(len(names))
    ]
    lines = {
        "type": "scatter",
        "mode": "lines",
        "x": [value for values in joined for value in (*values, None)],
        "y": [
            part for name, values in zip(names, joined, strict=True) for part in (*[name] * len(values), None)
        ],
        "line": {"color": GREY, "width": 2},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": kind.name,
            "x": list(kind.values),
            "y": names,
            "marker": {"color": kind.colour, "symbol": kind.symbol, "size": 10},
            "hovertemplate": f"%{{y}}<br>{kind.name}: %{{x:.2f}} %<extra></extra>",
        }
        for kind in marks
    ]
    layout = {
        **_rows_layout(labels),
        "xaxis": {"title": {"text": axis}, "range": [-2, 102]},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    }
    return {"data": [lines, *traces], "layout": layout}


class Point(msgspec.Struct, frozen=True):
    """A point of the scatter of decisions, in percent; `lost` where no call is made at all."""

    label: str
    relevance: float
    irrelevance: float
    lost: bool = False


_KINDS: Final = (("makes calls", False, BLUE, "circle"), ("never makes a call", True, VERMILION, "diamond"))
_PLACES: Final = ("top right", "bottom right", "middle right")
"""Where the names of points stand, in turn: those that never call are close to each other."""
_LEVELS: Final = (-0.25, 0.0, 0.25, 0.5, 0.75)


def decisions(points: Sequence[Point]) -> dict[str, Any]:
    """Return a figure of relevance against irrelevance, with lines on which Youden's J is the same.

    Runs that never call are marked by shape and colour, and named.
    """
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            # J = (relevance + irrelevance) / 100 - 1, within the square
            "x": [max(0.0, 100 * level), min(100.0, 100 * (1 + level))],
            "y": [min(100.0, 100 * (1 + level)), max(0.0, 100 * level)],
            "line": {"color": GREY, "width": 1, "dash": "solid" if level == 0 else "dot"},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        for level in _LEVELS
    ]
    notes = [
        {
            # Where the line leaves the square at the lower right.
            "x": min(100.0, 100 * (1 + level)),
            "y": max(0.0, 100 * level),
            "text": f"J {level:g}",
            "showarrow": False,
            "xanchor": "left",
            "yanchor": "bottom",
            "font": {"size": 11},
        }
        for level in _LEVELS
    ]
    groups = [
        {
            "type": "scatter",
            "mode": "markers+text" if lost else "markers",
            "name": name,
            "x": [point.relevance for point in points if point.lost is lost],
            "y": [point.irrelevance for point in points if point.lost is lost],
            "text": [_plain(point.label) for point in points if point.lost is lost],
            "textposition": [
                _PLACES[number % len(_PLACES)] for number, point in enumerate(points) if point.lost is lost
            ],
            "marker": {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 1, "color": "#fff"}},
            "hovertemplate": "%{text}<br>relevance %{x} %, irrelevance %{y} %<extra></extra>",
        }
        for name, lost, colour, symbol in _KINDS
        if any(point.lost is lost for point in points)
    ]
    layout = {
        "height": 560,
        "xaxis": {"title": {"text": "relevance: calls where a call is wanted, %"}, "range": [-3, 108]},
        "yaxis": {"title": {"text": "irrelevance: abstains where none is, %"}, "range": [-3, 106]},
        "annotations": notes,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        "margin": {"l": 60, "r": 20, "t": 40, "b": 55},
    }
    return {"data": [*lines, *groups], "layout": layout}


def waterfall(
    start: tuple[str, int], steps: Sequence[tuple[str, int, int]], end: tuple[str, int]
) -> dict[str, Any]:
    """Return a waterfall from one count to another; each step is a name, what it gains and what it loses."""
    labels, values, measures, words = [start[0]], [start[1]], ["absolute"], [str(start[1])]
    for name, gained, lost in steps:
        for sign, count, what in ((1, gained, "gained"), (-1, lost, "lost")):
            if count:
                labels.append(f"{_plain(name)}: {what}")
                values.append(sign * count)
                measures.append("relative")
                words.append(f"{sign * count:+d}")
    labels.append(end[0])
    values.append(end[1])
    measures.append("total")
    words.append(str(end[1]))
    trace = {
        "type": "waterfall",
        "orientation": "h",
        "y": labels,
        "x": values,
        "measure": measures,
        "text": words,
        "textposition": "outside",
        "cliponaxis": False,
        "increasing": {"marker": {"color": GREEN}},
        "decreasing": {"marker": {"color": VERMILION}},
        "totals": {"marker": {"color": BLUE}},
        "connector": {"line": {"color": GREY, "width": 1}},
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    layout = {
        **_rows_layout(labels),
        "xaxis": {"title": {"text": "entries right"}, "rangemode": "tozero"},
        "showlegend": False,
    }
    return {"data": [trace], "layout": layout}


def _rows_layout(labels: Sequence[str]) -> dict[str, Any]:
    """The layout of a chart with a row for each label, the first at the top, in which every label is legible."""
    return {
        "height": _FRAME_PX + _ROW_PX * max(1, len(labels)),
        "yaxis": {"autorange": "reversed", "automargin": True, "type": "category", "dtick": 1},
        "margin": {"l": 10, "r": 40, "t": 40, "b": 50},
    }


def _distinct(labels: Sequence[str]) -> list[str]:
    """Return labels without markup, each of its own: a chart lays equal categories over each other."""
    seen: dict[str, int] = {}
    made = []
    for label in labels:
        plain = _plain(label)
        seen[plain] = seen.get(plain, 0) + 1
        made.append(plain if seen[plain] == 1 else f"{plain} ({seen[plain]})")
    return made


def _plain(label: str) -> str:
    """Return a label in which the chart library finds no markup, and which is not too long for a phone."""
    short = label if len(label) <= 44 else f"{label[:24]}…{label[-19:]}"
    return "".join(_ENTITIES.get(character, character) for character in short)
