"""The command line: each command is one library call plus printing."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from faircall import __version__
from faircall.errors import FaircallError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from faircall.report.page.document import Look
    from faircall.rules.choice import Choice
    from faircall.types import Finding

FORMATS = ("text", "json", "markdown", "csv", "html")
SEVERITIES = ("note", "warning", "error")

_format = click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to write the report.",
)
_title = click.option("--title", help="The title of the HTML page, in place of the report's own.")
_theme = click.option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    show_default=True,
    help="The colours of the HTML page; auto follows the reader's system.",
)
_output = click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file instead.")
_fail_on = click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 if a finding is at least this severe."
)
_data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="The benchmark's data: a bfcl-eval wheel, or a folder of it.",
)
_select = click.option(
    "--select", multiple=True, help="Only these rules: ids, beginnings of ids, or slugs; with commas."
)
_ignore = click.option("--ignore", multiple=True, help="Not these rules; wins over --select.")
_baseline = click.option(
    "--baseline", type=click.Path(path_type=Path), help="A file of known findings, which are left out."
)
_write_baseline = click.option(
    "--write-baseline",
    type=click.Path(path_type=Path),
    help="Write all that was found to this file, as known.",
)


def _rule_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say which rules are run, and which findings are known."""
    for option in (_fail_on, _write_baseline, _baseline, _ignore, _select):
        command = option(command)
    return command


_profile = click.option(
    "--profile",
    default="fair-1",
    show_default=True,
    help="A profile such as fair-1, official-2026.3.23 or fair-1+gate=literal, or a TOML file.",
)
_decoder = click.option(
    "--decoder", help="The protocol of all outputs, in place of the one that the model stands for."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="faircall", message="%(prog)s %(version)s")
def app() -> None:
    """Tool-calling scores that can be reproduced: what a model wrote, judged in three states."""


@app.command(short_help="Say which points of a published board are real.")
@click.argument("board", required=False, type=click.Path(path_type=Path))
@click.option("--top", type=click.IntRange(min=1), help="Show this many rows from the top.")
@click.option("--model", help="Show the rows whose name contains this.")
@click.option("--recipe", type=click.Path(path_type=Path), help="A TOML file with another composition.")
@_format
@_title
@_theme
@_output
@_rule_options
def audit(
    board: Path | None,
    top: int | None,
    model: str | None,
    recipe: Path | None,
    format_: str,
    title: str | None,
    theme: str,
    output: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: Path | None,
    fail_on: str | None,
) -> None:
    """Say which points of a published board are real: how it is composed, what its numbers rest on.

    BOARD is a CSV, or a folder with BFCL's six. Without it, the board inside the package is read.
    """
    from faircall.auditing import audit as audit_board
    from faircall.report.audits import render_audit

    choice, look = _choice(select, ignore, baseline), _look(title, theme, format_, output)
    _spare([board, recipe], [output, write_baseline])
    report = audit_board(board, top=top, model=model, recipe=recipe, choice=choice)
    _emit([render_audit(report, format_, look=look)], output)
    _conclude(report.findings, report.known, fail_on, write_baseline)


