"""The last query of this kernel's earlier runs, which a follow-up changes."""

from __future__ import annotations

import os

from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.store import Journal
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL
from okso_jupyter.results import Run, read_run
from okso_jupyter.runs.earlier_runs import BEGUN
from okso_jupyter.tables.query import Query


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
