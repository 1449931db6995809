"""Foreign code beside the caller, so that a time-out and Stop are heard."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import ParamSpec, TypeVar

ResultT = TypeVar("ResultT")
Args = ParamSpec("Args")


class DaemonThreads(Executor):
    """A thread of its own for each piece of work; it shares the caller's context variables.

    Daemons, because a handler that hangs must not keep the kernel from ending, as the threads of
    a ThreadPoolExecutor do; nor does it take the place of another one's work.
    """

    def submit(
        self, work: Callable[Args, ResultT], /, *args: Args.args, **kwargs: Args.kwargs
    ) -> Future[ResultT]:
        """Run work in a thread of its own and return its future."""
        future: Future[ResultT] = Future()
        variables = contextvars.copy_context()

        def run() -> None:
            try:
                future.set_result(variables.run(partial(work, *args, **kwargs)))
            except BaseException as error:  # noqa: BLE001  foreign code; what it raises is data
                future.set_exception(error)

        future.set_running_or_notify_cancel()
        threading.Thread(target=run, name="okso-call", daemon=True).start()
        return future


def start(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Run work in a thread of its own."""
    return DaemonThreads().submit(work)
