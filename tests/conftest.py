"""Shared fixtures and hooks; tests that could not run are listed at the end.

A test that starts a process declares it by a mark, or by a fixture that uses the fixture
`_process`; one of others, such as a database server, by the mark `peer` or the fixture `_peer`.
`make check` runs the tests without such a mark, `make test` all but those of peers. A test that
starts a process without declaring it fails.
"""

from __future__ import annotations

import atexit
import gc
import os
import pkgutil
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psutil
import pytest
from hypothesis import HealthCheck, settings

from okso_jupyter.jsonschema_import import load_jsonschema
from okso_jupyter.log import LOGGER
from tests.shared_states import STATES

if TYPE_CHECKING:
    from tests.bench import Bench
    from tests.browser_lab import BrowserLab

# As a session leaves it, and so in every test: pytest hears the loggers that do not propagate when
# a test begins.
LOGGER.propagate = False

# Before nbformat imports it, which would build a grammar for seconds.
load_jsonschema()

# No test is timed: other work shares the machine.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples every time; `make fuzz` looks for others, and what it finds becomes an example.
settings.register_profile("repeatable", _UNTIMED, derandomize=True)
settings.register_profile("fuzz", _UNTIMED, print_blob=True)
# The first of them, for `make check`; `make test` tries all.
settings.register_profile("few", _UNTIMED, derandomize=True, max_examples=10)
settings.load_profile(os.environ.get("OKSO_EXAMPLES") or "repeatable")

# To look for garbage as often as Python does took a seventh of a run.
gc.set_threshold(100_000, 20, 100)
# And at the end, where Python looks for it several times while it takes its modules apart.
atexit.register(gc.freeze)

#: The marks of a whole file; a selection that leaves out some marks, as `make check` does, and one
#: of a mark that tests or their fixtures name in their own file, as `make test` does.
_FILE_MARKS: Final = re.compile(r"^pytestmark = .*?\n\n", re.MULTILINE | re.DOTALL)
_LEAVES_OUT: Final = re.compile(r"not (?:\w+|\(\w+(?: or \w+)*\))")
_WANTS: Final = re.compile(r"(model|peer)(?: and not \w+)?")

