"""BFCL's questions, tools and expected answers, read from wherever the benchmark's data is."""

from __future__ import annotations

import hashlib
import json
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES, VERSION, Category, Kind
from faircall.bfcl.environments import TOOL_FILES
from faircall.bfcl.wheel import (
    WHEEL_NAME,
    WHEEL_SHA256,
    FolderSource,
    Source,
    WheelSource,
    cached_wheel,
    download,
    is_pinned,
    open_source,
)
from faircall.errors import InputError, UsageError
from faircall.problems import Problem, count_of, first_few
from faircall.records import parse_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


class Entry(msgspec.Struct, frozen=True, dict=True):
    """One entry of a category, as the benchmark stores it; question and tools are parsed when they are asked for.

    `question` is a list of turns, each a list of chat messages. `tools` are the raw function documents: the
    official loader rewrites the parameter types of Java and JavaScript tools (to strings, with a hint in the
    description) before it shows them to a model, and adds a system message to agentic questions; neither is
    done here. `involved_classes` names the simulated environments of multi-turn and agentic entries, whose
    tools are all listed. `extra` holds the remaining fields (initial configuration, withheld tools,
    scenario, …). The values are shared: treat them as read-only.
    """

    id: str
    category: str
    stored_question: list[Any] | msgspec.Raw
    stored_tools: list[dict[str, Any]] | msgspec.Raw
    language: str = "python"
    involved_classes: tuple[str, ...] = ()
    extra: dict[str, Any] = {}

    @cached_property
    def question(self) -> list[Any]:
        """The turns of the question."""
        turns: list[Any] = _parsed(self.stored_question)
        return turns

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The documents of the tools."""
        documents: list[dict[str, Any]] = _parsed(self.stored_tools)
        return documents

    @cached_property
    def base(self) -> tuple[str, str]:
        """The category and the id whose answer this entry has: in format sensitivity, those of another entry."""
        return str(self.extra.get("base_category", self.category)), str(self.extra.get("base_id", self.id))

    @cached_property
    def tools_key(self) -> object:
        """What entries with the same tools share, so that those are read once: a third of them have others."""
        if isinstance(self.stored_tools, msgspec.Raw):
            return bytes(self.stored_tools)
        return self.involved_classes or (self.category, self.id)


def _parsed(stored: Any) -> Any:
    return msgspec.json.decode(stored) if isinstance(stored, msgspec.Raw) else stored


_PARSED_LATER: Final = frozenset({"question", "function"})
_NAMED: Final = frozenset({"id", "question", "function", "involved_classes"})
"""The fields of a stored entry that an `Entry` has by name."""


class CategoryRow(msgspec.Struct, frozen=True):
    """One line of `faircall data list`: how many entries and answers a category has."""

    name: str
    group: str
    language: str
    entries: int
    answers: int


class Listing(msgspec.Struct, frozen=True):
    """What `faircall data list` prints: where the data is, which it is, and its categories."""

    path: str
    origin: str
    version: str
    hash8: str
    categories: tuple[CategoryRow, ...]
    problems: tuple[Problem, ...] = ()


class Pulled(msgspec.Struct, frozen=True):
    """What `faircall data pull` did: `downloaded` is False where the sound wheel was there already."""

    path: str
    version: str
    sha256: str
    downloaded: bool


class BenchmarkData:
    """The benchmark's data; a category's files are read when they are first asked for, and kept.

    `origin` says how the data was found: `file`, `cache` or `installed`.
    """

    def __init__(self, source: Source, *, origin: str, pinned: bool = False) -> None:
        self.source = source
        self.origin = origin
        self._pinned = pinned
        self._entries: dict[str, dict[str, Entry]] = {}
        self._answers: dict[str, dict[str, Any]] = {}
        self._rows: dict[str, list[dict[str, Any]]] = {}

    @property
    def path(self) -> Path:
        """The wheel or folder that is read."""
        return self.source.path

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The files that differ from the pinned release, or are absent; none in the pinned wheel."""
        if self._pinned:
            return ()
        return tuple(name for name, digest in _contents().items() if self._digests.get(name) != digest)

    @cached_property
    def _digests(self) -> dict[str, str]:
        digests = {}
        for name in _contents():
            try:
                digests[name] = hashlib.sha256(self.source.read(name)).hexdigest()
            except InputError:
                continue  # reported as changed
        return digests

    @cached_property
    def version(self) -> str:
        """The release whose data this is: told by its content, else by its metadata, else `unknown`."""
        return self.source.metadata_version() or "unknown" if self.changed else VERSION

    @cached_property
    def hash8(self) -> str:
        """Eight hexadecimal digits that stand for the data in a signature.

        Of the pinned release, wheel or unpacked copy: the beginning of the wheel's published sha256. Of any
        other data: of the sha256 over the names and hashes of its files.
        """
        if not self.changed:
            return WHEEL_SHA256[:8]
        lines = "".join(f"{name} {digest}\n" for name, digest in sorted(self._digests.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:8]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is odd about the data as a whole: another release, or files that were changed."""
        if not self.changed:
            return ()
        stated = self.source.metadata_version()
        if stated is not None and stated != VERSION:
            message = f"data of bfcl-eval {stated}, not {VERSION}: the scores are not comparable"
            return (Problem("other-data", message, str(self.path)),)
        message = (
            f"{count_of(len(self.changed), 'file')} not as in bfcl-eval {VERSION}: {first_few(self.changed)}"
        )
        return (Problem("changed-data", message, str(self.path)),)

    def read(self, member: str) -> bytes:
        """Return a file of the `bfcl_eval` package, named as inside it. Raises `InputError`."""
        return self.source.read(member)

    def entries(self, category: str) -> dict[str, Entry]:
        """Return the entries of a category by id, in the benchmark's order.

        Raises `UsageError` for a name that is no category, `InputError` where the data cannot be read.
        """
        if category not in self._entries:
            self._entries[category] = dict(self._read_entries(category_named(category)))
        return self._entries[category]

    def answers(self, category: str) -> dict[str, Any]:
        """Return the accepted answers (`ground_truth`, as stored) of a category by entry id.

        Empty for irrelevance and relevance, which have none. Raises as `entries` does.
        """
        if category not in self._answers:
            self._answers[category] = self._read_answers(category_named(category))
        return self._answers[category]

    def _read_entries(self, category: Category) -> Iterator[tuple[str, Entry]]:
        if category.kind is Kind.FORMAT_SENSITIVITY:
            for name, style, base in self._styled():
                extra = {"prompt_style": style, "base_id": base.id, "base_category": base.category}
                yield (
                    name,
                    Entry(
                        name, category.name, base.stored_question, base.stored_tools, base.language, (), extra
                    ),
                )
            return
        for row in self._stored_entries(f"data/BFCL_v4_{category.stem}.json"):
            name = row["id"].replace(category.stem, category.name)
            classes = tuple(row.get("involved_classes", ()))
            if category.stem == "memory":
                classes = tuple(f"MemoryAPI_{category.name.removeprefix('memory_')}" for _ in classes)
            tools = row.get("function")
            if tools is None:
                tools = [tool for environment in classes for tool in self._environment_tools(environment)]
            extra = {key: value for key, value in row.items() if key not in _NAMED}
            yield name, Entry(name, category.name, row["question"], tools, category.language, classes, extra)

    def _read_answers(self, category: Category) -> dict[str, Any]:
        if category.kind is Kind.FORMAT_SENSITIVITY:
            return {name: self.answers(base.category)[base.id] for name, _, base in self._styled()}
        if not category.has_answers:
            return {}
        rows = self._stored(f"data/possible_answer/BFCL_v4_{category.stem}.json", "ground_truth")
        return {row["id"].replace(category.stem, category.name): row["ground_truth"] for row in rows}

    def _styled(self) -> Iterator[tuple[str, str, Entry]]:
        """Yield format sensitivity's entries: those of other categories, each in every style of prompt."""
        where = "data/BFCL_v4_format_sensitivity.json"
        try:
            chosen = msgspec.json.decode(self.source.read(where), type=dict[str, list[str]])
        except msgspec.DecodeError as error:
            what = f"is not a list of ids by category ({error})"
            raise InputError(what, path=self._title(where), hint="run: faircall data pull") from error
        number = 0
        for name, ids in chosen.items():
            wanted = set(ids)
            for base in self.entries(name).values():
                if base.id not in wanted:
                    continue
                for style in prompt_styles():
                    yield f"format_sensitivity_{number}:{style}:{base.id}", style, base
                    number += 1

    def _environment_tools(self, environment: str) -> list[dict[str, Any]]:
        if environment not in TOOL_FILES:
            what = f"no tools are known for the environment {environment}"
            raise InputError(what, path=self.path, hint=f"pass the data of bfcl-eval {VERSION}")
        return self._lines(f"data/multi_turn_func_doc/{TOOL_FILES[environment]}.json")

    def _stored_entries(self, member: str) -> Iterator[dict[str, Any]]:
        """Yield each row of a file of questions; of sound data, questions and tools as they are written."""
        if not self._pinned:
            yield from self._stored(member, "question")
            return
        for row in msgspec.json.Decoder(dict[str, msgspec.Raw]).decode_lines(self.source.read(member)):
            yield {key: value if key in _PARSED_LATER else _parsed(value) for key, value in row.items()}

    def _stored(self, member: str, field: str) -> Iterator[dict[str, Any]]:
        """Yield each row of a data file, which has an `id` and the field asked for."""
        for number, row in enumerate(self._lines(member), 1):
            if not isinstance(row.get("id"), str) or not isinstance(row.get(field), list):
                what = f"an entry without a text `id` or a list `{field}`"
                raise InputError(what, path=self._title(member), line=number, hint="run: faircall data pull")
            yield row

    def _lines(self, member: str) -> list[dict[str, Any]]:
        if member not in self._rows:
            text = self.source.read(member)
            if self._pinned:  # every byte is known, and so is that each line is one sound object
                self._rows[member] = msgspec.json.Decoder(dict[str, Any]).decode_lines(text)
            else:
                found = parse_lines(text, name=self._title(member))
                self._rows[member] = [record.value for record in found]
        return self._rows[member]

    def _title(self, member: str) -> str:
        return f"{self.path}!{member}"


def category_named(name: str) -> Category:
    """Return the category of that very name. Raises `UsageError` where there is none.

    >>> category_named("live_relevance").entries
    16
    """
    if name not in CATEGORIES:
        raise UsageError(f"there is no category {name!r}; there are {', '.join(CATEGORIES)}")
    return CATEGORIES[name]


@cache
def prompt_styles() -> tuple[str, ...]:
    """Return the 26 styles of prompt that format sensitivity tries, as they occur in its ids.

    >>> prompt_styles()[0]
    'ret_fmt=python&tool_call_tag=True&func_doc_fmt=python&prompt_fmt=plaintext&style=classic'
    """
    styles = [
        f"ret_fmt={answer}&tool_call_tag={tag}&func_doc_fmt={tools}&prompt_fmt=plaintext&style=classic"
        for answer in ("python", "json", "verbose_xml", "concise_xml")
        for tag in ("True", "False")
        for tools in ("python", "xml", "json")
    ]
    base = "ret_fmt=python&tool_call_tag=False&func_doc_fmt=json"
    styles += [f"{base}&prompt_fmt=markdown&style=classic", f"{base}&prompt_fmt=plaintext&style=experimental"]
    return tuple(styles)


@cache
def _contents() -> dict[str, str]:
    """Return the sha256 of every data file of the pinned release, by name inside the package."""
    from importlib import resources  # noqa: PLC0415 - of no use with the pinned wheel

    text = resources.files("faircall.bfcl").joinpath("contents.json").read_text("utf-8")
    contents: dict[str, str] = json.loads(text)["sha256"]
    return contents


def pull(*, again: bool = False) -> Pulled:
    """Fetch the pinned data into the cache, where it is not there yet, and return what was done.

    Uses the network only where the cache does not hold the sound wheel, or `again` is set. Raises
    `ExternalError` where pip is missing, the download fails, or the file is not the pinned one.
    """
    target = cached_wheel()
    if not again and is_pinned(target):
        return Pulled(str(target), VERSION, WHEEL_SHA256, downloaded=False)
    return Pulled(str(download()), VERSION, WHEEL_SHA256, downloaded=True)


def find(data: str | os.PathLike[str] | None = None) -> BenchmarkData:
    """Return the benchmark's data: that at `data`, else the cached wheel, else an installed `bfcl-eval`.

    Data at `data` may be of another release or changed: `BenchmarkData.problems` says so. An installed copy
    of another release is not used. Nothing is downloaded, and no code of the benchmark is imported.

    Raises `InputError` where there is no data, with the command that fetches it, and for a wheel of which any
    member is damaged, whether or not it would be read.
    """
    if data is not None:
        source = open_source(data)
        published = bool(is_pinned(source.path))
        if isinstance(source, WheelSource) and not published:
            source.check()
        return BenchmarkData(source, origin="file", pinned=published)
    wheel = cached_wheel()
    pinned = is_pinned(wheel)
    if pinned:
        return BenchmarkData(open_source(wheel), origin="cache", pinned=True)
    if pinned is False:
        raise InputError("the cached wheel is damaged", path=wheel, hint="run: faircall data pull")
    installed = _find_installed()
    if installed is None:
        raise InputError(
            "BFCL's data is not here", hint=f"run: faircall data pull (or pass {WHEEL_NAME} with --data)"
        )
    folder, version = installed
    found = BenchmarkData(FolderSource(folder), origin="installed")
    if version != VERSION and found.changed:
        raise InputError(
            f"the installed bfcl-eval is {version}, not {VERSION}",
            hint=f"run: faircall data pull (or pass --data {folder} to use it all the same)",
        )
    return found


def _find_installed() -> tuple[Path, str] | None:
    """Return the folder of an installed `bfcl_eval` and its version, from its metadata alone."""
    from importlib import metadata  # noqa: PLC0415 - takes longer to load than the cached data to read

    try:
        distribution = metadata.distribution("bfcl-eval")
    except metadata.PackageNotFoundError:
        return None
    folders = [Path(str(distribution.locate_file("bfcl_eval")))]
    if address := distribution.read_text("direct_url.json"):  # an editable install lies elsewhere
        folders += _folder_of_url(address)
    for folder in folders:
        if (folder / "data" / "possible_answer").is_dir():
            return folder, distribution.version
    return None


def _folder_of_url(address: str) -> list[Path]:
    from urllib.parse import urlsplit  # noqa: PLC0415 - rarely needed, slow to load
    from urllib.request import url2pathname  # noqa: PLC0415

    try:
        url = urlsplit(str(json.loads(address)["url"]))
    except (ValueError, KeyError, TypeError):
        return []
    return [Path(url2pathname(url.path)) / "bfcl_eval"] if url.scheme == "file" else []


def list_data(data: BenchmarkData) -> Listing:
    """Return where the data is, which release it is, and the entries and answers of each category.

    Raises `InputError` where a category cannot be read.
    """
    rows = tuple(
        CategoryRow(
            category.name,
            category.group.value,
            category.language,
            len(data.entries(category.name)),
            len(data.answers(category.name)),
        )
        for category in CATEGORIES.values()
    )
    return Listing(str(data.path), data.origin, data.version, data.hash8, rows, data.problems)


def verify(data: BenchmarkData) -> tuple[Problem, ...]:
    """Return everything in which the data differs from the pinned release: none, where it is sound.

    Checks the hash of a wheel, the hash of every data file, and for each category that the counts are those of
    the release, that no id occurs twice, and that entries and answers have the same ids in the same order.
    """
    problems = list(data.problems)
    if isinstance(data.source, WheelSource) and not data._pinned and not data.changed:
        message = "the wheel does not have the published sha256, though each data file in it does"
        problems.append(Problem("changed-data", message, str(data.path)))
    for name in data.changed:
        absent = name not in data._digests
        what = "is absent or cannot be read" if absent else "does not have the published sha256"
        problems.append(Problem("changed-data", f"{name} {what}", str(data.path)))
    for category in CATEGORIES.values():
        try:
            entries, answers = data.entries(category.name), data.answers(category.name)
        except InputError as error:
            problems.append(Problem("changed-data", error.what, error.path, error.line))
            continue
        if len(entries) != category.entries:
            message = f"{category.name} has {len(entries):,} different ids, not {category.entries:,}"
            problems.append(Problem("changed-data", message, str(data.path)))
        if category.has_answers and list(entries) != list(answers):
            odd = sorted(set(entries) ^ set(answers))
            where = f": {first_few(odd)}" if odd else ", in another order"
            message = f"{category.name}: the ids of entries and answers differ{where}"
            problems.append(Problem("changed-data", message, str(data.path), ids=tuple(odd)))
    return tuple(problems)
