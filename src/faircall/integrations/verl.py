"""`compute_score` for verl, which loads it by the path of this file (`custom_reward_function.path`)."""

from __future__ import annotations

from typing import Any

from faircall.errors import InputError
from faircall.integrations.columns import read_expected_cell, read_tools_cell
from faircall.profiles import DEFAULT_PROFILE
from faircall.reward_table import DEFAULT_TABLE
from faircall.rewarding import reward
from faircall.types import Outcome, State


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: dict[str, Any] | None = None,
    *,
    tools: Any = None,
    decoder: str = "auto",
    language: str = "python",
    profile: str = DEFAULT_PROFILE,
    table: str = DEFAULT_TABLE,
    void: float | None = None,
    **_: Any,
) -> dict[str, float]:
    """Return the `score` of one completion, with `acc` (1 where it is right) and `malformed` beside it.

    `ground_truth` are the expected calls of the row, and ``extra_info["tools"]`` its tools unless `tools` are given;
    both best as JSON text. The options come from verl's `reward_kwargs`.

    verl takes a number for every completion and knows no way to leave one out. Where there is none to give, the answers
    are at fault: `InputError` is raised, or, if `void` is a number, that number is the score.

    >>> compute_score("rides", "[ride(km=5)]", '[{"ride": {"km": [5]}}]', {"tools": '["ride"]'})["score"]
    1.0
    """
    offered = tools if tools is not None else (extra_info or {}).get("tools")
    [found] = reward(
        [solution_str],
        tools=[read_tools_cell(offered, where="tools")],
        expected=[read_expected_cell(ground_truth, where="ground_truth")],
        decoder=decoder,
        language=language,
        profile=profile,
        table=table,
        own_text=True,
    )
    score = found.value if found.value is not None else void
    if score is None:
        hint = "mend or leave out the row, or set `void` in reward_kwargs"
        raise InputError(f"a completion cannot be judged ({found.reason})", path="ground_truth", hint=hint)
    return {
        "score": score,
        "acc": float(found.outcome is Outcome.PASS),
        "malformed": float(found.state is State.MALFORMED),
    }
