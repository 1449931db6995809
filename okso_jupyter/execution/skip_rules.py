"""Skip rules: whether a step is due, and whether another step has replaced a failed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.plan.plan import Condition, Plan, Step
from okso_jupyter.plan.plan_graph import is_lost, stand_ins
from okso_jupyter.plan.plan_progress import PlanProgress
from okso_jupyter.plan.states import StepState

#: States of steps that may still stand in for a failed one.
_UNDECIDED: Final = frozenset({StepState.PENDING, StepState.RUNNING})


@dataclass(slots=True)
class SkipRules:
    """Decides about the steps of a plan from the outcomes of other steps.

    Attributes:
        plan: The plan.
        progress: The outcomes of the steps.
        stops: Whether nothing more runs after a failure without a completed stand-in.
    """

    plan: Plan
    progress: PlanProgress
    stops: bool
    _stand_ins: Mapping[int, Sequence[int]] = field(init=False)

    def __post_init__(self) -> None:
        """Compute the stand-ins of each step once."""
        self._stand_ins = stand_ins(self.plan)

    def reason_to_skip(self, step: Step) -> str:
        """Return why a step must be skipped; empty if it is due."""
        condition = _condition(step)
        if condition is not None:
            wanted = StepState.FAILED if condition.outcome == "failed" else StepState.COMPLETED
            if self.progress.state(condition.step_id) is not wanted:
                self.progress.not_taken.add(step.id)
                return f"condition not met: {step.condition}"
        for other in step.depends_on:
            # the condition has already checked the outcome of the step that it names
            if not (condition and condition.step_id == other) and not self._satisfies(other):
                return f"dependency failed: step {other}"
        if self.stops and not step.condition and (lost := self.first_lost()) is not None:
            return f"stopped after step {lost} failed"
        return ""

    def first_lost(self) -> int | None:
        """Return the id of the first step that finally failed, or None.

        Finally means that no branch and no replacement stood in for it.
        """
        failed = self.progress.failed
        return next((i for i in failed if is_lost(i, self._stand_ins, self.progress.state)), None)

    def unanswered(self) -> tuple[int, ...]:
        """Return the ids of the finally failed steps for which no new plan was requested yet.

        A step with a stand-in that is pending or running does not count.
        """
        return tuple(
            step_id
            for step_id in self.progress.failed
            if step_id not in self.progress.replanned
            and self.progress.state(step_id) is StepState.FAILED
            and is_lost(step_id, self._stand_ins, self.progress.state)
            and not any(
                self.progress.state(other) in _UNDECIDED
                for other in self._stand_ins.get(step_id, ())
            )
        )

    def _satisfies(self, other: int) -> bool:
        """Return whether a step that ended lets its dependents run."""
        if self.progress.state(other) is StepState.SKIPPED:
            return other in self.progress.not_taken
        return self.progress.state(other) is StepState.COMPLETED


def _condition(step: Step) -> Condition | None:
    return Condition.parse(step.condition, step=step.id) if step.condition else None
