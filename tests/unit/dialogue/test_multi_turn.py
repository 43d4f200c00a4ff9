"""Verdicts on multi-turn dialogues: official and fair, switch by switch."""

from __future__ import annotations

import json

import msgspec
import pytest

from faircall.dialogue import read_dialogue
from faircall.dialogue.multi_turn import Scene, verdict_of_dialogue
from faircall.dialogue.steps import read_steps
from faircall.errors import InputError
from faircall.profiles import load_profile
from faircall.replay import Player
from faircall.schema import read_tools

OFFICIAL, FAIR = "official-2026.3.23", "fair-1"
DISK = {
    "GorillaFileSystem": {
        "root": {"home": {"type": "directory", "contents": {
            "notes.txt": {"type": "file", "content": "milk"},
            "box": {"type": "directory", "contents": {}},
        }}}
    }
}  # fmt: skip
ACCOUNT = {
    "TwitterAPI": {"username": "kim", "password": "x", "authenticated": True, "tweets": {}, "comments": {},
                   "retweets": {}, "following_list": [], "tweet_counter": 1}
}  # fmt: skip


@pytest.fixture
def judge(questions, player):
    """A function that judges stored turns against expected calls in one environment."""

    def judged(
        stored, expected, *, profile=FAIR, classes=("GorillaFileSystem",), config=DISK, decoder="tool-calls"
    ):
        tools = read_tools([
            tool
            for category in ("multi_turn_base",)
            for entry in questions.entries(category).values()
            if entry.involved_classes[0] == classes[0]
            for tool in entry.tools
        ])  # fmt: skip
        scene = Scene(
            tuple(classes), json.dumps(config), tuple(map(tuple, expected)), long_context=False,
            tools=frozenset(tool.name for tool in tools),
        )  # fmt: skip
        steps = read_steps(stored, tools, decoder=decoder)
        return verdict_of_dialogue(steps, scene, load_profile(profile), player.play)

    return judged


def call(name, **arguments):
    return {name: json.dumps(arguments)}


TOUCH = [call("touch", file_name="a.txt")]


def test_the_same_calls_pass(judge):
    for profile in (OFFICIAL, FAIR):
        verdict = judge([[TOUCH, "Done."]], [["touch(file_name='a.txt')"]], profile=profile)
        assert (verdict.outcome, verdict.state) == ("pass", "CALLED")
        assert (verdict.dialogue.passed, verdict.dialogue.turns) == (1, 1)
        assert verdict.dialogue.steps == {"ABSTAINED": 1, "MALFORMED": 0, "CALLED": 1}


def test_another_state_fails_at_its_path(judge):
    verdict = judge([[[call("touch", file_name="b.txt")]]], [["touch(file_name='a.txt')"]])
    assert (verdict.outcome, verdict.reason) == ("fail", "state-differs")
    assert verdict.path.startswith("$.turns[0].state.GorillaFileSystem.root.contents.")


def test_one_of_two_turns_is_said_to_be_right(judge):
    stored = [[TOUCH], [[call("touch", file_name="c.txt")]]]
    verdict = judge(stored, [["touch(file_name='a.txt')"], ["touch(file_name='b.txt')"]])
    assert (verdict.outcome, verdict.dialogue.passed, verdict.dialogue.turns) == ("fail", 1, 2)


@pytest.mark.parametrize(
    ("profile", "outcome"),
    [
        (OFFICIAL, "pass"),
        (FAIR, "fail"),
        (f"{FAIR}+abstain-turns=official", "pass"),
        (f"{FAIR}+abstain-turns=changes", "fail"),
    ],
)
def test_a_deletion_where_no_call_is_wanted(judge, profile, outcome):
    verdict = judge([[[call("rm", file_name="notes.txt")]]], [[]], profile=profile)
    assert verdict.outcome == outcome
    if profile == FAIR:
        assert verdict.reason == "unwanted-call"
        assert "changes the state" in verdict.message


