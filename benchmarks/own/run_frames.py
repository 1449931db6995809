"""A run's trace as a DataFrame: from this project's journal, and by pandas from JSON lines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.serving import Answer, Measure, serve
from okso_jupyter import Session
from okso_jupyter.journal.events import read_event
from okso_jupyter.journal.store import Journal, now

_RUN = "many-spans"


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Write the rows into a journal and into a file of JSON lines, unless they are there."""
    home = Path(setup["home"])
    file = home / "trace.jsonl"
    if not file.exists():
        spans = [_span(number) for number in range(1, setup["rows"] + 1)]
        journal = Journal(home)
        for span in spans:
            journal.append(_RUN, read_event("span", span))
        journal.close()
        file.write_text("".join(f"{json.dumps(span)}\n" for span in spans), "utf-8")
    session = Session({"OKSO_HOME": str(home)})
    ways: Mapping[str, Callable[[], pd.DataFrame]] = {
        "journal": lambda: session.load_run(_RUN).trace,
        "pandas": lambda: pd.read_json(file, lines=True),
    }

    def measure(ask: Mapping[str, Any]) -> Answer:
        started = time.perf_counter()
        rows = len(ways[ask["way"]]())
        return {"duration_s": time.perf_counter() - started, "rows": rows}

    return measure


def _span(number: int) -> dict[str, Any]:
    return {
        "span_id": f"{number:04d}",
        "parent_id": "0001" if number > 1 else "",
        "name": "execute_tool",
        "started_at": now(),
        "duration_s": number / 1e6,
        "status": "ok",
        "attributes": {"step_id": number, "tool": "file_read", "attempt": 1},
    }


if __name__ == "__main__":
    serve(prepare, "okso-jupyter", "pandas")
