"""Calls as lines: what is a call among arguments, and what only looks like one."""

from __future__ import annotations

import pytest

from faircall.dialogue.lines import nested_in, write_line
from faircall.types import Call

TOOLS, CLASSES = {"echo", "touch", "cat"}, ("Disk",)
OBJECT = {"touch": {"name": "z"}}


@pytest.mark.parametrize(
    ("text", "calls", "nested"),
    [
        ("[echo(x=touch(name='z'))]", ["echo"], {"touch"}),
        ("[echo(x=touch (name='z'))]", ["echo"], {"touch"}),
        ("[echo(x=Disk.touch(name='z'))]", ["echo"], {"Disk.touch"}),
        ("[echo(x=Other.touch(name='z'))]", ["echo"], set()),
        ("[echo(x={'touch': {'name': 'z'}})]", ["echo"], set()),
        ("[echo(x={'touch': {'name': 'z'}}), echo(x='use touch(name)')]", ["echo", "echo"], set()),
        ('[echo(x={"touch": {}}), echo(x="it\'s touch(name)")]', ["echo", "echo"], set()),
        ("[echo(x={'touch': {'name': 'z'}}), touch(name='b')]", ["echo", "touch"], set()),
        ("[echo(x=touch(name='z')), touch(name='b')]", ["echo", "touch"], {"touch"}),
        ("[retouch(name='b')]", ["retouch"], set()),
    ],
)
def test_calls_among_arguments(text, calls, nested):
    assert nested_in(text, [Call(name) for name in calls], TOOLS, CLASSES) == nested


def test_an_object_is_a_call_only_where_one_is_nested():
    call = Call("echo", {"x": OBJECT})
    assert write_line(call, TOOLS) == "echo(x={'touch': {'name': 'z'}})"
    assert write_line(call, TOOLS, nested={"touch"}) == "echo(x=touch(name='z'))"


@pytest.mark.parametrize(
    ("name", "classes", "written"),
    [
        ("Disk.touch", CLASSES, "Disk.touch()"),
        ("Disk.touch", (), "'Disk.touch'()"),
        ("Other.touch", CLASSES, "'Other.touch'()"),
        ("Disk.wipe", CLASSES, "'Disk.wipe'()"),
        ("Disk.x.touch", CLASSES, "'Disk.x.touch'()"),
    ],
)
def test_a_class_before_a_name(name, classes, written):
    assert write_line(Call(name), TOOLS, classes=classes) == written