@pytest.mark.parametrize(
    ("value", "outcome"), [("official", "pass"), ("changes", "pass"), ("checked", "fail")]
)
def test_a_look_where_no_call_is_wanted(judge, value, outcome):
    verdict = judge([[[call("ls")], "Which file?"]], [[]], profile=f"{FAIR}+abstain-turns={value}")
    assert verdict.outcome == outcome
    told = verdict.message if outcome == "fail" else "".join(verdict.dialogue.notes)
    assert "leaves the state as it is" in told


def test_asking_back_is_right(judge):
    assert judge([["Which file do you mean?"]], [[]]).outcome == "pass"


def test_an_equal_state_by_another_route_is_enough(judge):
    stored = [[[call("touch", file_name="a.txt")]]]
    expected = [["touch(file_name='a.txt')", "ls()"]]
    verdict = judge(stored, expected)
    assert verdict.outcome == "pass"
    assert "no call gave" in verdict.dialogue.notes[0]
    assert judge(stored, expected, profile=f"{FAIR}+responses=official").reason == "result-missing"
    assert (
        judge(stored, expected, profile=OFFICIAL).official_error == "multi_turn:execution_response_mismatch"
    )


def test_where_only_results_can_tell_they_decide(judge):
    verdict = judge([[[call("pwd")]]], [["cat(file_name='notes.txt')"]])
    assert (verdict.outcome, verdict.reason, verdict.path) == ("fail", "result-missing", "$.turns[0].results")


def test_numbers_in_results_compare_by_value(judge):
    stored, expected = [[[call("add", a=1, b=2)]]], [["add(a=1.0, b=2.0)"]]
    arguments = {"classes": ("MathAPI",), "config": {}}
    assert judge(stored, expected, **arguments).outcome == "pass"
    assert judge(stored, expected, profile=OFFICIAL, **arguments).outcome == "fail"
    assert judge(stored, expected, profile=f"{FAIR}+numbers=official", **arguments).outcome == "fail"


def test_text_in_quotes_is_text(judge):
    stored = [[[call("post_tweet", content="please comment (below)")]]]
    expected = [["post_tweet(content='please comment (below)')"]]
    arguments = {"classes": ("TwitterAPI",), "config": ACCOUNT}
    assert judge(stored, expected, **arguments).outcome == "pass"
    assert judge(stored, expected, profile=OFFICIAL, **arguments).outcome == "fail"
    assert judge(stored, expected, profile=f"{OFFICIAL}+dispatch=fair", **arguments).outcome == "pass"


def test_an_object_of_objects_stays_an_object(judge):
    stored = [["[echo(content={'a': {'x': 1}}, file_name='notes.txt')]"]]
    fair = judge(stored, [["ls()"]], decoder="python")
    assert "'x': 1" in fair.message
    official = judge(stored, [["ls()"]], decoder="python", profile=OFFICIAL)
    assert official.reason == "result-missing"


def test_a_call_among_the_arguments_is_made(judge):
    stored = [["[echo(content=pwd(), file_name='notes.txt')]"]]
    for profile in (OFFICIAL, FAIR):
        verdict = judge(
            stored, [["echo(content=pwd(), file_name='notes.txt')"]], decoder="python", profile=profile
        )
        assert verdict.outcome == "fail" if profile == OFFICIAL else "pass"


def test_positional_arguments_are_bound(judge):
    stored, expected = [["[touch('a.txt')]"]], [["touch(file_name='a.txt')"]]
    assert judge(stored, expected, decoder="python").outcome == "pass"
    assert judge(stored, expected, decoder="python", profile=OFFICIAL).outcome == "fail"
    assert judge(stored, expected, decoder="python", profile=f"{FAIR}+positional=official").outcome == "fail"


