"""The pytest plugin: cases that are counted and not failed one by one, and a table of them at the end of a run.

Loading it loads nothing else of faircall; a suite that records no case sees nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from faircall.cases import Case
    from faircall.passes import Passes
    from faircall.types import Verdict

OPTION: Final = "--faircall-min"
MARKER: Final = (
    "faircall(group=None, *, decoder='auto', profile='fair-1', language='python'): "
    "the group that a test's cases are counted in, and how their outputs are read unless a case says otherwise."
)
_SETTINGS: Final = {"decoder": "auto", "profile": "fair-1", "language": "python"}
_PARTS: Final = frozenset({"group", *_SETTINGS})
_CARRIED: Final = "faircall_cases"
"""The attribute of a test's reports that carries its cases, also from a worker process to the controller."""
_RECORDED: Final = pytest.StashKey[list[dict[str, Any]]]()
_CRASHED: Final = "???"
"""The phase of a report that stands for a test whose process died, under pytest-xdist and pytest-forked."""


class CaseRecorder:
    """What the fixture `faircall_case` gives a test: it judges outputs and counts them, and fails nothing."""

    def __init__(self, test: str, settings: dict[str, str], records: list[dict[str, Any]]) -> None:
        self._test = test
        self._settings = settings
        self._records = records
        self._count = 0

    def check(
        self,
        output: Any,
        *,
        tools: Any,
        expected: Sequence[Any] | None,
        decoder: str | None = None,
        profile: str | None = None,
        language: str | None = None,
        id: object = None,  # noqa: A002 - as the field of a case file is called
    ) -> Verdict:
        """Return the verdict on an output, and record it; the test goes on whatever the verdict is.

        The arguments are those of `faircall.check`; the marker's stand in for those that are not given. `id` names
        the case in the summary, which is its number in the test otherwise.
        """
        import msgspec  # noqa: PLC0415 - a suite that records no case loads nothing

        from faircall.cases import Question, record_case  # noqa: PLC0415
        from faircall.profiles import load_profile  # noqa: PLC0415
        from faircall.report.tables import clean  # noqa: PLC0415
        from faircall.report.verdicts import headline  # noqa: PLC0415
        from faircall.scoring import check  # noqa: PLC0415

        switches = load_profile(profile or self._settings["profile"])
        question = Question(
            tools,
            expected,
            decoder or self._settings["decoder"],
            switches.name,
            language or self._settings["language"],
        )
        verdict = check(
            output,
            tools=tools,
            expected=expected,
            decoder=question.decoder,
            profile=switches,
            language=question.language,
        )
        self._count += 1
        case = record_case(
            verdict,
            question,
            test=self._test,
            name=clean(str(self._count if id is None else id)),
            group=self._settings["group"],
            headline=headline(verdict),
        )
        # Plain and clean, so that it travels between processes.
        self._records.append(msgspec.to_builtins(case))
        return verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which too small a share of passing cases fails the run."""
    parser.getgroup("faircall", "tests of tool calls").addoption(
        OPTION,
        metavar="SHARE",
        help="Fail the run if fewer of the judged cases of `faircall_case` pass: a share from 0 to 1.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and what collects the cases, once for all worker processes."""
    config.addinivalue_line("markers", MARKER)
    minimum = _minimum(config.getoption(OPTION))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(config, minimum), "faircall-collector")


def _minimum(text: str | None) -> float | None:
    if text is None:
        return None
    from faircall.errors import UsageError  # noqa: PLC0415
    from faircall.passes import read_share  # noqa: PLC0415

    try:
        return read_share(text, option=OPTION)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture
def faircall_case(request: pytest.FixtureRequest) -> CaseRecorder:
    """Judge outputs with ``faircall_case.check(output, tools=…, expected=…)``, and count them over the whole run."""
    item = request.node
    records: list[dict[str, Any]] = []
    item.stash[_RECORDED] = records
    return CaseRecorder(item.nodeid, _settings_of(item), records)


