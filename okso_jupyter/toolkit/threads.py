"""Foreign code beside the caller, so that a time-out and Stop are heard."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

ResultT = TypeVar("ResultT")


def start(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Run work in a daemon thread that shares this one's context variables.

    A daemon, because a handler that hangs must not keep the kernel from ending.
    """
    future: Future[ResultT] = Future()
    variables = contextvars.copy_context()

    def run() -> None:
        try:
            future.set_result(variables.run(work))
        except BaseException as error:  # noqa: BLE001  foreign code; whatever it raises is data
            future.set_exception(error)

    threading.Thread(target=run, name="okso-call", daemon=True).start()
    return future