def test_a_name_with_its_class_before_it(judge):
    stored, expected = [["[GorillaFileSystem.touch(file_name='a.txt')]"]], [["touch(file_name='a.txt')"]]
    assert judge(stored, expected, decoder="python").outcome == "pass"
    assert judge(stored, expected, decoder="python", profile=f"{FAIR}+names=official").outcome == "fail"


def test_a_malformed_step_is_counted_and_shown(judge):
    stored = [[[{"touch": '{"file_name": "a.txt"'}], "Done."]]
    verdict = judge(stored, [["touch(file_name='a.txt')"]])
    assert (verdict.outcome, verdict.state, verdict.reason) == ("fail", "MALFORMED", "no-call")
    assert verdict.dialogue.steps["MALFORMED"] == 1
    assert "1 of its steps malformed: truncated" in verdict.message
    assert judge(stored, [["touch(file_name='a.txt')"]], profile=OFFICIAL).state == "ABSTAINED"


def test_needless_calls_and_another_folder_are_said(judge):
    stored = [[[call("ls")], TOUCH, [call("cd", folder="box")]]]
    verdict = judge(stored, [["touch(file_name='a.txt')"]])
    assert verdict.outcome == "pass"
    assert verdict.dialogue.notes == (
        "turn 0: 3 calls, 1 expected",
        "turn 0: $.GorillaFileSystem._current_dir differs, which is not compared",
    )


@pytest.mark.parametrize(
    ("stored", "outcome", "reason", "official"),
    [
        ("Error during inference: Error code: 500", "void", "harness-error", "multi_turn:inference_error"),
        (
            [["Error during inference: Error code: 500"]],
            "void",
            "harness-error",
            "multi_turn:empty_turn_model_response",
        ),
        ("All done.", "fail", "no-dialogue", "multi_turn:inference_error"),
        (None, "fail", "no-dialogue", "multi_turn:inference_error"),
        ([], "fail", "wrong-number-of-turns", "multi_turn:force_terminated"),
        ([[TOUCH], []], "fail", "wrong-number-of-turns", "multi_turn:force_terminated"),
        ([[]], "fail", "no-call", "multi_turn:empty_turn_model_response"),
        ([TOUCH[0]], "pass", "decoded", "multi_turn:empty_turn_model_response"),
        (["[touch(file_name='a.txt')]"], "fail", "no-call", "multi_turn:empty_turn_model_response"),
        ([[7, None, [1], [[]], {"a": []}]], "fail", "no-call", "multi_turn:empty_turn_model_response"),
    ],
)
def test_stored_values_of_every_shape(judge, stored, outcome, reason, official):
    verdict = judge(stored, [["touch(file_name='a.txt')"]])
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    made = judge(stored, [["touch(file_name='a.txt')"]], profile=OFFICIAL)
    assert (made.outcome, made.official_error) == ("fail", official)


def test_the_released_tool_raises_on_a_turn_that_is_no_list(judge):
    assert judge([7], [[]], profile=OFFICIAL).reason == "evaluator-crash"


HOSTILE = [
    "__import__('os').system('touch MARKER')",
    "().__class__.__mro__[1].__subclasses__()",
    "open('/etc/passwd').read()",
    "eval('1')", "exec('x=1')", "getattr(ls, '__globals__')", "globals()", "vars()",
    "self.root.contents.clear()", "GorillaFileSystem.__init__()", "_load_scenario({})", "ls.__func__()",
    "ls(a='{0.__class__}'.format(1))", "ls(a=f'{1}')", "ls(a='%s' % 1)", "ls(a=9**9**9)", "ls(a=(lambda: 1)())",
    "ls(a=[x for x in (1,)])", "ls(**{'__class__': 1})", "touch(file_name=" + "[" * 150 + "]" * 150 + ")",
    "ls(" + "a" * 200_000 + "=1)", "touch(file_name='" + "\\x41" * 1000 + "')", "exit()", "kill()", "print(1)",
    "ls()\x00", "ls(\u202e)", "\ud800()", "ls(a='\ud800')", "ls(a=0x" + "f" * 5000 + ")", "ls(a=1e999)", "ls;rm", "",
]  # fmt: skip


