"""Runs compared: from verdicts made up here, and from small result files that are scored."""

from __future__ import annotations

import json
import re

import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from faircall import compare, score
from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.comparing import Comparison
from faircall.composition import load_recipe
from faircall.errors import FaircallError, InputError, UsageError
from faircall.report.comparisons import render_comparison
from faircall.rows import dump_json
from faircall.verdicts import sign_verdicts, writing_verdicts

SIGNATURE = "bench:bfcl-v4|data:2026.3.23#3bb6dfa5|profile:fair-1|decoder:auto|n:9|void:0|ci:wilson95|v:0.1.0"
REASONS = {"p": ("pass", "decoded"), "f": ("fail", "wrong-value"), "v": ("void", "harness-error")}
REASONS |= {"m": ("void", "missing")}


def write(path, runs, *, signature=SIGNATURE):
    """Write verdicts: of each run, by category, one of the letters of REASONS for each entry."""
    with writing_verdicts(path) as stream:
        for model, categories in runs.items():
            for category, letters in categories.items():
                for number, letter in enumerate(letters):
                    outcome, reason = REASONS[letter]
                    row = {
                        "model": model,
                        "category": category,
                        "id": f"{category}_{number}",
                        "outcome": outcome,
                    }
                    row |= {"state": "CALLED", "reason": reason, "path": None, "message": None, "calls": []}
                    stream.write(dump_json({**row, "filled": [], "evidence": None}) + "\n")
    sign_verdicts(path, signature)
    return path


KITE = {"irrelevance": "ppppppppffv", "live_relevance": "ppfm"}
HERON = {"irrelevance": "pfffffffpfp", "live_relevance": "ppfp"}


def two(tmp_path, kite=KITE, heron=HERON):
    return write(tmp_path / "kite.jsonl", {"kite": kite}), write(tmp_path / "heron.jsonl", {"heron": heron})


def test_shared_entries_are_counted_and_tested(tmp_path):
    comparison = compare(two(tmp_path))
    [pair] = comparison.as_json()["pairs"]
    assert (pair["first"], pair["second"]) == ("kite", "heron")
    figures = pair["categories"]["irrelevance"]
    names = ("n", "both", "first_only", "second_only", "neither", "entries", "void_first", "void_second")
    assert [figures[name] for name in names] == [10, 1, 7, 1, 1, 11, 1, 0]
    assert figures["difference"] == pytest.approx(0.6)
    assert figures["p"] == pytest.approx(binomtest(1, 8).pvalue)
    relevance = pair["categories"]["live_relevance"]
    assert (relevance["n"], relevance["absent_first"], relevance["void_first"]) == (3, 1, 0)
    p_values = [pair["categories"][name]["p"] for name in ("irrelevance", "live_relevance")]
    adjusted = [pair["categories"][name]["p_adjusted"] for name in ("irrelevance", "live_relevance")]
    assert adjusted == pytest.approx(list(multipletests(p_values, method="holm")[1]))
    assert (pair["pooled"]["n"], pair["pooled"]["first_only"], pair["pooled"]["second_only"]) == (13, 7, 1)
    assert pair["overall"]["difference"] is None
    assert "simple_python" in pair["overall"]["missing"]
    assert comparison.total == "pooled"
    assert comparison.signature.startswith(
        "bench:bfcl-v4|data:2026.3.23#3bb6dfa5|profile:fair-1|decoder:by-model|"
    )
    assert "|runs:2|n:13|" in comparison.signature


def test_the_entries_that_differ_are_named_in_order(tmp_path):
    [pair] = compare(two(tmp_path)).as_json()["pairs"]
    assert [row["id"] for row in pair["differing"]] == [f"irrelevance_{number}" for number in range(1, 9)]
    assert pair["differing"][0] == {
        "category": "irrelevance",
        "id": "irrelevance_1",
        "first": {"outcome": "pass", "reason": "decoded"},
        "second": {"outcome": "fail", "reason": "wrong-value"},
    }
    assert pair["differing"][-1]["first"]["outcome"] == "fail"


