from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from faircall.bfcl.layout import Run, discover, discover_scores, model_folder, pair_scores
from faircall.errors import InputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from faircall.problems import Problem


def put(folder: Path, *names: str, role: str = "result") -> Path:
    for name in names:
        file = folder / name.format(f"_{role}.json")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")
    return folder


IRRELEVANCE = "non_live/BFCL_v4_irrelevance{}"
MULTIPLE = "non_live/BFCL_v4_multiple{}"
LIVE_MULTIPLE = "live/BFCL_v4_live_multiple{}"
MEMORY = "agentic/memory/kv/BFCL_v4_memory_kv{}"


def codes(run: Run) -> list[str]:
    return [problem.code for problem in run.problems]


def test_any_part_of_the_tree_will_do(tmp_path: Path) -> None:
    model = put(tmp_path / "project" / "result" / "lab_kite-8B-FC", IRRELEVANCE, LIVE_MULTIPLE, MEMORY)
    put(tmp_path / "project" / "score" / "lab_kite-8B-FC", IRRELEVANCE, role="score")
    whole = ["irrelevance", "live_multiple", "memory_kv"]
    for path, categories in [
        (tmp_path, whole),
        (tmp_path / "project", whole),
        (tmp_path / "project" / "result", whole),
        (model, whole),
        (model / "live", ["live_multiple"]),
        (model / "agentic" / "memory", ["memory_kv"]),
        (model / "agentic" / "memory" / "kv", ["memory_kv"]),
        (model / "live" / "BFCL_v4_live_multiple_result.json", ["live_multiple"]),
    ]:
        (run,) = discover(path)
        assert (run.model, run.label, run.folder) == ("lab_kite-8B-FC", "lab_kite-8B-FC", model)
        assert list(run.files) == categories
        assert run.problems == ()
        assert all(file.is_file() for file in run.files.values())


def test_paths_are_understood_from_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = put(tmp_path / "result" / "kite", IRRELEVANCE)
    monkeypatch.chdir(model / "non_live")
    for path in (".", "..", "BFCL_v4_irrelevance_result.json", "../non_live"):
        assert [run.model for run in discover(path)] == ["kite"]


def test_categories_come_from_whole_names_wherever_the_file_lies(tmp_path: Path) -> None:
    put(
        tmp_path / "kite",
        "multi_turn/BFCL_v4_multiple{}",
        "agentic/BFCL_v4_memory_vector{}",
        "BFCL_v4_parallel{}",
    )
    (run,) = discover(tmp_path)
    assert run.model == "kite"
    assert list(run.files) == ["multiple", "parallel", "memory_vector"]


def test_many_runs_are_told_apart(tmp_path: Path) -> None:
    for date in ("may", "june"):
        put(tmp_path / date / "result" / "kite", IRRELEVANCE)
    put(tmp_path / "june" / "result" / "crow", IRRELEVANCE)
    assert [(run.model, run.label) for run in discover(tmp_path)] == [
        ("crow", "crow"),
        ("kite", "june/result/kite"),
        ("kite", "may/result/kite"),
    ]


def test_a_second_file_for_a_category_is_said(tmp_path: Path) -> None:
    put(tmp_path / "kite", "BFCL_v4_multiple{}", MULTIPLE, "old/non_live/BFCL_v4_multiple{}")
    runs = discover(tmp_path)
    assert [run.model for run in runs] == ["kite", "old"]
    assert runs[0].files["multiple"] == tmp_path / "kite" / "non_live" / "BFCL_v4_multiple_result.json"
    (problem,) = runs[0].problems
    assert problem.code == "duplicate-file"
    assert problem.path == str(tmp_path / "kite" / "BFCL_v4_multiple_result.json")


def test_files_that_are_not_read_are_said(tmp_path: Path) -> None:
    put(
        tmp_path / "kite",
        IRRELEVANCE,
        "non_live/BFCL_v4_exec_simple{}",
        "non_live/BFCL_v3_simple{}",
        "non_live/BFCL_v4_multiple_result (1).json",
        "agentic/memory/kv/BFCL_v4_memory_kv_prereq{}",
        "agentic/memory/kv/memory_snapshot/notes.json",
        ".backup/BFCL_v4_multiple{}",
    )
    said: list[Problem] = []
    put(tmp_path / "kite", "non_live/BFCL_v4_parallel_result.json.bak")
    (run,) = discover(tmp_path, problems=said)
    assert list(run.files) == ["irrelevance"]
    assert sorted(codes(run)) == ["ignored-file", "ignored-file", "other-version", "unknown-category"]
    assert [problem.code for problem in said] == ["ignored-file"]


