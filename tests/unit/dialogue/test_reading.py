"""A dialogue read once: which switch its flip is put down to."""

from __future__ import annotations

import pytest

from faircall.reading import FAIR, OFFICIAL, ReadAs, find_switch, read_entry

NAMED = ["[GorillaFileSystem.find(path='.')]"]
POSITIONAL = ["[cat('student_record.txt')]", "[mean(numbers=[100, 95, 85, 90, 88, 92])]"]


@pytest.mark.parametrize(("turn", "steps", "switch"), [(0, NAMED, "names"), (1, POSITIONAL, "positional")])
def test_the_switch_that_changes_least_is_named(questions, player, turn, steps, switch):
    """The official gate undoes what other switches do as well; it is named where no other one does."""
    entry = questions.entries("multi_turn_base")["multi_turn_base_47"]
    stored = [[f"[{', '.join(lines)}]"] for lines in questions.answer(entry)]
    stored[turn] = steps
    reading = read_entry(entry, stored, questions, ReadAs("python", "option", None), play=player.play)
    assert (reading.verdict(OFFICIAL).outcome, reading.verdict(FAIR).outcome) == ("fail", "pass")
    assert find_switch(reading, OFFICIAL, FAIR) == switch
