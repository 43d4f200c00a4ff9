"""The models of BFCL's registry, and the decoder of each.

`models.json` holds what the registry of bfcl-eval 2026.3.23 says: 175 names, the handler and mode of each by
way of its decoder, the name on the public board, and whether the model's API takes no dots in function names.
Beside that it holds what the board prints of each: a link, who made it, its licence, and the price of tokens.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_RESOURCE: Final = "models.json"


class ModelInfo(msgspec.Struct, frozen=True, array_like=True):
    """One model: its name in the registry, its decoder, its name on the board, and its way with dots.

    Under `underscore_to_dot` the evaluator replaces the dots of the expected names by underscores before it
    compares them. `display_name` is not unique: one model reached in two ways has one line on the board for
    each, under one name.
    """

    name: str
    decoder: str
    display_name: str
    underscore_to_dot: bool

    @property
    def folder(self) -> str:
        """The name of the model's folder in BFCL's results: slashes become underscores."""
        return self.name.replace("/", "_")


class ModelFacts(msgspec.Struct, frozen=True, array_like=True):
    """What the board prints of a model beside its figures; prices are in US dollars per million tokens.

    A model without both prices is taken for one that runs on machines of one's own.
    """

    link: str
    organisation: str
    licence: str
    input_price: float | None = None
    output_price: float | None = None


class _File(msgspec.Struct):
    source: str
    models: tuple[ModelInfo, ...]
    facts: msgspec.Raw
    """Left undecoded: looking a model up is frequent and needs none of it."""


class Registry:
    """A set of models that can be looked up by any of their names.

    A name is looked up as it stands, then without regard to case; as a name of the registry, then as a
    folder. Folders are compared whole and never taken apart, so that an underscore of the name itself does no
    harm. Where two models fit at the same step, neither is returned.
    """

    def __init__(self, models: Iterable[ModelInfo]) -> None:
        self.models = tuple(models)
        self._by_name = self._index(lambda model: model.name)
        self._by_folder = self._index(lambda model: model.folder)
        self._by_folded_name = self._index(lambda model: model.name.casefold())
        self._by_folded_folder = self._index(lambda model: model.folder.casefold())

    def _index(self, key: Callable[[ModelInfo], str]) -> dict[str, list[ModelInfo]]:
        index: dict[str, list[ModelInfo]] = {}
        for model in self.models:
            index.setdefault(key(model), []).append(model)
        return index

    def find(self, name: str) -> ModelInfo | None:
        """The one model of that name or folder, or None."""
        folded = name.casefold()
        for index, wanted in (
            (self._by_name, name),
            (self._by_folder, name),
            (self._by_folded_name, folded),
            (self._by_folded_folder, folded),
        ):
            found = index.get(wanted, [])
            if found:
                return found[0] if len(found) == 1 else None
        return None


@cache
def registry() -> Registry:
    """The models of the registry, read once."""
    return Registry(_read().models)


def _read() -> _File:
    return msgspec.json.decode(files("faircall.bfcl").joinpath(_RESOURCE).read_bytes(), type=_File)


def find_model(name: str) -> ModelInfo | None:
    """The model of a registry name or of a results folder, or None; a name that is not known is not guessed at.

    >>> find_model("Qwen_Qwen3-8B-FC").decoder
    'hermes'
    >>> find_model("somebody/some-model") is None
    True
    """
    return registry().find(name)


@cache
def _facts() -> dict[str, ModelFacts]:
    return msgspec.json.decode(_read().facts, type=dict[str, ModelFacts])


def find_facts(name: str) -> ModelFacts | None:
    """What the board prints of the model of a registry name or of a results folder, or None.

    >>> find_facts("Qwen_Qwen3-8B-FC").licence
    'apache-2.0'
    """
    model = find_model(name)
    return None if model is None else _facts().get(model.name)


def find_board_models(display_name: str) -> tuple[ModelInfo, ...]:
    """The models that have this name on the public board; two where a model is reached in two ways.

    >>> [model.name for model in find_board_models("Qwen3-8B (FC)")]
    ['qwen3-8b-FC', 'Qwen/Qwen3-8B-FC']
    """
    return tuple(model for model in registry().models if model.display_name == display_name)
