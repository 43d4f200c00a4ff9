from __future__ import annotations

import pytest

from faircall.decoding.fences import find_fences, whole_fence


def bodies(text):
    return [(fence.language, text[fence.body_start : fence.body_end]) for fence in find_fences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```json\n[1]\n```", [("json", "[1]\n")]),
        ("```\n[1]\n```", [("", "[1]\n")]),
        ("```JSON\r\n[1]\r\n```", [("json", "[1]\r\n")]),
        ("```[1]```", [("", "[1]")]),
        ("```json [1]```", [("json", " [1]")]),
        ("a\n```x\n1\n```\nb\n```y\n2\n```", [("x", "1\n"), ("y", "2\n")]),
        ("```python\nf(x='```', y=1)\n```", [("python", "f(x='```', y=1)\n")]),
        ("```python\nf(", [("python", "f(")]),
        ("```python\nf()\n`", [("python", "f()\n")]),
        ("```", [("", "")]),
        ("no fence `here`", []),
    ],
)
def test_fences(text, expected):
    assert bodies(text) == expected


def test_a_whole_fence_is_all_of_the_text():
    assert whole_fence("```\n[]\n```  ", 0, 12) is not None
    assert whole_fence("```\n[]\n``` so", 0, 13) is None
    assert whole_fence("so ```\n[]\n```", 0, 13) is None
    assert whole_fence("xx```\n[]\n```", 2, 12).body_start == 6