def test_runs_in_each_others_place_give_the_same_with_the_sign_changed(tmp_path):
    chances = {leaf.name: leaf.entries for leaf in load_recipe().score.leaves()}
    kite = {name: ("ppf" * count)[:count] for name, count in chances.items()}
    heron = {name: ("pfffp" * count)[:count] for name, count in chances.items()}
    one, other = two(tmp_path, kite, heron)
    made, turned = compare([one, other]), compare([other, one])
    [pair], [back] = made.pairs, turned.pairs
    assert made.total == turned.total == "overall"
    assert pair.composite.overall.difference == -back.composite.overall.difference
    assert pair.composite.overall.interval == tuple(
        -bound for bound in reversed(back.composite.overall.interval)
    )
    assert pair.composite.overall.p == back.composite.overall.p
    assert made.apart(pair) is turned.apart(back) is True
    for name, (_, figure) in pair.categories.items():
        assert back.categories[name][1] == figure.negated()


def test_a_category_of_one_run_alone_is_named_and_not_0(tmp_path):
    one, other = two(tmp_path, {**KITE, "multiple": "pp"}, {**HERON, "parallel": "v"})
    write(one, {"kite": {**KITE, "multiple": "pp", "parallel": "p"}})
    [pair] = compare([one, other]).as_json()["pairs"]
    assert pair["not_compared"] == {"multiple": "only in kite", "parallel": "no entry was judged in both"}
    assert set(pair["categories"]) == set(KITE)


def test_styles_of_one_question_are_not_tested_and_not_pooled(tmp_path):
    many = {"format_sensitivity": "p" * 40, "irrelevance": "pf"}
    [pair] = compare(two(tmp_path, many, {**many, "format_sensitivity": "f" * 40})).pairs
    counts, figure = pair.categories["format_sensitivity"]
    assert (counts.first_only, figure.difference, figure.p, figure.interval) == (40, 1.0, None, None)
    assert pair.pooled_counts.n == 2


def test_several_runs_are_compared_in_pairs_and_corrected_together(tmp_path):
    runs = {
        "kite": {"irrelevance": "p" * 30},
        "heron": {"irrelevance": "p" * 20 + "f" * 10},
        "wren": {"irrelevance": "f" * 24 + "p" * 6},
    }
    comparison = compare(write(tmp_path / "v.jsonl", runs))
    made = comparison.as_json()
    assert [(pair["first"], pair["second"]) for pair in made["pairs"]] == [
        ("kite", "heron"),
        ("kite", "wren"),
        ("heron", "wren"),
    ]
    p_values = [binomtest(0, 10).pvalue, binomtest(0, 24).pvalue, binomtest(6, 26).pvalue]
    expected = list(multipletests(p_values, method="holm")[1])
    assert [pair["pooled"]["p_adjusted"] for pair in made["pairs"]] == pytest.approx(expected)
    assert [comparison.total_of(pair).p for pair in comparison.ranked()] == pytest.approx(sorted(p_values))
    assert all("differing" not in pair for pair in made["pairs"])
    listed = comparison.as_json(all_entries=True)["pairs"]
    assert [len(pair["differing"]) for pair in listed] == [10, 24, 26]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bench", "bfcl-v5"),
        ("data", "2026.3.23#00000000"),
        ("profile", "official-2026.3.23"),
        ("decoder", "python"),
        ("ci", "none"),
        ("v", "0.0.9"),
    ],
)
def test_unlike_signatures_are_refused_with_what_differs(tmp_path, field, value):
    one, other = two(tmp_path)
    fields = dict(part.split(":", 1) for part in SIGNATURE.split("|"))
    unlike = "|".join(f"{key}:{part}" for key, part in {**fields, field: value}.items())
    sign_verdicts(other, unlike)
    with pytest.raises(UsageError, match="were not scored alike") as caught:
        compare([one, other])
    said = str(caught.value)
    ours = "by-model" if field == "decoder" else fields[field]
    assert f"{field} is {ours} and {value}" in said
    assert sum(f"{name} is " in said for name in fields) == 1
    assert "\n" not in said


def test_every_field_that_differs_is_named(tmp_path):
    one, other = two(tmp_path)
    sign_verdicts(other, SIGNATURE.replace("fair-1", "fair-2").replace("3bb6dfa5", "00000000"))
    with pytest.raises(UsageError, match=r"data is .*; profile is fair-1 and fair-2"):
        compare([one, other])


