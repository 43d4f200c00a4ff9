"""inspect_evals' BFCL scorer on faircall's JSON lines.

The scorer reads the tool calls of an assistant message, as Inspect's providers make them. Stored calls are made into
those by Inspect's own `parse_tool_call`, text of the protocol `hermes` by its handler for such models; calls that are
written as Python text are decoded by faircall, since models are never asked for that here. A refusal is the message's
text. Void are: Python text that is neither calls nor a refusal, and errors of the harness, which Inspect keeps apart
and never scores.
"""

from __future__ import annotations

import asyncio
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelName
from inspect_ai.model._call_tools import parse_tool_call
from inspect_ai.model._providers.util.hf_handler import HFHandler
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall
from inspect_evals.bfcl.bfcl import bfcl_scorer
from lines import answer, read_output

SCORE = bfcl_scorer()
HERMES = HFHandler("qwen")


def make_message(case: dict[str, Any]) -> ChatMessageAssistant | None:
    """The assistant message that Inspect would make of an output; None where it would make none."""
    output = case["output"]
    if case["decoder"] == "tool-calls":
        if not all(
            isinstance(call, dict) and all(isinstance(text, str) for text in call.values()) for call in output
        ):
            return None
        stored = [(name, text) for call in output for name, text in call.items()]
        calls = [
            parse_tool_call(str(number), name.replace(".", "_"), text)
            for number, (name, text) in enumerate(stored)
        ]
        return ChatMessageAssistant(content="", tool_calls=calls)
    read = read_output(case)
    if read.state == "ERROR":
        return None
    if case["decoder"] == "hermes":
        return HERMES.parse_assistant_response(output, [])
    if read.state == "CALLED":
        calls = [
            ToolCall(id=str(number), function=name.replace(".", "_"), arguments=arguments)
            for number, (name, arguments) in enumerate(read.calls)
        ]
        return ChatMessageAssistant(content="", tool_calls=calls)
    return ChatMessageAssistant(content=output) if read.state == "ABSTAINED" or not output else None


def judge(case: dict[str, Any]) -> str:
    message = make_message(case)
    if message is None:
        return "void"
    several, offered = len(case["expected"]) > 1, len(case["tools"]) > 1
    category = "parallel" if several else "multiple" if offered else "simple_python"
    state = TaskState(
        model=ModelName("none/none"),
        sample_id=case["id"],
        epoch=1,
        input=[],
        messages=[ChatMessageUser(content="?"), message],
        metadata={
            "category_name": category if case["expected"] else "irrelevance",
            "parsed_ground_truth": case["expected"],
            "tools": case["tools"],
        },
    )
    score = asyncio.run(SCORE(state, Target("")))
    return "pass" if score.value == 1 else "fail"


if __name__ == "__main__":
    answer(judge)
