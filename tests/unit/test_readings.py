from __future__ import annotations

import pytest

from faircall.canonical.readings import describes_label, names_label, tells_apart


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("rubyVersion", True), ("lib_version", True), ("minversion", True), ("VERSIONS", True), ("osVer", True),
        ("target-release", True), ("orderId", True), ("IDs", True), ("sha256", True), ("postal_code", True),
        ("unitConversion", False), ("inversions", False), ("versatile", False), ("release_date", False),
        ("code_length", False), ("idle", False), ("price", False), ("", False), ("12", False),
    ],
)  # fmt: skip
def test_names(name, label):
    assert names_label(name) is label


@pytest.mark.parametrize(
    ("description", "label"),
    [
        ("Version of the tool", True), ("The Ruby version to use", True), ("version", True), ("The order id", True),
        ("Commit hash, in full", True), ("The total in the latest version", False), ("Price", False), ("", False),
        ("Whether to keep the code", False), ("A rate of conversion", False),
    ],
)  # fmt: skip
def test_descriptions(description, label):
    assert describes_label(description) is label


@pytest.mark.parametrize(
    ("members", "apart"),
    [
        (["C", "C-"], True), (["1", "1.0"], True), (["x", "X"], True), (["2.2", "2.20", "3"], True),
        (["a b", "a-b"], True), (["red", "blue"], False), ([1, 1.0], False), (["1", 1], False), ([], False),
    ],
)  # fmt: skip
def test_members(members, apart):
    assert tells_apart(members) is apart