def test_what_a_run_turned_out_to_be_may_differ(tmp_path):
    one, other = two(tmp_path)
    sign_verdicts(other, SIGNATURE.replace("n:9", "n:44").replace("void:0", "void:3"))
    assert isinstance(compare([one, other]), Comparison)


@pytest.mark.parametrize(
    ("model", "decoder", "same"),
    [
        ("gpt-4o-2024-11-20-FC", "by-model", True),  # of the registry, read as that has it
        ("gpt-4o-2024-11-20-FC", "auto+by-model", True),
        (
            "gpt-4o-2024-11-20-FC",
            "auto",
            False,
        ),  # of the registry, and read by whatever fits: someone asked for that
        ("of-no-registry", "auto", True),
    ],
)
def test_a_decoder_by_the_models_name_is_one_way_to_choose_it(tmp_path, model, decoder, same):
    kite = write(tmp_path / "kite.jsonl", {"kite": KITE})
    other = write(
        tmp_path / "v.jsonl",
        {model: HERON},
        signature=SIGNATURE.replace("decoder:auto", f"decoder:{decoder}"),
    )
    if same:
        assert "decoder:by-model" in compare([kite, other]).signature
    else:
        with pytest.raises(UsageError, match="decoder is by-model and auto"):
            compare([kite, other])


def test_runs_of_one_name_are_told_apart_by_their_files(tmp_path):
    one, other = (
        write(tmp_path / "may.jsonl", {"kite": KITE}),
        write(tmp_path / "june.jsonl", {"kite": HERON}),
    )
    assert [run.label for run in compare([one, other]).runs] == [f"kite ({one})", f"kite ({other})"]


def test_bad_use_is_one_clear_line(tmp_path):
    one, other = two(tmp_path)
    lone = write(tmp_path / "lone.jsonl", {"wren": {"multiple": "pp"}})
    for arguments, options, message in (
        ([], {}, "nothing to compare"),
        ([one], {}, r"one run alone \(kite\)"),
        ([one, other], {"categories": ["parallel"]}, "no run with a category that is asked for"),
        ([one, one], {}, "given twice"),
        ([one, other], {"profile": "fair-1"}, "no profile can be chosen for verdicts"),
        ([one, other], {"decoder": "python"}, "no decoder can be chosen for verdicts"),
        ([one], {"profile": ["fair-1", "official-2026.3.23"]}, "holds verdicts"),
        ([one], {"profile": ["fair-1", "fair-1"]}, "given twice"),
        ([one, other], {"categories": ["irrelevanc"]}, "did you mean irrelevance"),
    ):
        with pytest.raises(UsageError, match=message):
            compare(arguments, **options)
    with pytest.raises(InputError, match=r"no category has an entry .* irrelevance: only in kite"):
        compare([one, lone])


def test_a_changed_or_unsigned_file_is_refused(tmp_path):
    one, other = two(tmp_path)
    other.write_text(other.read_text("utf-8").replace("fail", "pass"), "utf-8")
    with pytest.raises(InputError, match="changed since"):
        compare([one, other])
    (tmp_path / "heron.jsonl.signature").unlink()
    with pytest.raises(
        InputError, match=r"has no signature beside it .*; keep both .* score the results again"
    ):
        compare([one, other])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [*lines, lines[0]], "not beside the others"),
        (lambda lines: [lines[0], *lines], "an entry twice"),
        (
            lambda lines: [line.replace('"pass"', '"maybe"') for line in lines],
            "no outcome that there is: maybe",
        ),
        (lambda lines: [line.replace("irrelevance", "gardening") for line in lines], "of no category"),
        (lambda lines: [line.replace('"reason"', '"why"') for line in lines], "no text `reason`"),
        (lambda lines: [*lines, "[1]"], r"heron.jsonl:16"),
    ],
)
def test_a_signed_file_of_something_else_is_refused(tmp_path, change, message):
    one, other = two(tmp_path)
    other.write_text("\n".join(change(other.read_text("utf-8").splitlines())) + "\n", "utf-8")
    sign_verdicts(other, SIGNATURE)
    with pytest.raises(InputError, match=message):
        compare([one, other])