@pytest.mark.parametrize("decoder", ["python", "tool-calls", "hermes", "llama-json", "granite-20b", "auto"])
def test_hostile_steps_do_nothing_and_get_a_verdict(judge, tmp_path, decoder):
    marker = tmp_path / "was-here"
    for hostile in HOSTILE:
        text = hostile.replace("MARKER", str(marker))
        shapes = [f"[{text}]", text, [{text: "{}"}], [{"touch": json.dumps({"file_name": text})}],
                  f'<tool_call>\n{{"name": {json.dumps(text)}, "arguments": {{}}}}\n</tool_call>',
                  f'{{"name": {json.dumps(text)}, "parameters": {{"x": 1}}}}']  # fmt: skip
        for stored in shapes:
            for profile in (OFFICIAL, FAIR):
                verdict = judge([[stored]], [["ls()"]], profile=profile, decoder=decoder)
                assert verdict.outcome in {"pass", "fail", "void"}
    assert not marker.exists()
    assert judge([[TOUCH]], [["touch(file_name='a.txt')"]]).outcome == "pass"


def test_a_call_that_never_ends_is_void(questions):
    with Player(questions.benchmark, time_limit_s=1.0) as quick:
        stored = [[[call("logarithm", value=2, base=3, precision=10**8)]]]
        steps = read_steps(stored, read_tools(["logarithm"]), decoder="tool-calls")
        wanted = Scene(
            ("MathAPI",), "{}", (("add(a=1, b=1)",),), long_context=False, tools=frozenset({"logarithm"})
        )
        verdict = verdict_of_dialogue(steps, wanted, load_profile(FAIR), quick.play)
        assert (verdict.outcome, verdict.reason) == ("void", "replay-limit")
        assert "time" in verdict.message
        unwanted = msgspec.structs.replace(wanted, expected=((),))
        verdict = verdict_of_dialogue(steps, unwanted, load_profile(FAIR), quick.play)
        assert (verdict.outcome, verdict.reason) == ("fail", "unwanted-call")


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ("[rm(file_name='notes.txt'", "fail"),
        ([{"rm": '{"file_name": "no'}], "fail"),
        ("", "pass"),
        ("Which file?", "pass"),
    ],
)
def test_a_broken_call_where_none_is_wanted(judge, step, outcome):
    decoder = "python" if isinstance(step, str) else "tool-calls"
    verdict = judge([[step]], [[]], decoder=decoder)
    assert verdict.outcome == outcome
    if outcome == "fail":
        assert (verdict.reason, verdict.path) == ("unwanted-call", "$.turns[0].steps[0]")
    elif step == "":
        assert "malformed: empty-output" in verdict.dialogue.notes[0]
    assert judge([[step]], [[]], decoder=decoder, profile=OFFICIAL).outcome == "pass"


def test_a_malformed_step_in_a_turn_that_is_right_is_noted(judge):
    verdict = judge([[[{"touch": '{"file_name": "a.txt"'}], TOUCH]], [["touch(file_name='a.txt')"]])
    assert verdict.outcome == "pass"
    assert verdict.dialogue.notes == ("turn 0: right (1 of its steps malformed: truncated)",)


def test_a_default_list_is_no_ones_but_the_calls(judge):
    """A call that changes a method's default list is seen on the model's side alone; officially both have that list."""
    post = call("post_tweet", content="hi")
    stored = [[[post], [call("mention", tweet_id=1, mentioned_usernames=["@lee"])]]]
    expected = [["post_tweet(content='hi')"]]
    arguments = {"classes": ("TwitterAPI",), "config": ACCOUNT}
    assert judge(stored, expected, **arguments).reason == "state-differs"
    assert judge(stored, expected, profile=OFFICIAL, **arguments).reason != "state-differs"


