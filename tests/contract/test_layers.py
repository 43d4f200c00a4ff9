"""Imports point one way: a module imports only from its own layer's family or from layers below."""

from __future__ import annotations

import ast
from pathlib import Path

import faircall

PACKAGE = Path(faircall.__file__).parent

LAYERS = {
    "errors": 0, "types": 0, "stats": 0, "signature": 0, "profiles": 0, "tomlfiles": 0,
    "problems": 0, "jsontext": 0, "records": 0, "files": 0, "rows": 0, "paired": 0, "sdk_objects": 0, "flips": 1,
    "passes": 1, "reward_table": 0,
    "schema": 1, "signatures": 1, "dialects": 1, "decoding": 1, "verdicts": 1,
    "gate": 2, "canonical": 2,
    "matching": 3,
    "scoring": 4, "formats": 4, "written": 4, "keys": 4, "cases": 4,
    "bfcl": 5,
    "composition": 2, "composite": 3, "contrasts": 4,
    "aggregate": 6, "board": 6, "snapshot": 6, "replay": 6, "dataset": 6,
    "dialogue": 7,
    "validation": 3.5, "tool_writing": 2,
    "samples": 6, "mutants": 6, "trials": 7,
    "rules": 8, "reading": 8, "publishing": 7,
    "auditing": 9, "runs": 10, "checking": 9, "explaining": 9, "linting": 9, "scorecards": 9, "rewarding": 9,
    "inspect_logs": 9, "details": 9,
    "outcomes": 11, "stored": 11,
    "comparing": 12,
    "report": 13,
    "testing": 14,
    "integrations": 15,
    "cli": 16,
}  # fmt: skip


def layer_of(module: str) -> int:
    return LAYERS[module.split(".")[1]] if "." in module else -1


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("faircall", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        yield name, path


def imported_from(path: Path):
    """The faircall modules that a module imports anywhere, those for type checking alone excepted."""
    tree = ast.parse(path.read_text("utf-8"))
    hidden = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("faircall"):
            if node.module == "faircall":
                yield from (f"faircall.{alias.name}" for alias in node.names if alias.name in LAYERS)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("faircall."))


def test_every_module_has_a_layer():
    unknown = {name.split(".")[1] for name, _ in modules() if "." in name} - set(LAYERS)
    assert not unknown


def test_imports_point_down():
    wrong = [
        f"{name} imports {target}"
        for name, path in modules()
        if name != "faircall"
        for target in imported_from(path)
        if target.split(".")[1] != name.split(".")[1]
        and layer_of(target) >= layer_of(name)
        and not (layer_of(target) == layer_of(name) <= 1)
        and (name, target) not in {("faircall.gate", "faircall.schema")}
    ]
    assert not wrong


def test_no_module_is_a_drawer_of_odds_and_ends():
    names = {path.stem for _, path in modules()} | {path.parent.name for _, path in modules()}
    assert not names & {"utils", "util", "common", "helpers", "helper", "misc"}


def test_nothing_evaluates_text():
    forbidden = {"eval", "exec", "compile", "__import__"}
    found = [
        f"{name}:{node.lineno} {node.func.id}"
        for name, path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forbidden
    ]
    assert not found


def test_no_handler_catches_everything():
    found = [
        f"{name}:{node.lineno}"
        for name, path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"})
        )
    ]
    assert not found
