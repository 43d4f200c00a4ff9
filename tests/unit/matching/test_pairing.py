from __future__ import annotations

import itertools
import random

from faircall.matching.pairing import assign, unassignable


def best_by_force(count, edges):
    return max(
        sum((answer, call) in edges for answer, call in enumerate(order))
        for order in itertools.permutations(range(count))
    )


def test_the_assignment_is_the_largest_there_is():
    draw = random.Random(5)  # noqa: S311 - drawing test cases
    for _ in range(300):
        count = draw.randrange(1, 6)
        edges = {pair for pair in itertools.product(range(count), repeat=2) if draw.random() < 0.4}
        assigned = assign(count, lambda answer, call, edges=edges: (answer, call) in edges)
        pairs = [(answer, call) for answer, call in enumerate(assigned) if call is not None]
        assert set(pairs) <= edges
        assert len({call for _, call in pairs}) == len(pairs) == best_by_force(count, edges)


def test_who_can_be_left_out_does_not_depend_on_the_order():
    draw = random.Random(6)  # noqa: S311 - drawing test cases
    for _ in range(200):
        count = draw.randrange(2, 6)
        edges = {pair for pair in itertools.product(range(count), repeat=2) if draw.random() < 0.3}

        def fits(answer, call, edges=edges):
            return (answer, call) in edges

        answers, calls = unassignable(assign(count, fits), fits)
        order = draw.sample(range(count), count)

        def moved(answer, call, edges=edges, order=order):
            return (answer, order[call]) in edges

        other_answers, other_calls = unassignable(assign(count, moved), moved)
        assert other_answers == answers
        assert sorted(order[call] for call in other_calls) == calls


def test_a_pair_is_asked_once():
    asked = []
    assign(4, lambda answer, call: asked.append((answer, call)) or call == 3 - answer)
    assert len(asked) == len(set(asked))
