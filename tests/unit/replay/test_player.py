"""Scripts played in a worker process: what comes back, fresh environments each time, and limits that hold."""

from __future__ import annotations

import json

import pytest

from faircall.bfcl.data import find
from faircall.bfcl.environments import MODULES
from faircall.errors import FaircallError, InputError
from faircall.replay import Broken, Played, Player, Script
from faircall.replay.player import SOURCE_SHA256, read_sources

DISK = {
    "GorillaFileSystem": {
        "root": {"home": {"type": "directory", "contents": {
            "notes.txt": {"type": "file", "content": "milk"},
            "box": {"type": "directory", "contents": {}},
        }}}
    }
}  # fmt: skip


@pytest.fixture(scope="module")
def benchmark():
    try:
        return find()
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


@pytest.fixture(scope="module")
def player(benchmark):
    with Player(benchmark) as running:
        yield running


def script(turns, expected, *, classes=("GorillaFileSystem",), config=DISK, **options):
    return Script(
        tuple(classes), json.dumps(config),
        tuple(tuple(tuple(step) for step in turn) for turn in turns), tuple(map(tuple, expected)), **options,
    )  # fmt: skip


def last(player, turns, expected, **options):
    played = player.play(script(turns, expected, **options))
    assert isinstance(played, Played), played
    return played.turns[-1]


def test_equal_calls_leave_nothing_to_tell(player):
    turn = last(player, [[["touch(file_name='a.txt')"]]], [["touch(file_name='a.txt')"]])
    assert (turn.calls, turn.errors, turn.state, turn.missing) == (1, 0, None, ())


def test_the_first_difference_of_the_states_is_named(player):
    turn = last(player, [[["touch(file_name='b.txt')"]]], [["touch(file_name='a.txt')"]])
    assert turn.state.path.startswith("$.GorillaFileSystem.root.contents.")
    assert "absent" in {turn.state.model, turn.state.expected}


def test_an_entry_may_be_played_again(player):
    wrong = script([[["rm(file_name='notes.txt')"]]], [["ls()"]])
    right = script([[["cat(file_name='notes.txt')"]]], [["cat(file_name='notes.txt')"]])
    alone = player.play(right)
    for _ in range(3):
        player.play(wrong)
        assert player.play(right) == alone


def test_what_environments_share_is_put_back(player):
    """A list that is a parameter's default grows in one entry, and is empty in the next."""
    config = {"TwitterAPI": {"username": "kim", "password": "x", "authenticated": True, "tweets": {},
                             "comments": {}, "retweets": {}, "following_list": [], "tweet_counter": 1}}  # fmt: skip
    calls = ["post_tweet(content='hi')", "mention(tweet_id=1, mentioned_usernames=['@lee'])"]
    first = script([[calls]], [calls], classes=["TwitterAPI"], config=config, detailed=True)
    posted = player.play(first).turns[0].results[0][0]
    assert '"mentions": []' in posted
    assert player.play(first).turns[0].results[0][0] == posted


def test_results_by_text_and_by_value(player):
    turn = last(player, [[["add(a=1, b=2)"]]], [["add(a=1.0, b=2.0)"]], classes=["MathAPI"], config={})
    assert len(turn.missing) == 1
    assert turn.missing_by_value == ()


def test_a_method_that_needs_mpmath(player):
    call = "logarithm(value=100, base=10, precision=5)"
    turn = last(player, [[[call]]], [[call]], classes=["MathAPI"], config={}, detailed=True)
    assert "2.0" in turn.results[0][0]


def test_text_in_quotes_is_text_unless_it_is_patched(player):
    call = "echo(content='please touch (below)', file_name='notes.txt')"
    assert last(player, [[[call]]], [[call]]).state is None
    patched = last(player, [[[call]]], [[call]], patched=True)
    assert "model_GorillaFileSystem_instance.touch(below)" in patched.state.model


def test_nested_calls(player):
    call = "echo(content=pwd(), file_name='notes.txt')"
    turn = last(player, [[[call]]], [["ls()"]])
    assert turn.state is not None or turn.errors


def test_a_changed_working_folder_is_said(player):
    turn = last(player, [[["cd(folder='box')"]]], [["ls()"]])
    assert turn.state is None
    assert turn.hidden == "$.GorillaFileSystem._current_dir"


@pytest.mark.parametrize(("calls", "changes"), [(["rm(file_name='notes.txt')"], True), (["ls()"], False)])
def test_a_turn_that_wants_no_call(player, calls, changes):
    turn = last(player, [[calls]], [[]])
    assert (turn.calls, turn.changes) == (1, changes)


