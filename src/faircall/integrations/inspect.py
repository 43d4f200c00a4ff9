"""The checker in Inspect: the scorer `tool_call`, its metrics, and the task `faircall/bfcl`."""

from __future__ import annotations

from faircall.integrations.inspect_ai import bfcl, decision, judged_accuracy, state_counts, tool_call

__all__ = ["bfcl", "decision", "judged_accuracy", "state_counts", "tool_call"]
