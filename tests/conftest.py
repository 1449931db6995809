"""What tests of several rooms share; and tests that could not run are named at the end.

Whatever starts a process says so: by a mark, or by a fixture that asks for the fixture `_process`.
`make check` runs the others, and a test that starts one unsaid fails.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

from tests.bench import Bench

# No test is timed: other work shares the machine.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples every time; `make fuzz` looks for others, and what it finds becomes an example.
settings.register_profile("repeatable", _UNTIMED, derandomize=True)
settings.register_profile("fuzz", _UNTIMED, print_blob=True)
settings.load_profile("fuzz" if os.environ.get("OKSO_FUZZ") else "repeatable")

#: What these tests need can be installed; a kernel feature or root cannot.
_INSTALLABLE = frozenset({"browser", "kernel", "model"})
#: Marks of tests that may start a process, and what Python says when one is started. It says
#: nothing of `multiprocessing` that spawns.
_MAY_START: Final = _INSTALLABLE | {"process"}
_STARTS: Final = frozenset(
    {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"}
)


class _NotRun:
    """Collects the tests that were skipped."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        self.avoidable: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a skipped test with its reason."""
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        self.reasons[report.nodeid] = reason.removeprefix("Skipped: ")
        if _INSTALLABLE & set(report.keywords):
            self.avoidable.append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what was not run, each with its reason."""
        if not self.reasons:
            return
        terminalreporter.section("tests that could not run here")
        for test, reason in self.reasons.items():
            terminalreporter.line(f"{test}: {reason}")
        if self.avoidable and _is_ci():
            count = len(self.avoidable)
            terminalreporter.line(f"CI=true: {count} of them can run on a machine of CI: a failure")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run of CI that left out what it could have run."""
        if self.avoidable and _is_ci() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


class _Started:
    """Hears of every process that is started, and fails a test that did not say that it would."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self._starts = _STARTS  # a hook outlives the names of its module
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event in self._starts:
            self.commands.append(f"{event}{args[:2]!r}")

    def pytest_runtest_logstart(self) -> None:
        """Forget what was started before the test, such as by the import of its file."""
        self.commands = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Fail a test without a mark, its fixtures included, that started a process."""
        yield
        started, self.commands = self.commands, []
        if started and not _MAY_START & {mark.name for mark in item.iter_markers()}:
            pytest.fail(f"it starts a process, so mark it process: {started[0]}", pytrace=False)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by its fixtures."""
    if "_process" in getattr(item, "fixturenames", ()):
        item.add_marker("process")


def pytest_configure(config: pytest.Config) -> None:
    """Watch every run; nobody's own settings and keys are read or written in it."""
    config.pluginmanager.register(_NotRun(), "okso-not-run")
    config.pluginmanager.register(_Started(), "okso-started")
    folder = tempfile.TemporaryDirectory(prefix="okso-config-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_CONFIG_HOME"] = folder.name


def _is_ci() -> bool:
    return os.environ.get("CI", "").lower() == "true"


@pytest.fixture(name="_process", scope="session")
def _process() -> None:
    """Asked for by fixtures that start a process: it marks the tests that use them."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder with a few everyday files, and an empty home."""
    root = tmp_path / "notebook"
    root.mkdir()
    (root / "notes.txt").write_text("buy milk\ncall Ann\n")
    (root / "sales.csv").write_text("product,price\npen,1\ncup,2\n")
    return Bench(root=root, home=tmp_path / "home")
