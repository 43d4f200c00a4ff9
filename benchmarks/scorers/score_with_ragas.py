"""ragas' ToolCallAccuracy on faircall's JSON lines; a case passes with a score of 1.

usage: score_with_ragas.py strict-order|any-order

`strict-order` is the metric's default, `any-order` is `strict_order=False`. The metric compares calls with one expected
list: a case passes if it does with any choice among the accepted values. It takes calls and no text: faircall decodes
them, and what is neither calls nor a refusal is void.
"""

from __future__ import annotations

import asyncio
import sys
import warnings
from typing import Any

from lines import alternatives, answer, read_output
from ragas.messages import AIMessage, HumanMessage, ToolCall
from ragas.metrics.collections import ToolCallAccuracy

warnings.simplefilter("ignore")
STRICT = {"strict-order": True, "any-order": False}


def tool_calls(calls: list[tuple[str, dict[str, Any]]]) -> list[ToolCall]:
    return [ToolCall(name=name, args=arguments) for name, arguments in calls]


def judge(case: dict[str, Any]) -> str:
    read = read_output(case)
    if read.state not in {"CALLED", "ABSTAINED"}:
        return "void"
    metric = ToolCallAccuracy(strict_order=STRICT[sys.argv[1]])
    messages = [HumanMessage(content="?"), AIMessage(content="", tool_calls=tool_calls(read.calls))]
    for expected in alternatives(case, read.calls):
        result = asyncio.run(metric.ascore(user_input=messages, reference_tool_calls=tool_calls(expected)))
        if result.value >= 1:
            return "pass"
    return "fail"


if __name__ == "__main__":
    answer(judge)