@app.command(short_help="Score stored results, entry by entry, with evidence.")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--scores", type=click.Path(path_type=Path), help="Published score files to compare with.")
@_profile
@_decoder
@click.option("--category", multiple=True, help="Only these categories: several times, or with commas.")
@click.option(
    "--verdicts",
    type=click.Path(path_type=Path),
    help="Write a JSON line for each entry to this file, or a .parquet table, and its signature beside it.",
)
@click.option(
    "--leaderboard", type=click.Path(path_type=Path), help="Write BFCL's data_*.csv to this folder."
)
@click.option("--workers", type=click.IntRange(min=1), help="How many processes share the runs: all cores.")
@_data
@click.option(
    "--flips", type=click.IntRange(min=0), default=5, help="How many differing entries to show per run."
)
@_format
@_title
@_theme
@_output
@_rule_options
def score(
    results: tuple[Path, ...],
    scores: Path | None,
    profile: str,
    decoder: str | None,
    category: tuple[str, ...],
    verdicts: Path | None,
    leaderboard: Path | None,
    workers: int | None,
    data: Path | None,
    flips: int,
    format_: str,
    title: str | None,
    theme: str,
    output: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: Path | None,
    fail_on: str | None,
) -> None:
    """Score stored results: declined told from tried-and-failed, entry by entry, with the evidence.

    RESULTS is a folder of results in BFCL's layout, one model's folder, or one result file, or several of these; or
    logs that Inspect wrote, .eval or JSON.
    """
    from faircall.inspect_logs import all_logs, score_logs
    from faircall.report.progress import progress_bar
    from faircall.report.scores import score_pieces
    from faircall.runs import score as score_runs

    if all_logs(results):
        from faircall.report.log_scores import render_logs

        _refuse_for_logs(
            scores=scores, leaderboard=leaderboard, data=data, select=select, ignore=ignore,
            baseline=baseline, write_baseline=write_baseline, fail_on=fail_on,
        )  # fmt: skip
        with progress_bar("scoring") as advance:
            logs = score_logs(
                results,
                profile=profile,
                decoder=decoder,
                categories=_names(category),
                verdicts=verdicts,
                advance=advance,
            )
        _emit([render_logs(logs, format_)], output)
        return
    choice, look = _choice(select, ignore, baseline), _look(title, theme, format_, output)
    _spare([*results, scores], [output, verdicts, write_baseline])
    with progress_bar("scoring") as advance:
        report = score_runs(
            results[0] if len(results) == 1 else results,
            scores=scores,
            profile=profile,
            decoder=decoder,
            categories=_names(category),
            verdicts=verdicts,
            leaderboard=leaderboard,
            workers=workers,
            data=data,
            choice=choice,
            keep_entries=format_ == "html",
            advance=advance,
        )
    _emit(score_pieces(report, format_, flips=flips, look=look, page=output), output)
    _conclude(report.findings, report.known, fail_on, write_baseline)


@app.command(short_help="Say whether runs differ, on the entries that they share.")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--profile",
    multiple=True,
    help="The profile that results are scored under [default: fair-1]; twice, to compare two profiles of one run.",
)
@_decoder
@click.option("--category", multiple=True, help="Only these categories: several times, or with commas.")
@click.option("--workers", type=click.IntRange(min=1), help="How many processes share the runs: all cores.")
@_data
@click.option("--pairs", type=click.IntRange(min=0), default=10, help="How many pairs to show in full.")
@click.option(
    "--entries", type=click.IntRange(min=0), default=5, help="How many differing entries to show per pair."
)
@click.option("--all-entries", is_flag=True, help="With json and more than two runs: list all of them.")
@_format
@_title
@_theme
@_output
def compare(
    runs: tuple[Path, ...],
    profile: tuple[str, ...],
    decoder: str | None,
    category: tuple[str, ...],
    workers: int | None,
    data: Path | None,
    pairs: int,
    entries: int,
    format_: str,
    title: str | None,
    theme: str,
    output: Path | None,
    *,
    all_entries: bool,
) -> None:
    """Say whether runs differ, on the entries that they share: by how much, how surely, and on which.

    RUNS are what `faircall score` takes, of one run or of many, or files that `faircall score --verdicts` wrote.
    """
    from faircall.comparing import compare as compare_runs
    from faircall.report.comparisons import comparison_pieces
    from faircall.report.progress import progress_bar

    look = _look(title, theme, format_, output)
    _spare(runs, [output])
    with progress_bar("scoring") as advance:
        comparison = compare_runs(
            runs,
            profile=profile,
            decoder=decoder,
            categories=_names(category),
            data=data,
            workers=workers,
            advance=advance,
        )
    _emit(
        comparison_pieces(
            comparison, format_, entries=entries, pairs=pairs, all_entries=all_entries, look=look
        ),
        output,
    )


