from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from faircall.bfcl.data import BenchmarkData, find
from faircall.errors import InputError

# No deadlines: a busy machine is no failure. CI draws the same examples each time; elsewhere they are fresh.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

HERE = Path(__file__).resolve().parent


def shared_folder() -> Path | None:
    """The folder of measured data beside the checkout, or None where there is none."""
    named = os.environ.get("FAIRCALL_SHARED")
    folder = Path(named) if named else HERE.parent.parent / "shared"
    return folder if (folder / "README.md").is_file() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = shared_folder()
    assert folder is not None, "the measured data is required but not here"
    return folder


@pytest.fixture(scope="session")
def data() -> BenchmarkData:
    """The benchmark's data; what needs it is skipped where it is not pulled."""
    try:
        return find()
    except InputError as error:
        pytest.skip(str(error))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the measured data where it is absent, unless it is required to be here."""
    if shared_folder() is not None or os.environ.get("FAIRCALL_REQUIRE_SHARED"):
        return
    absent = pytest.mark.skip(reason="the measured data (a folder `shared` beside the checkout) is not here")
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(absent)
