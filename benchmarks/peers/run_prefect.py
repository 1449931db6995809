"""prefect: a flow of tasks that do nothing, with the server that it starts for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from prefect import flow, task
from prefect.futures import wait
from prefect.task_runners import ThreadPoolTaskRunner

from benchmarks.serving import Answer, Measure, serve


def _noop() -> str:
    return ""


noop: Any = task(_noop)


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Run one small flow, so that the server is there before anything is measured."""

    def run(count: int, *, chained: bool) -> int:
        futures: list[Any] = []
        for _ in range(count):
            before = futures[-1:] if chained else []
            futures.append(noop.submit(wait_for=before))
        wait(futures)
        return sum(future.state.is_completed() for future in futures)

    steps_of: Any = flow(task_runner=ThreadPoolTaskRunner(max_workers=setup["threads"]))(run)
    steps_of(1, chained=True)

    def measure(ask: Mapping[str, Any]) -> Answer:
        started = time.perf_counter()
        done = steps_of(ask["steps"], chained=ask["shape"] == "chained")
        return {"duration_s": time.perf_counter() - started, "done": done}

    return measure


if __name__ == "__main__":
    serve(prepare, "prefect")
