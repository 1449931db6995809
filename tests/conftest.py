"""What tests of several rooms share; and tests that could not run are named at the end."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

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


def pytest_configure(config: pytest.Config) -> None:
    """Watch every run; nobody's own settings and keys are read or written in it."""
    config.pluginmanager.register(_NotRun(), "okso-not-run")
    folder = tempfile.TemporaryDirectory(prefix="okso-config-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_CONFIG_HOME"] = folder.name


def _is_ci() -> bool:
    return os.environ.get("CI", "").lower() == "true"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder with a few everyday files, and an empty home."""
    root = tmp_path / "notebook"
    root.mkdir()
    (root / "notes.txt").write_text("buy milk\ncall Ann\n")
    (root / "sales.csv").write_text("product,price\npen,1\ncup,2\n")
    return Bench(root=root, home=tmp_path / "home")
