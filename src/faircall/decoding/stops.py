"""Why a response stopped, by the words of every provider: at a limit, withheld, malformed, failed."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final


class Stop(StrEnum):
    """What a provider's word for why a response stopped means for the answer in it."""

    NONE = ""
    CUT = "cut"
    WITHHELD = "withheld"
    MALFORMED = "malformed"
    INVENTED = "invented"
    FAILED = "failed"


_WORDS: Final = {
    Stop.CUT: (
        "length", "max_tokens", "max_output_tokens", "model_length", "max_length", "max_completion_tokens",
        "model_context_window_exceeded", "incomplete", "max_prompt_tokens",
    ),
    Stop.WITHHELD: (
        "content_filter", "content_filtered", "guardrail_intervened", "safety", "recitation", "blocklist",
        "prohibited_content", "spii", "image_safety", "language", "error_toxic", "refusal", "sensitive", "blocked",
    ),
    Stop.MALFORMED: (
        "malformed_function_call", "malformed_tool_use", "malformed_model_output", "malformed_tool_call",
    ),
    Stop.INVENTED: ("unexpected_tool_call",),
    Stop.FAILED: (
        "error", "error_limit", "failed", "timeout", "network_error", "insufficient_system_resource", "expired",
        "cancelled", "user_cancel",
    ),
}  # fmt: skip
_MEANINGS: Final = {word: stop for stop, words in _WORDS.items() for word in words}


def read_stop(word: Any) -> Stop:
    """Return what a `finish_reason`, `stop_reason` or `status` means; an unknown word means nothing.

    >>> read_stop("MAX_TOKENS"), read_stop("tool_use")
    (<Stop.CUT: 'cut'>, <Stop.NONE: ''>)
    """
    if not isinstance(word, str):
        return Stop.NONE
    return _MEANINGS.get(word.casefold().removeprefix("finishreason."), Stop.NONE)
