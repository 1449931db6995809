"""The limit: a bare ThreadPoolExecutor that calls a function which does nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from benchmarks.serving import Answer, Measure, serve


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Start as many threads as everybody else has."""
    threads = ThreadPoolExecutor(setup["threads"])

    def measure(ask: Mapping[str, Any]) -> Answer:
        started = time.perf_counter()
        if ask["shape"] == "chained":
            done = [threads.submit(_noop).result() for _ in range(ask["steps"])]
        else:
            futures = [threads.submit(_noop) for _ in range(ask["steps"])]
            wait(futures)
            done = [future.result() for future in futures]
        return {"duration_s": time.perf_counter() - started, "done": len(done)}

    return measure


def _noop() -> str:
    return ""


if __name__ == "__main__":
    serve(prepare)
