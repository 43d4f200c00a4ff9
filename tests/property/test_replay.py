"""Lines that nobody would write: nothing but methods of the table is called, and every line has a result.

More of them, for as long as one likes: ``FAIRCALL_FUZZ=100000 pytest tests/property/test_replay.py``.
"""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.decoding.official import decode_to_texts
from faircall.decoding.table import DECODERS
from faircall.dialogue.lines import write_line
from faircall.dialogue.steps import read_steps
from faircall.replay.interpreter import play_call
from faircall.types import Call

EXAMPLES = int(os.environ.get("FAIRCALL_FUZZ", "200"))
PIECES = (
    "ls", "cat", "echo", "rm", "(", ")", "()", "[", "]", "{", "}", ",", "=", ":", ".", "*", "**", "'", '"', "\\", "\n",
    " ", "\t", ";", "#", "lambda", "lambda: ", "for x in ", "if ", "else ", "or ", "and ", "not ", "is ", "in ",
    "await ", "yield ", ":=", "__class__", "__globals__", "__import__", "__builtins__", "os", "open", "eval", "exec",
    "getattr",
    "globals()", "self", "file_name", "a", "x", "1", "0x", "9" * 30, "1e9", "1e999", "-", "+", "~", "%", "f'{x}'",
    "b'x'", "r'", "'''", "None", "True", "...", "nan", "\uff4cs", "\u202e", "\ud800", "\x00", "é", "@", "!", "$", "`",
    "ls(a=True)", "cat(file_name='a')", "echo(content=ls(), file_name='b')",
)  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=60)
NAMES = st.text(max_size=12) | st.sampled_from(PIECES)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(PIECES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


class Watched:
    """Methods that record their calls, beside things that no line may reach."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.hidden = "out of reach"

    def ls(self, a: object = False) -> dict[str, object]:
        self.called.append("ls")
        return {"ls": a}

    def cat(self, file_name: object) -> dict[str, object]:
        self.called.append("cat")
        return {"file_content": file_name}

    def echo(self, content: object, file_name: object = None) -> None:
        self.called.append("echo")

    def table(self):
        return {name: getattr(self, name) for name in ("ls", "cat", "echo")}


def in_order(arguments):
    return sorted((name, repr(value)) for name, value in arguments.items())


@settings(max_examples=EXAMPLES)
@given(LINES)
def test_a_line_calls_what_it_names_and_nothing_else(line):
    watched = Watched()
    result, failed = play_call(line, watched.table())
    assert isinstance(result, str)
    assert isinstance(failed, bool)
    assert "out of reach" not in result
    assert all(name in line for name in watched.called if line.isascii())
    assert vars(watched) == {"called": watched.called, "hidden": "out of reach"}


@settings(max_examples=EXAMPLES)
@given(NAMES, st.dictionaries(NAMES, VALUES, max_size=4))
def test_a_call_reaches_the_tool_of_its_very_name_with_its_very_arguments(name, arguments):
    seen = []

    def take(**given_):
        seen.append(given_)

    line = write_line(Call(name, arguments), {"take", name})
    play_call(line, {"take": take})
    assert not seen or name == "take"
    line = write_line(Call("take", arguments), {"take"})
    _, failed = play_call(line, {"take": take})
    if not failed:
        assert in_order(seen[-1]) == in_order(arguments)


@settings(max_examples=EXAMPLES)
@given(LINES | VALUES, st.sampled_from(sorted(DECODERS)))
def test_every_stored_step_is_read(stored, decoder):
    texts = decode_to_texts(stored, decoder).texts
    assert all(isinstance(text, str) for text in texts)
    steps = read_steps([[stored], stored], (), decoder=decoder)
    assert sum(steps.counts().values()) == len(steps.all)
