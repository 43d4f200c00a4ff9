from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.errors import UsageError
from faircall.profiles import load_profile
from faircall.testing import assert_call

RIDE = {
    "name": "ride",
    "parameters": {
        "properties": {"to": {"type": "string"}, "km": {"type": "integer"}},
        "required": ["to"],
    },
}
HOME = [{"ride": {"to": ["home"]}}]


def message_of(output, *, expected=HOME, **options):
    with pytest.raises(AssertionError) as caught:
        assert_call(output, tools=[RIDE], expected=expected, **options)
    return str(caught.value)


def test_a_right_call_gives_its_verdict():
    assert assert_call("[ride(to='home')]", tools=[RIDE], expected=HOME).outcome == "pass"
    assert assert_call("I cannot do that.", tools=[RIDE], expected=[]).state == "ABSTAINED"
    assert assert_call("[ride(to='anywhere')]", tools=[RIDE], expected=None).state == "CALLED"


def test_a_wrong_call_is_shown_by_the_path_of_the_first_difference():
    lines = message_of("[ride(to='hom')]", decoder="python").splitlines()
    assert lines == [
        'wrong-value: Expected `"home"`, got `"hom"` - at `$.args.to`',
        "  path      $.args.to",
        '  expected  [{"ride": {"to": ["home"]}}]',
        '  calls     [{"ride": {"to": "hom"}}]',
        "  decoder   python",
        "  state     CALLED",
        "  reason    wrong-value",
        "  evidence  characters 0 to 16: [ride(to='hom')]",
        "  profile   fair-1",
    ]


@pytest.mark.parametrize(
    ("output", "expected", "shown"),
    [
        ("No tool fits.", HOME, ["state     ABSTAINED", "calls     none", "reason    prose"]),
        ("[ride(to=", HOME, ["state     MALFORMED", "characters 1 to 9: ride(to="]),
        ("[ride(to='home')]", [], ["expected  no call", "state     CALLED"]),
        ("[ride(to=", None, ["expected  no malformed call", "reason    truncated"]),
        ([{"ride": '{"to": "hom"}'}], HOME, ["decoder   tool-calls", "evidence  none"]),
    ],
)
def test_what_a_message_holds(output, expected, shown):
    message = message_of(output, expected=expected)
    assert [part for part in shown if part not in message] == []


@pytest.mark.parametrize(
    ("output", "expected", "why"),
    [
        ("Error during inference: timeout", HOME, "harness-error"),
        ("[ride(to='home')]", [{"ride": {"to": ["home"], "km": ["far"]}}], "unsatisfiable-answer"),
    ],
)
def test_what_cannot_be_judged_never_passes(output, expected, why):
    head, *_ = message_of(output, expected=expected).splitlines()
    assert head.startswith(f"void, it cannot be judged: {why}: ")


def test_a_message_names_the_profile_that_judged():
    profile = load_profile("fair-1+strings=official")
    assert message_of("[ride(to='hom')]", profile=profile).endswith("profile   fair-1+strings=official")


def test_bad_use_is_no_failed_assertion():
    with pytest.raises(UsageError, match="hermes"):
        assert_call("x", tools=[RIDE], expected=[], decoder="hermess")


@given(st.text(st.characters(), max_size=60))
def test_no_text_of_a_model_gives_a_terminal_orders(text):
    for output in (text, f"[ride(to={text!r})]", [{"ride": {"to": text}}]):
        try:
            assert_call(output, tools=[RIDE], expected=[{"walk\x1b": {}}])
        except AssertionError as error:
            lines = str(error).split("\n")
            assert len(lines) == 9
            kinds = {unicodedata.category(char) for line in lines for char in line}
            assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_long_output_is_cut():
    message = message_of(f"[ride(to='{'x' * 100_000}')]")
    assert max(map(len, message.splitlines())) < 450
