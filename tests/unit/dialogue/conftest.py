"""What the tests of dialogues share: the benchmark's data, and one worker process for all of them."""

from __future__ import annotations

import pytest

from faircall.bfcl.data import find
from faircall.bfcl.questions import Questions
from faircall.errors import FaircallError
from faircall.replay import Player


@pytest.fixture(scope="session")
def questions():
    try:
        return Questions(find())
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


@pytest.fixture(scope="session")
def player(questions):
    with Player(questions.benchmark) as running:
        yield running
