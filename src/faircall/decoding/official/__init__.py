"""What each handler of the released evaluator (bfcl-eval 2026.3.23) returns from `decode_ast`, bug for bug.

`decode_official` gives the very object that the handler returns, or the error that stands for what it raises;
`decode_to_texts` what it returns from `decode_execute`, its other decoder, for dialogues.
Text is parsed, never run: where the handler would evaluate it, the answer is an error with the reason
`unsafe-expression`. docs/divergences.md lists every such place.
"""

from __future__ import annotations

from faircall.decoding.official.answer import decode_official, is_call_list
from faircall.decoding.official.execution import CallTexts, decode_to_texts

__all__ = ["CallTexts", "decode_official", "decode_to_texts", "is_call_list"]
