from __future__ import annotations

import json
import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.errors import InputError
from faircall.jsontext import MAX_DEPTH, MAX_DIGITS, is_cut_off, parse_fast, parse_json, parse_slowly

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters(codec=None, exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def same(left: object, right: object) -> bool:
    return repr(left) == repr(right)  # tells 1 from 1.0 and True, and lets NaN equal itself


@settings(deadline=None)
@given(VALUES, st.booleans())
def test_what_python_writes_comes_back(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert same(parse_json(text), json.loads(text))
    assert same(parse_slowly(text, set()), json.loads(text))


@settings(deadline=None)
@given(VALUES)
def test_the_fast_parser_agrees_with_the_slow_one_wherever_it_answers(value: object) -> None:
    text = json.dumps(value)
    try:
        fast = parse_fast(text.encode())
    except msgspec.DecodeError:
        return
    assert same(fast, parse_slowly(text, set()))


@settings(deadline=None)
@given(st.text(alphabet='{}[]",:0123456789.eE+-\\untrfalsNI ', max_size=12))
def test_both_parsers_refuse_the_same_texts(text: str) -> None:
    try:
        expected = json.loads(text)
    except json.JSONDecodeError:
        with pytest.raises(InputError):
            parse_json(text)
        with pytest.raises(msgspec.DecodeError):
            parse_fast(text)
    else:
        assert same(parse_json(text), expected)


@settings(deadline=None)
@given(st.dictionaries(st.text(), VALUES, min_size=1), st.data())
def test_every_beginning_of_an_object_is_cut_off(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    part = text[: data.draw(st.integers(1, len(text) - 1))]
    with pytest.raises(json.JSONDecodeError) as refused:
        json.loads(part)
    assert is_cut_off(refused.value)


@pytest.mark.parametrize(
    "text",
    ['{"a": b', '{"a" 1', "{a", '{"a": 1 2', '{"a": "\\q', '{"a": "\\u00"}', '{"a": tru}', '{"a":: 1', "{]"],
)
def test_a_broken_object_is_not_cut_off(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        json.loads(text)
    assert not is_cut_off(refused.value)


@pytest.mark.parametrize(
    ("text", "oddity"),
    [
        ("[NaN]", "non-finite-number"),
        ("[-Infinity]", "non-finite-number"),
        ("[1e999]", "non-finite-number"),
        ("9" * (MAX_DIGITS + 1), "long-number"),
        ('["\\ud83d"]', "lone-surrogate"),
        ('{"\\udc00": 1}', "lone-surrogate"),
        ('{"a": {"b": 1, "b": 2}}', "duplicate-keys"),
    ],
)
def test_oddities_are_named(text: str, oddity: str) -> None:
    oddities: set[str] = set()
    value = parse_slowly(text, oddities)
    assert oddities == {oddity}
    assert same(value, parse_json(text))


def test_numbers_keep_their_value() -> None:
    assert parse_json("1" + "0" * 40) == 10**40
    assert parse_json("-" + "9" * MAX_DIGITS) == -int("9" * MAX_DIGITS)
    assert parse_json("-" + "9" * (MAX_DIGITS + 1)) == -math.inf
    assert parse_json('["\\ud83d\\ude00"]') == ["\U0001f600"]


def test_depth_is_bounded_at_the_same_level_for_both_parsers() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert same(parse_fast(deepest), parse_slowly(deepest, set()))
    for depth in (MAX_DEPTH + 1, 50_000):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            text = opening * depth + "1" + closing * depth
            for parse in (parse_json, parse_fast, lambda text: parse_slowly(text, set())):
                with pytest.raises(InputError, match="nested deeper than 256 levels"):
                    parse(text)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert len(parse_json("[" + "[]," * 1000 + "{}]")) == 1001


def test_bytes_that_are_not_utf8_are_refused_with_their_place() -> None:
    with pytest.raises(InputError, match="not UTF-8 at byte 2"):
        parse_json(b'["\xff"]')


def test_the_complaint_names_the_character() -> None:
    with pytest.raises(InputError, match="not JSON: expecting value at character 5"):
        parse_json('{"a":}')
    with pytest.raises(InputError, match="a NUL byte at character 1"):
        parse_json("[\x00]")
