"""State machines of a run and of a step: one transition table each.

Code changes a state through `advance`; docs draw `as_mermaid`; an illegal transition changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from okso_jupyter.errors import IllegalTransitionError

StateT = TypeVar("StateT", bound=StrEnum)
EventT = TypeVar("EventT", bound=StrEnum)


class RunState(StrEnum):
    """State of a run."""

    DRAFT = "draft"
    AWAITING_APPROVAL = "awaiting_approval"
    APPROVED = "approved"
    EXECUTING = "executing"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RunEvent(StrEnum):
    """Event that changes the state of a run."""

    PLANNED = "planned"
    REFUSED = "refused"
    APPROVE = "approve"
    FEEDBACK = "feedback"
    REJECT = "reject"
    START = "start"
    PAUSE = "pause"
    LOSE = "lose"
    RESUME = "resume"
    SUCCEED = "succeed"
    FAIL = "fail"
    CANCEL = "cancel"


class StepState(StrEnum):
    """State of a step."""

    PENDING = "pending"
    RUNNING = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNCERTAIN = "uncertain"
    CANCELLED = "cancelled"


class StepEvent(StrEnum):
    """Event that changes the state of a step."""

    START = "start"
    SUCCEED = "succeed"
    FAIL = "fail"
    RETRY = "retry"
    SKIP = "skip"
    LOSE = "lose"
    RESUME = "resume"
    CANCEL = "cancel"


# fmt: off
RUN_TRANSITIONS: Final[Mapping[tuple[RunState, RunEvent], RunState]] = MappingProxyType({
    # in this state                 on this event          go to
    (RunState.DRAFT,                RunEvent.PLANNED):     RunState.AWAITING_APPROVAL,
    (RunState.DRAFT,                RunEvent.REFUSED):     RunState.FAILED,
    (RunState.DRAFT,                RunEvent.CANCEL):      RunState.CANCELLED,
    (RunState.AWAITING_APPROVAL,    RunEvent.APPROVE):     RunState.APPROVED,
    (RunState.AWAITING_APPROVAL,    RunEvent.FEEDBACK):    RunState.DRAFT,
    (RunState.AWAITING_APPROVAL,    RunEvent.REJECT):      RunState.CANCELLED,
    (RunState.AWAITING_APPROVAL,    RunEvent.CANCEL):      RunState.CANCELLED,
    (RunState.APPROVED,             RunEvent.START):       RunState.EXECUTING,
    (RunState.APPROVED,             RunEvent.CANCEL):      RunState.CANCELLED,
    (RunState.EXECUTING,            RunEvent.PAUSE):       RunState.PAUSED,
    # its process ended, which is noticed only when it is resumed
    (RunState.EXECUTING,            RunEvent.LOSE):        RunState.PAUSED,
    (RunState.PAUSED,               RunEvent.RESUME):      RunState.EXECUTING,
    (RunState.PAUSED,               RunEvent.CANCEL):      RunState.CANCELLED,
    (RunState.EXECUTING,            RunEvent.SUCCEED):     RunState.COMPLETED,
    (RunState.EXECUTING,            RunEvent.FAIL):        RunState.FAILED,
    (RunState.EXECUTING,            RunEvent.CANCEL):      RunState.CANCELLED,
    # completed steps are kept, and failed ones are tried again
    (RunState.FAILED,               RunEvent.RESUME):      RunState.EXECUTING,
})

STEP_TRANSITIONS: Final[Mapping[tuple[StepState, StepEvent], StepState]] = MappingProxyType({
    (StepState.PENDING,             StepEvent.START):      StepState.RUNNING,
    (StepState.PENDING,             StepEvent.SKIP):       StepState.SKIPPED,
    (StepState.RUNNING,             StepEvent.SUCCEED):    StepState.COMPLETED,
    (StepState.RUNNING,             StepEvent.FAIL):       StepState.FAILED,
    (StepState.RUNNING,             StepEvent.RETRY):      StepState.RUNNING,
    (StepState.RUNNING,             StepEvent.LOSE):       StepState.UNCERTAIN,
    # its process ended before its effect; or the user checked and lets it run again
    (StepState.RUNNING,             StepEvent.RESUME):     StepState.PENDING,
    (StepState.UNCERTAIN,           StepEvent.RESUME):     StepState.PENDING,
    # the user checked: it was done; or no step shall wait for it any more
    (StepState.UNCERTAIN,           StepEvent.SUCCEED):    StepState.COMPLETED,
    (StepState.UNCERTAIN,           StepEvent.SKIP):       StepState.SKIPPED,
    (StepState.RUNNING,             StepEvent.CANCEL):     StepState.CANCELLED,
    # its run is resumed: a call that was stopped may have had its effect
    (StepState.CANCELLED,           StepEvent.LOSE):       StepState.UNCERTAIN,
    (StepState.CANCELLED,           StepEvent.RESUME):     StepState.PENDING,
    (StepState.FAILED,              StepEvent.RESUME):     StepState.PENDING,
    (StepState.SKIPPED,             StepEvent.RESUME):     StepState.PENDING,
    # the answering step, since there will be more to answer with
    (StepState.COMPLETED,           StepEvent.RESUME):     StepState.PENDING,
})
# fmt: on


def advance(table: Mapping[tuple[StateT, EventT], StateT], state: StateT, event: EventT) -> StateT:
    """Return the state that follows `state` on `event`.

    Raises:
        IllegalTransitionError: The table has no row for this pair.
    """
    try:
        return table[state, event]
    except KeyError:
        allowed = ", ".join(e for s, e in table if s == state) or "none: it is a final state"
        msg = f"{state} cannot be left by {event}; allowed: {allowed}"
        raise IllegalTransitionError(msg) from None


def as_mermaid(
    table: Mapping[tuple[StateT, EventT], StateT],
) -> str:
    """Return the table as a Mermaid state diagram."""
    first = next(iter(table))[0]
    rows = [f"    {state} --> {target}: {event}" for (state, event), target in table.items()]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {first}", *rows])
