"""This project as a user meets it: a session with its own tools that plans requests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from benchmarks.serving import Answer, Measure, serve
from okso_jupyter import Session


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Open a session and load its model."""
    session = Session(setup["settings"], root=setup["root"])
    model = session.model("planner")

    def measure(ask: Mapping[str, Any]) -> Answer:
        started = time.perf_counter()
        planning = session.plan(ask["request"], samples=ask["samples"], seed=1)
        return {
            "duration_s": time.perf_counter() - started,
            "candidates": len(planning.sampled),
            "unusable": len(planning.unusable),
            "tokens": sum(candidate.output_tokens for candidate in planning.sampled),
            "threads": model.identity.threads,
            "tools": len(session.tools),
        }

    return measure


if __name__ == "__main__":
    serve(prepare, "okso-jupyter", "llama-cpp-python", "llguidance")
