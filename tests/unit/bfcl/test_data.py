from __future__ import annotations

import json
import re
import sys
import zipfile
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.categories import CATEGORIES, VERSION
from faircall.bfcl.data import BenchmarkData, category_named, find, list_data, prompt_styles, verify
from faircall.bfcl.wheel import WHEEL_NAME, WHEEL_SHA256
from faircall.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def codes(data: BenchmarkData) -> list[str]:
    return [problem.code for problem in data.problems]


def test_entries_carry_question_and_tools(small_wheel: Path) -> None:
    data = find(small_wheel)
    (entry,) = data.entries("simple_java").values()
    assert entry.id == "simple_java_0"
    assert entry.language == "java"
    assert entry.question[0][0]["content"] == "Lights on."
    assert entry.tools[0]["name"] == "lamp.set"
    assert data.answers("simple_java") == {"simple_java_0": [{"lamp.set": {}}]}
    assert data.answers("live_relevance") == {}


def test_entries_of_environments_carry_the_environments_tools(small_wheel: Path) -> None:
    data = find(small_wheel)
    (turns,) = data.entries("multi_turn_base").values()
    assert turns.involved_classes == ("MathAPI",)
    assert [tool["name"] for tool in turns.tools] == ["math_api_tool"]
    assert turns.extra == {"initial_config": {"a": 1}}
    (memory,) = data.entries("memory_rec_sum").values()
    assert (memory.id, memory.involved_classes) == ("memory_rec_sum_0", ("MemoryAPI_rec_sum",))
    assert [tool["name"] for tool in memory.tools] == ["memory_rec_sum_tool"]
    assert list(data.answers("web_search_no_snippet")) == ["web_search_no_snippet_0"]


def test_format_sensitivity_asks_each_chosen_entry_in_every_style(small_wheel: Path) -> None:
    data = find(small_wheel)
    entries = data.entries("format_sensitivity")
    assert len(entries) == len(set(prompt_styles())) == 26
    name = f"format_sensitivity_25:{prompt_styles()[25]}:multiple_0"
    assert entries[name].extra == {
        "prompt_style": prompt_styles()[25],
        "base_id": "multiple_0",
        "base_category": "multiple",
    }
    assert data.answers("format_sensitivity")[name] == data.answers("multiple")["multiple_0"]


def test_a_category_is_read_when_it_is_asked_for(
    small_wheel: Path, package: dict[str, str], make_wheel: Callable[..., Path]
) -> None:
    package["data/BFCL_v4_multiple.json"] = "broken"
    data = find(make_wheel(small_wheel, package))
    assert data.entries("irrelevance")
    with pytest.raises(InputError, match=r"BFCL_v4_multiple\.json:1: not JSON"):
        data.entries("multiple")
    assert data.entries("irrelevance") is data.entries("irrelevance")


@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("data/BFCL_v4_irrelevance.json", '{"id": 1, "question": []}'),
        ("data/BFCL_v4_irrelevance.json", '{"id": "irrelevance_0"}'),
        ("data/BFCL_v4_format_sensitivity.json", '["multiple_0"]'),
        ("data/BFCL_v4_multi_turn_base.json", '{"id": "a", "question": [], "involved_classes": ["Nope"]}'),
    ],
)
def test_data_of_another_shape_is_one_line(
    small_wheel: Path, package: dict[str, str], member: str, text: str, make_wheel: Callable[..., Path]
) -> None:
    package[member] = text
    data = find(make_wheel(small_wheel, package))
    with pytest.raises(InputError, match="bfcl_eval"):
        list_data(data)


def test_an_unknown_category_is_named(small_wheel: Path) -> None:
    with pytest.raises(UsageError, match="there is no category 'exec_simple'; there are simple_python"):
        find(small_wheel).entries("exec_simple")
    assert category_named("multiple") is CATEGORIES["multiple"]


