"""What the gate says about an output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from faircall.types import Decoded, Reason, Span, State


class Judgement(msgspec.Struct, frozen=True):
    """What the gate found: the state, its reason, the deciding span, and what the decoder made of the output."""

    state: State
    reason: Reason
    message: str
    evidence: Span | None = None
    decoded: Decoded | None = None
