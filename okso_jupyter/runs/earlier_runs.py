"""This kernel's earlier runs: a summary for the prompt (PLAN_CLEAR_CONTEXT), and the last query."""

from __future__ import annotations

import hashlib
import os
from typing import Final

from okso_jupyter import assets
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.store import Journal, now
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL
from okso_jupyter.results import Run, read_run
from okso_jupyter.tables.query import Query

#: Start of this process: earlier records with its id belong to another process.
BEGUN: Final = now()
_MOST_RUNS: Final = 3
_REQUEST_CHARS: Final = 200
_ANSWER_CHARS: Final = 300


def earlier_runs(journal: Journal, run_id: str) -> str:
    """Return the last few runs of this process as text, the newest last; empty without any.

    The journal holds no secrets. The text stands between marks with its hash, so that output of
    tools within it cannot forge them.

    Args:
        journal: The journal.
        run_id: The run that is being planned, which is left out.
    """
    ours = [
        record.run_id
        for record, started in journal.first_of_each(RunStarted)
        if started.process_id == os.getpid() and record.at >= BEGUN and record.run_id != run_id
    ]
    summaries = "\n".join(_summary(journal, earlier) for earlier in reversed(ours[:_MOST_RUNS]))
    if not summaries:
        return ""
    mark = hashlib.sha256(summaries.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return assets.prompt("planner_earlier", earlier=summaries, mark=mark)


def _summary(journal: Journal, run_id: str) -> str:
    """Return one line with the request of a run and its answer, or its state if it has none."""
    run = read_run(journal, run_id)
    came_of_it = f"({run.state}: {run.shortfall})" if run.answer is None else run.answer
    return f"{_short(run.request, _REQUEST_CHARS)} -> {_short(came_of_it, _ANSWER_CHARS)}"


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def last_query(journal: Journal, run_id: str = "") -> Query | None:
    """Return the query of the newest run of this process; None where that run was none.

    Args:
        journal: The journal.
        run_id: The run that is being planned, which is left out.
    """
    for record, started in journal.first_of_each(RunStarted):
        if started.process_id == os.getpid() and record.at >= BEGUN and record.run_id != run_id:
            return query_of_run(read_run(journal, record.run_id))
    return None


def query_of_run(run: Run) -> Query | None:
    """Return the one query of a run that gave an answer; None for other runs."""
    steps = [step for step in run.plan.steps if not step.is_final] if run.plan else []
    if len(steps) != 1 or steps[0].tool != TABLE_TOOL or run.answer is None:
        return None
    return Query.from_json(steps[0].args)