def test_entries_that_are_not_the_same_are_refused(tmp_path):
    one, other = two(tmp_path, KITE, {"irrelevance": "ppp"})
    with pytest.raises(InputError, match="entries of irrelevance are not the same"):
        compare([one, other])


def test_parquet_is_read_like_lines(tmp_path):
    pytest.importorskip("polars")
    lines = compare(two(tmp_path))
    tables = [
        write(tmp_path / f"{name}.parquet", {name: run}) for name, run in (("kite", KITE), ("heron", HERON))
    ]
    assert compare(tables).as_json()["pairs"] == lines.as_json()["pairs"]
    (tmp_path / "kite.parquet").write_bytes(b"PAR1 of nothing")
    sign_verdicts(tmp_path / "kite.parquet", SIGNATURE)
    with pytest.raises(InputError, match="no Parquet table"):
        compare(tables)


def test_reports_fit_their_width_and_carry_the_signature(tmp_path):
    comparison = compare(two(tmp_path))
    text = render_comparison(comparison)
    assert max(map(len, text.splitlines()[:-1])) <= 100
    assert text.splitlines()[-1] == comparison.signature
    assert "A and B are not told apart: A is ahead by 46.15 points" in " ".join(text.split())
    assert "irrelevance: 1 of 11 entries left out (1 void in A)." in text
    assert "live_relevance: 1 of 4 entries left out (1 not there in A)." in text
    assert text.count("irrelevance_") == 5
    assert render_comparison(comparison, entries=0).count("irrelevance_") == 0
    markdown = render_comparison(comparison, "markdown")
    assert f"`{comparison.signature}`" in markdown
    assert json.loads(render_comparison(comparison, "json")) == json.loads(dump_json(comparison.as_json()))
    rows = render_comparison(comparison, "csv").splitlines()
    assert len(rows) == 1 + len(KITE) + 1 + 5 + 1
    assert all(row.endswith(comparison.signature) for row in rows[1:])
    with pytest.raises(UsageError, match="no report format"):
        render_comparison(comparison, "pdf")


def test_reports_of_many_runs_show_the_surest_pairs(tmp_path):
    runs = {
        f"run{number}": {"irrelevance": "p" * (40 - 5 * number) + "f" * 5 * number} for number in range(6)
    }
    comparison = compare(write(tmp_path / "v.jsonl", runs))
    text = render_comparison(comparison, pairs=2)
    assert "Comparison of 6 runs, 15 pairs" in text
    assert "13 pairs more; --pairs N shows more, json and csv hold all." in text
    assert max(map(len, text.splitlines()[:-1])) <= 100
    assert re.search(r"^  A-F +40 +\+62\.50 ", text, re.MULTILINE)
    assert render_comparison(comparison, "markdown", pairs=1).count("\n## ") == 1
    made = json.loads(render_comparison(comparison, "json", all_entries=True))
    assert made == json.loads(dump_json(comparison.as_json(all_entries=True)))
    assert len(made["pairs"]) == 15


def test_what_a_run_is_called_gives_no_orders(tmp_path):
    path = write(tmp_path / "v.jsonl", {"=1+1\x1b[31m|<b>": KITE, "*wren*": HERON})
    comparison = compare(path)
    assert "\x1b" not in render_comparison(comparison)
    assert "\x1b" not in render_comparison(comparison, "csv")
    assert "'=1+1" in render_comparison(comparison, "csv")
    markdown = render_comparison(comparison, "markdown")
    assert "<b>" not in markdown
    assert "\\*wren\\*" in markdown


@pytest.fixture
def benchmark():
    try:
        return find()
    except FaircallError as error:
        pytest.skip(f"the benchmark's data is not here: {error}")


def store(folder, category, results, *, model):
    group = CATEGORIES[category].group
    path = folder / "result" / model / group / f"BFCL_v4_{category}_result.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps({"id": id_, "result": text}) + "\n" for id_, text in results.items()), "utf-8"
    )
    return path