def test_a_model_with_older_files_alone_is_a_run_without_files(tmp_path: Path) -> None:
    put(tmp_path / "new", IRRELEVANCE)
    put(tmp_path / "old", "BFCL_v3_simple{}")
    new, old = discover(tmp_path)
    assert (new.model, old.model, old.files) == ("new", "old", {})
    assert codes(old) == ["other-version"]


@pytest.mark.parametrize(
    ("names", "role", "what"),
    [
        ((), "result", r"no result file of BFCL v4 here \(BFCL_v4_<category>_result\.json\); for outputs"),
        (("kite/BFCL_v3_simple{}",), "result", "BFCL v3 .*; ids and entries differ between versions: run v4"),
        (("kite/BFCL_v4_exec_simple{}",), "result", "BFCL v4 has no category exec_simple"),
        (("kite/BFCL_v4_irrelevance{}",), "score", "only score files; score files go to --scores"),
    ],
)
def test_where_nothing_can_be_read_one_line_says_why(
    tmp_path: Path, names: tuple[str, ...], role: str, what: str
) -> None:
    put(tmp_path, *names, role=role)
    with pytest.raises(InputError, match=what) as refused:
        discover(tmp_path)
    assert "\n" not in str(refused.value)


def test_one_file_of_another_name_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "answers.json", "BFCL_v3_simple{}", "BFCL_v4_multiple{}")
    with pytest.raises(InputError, match="the name is not that of a result file"):
        discover(tmp_path / "answers.json")
    with pytest.raises(InputError, match="the name is not that of a score file"):
        discover_scores(tmp_path / "BFCL_v4_multiple_result.json")
    with pytest.raises(InputError, match="a file of BFCL v3"):
        discover(tmp_path / "BFCL_v3_simple_result.json")
    with pytest.raises(InputError, match="no such file or folder"):
        discover(tmp_path / "absent")


def test_a_folder_with_a_files_name_is_no_file(tmp_path: Path) -> None:
    put(tmp_path / "kite", IRRELEVANCE)
    (tmp_path / "kite" / "live" / "BFCL_v4_live_multiple_result.json").mkdir(parents=True)
    said: list[Problem] = []
    (run,) = discover(tmp_path, problems=said)
    assert list(run.files) == ["irrelevance"]
    assert [problem.code for problem in said] == ["not-a-file"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    model = put(tmp_path / "store" / "kite", IRRELEVANCE)
    results = tmp_path / "result"
    results.mkdir()
    (results / "linked").symlink_to(model)
    (model / "again").symlink_to(tmp_path)
    (model / "self").symlink_to(model / "self")
    (model / "BFCL_v4_multiple_result.json").symlink_to(tmp_path / "nowhere")
    said: list[Problem] = []
    (run,) = discover(results, problems=said)
    assert run.model == "linked"
    assert {problem.code for problem in said} == {"symlink-loop", "not-a-file"}


def test_a_folder_that_may_not_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "kite", IRRELEVANCE)
    closed = put(tmp_path / "closed", IRRELEVANCE)
    scan = os.scandir

    def refuse(folder: Path) -> object:
        if folder == closed:
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr("faircall.bfcl.layout.os.scandir", refuse)
    said: list[Problem] = []
    assert [run.model for run in discover(tmp_path, problems=said)] == ["kite"]
    assert [problem.code for problem in said] == ["unreadable-folder"]
    with pytest.raises(InputError, match=r"the folder cannot be read \(Permission denied\)"):
        discover(closed)


def test_the_order_of_runs_and_categories_is_stable(tmp_path: Path) -> None:
    for model in ("b", "a", "c"):
        put(tmp_path / model, LIVE_MULTIPLE, MULTIPLE, IRRELEVANCE)
    runs = discover(tmp_path)
    assert [run.model for run in runs] == ["a", "b", "c"]
    assert {tuple(run.files) for run in runs} == {("multiple", "irrelevance", "live_multiple")}


