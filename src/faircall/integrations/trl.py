"""A reward function for TRL's trainers (`GRPOTrainer`, `RLOOTrainer`), which call it with a batch and its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.decoding.readers import check_names
from faircall.errors import UsageError
from faircall.integrations.columns import read_expected_cell, read_tools_cell
from faircall.profiles import DEFAULT_PROFILE
from faircall.reward_table import DEFAULT_TABLE, RewardTable, load_table
from faircall.rewarding import reward

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faircall.profiles import Profile


def reward_function(
    *,
    tools: Any = None,
    tools_column: str = "tools",
    expected_column: str = "expected",
    decoder: str = "auto",
    language: str = "python",
    profile: str | Profile = DEFAULT_PROFILE,
    table: str | RewardTable = DEFAULT_TABLE,
    name: str = "faircall_reward",
) -> Callable[..., list[float | None]]:
    """Return a function for `reward_funcs`: prompts, completions and columns in, a number or None for each out.

    A completion is text, or the messages of an assistant with `content` and `tool_calls`. The columns hold what
    `faircall.reward` takes for one completion, best as JSON text. `tools` are the same for every row, and then no
    column is read for them. None, where a row has no expected calls or cannot be judged, is what TRL leaves out of a
    completion's reward and of its group's mean. `name` is what TRL logs it under.

    Raises `UsageError` as `faircall.reward` does, and when called for a column that is not there.

    >>> judge = reward_function(tools=["get_time"], decoder="python")
    >>> judge(prompts=["Who won?"] * 2, completions=["I cannot know.", "[get_time()]"], expected=["[]", "[]"])
    [1.0, 0.0]
    """
    values = table if isinstance(table, RewardTable) else load_table(table)
    check_names(decoder, language)

    def judge(
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        **columns: Any,
    ) -> list[float | None]:
        count = len(completions)
        expected = _column(columns, expected_column, count)
        offered = [tools] * count if tools is not None else _column(columns, tools_column, count)
        rewards = reward(
            [_output_of(completion) for completion in completions],
            tools=[
                read_tools_cell(cell, where=f"`{tools_column}` of completion {index}")
                for index, cell in enumerate(offered)
            ],
            expected=[
                read_expected_cell(cell, where=f"`{expected_column}` of completion {index}")
                for index, cell in enumerate(expected)
            ],
            decoder=decoder,
            language=language,
            profile=profile,
            table=values,
            own_text=True,
        )
        return rewards.values

    judge.__name__ = judge.__qualname__ = name
    return judge


def _column(columns: dict[str, Any], name: str, count: int) -> Sequence[Any]:
    if name not in columns:
        raise UsageError(f"the data has no column {name!r}; it has {', '.join(map(repr, columns)) or 'none'}")
    column = columns[name]
    if not isinstance(column, (list, tuple)) or len(column) != count:
        raise UsageError(f"column {name!r} is not a list of {count}, one for each completion")
    return column


def _output_of(completion: Any) -> Any:
    """What the assistant wrote: the text itself where its only message is one, no text where it has no message."""
    if not isinstance(completion, (list, tuple)):
        return completion
    messages = [item for item in completion if isinstance(item, dict) and item.get("role") == "assistant"]
    if not messages and all(isinstance(item, dict) and "role" in item for item in completion):
        return ""
    if len(completion) == len(messages) == 1:
        [message] = messages
        if isinstance(message.get("content"), str) and not message.get("tool_calls"):
            return message["content"]
    return completion
