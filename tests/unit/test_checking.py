from __future__ import annotations

import io
import json

import pytest

from faircall.checking import check_lines
from faircall.errors import InputError
from faircall.types import Outcome, State

LINE = {"id": "a", "output": "No tool fits.", "tools": ["book_table"], "expected": []}


def check(*lines, **options):
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return list(check_lines(io.BytesIO(text.encode()), name="cases", **options))


def test_verdicts_come_in_the_order_of_the_input():
    found = check(*({**LINE, "id": number} for number in range(20)))
    assert [id_ for id_, _ in found] == list(range(20))
    assert {verdict.outcome for _, verdict in found} == {Outcome.PASS}


def test_a_line_s_own_decoder_wins():
    line = {**LINE, "output": "[book_table(seats=2)]"}
    assert check(line, decoder="hermes")[0][1].state is State.MALFORMED
    assert check({**line, "decoder": "python"}, decoder="hermes")[0][1].state is State.CALLED
    assert check(line)[0][1].state is State.CALLED


def test_a_category_stands_in_for_the_language():
    line = {**LINE, "output": "[book_table(seats=2)]", "decoder": "java", "category": "simple_java"}
    assert check(line)[0][1].state is State.CALLED


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "cases:2: "),
        ("[1]", "cases:2: "),
        ({"output": "x"}, "cases:2: no `id`; add `id`"),
        ({"id": 1, "result": "x"}, "cases:2: no `output`; rename `result` to `output`"),
        ({**LINE, "expected": {}}, "cases:2: `expected` is not a list of calls; write"),
        ({**LINE, "decoder": "hermess"}, "cases:2: .*hermes"),
        ({**LINE, "decoder": 5}, "cases:2: `decoder` is not a name"),
        ({**LINE, "decoder": ["x"]}, "cases:2: `decoder` is not a name"),
        ({**LINE, "language": 5}, "cases:2: `language` is 5"),
        ({**LINE, "category": 5}, "cases:2: `category` is 5; write a category's name, or leave it out"),
        (
            {**LINE, "language": "perl"},
            "cases:2: `language` is 'perl'; write one of python, java, javascript",
        ),
        ({**LINE, "tools": [3]}, "cases:2: "),
        ({**LINE, "expected": ["book_table"]}, "cases:2: "),
        ({"id": 1, "output": "x", "expeced": []}, "cases:2: `expeced` is no field; rename it to `expected`"),
    ],
)
def test_a_line_that_cannot_be_judged_is_named(line, message):
    lines = check_lines(
        io.BytesIO(
            (json.dumps(LINE) + "\n" + (line if isinstance(line, str) else json.dumps(line))).encode()
        ),
        name="cases",
    )
    assert next(lines)[0] == "a"
    with pytest.raises(InputError, match=message):
        next(lines)


def test_whatever_a_model_wrote_gets_a_verdict():
    outputs = ["", None, [], [[]], {}, 7, True, "\ud83d", ["a", {"b": "{"}], "x" * 10_000, "\x1b[31m"]
    found = check(*({**LINE, "output": output} for output in outputs))
    assert len(found) == len(outputs)
