"""Endings: what kept a run from completing, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.journal.store import Record
from okso_jupyter.plan.states import RunState

_LOST: Final = frozenset({"failed", "uncertain"})
#: Words for a rejection, by who decided; a policy and a deadline give their reason.
_REJECTED: Final[Mapping[str, str]] = {
    "user": "the plan was rejected",
    "callable": "the plan was rejected",
}
_STOPPED: Final = "KeyboardInterrupt"


def why_not_completed(state: str, records: Sequence[Record]) -> str:
    """Return why a run failed, was cancelled or is paused; empty for any other.

    Args:
        state: State of the run.
        records: Everything the journal holds of it.
    """
    if state == RunState.FAILED:
        return _lost_step(records) or _error(records)
    if state == RunState.CANCELLED:
        return _stopped(records) or _rejection(records)
    return "it was paused" if state == RunState.PAUSED else ""


def is_superseded(records: Sequence[Record]) -> bool:
    """Say whether the last decision was none, since the cell of the run was run once more."""
    return _last(records, "decision").get("by") == "superseded"


def _last(records: Sequence[Record], kind: str) -> Mapping[str, Any]:
    return next((record.body for record in reversed(records) if record.kind == kind), {})


def _lost_step(records: Sequence[Record]) -> str:
    """Return what became of the first step whose last attempt failed; empty if none did."""
    last = {r.body["call"]["step_id"]: r.body for r in records if r.kind == "observation"}
    for step_id, seen in last.items():
        if seen["status"] in _LOST:
            return f"step {step_id} ({seen['call']['tool']}): {' '.join(seen['error'].split())}"
    return ""


def _error(records: Sequence[Record]) -> str:
    """Return the error that ended the run."""
    return str(_last(records, "error").get("message", ""))


def _stopped(records: Sequence[Record]) -> str:
    """Return that the run was stopped, if that is how it ended."""
    error = _last(records, "error")
    return "it was stopped" if error.get("type") == _STOPPED else str(error.get("message", ""))


def _rejection(records: Sequence[Record]) -> str:
    decision = _last(records, "decision")
    return _REJECTED.get(str(decision.get("by")), str(decision.get("reason", "")))
