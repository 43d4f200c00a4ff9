from __future__ import annotations

import pytest

from faircall.decoding.limits import MAX_CALLS, LiteralError
from faircall.decoding.python_calls import read_calls
from faircall.types import Call, Reason


def failure(text, **options):
    with pytest.raises(LiteralError) as failed:
        read_calls(text, **options)
    return failed.value


def test_an_explicit_empty_list_is_no_calls():
    for text in ("[]", "()", "[()]", "[[], ()]", " [ ] "):
        assert read_calls(text) == ()


def test_offered_names_that_are_no_identifiers():
    names = {"get-weather", "get-weather-now", "3d.print", "a/b"}
    assert read_calls("[get-weather-now(x=1), 3d.print(), a/b()]", names=names) == (
        Call("get-weather-now", {"x": 1}),
        Call("3d.print"),
        Call("a/b"),
    )


def test_fences_are_not_its_business():
    assert failure("```\n[f()]\n```").position == 0


def test_calls_followed_by_text_are_sound_but_wrapped():
    failed = failure("f(x=1)\nIt works.")
    assert (failed.reason, failed.position) == (Reason.WRAPPED_CALL, 7)


def test_calls_followed_by_a_broken_call_are_broken():
    failed = failure("f(x=1)\ng(x=)")
    assert (failed.reason, failed.position) == (Reason.SYNTAX_ERROR, 11)


def test_calls_followed_by_half_a_call_are_cut_off():
    assert failure("f(x=1)\ng(x=").truncated


def test_separators():
    two = (Call("f"), Call("g"))
    for text in (
        "f(), g()",
        "f()\ng()",
        "f(); g()",
        "f(),\n g(),",
        "[f(),\ng(),]",
        "(f(), g())",
        "f()\r\n\r\ng()",
    ):
        assert read_calls(text) == two
    assert failure("f() g()").reason is Reason.WRAPPED_CALL
    assert failure("[f() g()]").reason is Reason.SYNTAX_ERROR


def test_too_many_calls():
    assert len(read_calls("[" + "f()," * MAX_CALLS + "]")) == MAX_CALLS
    assert "calls" in failure("[" + "f()," * (MAX_CALLS + 1) + "]").message


def test_star_arguments():
    assert read_calls("f(*[1, 2], **{'a': 3})") == (Call("f", {"a": 3}, (1, 2)),)
    assert failure("f(*xs)").reason is Reason.UNSAFE_EXPRESSION
    assert failure("f(**xs)").reason is Reason.UNSAFE_EXPRESSION


def test_what_is_done_to_a_result_would_have_to_be_run():
    for text in ("f(x=1).g", "f(x=1)[0]", "f(x=1)(2)"):
        assert failure(text).reason is Reason.UNSAFE_EXPRESSION
