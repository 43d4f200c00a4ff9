"""Which result and score files lie below a path, and to which run each belongs.

bfcl-eval writes `result/<model>/<group>/BFCL_v4_<category>_result.json` and, beside `result`, the same tree
below `score`. Any part of such a tree will do: a folder of many runs, one run, one group, one file.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, FileName, Group, parse_file_name
from faircall.errors import InputError, UsageError
from faircall.problems import Problem, count_of, first_few

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_FOLDERS_DEEP: Final = 24
_BACKENDS: Final = {
    category.folder.rpartition("/")[2] for category in CATEGORIES.values() if category.folder.count("/") == 2
}
_ROOTS: Final = ("result", "score")


class Run(msgspec.Struct, frozen=True):
    """The files of one model's run; `model` is the name of its folder, with `_` where its name has `/`.

    `label` tells runs apart where several have the same model: the end of the folder's path. `files` are
    those of BFCL v4's categories, in their order; what else was found, and what is odd, is in `problems`.
    """

    model: str
    label: str
    folder: Path
    files: dict[str, Path]
    problems: tuple[Problem, ...] = ()


class _Found(msgspec.Struct, frozen=True):
    path: Path
    name: FileName
    problem: Problem | None = None


def model_folder(model: str) -> str:
    """Return the name of the folder in which a model's results lie.

    The way back is not unique, since a model's own name may hold `_`: compare folders, not names.

    >>> model_folder("some-lab/some_model-8B-FC")
    'some-lab_some_model-8B-FC'
    """
    return model.replace("/", "_")


def discover(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, problems: list[Problem] | None = None
) -> list[Run]:
    """Return the runs whose result files lie at or below `path`, by folder, or those of several paths in their order.

    `path` may be BFCL's `result` folder, a project that holds it, one model's folder, a group's, or one file.
    Folders reached through symbolic links count, hidden ones do not. A folder with files of another version
    of BFCL alone is a run without `files`. What belongs to no run is appended to `problems`.

    Raises `InputError` where there is no result file of BFCL v4, `UsageError` for a file that two paths lead to.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "lab_kite-FC" / "live" / "BFCL_v4_live_relevance_result.json"
    ...     file.parent.mkdir(parents=True)
    ...     file.touch()
    ...     [(run.model, list(run.files)) for run in discover(folder)]
    [('lab_kite-FC', ['live_relevance'])]
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    folders: dict[Path, list[_Found]] = {}
    seen: dict[Path, str] = {}
    for each in map(Path, paths):
        found = _discover(each, "result", problems)
        if len(paths) > 1:
            _refuse_twice(each, found, seen)
        for folder, files in found.items():
            folders.setdefault(folder, []).extend(files)
    return _labelled([_run(folder, files) for folder, files in folders.items()])


def discover_scores(path: str | os.PathLike[str], *, problems: list[Problem] | None = None) -> list[Run]:
    """Return the runs whose score files lie at or below `path`; otherwise as `discover`.

    A name with more between `_score` and its ending (`…_score.reduced.json`) counts where there is no other.
    """
    return _labelled([_run(*found) for found in _discover(Path(path), "score", problems).items()])


def pair_scores(
    runs: list[Run], scores: list[Run], *, problems: list[Problem] | None = None
) -> dict[str, Run]:
    """Return, by the label of each run, the score files that belong to it: those of the same model.

    Where a model has several runs, the score files go to the run with which they share most of their path.
    Score files that fit no run, or several equally well, are left out and appended to `problems`.

    >>> runs = [Run("kite", "may/result/kite", Path("may/result/kite"), {})]
    >>> runs += [Run("kite", "june/result/kite", Path("june/result/kite"), {})]
    >>> pairs = pair_scores(runs, [Run("kite", "kite", Path("june/score/kite"), {})])
    >>> list(pairs)
    ['june/result/kite']
    """
    pairs: dict[str, tuple[int, Run]] = {}
    unpaired = []
    for score in scores:
        near = [(_shared_end(run.folder, score.folder), run) for run in runs if run.model == score.model]
        best = max((length for length, _ in near), default=0)
        nearest = [run for length, run in near if length == best]
        if len(nearest) != 1 or pairs.get(nearest[0].label, (-1,))[0] == best:
            unpaired.append(score)
            continue
        if pairs.get(nearest[0].label, (-1,))[0] < best:
            pairs[nearest[0].label] = (best, score)
    if unpaired and problems is not None:
        names = first_few(score.label for score in unpaired)
        message = f"{count_of(len(unpaired), 'folder')} of scores without exactly one run: {names}"
        problems.append(Problem("unpaired-scores", message))
    return {label: score for label, (_, score) in pairs.items()}


