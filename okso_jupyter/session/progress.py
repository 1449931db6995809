"""Progress of a run over its plan, told to whoever wants to hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.states import StepState

_DONE: Final = frozenset({StepState.COMPLETED, StepState.SKIPPED})


@dataclass(slots=True)
class Progress:
    """Turns changes of steps into events.

    Attributes:
        plan: The plan that runs.
        on_event: Gets plan (its version), step (id), title, total and completed (steps),
            progress (0 to 1, skipped steps count as done), status and reason.
    """

    plan: Plan
    on_event: Callable[[Mapping[str, Any]], None] | None
    _states: dict[int, StepState] = field(default_factory=dict)

    def step(self, step: Step, state: StepState, reason: str) -> None:
        """Take in that a step changed, and tell."""
        self._states[step.id] = state
        if self.on_event is None:
            return
        states = list(self._states.values())
        total = len(self.plan.steps)
        self.on_event(
            {
                "plan": self.plan.version,
                "step": step.id,
                "title": step.label,
                "total": total,
                "completed": states.count(StepState.COMPLETED),
                "progress": sum(state in _DONE for state in states) / total,
                "status": str(state),
                "reason": reason,
            }
        )
