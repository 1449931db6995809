"""The end of a cell: a run that did not complete keeps those below it from running."""

from __future__ import annotations

from okso_jupyter.errors import RunFailedError
from okso_jupyter.plan.states import RunState
from okso_jupyter.results import Run


def failure_of(run: Run) -> RunFailedError | None:
    """Return the error that a cell with this run ends in; None where the next cell may run.

    A dry run is approved and no more, and one whose cell was run once more has another one's
    result below it.
    """
    if run.state in {RunState.COMPLETED, RunState.APPROVED} or run.is_superseded:
        return None
    state = "failed" if run.state == RunState.FAILED else f"is {run.state}"
    return RunFailedError(f"run {run.id} {state}: {run.shortfall}", run=run, hint=run.way_on)