@app.command(short_help="Make a page of stored verdicts.")
@click.argument("verdicts", nargs=-1, required=True, type=click.Path(path_type=Path))
@_data
@click.option("--no-questions", is_flag=True, help="Leave out what the entries ask, offer and accept.")
@_title
@_theme
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file (- for standard output) [default: the first file's name with .html].",
)
def report(
    verdicts: tuple[Path, ...],
    data: Path | None,
    no_questions: bool,
    title: str | None,
    theme: str,
    output: Path | None,
) -> None:
    """Make a page of stored verdicts: one HTML file that opens from disk, with every entry.

    VERDICTS are files that `faircall score --verdicts` wrote, JSON lines or Parquet, each with its signature beside it,
    or files of lines that `faircall check` printed.
    """
    from faircall.report.page import stored as page
    from faircall.stored import read_stored

    look = _look(title, theme, "html", output or Path("-"))
    target = output or Path(verdicts[0].with_suffix(".html").name)
    _spare(verdicts, [target])
    made = page.render(
        read_stored(verdicts),
        look,
        page=None if str(target) == "-" else target,
        data=None if data is None else str(data),
        questions=not no_questions,
    )
    _emit([made], target)
    if str(target) != "-":
        click.echo(str(target))


@app.command(short_help="Explain one entry in full: what was written, read and judged, and why.")
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("id_", metavar="ID")
@click.option("--model", help="Only the runs whose name is this, or contains it.")
@_decoder
@_profile
@_data
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How to write it.",
)
@_output
def explain(
    results: Path,
    id_: str,
    model: str | None,
    decoder: str | None,
    profile: str,
    data: Path | None,
    format_: str,
    output: Path | None,
) -> None:
    """Explain one entry: question, tools, output, what each decoder reads in it, and every verdict on it.

    RESULTS is what `faircall score` takes; ID is an entry's, such as simple_python_0. An entry that is in
    several runs is explained in each.
    """
    from faircall.explaining import explain as explain_entry
    from faircall.report.explanation import render_explanation

    explanation = explain_entry(results, id_, model=model, decoder=decoder, profile=profile, data=data)
    _emit([render_explanation(explanation, format_)], output)


@app.command(short_help="Judge single outputs: JSON lines in, verdicts out.")
@click.argument("file", default="-")
@_profile
@_decoder
@_output
@click.option(
    "--valid", is_flag=True, help="Fail calls that break the schema of their tool, whatever was expected."
)
@click.option(
    "--fail-on", type=click.Choice(("fail", "void")), help="Exit with 1 on a failure, or on a void one too."
)
@click.option(
    "--fail-under",
    metavar="SHARE",
    help="Exit with 1 if a smaller share of the judged lines passes, or none is judged: 0.9 for 90 %.",
)
@click.option(
    "--junit", type=click.Path(path_type=Path), help="Write JUnit XML to this file, a test case a line."
)
@click.option(
    "--summary",
    type=click.Path(path_type=Path),
    help="Write a summary in Markdown behind what this file has, such as $GITHUB_STEP_SUMMARY.",
)
def check(
    file: str,
    profile: str,
    decoder: str | None,
    output: Path | None,
    *,
    valid: bool,
    fail_on: str | None,
    fail_under: str | None,
    junit: Path | None,
    summary: Path | None,
) -> None:
    """Judge single outputs: JSON lines in, one verdict a line out, in the order of the input.

    Each line of FILE (standard input without it, or for -) has id, output and tools, and may have expected,
    decoder, language and category.
    """
    from faircall.checking import judge_lines, report_checks
    from faircall.files import appending, writing
    from faircall.passes import read_share
    from faircall.rows import dump_json, verdict_row

    minimum = None if fail_under is None else read_share(fail_under, option="--fail-under")
    read = None if file == "-" else Path(file)
    _refuse_files({"FILE": read, "-o": output, "--junit": junit, "--summary": summary})
    reported = minimum is not None or junit is not None or summary is not None
    source: Any = sys.stdin.buffer if file == "-" else file
    name = "standard input" if file == "-" else None
    failed = False
    lines = []
    with ExitStack() as files:
        xml = None if junit is None else files.enter_context(writing(junit))
        page = None if summary is None else files.enter_context(appending(summary))
        # Verdicts that were made before a bad line are kept, beside the file.
        stream = (
            files.enter_context(writing(output, keep_on=FaircallError)) if output is not None else sys.stdout
        )
        judged = judge_lines(
            source, profile=profile, decoder=decoder, name=name, digests=reported, valid=valid
        )
        for checked in judged:
            verdict = checked.verdict
            stream.write(dump_json(verdict_row(verdict, id=checked.id)) + "\n")
            failed |= verdict.outcome == "fail" or (verdict.outcome == "void" and fail_on == "void")
            if reported:
                lines.append(checked)
        failed = failed and fail_on is not None
        if reported:
            from faircall.report.checks import check_markdown, junit_xml, threshold_lines

            report = report_checks(lines, name=name or file, profile=profile, decoder=decoder, valid=valid)
            if xml is not None:
                xml.write(junit_xml(report))
            if page is not None:
                page.write(check_markdown(report, minimum=minimum))
            if minimum is not None:
                failed |= not report.passes.meets(minimum)
                sys.stderr.write(threshold_lines(report, minimum))
    if failed:
        sys.exit(1)


