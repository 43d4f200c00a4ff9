from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import BenchmarkData, find
from faircall.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def benchmark() -> BenchmarkData:
    """The real data: that named by FAIRCALL_DATA, or whatever is cached or installed."""
    try:
        return find(os.environ.get("FAIRCALL_DATA"))
    except InputError as error:
        pytest.skip(str(error))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("FAIRCALL_CACHE", str(folder))
    return folder


def lines(*objects: dict[str, object]) -> str:
    return "".join(json.dumps(item) + "\n" for item in objects)


def small_package() -> dict[str, str]:
    """A package with the shape of bfcl-eval and one or two entries a category, all of them invented."""
    files = {}
    tool = {
        "name": "lamp.set",
        "description": "Sets a lamp.",
        "parameters": {"type": "dict", "properties": {}},
    }
    turn = [[{"role": "user", "content": "Lights on."}]]
    for stem in {category.stem for category in CATEGORIES.values()} - {"format_sensitivity"}:
        question = {"id": f"{stem}_0", "question": turn}
        if stem.startswith("multi_turn"):
            question |= {"involved_classes": ["MathAPI"], "initial_config": {"a": 1}}
        elif stem in {"memory", "web_search"}:
            question |= {"involved_classes": ["MemoryAPI" if stem == "memory" else "WebSearchAPI"]}
        else:
            question |= {"function": [tool]}
        files[f"data/BFCL_v4_{stem}.json"] = lines(question)
        if "relevance" not in stem:
            files[f"data/possible_answer/BFCL_v4_{stem}.json"] = lines(
                {"id": f"{stem}_0", "ground_truth": [{"lamp.set": {}}]}
            )
    for name in ("math_api", "web_search", "memory_kv", "memory_vector", "memory_rec_sum"):
        files[f"data/multi_turn_func_doc/{name}.json"] = lines({"name": f"{name}_tool", "parameters": {}})
    files["data/BFCL_v4_format_sensitivity.json"] = json.dumps({"multiple": ["multiple_0"]}, indent=1)
    return files


def write_wheel(path: Path, files: dict[str, str], *, version: str | None = "2026.3.23") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"bfcl_eval/{name}", text)
        if version:
            archive.writestr(
                f"bfcl_eval-{version}.dist-info/METADATA", f"Name: bfcl_eval\nVersion: {version}\n"
            )
    return path


def write_folder(site: Path, files: dict[str, str], *, version: str | None = "2026.3.23") -> Path:
    for name, text in files.items():
        file = site / "bfcl_eval" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    # Importing the package would be a defect: it is only to be read.
    (site / "bfcl_eval" / "__init__.py").write_text("raise AssertionError('imported')")
    if version:
        info = site / f"bfcl_eval-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bfcl_eval\nVersion: {version}\n")
    return site


@pytest.fixture
def package() -> dict[str, str]:
    return small_package()


@pytest.fixture
def make_wheel() -> Callable[..., Path]:
    return write_wheel


@pytest.fixture
def make_folder() -> Callable[..., Path]:
    return write_folder


@pytest.fixture
def small_wheel(tmp_path: Path, package: dict[str, str]) -> Path:
    return write_wheel(tmp_path / "bfcl_eval-2026.3.23-py3-none-any.whl", package)
