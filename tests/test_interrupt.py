"""Stop by real signals: deferred, raised when pending, let through, and never lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from okso_jupyter.kernel import interrupt


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt before and after each test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def press() -> None:
    """Press Stop."""
    signal.raise_signal(signal.SIGINT)


def held() -> ExitStack:
    """Start to defer Stop; `close` ends it."""
    block = ExitStack()
    block.enter_context(interrupt.deferred())
    return block


def test_a_deferred_press_is_raised_at_the_end() -> None:
    """The block runs to its end before KeyboardInterrupt is raised."""
    block = held()
    press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_a_pending_press_is_raised_once() -> None:
    """One press causes one KeyboardInterrupt, at `raise_if_pending`."""
    with interrupt.deferred():
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupt.raise_if_pending()
        interrupt.raise_if_pending()


def test_nothing_is_raised_without_a_press() -> None:
    """Without a press, deferring and checking raise nothing."""
    with interrupt.deferred():
        interrupt.raise_if_pending()
    interrupt.raise_if_pending()


def test_the_outermost_block_raises() -> None:
    """The end of an inner block does not raise; the end of the outermost block does."""
    block = held()
    with interrupt.deferred():
        press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_an_error_does_not_hide_a_press() -> None:
    """If the block fails after a press, KeyboardInterrupt is raised in place of the error."""
    error = ValueError("something else")
    block = held()
    press()
    with pytest.raises(KeyboardInterrupt):
        block.__exit__(type(error), error, None)


def test_a_press_during_a_finalizer_is_not_lost() -> None:
    """A press where Python cannot raise stays pending and is raised afterwards."""

    class Finalized:
        def __del__(self) -> None:
            press()

    with interrupt.deferred():
        one = Finalized()
        del one
        with pytest.raises(KeyboardInterrupt):
            interrupt.raise_if_pending()


def test_foreign_code_is_stopped_at_once() -> None:
    """A press in code that is let through raises KeyboardInterrupt there, once."""
    with interrupt.deferred():
        with interrupt.let_through(), pytest.raises(KeyboardInterrupt):
            press()
        interrupt.raise_if_pending()


def test_a_pending_press_prevents_foreign_code_from_starting() -> None:
    """After a press, entering `let_through` raises KeyboardInterrupt."""
    with interrupt.deferred():
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupt.let_through().__enter__()


def test_deferring_continues_after_foreign_code() -> None:
    """It continues even if the foreign code defers Stop itself."""
    block = held()
    with interrupt.let_through(), interrupt.deferred():
        pass
    press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_a_later_press_raises_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing reacts, a press more than a second after the first raises at once."""
    moments = iter([10.0, 10.5, 11.5])
    # Not the clock of the whole process: threads of pytest-xdist read that one meanwhile.
    monkeypatch.setattr(interrupt, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    with interrupt.deferred():
        press()
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_an_ignored_sigint_stays_ignored() -> None:
    """As under nohup, nothing is deferred and nothing is raised."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupt.deferred():
            press()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            interrupt.raise_if_pending()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_user_is_restored() -> None:
    """It is called for a press after the block and for one that is let through."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        with interrupt.deferred(), interrupt.let_through():
            press()
        press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT, signal.SIGINT]


def test_other_threads_do_not_handle_stop() -> None:
    """A press is for the main thread, whatever other threads do meanwhile."""

    def work() -> bool:
        with interrupt.deferred():
            interrupt.raise_if_pending()
            with interrupt.let_through():
                return threading.current_thread() is not threading.main_thread()

    block = held()
    press()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result()
    with pytest.raises(KeyboardInterrupt):
        block.close()


#: Presses Stop, once, in the middle of the import of a package that a session needs.
PRESSING = """
import signal, sys
import okso_jupyter

class Presser:
    def find_spec(self, name, path=None, target=None):
        if name == "jsonschema.validators":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Presser())
try:
    okso_jupyter.Session({"OKSO_HOME": "."})
except KeyboardInterrupt:
    print("stopped")
okso_jupyter.Session({"OKSO_HOME": "."})
print("done")
"""


@pytest.mark.process
def test_an_import_is_completed_before_stop(tmp_path: Path) -> None:
    """Stop is raised after the import: a half-imported package would stay broken."""
    command = [sys.executable, "-c", PRESSING]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603  our own code
    assert (ran.stdout, ran.returncode) == ("stopped\ndone\n", 0), ran.stderr
