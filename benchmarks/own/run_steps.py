"""This project's executor: steps that do nothing, approved, run and kept in the journal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from benchmarks.serving import Answer, Measure, serve
from okso_jupyter import Session, Tool


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Open a session with one tool."""
    noop = Tool.from_schema(
        "noop", "Do nothing.", {"type": "object", "properties": {}}, lambda: "", effect="none"
    )
    session = Session(setup["settings"], tools=[noop], root=setup["root"])

    def measure(ask: Mapping[str, Any]) -> Answer:
        plan = _plan(ask["steps"], ask["shape"])
        started = time.perf_counter()
        run = session.execute(plan, approve="auto")
        duration_s = time.perf_counter() - started
        done = sum(seen.status == "completed" for seen in run.steps_seen)
        return {"duration_s": duration_s, "done": done, "records": len(run.records)}

    return measure


def _plan(steps: int, shape: str) -> dict[str, Any]:
    """Return a plan whose steps wait for each other, or for nothing."""
    more: list[dict[str, Any]] = [
        {"parallel": True} if shape == "fanned out" else {"depends_on": [step]} if step else {}
        for step in range(steps)
    ]
    return {"steps": [{"id": step + 1, "tool": "noop", **more[step]} for step in range(steps)]}


if __name__ == "__main__":
    serve(prepare, "okso-jupyter")