#: What these tests need can be installed; a kernel feature or root cannot.
_INSTALLABLE = frozenset({"browser", "kernel", "model"})
#: Marks of tests that may start a process, and what Python says when one is started. It says
#: nothing of `multiprocessing` that spawns.
_MAY_START: Final = _INSTALLABLE | {"process"}
_STARTS: Final = frozenset(
    {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"}
)
#: The servers and programs of others that tests start, as their command lines name them.
_PEERS: Final = re.compile(
    r"\b(?:dovecot|initdb|khal|mcp_server_(?:git|time)|notmuch|postgres|radicale|"
    r"server-(?:everything|filesystem)|todoman|vdirsyncer)\b"
)

#: The waits before another try; each is a function from a state of tenacity to seconds.
_WAITS: Final = ("okso_jupyter.execution.attempts._BACKOFF", "okso_jupyter.llm.exchange._BACKOFF")
_Wait = Callable[[Any], float]

#: A file system in memory, where tests write if it has room for all that they write: a journal
#: waits for its disk after each record.
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  pytest makes a private folder in it
_WRITTEN_BYTES: Final = 4 << 30


class _NotRun:
    """A plugin that collects the skipped tests."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        self.avoidable: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a skipped test with its reason."""
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        self.reasons[report.nodeid] = reason.removeprefix("Skipped: ")
        if _INSTALLABLE & set(report.keywords):
            self.avoidable.append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the skipped tests, each with its reason."""
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
        """Fail a CI run that skipped tests which can run in CI."""
        if self.avoidable and _is_ci() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


class _Started:
    """A plugin that fails a test which starts a process without declaring it."""

    def __init__(self) -> None:
        commands: list[str] = []
        starts = _STARTS  # a hook outlives the names of its module

        # Python calls it at each import, opened file and much else.
        def hear(event: str, args: tuple[Any, ...]) -> None:
            if event in starts:
                commands.append(f"{event}{args[:2]!r}")

        self._commands = commands
        sys.addaudithook(hear)

    def pytest_runtest_logstart(self) -> None:
        """Forget processes started before the test, such as by the import of its file."""
        self._commands.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Fail an unmarked test that started a process, also if a fixture started it."""
        yield
        started = self._commands.copy()
        self._commands.clear()
        marks = {mark.name for mark in item.iter_markers()}
        if started and not _MAY_START & marks:
            pytest.fail(f"it starts a process, so mark it process: {started[0]}", pytrace=False)
        peers = [command for command in started if _PEERS.search(command)]
        if peers and "peer" not in marks:
            pytest.fail(f"it starts a peer, so mark it peer: {peers[0]}", pytrace=False)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file, with all that it imports, none of whose tests can be selected."""
    selection = config.option.markexpr
    if not selection or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text("utf-8")
    if wanted := _WANTS.fullmatch(selection):
        return None if re.search(rf"\b(?:mark\.|_){wanted[1]}\b", text) else True
    if not _LEAVES_OUT.fullmatch(selection):
        return None
    marks = _FILE_MARKS.search(text)
    names = re.findall(r"\bmark\.(\w+)", marks[0]) if marks else []
    return True if set(names) & set(re.findall(r"\w+", selection)) else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test that uses the fixture `_process` or `_peer`; one with a model shares states."""
    names: list[str] = getattr(item, "fixturenames", [])
    for mark in {"_process", "_peer"} & set(names):
        item.add_marker(mark.removeprefix("_"))
    if item.get_closest_marker("model"):
        names.insert(0, "_shared_states")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser first, and those that are long, or share what is, at a third.

    Each of three workers begins at a third of the list, and one without tests takes some from the
    end of the list of another. So one worker runs the tests in a browser, and starts one browser;
    another one begins with the long ones, of which each would end alone if it were run last.
    """
    browser = [item for item in items if item.get_closest_marker("browser")]
    long = [item for item in items if item.get_closest_marker("long")]
    first = {*browser, *long}
    others = [item for item in items if item not in first]
    third = max(0, len(items) // 3 - len(browser))
    items[:] = [*browser, *others[:third], *long, *others[third:]]


def pytest_collection_finish() -> None:
    """Look at nothing for garbage that was made until now: it lives to the end."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugins and isolate the run from the user's settings and keys."""
    config.pluginmanager.register(_NotRun(), "okso-not-run")
    config.pluginmanager.register(_Started(), "okso-started")
    folder = tempfile.TemporaryDirectory(prefix="okso-config-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_CONFIG_HOME"] = folder.name
    # of all workers, which inherit it
    os.environ.setdefault(STATES, str(Path(folder.name, "prompt-states")))
    if _has_room(_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
    # A script's background job ignores SIGINT, and so would each run that a test stops.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _has_room(folder: Path) -> bool:
    """Return whether tests can write into a folder in memory, and run what they write."""
    if not folder.is_dir():
        return False
    system = os.statvfs(folder)
    return (
        not system.f_flag & os.ST_NOEXEC
        and system.f_bavail * system.f_frsize > _WRITTEN_BYTES
        and psutil.virtual_memory().available > 2 * _WRITTEN_BYTES
    )


def _is_ci() -> bool:
    return os.environ.get("CI", "").lower() == "true"


@pytest.fixture(name="_shorter_waits", scope="session", autouse=True)
def _shorten_waits() -> Iterator[None]:
    """Another try follows a transient failure fifty times as fast as for users."""
    with pytest.MonkeyPatch.context() as patch:
        for name, whole in _whole_waits().items():
            patch.setattr(name, _shorter(whole))
        yield


@pytest.fixture(name="_shared_states")
def _share_states() -> Iterator[None]:
    """Models of this process find the beginning of a prompt computed, as those of a user do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("okso_jupyter.llm.llama._STATES", os.environ[STATES])
        yield


@pytest.fixture(name="_browser_ends", scope="session", autouse=True)
def _browser_ends() -> Iterator[None]:
    """End the browser and the server that tests share, if any test started them."""
    yield
    if shared := sys.modules.get("tests.shared_browser"):
        shared.end()


@pytest.fixture
def whole_waits(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, _Wait]:
    """The waits before another try, by where they are; the test has them as users do."""
    for name, whole in _whole_waits().items():
        monkeypatch.setattr(name, whole)
    return _whole_waits()


@cache
def _whole_waits() -> Mapping[str, _Wait]:
    return {name: pkgutil.resolve_name(name) for name in _WAITS}


def _shorter(whole: _Wait) -> _Wait:
    return lambda state: whole(state) / 50


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserLab]:
    """A page of JupyterLab that the tests of a file share; each begins anew on it."""
    # Not before the workers start, nor where there is no browser.
    from tests.browser_lab import BrowserLab  # noqa: PLC0415

    with BrowserLab(tmp_path_factory.mktemp("lab"), [""]) as running:
        yield running


@pytest.fixture(name="_process", scope="session")
def _process() -> None:
    """A fixture for fixtures that start a process; it marks the tests that use them."""


@pytest.fixture(name="_peer", scope="session")
def _peer(_process: None) -> None:
    """A fixture for fixtures that start a peer; it marks the tests that use them."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench with a few ordinary files in its folder and an empty home."""
    # Not before the workers start: it imports the whole session.
    from tests.bench import Bench  # noqa: PLC0415

    return Bench.within(tmp_path)
