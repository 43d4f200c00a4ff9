"""Charts are figures that plotly itself takes, and say the same in their tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall import audit
from faircall.report.page import board
from faircall.report.page.charts import (
    Bar,
    Marks,
    Point,
    decisions,
    dumbbells,
    stacked_bars,
    waterfall,
    whiskers,
)

plotly = pytest.importorskip("plotly.graph_objects")
LABELS = st.lists(st.text(max_size=80), min_size=1, max_size=6)


def takes(figure):
    """Raises ValueError where a name or a value is none of plotly's."""
    return plotly.Figure(figure)


@given(LABELS, st.data())
def test_every_figure_is_one_of_plotlys(labels, draw):
    values = tuple(
        draw.draw(st.lists(st.none() | st.floats(0, 100), min_size=len(labels), max_size=len(labels)))
    )
    takes(stacked_bars(labels, [Bar("a", values, "#000000", "/")], axis="x", unit=" %"))
    takes(dumbbells(labels, [Marks("a", values, "#000000", "circle")], axis="x"))
    spans = [None if value is None else (value - 1, value + 1) for value in values]
    takes(whiskers(labels, values, spans, [(0, len(labels) - 1)], axis="x"))
    takes(decisions([Point(label, 50.0, 50.0, place % 2 == 0) for place, label in enumerate(labels)]))
    takes(waterfall(("from", 3), [(label, 2, 1) for label in labels], ("to", 4)))


def test_equal_labels_have_rows_of_their_own():
    bars = stacked_bars(["a", "a"], [Bar("x", (1.0, 2.0), "#000000")], axis="x", unit="")
    assert bars["data"][0]["y"] == ["a", "a (2)"]


def test_markup_in_a_label_is_text():
    bars = stacked_bars(
        ["<a href='javascript:x()'>$x$ %{y}</a>"], [Bar("x", (1.0,), "#000000")], axis="x", unit=""
    )
    label = bars["data"][0]["y"][0]
    assert not set("<>${%") & set(label)


def test_a_waterfall_ends_where_the_steps_lead():
    figure = waterfall(("official", 10), [("gate", 0, 4), ("defaults", 3, 0)], ("fair", 9))
    trace = figure["data"][0]
    assert trace["y"] == ["official", "gate: lost", "defaults: gained", "fair"]
    assert trace["x"][0] + sum(trace["x"][1:-1]) == trace["x"][-1] == 9


def test_the_boards_charts_have_the_boards_figures():
    report = audit()
    charts = {chart.name: chart for chart in board._charts(report)}
    assert set(charts) == {"decisions", "makeup", "intervals"}
    blocks = charts["makeup"].figure["data"]
    for place, row in enumerate(report.rows):
        assert sum(trace["x"][place] for trace in blocks) == pytest.approx(row.weighted, abs=0.01)
    lost = next(
        trace for trace in charts["decisions"].figure["data"] if trace.get("name") == "never makes a call"
    )
    assert len(lost["x"]) == 3
    assert all(relevance == 0 for relevance in lost["x"])
    assert all(len(chart.rows) == 109 for chart in charts.values())


def test_bands_hold_rows_that_cannot_be_told_apart_from_their_first():
    rows = audit().rows
    bands = board._bands(rows)
    assert [place for first, last in bands for place in range(first, last + 1)] == list(range(len(rows)))
    for first, last in bands:
        assert rows[last].rank <= max(rows[first].alike[1], rows[first].rank)
