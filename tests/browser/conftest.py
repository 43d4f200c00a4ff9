"""Pages of results that a person would have, and of results that nobody would wish for, opened in a real browser."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from faircall import audit, score
from faircall.report.audits import render_audit
from faircall.report.page.document import Look
from faircall.report.scores import render_score

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
HOSTILE = {
    "irrelevance_0": "</script><script>window.struck = 1</script><img src=x onerror='window.struck = 1'>",
    "irrelevance_1": "<tool_call>{math.sum numbers=<b>3</b>}</tool_call>",
    "irrelevance_2": "Error during inference: <iframe src='javascript:parent.struck = 1'></iframe>",
    "irrelevance_3": "No tool fits. \u202e\u2028 ${window.struck = 1} {{ 7 * 7 }} \x1b[31m <!-- -->",
    "irrelevance_4": "[get_sum(a='😀😀', b=",
    "irrelevance_5": "",
}
HOSTILE_NAME = "<img src=x onerror=window.struck=1>{{7*7}}"


def results(folder: Path, outputs: dict[str, object], *, model: str) -> Path:
    """Write results of the categories that the ids name, in BFCL's layout."""
    by_category: dict[str, list[str]] = {}
    for id_, result in outputs.items():
        by_category.setdefault(id_.rsplit("_", 1)[0], []).append(json.dumps({"id": id_, "result": result}))
    for category, lines in by_category.items():
        file = folder / "result" / model / "non_live" / f"BFCL_v4_{category}_result.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="session")
def pages(tmp_path_factory, data):
    """The folder of the pages: `board`, `run` (one run), `runs` (two, one of them hostile in every place)."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "board.html").write_text(render_audit(audit(), "html"), "utf-8")
    answers = dict(list(data.answers("simple_python").items())[:60])
    calls = {
        id_: [{name: json.dumps({key: values[0] for key, values in given.items() if values[0] != ""})}]
        for id_, (answer,) in ((id_, answer) for id_, answer in answers.items())
        for name, given in answer.items()
    }
    calls["simple_python_3"] = [{"no_such_tool": "{}"}]
    one = results(tmp_path_factory.mktemp("one"), calls, model="gpt-4o-2024-11-20-FC")
    two = results(tmp_path_factory.mktemp("two"), calls, model="gpt-4o-2024-11-20-FC")
    results(two, HOSTILE, model=HOSTILE_NAME)
    for name, place in (("run", one), ("runs", two)):
        report = score(place, keep_entries=True)
        page = folder / f"{name}.html"
        page.write_text(render_score(report, "html", page=page), "utf-8")
    report = score(one, keep_entries=True)
    (folder / "dark.html").write_text(
        render_score(report, "html", look=Look("Mine & yours", "dark")), "utf-8"
    )
    return folder


@pytest.fixture(scope="session")
def browser():
    if BROWSER is None and not os.environ.get("FAIRCALL_REQUIRE_BROWSER"):
        pytest.skip("Debian's chromium is not installed: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield opened
        opened.close()


class Visit:
    """A page that was opened from disk without a network, and everything that it said or asked for."""

    def __init__(self, browser, file: Path, *, width=1280, scheme="light", fragment=""):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, offline=True, color_scheme=scheme
        )
        self.page = self.context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))
        self.page.goto(file.as_uri() + fragment)

    def scroll(self) -> None:
        """Scroll through the whole page, so that every chart is drawn."""
        for place in range(0, self.page.evaluate("document.body.scrollHeight"), 500):
            self.page.evaluate(f"scrollTo(0, {place})")
            self.page.wait_for_timeout(40)
        self.page.evaluate("scrollTo(0, 0)")


@pytest.fixture
def visit(browser):
    visits: list[Visit] = []

    def start(file: Path, **options) -> Visit:
        visits.append(Visit(browser, file, **options))
        return visits[-1]

    yield start
    for each in visits:
        each.context.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where pictures are kept: as FAIRCALL_PICTURES says, or in build/pictures."""
    folder = Path(os.environ.get("FAIRCALL_PICTURES") or Path(__file__).parents[2] / "build" / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
