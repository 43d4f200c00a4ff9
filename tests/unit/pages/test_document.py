"""The document around a page: everything escaped, scripts by their hashes, nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall import audit
from faircall.errors import UsageError
from faircall.report.audits import render_audit
from faircall.report.page import document
from faircall.report.page.document import Look, embed


class Reader(HTMLParser):
    """Collects scripts, links and attributes that could run or fetch something."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.links, self.handlers = [], [], []
        self._script = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given_attributes = dict(attrs)
        if tag == "script":
            self._script = given_attributes
            self.scripts.append([given_attributes.get("type"), ""])
        self.links += [value for name, value in attrs if name in {"src", "href", "action"}]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag):
        if tag == "script":
            self._script = None

    def handle_data(self, data):
        if self._script is not None:
            self.scripts[-1][1] += data


@pytest.fixture(scope="module")
def board():
    return render_audit(audit(top=5), "html")


def test_only_scripts_with_a_listed_hash_can_run(board):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', board)[1].replace(
        "&#39;", "'"
    )
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    running = [text for kind, text in Reader(board).scripts if kind is None]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in running]
    assert re.findall(r"'sha256-([^']+)'", policy) == digests
    assert len(digests) == 2


def test_nothing_comes_from_elsewhere(board):
    read = Reader(board)
    assert all(link.startswith("#") or link == "data:," for link in read.links)
    assert read.handlers == []


def test_the_title_and_the_theme_are_those_asked_for():
    page = render_audit(audit(top=1), "html", look=Look("<b>Ours</b>", "dark"))
    assert '<html lang="en" data-theme="dark">' in page
    assert "<title>&lt;b&gt;Ours&lt;/b&gt;</title>" in page
    assert "<b>Ours</b>" not in page


def test_an_unknown_theme_and_missing_libraries_are_one_clear_line(monkeypatch):
    with pytest.raises(UsageError, match="no theme is called 'sepia'; there are auto, light, dark"):
        render_audit(audit(top=1), "html", look=Look(theme="sepia"))
    monkeypatch.setattr(document, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=re.escape("pip install 'faircall[report]'")):
        render_audit(audit(top=1), "html")


@given(
    st.recursive(
        st.text() | st.none() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_embedded_data_cannot_end_its_element(value):
    text = embed(value)
    assert not set(text) & set("<>&\u2028\u2029")
    text.encode("utf-8")
    assert json.loads(text) == json.loads(json.dumps(value))


def test_text_between_backticks_is_code_and_escaped():
    assert document._prose("run `a<b` & go") == "run <code>a&lt;b</code> &amp; go"
    assert document._prose("one ` alone") == "one ` alone"