@pytest.mark.parametrize(
    "name",
    [
        "touch(file_name='a.txt')#", "(touch)", "\uff54ouch", "touch\\\n", "touch\n", "\x0ctouch", "touch ", "touch()",
        "print",
    ],
)  # fmt: skip
def test_a_name_is_taken_to_the_letter(judge, name):
    stored = [[[{name: json.dumps({"file_name": "evil.txt"})}]]]
    verdict = judge(stored, [["touch(file_name='a.txt')"]])
    assert (verdict.outcome, verdict.reason) == ("fail", "state-differs")
    assert "evil" not in verdict.message


def test_words_of_an_error_among_steps_are_the_models_own(judge):
    stored = [[TOUCH, "Error during inference: I give up."]]
    assert judge(stored, [["touch(file_name='a.txt')"]]).outcome == "pass"
    assert judge(stored, [["touch(file_name='b.txt')"]]).outcome == "fail"


def test_an_object_in_words_is_no_call(judge):
    stored = [["[echo(content={'mkdir': {'dir_name': 'x'}}, file_name='notes.txt')]"]]
    verdict = judge(stored, [["ls()"]], decoder="python")
    assert "'mkdir'" in verdict.message


def test_numbers_that_python_does_not_write(judge):
    step = "[touch(file_name=0x" + "f" * 3600 + ")]"
    for profile in (OFFICIAL, FAIR):
        verdict = judge([[step]], [["touch(file_name='a.txt')"]], decoder="python", profile=profile)
        assert verdict.outcome == "fail"


def test_the_number_of_turns_comes_before_what_they_hold(judge):
    verdict = judge([[TOUCH], 5], [["touch(file_name='a.txt')"]], profile=OFFICIAL)
    assert (verdict.outcome, verdict.official_error) == ("fail", "multi_turn:force_terminated")


def test_a_tool_that_is_called_before_it_is_offered_is_noted(questions, player):
    entry = questions.entries("multi_turn_miss_func")["multi_turn_miss_func_0"]
    key = questions.answer(entry)
    stored = [[*(f"[{line}]" for line in turn), "Done."] for turn in key]
    stored[0].insert(0, "[ls()]")
    stored[0].insert(-1, "[sort('final_report.pdf')]")
    reading = read_dialogue(entry, stored, questions.tools(entry), key, decoder="python", play=player.play)
    verdict = reading.verdict(load_profile(FAIR))
    assert any("calls sort, which is offered from turn 3 on" in note for note in verdict.dialogue.notes)


@pytest.mark.parametrize(
    ("expected", "extra", "what"),
    [
        ([[1], ["x"]], {}, "not lists of texts"),
        ("x", {}, "not lists of texts"),
        ([["ls()"]], {"initial_config": []}, "initial states"),
        ([["ls()"]], {"initial_config": {"GorillaFileSystem": 5}}, "initial states"),
    ],
)
def test_data_that_cannot_be_played(questions, player, expected, extra, what):
    entry = questions.entries("multi_turn_base")["multi_turn_base_0"]
    broken = msgspec.structs.replace(entry, extra={**entry.extra, **extra})
    with pytest.raises(InputError, match=what):
        read_dialogue(broken, [[]], questions.tools(entry), expected, decoder="python", play=player.play)


ENDLESS = [call("logarithm", value=2, base=3, precision=10**8)]
BOTH = ("GorillaFileSystem", "MathAPI")


