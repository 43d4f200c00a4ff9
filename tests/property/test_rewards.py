"""What must never raise a reward, whatever the output: ways to write more, less, or in another form."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import faircall
from faircall.decoding import python_calls
from faircall.gate import decision
from faircall.gate.plainly import is_plain_call
from faircall.types import Outcome

PLACES = ["home", "work", "sea", "hill"]
PARAMETERS = {
    "ride": {
        "to": {"type": "string"},
        "km": {"type": "integer"},
        "bike": {"type": "string"},
        "unit": {"type": "string", "default": "km"},
    },
    "rest": {"where": {"type": "string"}, "minutes": {"type": "integer", "default": 10}},
    "stop": {},
}
REQUIRED = {"ride": ["to", "km"], "rest": ["where"], "stop": []}
TOOLS = [
    {
        "name": name,
        "description": "",
        "parameters": {"type": "object", "properties": properties, "required": REQUIRED[name]},
    }
    for name, properties in PARAMETERS.items()
]
VALUES = {
    "to": st.sampled_from(PLACES),
    "where": st.sampled_from(PLACES),
    "km": st.integers(1, 4),
    "minutes": st.sampled_from([10, 20]),
    "bike": st.sampled_from(["red", "blue"]),
    "unit": st.sampled_from(["km", "miles"]),
}
DEFAULTS = {"unit": "km", "minutes": 10}
PROSE = [
    "Sure.",
    "I cannot do that.",
    "Here you are:",
    "Which one do you mean?",
    "No tool fits.",
    "Done!",
    "ok",
]


def write_python(calls):
    written = (
        f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        for name, arguments in calls
    )
    return f"[{', '.join(written)}]"


def write_json(calls):
    return json.dumps([{"name": name, "arguments": arguments} for name, arguments in calls])


def write_hermes(calls):
    return "\n".join(
        f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"
        for name, arguments in calls
    )


def write_pythonic(calls):
    return f"<|python_start|>{write_python(calls)}<|python_end|>"


WRITERS = {
    "python": write_python,
    "json": write_json,
    "hermes": write_hermes,
    "llama-pythonic": write_pythonic,
}
PROTOCOLS = st.sampled_from([*WRITERS])


@st.composite
def a_call(draw, names=("ride", "rest", "stop")):
    name = draw(st.sampled_from(names))
    arguments = {key: draw(VALUES[key]) for key in REQUIRED[name]}
    for key in PARAMETERS[name]:
        if key not in arguments and draw(st.booleans()):
            arguments[key] = draw(VALUES[key])
    return name, arguments


@st.composite
def an_entry(draw, fewest=0):
    """Expected calls, and calls that a model may have made: they, or others like them."""
    wanted = draw(st.lists(a_call(), min_size=fewest, max_size=3))
    made = []
    for name, arguments in wanted:
        kind = draw(st.sampled_from(["same", "same", "less", "other", "none"]))
        if kind == "less" and arguments:
            dropped = draw(st.sampled_from([*arguments]))
            made.append((name, {key: value for key, value in arguments.items() if key != dropped}))
        elif kind == "other" and arguments:
            changed = draw(st.sampled_from([*arguments]))
            made.append((name, {**arguments, changed: draw(VALUES[changed])}))
        elif kind != "none":
            made.append((name, dict(arguments)))
    if not made or draw(st.integers(0, 5)) == 0:
        made.append(draw(a_call()))
    answers = [
        {
            name: {
                key: [arguments[key]] if key in arguments else [DEFAULTS.get(key, ""), ""]
                for key in PARAMETERS[name]
            }
        }
        for name, arguments in wanted
    ]
    return answers, made


def plain_call(answer):
    """The call that an answer asks for, with what it leaves out as the default."""
    [(name, wanted)] = answer.items()
    return name, {key: allowed[0] for key, allowed in wanted.items()}


def worth(output, answers, decoder):
    [found] = faircall.reward([output], tools=TOOLS, expected=[answers], decoder=decoder, own_text=True)
    assert found.value is not None
    return found.value


def never_more(output, answers, decoder, than):
    now = worth(output, answers, decoder)
    assert now <= than, (output, now, than)


@given(an_entry(), PROTOCOLS, st.sampled_from(["own", "auto"]), st.randoms())
def test_the_order_of_calls_does_not_matter(entry, protocol, decoder, chance):
    answers, made = entry
    turned, asked = list(made), list(answers)
    chance.shuffle(turned)
    chance.shuffle(asked)
    write = WRITERS[protocol]
    decoder = protocol if decoder == "own" else decoder
    assert worth(write(made), answers, decoder) == worth(write(turned), asked, decoder)


@given(an_entry(), PROTOCOLS)
def test_passing_defaults_changes_nothing(entry, protocol):
    answers, made = entry
    passed = [
        (name, {**{key: DEFAULTS[key] for key in PARAMETERS[name] if key in DEFAULTS}, **arguments})
        for name, arguments in made
    ]
    write = WRITERS[protocol]
    assert worth(write(made), answers, protocol) == worth(write(passed), answers, protocol)


@given(an_entry(), PROTOCOLS, st.data())
def test_removing_a_right_argument_never_raises(entry, protocol, data):
    answers, made = entry
    index = data.draw(st.integers(0, len(made) - 1))
    name, arguments = made[index]
    assume(arguments)
    dropped = data.draw(st.sampled_from([*arguments]))
    # An argument that is right for one expected call can be wrong for another; those that no call wants are not right.
    assume(
        answers and all(arguments[dropped] in answer[name][dropped] for answer in answers if name in answer)
    )
    assume(any(name in answer for answer in answers))
    less = [*made]
    less[index] = name, {key: value for key, value in arguments.items() if key != dropped}
    write = WRITERS[protocol]
    never_more(write(less), answers, protocol, than=worth(write(made), answers, protocol))


@given(an_entry(), PROTOCOLS, st.data())
def test_an_extra_argument_never_raises(entry, protocol, data):
    answers, made = entry
    index = data.draw(st.integers(0, len(made) - 1))
    name, arguments = made[index]
    extra = data.draw(st.sampled_from(["speed", "To", "args", "ride", "km2"]))
    more = [*made]
    more[index] = name, {**arguments, extra: data.draw(st.sampled_from([1, "home", True]))}
    write = WRITERS[protocol]
    never_more(write(more), answers, protocol, than=worth(write(made), answers, protocol))


@given(an_entry(), PROTOCOLS, st.data())
def test_repeating_a_call_never_raises(entry, protocol, data):
    answers, made = entry
    again = data.draw(st.sampled_from(made))
    # Where the same call is wanted twice, making it twice is right.
    assume(len({json.dumps(plain_call(answer), sort_keys=True) for answer in answers}) == len(answers))
    write = WRITERS[protocol]
    never_more(write([*made, again]), answers, protocol, than=worth(write(made), answers, protocol))


@given(an_entry(), PROTOCOLS, st.integers(1, 4), st.data())
def test_junk_calls_never_raise(entry, protocol, count, data):
    answers, made = entry
    # Calls of tools that are not offered or not wanted, and of wanted ones with nothing right.
    junk = [("fly", {"to": "home", "km": 1}), ("ride", {"to": "nowhere", "km": 99}), ("rest", {"where": "x"})]
    junk += [("stop", {})] if not any("stop" in answer for answer in answers) else []
    more = [*made, *(data.draw(st.sampled_from(junk)) for _ in range(count))]
    write = WRITERS[protocol]
    never_more(write(more), answers, protocol, than=worth(write(made), answers, protocol))


@given(an_entry(fewest=1), PROTOCOLS, st.lists(a_call(), min_size=1, max_size=4))
def test_more_guesses_than_calls_are_worth_no_more_than_a_wrong_one(entry, protocol, guesses):
    answers, made = entry
    calls = [*made, *guesses]
    assume(len(calls) > len(answers))
    assert worth(WRITERS[protocol](calls), answers, protocol) == 0.0


@given(an_entry(), PROTOCOLS, st.sampled_from(["own", "auto"]), st.data())
def test_text_around_never_raises(entry, protocol, decoder, data):
    answers, made = entry
    text = WRITERS[protocol](made)
    decoder = protocol if decoder == "own" else decoder
    words = st.sampled_from(["", *PROSE])
    joint = st.sampled_from([" ", "\n", "\n\n"])
    around = data.draw(words) + data.draw(joint) + text + data.draw(joint) + data.draw(words)
    never_more(around, answers, decoder, than=worth(text, answers, decoder))


@given(an_entry(), PROTOCOLS, st.sampled_from(["own", "auto"]), st.booleans(), st.data())
def test_breaking_a_bracket_never_raises(entry, protocol, decoder, prose, data):
    answers, made = entry
    text = WRITERS[protocol](made)
    decoder = protocol if decoder == "own" else decoder
    at = data.draw(st.sampled_from([index for index, sign in enumerate(text) if sign in "[](){}<>\"'"]))
    broken = text[:at] + data.draw(st.sampled_from(["", "?", "\\"])) + text[at + 1 :]
    if prose:
        broken = data.draw(st.sampled_from(PROSE)) + " " + broken
    # Without its tag a call is text around the others, and they may be the right ones.
    assume(protocol != "hermes" or len(made) == 1)
    never_more(broken, answers, decoder, than=worth(text, answers, decoder))


@given(an_entry(), PROTOCOLS, st.data())
def test_cutting_off_never_raises(entry, protocol, data):
    answers, made = entry
    text = WRITERS[protocol](made)
    # What is cut between two calls that are whole is fewer calls, and not a broken one.
    assume(protocol != "hermes" or len(made) == 1)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    never_more(cut, answers, protocol, than=worth(text, answers, protocol))


@given(an_entry(), PROTOCOLS, PROTOCOLS)
def test_another_format_never_raises(entry, protocol, other):
    answers, made = entry
    than = worth(WRITERS[protocol](made), answers, protocol)
    never_more(WRITERS[other](made), answers, protocol, than=than)


@given(
    an_entry(),
    PROTOCOLS,
    st.sampled_from(["", " ", "\n", "<|im_end|>", "</s>", "```\n```", "<think></think>"]),
)
def test_emitting_nothing_never_raises(entry, protocol, nothing):
    answers, made = entry
    never_more(nothing, answers, protocol, than=worth(WRITERS[protocol](made), answers, protocol))


@given(
    an_entry(), PROTOCOLS, st.sampled_from(["<think>", "<thinking>", "<reasoning>", "[THINK]"]), st.booleans()
)
def test_a_call_that_is_only_thought_is_never_credited(entry, protocol, opening, closed):
    answers, made = entry
    closing = opening.replace("<", "</").replace("[", "[/") if closed else ""
    written = opening + WRITERS[protocol](made) + closing
    assert worth(written, answers, protocol) < 1


TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            [
                "[", "]", "(", ")", "ride", "stop", "to='home'", "km=3", ", ", "{", "}", '"name": "ride"', ":",
                "<tool_call>", "</tool_call>", '{"name": "stop", "arguments": {}}', "<think>", "</think>",
                "I cannot", "\n", "Error during inference", "failed with status 500", "stop()", "[stop()]",
                "ride(to='home', km=3)", "no_function", "```", "Traceback (most recent call last):\n  File",
            ]
        ),
        max_size=9,
    ).map("".join),
)  # fmt: skip


@settings(max_examples=400)
@given(
    st.one_of(TEXTS, st.lists(TEXTS, max_size=3), an_entry().map(lambda entry: write_python(entry[1]))),
    st.one_of(an_entry(), an_entry().map(lambda entry: ([], entry[1]))),
    st.sampled_from([*WRITERS, "auto", "tool-calls"]),
    st.sampled_from(["fair-1", "fair-1+defaults=official", "official-2026.3.23+gate=evidence"]),
)
@example("[ride(to='home', km=3)]", ([{"ride": {"to": ["home"], "km": [3]}}], []), "python", "fair-1")
def test_it_is_1_exactly_where_the_check_passes_and_none_where_it_is_void(output, entry, decoder, profile):
    answers, _ = entry
    [found] = faircall.reward([output], tools=TOOLS, expected=[answers], decoder=decoder, profile=profile)
    verdict = faircall.check(output, tools=TOOLS, expected=answers, decoder=decoder, profile=profile)
    assert (found.value == 1.0) is (verdict.outcome is Outcome.PASS)
    assert (found.value is None) is (verdict.outcome is Outcome.VOID)
    assert (found.outcome, found.state, found.reason) == (verdict.outcome, verdict.state, verdict.reason)
    assert found.value is None or found.value == 1 or -0.5 <= found.value <= 0.5
    [own] = faircall.reward(
        [output], tools=TOOLS, expected=[answers], decoder=decoder, profile=profile, own_text=True
    )
    assert own.value is not None or verdict.outcome is Outcome.VOID
    assert (own.value == 1.0) is (found.value == 1.0)


@given(an_entry(), PROTOCOLS)
def test_right_calls_pass_however_they_are_written(entry, protocol):
    answers, _ = entry
    assume(answers)
    right = [
        (name, {key: allowed[0] for key, allowed in wanted.items() if "" not in allowed})
        for answer in answers
        for name, wanted in answer.items()
    ]
    assert worth(WRITERS[protocol](right), answers, protocol) == 1.0
    assert worth([{name: arguments} for name, arguments in right], answers, "tool-calls") == 1.0


@settings(max_examples=400)
@given(
    st.one_of(
        TEXTS,
        st.builds(lambda entry, write: write(entry[1]), an_entry(), st.sampled_from([*WRITERS.values()])),
        TEXTS.map(lambda text: f"[ride({text})]"),
        TEXTS.map(lambda text: f"<tool_call>{{{text}</tool_call>"),
    ),
    st.sampled_from([*WRITERS, "auto"]),
)
def test_what_is_plainly_a_call_is_judged_as_any_other_text(text, decoder):
    assume(is_plain_call(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision, "is_plain_call", lambda _: False)
        slowly = faircall.check(text, tools=TOOLS, decoder=decoder)
    assert faircall.check(text, tools=TOOLS, decoder=decoder) == slowly


SIGNS = st.sampled_from(
    [*"'\"\\\n013-+.,=()[]_ axé", "True", "False", "None", "'a b'", "12", "007", "-3", "-0", "''", ", "]
)


@settings(max_examples=400)
@given(
    st.builds(
        lambda name, arguments: f"[{name}({', '.join(f'{key}={value}' for key, value in arguments)})]",
        st.sampled_from(["f", "a.b", "not", "None", "print"]),
        st.lists(
            st.tuples(
                st.sampled_from(["x", "y", "class", "_1"]),
                st.lists(SIGNS, min_size=1, max_size=2).map("".join),
            ),
            max_size=3,
        ),
    )
)
@example("[f(x='a', y=-3, class=True)]")
@example("[a.b()]")
def test_calls_of_plain_arguments_are_read_as_any_other(text):
    simple = python_calls._read_simple(text)
    if simple is not None:
        assert repr((simple,)) == repr(python_calls._read_any(text, frozenset()))