def _refuse_files(named: dict[str, Path | None]) -> None:
    """Refuse what would go to one file, to the file that is read, or to where the verdicts go."""
    from faircall.errors import UsageError
    from faircall.files import STDOUT

    taken: dict[Path, str] = {}
    for option, path in named.items():
        if path is None:
            continue
        if str(path) == STDOUT:
            if option == "-o":
                continue
            raise UsageError(f"{option} {STDOUT}: standard output has the verdicts; name a file")
        if (other := taken.setdefault(path.resolve(), option)) != option:
            raise UsageError(f"{other} and {option} are one file; name two")


@app.command(short_help="Say which entries and keys of a dataset are broken.")
@click.argument("suites", metavar="[SUITE]...", nargs=-1)
@_data
@click.option(
    "--show", type=click.IntRange(min=0), default=5, help="How many findings of each rule to show as text."
)
@_format
@_title
@_theme
@_output
@_rule_options
def lint(
    suites: tuple[str, ...],
    data: Path | None,
    show: int,
    format_: str,
    title: str | None,
    theme: str,
    output: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: Path | None,
    fail_on: str | None,
) -> None:
    """Say which entries and keys of a dataset are broken, rule by rule.

    SUITE is bfcl-v4, BFCL's own data, or a file of JSON lines with tools and expected (- for standard input).
    Several are looked over one after the other, each by itself.
    """
    from faircall.errors import UsageError
    from faircall.linting import lint as lint_dataset
    from faircall.report.lint import render_lint

    if len(suites) > 1 and format_ in {"json", "csv"}:
        raise UsageError(f"--format {format_} is of one dataset; name one, or take text or markdown")
    choice, look = _choice(select, ignore, baseline), _look(title, theme, format_, output)
    _spare(suites, [output, write_baseline])
    reports = []
    for suite in suites or ("bfcl-v4",):
        source: Any = sys.stdin.buffer if suite == "-" else suite
        name = "standard input" if suite == "-" else None
        reports.append(lint_dataset(source, data=data, name=name, choice=choice))
    if format_ == "html":
        from faircall.report.page.dataset import render

        _emit([render(reports, look)], output)
    else:
        _emit(["\n".join(render_lint(report, format_, most=show) for report in reports)], output)
    findings = [finding for report in reports for finding in report.findings]
    _conclude(findings, [each for report in reports for each in report.known], fail_on, write_baseline)