def _shared_end(left: Path, right: Path) -> int:
    """Count the names that two folders share at their ends, `result` and `score` being one."""
    ends = [[part for part in _parts(folder) if part not in _ROOTS] for folder in (left, right)]
    count = 0
    for one, other in zip(reversed(ends[0]), reversed(ends[1]), strict=False):
        if one != other:
            break
        count += 1
    return count


def _parts(folder: Path) -> tuple[str, ...]:
    return Path(os.path.abspath(folder)).parts  # noqa: PTH100 - `absolute` keeps `..`, `resolve` follows links


def _discover(path: Path, role: str, problems: list[Problem] | None) -> dict[Path, list[_Found]]:
    """Return the files at or below a path by the folder of their model."""
    said: list[Problem] = []
    found = list(_files_at(path, role, said))
    folders: dict[Path, list[_Found]] = {}
    for file in found:
        folders.setdefault(_model_folder_of(file.path), []).append(file)
    runs = [_run(folder, files) for folder, files in sorted(folders.items())]
    if not any(run.files for run in runs):
        raise _nothing_found(path, role, [*said, *(problem for run in runs for problem in run.problems)])
    if problems is not None:
        problems.extend(said)
    return dict(sorted(folders.items()))


def _refuse_twice(path: Path, folders: dict[Path, list[_Found]], seen: dict[Path, str]) -> None:
    """Raise `UsageError` where a path leads to a file that another one has led to already; adds to `seen`."""
    for file in {found.path.resolve() for files in folders.values() for found in files}:
        if file in seen:
            raise UsageError(f"{path} and {seen[file]} lead to the same results, {file}: name them once")
    seen |= {found.path.resolve(): str(path) for files in folders.values() for found in files}


def _nothing_found(path: Path, role: str, said: list[Problem]) -> InputError:
    pattern = f"BFCL_v4_<category>_{role}.json"
    what = f"no {role} file of BFCL v4 here ({pattern})"
    if versions := [problem for problem in said if problem.code == "other-version"]:
        what = f"{what}, but {versions[0].message}"
        return InputError(what, path=path, hint="ids and entries differ between versions: run v4")
    if said:
        what = f"{what}; {said[0].message} ({said[0].path})"
    other = "score" if role == "result" else "result"
    if path.is_dir() and next(_files_at(path, other, []), None):
        hint = "score files go to --scores" if other == "score" else "pass the folder with score files"
        return InputError(f"{what}, only {other} files", path=path, hint=hint)
    hint = "for outputs in any other layout there is: faircall check FILE"
    return InputError(what, path=path, hint=hint if role == "result" else "pass the folder with score files")


def _files_at(path: Path, role: str, said: list[Problem]) -> Iterator[_Found]:
    hint = f"pass BFCL's `{role}` folder, one model's folder in it, or one BFCL_v4_<category>_{role}.json"
    try:
        is_folder = path.is_dir()
        if not is_folder and not path.exists():
            where = path if str(path).isprintable() else ascii(str(path))
            raise InputError("there is no such file or folder", path=where, hint=hint)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=path, hint=hint) from error
    except ValueError as error:  # a NUL character in the name
        raise InputError(f"is no file name ({error})", path=ascii(str(path)), hint=hint) from error
    if is_folder:
        yield from _files_below(path, role, said, ())
        return
    name = parse_file_name(path.name)
    if name is None or name.role != role:
        what = f"the name is not that of a {role} file"
        raise InputError(what, path=path, hint=f"BFCL names it BFCL_v4_<category>_{role}.json")
    yield _Found(path, name)


