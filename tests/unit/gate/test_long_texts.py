"""Long texts made of one piece over and over: judged in time that grows with their length and not faster.

Nothing is timed here. A pattern that tries the same stretch again from each of its places takes minutes on texts
of this length, so that such a mistake shows as a suite that hangs.
"""

from __future__ import annotations

import pytest

from faircall.gate import judge
from faircall.types import State

LENGTH = 40_000
TOOL = {
    "name": "tide_table",
    "parameters": {
        "type": "object",
        "properties": {"port": {"type": "string"}, "day": {"type": "string"}},
    },
}

NO_CALLS = [
    "'", '"', "`", "```", "```\n", "(", "[", "{", "<", "[{", '{"', '{"a":', "()", "[]", "[] ", "x: [] ", ")",
    "]", "}", "word ", "word (", "9", "a ", "a.b.", "a-", "a_", "a/", "f(", "f(x=1), ", "def f(x):\n",
    "import os\n", " = ", "=", "a=", "return ", "\\", "\\_", "-", "* ", "> ", "|", "\n", "\t", "\r\n", "$",
    "//", " # ", "“", "é", "\ufffd", "\ud83d", "\u200b", "<think>", "</think>", "<|", "</tool_call>",
    "<|im_start|>assistant\n", "assistant\n", "assistant: ", "`<tool_call>` ", "[INST]", "not ", "no no ",
    "do not call ", "if you ", "for example ", "Error ", "HTTP 500 ", '{"error": ', "<html>", "<title>",
    "Traceback (most recent call last):\n", '  File "x", line 3\n', "Action: ", "Tool: ", "properties: {",
    "<a>", "a::", "a->", "port: ", "port: x, ", "(port: x) ", "{{", "[[", "<parameter=x>", "call ",
    '\n\n{"name": ', "? ",
]  # fmt: skip
NAMES = [
    "tide_table ", "tide_table = ", "tide_table\n", "tide_table - ", "tide_table **",
    "I will call tide_table. ", "not tide_table, ", "name: tide_table\n", "Tool: tide_table\n",
    "**Tool:** tide_table\n**", "\\tide_table",
    "tide table (port: x) ", "tide_table (a) ", "tide_table [a] (", "parameters of tide_table: {", "tide_table takes {",
]  # fmt: skip
CALLS = [
    "tide_table(", "tide_table(x=1) ", "[tide_table(x=1), ", "[tide_table(x=1)]\n",
    "if you call tide_table(port='x'), ", "x = tide_table(1)\n",
    '{"name": "tide_table"}; ', '{"name": "tide_table", ', '{"tide_table": {"port": "x"}}, ',
    '{"name": "tide_table", "arguments": {"port": "x"}}, ', "tide_table:\n port: b\n",
    "tide_table\n{'port': 'x'}\n", "tide_table{", "<tool_call>", "<tool_call>\n", "[TOOL_CALLS]", "<function=",
    '<invoke name="', "functools[", "<TOOLCALL>[",
    '<tool_call>{"name": "tide_table", "arguments": {}}</tool_call>', "tide_table(port: 'x'); ", "tide_table(port: ",
    "tide_table *(a)* (port=", "Tool call: tide_table\nport: x\n", "tide_table.invoke('x') ", "<function=tide_table>",
    "<tool_call><function=tide_table><parameter=port>x</parameter></function></tool_call>\n",
    "<|channel|>commentary to=functions.tide_table <|message|>{}<|call|>", "port='x', ", "<tide_table port='x' ",
]  # fmt: skip
OPENINGS = [
    "tide_table", "tide_table:", "tide_table(", "tide_table(port", "tide_table(port=", "tide_table(port='x'",
    "[tide_table", "[", "(", "{", '{"name"', '{"name":', '{"name": "tide_table"', '{"name": "tide_table",',
    "Tool:", "Tool: tide_table", "Tool: tide_table\nInput", "<tool_call", "<tool_call>", "<tool_call>{",
    "<function", "```", "```json", "def", "import", "from x", "x", "x =", "class", "name", "properties: {", "'",
    '"', "HTTP", "Error", "<html>", "assistant", "<think>", "I do not call", "Nothing fits.", "[]",
    "tide_table <", "<a>[]",
    "tide_table[", "(tide_table", "[tide_table:", "<<tide_table:", "tide_table (a)", "Call tide_table with port=",
    '{"tide_table":', "Tool call: tide_table",
]  # fmt: skip


def judge_long(piece: str, decoder: str, *, before: str = "", after: str = "") -> State:
    text = before + (piece * (LENGTH // len(piece) + 1))[:LENGTH] + after
    return judge(text, [TOOL], decoder=decoder).state


@pytest.mark.parametrize("piece", NO_CALLS)
def test_a_long_text_without_a_call(piece: str) -> None:
    for decoder in ("auto", "hermes"):
        assert judge_long(piece, decoder) in {State.ABSTAINED, State.MALFORMED, State.ERROR}
    # The same with something said, so that it is not set aside as noise.
    assert judge_long(piece, "python", before="Nothing here fits.\n", after="\nSorry.") in State


@pytest.mark.parametrize("piece", NAMES)
def test_a_long_text_that_names_a_tool(piece: str) -> None:
    for decoder in ("auto", "glm"):
        assert judge_long(piece, decoder) in {State.ABSTAINED, State.MALFORMED}


@pytest.mark.parametrize("piece", CALLS)
def test_a_long_text_of_calls(piece: str) -> None:
    for decoder in ("auto", "python"):
        assert judge_long(piece, decoder) in {State.CALLED, State.MALFORMED}


@pytest.mark.parametrize("opening", OPENINGS)
def test_a_long_gap_behind_an_opening(opening: str) -> None:
    for gap in (" ", "\n", "\\", "-"):
        assert judge_long(gap, "auto", before=opening, after="x") in State


@pytest.mark.parametrize("decoder", ["auto", "python", "concise-xml"])
def test_thousands_of_sound_calls(decoder: str) -> None:
    calls = ", ".join(f"tide_table(port='p{number}')" for number in range(4500))
    assert judge(f"[{calls}]", [TOOL], decoder=decoder).state is State.MALFORMED  # more than a decoder reads
    assert judge(f"I call {calls}.", [TOOL], decoder=decoder).state is State.MALFORMED


@pytest.mark.parametrize("bracket", ["(", "[", "{", "<", "()", "[]", "{}"])
def test_brackets_without_end(bracket: str) -> None:
    assert judge("tide_table" + bracket * 50_000, [TOOL], decoder="python").state is State.MALFORMED