@app.group(short_help="List the rules, or show one.", invoke_without_command=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How to write the table.",
)
@click.pass_context
def rules(context: click.Context, format_: str) -> None:
    """The register: every rule on boards, results, datasets and scorers, with what it claims and does not."""
    if context.invoked_subcommand is None:
        from faircall.report.rules import render_rules
        from faircall.rules import all_rules

        click.echo(render_rules(all_rules().values(), format_), nl=False)


@rules.command("show")
@click.argument("rule", metavar="ID")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How to write it.",
)
def rules_show(rule: str, format_: str) -> None:
    """Show one rule in full, by its id or slug."""
    from faircall.report.rules import rule_page, rule_row
    from faircall.rows import dump_json
    from faircall.rules import find_rule

    found = find_rule(rule)
    click.echo(
        rule_page(found) if format_ == "text" else dump_json(rule_row(found), indent=1) + "\n", nl=False
    )


@rules.command("scorer", short_help="Try a scorer on keys, mutants of them and hostile texts.")
@click.argument("command", metavar="CMD", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--entries", help="Make the cases of these JSON lines with tools and expected, or of bfcl.")
@click.option("--label", help="What the report calls the scorer, in place of its command.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    help="How many seconds a process of the scorer may take.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    show_default=True,
    help="How to write the report.",
)
@_output
@_rule_options
def rules_scorer(
    command: tuple[str, ...],
    entries: str | None,
    label: str | None,
    timeout: float,
    format_: str,
    output: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: Path | None,
    fail_on: str | None,
) -> None:
    """Try a scorer: does it pass keys, and refuse mutants of them, broken calls and hostile texts?

    CMD reads JSON lines as `faircall check` does, and prints a JSON line with id and outcome (pass, fail or
    void) for each. It is one word that is split as a shell does, or everything after --; no shell runs it.
    """
    from faircall.report.progress import waiting
    from faircall.report.scorecards import render_scorecard
    from faircall.scorecards import try_scorer

    choice = _choice(select, ignore, baseline)
    with waiting("running the scorer"):
        card = try_scorer(command, entries=entries, label=label, timeout_s=timeout, choice=choice)
    _emit([render_scorecard(card, format_)], output)
    _conclude(card.findings, card.known, fail_on, write_baseline)


@app.group(short_help="Pull, list or verify the benchmark's data.")
def data() -> None:
    """The benchmark's data: pull it once, list it, verify it."""


@data.command("pull")
@click.option("--again", is_flag=True, help="Download even if the data is there.")
def data_pull(*, again: bool) -> None:
    """Download the benchmark's data once; everything works offline from then on."""
    from faircall.bfcl.data import pull
    from faircall.report.progress import waiting

    with waiting("downloading the benchmark's data"):
        pulled = pull(again=again)
    done = "downloaded and verified" if pulled.downloaded else "already here and verified"
    click.echo(f"bfcl-eval {pulled.version}: {done}\n{pulled.path}\nsha256 {pulled.sha256}")


@data.command("list")
@_data
def data_list(data: Path | None) -> None:
    """List the benchmark's categories, and where the data comes from."""
    from faircall.bfcl.data import find, list_data

    listing = list_data(find(data))
    click.echo(f"bfcl-eval {listing.version}#{listing.hash8} ({listing.origin}): {listing.path}\n")
    click.echo(f"{'category':28}{'group':20}{'language':12}{'entries':>8}{'answers':>9}")
    for row in listing.categories:
        click.echo(f"{row.name:28}{row.group:20}{row.language:12}{row.entries:8,}{row.answers:9,}")
    for problem in listing.problems:
        click.echo(f"{problem.severity}: {problem}", err=True)


@data.command("verify")
@_data
def data_verify(data: Path | None) -> None:
    """Check every file of the benchmark's data against the pinned release; exit with 1 if one differs."""
    from faircall.bfcl.data import find, verify

    found = find(data)
    problems = verify(found)
    for problem in problems:
        click.echo(f"{problem.severity}: {problem}")
    if problems:
        sys.exit(1)
    click.echo(
        f"bfcl-eval {found.version}#{found.hash8}: every data file is that of the release ({found.path})"
    )


def _spare(inputs: Iterable[Path | str | None], outputs: Iterable[Path | None]) -> None:
    """Refuse to write over what is read: a file that was named, or one inside a folder that was."""
    from faircall.errors import UsageError

    read = [Path(place).resolve() for place in inputs if place is not None and str(place) != "-"]
    for output in outputs:
        if output is None or not output.is_file():
            continue
        target = output.resolve()
        for place in read:
            inside = place.is_dir() and target.is_relative_to(place) and target.suffix in {".json", ".csv"}
            if target == place or (inside and target.name.startswith(("BFCL_", "data_"))):
                raise UsageError(f"{output} is read: name another file to write to")


def _emit(pieces: Iterable[str], output: Path | None) -> None:
    if output is None:
        sys.stdout.writelines(pieces)
        return
    from faircall.files import writing

    with writing(output) as stream:
        stream.writelines(pieces)


def _refuse_for_logs(**options: object) -> None:
    for name, value in options.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is of results in BFCL's layout, not of logs of Inspect"
            )


