"""Whether a final answer is asserted: where it stands, what counts as the same, and what is no assertion."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.dialogue.asserted import find_assertion
from faircall.dialogue.tokens import find_all, fold, tokenize

HOLDS = [
    ("{'answer': 'Lima', 'context': 'It is the capital, and not Cusco.'}", "Lima"),
    ('{"answer": "Lima", "context": "not Cusco"}', "Lima"),
    ("{'answer': Lima, 'context': it is not Cusco}", "Lima"),
    ('```json\n{"answer": "35 years", "context": "x"}\n```', "35"),
    ('{"answer": 35}', "35"),
    ('{"answer": ["Lima"]}', "Lima"),
    ("{'answer': 'thirty-five'}", "35"),
    ("{'answer': '35'}", "thirty five"),
    ("{'answer': 'five hundred and thirteen mL'}", "513"),
    ("{'answer': 'October 25, 2024'}", "2024-10-25"),
    ("{'answer': '25th of October 2024'}", "2024-10-25"),
    ("{'answer': '29 March 2024'}", "03/29/2024"),
    ("{'answer': 'March 1'}", "03/01"),
    ("{'answer': '3 pm'}", "03:00 PM"),
    ("{'answer': '15:00'}", "03:00 PM"),
    ("{'answer': '10:00 AM to 12:00 PM'}", "10 AM - 12 PM"),
    ("{'answer': '1 to 20'}", "1-20"),
    ("{'answer': '222,000,000'}", "$222 million"),
    ("{'answer': '17%'}", "17"),
    ("{'answer': 'latte_lab_12'}", "latte_lab_12"),
    ("{'answer': '138/85 mmHg'}", "138/85"),
    ("{'answer': 'esports'}", "e-sports"),
    ("{'answer': 'Zoe O’Hara-Núñez'}", "Zoe O'Hara-Nunez"),
    ("{'answer': 'Salem, Oregon, USA'}", "Salem"),
    ("{'answer': 'Mostar, Bosnia and Herzegovina'}", "Mostar"),
    ("The mill ran 1914-1918.", "1918"),
    ("Opened on December 14, 1947.", "1947"),
    ("The answer is Lima, not Cusco.", "Lima"),
    ("It isn't Cusco, it is Lima.", "Lima"),
    ("Lima is not only the capital but the largest city.", "Lima"),
    ("No doubt it is Lima.", "Lima"),
    ("Lima (or Ciudad de los Reyes, as it was called).", "Lima"),
    ("I looked at Cusco first.\n\n**Final Answer: Lima**\n\nCusco was the older one.", "Lima"),
    ("## Final Answer\n\nThe capital is **Lima**.", "Lima"),
    ("<think>Cusco?</think>It is Lima.", "Lima"),
    ("I would say yes.", "yes"),
    ("{'answer': 'Absolutely yes'}", "yes"),
    ("Yes, no problem.", "yes"),
    ("I prefer to drink coffee.", "coffee"),
    ("It is Lima or its equivalent.", "Lima"),
    ("After searching for capitals, it is Lima.", "Lima"),
    ("It may be hot there, but it is Lima.", "Lima"),
    ("Version 3.5.", "3.5"),
    ("{'answer': '1 000 000'}", "1000000"),
]
DOES_NOT = [
    ("{'answer': 'Cusco', 'context': 'Lima was ruled out'}", "Lima", "not-found"),
    ("{'answer': 'I do not know', 'context': 'Lima or Cusco'}", "Lima", "not-found"),
    ("**Final Answer: Cusco**\n\nLima was the other one.", "Lima", "not-found"),
    ("{'answer': '31.4'}", "314", "not-found"),
    ("{'answer': '-5'}", "5", "not-found"),
    ("{'answer': '18'}", "1.8", "not-found"),
    ("{'answer': '3 AM'}", "03:00 PM", "not-found"),
    ("The trail is 35 km long.", "3.5", "not-found"),
    ("It is certainly not Lima.", "Lima", "denied"),
    ("It isn't Lima.", "Lima", "denied"),
    ("Rather than Lima, it is Cusco.", "Lima", "denied"),
    ("The answer is Cusco, not Lima.", "Lima", "denied"),
    ("Lima is not the capital.", "Lima", "denied"),
    ("Lima can be ruled out.", "Lima", "denied"),
    ("I could not find whether it is Lima", "Lima", "denied"),
    ("Lima or Cusco", "Lima", "several"),
    ("Either 7 or 8.", "7", "several"),
    ("Lima/Cusco", "Lima", "several"),
    ("Lima, Cusco or Puno", "Lima", "several"),
    ("Lima, Cusco, and Puno", "Lima", "several"),
    ("{'answer': '35, 36, 37'}", "35", "several"),
    ('{"answer": ["Lima", "Cusco"]}', "Lima", "several"),
    ("['Lima', 'Cusco']", "Lima", "several"),
    ("Possible answers:\n- Lima\n- Cusco\n- Puno", "Lima", "several"),
    ("Lima? Cusco? Puno?", "Lima", "several"),
    ("Guess 1: Lima. Guess 2: Cusco.", "Lima", "several"),
    ("word " * 200 + "Lima " + "word " * 200, "Lima", "no-conclusion"),
    ("", "Lima", "no-conclusion"),
    ("My favourite used to be red; now it's blue.", "red", "denied"),
    ("You prefer tea over coffee.", "coffee", "denied"),
    ("You prefer tea to coffee.", "coffee", "denied"),
    ("The claim that Lima is the capital is false.", "Lima", "denied"),
    ("Lima never hosted it; Cusco did.", "Lima", "denied"),
    ("Searching for Lima now...", "Lima", "not-given"),
    ("It could be Lima, it could be Cusco.", "Lima", "several"),
    ("Lima. Or Cusco.", "Lima", "several"),
    ("Lima... or maybe Cusco", "Lima", "several"),
    ("{'answer': '1 2 3 4 5 6'}", "5", "several"),
    ("{'answer': 'yes and no'}", "yes", "several"),
    ("v3.5.1", "3.5", "not-found"),
]


@pytest.mark.parametrize(("text", "accepted"), HOLDS)
def test_what_asserts(text, accepted):
    assert find_assertion(text, [accepted]).why == "asserted"


@pytest.mark.parametrize(("text", "accepted", "why"), DOES_NOT)
def test_what_does_not(text, accepted, why):
    assert find_assertion(text, [accepted]).why == why


def test_several_that_are_all_accepted():
    assert find_assertion("A whisk and a filter, or a pitcher", ["filter", "whisk", "pitcher"]).holds
    assert find_assertion("Lima or Cusco", ["Cusco", "Lima"]).holds


def test_a_long_text_is_looked_at_where_it_concludes():
    filler = "\n\n".join(
        "This part tells of other things that were found on the way. " * 2 for _ in range(20)
    )
    assert find_assertion(f"{filler}\n\nTherefore it is Lima.", ["Lima"]).where == "conclusion"
    assert find_assertion(f"{filler}\n\nTherefore it is Lima.", ["Lima"]).holds
    assert not find_assertion(f"{filler}\n\nSome say Lima here.\n\n{filler}", ["Lima"]).holds


@given(st.text(max_size=200), st.lists(st.text(max_size=12), max_size=3))
def test_no_text_raises(text, accepted):
    assert find_assertion(text, accepted).why in {
        "asserted",
        "not-found",
        "denied",
        "several",
        "no-conclusion",
    }


@given(st.sampled_from(HOLDS), st.sampled_from(["", " ", "\n\n"]))
def test_space_around_the_text_changes_nothing(case, space):
    assert find_assertion(space + case[0] + space, [case[1]]).holds


@given(st.integers(0, 10**9))
def test_a_number_in_any_writing_is_found(number):
    for written in (f"{number}", f"{number:,}", f"{number}.0", f"${number}"):
        assert find_assertion(json.dumps({"answer": written}), [str(number)]).holds
    assert not find_assertion(json.dumps({"answer": f"{number}1"}), [str(number)]).holds or number == 0


@given(st.text(max_size=60))
def test_every_text_finds_itself(text):
    tokens = tokenize(fold(text))
    if tokens:
        assert find_all(tokens, tokens)


def test_long_texts_take_no_longer_than_they_are():
    """Repeated openings and signs, at which patterns that go back over the text would stop the clock."""
    for piece in (
        "{answer: ",
        "answer:\n",
        "a/",
        "not ",
        "1,1",
        "- x\n",
        "** ",
        "(or ",
        "?",
        "'",
        "answer to ",
    ):
        find_assertion(piece * 4000, ["Lima"])
