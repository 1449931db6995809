"""The number of threads that this project chooses, against every fixed number, idle and busy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Final

from benchmarks.comparison import question
from benchmarks.conditions import Conditions
from benchmarks.figures import ratio_to_least, spread
from benchmarks.machine import cores
from benchmarks.report import Row
from benchmarks.workers import Worker

_AIM: Final = "<= 1.1"
_TOOLS: Final = 2
_TOKENS: Final = 24
_AUTOMATIC: Final = "automatic"
_LOADED_BUSY: Final = "automatic, loaded while busy"
#: Up to here every count is measured, beyond only powers of two and the number of cores.
_ALL_COUNTS_UP_TO: Final = 4


def measure(conditions: Conditions) -> list[Row]:
    """Measure all thread counts in rounds, first idle, then with one busy process per core.

    Raises:
        WorkerError: A model could not be asked.
    """
    numbers = count(1)
    with ExitStack() as stack:
        fixed = {
            f"{threads} thread(s)": stack.enter_context(
                conditions.own_worker(f"threads-{threads}", LLAMA_THREADS=threads)
            )
            for threads in fixed_counts(cores())
        }
        chosen = {_AUTOMATIC: stack.enter_context(conditions.own_worker("threads-automatic"))}
        rows = _rows("idle", conditions, fixed, chosen, numbers)
        with _busy_cores():
            chosen[_LOADED_BUSY] = stack.enter_context(conditions.own_worker("threads-busy"))
            return rows + _rows("one busy process per core", conditions, fixed, chosen, numbers)


def fixed_counts(most: int) -> list[int]:
    """Return the thread counts to compare with, the largest one included."""
    powers = [2**power for power in range(most.bit_length())]
    return sorted({n for n in range(1, most + 1) if n <= _ALL_COUNTS_UP_TO or n in powers} | {most})


def _rows(
    load: str,
    conditions: Conditions,
    fixed: Mapping[str, Worker],
    chosen: Mapping[str, Worker],
    numbers: Iterator[int],
) -> list[Row]:
    workers = {**fixed, **chosen}
    taken_s: dict[str, list[float]] = {name: [] for name in workers}
    used: dict[str, set[int]] = {name: set() for name in workers}
    for turn in range(conditions.repeat):
        names = list(workers)
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            asked = question(
                next(numbers), conditions.samples, tool_count=_TOOLS, max_tokens=_TOKENS
            )
            answer = workers[name].ask(asked.as_ask(""))
            taken_s[name].append(answer["duration_s"])
            used[name].add(answer["threads"])
    best = [taken_s[name] for name in fixed]
    return [
        Row(
            section=f"threads, {load}",
            what=name,
            value=spread(values),
            unit="s",
            ratio=ratio_to_least(values, best),
            against="the best fixed count",
            aim=_AIM if name in chosen else "",
            note=f"threads: {sorted(used[name])}" if name in chosen else "",
        )
        for name, values in taken_s.items()
    ]


@contextmanager
def _busy_cores() -> Iterator[None]:
    """Keep every core busy with a process of its own."""
    command = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(command) for _ in range(cores())]  # noqa: S603  our own loop
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