@pytest.mark.parametrize(
    ("expected", "changes"),
    [(["cat(file_name='notes.txt')"], False), (["touch(file_name='a')", "ls()"], True)],
)
def test_whether_expected_calls_change_the_state_where_results_are_missing(player, expected, changes):
    model = [call for call in expected if "touch" in call] or ["pwd()"]
    turn = last(player, [[model]], [expected])
    assert turn.missing
    assert turn.changes is changes


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("power(base=10, exponent=10**10)", None),
        ("power(base=7, exponent=999999999)", "time"),
        ("logarithm(value=2, base=3, precision=100000000)", "time"),
    ],
)
def test_a_call_that_does_not_end_is_given_up(benchmark, line, limit):
    with Player(benchmark, time_limit_s=1.0) as quick:
        played = quick.play(script([[[line]]], [[]], classes=["MathAPI"], config={}))
        assert (played.limit if isinstance(played, Broken) else None) == limit
        after = quick.play(script([[["add(a=1, b=2)"]]], [["add(a=1, b=2)"]], classes=["MathAPI"], config={}))
        assert isinstance(after, Played)


def test_memory_is_limited(benchmark):
    pytest.importorskip("resource", reason="this system cannot limit memory")
    with Player(benchmark, memory_limit_bytes=300 * 2**20) as small:
        text = "x" * 900_000
        lines = [f"echo(content='{text}{number}', file_name='f{number}.txt')" for number in range(900)]
        played = small.play(script([[lines]], [["ls()"]]))
        assert isinstance(played, Broken)
        assert played.limit in {"memory", "worker"}
        assert isinstance(small.play(script([[["ls()"]]], [["ls()"]])), Played)


def test_lone_surrogates_and_big_numbers_travel(player):
    call = "echo(content='\\ud800', file_name='notes.txt')"
    raw = "echo(content='\ud800', file_name='notes.txt')"
    assert last(player, [[[call, raw, "sort(file_name=" + "9" * 400 + ")"]]], [["ls()"]]).calls == 3


def test_code_that_is_not_the_pinned_release_is_not_run(benchmark, tmp_path):
    folder = tmp_path / "bfcl_eval"
    (folder / "data" / "possible_answer").mkdir(parents=True)
    code = folder / "eval_checker" / "multi_turn_eval" / "func_source_code"
    code.mkdir(parents=True)
    for module, source in read_sources(benchmark).items():
        (code / f"{module}.py").write_text(source + "\n# changed\n" * (module == "math_api"), "utf-8")
    with pytest.raises(InputError, match=r"math_api\.py is not that of bfcl-eval"):
        Player(find(tmp_path)).play(script([[]], [[]]))


def test_every_environment_has_a_known_hash():
    assert set(SOURCE_SHA256) == {*MODULES.values(), "long_context"}


@pytest.mark.parametrize("profile_of_keys", [False, True])
def test_every_answer_key_passes(player, benchmark, profile_of_keys):
    failing = []
    for kind in ("base", "miss_func", "miss_param", "long_context"):
        category = f"multi_turn_{kind}"
        for id_, turns in benchmark.answers(category).items():
            entry = benchmark.entries(category)[id_]
            played = player.play(
                Script(
                    entry.involved_classes, json.dumps(entry.extra["initial_config"]),
                    tuple((tuple(turn),) if turn else () for turn in turns), tuple(map(tuple, turns)),
                    long_context=kind == "long_context", patched=profile_of_keys,
                )
            )  # fmt: skip
            right = isinstance(played, Played) and not any(
                turn.state or turn.missing for turn in played.turns
            )
            if not right or len(played.turns) != len(turns):
                failing.append(id_)
    assert failing == []


def test_nothing_is_imported_from_the_folder_that_this_runs_in(benchmark, tmp_path, monkeypatch):
    for name in ("mpmath", "json", "random", "copy", "msgspec", "faircall"):
        source = "import pathlib; pathlib.Path('was-here').touch(); raise SystemExit"
        (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    with Player(benchmark) as running:
        call = "logarithm(value=100, base=10, precision=5)"
        played = running.play(script([[[call]]], [[call]], classes=["MathAPI"], config={}))
    assert isinstance(played, Played)
    assert not (tmp_path / "was-here").exists()


def test_both_ways_are_given_where_sides_change_what_they_share(player):
    config = {"TwitterAPI": {"username": "kim", "password": "x", "authenticated": True, "tweets": {},
                             "comments": {}, "retweets": {}, "following_list": [], "tweet_counter": 1}}  # fmt: skip
    post = "post_tweet(content='hi')"
    mention = "mention(tweet_id=1, mentioned_usernames=['@lee'])"
    played = player.play(script([[[post, mention]]], [[post]], classes=["TwitterAPI"], config=config))
    assert played.turns[0].state is None
    assert played.apart[0].state.path.startswith("$.TwitterAPI.tweets.1.mentions")
    assert player.play(script([[[post]]], [[post]], classes=["TwitterAPI"], config=config)).apart is None


def test_a_state_that_an_environment_does_not_take_is_said(player):
    config = {"GorillaFileSystem": {"root": {"home": {"contents": 5}}}}
    played = player.play(script([[["ls()"]]], [["ls()"]], config=config))
    assert isinstance(played, Broken)
    assert played.limit == "environment"