def test_score_files_may_be_shortened_ones(tmp_path: Path) -> None:
    put(tmp_path / "kite", "live/BFCL_v4_live_relevance_score.reduced.json", MULTIPLE, role="score")
    put(tmp_path / "kite", "non_live/BFCL_v4_multiple_score.reduced.json")
    (run,) = discover_scores(tmp_path)
    assert {name: file.name for name, file in run.files.items()} == {
        "multiple": "BFCL_v4_multiple_score.json",
        "live_relevance": "BFCL_v4_live_relevance_score.reduced.json",
    }
    assert codes(run) == ["duplicate-file"]


def test_scores_go_to_the_run_next_to_them(tmp_path: Path) -> None:
    for date in ("may", "june", "july"):
        put(tmp_path / date / "result" / "kite", IRRELEVANCE)
    put(tmp_path / "may" / "score" / "kite", IRRELEVANCE, role="score")
    put(tmp_path / "june" / "score" / "kite", IRRELEVANCE, role="score")
    put(tmp_path / "june" / "score" / "crow", IRRELEVANCE, role="score")
    said: list[Problem] = []
    pairs = pair_scores(discover(tmp_path), discover_scores(tmp_path), problems=said)
    assert {label: run.folder.parts[-3] for label, run in pairs.items()} == {
        "june/result/kite": "june",
        "may/result/kite": "may",
    }
    assert [problem.code for problem in said] == ["unpaired-scores"]
    assert "1 folder of scores without exactly one run: crow" in said[0].message


def test_scores_that_lie_elsewhere_go_to_the_only_run_of_their_model(tmp_path: Path) -> None:
    put(tmp_path / "mine" / "kite", IRRELEVANCE)
    put(tmp_path / "theirs" / "scores" / "kite", IRRELEVANCE, role="score")
    pairs = pair_scores(discover(tmp_path / "mine"), discover_scores(tmp_path / "theirs"))
    assert list(pairs) == ["kite"]


def test_scores_that_fit_two_runs_equally_are_left_out(tmp_path: Path) -> None:
    for date in ("may", "june"):
        put(tmp_path / date / "result" / "kite", IRRELEVANCE)
    put(tmp_path / "score" / "kite", IRRELEVANCE, role="score")
    said: list[Problem] = []
    assert pair_scores(discover(tmp_path), discover_scores(tmp_path), problems=said) == {}
    assert [problem.code for problem in said] == ["unpaired-scores"]


def test_a_models_folder_is_named_after_it() -> None:
    assert model_folder("lab/kite_8B-FC") == "lab_kite_8B-FC"


@pytest.mark.parametrize(("look", "role"), [(discover, "result"), (discover_scores, "score")])
@pytest.mark.parametrize("name", ["gone", "x" * 5000, "nul\0"])
def test_a_path_that_is_not_there_says_what_to_pass(tmp_path, look, role, name):
    with pytest.raises(InputError) as refused:
        look(tmp_path / name)
    assert f"BFCL_v4_<category>_{role}.json" in refused.value.hint
    assert str(refused.value).isprintable()


def test_several_paths_make_one_list_of_runs(tmp_path: Path) -> None:
    for folder in ("may", "june"):
        put(tmp_path / folder / "kite", IRRELEVANCE, LIVE_MULTIPLE)
    runs = discover([tmp_path / "may", tmp_path / "june"])
    assert [run.label for run in runs] == ["may/kite", "june/kite"]
    groups = discover([tmp_path / "may" / "kite" / "live", tmp_path / "may" / "kite" / "non_live"])
    assert [list(run.files) for run in groups] == [["irrelevance", "live_multiple"]]


def test_a_file_that_two_paths_lead_to_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "may" / "kite", IRRELEVANCE)
    (tmp_path / "link").symlink_to(tmp_path / "may")
    for again in ("may", "may/kite", "link"):
        with pytest.raises(UsageError, match="lead to the same results"):
            discover([tmp_path / "may", tmp_path / again])
