"""Foreign code beside the caller, so that a time-out and Stop are heard."""

from __future__ import annotations

import contextvars
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, ParamSpec, TypeVar

from okso_jupyter.kernel import interrupt

ResultT = TypeVar("ResultT")
Args = ParamSpec("Args")
#: Longest time without a look at whether Stop was pressed.
_TICK_S: Final = 0.05


class DaemonThreads(Executor):
    """Threads that are started as they are needed and used again; they share no waiting line.

    Daemons, because a handler that hangs must not keep the kernel from ending, as the threads of
    a ThreadPoolExecutor do; nor does it keep other work waiting.
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()
        self._closed = threading.Event()

    def submit(
        self, work: Callable[Args, ResultT], /, *args: Args.args, **kwargs: Args.kwargs
    ) -> Future[ResultT]:
        """Run work in a thread that shares the caller's context variables."""
        future: Future[ResultT] = Future()
        future.set_running_or_notify_cancel()
        job = partial(contextvars.copy_context().run, partial(work, *args, **kwargs))
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker(self._idle, self._closed)
            worker.start()
        worker.jobs.put((job, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  the interface's
        """End the threads; one that still works is not waited for, and ends after its work."""
        del wait, cancel_futures
        self._closed.set()
        while self._idle:
            self._idle.pop().jobs.put(None)


class _Worker(threading.Thread):
    """A thread that does one job after another."""

    def __init__(self, idle: deque[_Worker], closed: threading.Event) -> None:
        super().__init__(name="okso-call", daemon=True)
        self.jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._idle, self._closed = idle, closed

    def _is_dismissed(self) -> bool:
        """Say whether no more work will come: it is not so while somebody has just taken it."""
        if not self._closed.is_set():
            return False
        try:
            self._idle.remove(self)
        except ValueError:
            return False
        return True

    def run(self) -> None:
        """Work until told to end."""
        while (job := self.jobs.get()) is not None:
            work, future = job
            try:
                result, error = work(), None
            except BaseException as raised:  # noqa: BLE001  foreign code; what it raises is data
                result, error = None, raised
            # first free, then heard of: who hears of it may have the next job
            self._idle.append(self)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
            del job, work, future, result, error  # idle, it keeps nothing alive
            if self._is_dismissed():
                return


def start(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Run work in a thread of its own."""
    with DaemonThreads() as threads:
        return threads.submit(work)


def result_within(future: Future[ResultT], timeout_s: float) -> ResultT:
    """Return what work in another thread comes to; what it raises goes through.

    Raises:
        TimeoutError: It took longer.
        KeyboardInterrupt: The user stopped the cell.
    """
    end_s = time.monotonic() + timeout_s
    with interrupt.deferred():
        while not future.done() and time.monotonic() < end_s:
            wait([future], timeout=_TICK_S)
            interrupt.raise_if_pending()
        return future.result(timeout=0)
