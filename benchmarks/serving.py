"""The worker's side: JSON lines in, JSON lines out, over the standard streams.

Only the standard library is used here, since peers import it in environments of their own.
The first line says how to set up; each line after it is one thing to measure.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

Answer = dict[str, Any]
Measure = Callable[[Mapping[str, Any]], Answer]


def serve(prepare: Callable[[Mapping[str, Any]], Measure], *libraries: str) -> None:
    """Set up, then measure what is asked for until the input ends.

    Args:
        prepare: Gets the set-up, loads what is needed and returns what measures.
        libraries: Distributions whose versions are reported.
    """
    # What a library prints must not get between the lines: the stream is moved out of its way.
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        started = time.perf_counter()
        measure = prepare(json.loads(sys.stdin.readline()))
        _write(
            answers,
            {
                "setup_s": time.perf_counter() - started,
                "versions": {name: version(name) for name in libraries},
            },
        )
        for line in sys.stdin:
            used_s = time.process_time()
            answer = measure(json.loads(line))
            more = {"cpu_s": time.process_time() - used_s, "peak_rss_bytes": _peak_rss_bytes()}
            _write(answers, {**answer, **more})


def _write(stream: Any, answer: Answer) -> None:  # noqa: ANN401  a text stream
    stream.write(json.dumps(answer) + "\n")
    stream.flush()


def timed_texts(ask: Mapping[str, Any], write: Callable[[int], str]) -> Answer:
    """Have one text written per seed, one after another, and say how long all of them took.

    Args:
        ask: What is asked; its `seeds` are used.
        write: Gets a seed and returns a text.
    """
    started = time.perf_counter()
    texts = [write(seed) for seed in ask["seeds"]]
    return {"duration_s": time.perf_counter() - started, "texts": texts}


def _peak_rss_bytes() -> int:
    """Return the most memory that this process has held so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
