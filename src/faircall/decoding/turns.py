"""The tokens with which chat templates open and close a turn; some servers leave them in the text."""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(
    r"\s*+(?:<s>|<bos>|<\|begin_of_text\|>|<｜begin▁of▁sentence｜>|<\|endoftext\|>"
    r"|<\|im_start\|>assistant|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model"
    r"|<\|assistant\|>|<｜Assistant｜>|<\|start_of_role\|>assistant<\|end_of_role\|>)"
)
_CLOSINGS: Final = (
    "</s>",
    "<eos>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<|return|>",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
    "<|eot|>",
    "<|user|>",
    "<|observation|>",
)
_MOST: Final = 16


def blank_turn_tokens(text: str) -> str:
    """Return the text with the tokens at its ends that open or close a turn replaced by as many spaces.

    >>> blank_turn_tokens("[f()]<|im_end|>")
    '[f()]          '
    """
    if "<" not in text:
        return text
    start = 0
    for _ in range(_MOST):
        opened = _OPENING.match(text, start)
        if not opened:
            break
        start = opened.end()
    end = len(text.rstrip())
    for _ in range(_MOST):
        if not text.endswith(_CLOSINGS, start, end):
            break
        closing = next(token for token in _CLOSINGS if text.endswith(token, start, end))
        end = start + len(text[start : end - len(closing)].rstrip())
    if start == 0 and end == len(text.rstrip()):
        return text
    return " " * start + text[start:end] + " " * (len(text) - end)
