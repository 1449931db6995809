"""StepLog: records each transition of a step before the executor acts on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from okso_jupyter.execution.plan_progress import PlanProgress
from okso_jupyter.execution.recorded_results import RecordedResults
from okso_jupyter.journal.events import ObservationMade, StepMoved
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import now
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.records import Observation, StepStatus, ToolCall
from okso_jupyter.plan.states import STEP_TRANSITIONS, StepEvent, StepState, advance

#: Told of every change of a step: the step, its state, a reason.
OnStep = Callable[[Step, StepState, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLog:
    """Keeps the book of one walk.

    Attributes:
        recorder: The run's journal.
        progress: How far the run is.
        on_step: Told of every change of a step.
        plan_version: Version of the plan that is walked over.
        past: Knows when remarks were made that are played back.
    """

    recorder: RunRecorder
    progress: PlanProgress
    on_step: OnStep
    plan_version: int
    past: RecordedResults = field(default_factory=RecordedResults)

    def move(self, step: Step, event: StepEvent, reason: str = "") -> None:
        """Change a step's state."""
        before = self.progress.state(step.id)
        after = advance(STEP_TRANSITIONS, before, event)
        # A step that has begun has done nothing yet: its first call is on disk before it runs.
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

    def first_call(self, step: Step) -> ToolCall:
        """Return the first call of a step, its arguments as planned."""
        return ToolCall(
            step_id=step.id, tool=step.tool, args=step.args, plan_version=self.plan_version
        )

    def remark(
        self, call: ToolCall, status: StepStatus, text: str, *, duration_s: float = 0.0
    ) -> Observation:
        """Record an observation without a call: a skip, a step that cannot run, the answer."""
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
        observation = self.past.timed(remark)
        self.recorder.record(ObservationMade.of(observation))
        return observation
