"""Job: a coroutine in a thread and an event loop of its own, so that whoever waits can leave."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

#: A job that was stopped ends at once, but for a look-up of a name, which no one can interrupt.
_PATIENCE_S: Final = 0.25


class Job:
    """One coroutine under way.

    Args:
        work: What to do; it keeps its own results.
    """

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        self._thread = threading.Thread(target=self._run, name="okso-job", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(asyncio.wait([self._task]))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end, and say whether it came.

        Raises:
            BaseException: What the work raised.
        """
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            return False
        self._task.result()
        return True

    def stop(self) -> None:
        """End the work; everything that it holds open is closed."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # it ended by itself just now, and its loop is closed
                self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join(_PATIENCE_S)
