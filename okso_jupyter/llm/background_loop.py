"""BackgroundLoop: runs a coroutine in a thread with its own event loop; the caller may leave it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

#: Name of the threads.
THREAD: Final = "okso-job"
#: A stopped job ends at once, except during a DNS lookup, which cannot be interrupted.
_PATIENCE_S: Final = 0.25


class BackgroundLoop:
    """One running coroutine.

    Args:
        work: The coroutine; it stores its own results.
    """

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        # Not Thread.join: interrupted, it takes a running thread for an ended one.
        self._ended = threading.Event()
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(asyncio.wait([self._task]))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()
            self._ended.set()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end; return whether the work ended in time.

        Raises:
            BaseException: What the work raised.
        """
        if not self._ended.wait(timeout_s):
            return False
        self._task.result()
        return True

    def stop(self) -> None:
        """Cancel the work if it is still running; everything that it holds open is closed."""
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._ended.wait(_PATIENCE_S)
