"""deepeval's ToolCorrectnessMetric on faircall's JSON lines, with input parameters compared; no model is asked.

usage: score_with_deepeval.py exact|ordered|any-order

`exact` is `should_exact_match=True`: the calls have to be the same, in their order. `ordered` is
`should_consider_ordering=True`, and `any-order` the metric's default way to compare. All with
`evaluation_params=[INPUT_PARAMETERS]` and a threshold of 1. The metric compares calls with one expected list: a case
passes if it does with any choice among the accepted values. It takes calls and no text: faircall decodes them, and what
is neither calls nor a refusal is void.
"""

from __future__ import annotations

import os
import sys
from typing import Any

os.environ.setdefault("OPENAI_API_KEY", "unused")  # asked for when a metric is made, and never used
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

from deepeval.metrics import ToolCorrectnessMetric
from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams
from lines import alternatives, answer, read_output

SETTINGS = {
    "exact": {"should_exact_match": True},
    "ordered": {"should_consider_ordering": True},
    "any-order": {},
}


def tool_calls(calls: list[tuple[str, dict[str, Any]]]) -> list[ToolCall]:
    return [ToolCall(name=name, input_parameters=arguments) for name, arguments in calls]


def judge(case: dict[str, Any]) -> str:
    read = read_output(case)
    if read.state not in {"CALLED", "ABSTAINED"}:
        return "void"
    for expected in alternatives(case, read.calls):
        metric = ToolCorrectnessMetric(
            threshold=1.0,
            evaluation_params=[ToolCallParams.INPUT_PARAMETERS],
            async_mode=False,
            include_reason=False,
            **SETTINGS[sys.argv[1]],
        )
        test = LLMTestCase(
            input="?",
            actual_output="",
            tools_called=tool_calls(read.calls),
            expected_tools=tool_calls(expected),
        )
        metric.measure(test, _show_indicator=False)
        if metric.is_successful():
            return "pass"
    return "fail"


if __name__ == "__main__":
    answer(judge)