def _settings_of(item: pytest.Item) -> dict[str, str]:
    """Return the marker's settings, the closest marker's first; without a group, the test stands for one."""
    name = getattr(item, "originalname", None) or item.name
    parent = item.parent.nodeid if item.parent is not None else ""
    settings = {**_SETTINGS, "group": f"{parent}::{name}"}
    for mark in reversed(list(item.iter_markers("faircall"))):
        given = {**dict(zip(("group",), mark.args, strict=False)), **mark.kwargs}
        unknown = sorted(given.keys() - _PARTS)
        if len(mark.args) > 1 or unknown or not all(isinstance(value, str) for value in given.values()):
            what = f", not `{unknown[0]}`" if unknown else ""
            raise pytest.UsageError(
                f"the marker `faircall` takes a group and {', '.join(_SETTINGS)}, all of them text{what}"
            )
        settings.update(given)
    return settings


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget what an earlier run of the same test recorded."""
    if _RECORDED in item.stash:
        del item.stash[_RECORDED]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Return the report with what was recorded: all cases with the last one, and none with the first as a notice."""
    report = yield
    records = item.stash.get(_RECORDED, None)
    if records is not None and call.when != "call":
        setattr(report, _CARRIED, records.copy() if call.when == "teardown" else [])
    return report


class _Collector:
    """Collects the cases of all reports, from this process or from workers, and ends the run with them."""

    def __init__(self, config: pytest.Config, minimum: float | None) -> None:
        self._minimum = minimum
        self._every_worker = config.getoption("dist", "no") == "each"
        self._cases: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._finished: set[tuple[str, str]] = set()
        self._lost: dict[tuple[str, str], str] = {}
        self._ran = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Note that tests are run, and not only listed."""
        option = session.config.getoption
        self._ran = not any(option(name, False) for name in ("collectonly", "setuponly", "setupplan"))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the cases that a report carries; a test that is run again counts by its last run."""
        worker = getattr(getattr(report, "node", None), "gateway", None)
        place = (report.nodeid, str(getattr(worker, "id", "")) if self._every_worker else "")
        phase: str = report.when
        if phase == "setup":
            self._finished.discard(place)
            self._lost.pop(place, None)
        if phase == "teardown":
            self._finished.add(place)
        if phase == _CRASHED and place not in self._finished:
            self._lost[place] = report.nodeid
        carried = getattr(report, _CARRIED, None)
        if carried is not None:
            self._cases[place] = carried

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run where too few cases pass."""
        if self._minimum is None or not self._ran or session.exitstatus != pytest.ExitCode.OK:
            return
        if not self._meets(self._minimum):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the table, what did not pass, and whether it is enough."""
        # A test that uses the fixture has an entry, also where its cases are lost.
        if not self._ran or (self._minimum is None and not self._cases):
            return
        import shutil  # noqa: PLC0415 - a suite that records no case loads nothing

        from faircall.report.cases import MOST_SHOWN, case_lines  # noqa: PLC0415
        from faircall.report.passes import threshold_sentence  # noqa: PLC0415
        from faircall.report.tables import clean  # noqa: PLC0415

        write = terminalreporter.write_line
        terminalreporter.write_sep("=", "faircall")
        width = max(80, shutil.get_terminal_size().columns)
        most = None if terminalreporter.verbosity > 0 else MOST_SHOWN
        for line in case_lines(self._recorded(), width=width, most=most):
            write(line)
        for test in self._lost.values():
            write(clean(f"LOST {test}: its process died; cases that it recorded are not counted"), red=True)
        if self._minimum is not None:
            met = self._meets(self._minimum)
            said = threshold_sentence(self._passes(), self._minimum, option=OPTION)
            write(f"{OPTION}: not met, cases are lost" if self._lost else said, red=not met, green=met)

    def _meets(self, minimum: float) -> bool:
        return not self._lost and self._passes().meets(minimum)

    def _recorded(self) -> list[Case]:
        import msgspec  # noqa: PLC0415

        from faircall.cases import Case  # noqa: PLC0415

        return [msgspec.convert(record, Case) for _, found in sorted(self._cases.items()) for record in found]

    def _passes(self) -> Passes:
        from faircall.passes import count_outcomes  # noqa: PLC0415

        return count_outcomes(record["outcome"] for found in self._cases.values() for record in found)
