"""Packed entries: in the page while they are few, in a folder beside it from then on, nothing lost on the way."""

from __future__ import annotations

import base64
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.errors import UsageError
from faircall.report.page.shards import Shards, pack


@given(st.lists(st.text(st.characters(exclude_characters="\n"))))
def test_what_is_packed_can_be_unpacked(lines):
    text = gzip.decompress(base64.b64decode(pack(lines))).decode("utf-8", "surrogatepass")
    assert text == "\n".join(lines)


def test_shards_move_out_when_they_are_too_many(tmp_path):
    shards = Shards(tmp_path / "page.html", most_embedded=100)
    shards.add("one", ["{}"])
    assert shards.beside is None
    assert set(shards.embedded) == {"one"}
    shards.add("two", [json.dumps({"text": str(number)}) for number in range(200)])
    shards.add("three", ["{}"])
    assert shards.embedded == {}
    assert shards.beside == "page.entries"
    folder = tmp_path / "page.entries"
    assert {file.name for file in folder.glob("*.js")} == {"one.js", "two.js", "three.js"}
    assert (folder / "one.js").read_text() == f'faircallShard("one", "{pack(["{}"])}");\n'
    assert "3 files" in shards.note()


def test_the_folder_of_an_earlier_page_is_replaced_and_no_other(tmp_path):
    page = tmp_path / "page.html"
    for name in ("old", "new"):
        Shards(page, most_embedded=1).add(name, ["{}"])
    assert [file.name for file in (tmp_path / "page.entries").glob("*.js")] == ["new.js"]
    (tmp_path / "mine.entries").mkdir()
    with pytest.raises(UsageError, match="no page of faircall made it: name another file"):
        Shards(tmp_path / "mine.html", most_embedded=1).add("one", ["{}"])
    with pytest.raises(UsageError, match="name a file with -o"):
        Shards(None, most_embedded=1).add("one", ["{}"])