def _files_below(
    folder: Path, role: str, said: list[Problem], above: tuple[tuple[int, int], ...]
) -> Iterator[_Found]:
    """Yield the files below a folder in a stable order, once for each way to it, but never in a circle."""
    try:
        status = folder.stat()
        with os.scandir(folder) as scanned:
            items = sorted(scanned, key=lambda item: item.name)
    except OSError as error:
        reason = error.strerror or error
        said.append(Problem("unreadable-folder", f"the folder cannot be read ({reason})", str(folder)))
        return
    here = (status.st_dev, status.st_ino)
    if here in above or len(above) >= MAX_FOLDERS_DEEP:
        message = "a symbolic link leads back to a folder above; not followed"
        said.append(Problem("symlink-loop", message, str(folder)))
        return
    for item in items:
        if item.name.startswith("."):
            continue
        path = Path(item.path)
        name = parse_file_name(item.name)
        if name is not None and name.role == role:
            if _is_kind(path, stat.S_ISREG):
                yield _Found(path, name)
            else:
                message = "has a result file's name but is no file; ignored"
                said.append(Problem("not-a-file", message.replace("result", role), str(path)))
        elif _is_kind(path, stat.S_ISDIR):
            yield from _files_below(path, role, said, (*above, here))
        elif name is None and item.name.startswith("BFCL_v") and f"_{role}" in item.name:
            said.append(Problem("ignored-file", "almost has the name of a BFCL file; ignored", str(path)))


def _is_kind(path: Path, test: Callable[[int], bool]) -> bool:
    try:
        return test(path.stat().st_mode)
    except OSError:  # a link to nowhere or in a circle, or no right to look
        return False


def _model_folder_of(file: Path) -> Path:
    """Return the folder of the model to which a file belongs: the file's, without the group's folders."""
    folder = Path(*_parts(file.parent))
    if folder.name in _BACKENDS and folder.parent.name == "memory":
        folder = folder.parent
    if folder.name == "memory" and folder.parent.name in set(Group):
        folder = folder.parent
    return folder.parent if folder.name in set(Group) and folder.parent.name else folder


def _run(folder: Path, found: list[_Found]) -> Run:
    problems: list[Problem] = []
    candidates: dict[str, list[_Found]] = {}
    for file in found:
        where = str(file.path)
        if file.name.version != 4:
            older = f"a file of BFCL v{file.name.version} ({file.path.name})"
            problems.append(Problem("other-version", f"{older} was found", where))
        elif file.name.known is not None and (file.name.exact or file.name.role == "score"):
            candidates.setdefault(file.name.category, []).append(file)
        elif file.name.prerequisite:
            message = "conversations that fill a memory beforehand; not scored"
            problems.append(Problem("ignored-file", message, where))
        elif file.name.known is not None:
            problems.append(Problem("ignored-file", "almost has the name of a BFCL file; ignored", where))
        else:
            message = f"BFCL v4 has no category {file.name.category}; ignored"
            problems.append(Problem("unknown-category", message, where))
    files = {}
    for category in CATEGORIES.values():
        if category.name not in candidates:
            continue
        home = folder / category.folder
        first, *others = sorted(
            candidates[category.name],
            key=lambda file: (not file.name.exact, file.path.parent.absolute() != home, file.path),
        )
        files[category.name] = first.path
        for other in others:
            message = f"a second file for {category.name}; {first.path} is read instead"
            problems.append(Problem("duplicate-file", message, str(other.path)))
    return Run(folder.name, folder.name, folder, files, tuple(problems))


def _labelled(runs: list[Run]) -> list[Run]:
    """Give runs of the same model labels that tell them apart: as much of the path as it takes."""
    labelled = []
    for run in runs:
        same = [other for other in runs if other.model == run.model]
        label, length = run.label, 1
        while len(same) > 1 and length < len(run.folder.parts):
            length += 1
            end = run.folder.parts[-length:]
            same = [other for other in same if other.folder.parts[-length:] == end]
            label = "/".join(end)
        labelled.append(msgspec.structs.replace(run, label=label))
    return labelled
