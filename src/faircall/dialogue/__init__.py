"""Dialogues judged: stored turns and steps read one by one, replayed or searched for their answer, and a verdict made.

`read_dialogue` reads what is stored for an entry of a multi-turn or agentic category; the reading gives the verdict
under any profile.
"""

from __future__ import annotations

from faircall.dialogue.reading import DialogueReading, read_dialogue

__all__ = ["DialogueReading", "read_dialogue"]
