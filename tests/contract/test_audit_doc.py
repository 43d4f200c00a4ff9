"""docs/audit.md says what the command says: its excerpts, its figures, its rules, its recipes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from faircall.auditing import audit
from faircall.board import read_snapshot
from faircall.composition import load_recipe
from faircall.report.audit_view import COLUMNS
from faircall.report.audits import render_audit
from faircall.rules.board import BOARD_RULES

DOC = (Path(__file__).parents[2] / "docs" / "audit.md").read_text("utf-8")
REPORT = audit()
ALL_ROWS = render_audit(audit(top=109), "text")
BLOCKS = re.findall(r"```(\w+)\n(.*?)\n```", DOC, re.DOTALL)
PROSE = re.sub(r"```.*?```", "", DOC, flags=re.DOTALL)

# Figures that are choices or facts of the text, not output: the tolerance of a board with one decimal, the J up to
# which a row is near chance, and what the overall file alone gives (tested beside the board).
KNOWN = {"0.10", "0.05", "0.007", "2026.3.23", "0.00"}


@pytest.mark.parametrize(
    "excerpt", [body for kind, body in BLOCKS if kind == "text"], ids=lambda body: body[:30]
)
def test_an_excerpt_is_output(excerpt):
    assert excerpt in render_audit(REPORT, "text") or excerpt in ALL_ROWS


def test_figures_in_the_prose_are_in_the_output():
    figures = set(re.findall(r"\d+(?:\.\d+)+", PROSE)) - KNOWN
    assert figures
    assert [figure for figure in figures if figure not in ALL_ROWS] == []


def test_the_overall_file_alone_gives_the_other_difference():
    gaps = []
    for row in read_snapshot().rows:
        names = (
            "Non-Live AST Acc",
            "Live Acc",
            "Irrelevance Detection",
            "Multi Turn Acc",
            "Web Search Acc",
            "Memory Acc",
        )
        figures = [row.cells[f"overall:{name}"].value for name in names]
        gaps.append(
            abs(
                sum(w * x for w, x in zip((10, 10, 10, 30, 20, 20), figures, strict=True)) / 100
                - row.published.value
            )
        )
    assert f"{max(gaps):.3f}" == "0.007"


@pytest.mark.parametrize("rule", BOARD_RULES, ids=lambda rule: rule.id)
def test_a_rule_is_listed_with_its_page(rule):
    assert f"- [{rule.id} {rule.slug}](rules/{rule.id}.md), {rule.severity.value}\n" in DOC


def test_every_column_is_explained():
    for column in COLUMNS:
        assert column.head == "model" or f"`{column.head}`" in PROSE


@pytest.mark.parametrize(
    "body", [body for kind, body in BLOCKS if kind == "toml"], ids=lambda body: body[:20]
)
def test_a_recipe_in_the_doc_is_a_recipe(tmp_path, body):
    path = tmp_path / "recipe.toml"
    path.write_text(body)
    recipe = load_recipe(path)
    assert sum(recipe.weights().values()) == pytest.approx(100)


def test_the_table_of_blocks_is_the_recipe():
    for part in load_recipe().score.parts:
        name = part.name.replace("_", "-")
        kind = {"unweighted": "unweighted average", "entries": "average by entries"}[part.average.value]
        assert re.search(rf"^\| {name} \| {kind} \| .* \| {part.weight:g} \|$", DOC, re.MULTILINE)
