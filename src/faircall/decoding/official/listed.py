"""Handlers whose outputs are JSON text, or Python text that looks like it."""

from __future__ import annotations

import json
from typing import Any

from faircall.decoding.arithmetic import Budget
from faircall.decoding.official.json_text import load_json
from faircall.decoding.official.namespace import LLAMA_NAMES
from faircall.decoding.official.python_calls import fold_at, parse_python
from faircall.decoding.official.unreadable import RAISED, require_text


def name_calls(items: Any, key: str = "arguments") -> list[dict[Any, Any]]:
    """`{name: arguments}` of each item; the handlers look at nothing else."""
    return [{item["name"]: item[key]} for item in items]


def read_xlam(output: Any) -> list[dict[Any, Any]]:
    """A JSON list or object; where that fails, JSON objects with semicolons between them."""
    try:
        items = load_json(output)
    except json.JSONDecodeError:
        items = [load_json(piece.strip()) for piece in output.split(";")]
    else:
        items = items if isinstance(items, list) else [items]
    return name_calls(items)


def read_bitagent(output: Any) -> list[dict[Any, Any]]:
    """A JSON list or object."""
    items = load_json(output)
    return name_calls(items if isinstance(items, list) else [items])


def read_hammer(output: Any) -> list[dict[Any, Any]]:
    """A JSON list without its fences; text that is no JSON is an empty list, as released."""
    text = require_text(output).replace("```", "")
    try:
        items = load_json(text)
    except RAISED:
        items = []
    return name_calls(items)


def read_think_agent(output: Any) -> list[dict[Any, Any]]:
    """A JSON list after </think>, single quotes taken as double ones; without </think>, an empty list."""
    text = require_text(output).strip().replace("'", '"')
    _, closed, answer = text.partition("</think>")
    return name_calls(load_json(answer.strip() if closed else "[]"))


def read_glm(output: Any) -> list[Any]:
    """A name and, on the next line, its arguments as JSON; a single line stands for itself."""
    lines = require_text(output).split("\n")
    return [lines[0]] if len(lines) == 1 else [{lines[0]: load_json(lines[1])}]


def read_granite_20b(output: Any) -> list[Any]:
    """A JSON object after each <function_call>; a piece that is no JSON stands for itself."""
    results: list[Any] = []
    for piece in require_text(output).split("<function_call>"):
        text = piece.strip()
        if not text:
            continue
        try:
            call = load_json(text)
        except RAISED:
            results.append(text)
            continue
        name = call.get("name", "").strip()
        arguments = call.get("arguments", {})
        results.append("No function is called" if name == "no_function" else {name: arguments})
    return results


def read_llama_json(output: Any) -> list[dict[Any, Any]]:
    """JSON objects with semicolons between them; without a semicolon, a Python expression.

    The handler evaluates that expression. Here it is folded, so that JSON's `true`, `false` and `null` are
    the unknown names that they are to Python.
    """
    text = require_text(output).replace("<|python_tag|>", "")
    shift = len(output) - len(text) if output.endswith(text) else 0
    items: Any
    if ";" in text:
        items = [load_json(piece) for piece in text.split(";")]
    else:
        source = text.lstrip(" \t")
        shift += len(text) - len(source)
        body = parse_python(source, "eval", shift=shift).body
        items = fold_at(body, source, budget=Budget(), namespace=LLAMA_NAMES, shift=shift)
        if isinstance(items, dict):
            items = [items]
    return name_calls(items, "parameters")
