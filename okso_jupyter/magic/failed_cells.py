"""Errors of cells: an incomplete run ends its cell in an error, so the cells below do not run."""

from __future__ import annotations

from okso_jupyter.errors import RunFailedError
from okso_jupyter.plan.states import RunState
from okso_jupyter.results import Run


def failure_of(run: Run) -> RunFailedError | None:
    """Return the error that ends the cell of this run; None where the next cell may run.

    The next cell may run after a dry run, which ends as approved, and after a superseded run,
    whose cell was run again and shows the newer result.
    """
    if run.state in {RunState.COMPLETED, RunState.APPROVED} or run.is_superseded:
        return None
    state = "failed" if run.state == RunState.FAILED else f"is {run.state}"
    return RunFailedError(f"run {run.id} {state}: {run.shortfall}", run=run, hint=run.way_on)
