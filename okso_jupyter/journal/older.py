"""Records of earlier versions, read as what they meant when they were written.

`run_started` says by MEANING which version of the tools' arguments a run was planned for. One that
does not say was planned when a call of file_write without a mode replaced what was there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.journal.store import Record

#: What runs that begin now are planned for: file_write without a mode makes a new file.
MEANING: Final = 1
#: Records that hold a plan which may still be run.
_WITH_PLAN: Final = frozenset({"plan", "proposed", "candidate"})
_WRITES, _REPLACES = "file_write", "replace"


def is_older(started: Mapping[str, Any]) -> bool:
    """Say whether a run was planned by a version that meant something else by the same call.

    Args:
        started: How the run began, as the journal holds it.
    """
    meaning = started.get("meaning")
    return bool(started) and not (isinstance(meaning, int) and meaning >= MEANING)


def as_meant(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of a run with plans that say what they meant; most are as they are."""
    started = next((record.body for record in records if record.kind == "run_started"), {})
    if not is_older(started):
        return tuple(records)
    return tuple(
        replace(record, body={**record.body, "plan": _said(record.body["plan"])})
        if record.kind in _WITH_PLAN and "plan" in record.body
        else record
        for record in records
    )


def _said(plan: object) -> object:
    """Return a plan whose calls of file_write all name their mode; a damaged one as it is."""
    steps = plan.get("steps") if isinstance(plan, Mapping) else None
    if not isinstance(plan, Mapping) or not isinstance(steps, list):
        return plan
    return {**plan, "steps": [_step(step) for step in steps]}


def _step(step: object) -> object:
    if not isinstance(step, Mapping) or step.get("tool") != _WRITES:
        return step
    args = step.get("args")
    if not isinstance(args, Mapping) or "mode" in args:
        return step
    return {**step, "args": {**args, "mode": _REPLACES}}
