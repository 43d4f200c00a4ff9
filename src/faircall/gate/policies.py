"""The two other policies, kept for comparison: what BFCL does today, and the published proposal."""

from __future__ import annotations

from typing import Any

from faircall.decoding import decode
from faircall.types import Decoded, State

OFFICIAL_PROFILE = "official-2026.3.23"


def decode_officially(output: Any, *, decoder: str, language: str = "python") -> Decoded:
    """Return what the official handler behind the decoder's name makes of the output.

    For `auto` it is the handler of the decoder that fits; where none does, structured calls for a stored list,
    the default prompt's call list for text.
    """
    if decoder == "auto":
        fitting = decode(output, "auto", language=language)
        decoder = (
            fitting.decoder
            if fitting.error is None
            else "python"
            if isinstance(output, str)
            else "tool-calls"
        )
    return decode(output, decoder, language=language, profile=OFFICIAL_PROFILE)


def official_state(decoded: Decoded) -> State:
    """Return the state under `official`: whatever does not decode to calls has abstained."""
    return State.CALLED if decoded.error is None and decoded.calls else State.ABSTAINED


def literal_state(decoded: Decoded) -> State:
    """Return the state under `literal`: a decode error is malformed, anything else that is no call abstained."""
    if decoded.error is not None:
        return State.MALFORMED
    return State.CALLED if decoded.calls else State.ABSTAINED
