"""Stored runs scored: every entry judged under all policies, counted, and compared with what was published."""

from __future__ import annotations

import difflib
import gc
import os
import re
from collections import Counter
from contextlib import contextmanager, nullcontext
from io import StringIO
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec

from faircall.aggregate import Judged, RunScore, Tally, decide
from faircall.bfcl.categories import CATEGORIES
from faircall.bfcl.data import find
from faircall.bfcl.layout import Run, discover, discover_scores, pair_scores
from faircall.bfcl.questions import Questions
from faircall.bfcl.results import read_results
from faircall.bfcl.scores import PublishedScore, read_scores
from faircall.composite import CategoryFigure, Composite, missing_under, overall, seed_for
from faircall.decoding import decode
from faircall.decoding.table import DECODERS
from faircall.details import Details, detail_row
from faircall.errors import ExternalError, InputError, UsageError
from faircall.flips import Flip, Flips, make_flip, write_flips
from faircall.problems import Problem
from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.reading import (
    FAIR,
    LITERAL,
    MISSING,
    OFFICIAL,
    Readable,
    find_switch,
    passes,
    protocol_of,
    read_entry,
)
from faircall.rows import dump_json, verdict_row
from faircall.rules.choice import EVERY_RULE, Choice
from faircall.rules.results import RESULT_RULES, inspect_run
from faircall.signature import sign
from faircall.types import Finding, Outcome, Verdict
from faircall.verdicts import refuse_unwritable, sign_verdicts, writing_verdicts
from faircall.written import Gathering, find_fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from contextlib import AbstractContextManager

    from faircall.replay import Broken, Played, Player, Script
    from faircall.written import Fit

RUNS_A_WORKER = 4
"""From how many runs a worker on another process is started, unless the caller says how many."""


class Lines(Protocol):
    """Whatever takes text: some whole lines at a time."""

    def write(self, text: str, /) -> object:
        """Take the next lines."""


class ScoreReport(msgspec.Struct, frozen=True):
    """All runs with their figures, the entries on which the policies differ, findings and the signature."""

    runs: tuple[RunScore, ...]
    flips: Flips
    findings: tuple[Finding, ...]
    signature: str
    problems: tuple[Problem, ...] = ()
    known: tuple[Finding, ...] = ()
    """The findings that a baseline has already."""
    details: Details | None = None
    """Every entry in full, where that was asked for."""
    data: str | None = None
    """Where the benchmark's data was said to be."""

    def as_json(self) -> dict[str, Any]:
        """Return the report as the JSON contract names it."""
        return {
            "runs": [run_row(run) for run in self.runs],
            "flips": list(self.flips.rows()),
            "findings": list(self.findings),
            "known": list(self.known),
            "problems": [str(problem) for problem in self.problems],
            "signature": self.signature,
        }


