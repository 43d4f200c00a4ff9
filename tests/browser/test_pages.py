"""The pages as a reader uses them: opened from disk, sorted, searched, an entry opened, and nothing run or fetched."""

from __future__ import annotations

import shutil

import pytest

from faircall import score
from faircall.report.page import runs as run_page
from faircall.report.page.document import Look
from faircall.report.page.shards import Shards

from .conftest import HOSTILE, HOSTILE_NAME, results

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EVERY = ("board", "run", "runs", "dark")


def column(page, table, number):
    rows = page.locator(f'[data-table="{table}"] tbody tr:visible')
    return [
        rows.nth(place).locator("th, td").nth(number).inner_text() for place in range(min(rows.count(), 5))
    ]


@pytest.mark.parametrize("name", EVERY)
def test_a_page_asks_for_nothing_and_says_nothing(pages, visit, name):
    seen = visit(pages / f"{name}.html")
    seen.scroll()
    assert seen.asked == [(pages / f"{name}.html").as_uri()]
    assert seen.said == []
    drawn = seen.page.locator("[data-chart]:visible .main-svg").count()
    assert drawn >= seen.page.locator("[data-chart]:visible").count() > 0


def test_the_board_sorts_filters_and_searches(pages, visit):
    page = visit(pages / "board.html").page
    head = page.locator('[data-table="board"] thead th')
    assert column(page, "board", 0) == ["1", "2", "3", "4", "5"]
    head.nth(10).locator("button").click()  # the share of the score that is for not calling
    assert head.nth(10).get_attribute("aria-sort") == "descending"
    assert column(page, "board", 1)[0].startswith("Llama-3.1-Nemotron-Ultra-253B")
    head.nth(10).locator("button").click()
    shares = [float(value) for value in column(page, "board", 10)]
    assert shares == sorted(shares)
    head.nth(1).locator("button").click()
    names = column(page, "board", 1)
    assert names == sorted(names, key=str.lower)
    page.locator('[data-table="board"] [data-search]').fill("grok")
    assert page.locator('[data-table="board"] [data-count]').inner_text() == "4 of 109 rows"
    assert all("grok" in name.lower() for name in column(page, "board", 1))
    page.locator('[data-table="board"] [data-search]').fill("")
    page.locator('[data-table="board"] select').select_option("B006")
    assert page.locator('[data-table="board"] tbody tr:visible').count() == 3


def test_a_board_sorts_by_the_keyboard(pages, visit):
    page = visit(pages / "board.html").page
    page.locator('[data-table="board"] thead button').nth(2).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    scores = [float(value) for value in column(page, "board", 2)]
    assert scores == sorted(scores)


def test_entries_are_filtered_searched_and_opened(pages, visit):
    page = visit(pages / "run.html").page
    page.wait_for_function("document.getElementById('entry-count').textContent === '400 entries'")
    form = page.locator("#entry-filters")
    form.locator("[name=which]").select_option("fail")
    page.wait_for_function("document.querySelectorAll('#entry-table tbody tr').length > 0")
    form.locator("[name=text]").fill("no_such_tool")
    page.wait_for_function("document.getElementById('entry-count').textContent === '1 entry'")
    page.locator("#entry-table a").first.click()
    page.wait_for_selector("article.entry")
    entry = page.locator("article.entry")
    for part in ("no_such_tool", "fair-1", "official-2026.3.23", "Expected", "tool offered", "Question"):
        assert part in entry.inner_text()
    assert page.url.endswith("#simple_python_3")
    assert page.locator("#entry-table a").first.get_attribute("aria-expanded") == "true"
    page.locator("#entry-table a").first.click()
    assert page.locator("article.entry").count() == 0


def test_a_link_opens_its_entry(pages, visit):
    page = visit(pages / "run.html", fragment="#simple_python_55").page
    page.wait_for_selector("article.entry")
    assert page.locator("article.entry h3").inner_text() == "simple_python_55"
    assert page.evaluate("document.querySelector('article.entry').getBoundingClientRect().top") < 900
    page.evaluate("location.hash = '#simple_python_300'")
    page.wait_for_function("document.querySelector('article.entry h3')?.textContent === 'simple_python_300'")
    assert "Nothing is stored for this entry." in page.locator("article.entry").inner_text()
    page.evaluate("location.hash = '#no_such_entry_1'")
    page.evaluate("location.hash = '#%E0%A4%A'")


