"""Waiting inside a cell for a widget's answer, and handling widget messages while a cell works.

A cell blocks the thread that would handle a widget's message. So that thread pumps messages while
it waits, and at intervals while it works (see `pump`); on any other thread the main thread stays
free, and waiting for an event is enough.
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
    """The waiting cell was run again."""


_HALT: ContextVar[Future[None] | None] = ContextVar("okso_halt", default=None)

_TICK_S: Final = 0.05


def strategy() -> Strategy:
    """Return how to wait on the current thread.

    "pump" on the kernel's main thread; "event" on another thread, where the main thread stays
    free; "prompt" if neither works and only `input()` can ask.
    """
    kernel = getattr(current_shell(), "kernel", None)
    if kernel is None:
        return "prompt"
    if threading.current_thread() is not threading.main_thread():
        return "event"
    return "pump" if inbox_of(kernel) is not None else "prompt"


def hears_while_awaiting() -> bool:
    """Return whether clicks are handled while a cell awaits: since ipykernel 7.4.

    True without a kernel: a terminal prompt does not need one.
    """
    kernel = getattr(current_shell(), "kernel", None)
    dispatch = getattr(kernel, "dispatch_shell", None)
    return dispatch is None or "concurrent" in inspect.signature(dispatch).parameters


@contextmanager
def ended_by(halt: Future[None]) -> Iterator[None]:
    """End every wait within the block, as Stop does, once the future is done."""
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
    """Return when `done` is set; meanwhile the kernel handles widget messages.

    Args:
        done: Set by a widget's callback.
        timeout_s: Seconds to wait; None waits for ever.
        meanwhile: Called repeatedly during the wait.

    Raises:
        TimeoutError: `done` was not set in time.
        SupersededError: The cell was run again, and its front end now shows that run.
        KeyboardInterrupt: The user stopped the cell; it takes precedence over a simultaneous
            decision.
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
    """Yield a Ticker that handles widget messages while the cell works; None if not possible.

    Raises:
        KeyboardInterrupt: At the end, if `stop` was called and no tick has raised it.
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
    """Handle one message; raise SupersededError if the cell was run again."""
    if pump.is_superseded:
        raise SupersededError
    pump.step()


def _loop(
    done: threading.Event,
    deadline_s: float | None,
    step: Callable[[], object],
    meanwhile: Callable[[], object],
) -> None:
    """Call `step` until `done` is set; raise TimeoutError after the monotonic deadline."""
    halt = _HALT.get()
    while not done.is_set():
        if deadline_s is not None and time.monotonic() >= deadline_s:
            msg = "no decision in time"
            raise TimeoutError(msg)
        if halt is not None and halt.done():
            raise KeyboardInterrupt
        meanwhile()
        step()