def test_results_are_scored_and_verdicts_are_the_same(tmp_path, benchmark):
    broken = "<tool_call>{math.sum numbers=3}</tool_call>"
    for model, outputs in (("kite", ["No tool fits.", broken, "None."]), ("heron", [broken, broken, "No."])):
        store(
            tmp_path, "irrelevance", {f"irrelevance_{n}": text for n, text in enumerate(outputs)}, model=model
        )
    comparison = compare(tmp_path / "result")
    [pair] = comparison.pairs
    counts = pair.categories["irrelevance"][0]
    assert [run.label for run in comparison.runs] == ["heron", "kite"]
    assert (counts.n, counts.both, counts.second_only, counts.neither) == (3, 1, 1, 1)
    assert (counts.absent_first, counts.absent_second, counts.entries) == (237, 237, 240)
    apart = compare([tmp_path / "result" / "heron", tmp_path / "result" / "kite"], workers=2)
    assert apart.as_json()["pairs"] == comparison.as_json()["pairs"]
    target = tmp_path / "v.jsonl"
    report = score(tmp_path / "result", verdicts=target)
    assert target.with_name("v.jsonl.signature").read_text("utf-8").splitlines()[0] == report.signature
    assert compare(target).as_json()["pairs"] == comparison.as_json()["pairs"]
    assert compare(target).signature == comparison.signature


def test_results_and_verdicts_under_other_profiles_are_refused(tmp_path, benchmark):
    for model in ("kite", "heron"):
        store(tmp_path / model, "irrelevance", {"irrelevance_0": "No."}, model=model)
    score(tmp_path / "kite", verdicts=tmp_path / "v.jsonl", profile="official-2026.3.23")
    with pytest.raises(UsageError, match=r"profile is fair-1 and official-2026\.3\.23"):
        compare([tmp_path / "heron", tmp_path / "v.jsonl"])
    for named in ([tmp_path / "heron", tmp_path / "v.jsonl"], [tmp_path / "v.jsonl", tmp_path / "heron"]):
        made = compare(named, profile="official-2026.3.23")
        assert [run.named for run in made.runs] == [str(path) for path in named]


def test_two_profiles_of_one_run(tmp_path, benchmark):
    store(
        tmp_path,
        "irrelevance",
        {"irrelevance_0": "[math.sum(", "irrelevance_1": "No."},
        model="gpt-4o-2024-11-20-FC",
    )
    comparison = compare(tmp_path, profile=["fair-1", "official-2026.3.23"])
    [pair] = comparison.pairs
    counts = pair.categories["irrelevance"][0]
    assert (counts.both, counts.first_only, counts.second_only) == (1, 0, 1)
    assert "profile:fair-1,official-2026.3.23|" in comparison.signature
    assert [run.label.split()[-1] for run in comparison.runs] == ["[fair-1]", "[official-2026.3.23]"]
    store(tmp_path, "irrelevance", {"irrelevance_0": "No."}, model="kite")
    with pytest.raises(UsageError, match="there are 2"):
        compare(tmp_path, profile=["fair-1", "official-2026.3.23"])


def test_one_run_named_twice_is_refused(tmp_path, benchmark):
    path = store(tmp_path, "irrelevance", {"irrelevance_0": "No."}, model="kite")
    for twice in ([tmp_path, tmp_path], [tmp_path / "result", path]):
        with pytest.raises(UsageError, match="lead to the same results"):
            compare(twice)


@pytest.mark.shared
def test_a_stored_run_has_the_counts_of_its_verdicts(shared, tmp_path, benchmark):
    results = shared / "data" / "runs" / "2025-11-12-main" / "result"
    names = ["irrelevance", "live_relevance", "simple_java"]
    target = tmp_path / "v.jsonl"
    score(results, categories=names, verdicts=target)
    told = {}
    for line in target.read_text("utf-8").splitlines():
        row = json.loads(line)
        told.setdefault((row["category"], row["id"]), []).append(row["outcome"])
    [pair] = compare(results, categories=names).pairs
    for name in names:
        outcomes = [pair_of for (category, _), pair_of in told.items() if category == name]
        counts, figure = pair.categories[name]
        assert counts.first_only == outcomes.count(["pass", "fail"])
        assert counts.second_only == outcomes.count(["fail", "pass"])
        assert counts.both == outcomes.count(["pass", "pass"])
        assert counts.neither == outcomes.count(["fail", "fail"])
        differing = counts.first_only + counts.second_only
        assert figure.p == pytest.approx(binomtest(counts.first_only, differing).pvalue if differing else 1.0)
