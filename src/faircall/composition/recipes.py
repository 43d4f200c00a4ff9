"""Recipes as files: TOML in, `Recipe` out; the built-in ones lie beside this module."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from faircall.composition.places import line_of_key, split_place
from faircall.composition.tree import Average, Node, Recipe, check_average
from faircall.errors import InputError, UsageError

_FOLDER: Final = Path(__file__).parent
DEFAULT_RECIPE: Final = "bfcl-v4"
_EXAMPLES: Final = "docs/audit.md shows recipes"
_T = TypeVar("_T")


def load_recipe(source: str | Path | None = None) -> Recipe:
    """Return the recipe that `source` names: a built-in one, or a TOML file; without one, BFCL v4's.

    A file may build on another with `extends`, and then holds only what differs. Raises UsageError for a name
    that is neither built in nor a file, and InputError for a file that is not a recipe.

    >>> load_recipe().weights()["agentic"]
    40.0
    """
    name = DEFAULT_RECIPE if source is None else str(source)
    path = _FOLDER / f"{name}.toml"
    if name not in recipe_names():
        path = Path(name)
        if not path.is_file():
            raise UsageError(
                f"no recipe named `{name}` and no such file; built in: {', '.join(recipe_names())}"
            )
    return _Builder(path).build(_read(path, ()))


def recipe_names() -> list[str]:
    """Return the names of the built-in recipes."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def _read(path: Path, above: tuple[Path, ...]) -> dict[str, Any]:
    path = path.resolve()
    if path in above:
        raise InputError("`extends` leads back to the file itself", path=path, hint="build on another recipe")
    text = _text(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, line = split_place(error, text)
        raise InputError(f"not TOML: {what}", path=path, line=line, hint=_EXAMPLES) from error
    except RecursionError as error:
        raise InputError("not TOML: nested too deep", path=path, hint=_EXAMPLES) from error
    base = document.pop("extends", None)
    if base is None:
        return document
    line = line_of_key(text, ["extends"])
    hint = f"name a file beside this one, or what is built in: {', '.join(recipe_names())}"
    if not isinstance(base, str):
        raise InputError("`extends` must be a name or a path", path=path, line=line, hint=hint)
    below = _FOLDER / f"{base}.toml" if base in recipe_names() else path.parent / base
    if not below.is_file():
        what = f"`extends` names `{base}`, which is neither built in nor a file"
        raise InputError(what, path=path, line=line, hint=hint)
    document.setdefault("name", path.stem)
    return _merge(_read(below, (*above, path)), document)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        hint = "name a recipe file that can be read"
        raise InputError(f"cannot be read ({error.strerror})", path=path, hint=hint) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError("not UTF-8 text", path=path, line=line, hint="save the recipe as UTF-8") from error


def _merge(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


class _NodeFile(msgspec.Struct, forbid_unknown_fields=True):
    average: Average | None = None
    weight: float | None = None
    entries: int | None = None
    column: str | list[str] = []
    parts: dict[str, Any] = {}  # read one by one, so that a message can name the part


class _ColumnsFile(msgspec.Struct, forbid_unknown_fields=True):
    model: str = "Model"
    rank: str = "Rank"


class _RecipeFile(msgspec.Struct, forbid_unknown_fields=True):
    score: dict[str, Any]
    name: str | None = None
    about: str = ""
    stated: Average | None = None
    abstention: str | None = None
    relevance: dict[str, Any] | None = None
    tables: dict[str, str] = msgspec.field(default_factory=lambda: {"overall": "data_overall.csv"})
    columns: _ColumnsFile = msgspec.field(default_factory=_ColumnsFile)


class _Builder:
    """Makes a recipe of a document; each message names the line of the file on which its cause is written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def build(self, document: dict[str, Any]) -> Recipe:
        file = self._convert(document, _RecipeFile, ())
        if not file.tables:
            raise self._bad("a recipe names at least one table", ("tables",), 'write overall = "board.csv"')
        first = next(iter(file.tables))
        score = self._node("overall", file.score, file.tables, first, ("score",))
        names = [node.name for node in score.walk()]
        if len(set(names)) < len(names):
            double = next(name for name in names if names.count(name) > 1)
            raise self._bad(
                f"`{double}` is named twice in the tree", ("score",), "give each node its own name"
            )
        if not score.parts or not score.columns:
            raise self._bad("`score` needs a column and at least one part", ("score",), _EXAMPLES)
        if file.abstention is not None and file.abstention not in names:
            what = f"`abstention` names `{file.abstention}`, which is not in the tree"
            raise self._bad(what, ("abstention",), f"name one of {', '.join(names[1:])}")
        relevance = None
        if file.relevance is not None:
            relevance = self._node("relevance", file.relevance, file.tables, first, ("relevance",))
        return Recipe(
            name=file.name or self.path.stem,
            score=score,
            about=file.about,
            stated=file.stated or score.average,
            abstention=file.abstention,
            relevance=relevance,
            tables=file.tables,
            model_column=file.columns.model,
            rank_column=file.columns.rank,
        )

    def _node(
        self, name: str, document: object, tables: dict[str, str], first: str, keys: tuple[str, ...]
    ) -> Node:
        file = self._convert(document, _NodeFile, keys)
        for what, number in (("weight", file.weight), ("entries", file.entries)):
            if number is not None and not 0 <= number < float("inf"):
                hint = "write 0 or more"
                raise self._bad(f"`{what}` of `{name}` must not be negative", (*keys, what), hint)
        if file.parts and file.entries is not None:
            what = f"`{name}` has parts, so its entries are theirs"
            raise self._bad(what, (*keys, "entries"), "drop `entries`")
        columns = [file.column] if isinstance(file.column, str) else file.column
        node = Node(
            name=name,
            average=file.average or Average.UNWEIGHTED,
            weight=file.weight,
            entries=file.entries,
            columns=tuple(_qualify(column, tables, first) for column in columns),
            parts=tuple(
                self._node(key, part, tables, first, (*keys, "parts", key))
                for key, part in file.parts.items()
            ),
        )
        try:
            check_average(node, name)
        except UsageError as error:
            raise self._bad(str(error), keys, "state it for each part, or average in another way") from error
        return node

    def _convert(self, document: object, kind: type[_T], keys: tuple[str, ...]) -> _T:
        try:
            return msgspec.convert(document, kind)
        except msgspec.ValidationError as error:
            what, _, place = str(error).partition(" - at `$")
            below = re.findall(r"\w+", place)
            unknown = re.search(r"unknown field `(.*)`", what)
            inner = (*keys, *below, *([unknown[1]] if unknown else []))
            where = ".".join((*keys, *below))
            raise self._bad(
                f"not a recipe: {what}{f' in `{where}`' if where else ''}", inner, _EXAMPLES
            ) from error

    def _bad(self, what: str, keys: tuple[str, ...], hint: str) -> InputError:
        return InputError(what, path=self.path, line=line_of_key(_text(self.path), keys), hint=hint)


def _qualify(column: str, tables: dict[str, str], first: str) -> str:
    table, colon, rest = column.partition(":")
    return f"{table}:{rest.strip()}" if colon and table in tables else f"{first}:{column}"
