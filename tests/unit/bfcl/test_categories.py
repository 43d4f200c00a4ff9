from __future__ import annotations

from pathlib import Path

import pytest

from faircall.bfcl.categories import CATEGORIES, FileName, Group, Kind, parse_file_name


def test_the_counts_add_up() -> None:
    def total(*groups: Group) -> int:
        return sum(category.entries for category in CATEGORIES.values() if category.group in groups)

    assert total(Group.NON_LIVE) == 1390
    assert total(Group.LIVE) == 2251
    assert total(Group.NON_LIVE, Group.LIVE) == 3641
    assert total(Group.MULTI_TURN) == 800
    assert total(Group.AGENTIC) == 665
    assert len(CATEGORIES) == 23


def test_every_category_is_found_by_its_whole_file_name_alone() -> None:
    for name in CATEGORIES:
        for role in ("result", "score"):
            found = parse_file_name(f"BFCL_v4_{name}_{role}.json")
            assert found == FileName(name, role, 4)
            assert found.known is CATEGORIES[name]


@pytest.mark.parametrize(
    ("name", "category", "role", "version", "exact"),
    [
        ("BFCL_v4_irrelevance_result.json.gz", "irrelevance", "result", 4, True),
        ("BFCL_v4_irrelevance_result.jsonl", "irrelevance", "result", 4, True),
        ("BFCL_v4_irrelevance_score.reduced.json", "irrelevance", "score", 4, False),
        ("BFCL_v4_irrelevance_result (1).json", "irrelevance", "result", 4, False),
        ("BFCL_v3_simple_result.json", "simple", "result", 3, True),
        ("gorilla_openfunctions_v1_test_simple_result.json", "simple", "result", 1, True),
    ],
)
def test_neighbouring_names_are_recognised(
    name: str, category: str, role: str, version: int, exact: bool
) -> None:
    assert parse_file_name(name) == FileName(category, role, version, exact)


@pytest.mark.parametrize(
    "name",
    [
        "irrelevance_result.json",
        "BFCL_v4_irrelevance.json",
        "BFCL_v4_irrelevance_result.csv",
        "BFCL_v4__result.json",
        "BFCL_v٤_irrelevance_result.json",
        "._BFCL_v4_irrelevance_result.json",
        "data_overall.csv",
    ],
)
def test_other_names_say_nothing(name: str) -> None:
    assert parse_file_name(name) is None


def test_only_version_4_has_known_categories() -> None:
    for name in ("BFCL_v3_irrelevance_result.json", "BFCL_v4_exec_simple_result.json"):
        found = parse_file_name(name)
        assert found is not None
        assert found.known is None


def test_memory_prerequisites_are_told_from_memory() -> None:
    found = parse_file_name("BFCL_v4_memory_kv_prereq_result.json")
    assert found is not None
    assert found.prerequisite
    assert found.known is None
    plain = parse_file_name("BFCL_v4_memory_kv_result.json")
    assert plain is not None
    assert not plain.prerequisite


def test_facts_that_scoring_relies_on() -> None:
    assert {name for name, category in CATEGORIES.items() if not category.has_answers} == {
        "irrelevance",
        "live_irrelevance",
        "live_relevance",
    }
    assert [name for name, category in CATEGORIES.items() if category.wants_call is False] == [
        "irrelevance",
        "live_irrelevance",
    ]
    assert CATEGORIES["live_relevance"].wants_call is True
    assert CATEGORIES["memory_kv"].wants_call is None
    assert CATEGORIES["simple_java"].language == "java"
    assert CATEGORIES["memory_rec_sum"].folder == "agentic/memory/rec_sum"
    assert CATEGORIES["web_search_base"].folder == "agentic"
    assert CATEGORIES["web_search_base"].stem == "web_search"
    assert CATEGORIES["multiple"].stem == "multiple"
    assert CATEGORIES["live_parallel_multiple"].kind is Kind.PARALLEL_MULTIPLE


def test_the_documented_table_is_the_one_in_use() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "data.md").read_text("utf-8")
    for name, category in CATEGORIES.items():
        assert f"| `{category.group}` | `{name}` | {category.entries:,} |" in page
