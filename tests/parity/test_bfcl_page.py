"""The page on BFCL v4 is what its script makes of the board and the data."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from faircall.bfcl.data import find
from faircall.errors import InputError

ROOT = Path(__file__).parents[2]


def test_the_page_is_in_step():
    try:
        find()
    except InputError as error:
        pytest.skip(str(error))
    spec = importlib.util.spec_from_file_location("make_bfcl_page", ROOT / "benchmarks" / "make_bfcl_page.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (ROOT / "docs" / "bfcl-v4.md").read_text("utf-8") == script.page(), (
        "run: python benchmarks/make_bfcl_page.py"
    )
