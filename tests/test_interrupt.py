"""Stop by real signals: held, heeded, let through, and never lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from okso_jupyter.kernel import interrupt


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, before and after each test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def press() -> None:
    """Press Stop."""
    signal.raise_signal(signal.SIGINT)


def held() -> ExitStack:
    """Begin to hold; `close` ends it."""
    block = ExitStack()
    block.enter_context(interrupt.deferred())
    return block


def test_what_is_held_is_raised_at_the_end() -> None:
    """The block runs to its end first."""
    block = held()
    press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_what_is_heeded_is_raised_there_and_not_again() -> None:
    """One press is one KeyboardInterrupt."""
    with interrupt.deferred():
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupt.raise_if_pending()
        interrupt.raise_if_pending()


def test_nothing_is_raised_without_a_press() -> None:
    """Holding and heeding alone do nothing."""
    with interrupt.deferred():
        interrupt.raise_if_pending()
    interrupt.raise_if_pending()


def test_the_outermost_block_raises() -> None:
    """A block within a block holds on."""
    block = held()
    with interrupt.deferred():
        press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_an_error_does_not_hide_a_press() -> None:
    """What comes of the error comes after Stop: nothing goes on."""
    error = ValueError("something else")
    block = held()
    press()
    with pytest.raises(KeyboardInterrupt):
        block.__exit__(type(error), error, None)


def test_a_press_that_a_finalizer_swallows_is_heeded_all_the_same() -> None:
    """Where Python cannot raise, the press is not lost."""

    class Finalized:
        def __del__(self) -> None:
            press()

    with interrupt.deferred():
        one = Finalized()
        del one
        with pytest.raises(KeyboardInterrupt):
            interrupt.raise_if_pending()


def test_foreign_code_is_stopped_at_once() -> None:
    """What heeds nothing gets the exception, where it is let through."""
    with interrupt.deferred():
        with interrupt.let_through(), pytest.raises(KeyboardInterrupt):
            press()
        interrupt.raise_if_pending()


def test_a_press_before_foreign_code_keeps_it_from_starting() -> None:
    """Who has stopped a cell is not asked anything more."""
    with interrupt.deferred():
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupt.let_through().__enter__()


def test_holding_goes_on_behind_foreign_code() -> None:
    """Also where the foreign code holds something itself."""
    block = held()
    with interrupt.let_through(), interrupt.deferred():
        pass
    press()
    with pytest.raises(KeyboardInterrupt):
        block.close()


def test_a_second_press_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something heeds nothing: after a second of patience the next press ends it."""
    moments = iter([10.0, 10.5, 11.5])
    monkeypatch.setattr(time, "monotonic", lambda: next(moments))
    with interrupt.deferred():
        press()
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_a_user_who_ignores_sigint_is_left_alone() -> None:
    """As under nohup: nothing is held, and nothing raised."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupt.deferred():
            press()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            interrupt.raise_if_pending()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_user_comes_back() -> None:
    """It gets what comes after the block, and what is let through."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        with interrupt.deferred(), interrupt.let_through():
            press()
        press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT, signal.SIGINT]


def test_other_threads_hold_and_heed_nothing() -> None:
    """A press is for the main thread, whatever the others do meanwhile."""

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
def test_a_package_is_imported_to_its_end(tmp_path: Path) -> None:
    """Stop comes after that: what is half imported would be broken until the kernel restarts."""
    command = [sys.executable, "-c", PRESSING]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603  our own code
    assert (ran.stdout, ran.returncode) == ("stopped\ndone\n", 0), ran.stderr
