"""Records of earlier versions, read as what they meant when they were written.

`run_started` says by MEANING which version of the tools' arguments a run was planned for. One that
does not say was planned when a call of file_write without a mode replaced what was there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.journal.events import CandidateScored, PlanMade, PlanProposed, RunStarted
from okso_jupyter.journal.store import Record, events_of

#: What runs that begin now are planned for: file_write without a mode makes a new file.
MEANING: Final = 1
_WRITES, _REPLACES = "file_write", "replace"
#: Kinds of records that hold a plan.
_WITH_PLAN: Final = frozenset(made.kind for made in (PlanMade, PlanProposed, CandidateScored))


def is_older(meaning: object) -> bool:
    """Say whether a run was planned by a version that meant something else by the same call.

    Args:
        meaning: `RunStarted.meaning`, or what the journal holds in its place.
    """
    return not (isinstance(meaning, int) and meaning >= MEANING)


def as_meant(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of a run with plans that say what they meant; most are as they are."""
    started = next(iter(events_of(records, RunStarted)), None)
    if started is None or not is_older(started.meaning):
        return tuple(records)
    return tuple(map(_meant, records))


def _meant(record: Record) -> Record:
    """Return a record with a plan that says what it meant; one without a plan as it is."""
    return record.with_plan(_said) if record.kind in _WITH_PLAN else record


def _said(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a plan whose calls of file_write all name their mode; a damaged one as it is."""
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