def test_hostile_outputs_are_shown_and_never_run(pages, visit):
    seen = visit(pages / "runs.html")
    page = seen.page
    links = page.locator('[data-table="overview"] tbody a')
    names = [links.nth(place).inner_text() for place in range(links.count())]
    number = names.index(HOSTILE_NAME)
    links.nth(number).click()
    page.wait_for_function("document.getElementById('entry-count').textContent === '240 entries'")
    for id_, text in HOSTILE.items():
        page.evaluate(f"location.hash = '#run-{number + 1}/{id_}'")
        page.wait_for_function(f"document.querySelector('article.entry h3')?.textContent === '{id_}'")
        written = page.locator("article.entry pre").first
        if text:
            assert written.evaluate("element => element.textContent") == text
    seen.scroll()
    page.wait_for_timeout(200)
    assert page.evaluate("window.struck") is None
    assert page.evaluate("document.querySelectorAll('main img, main iframe, main script').length") == 0
    assert seen.said == []
    assert len(seen.asked) == 1


def test_the_deciding_stretch_is_marked(pages, visit):
    page = visit(pages / "runs.html").page
    names = page.locator('[data-table="overview"] tbody a').all_inner_texts()
    run = names.index(HOSTILE_NAME) + 1
    page.evaluate(f"location.hash = '#run-{run}/irrelevance_4'")
    page.wait_for_selector("article.entry mark")
    assert page.locator("article.entry mark").first.inner_text() in HOSTILE["irrelevance_4"]


def test_a_run_is_chosen(pages, visit):
    page = visit(pages / "runs.html").page
    page.locator("#choose-run").select_option("run-2")
    page.wait_for_function("!document.getElementById('run-2').hidden")
    assert page.locator("#run-1").is_hidden()
    assert page.locator("#run-2 [data-chart] .main-svg").count() >= 1
    page.go_back()
    page.wait_for_function("!document.getElementById('run-1').hidden")


@pytest.mark.parametrize(
    ("name", "scheme"), [(name, scheme) for name in EVERY for scheme in ("light", "dark")]
)
def test_axe_finds_no_serious_fault(pages, visit, name, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    seen = visit(
        pages / f"{name}.html", scheme=scheme, fragment="" if name == "board" else "#simple_python_3"
    )
    if name not in {"board", "runs"}:
        seen.page.wait_for_selector("article.entry")
    seen.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = axe.run(seen.page).response["violations"]
    serious = [
        (each["id"], node["target"], node["failureSummary"])
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]
    assert serious == []


def test_the_theme_is_the_readers_or_the_one_asked_for(pages, visit):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(255, 255, 255)", "rgb(20, 24, 28)"
    assert visit(pages / "board.html").page.evaluate(ground) == light
    page = visit(pages / "board.html", scheme="dark").page
    assert page.evaluate(ground) == dark
    page.locator("#theme").click()
    assert page.evaluate(ground) == light
    page = visit(pages / "dark.html").page
    assert page.evaluate(ground) == dark
    assert page.title() == "Mine & yours"


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("name", ["board", "run", "runs"])
def test_a_page_fits_the_screen_and_is_pictured(pages, visit, pictures, name, width):
    seen = visit(pages / f"{name}.html", width=width, fragment="" if name == "board" else "#simple_python_3")
    seen.scroll()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    seen.page.screenshot(path=pictures / f"{name}-{width}.png", full_page=True)


def test_a_page_prints_with_its_charts(pages, visit, tmp_path):
    page = visit(pages / "board.html").page
    page.pdf(path=tmp_path / "board.pdf")
    assert (tmp_path / "board.pdf").stat().st_size > 50_000
    assert page.locator("[data-chart] .main-svg").count() >= 3


def test_entries_that_are_too_many_stand_beside_the_page(tmp_path, visit, monkeypatch):
    place = results(tmp_path, HOSTILE, model="a-model")
    target = tmp_path / "report of mine.html"
    monkeypatch.setattr(run_page, "Shards", lambda page: Shards(page, most_embedded=1000))
    report = score(place, keep_entries=True)
    target.write_text(run_page.render(report, Look(), page=target), "utf-8")
    beside = tmp_path / "report of mine.entries"
    assert {file.name for file in beside.glob("*.js")} == {"questions-irrelevance.js", "run-1-irrelevance.js"}
    seen = visit(target, fragment="#irrelevance_1")
    seen.page.wait_for_selector("article.entry")
    assert "math.sum" in seen.page.locator("article.entry").inner_text()
    assert "keep the two together" in seen.page.locator("#entries").inner_text()
    assert all(url.startswith("file://") for url in seen.asked)
    shutil.rmtree(beside)
    seen = visit(target)
    seen.page.wait_for_function(
        "document.getElementById('entry-count').textContent.includes('is not beside this page')"
    )