def _look(title: str | None, theme: str, format_: str, output: Path | None) -> Look:
    """Return how a page is to look; a page for a terminal is refused before anything is scored."""
    from faircall.report.page.document import Look, refuse_look

    look = Look(title, theme)
    if format_ == "html":
        refuse_look(look)
        if output is None and sys.stdout.isatty():
            raise UsageError("a page is no text for a terminal: name a file with -o")
    return look


def _names(values: tuple[str, ...]) -> list[str]:
    """Return names that were given several times, or with commas."""
    return [name.strip() for value in values for name in value.split(",")]


def _choice(select: tuple[str, ...], ignore: tuple[str, ...], baseline: Path | None) -> Choice:
    from faircall.rules.choice import choose

    return choose(_names(select), _names(ignore), baseline=baseline)


def _conclude(
    findings: Sequence[Finding], known: Sequence[Finding], threshold: str | None, baseline: Path | None
) -> None:
    """Write all that was found to a baseline if one is asked for; exit with 1 if a new finding is severe enough."""
    if baseline is not None:
        from faircall.rules.choice import write_baseline

        write_baseline([*findings, *known], baseline)
    if threshold is not None and any(
        finding.severity.rank >= SEVERITIES.index(threshold) for finding in findings
    ):
        sys.exit(1)


def _drop_standard_output() -> None:
    """Send what is still buffered nowhere, so that leaving does not fail on it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> None:
    """Write one line to standard error, in which names of files and models give the terminal no orders."""
    from faircall.report.tables import clean

    sys.stderr.write(f"faircall: {clean(message)}\n")


def main() -> None:
    """Run the command line; bad input ends in one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        # What a model wrote may hold characters that the terminal's encoding does not have.
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    # Asked to end, it ends its worker processes as well, as it does when it is interrupted.
    with suppress(ValueError):  # not in the main thread, where a caller has its own way with signals
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        code = app.main(prog_name="faircall", standalone_mode=False)
        sys.stdout.flush()
        gc.freeze()  # the search for cycles among all that was scored takes longer than leaving it to the system
    except click.exceptions.Abort:
        sys.stderr.write("faircall: interrupted\n")
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stdout.write(f"{error.format_message()}\n")
        sys.exit(2)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "faircall"
        _complain(f"{error.format_message().rstrip('.')}; see {command} --help")
        sys.exit(2)
    except FaircallError as error:
        _complain(str(error))
        sys.exit(2)
    except BrokenPipeError:
        # The reader of a pipe has had enough, as `head` does.
        _drop_standard_output()
        sys.exit(0)
    except OSError as error:
        _drop_standard_output()
        _complain(f"the output cannot be written ({error.strerror or error})")
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
