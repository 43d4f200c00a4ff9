from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.scores import PublishedScore, read_scores
from faircall.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = [f"multiple_{number}" for number in range(5)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "BFCL_v4_multiple_score.json"


def summary(correct: object, total: object, accuracy: object = None) -> dict[str, object]:
    if accuracy is None and isinstance(correct, int) and isinstance(total, int):
        accuracy = correct / total if total else 0.0
    return {"accuracy": accuracy, "correct_count": correct, "total_count": total}


def read(file: Path, *objects: dict[str, object], known: list[str] | None = None) -> PublishedScore:
    file.write_text("".join(json.dumps(item) + "\n" for item in objects), "utf-8")
    return read_scores(file, known)


def codes(score: PublishedScore) -> list[str]:
    return [problem.code for problem in score.problems]


def test_the_credited_are_those_that_are_not_listed(file: Path) -> None:
    score = read(
        file,
        summary(3, 5),
        {"id": "multiple_1", "error_type": "value_error:string", "error": ["…"]},
        {"id": "multiple_4", "error": {"error_type": "multi_turn:state", "error_message": "…"}},
        known=KNOWN,
    )
    assert (score.correct, score.n) == (3, 5)
    assert score.wrong_ids == {"multiple_1", "multiple_4"}
    assert score.credited(KNOWN) == {"multiple_0", "multiple_2", "multiple_3"}
    assert score.error_types == {"multiple_1": "value_error:string", "multiple_4": "multi_turn:state"}
    assert score.problems == ()


def test_a_perfect_score_lists_nobody(file: Path) -> None:
    score = read(file, summary(5, 5))
    assert score.wrong_ids == frozenset()
    assert score.credited(KNOWN) == set(KNOWN)


def test_of_a_shortened_file_only_the_counts_are_known(file: Path) -> None:
    score = read(file, summary(1, 5), {"id": "multiple_1"}, known=KNOWN)
    assert (score.correct, score.n, score.wrong_ids) == (1, 5, None)
    assert score.listed_ids == {"multiple_1"}
    assert score.credited(KNOWN) is None
    assert codes(score) == ["reduced-score"]
    assert score.problems[0].message == "1 of 4 wrong entries are listed; only the counts are known"


@pytest.mark.parametrize(
    "objects",
    [
        (summary(5, 5), {"id": "multiple_0"}),
        (summary(6, 5),),
        (summary(4, 5, 0.9), {"id": "multiple_0"}),
    ],
)
def test_a_summary_that_contradicts_the_list_is_said(
    file: Path, objects: tuple[dict[str, object], ...]
) -> None:
    assert "contradictory-score" in codes(read(file, *objects))


def test_rounded_accuracies_and_counts_as_floats_are_no_contradiction(file: Path) -> None:
    assert codes(read(file, summary(2.0, 3.0, 0.6667), {"id": "multiple_0"})) == []


def test_an_entry_listed_twice_counts_once(file: Path) -> None:
    score = read(file, summary(4, 5), {"id": "multiple_0"}, {"id": "multiple_0"})
    assert score.wrong_ids == {"multiple_0"}
    assert codes(score) == ["duplicate-ids"]


def test_what_does_not_belong_to_the_category_is_said(file: Path) -> None:
    score = read(file, summary(2, 4), {"id": "multiple_0"}, {"id": "parallel_0"}, known=KNOWN)
    assert codes(score) == ["unknown-ids", "partial-score"]
    assert score.problems[1].message == "the summary is over 4 entries, the category has 5"


def test_wrong_entries_without_ids_leave_only_the_counts(file: Path) -> None:
    score = read(file, summary(4, 5), {"index": 3})
    assert score.wrong_ids is None
    assert codes(score) == ["no-id", "reduced-score"]


@pytest.mark.parametrize(
    "first",
    [{"id": "multiple_0"}, summary("3", 5), summary(True, 5), summary(3, None), summary(-1, 5), {}],
)
def test_a_file_without_a_summary_is_refused(file: Path, first: dict[str, object]) -> None:
    with pytest.raises(
        InputError, match=r"score\.json:1: the first object .* has no `(correct|total)_count`"
    ):
        read(file, first, {"id": "multiple_1"})


def test_an_empty_file_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match="the score file is empty"):
        read(file)


def test_a_score_over_no_entries_has_no_accuracy_to_contradict(file: Path) -> None:
    assert codes(read(file, summary(0, 0, 0.0))) == []


def test_a_summary_cut_off_in_its_list_says_so(file: Path) -> None:
    file.write_text(json.dumps(summary(3, 5)) + '\n{"id": "multiple_1"}\n{"id": "mult', "utf-8")
    score = read_scores(file)
    assert score.wrong_ids is None
    assert codes(score) == ["truncated-last-line", "reduced-score"]