def test_without_data_one_line_says_what_to_run(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    with pytest.raises(InputError, match=r"^BFCL's data is not here; run: faircall data pull"):
        find()


def test_a_damaged_cache_is_said(empty_cache: Path) -> None:
    empty_cache.mkdir()
    (empty_cache / WHEEL_NAME).write_bytes(b"half a wheel")
    with pytest.raises(InputError, match="the cached wheel is damaged; run: faircall data pull"):
        find()


def test_changed_data_is_used_with_consent_and_said(small_wheel: Path) -> None:
    data = find(small_wheel)
    assert (data.origin, data.version) == ("file", VERSION)
    assert codes(data) == ["changed-data"]
    assert data.hash8 != WHEEL_SHA256[:8]
    assert len(data.hash8) == 8
    problems = verify(data)
    assert any("has 1 different ids, not 400" in problem.message for problem in problems)
    assert {problem.code for problem in problems} == {"changed-data"}


def test_the_hash_follows_the_content_and_not_the_packing(
    tmp_path: Path, package: dict[str, str], make_wheel: Callable[..., Path], make_folder: Callable[..., Path]
) -> None:
    one = find(make_wheel(tmp_path / "a.whl", package))
    two = find(make_folder(tmp_path / "site", package))
    package["data/BFCL_v4_multiple.json"] += "\n"
    three = find(make_wheel(tmp_path / "b.whl", package))
    assert one.hash8 == two.hash8 != three.hash8


def test_another_release_is_used_with_consent_and_said(
    tmp_path: Path, package: dict[str, str], make_wheel: Callable[..., Path]
) -> None:
    data = find(make_wheel(tmp_path / "x.whl", package, version="2025.10.27.1"))
    assert data.version == "2025.10.27.1"
    assert codes(data) == ["other-data"]
    unnamed = find(make_wheel(tmp_path / "y.whl", package, version=None))
    assert unnamed.version == "unknown"
    assert codes(unnamed) == ["changed-data"]


def test_an_installed_copy_is_found_by_its_metadata_and_not_imported(
    tmp_path: Path,
    empty_cache: Path,
    package: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    make_folder: Callable[..., Path],
) -> None:
    monkeypatch.setattr(sys, "path", [str(make_folder(tmp_path / "site", package)), *sys.path])
    data = find()
    assert (data.origin, data.path) == ("installed", tmp_path / "site" / "bfcl_eval")
    assert codes(data) == ["changed-data"]
    assert data.entries("multiple")
    assert "bfcl_eval" not in sys.modules


def test_an_installed_copy_of_another_release_is_not_used(
    tmp_path: Path,
    empty_cache: Path,
    package: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    make_folder: Callable[..., Path],
) -> None:
    site = make_folder(tmp_path / "site", package, version="2025.1.1")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    with pytest.raises(
        InputError, match=r"is 2025\.1\.1, not 2026\.3\.23; run: faircall data pull"
    ) as refused:
        find()
    assert f"--data {site / 'bfcl_eval'}" in str(refused.value)
    assert codes(find(site / "bfcl_eval")) == ["other-data"]


def test_an_editable_install_is_followed_to_its_checkout(
    tmp_path: Path,
    empty_cache: Path,
    package: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    make_folder: Callable[..., Path],
) -> None:
    checkout = make_folder(tmp_path / "check out", package, version=None)
    info = tmp_path / "site" / "bfcl_eval-2026.3.23.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bfcl_eval\nVersion: 2026.3.23\n")
    (info / "direct_url.json").write_text(
        json.dumps({"url": checkout.as_uri(), "dir_info": {"editable": True}})
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    assert find().path == checkout / "bfcl_eval"
    (info / "direct_url.json").write_text("[]")
    with pytest.raises(InputError, match="is not here"):
        find()


def test_the_published_data_is_sound(benchmark: BenchmarkData) -> None:
    assert verify(benchmark) == ()
    assert benchmark.version == VERSION
    assert benchmark.hash8 == WHEEL_SHA256[:8]
    listing = list_data(benchmark)
    assert listing.problems == ()
    for row in listing.categories:
        category = CATEGORIES[row.name]
        assert row.entries == category.entries
        assert row.answers == (category.entries if category.has_answers else 0)


def test_every_published_entry_has_tools_and_a_question(benchmark: BenchmarkData) -> None:
    for category in CATEGORIES.values():
        for entry in benchmark.entries(category.name).values():
            assert entry.question[0][0]["role"] in {"user", "system"}
            assert all(isinstance(tool["name"], str) for tool in entry.tools)
            assert entry.tools or category.name == "live_irrelevance"


def damage(path: Path, member: str) -> None:
    """Overwrite two bytes in the middle of a member's packed content."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(member)
    start = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    for place in (start, start + 1):
        data[place] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize(
    "member", ["bfcl_eval/data/BFCL_v4_multiple.json", "bfcl_eval/model_handler/base.py", "notes.txt"]
)
def test_a_wheel_with_any_damaged_member_is_refused(
    tmp_path: Path, package: dict[str, str], make_wheel: Callable[..., Path], member: str
) -> None:
    package["model_handler/base.py"] = "import this\n" * 20
    path = make_wheel(tmp_path / "x.whl", package)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "some notes, all of them invented; " * 5)
    assert find(path).entries("multiple")
    damage(path, member)
    with pytest.raises(
        InputError, match=rf"x\.whl!{re.escape(member)}: is damaged .*; run: faircall data pull"
    ):
        find(path)


def test_all_damaged_members_are_counted(
    tmp_path: Path, package: dict[str, str], make_wheel: Callable[..., Path]
) -> None:
    path = make_wheel(tmp_path / "x.whl", package)
    for stem in ("multiple", "parallel", "irrelevance"):
        damage(path, f"bfcl_eval/data/BFCL_v4_{stem}.json")
    with pytest.raises(InputError, match=r"is damaged .*, and so are 2 more"):
        find(path)


def test_the_published_wheel_with_damage_or_packed_anew_is_not_taken_for_it(
    tmp_path: Path, benchmark: BenchmarkData
) -> None:
    if not benchmark.path.is_file():
        pytest.skip("the data is no wheel here")
    damaged = tmp_path / "damaged.whl"
    damaged.write_bytes(benchmark.path.read_bytes())
    damage(damaged, "bfcl_eval/__main__.py")
    with pytest.raises(InputError, match="is damaged"):
        find(damaged)
    anew = tmp_path / "anew.whl"
    with zipfile.ZipFile(benchmark.path) as old, zipfile.ZipFile(anew, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) if name.startswith("bfcl_eval/data/") else b"")
    found = find(anew)
    assert found.hash8 == WHEEL_SHA256[:8]  # of the data, which is the release's
    (problem,) = verify(found)
    assert "does not have the published sha256" in problem.message
