"""Answers one request in a process of its own, for a checkout of another version.

Usage: python answered_apart.py FOLDER REQUEST, with the checkout as the only entry of PYTHONPATH.
Prints one line of JSON; uses only names that version 0.1.0 has too.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from okso_jupyter import Session
from okso_jupyter.errors import OksoError

_SETTINGS = {"PLANNER_SAMPLE_COUNT": 8, "VERBOSITY": 0, "PLANNER_SEED": 1}


def answered(folder: str, request: str) -> dict[str, Any]:
    """Return what became of a request: its answer, how the run ended, plans, points, seconds."""
    start = time.perf_counter()
    with Session(_SETTINGS, root=folder) as session:
        try:
            planning = session.plan(request)
            planning_s = time.perf_counter() - start
            run = session.execute(planning, approve="auto")
        except OksoError:
            return {"planning_s": time.perf_counter() - start}
        plans = {json.dumps([s.to_dict() for s in c.plan.steps]) for c in planning.sampled}
        return {
            "planning_s": planning_s,
            "answer": str(run.answer or ""),
            "state": run.state,
            "distinct": len(plans),
            "score": planning.chosen.scorecard.score,
        }


if __name__ == "__main__":
    print(json.dumps(answered(*sys.argv[1:])))
