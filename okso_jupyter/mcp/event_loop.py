"""The event loop of MCP connections: one thread of this process that runs for all of them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")

_LOCK = threading.Lock()
_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}


def submit(work: Coroutine[Any, Any, ResultT]) -> Future[ResultT]:
    """Run a coroutine in the loop's thread; cancelling the future cancels it."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process, started at first use; a forked child gets its own."""
    with _LOCK:
        loop = _LOOPS.get(os.getpid())
        if loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="okso-mcp", daemon=True).start()
            _LOOPS[os.getpid()] = loop
        return loop
