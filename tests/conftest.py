"""What every test has: a command as people give it. Hypothesis measures no time: a busy machine is nobody's fault.

With CI=true nothing is skipped in silence: a test or a file that skips itself fails, unless `.ci/limitations.toml`
lists it. Which files were collected is written down for the gate, which fails for a file that nobody collects.
"""

import os
from collections import Counter
from collections.abc import Callable, Generator
from importlib.metadata import version
from pathlib import Path

import pytest
from gate import collected
from gate.parts import read_limitations
from hypothesis import settings

from controller.cli import main
from tests.long_tests import mark_long_tests
from tests.notation.collector import StoryCollector

settings.register_profile("project", deadline=None)
settings.load_profile("project")

IN_CI = os.environ.get("CI") == "true"
LISTED = tuple(limitation.where for limitation in read_limitations())


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command; return status, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> StoryCollector | None:
    """Collect files of stories; those that only others use have no story."""
    return StoryCollector.from_parent(parent, path=file_path) if file_path.suffix == ".scn" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take long, before any are selected by their marks."""
    mark_long_tests(items)


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not IN_CI or report.outcome != "skipped" or hasattr(report, "wasxfail") or report.nodeid.startswith(LISTED):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"with CI=true nothing is skipped in silence: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that skips itself."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a file that skips itself."""
    report = yield
    _refuse_skip(report)
    return report


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write down which files have a test in this run."""
    if IN_CI:
        collected.write(f"{os.getpid()}", {item.nodeid.partition("::")[0] for item in session.items})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many hands and pots were compared with PokerKit's."""
    counts: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", ()):
        for key, number in report.user_properties:
            if key.startswith("pokerkit_"):
                counts[key] += number
    if counts:
        said = ", ".join(f"{number:,} {key.removeprefix('pokerkit_')}" for key, number in sorted(counts.items()))
        terminalreporter.write_line(f"compared with PokerKit {version('pokerkit')}: {said}")
