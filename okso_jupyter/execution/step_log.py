"""StepLog: records each transition of a step before the executor acts on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from okso_jupyter.journal.events import ObservationMade, StepMoved
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.plan.states import STEP_TRANSITIONS, StepEvent, StepState, advance


class RecordedResults(Protocol):
    """Results of calls that are known beforehand, in a replay."""

    def observed(self, call: ToolCall) -> Observation | None:
        """Return the recorded observation of a call; None if the call has to be made.

        Raises:
            OksoError: The call must not be made, and its result is not recorded.
        """

    def timed(self, remark: Observation) -> Observation:
        """Return a remark with its recorded time; unchanged in a live run."""


#: Called with every transition of a step: the step, its new state, a reason.
OnStep = Callable[[Step, StepState, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLog:
    """Records the steps of one plan execution.

    Attributes:
        recorder: The run's journal.
        progress: Progress of the run.
        on_step: Called with every transition of a step.
        plan_version: Version of the plan that is executed.
        past: Returns the recorded times of remarks in a replay; None for a live run.
    """

    recorder: RunRecorder
    progress: PlanProgress
    on_step: OnStep
    plan_version: int
    past: RecordedResults | None = None

    def move(self, step: Step, event: StepEvent, reason: str = "") -> None:
        """Change a step's state, record the transition and report it."""
        before = self.progress.state(step.id)
        after = advance(STEP_TRANSITIONS, before, event)
        # A start may be written later: nothing has run yet, and a call is on disk before it runs.
        begins = event is StepEvent.START
        write = self.recorder.record_with_next if begins else self.recorder.record
        moved = StepMoved(
            step_id=step.id,
            plan_version=self.plan_version,
            before=before,
            after=after,
            reason=reason,
        )
        write(moved)
        self.progress.moved(step.id, after)
        self.on_step(step, after, reason)

    def planned_call(self, step: Step, attempt: int = 1) -> ToolCall:
        """Return the call of a step in one attempt, with the planned arguments."""
        return ToolCall(
            step_id=step.id,
            tool=step.tool,
            args=step.args,
            attempt=attempt,
            plan_version=self.plan_version,
        )

    def remark(
        self, call: ToolCall, status: StepStatus, text: str, *, duration_s: float = 0.0
    ) -> Observation:
        """Record and return an observation without a call: a skip, a failure or the answer."""
        completed = status == "completed"
        remark = Observation(
            call=call,
            status=status,
            exit_code=0 if completed else None,
            raw=text if completed else None,
            text=text if completed else "",
            summary=text,
            error="" if completed else text,
            error_class="logic" if status == "failed" else None,
            started_at=now(),
            duration_s=duration_s,
        )
        observation = remark if self.past is None else self.past.timed(remark)
        self.recorder.record(ObservationMade.of(observation))
        return observation
