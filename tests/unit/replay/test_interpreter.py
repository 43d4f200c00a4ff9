"""Lines are parsed and dispatched; what is no call of a known method with literals is an error, and nothing runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.replay.interpreter import play_call


class Shop:
    def __init__(self):
        self.made = []

    def order(self, item, count=1, **more):
        self.made.append((item, count, more))
        return {"item": item, "count": count}

    def price(self, item):
        return {"price": 2.5}

    def name(self):
        return "shop"

    def fail(self):
        raise KeyError("none")


@pytest.fixture
def shop():
    return Shop()


def methods_of(shop):
    return {name: getattr(shop, name) for name in ("order", "price", "name", "fail")}


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("order('tea')", ("tea", 1, {})),
        ("order(item='tea', count=-2)", ("tea", -2, {})),
        (" \torder('tea')", ("tea", 1, {})),
        (
            "order(item=['a', ('b', 1.5), {'c': None, 'd': True}])",
            (["a", ("b", 1.5), {"c": None, "d": True}], 1, {}),
        ),
        ("order(item=price(item='tea'))", ({"price": 2.5}, 1, {})),
        ("order('tea', **{'gift-wrap': 1})", ("tea", 1, {"gift-wrap": 1})),
        ("order(1+2j)", (1 + 2j, 1, {})),
        ("order('please price (below)')", ("please price (below)", 1, {})),
    ],
)
def test_what_a_line_calls(shop, line, made):
    result, failed = play_call(line, methods_of(shop))
    assert not failed, result
    assert shop.made == [made]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "order",
        "order(",
        "order('tea'); order('tea')",
        "order(x)",
        "order(nan)",
        "order(1 + 1)",
        "order('a' * 10**9)",
        "order([x for x in range(3)])",
        "order(lambda: 1)",
        "order(f'{1}')",
        "order('a' if True else 'b')",
        "order(item=open('/etc/passwd'))",
        "order(*[1])",
        "order({**{}})",
        "order(count=1, count=2)",
        "order(item='tea').made",
        "order(item='tea')()",
        "order.__globals__['x']()",
        "order.__call__('tea')",
        "self.order('tea')",
        "made()",
        "_order('tea')",
        "__import__('os').system('x')",
        "().__class__.__base__.__subclasses__()",
        "getattr(order, '__globals__')",
        "print('x')",
        "exit()",
        "eval('1')",
        "(lambda: order('tea'))()",
        "(order)('tea') or order('tea')",
        "order(" * 500,
        "order(" + "[" * 300 + "]" * 300 + ")",
        "order(9" + "9" * 5000 + ")",
        "order('\x00')\x00",
        "order(item=price(x))",
    ],
)
def test_what_no_line_can_do(shop, line):
    result, failed = play_call(line, methods_of(shop))
    assert failed
    assert result.startswith("Error during execution: ")
    assert shop.made == []


def test_results_are_written_as_the_released_tool_writes_them():
    written = {
        "a": lambda: "plain",
        "b": lambda: {"x": 1.0, "y": "é"},
        "c": lambda: {"x": {1}},
        "d": lambda: [1, "a"],
        "e": lambda: None,
    }
    assert [play_call(f"{name}()", written)[0] for name in written] == [
        "plain", '{"x": 1.0, "y": "\\u00e9"}', "{'x': {1}}", "[1, 'a']", "None",
    ]  # fmt: skip


def test_an_exception_of_a_method_is_a_result(shop):
    assert play_call("fail()", methods_of(shop)) == ("Error during execution: 'none'", True)
    assert play_call("order()", methods_of(shop))[1]


def test_endless_recursion_is_a_limit_and_no_result():
    def deeper():
        return deeper()

    with pytest.raises(RecursionError):
        play_call("deeper()", {"deeper": deeper})


@given(st.text(max_size=80))
def test_no_text_does_more_than_call_what_is_there(line):
    shop = Shop()
    result, _ = play_call(line, methods_of(shop))
    assert isinstance(result, str)
    assert all(type(item) in {str, int, float, bool, type(None), bytes, complex, list, tuple, dict, set}
               or item is Ellipsis for item, _, _ in shop.made)  # fmt: skip


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_VALUES)
def test_every_json_value_comes_through_as_it_is(value):
    seen = []

    def take(value):
        seen.append(value)

    result, failed = play_call(f"take(value={value!r})", {"take": take})
    if any("\ud800" <= sign <= "\udfff" for sign in repr(value)):
        return
    assert not failed, result
    assert repr(seen) == repr([value])
