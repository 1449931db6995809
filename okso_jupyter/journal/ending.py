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
_PAUSED: Final = "it was paused"
_PAUSES: Final = frozenset({"pause_requested", "declined", "error", "decision"})


class Ending:
    """How a run ended: the part of `Run` that says what it lacks, and whether it can go on.

    Attributes:
        records: Everything the journal holds of it.
    """

    records: tuple[Record, ...]

    @property
    def state(self) -> str:
        """Where the run stands, such as "completed"."""
        return str(_last(self.records, "run_state").get("after", RunState.DRAFT))

    @property
    def is_undone(self) -> bool:
        """Whether its changes of files are taken back at this moment."""
        raise NotImplementedError

    @property
    def shortfall(self) -> str:
        """What kept the run from completing, in a sentence; empty where nothing did so far."""
        return why_not_completed(self.state, self.records)

    @property
    def failure(self) -> str:
        """What came of a run that did not complete: of one that failed, step by step."""
        told = _last(self.records, "answer").get("text") if self.state == RunState.FAILED else None
        return str(told or self.shortfall)

    @property
    def is_superseded(self) -> bool:
        """Whether it ended undecided, since its cell was run once more."""
        last = _last(self.records, "decision").get("by")
        return self.state == RunState.CANCELLED and last == "superseded"

    @property
    def is_open(self) -> bool:
        """Whether the run can be gone on with: it was shown, and neither completed nor refused.

        One that failed can once a step of it was begun, unless it was undone.
        """
        kinds = {record.kind for record in self.records}
        states = {record.body["after"] for record in self.records if record.kind == "run_state"}
        if self.state == RunState.FAILED:
            return RunState.EXECUTING in states and not self.is_undone
        return self.state not in {RunState.COMPLETED, RunState.CANCELLED} and "plan" in kinds


def how_to_answer(run_id: str, step_id: int) -> str:
    """Return how the question about one step is answered on a line, where no form can be shown."""
    start = f"answer with %okso resume {run_id} {step_id}=again"
    return f'{start}, or with "{step_id}=done: RESULT" or "{step_id}=leave out" in its place'


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
    return _pause(records) if state == RunState.PAUSED else ""


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
    """Return that the run was stopped, or what else ended it; empty for a rejection."""
    error = _last(records, "error")
    if error.get("type") == _STOPPED:
        return "it was stopped"
    return str(error.get("message") or _last(records, "declined").get("reason", ""))


def _pause(records: Sequence[Record]) -> str:
    """Return why a run is paused: a question without an answer, *Stop*, a wish, a lost process."""
    last = next((r for r in reversed(records) if r.kind in _PAUSES), None)
    if last is None or last.kind == "pause_requested":
        return _PAUSED
    if last.kind == "declined":
        return str(last.body["reason"])
    if last.kind == "error":
        return "it was stopped" if last.body["type"] == _STOPPED else str(last.body["message"])
    return f"nobody decided: {last.body['reason']}" if last.body["by"] == "timeout" else _PAUSED


def _rejection(records: Sequence[Record]) -> str:
    decision = _last(records, "decision")
    return _REJECTED.get(str(decision.get("by")), str(decision.get("reason", "")))
