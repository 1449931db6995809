"""Migration of records of earlier versions: plans are read as they were meant when written.

`run_started` stores the version of the tools' arguments that a run was planned for (MEANING). A
run without it was planned when file_write without a mode replaced an existing file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.journal.events import CandidateScored, PlanMade, PlanProposed, RunStarted
from okso_jupyter.journal.store import Record, events_of

#: Version that new runs are planned for: file_write without a mode creates a new file.
MEANING: Final = 1
_WRITES, _REPLACES = "file_write", "replace"
#: Kinds of records that hold a plan.
_WITH_PLAN: Final = frozenset(made.kind for made in (PlanMade, PlanProposed, CandidateScored))


def is_older(meaning: object) -> bool:
    """Return whether a run was planned by a version in which the same call meant something else.

    Args:
        meaning: `RunStarted.meaning`, or the raw value that the journal holds for it.
    """
    return not (isinstance(meaning, int) and meaning >= MEANING)


def with_current_meaning(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of a run with older plans migrated; all other records are unchanged."""
    started = next(iter(events_of(records, RunStarted)), None)
    if started is None or not is_older(started.meaning):
        return tuple(records)
    return tuple(map(_meant, records))


def _meant(record: Record) -> Record:
    """Return a record with its plan migrated, or the record itself if it holds no plan."""
    return record.with_plan(_said) if record.kind in _WITH_PLAN else record


def _said(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a plan in which every file_write call names its mode; a damaged plan is unchanged."""
    steps = plan.get("steps")
    if not isinstance(steps, list):
        return plan
    return {**plan, "steps": [_step(step) for step in steps]}


def _step(step: object) -> object:
    if not isinstance(step, Mapping) or step.get("tool") != _WRITES:
        return step
    args = step.get("args")
    if not isinstance(args, Mapping) or "mode" in args:
        return step
    return {**step, "args": {**args, "mode": _REPLACES}}
