"""The public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import faircall


def test_public_names_are_the_documented_ones():
    errors = {"ExternalError", "FaircallError", "InputError", "UsageError"}
    assert set(faircall.__all__) == errors | {
        "__version__",
        "assemble",
        "audit",
        "check",
        "compare",
        "decode",
        "explain",
        "lint",
        "reward",
        "score",
        "validate",
        "write_tools",
    }


@pytest.mark.parametrize("name", [name for name in faircall.__all__ if name != "__version__"])
def test_every_public_name_loads_and_is_documented(name):
    assert getattr(faircall, name).__doc__.strip()


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        _ = faircall.scores


def test_import_reads_nothing_and_loads_nothing_heavy():
    heavy = {"msgspec", "rich", "pandas", "tree_sitter", "click", "inspect_ai"}
    code = f"import sys, faircall; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_pytest_plugin_loads_nothing_heavy_and_assertions_need_no_pytest():
    heavy = {"msgspec", "rich", "tree_sitter", "click", "faircall.scoring", "faircall.report"}
    code = f"import sys, faircall.integrations.pytest_plugin; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    code = "import sys, faircall.testing; print(sorted(set(sys.modules) & {'pytest', '_pytest'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
