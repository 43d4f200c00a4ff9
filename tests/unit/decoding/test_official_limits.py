"""Any text gets an answer, and soon: no exception, no warning, no crash, no long wait."""

from __future__ import annotations

import time

import pytest

from faircall.decoding.official import decode_official
from faircall.decoding.table import DECODERS

MANY = 50_000
HOSTILE = {
    **{f"many {sign}": sign * MANY for sign in "[({<\"'`\\"},
    "closed brackets": "[" * MANY + "]" * MANY,
    "open calls": "pay(a=" * MANY,
    "open objects": '{"a":' * MANY,
    "objects without an end": "[" + "{}," * MANY,
    "digits": f"pay(a={'9' * 5_000})",
    "hexadecimal digits": f"pay(a=0x{'f' * 5_000})",
    "digits in JSON": f'[{{"name": "pay", "arguments": {{"a": {"9" * 5_000}}}}}]',
    "tower of powers": "pay(a=9 ** 9 ** 9 ** 9)",
    "shift": "pay(a=1 << 10 ** 9)",
    "repetition": "pay(a=[[[0] * 1000] * 1000] * 1000)",
    "repetitions": "pay(" + ", ".join(f"a{n}='x' * 99999" for n in range(3_000)) + ")",
    "format": "pay(a='%1000000000d' % 5)",
    "long sum": "pay(a=" + "1+" * MANY + "1)",
    "signs": "pay(a=" + "-" * MANY + "1)",
    "lambdas": "pay(a=" + "lambda:" * MANY + "1)",
    "dots": "a." * MANY + "pay(x=1)",
    "ternaries": "pay(a=" + "b?c:" * MANY + "d)",
    "NUL": "pay(a='\0')",
    "half a pair": "pay(a='\ud800')",
    "escapes that warn": r"pay(a='\d\q', b=1if 1else 2)",
    "tags": "<tool_call>\n" * MANY,
    "elements": "<functions>" * MANY,
    "nested elements": "<functions>" + "<a>" * MANY + "</a>" * MANY + "</functions>",
    "nested lists of FunctionGemma": "<start_function_call>call:f" + "{a:[" * MANY + "<end_function_call>",
    "lines": "\n" * MANY + "pay(",
    "quotes": '"\\' * MANY,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text(text: str) -> None:
    for name in DECODERS:
        begin = time.perf_counter()
        decoded = decode_official(text, name)
        elapsed = time.perf_counter() - begin
        assert elapsed < 5, name
        assert decoded.error is None or 0 <= decoded.error.position <= len(text)
        repr(decoded.value)  # printable: neither too deep nor too many digits


@pytest.mark.parametrize(
    "output",
    [
        None,
        1,
        True,
        1.5,
        {},
        [],
        [[]],
        [None],
        [{}],
        [{"a": None}],
        [{"a": "{"}],
        ["x"],
        [{"name": "f"}],
        {"a": "b"},
    ],
)
def test_stored_values_of_every_shape(output: object) -> None:
    for name in DECODERS:
        decode_official(output, name)