def score(  # noqa: PLR0913 - one option of the command, one parameter
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    scores: str | os.PathLike[str] | None = None,
    profile: str | Profile = DEFAULT_PROFILE,
    decoder: str | None = None,
    categories: Sequence[str] = (),
    verdicts: str | os.PathLike[str] | Lines | None = None,
    leaderboard: str | os.PathLike[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    workers: int | None = 1,
    choice: Choice = EVERY_RULE,
    keep_entries: bool = False,
    advance: Callable[[int, int], None] | None = None,
) -> ScoreReport:
    """Return the scores of every run at `path`, or at each of several, in BFCL's layout, for all of its categories.

    Dialogues in simulated environments are replayed in a worker process, for which the benchmark's own environments
    are loaded from its data; an entry that breaks a limit there is void.

    `scores` is a folder of published score files to compare with. `categories` limits what is scored, `decoder`
    overrides the one that the model's name stands for. `verdicts` names a file that gets a JSON line for each
    entry, or a Parquet table where its name ends in ``.parquet``, with its signature in a second file beside it
    (`FILE.signature`); or it is an object whose `write` gets the lines. `leaderboard` is a folder that gets BFCL's
    tables. `data` is where the benchmark's data is; without it the cache or an installed `bfcl-eval`
    serves. `workers` is how many processes share the runs, None as many as are worth it; the result is the same for any
    number. With `keep_entries` every entry is kept in full for a page of HTML, in a temporary folder that lives as long
    as the report. `choice` says which rules' findings are listed, and which are known. A script that asks for more than
    one worker needs the usual ``if __name__ == "__main__":``. `advance` is called with what is done and what there is
    in all.

    Raises `InputError` for files that cannot be read, `UsageError` for names that do not exist.

    >>> score("results", categories=["irrelevanc"])
    Traceback (most recent call last):
    faircall.errors.UsageError: no category is called 'irrelevanc'; did you mean irrelevance?
    """
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    choice.refuse_none(RESULT_RULES, "results")
    wanted = wanted_categories([categories] if isinstance(categories, str) else categories)
    if decoder is not None and decoder not in DECODERS and decoder != "auto":
        decode("", decoder)  # raises, with the names there are
    problems: list[Problem] = []
    if isinstance(verdicts, (str, os.PathLike)):
        refuse_unwritable(verdicts)
    runs = discover(path, problems=problems)
    published: dict[str, Run] = {}
    if scores is not None:
        published = pair_scores(runs, discover_scores(scores, problems=problems), problems=problems)
    _refuse_nothing(runs, wanted, path)
    for run in runs:
        if not any(name in wanted for name in run.files):
            message = f"{run.label} has no file of {', '.join(wanted)}; it is left out"
            problems.append(Problem("nothing-to-score", message, str(run.folder)))
    runs = [run for run in runs if any(name in wanted for name in run.files)]
    benchmark = find(data)
    problems.extend(benchmark.problems)
    details = Details.temporary() if keep_entries else None
    job = _Job(switches, decoder, wanted, None if data is None else os.fspath(data), details)
    pairs = [(run, published.get(run.label)) for run in runs]
    flips = Flips()
    with _collecting_rarely():
        scored = tuple(_score_all(pairs, job, flips, verdicts=verdicts, workers=workers, advance=advance))
    fields = {
        "bench": "bfcl-v4",
        "data": f"{benchmark.version}#{benchmark.hash8}",
        "profile": switches.name,
        "decoder": decoder or "+".join(sorted({_decoder_source(run) for run in runs})),
        "n": sum(tally.n for run in scored for tally in run.tallies.values()),
        "void": sum(tally.void for run in scored for tally in run.tallies.values()),
        "ci": "wilson95",
    }
    options = _options(decoder=decoder, profile=profile, data=data)
    found = [
        finding
        for run, made in zip(runs, scored, strict=True)
        for finding in inspect_run(made, _words(path, run, scores), options)
    ]
    findings, known = choice.sift(found)
    signature = sign(fields)
    if isinstance(verdicts, (str, os.PathLike)):
        sign_verdicts(verdicts, signature)
    if leaderboard is not None:
        from faircall.publishing import publish_tables  # noqa: PLC0415 - few ask for tables

        made = [(run, scores_of, figures) for (run, scores_of), figures in zip(pairs, scored, strict=True)]
        official = switches == OFFICIAL
        publish_tables(
            made, leaderboard, profile=switches, official=official, signature=signature, problems=problems
        )
    return ScoreReport(scored, flips, findings, signature, tuple(problems), known, details, job.data)


def _options(
    *, decoder: str | None, profile: str | Profile, data: str | os.PathLike[str] | None
) -> list[str]:
    """Return the options of the command that its findings depend on, where they are not the usual ones."""
    name = profile if isinstance(profile, str) else profile.name
    given = {
        "--profile": None if name == DEFAULT_PROFILE else name,
        "--decoder": decoder,
        "--data": None if data is None else os.fspath(data),
    }
    return [part for option, value in given.items() if value is not None for part in (option, value)]


def _words(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    run: Run,
    scores: str | os.PathLike[str] | None,
) -> dict[str, str]:
    """Return what the capitals in a rule's command stand for: the run by itself, and the published scores."""
    alone = isinstance(path, (str, os.PathLike)) and os.path.isfile(path)  # noqa: PTH113 - either kind of path
    results = path if alone and isinstance(path, (str, os.PathLike)) else run.folder
    return {"RESULTS": os.fspath(results), "SCORES": "" if scores is None else os.fspath(scores)}


def _decoder_source(run: Run) -> str:
    return "by-model" if protocol_of(run.model).source == "registry" else "auto"


def wanted_categories(categories: Sequence[str]) -> tuple[str, ...]:
    """Return the categories of those names, or all, in BFCL's order; raises `UsageError` for an unknown name.

    >>> wanted_categories(["multiple", "simple_java"])
    ('simple_java', 'multiple')
    """
    for name in categories:
        if name not in CATEGORIES:
            close = difflib.get_close_matches(name, CATEGORIES, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(CATEGORIES)}"
            raise UsageError(f"no category is called {name!r}; {hint}")
    return tuple(name for name in CATEGORIES if not categories or name in categories)


class _Job(msgspec.Struct, frozen=True):
    """What all runs of one call have in common."""

    profile: Profile
    decoder: str | None
    wanted: tuple[str, ...]
    data: str | None
    details: Details | None = None


def _score_all(
    pairs: Sequence[tuple[Run, Run | None]],
    job: _Job,
    flips: Flips,
    *,
    verdicts: str | os.PathLike[str] | Lines | None,
    workers: int | None,
    advance: Callable[[int, int], None] | None,
) -> Iterator[RunScore]:
    # A process has to import and compile for itself, which is worth it from a few runs on.
    number_of_workers = min(
        workers or max(1, min(os.cpu_count() or 1, len(pairs) // RUNS_A_WORKER)), len(pairs)
    )
    with _taking(verdicts) as stream:
        if number_of_workers == 1:
            yield from _score_here(pairs, job, flips, stream, advance)
            return
        with _pool(number_of_workers, job) as pool:
            done = pool.map(_score_there, pairs, count(), [stream is not None] * len(pairs))
            for number, (scored, lines, rows) in enumerate(done, 1):
                flips.add(lines)
                if stream is not None:
                    stream.write(rows)
                if advance is not None:
                    advance(number, len(pairs))
                yield scored


def _taking(verdicts: str | os.PathLike[str] | Lines | None) -> AbstractContextManager[Lines | None]:
    return writing_verdicts(verdicts) if isinstance(verdicts, (str, os.PathLike)) else nullcontext(verdicts)


@contextmanager
def _pool(number_of_workers: int, job: _Job) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes, and end them at once where anything goes wrong.

    Raises `ExternalError` where one of them dies.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - for several runs only
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    others = set(active_children())
    pool = ProcessPoolExecutor(
        number_of_workers, mp_context=get_context("spawn"), initializer=_start, initargs=(job,)
    )
    done = False
    try:
        yield pool
        done = True
    except BrokenProcessPool:
        message = "a worker process was ended from outside, perhaps for want of memory; try --workers 1"
        raise ExternalError(message) from None
    finally:
        if not done:
            for process in set(active_children()) - others:
                process.terminate()
        pool.shutdown(cancel_futures=not done)


def _score_here(
    pairs: Sequence[tuple[Run, Run | None]],
    job: _Job,
    flips: Flips,
    stream: Lines | None,
    advance: Callable[[int, int], None] | None,
) -> Iterator[RunScore]:
    total = sum(CATEGORIES[name].entries for run, _ in pairs for name in run.files if name in job.wanted)
    done = count()

    def tick() -> None:
        if advance is not None:
            advance(next(done) + 1, total)

    def write(row: dict[str, Any]) -> None:
        if stream is not None:
            stream.write(dump_json(row) + "\n")

    with _Scorer(job) as scorer:
        scorer.tick = tick
        for number, (run, scores) in enumerate(pairs):
            scored, lines = scorer.score_run(run, scores, number, write if stream is not None else None)
            flips.add(lines)
            yield scored


def _collect_rarely() -> None:
    """Look for garbage cycles less often: data and verdicts are many objects without any."""
    first, *later = gc.get_threshold()
    if first:  # 0 stands for never
        gc.set_threshold(max(first, 300_000), *later)


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    before = gc.get_threshold()
    _collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)


_WORKER: dict[str, _Scorer] = {}
"""The scorer of a worker process, made once, so that its runs share what is read and compiled."""


def _start(job: _Job) -> None:
    _collect_rarely()
    _WORKER["scorer"] = _Scorer(job)


def _score_there(
    pair: tuple[Run, Run | None], number: int, wants_rows: bool
) -> tuple[RunScore, list[str], str]:
    rows = StringIO()

    def write(row: dict[str, Any]) -> None:
        rows.write(dump_json(row) + "\n")

    scored, lines = _WORKER["scorer"].score_run(*pair, number, write if wants_rows else None)
    return scored, lines, rows.getvalue()


def _refuse_nothing(
    runs: Sequence[Run],
    wanted: Sequence[str],
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> None:
    if any(name in wanted for run in runs for name in run.files):
        return
    found = sorted({name for run in runs for name in run.files})
    what = f"none of the result files is of {', '.join(wanted)}"
    where = path if isinstance(path, (str, os.PathLike)) else ", ".join(map(str, path))
    raise InputError(what, path=where, hint=f"there are {', '.join(found) or 'none of BFCL v4'}")


class _Scorer:
    """Scores runs one after the other, one category's file in memory at a time; a context manager."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self.questions = Questions(find(job.data))
        self.tick: Callable[[], None] | None = None
        self._player: Player | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._player is not None:
            self._player.close()

    def play(self, script: Script) -> Played | Broken:
        """Play a dialogue's script, in a worker process that all runs share."""
        if self._player is None:
            from faircall.replay import Player  # noqa: PLC0415 - for dialogues only

            self._player = Player(self.questions.benchmark)
        return self._player.play(script)

    def score_run(
        self, run: Run, scores: Run | None, number: int, write: Callable[[dict[str, Any]], None] | None
    ) -> tuple[RunScore, list[str]]:
        """Return the figures of a run, which has that number among all of them, and its flips as JSON lines."""
        job = self.job
        protocol = protocol_of(run.model, decoder=job.decoder)
        decoder = protocol.decoder
        problems = list(run.problems)
        tallies: dict[str, Tally] = {}
        flips: list[Flip] = []
        published: dict[str, PublishedScore] = {}
        gathered: dict[str, Gathering] = {}
        for name, path in run.files.items():
            if name not in job.wanted:
                continue
            entries = self.questions.entries(name)
            stored = read_results(path, entries)
            problems.extend(stored.problems)
            tally = tallies[name] = Tally(name, n=len(entries))
            gathering = gathered[name] = Gathering()
            kept: list[dict[str, Any]] = []
            for id_, entry in entries.items():
                if self.tick is not None:
                    self.tick()
                verdict = MISSING
                if id_ in stored.entries:
                    output = stored.entries[id_]
                    reading = read_entry(entry, output, self.questions, protocol, play=self.play)
                    verdict, switch = self._judge(run, reading, tally, flips)
                    tools = self.questions.tools(entry)
                    gathering.add(id_, output, reading.verdict(FAIR), tools, entry.language)
                    if job.details is not None:
                        kept.append(detail_row(reading, output, job.profile, tools, switch=switch))
                else:
                    tally.add_missing(1)
                    if job.details is not None:
                        kept.append(verdict_row(verdict, id=id_))
                if write is not None:
                    write(verdict_row(verdict, model=run.label, category=name, id=id_))
            if job.details is not None:
                job.details.keep(number, name, kept)
            if scores is not None and name in scores.files:
                published[name] = read_scores(scores.files[name], entries)
                problems.extend(published[name].problems)
        called = any(tally.makes_calls for tally in tallies.values())
        elsewhere = not called and self._calls_elsewhere(run, decoder)
        scored = RunScore(
            model=run.label,
            decoder=decoder,
            decoder_from=protocol.source,
            tallies=tallies,
            published=published,
            decision=decide(list(tallies.values()), calls_elsewhere=elsewhere),
            not_scored=tuple(name for name in run.files if name not in tallies),
            problems=tuple(problems),
            composite=self._composite(run, tallies),
            official_overall=_official_overall(tallies),
            flipped=_count_flips(flips),
            differing=len(flips),
            written={name: gathering.finish() for name, gathering in gathered.items()},
            fit=_find_fit(gathered, decoder),
        )
        return scored, write_flips(flips)

    def _judge(
        self, run: Run, reading: Readable, tally: Tally, flips: list[Flip]
    ) -> tuple[Verdict, str | None]:
        """Return the verdict on an entry, counted, and the switch that makes it differ from the official one."""
        official = reading.verdict(OFFICIAL)
        verdicts = {
            "official": official,
            "literal": reading.verdict(LITERAL) if reading.raised else official,
            "evidence": reading.verdict(FAIR),
        }
        profile = self.job.profile
        verdict = reading.verdict(profile)
        entry = reading.entry
        credit = {policy: passes(made) for policy, made in verdicts.items()}
        tally.add(
            Judged(
                entry.id,
                verdict,
                verdicts["evidence"].reason,
                credit,
                crashes=official.outcome is Outcome.VOID,
                span=verdicts["evidence"].evidence,
                style=entry.extra.get("prompt_style"),
            )
        )
        other = FAIR if profile == OFFICIAL else profile
        judged = verdicts["evidence"] if profile == OFFICIAL else verdict
        differ = judged.outcome is not official.outcome or (tally.decides and len(set(credit.values())) > 1)
        switch = None
        if differ:
            switch = "gate" if tally.decides else find_switch(reading, OFFICIAL, other)
            flips.append(
                make_flip(
                    # Where the fair verdict is a pass, what the official tool objects to is what there is to see.
                    official if passes(judged) else judged,
                    model=run.label,
                    category=entry.category,
                    id=entry.id,
                    switch=switch,
                    official=official.outcome,
                    fair=judged.outcome,
                    states={policy: made.state for policy, made in verdicts.items()},
                    expected=None
                    if tally.decides
                    else _expected_at(judged.path, self.questions.answer(entry)),
                )
            )
        return verdict, switch

    def _composite(self, run: Run, tallies: dict[str, Tally]) -> Composite | None:
        profile = self.job.profile
        official = profile == OFFICIAL
        figures = {name: tally.figure(official=official) for name, tally in tallies.items()}
        seed = seed_for(run.label, profile.name)
        return overall(figures, missing=missing_under(profile), seed=seed) if figures else None

    def _calls_elsewhere(self, run: Run, decoder: str) -> bool:
        """Whether any other single-turn file of the run holds an output that decodes to a call."""
        for name, path in run.files.items():
            category = CATEGORIES[name]
            if name in self.job.wanted or not category.single_turn:
                continue
            for output in read_results(path).entries.values():
                decoded = decode(output, decoder, language=category.language)
                if decoded.error is None and decoded.calls:
                    return True
        return False


def _find_fit(gathered: dict[str, Gathering], decoder: str) -> Fit | None:
    """The decoder that reads what the run's does not, where that is half of the outputs on entries that want a call."""
    wanting = [gathering for name, gathering in gathered.items() if CATEGORIES[name].wants_call]
    unread = sum(gathering.written.unread for gathering in wanting)
    if decoder == "auto" or 2 * unread < sum(gathering.written.n for gathering in wanting) or not unread:
        return None
    return find_fit((one for gathering in wanting for one in gathering.unread), beside=decoder)


def _official_overall(tallies: dict[str, Tally]) -> float | None:
    figures = {
        name: CategoryFigure(tally.credited["official"], tally.official_n)
        for name, tally in tallies.items()
        if tally.official_n
    }
    return overall(figures, resamples=0).value if figures else None


def _expected_at(path: str | None, answer: Any) -> Any:
    """What was expected in the turn of a dialogue that a path names; the whole answer for any other path."""
    turn = re.match(r"\$\.turns\[(\d+)\]\.(?:state|results)", path or "")
    return answer[int(turn[1])] if turn else answer


def _count_flips(flips: list[Flip]) -> tuple[tuple[str, str, int, int], ...]:
    counts = Counter((flip.switch, flip.category) for flip in flips if flip.moves)
    gained = Counter(
        (flip.switch, flip.category) for flip in flips if flip.moves and flip.fair is Outcome.PASS
    )
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((*place, count, gained[place]) for place, count in largest)


def run_row(run: RunScore) -> dict[str, Any]:
    """Return a run's figures as the JSON contract names them."""
    composite = run.composite
    return {
        "model": run.model,
        "decoder": run.decoder,
        "decoder_from": run.decoder_from,
        "categories": {
            name: tally.figures(_published(run.published.get(name))) for name, tally in run.tallies.items()
        },
        "gates": {name: tally.gates() for name, tally in run.tallies.items()},
        "decision": run.decision.as_json(),
        "overall": _overall_row(composite, run.official_overall),
        "coverage": {
            "scored": list(run.tallies),
            "not_scored": list(run.not_scored),
            "entries": sum(tally.n - tally.void for tally in run.tallies.values()),
            "missing": list(composite.whole.coverage.missing) if composite else [],
        },
        "problems": [str(problem) for problem in run.problems],
    }


def _overall_row(composite: Composite | None, official: float | None) -> dict[str, Any] | None:
    if composite is None:
        return None
    parts = {"overall": composite.whole, **composite.parts}
    rows = {
        name: {
            "value": part.value,
            "bounds": list(part.bounds),
            "interval": list(part.interval) if part.interval else None,
        }
        for name, part in parts.items()
    }
    whole = rows.pop("overall")
    return {
        **whole,
        "blocks": rows,
        "official": official,
        "missing": composite.missing,
        "recipe": composite.recipe.name,
        "seed": composite.seed,
    }


def _published(score: PublishedScore | None) -> dict[str, int] | None:
    return None if score is None else {"correct": score.correct, "n": score.n}