@pytest.mark.parametrize(
    ("stored", "expected", "profile", "reason"),
    [
        ([[[call("pwd")]], [ENDLESS]], [["cat(file_name='notes.txt')"], ["ls()"]], FAIR, "result-missing"),
        (
            [[[call("pwd")]], [ENDLESS]],
            [["cat(file_name='notes.txt')"], ["ls()"]],
            OFFICIAL,
            "result-missing",
        ),
        # Only officially: the state is as expected, by another route.
        (
            [[[call("touch", file_name="a")]], [ENDLESS]],
            [["touch(file_name='a')", "ls()"], ["ls()"]],
            OFFICIAL,
            "result-missing",
        ),
        (
            [[[call("touch", file_name="a")]], [ENDLESS]],
            [["touch(file_name='a')", "ls()"], ["ls()"]],
            FAIR,
            "replay-limit",
        ),
        ([[[call("ls")]], [ENDLESS]], [[], ["ls()"]], FAIR, "unwanted-call"),
        ([[[call("ls")]], [ENDLESS]], [[], ["ls()"]], OFFICIAL, "replay-limit"),
        ([[ENDLESS], ["Done."]], [["ls()"], ["ls()"]], FAIR, "no-call"),
    ],
)
def test_what_fails_before_a_limit_is_broken_fails(questions, stored, expected, profile, reason):
    names = ["logarithm", "ls", "pwd", "cat", "touch"]
    scene = Scene(
        BOTH, json.dumps(DISK), tuple(map(tuple, expected)), long_context=False, tools=frozenset(names)
    )
    steps = read_steps(stored, read_tools(names), decoder="tool-calls")
    with Player(questions.benchmark, time_limit_s=1.0) as quick:
        verdict = verdict_of_dialogue(steps, scene, load_profile(profile), quick.play)
    assert verdict.reason == reason
    assert verdict.outcome == ("void" if reason == "replay-limit" else "fail")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Do you want me to run rm(file_name='notes.txt')?", "pass"),
        ("I have not called rm(file_name='notes.txt') yet, as you did not say so.", "pass"),
        ("I used `cat(file_name='notes.txt')` and it said milk. What next?", "pass"),
        ("I ran `cat(file_name='notes.txt')` before. Tell me the folder.", "pass"),
        ("Options:\n- cat(file_name='notes.txt')\n- rm(file_name='notes.txt')\nWhich?", "pass"),
        ("I will do it. rm(file_name='notes.txt')", "fail"),
        ("Sure: [rm(file_name='notes.txt')] Is that right?", "fail"),
    ],
)
@pytest.mark.parametrize("decoder", ["python", "tool-calls"])
def test_a_call_that_is_talked_about_is_none(judge, text, outcome, decoder):
    assert judge([[text]], [[]], decoder=decoder).outcome == outcome


def test_results_of_an_environment_that_nothing_changes_decide(judge):
    """A file written and taken away again leaves no trace: that it was done shows in the results alone."""
    tweet = [call("post_tweet", content="hi")]
    both = {"classes": ("TwitterAPI", "GorillaFileSystem"), "config": {**DISK, **ACCOUNT}}
    wanted = [
        "touch(file_name='a')",
        "rm(file_name='a')",
        "cat(file_name='notes.txt')",
        "post_tweet(content='hi')",
    ]
    verdict = judge([[tweet]], [wanted], **both)
    assert (verdict.outcome, verdict.reason) == ("fail", "result-missing")
    kept = ["touch(file_name='a')", "ls()", "post_tweet(content='hi')"]
    assert judge([[[call("touch", file_name="a")], tweet]], [kept], **both).outcome == "pass"


@pytest.mark.parametrize(
    ("text", "profile", "errors"),
    [
        ("[GorillaFileSystem.cat(file_name='notes.txt')]", FAIR, False),
        ("[MathAPI.cat(file_name='notes.txt')]", FAIR, True),
        ("[GorillaFileSystem.cat(file_name='notes.txt')]", "fair-1+names=official", True),
    ],
)
def test_a_class_before_a_name_has_to_offer_it(judge, text, profile, errors):
    verdict = judge(
        [[text]], [["cat(file_name='notes.txt')"]], classes=BOTH, decoder="python", profile=profile
    )
    assert verdict.outcome == ("fail" if errors else "pass")
