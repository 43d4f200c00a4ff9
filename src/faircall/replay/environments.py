"""The benchmark's simulated environments: loaded from its own files as they are, made anew for every entry.

Runs in the worker process. The modules are given as source text (`Player` has checked that it is the pinned
release's) and imported under their own names, without the package around them, whose import takes seconds.
"""

from __future__ import annotations

import copy
import functools
import importlib
import importlib.util
import inspect
import json
import sys
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any, Final

from faircall.bfcl.environments import MODULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

PACKAGE: Final = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
SHARED_MODULE: Final = "long_context"
"""The module that the others take their long texts from."""
WITHOUT_STATE: Final = frozenset({"MathAPI"})
_ON_DEMAND: Final = "mpmath"
"""Takes longer to import than all of the environments, and one method in a hundred needs it."""


class _Sources(MetaPathFinder, InspectLoader):
    """Finds the environments' modules, and empty packages around them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = {f"{PACKAGE}.{name}": source for name, source in sources.items()}
        parts = PACKAGE.split(".")
        self._packages = {".".join(parts[: count + 1]) for count in range(len(parts))}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname in self._packages:
            return ModuleSpec(fullname, self, is_package=True)
        return ModuleSpec(fullname, self) if fullname in self._sources else None

    def is_package(self, fullname: str) -> bool:
        return fullname in self._packages

    def get_source(self, fullname: str) -> str:
        return self._sources.get(fullname, "")


class Environments:
    """The loaded classes; `fresh` makes the environments of an entry."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        sys.meta_path.insert(0, _Sources(sources))
        _import_on_demand(_ON_DEMAND)
        modules = {name: importlib.import_module(f"{PACKAGE}.{module}") for name, module in MODULES.items()}
        self._classes = {name: getattr(module, name) for name, module in modules.items()}
        self._methods = {name: _public_methods(made) for name, made in self._classes.items()}
        # A module's values hold those that it takes from the shared one.
        self._shared = {
            name: [(constant, copy.deepcopy(constant)) for constant in _mutable(module)]
            for name, module in modules.items()
        }

    def fresh(
        self, classes: Sequence[str], config: str, *, long_context: bool, apart: bool = False
    ) -> dict[str, Any]:
        """Return new environments by class, in their initial states; `apart`, with nothing that others have too."""
        states = json.loads(config)
        made = {}
        for name in classes:
            environment = self._classes[name]()
            if name not in WITHOUT_STATE:
                environment._load_scenario(states.get(name, {}), long_context=long_context)
            if apart:
                vars(environment).update(copy.deepcopy(vars(environment)))
            made[name] = environment
        return made

    def methods(
        self, environments: Mapping[str, Any], written: Callable[[str, str], str], *, apart: bool = False
    ) -> dict[str, Callable[..., Any]]:
        """Return the public methods by what `written(class, method)` says that a call writes.

        Of two classes with a method of one name, the later one's counts. `apart`, a default value that could be changed
        is made anew for each call.
        """
        table = {
            written(name, method): getattr(environment, method)
            for name, environment in environments.items()
            for method in self._methods[name]
        }
        return {name: _with_fresh_defaults(method) for name, method in table.items()} if apart else table

    def restore(self, classes: Sequence[str]) -> bool:
        """Undo what calls in environments have done to values that are shared, and return whether they did."""
        changed = False
        for name in classes:
            for constant, pristine in self._shared[name]:
                if constant != pristine:
                    changed = True
                    constant.clear()
                    (constant.extend if isinstance(constant, list) else constant.update)(
                        copy.deepcopy(pristine)
                    )
        return changed


def _with_fresh_defaults(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose default lists and dictionaries no call can change for the next one."""
    parameters = inspect.signature(method).parameters.values()
    defaults = {each.name: each.default for each in parameters if isinstance(each.default, (dict, list, set))}
    if not defaults:
        return method
    names = [each.name for each in parameters]

    @functools.wraps(method)
    def call(*positional: Any, **named: Any) -> Any:
        given = {*names[: len(positional)], *named}
        fresh = {name: copy.deepcopy(value) for name, value in defaults.items() if name not in given}
        return method(*positional, **fresh, **named)

    return call


def public_state(environment: Any) -> dict[str, Any]:
    """Return the attributes that the state check compares: those whose names do not begin with `_`."""
    return {name: value for name, value in vars(environment).items() if not name.startswith("_")}


def _public_methods(made: type) -> tuple[str, ...]:
    instance = made()
    return tuple(
        name for name, _ in inspect.getmembers(instance, inspect.ismethod) if not name.startswith("_")
    )


def _mutable(module: ModuleType) -> list[Any]:
    """Return the containers that calls can leave changed: a module's, its classes', and default values of methods."""
    found = []
    for name, value in vars(module).items():
        if name.startswith("__"):
            continue
        found.append(value)
        if inspect.isclass(value) and value.__module__ == module.__name__:
            for member in vars(value).values():
                found += [member, *(getattr(member, "__defaults__", None) or ())]
                found += (getattr(member, "__kwdefaults__", None) or {}).values()
    return [value for value in found if isinstance(value, (dict, list, set))]


def _import_on_demand(name: str) -> None:
    """Let a module be imported when something of it is first used."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None or name in sys.modules:
        return
    loader = importlib.util.LazyLoader(spec.loader)
    spec.loader = loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
