"""Waiting inside a cell until a widget has answered, and hearing widgets while a cell works.

A cell blocks the thread that would handle a widget's message. So that thread becomes a pump for as
long as it waits, and now and then while it works (see `pump`); on any other thread the main one
stays free, and an event does.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal

from okso_jupyter.errors import ApprovalError
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import current_shell
from okso_jupyter.kernel.pump import Pump, Ticker, inbox_of, pumping

Strategy = Literal["pump", "event", "prompt"]


class SupersededError(Exception):
    """The cell that waits was run once more."""


_HALT: ContextVar[Future[None] | None] = ContextVar("okso_halt", default=None)

_TICK_S: Final = 0.05


def strategy() -> Strategy:
    """Say how a wait would be done here and now.

    "pump" on the kernel's main thread; "event" on another one, whose main thread stays free;
    "prompt" where neither works, so that only `input()` can ask.
    """
    kernel = getattr(current_shell(), "kernel", None)
    if kernel is None:
        return "prompt"
    if threading.current_thread() is not threading.main_thread():
        return "event"
    return "pump" if inbox_of(kernel) is not None else "prompt"


def hears_while_awaiting() -> bool:
    """Say whether clicks are heard while a cell awaits: ipykernel 7.4 hands them on, older do not.

    True where there is no kernel: a terminal's input field needs none.
    """
    kernel = getattr(current_shell(), "kernel", None)
    dispatch = getattr(kernel, "dispatch_shell", None)
    return dispatch is None or "concurrent" in inspect.signature(dispatch).parameters


@contextmanager
def ended_by(halt: Future[None]) -> Iterator[None]:
    """Let every wait within the block end, as by Stop, once the future is done."""
    token = _HALT.set(halt)
    try:
        yield
    finally:
        _HALT.reset(token)


def wait_until(
    done: threading.Event,
    timeout_s: float | None,
    *,
    meanwhile: Callable[[], object] = lambda: None,
) -> None:
    """Return when `done` is set, while the kernel goes on handling widget messages.

    Args:
        done: Set by a widget's callback.
        timeout_s: Seconds to wait; None waits for ever.
        meanwhile: Called again and again during the wait.

    Raises:
        TimeoutError: `done` was not set in time.
        SupersededError: The cell was run once more, and its front end shows that run now.
        KeyboardInterrupt: The user stopped the cell; it wins over a decision of that moment.
        ApprovalError: This kernel offers no way to wait for a widget.
    """
    way = strategy()
    if way == "prompt":
        msg = "this kernel cannot wait for a form inside a cell"
        raise ApprovalError(msg, hint="name a policy: --yes, or --approve auto|deny")
    deadline_s = None if timeout_s is None else time.monotonic() + timeout_s
    if way == "event":
        _loop(done, deadline_s, lambda: done.wait(_TICK_S), meanwhile)
        return
    with interrupt.deferred(), pumping(current_shell().kernel) as pump:
        _loop(done, deadline_s, lambda: _step(pump), meanwhile)
        pump.check_stopped()


@contextmanager
def ticking() -> Iterator[Ticker | None]:
    """Lend what has widget messages handled while the cell works; None where that cannot be.

    Raises:
        KeyboardInterrupt: At the end, if `stop` was called and no tick has said so.
    """
    way = strategy()
    if way == "pump":
        with pumping(current_shell().kernel) as pump:
            yield pump
            pump.check_stopped()
    elif way == "event":
        ticker = Ticker()
        yield ticker
        ticker.check_stopped()
    else:
        yield None


def _step(pump: Pump) -> None:
    """Handle one message; SupersededError once the cell was run again."""
    if pump.is_superseded:
        raise SupersededError
    pump.step()


def _loop(
    done: threading.Event,
    deadline_s: float | None,
    step: Callable[[], object],
    meanwhile: Callable[[], object],
) -> None:
    """Step until `done` is set; TimeoutError after the deadline of the monotonic clock."""
    halt = _HALT.get()
    while not done.is_set():
        if deadline_s is not None and time.monotonic() >= deadline_s:
            msg = "no decision in time"
            raise TimeoutError(msg)
        if halt is not None and halt.done():
            raise KeyboardInterrupt
        meanwhile()
        step()
