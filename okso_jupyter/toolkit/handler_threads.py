"""Threads for foreign code, so that the caller can react to time-outs and to Stop."""

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
#: Longest interval in seconds between checks for Stop.
_TICK_S: Final = 0.05


class DaemonThreads(Executor):
    """Executor whose threads are started on demand and reused; it has no shared queue.

    The threads are daemons: unlike those of a ThreadPoolExecutor, a handler that hangs keeps
    neither the kernel from exiting nor other work waiting.
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()
        self._closed = threading.Event()

    def submit(
        self, work: Callable[Args, ResultT], /, *args: Args.args, **kwargs: Args.kwargs
    ) -> Future[ResultT]:
        """Run work in a thread with a copy of the caller's context variables."""
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
        """Stop the threads; one that is busy is not waited for and ends after its work."""
        del wait, cancel_futures
        self._closed.set()
        while self._idle:
            self._idle.pop().jobs.put(None)


class _Worker(threading.Thread):
    """A thread that runs jobs one after another."""

    def __init__(self, idle: deque[_Worker], closed: threading.Event) -> None:
        super().__init__(name="okso-call", daemon=True)
        self.jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._idle, self._closed = idle, closed

    def _is_dismissed(self) -> bool:
        """Return whether no more work will come; false if a job has just been assigned."""
        if not self._closed.is_set():
            return False
        try:
            self._idle.remove(self)
        except ValueError:
            return False
        return True

    def run(self) -> None:
        """Run jobs until stopped."""
        while (job := self.jobs.get()) is not None:
            work, future = job
            try:
                result, error = work(), None
            except BaseException as raised:  # noqa: BLE001  foreign code; what it raises is data
                result, error = None, raised
            # idle first: a caller that sees the result may submit the next job at once
            self._idle.append(self)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
            del job, work, future, result, error  # an idle thread must not keep objects alive
            if self._is_dismissed():
                return


def start(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Run work in a new thread."""
    with DaemonThreads() as threads:
        return threads.submit(work)


def result_within(future: Future[ResultT], timeout_s: float) -> ResultT:
    """Return the result of work in another thread; its exceptions are raised here.

    Raises:
        TimeoutError: It is not done after `timeout_s` seconds.
        KeyboardInterrupt: The user stopped the cell.
    """
    end_s = time.monotonic() + timeout_s
    with interrupt.deferred():
        while not future.done() and time.monotonic() < end_s:
            wait([future], timeout=_TICK_S)
            interrupt.raise_if_pending()
        return future.result(timeout=0)
