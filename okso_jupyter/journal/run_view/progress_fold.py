"""Progress of a run through its plan: step states, results, requests for another plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never, get_args

from okso_jupyter.journal.events import (
    ArgumentsFilled,
    CallStarted,
    ObservationMade,
    PlanMade,
    ReplanFailed,
    ReplanRequested,
    StepMoved,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.plan_progress import PlanProgress, ReplanDue
from okso_jupyter.plan.records import Observation, ToolCall

ProgressEvent = (
    StepMoved
    | ArgumentsFilled
    | CallStarted
    | ObservationMade
    | ReplanRequested
    | ReplanFailed
    | PlanMade
)


@dataclass(kw_only=True)
class ProgressFold(Fold[ProgressEvent]):
    """Progress of a run.

    Attributes:
        progress: The progress as the executor has it, but for conditions that were not met.
        last_seen: Result of the last call of each step since the step moved, by step id.
    """

    takes = get_args(ProgressEvent)
    progress: PlanProgress = field(default_factory=PlanProgress)
    last_seen: dict[int, Observation] = field(default_factory=dict)
    _requested: ReplanRequested | None = None

    def apply(self, event: ProgressEvent, at: str) -> None:
        """Change the progress as an event says."""
        del at
        match event:
            case StepMoved(step_id=step_id, after=after):
                self.progress.moved(step_id, after)
                self.last_seen.pop(step_id, None)
            case ArgumentsFilled(sources=sources):
                self.progress.used.update(sources)
            case CallStarted():
                self._begin(event)
            case ObservationMade(observation=seen):
                self._observe(seen)
            case ReplanRequested():
                self._request(event)
            case PlanMade() | ReplanFailed():
                self._answer()
            case _:
                assert_never(event)

    def _begin(self, started: CallStarted) -> None:
        self.last_seen.pop(started.step_id, None)
        # one that can be repeated counts when it has a result
        if not started.is_repeatable:
            self._count(started.call)

    def _observe(self, seen: Observation) -> None:
        self.progress.observed(seen)
        self.last_seen[seen.call.step_id] = seen
        if seen.status != "skipped":
            self._count(seen.call)

    def _count(self, call: ToolCall) -> None:
        used = self.progress.attempts
        used[call.step_id] = max(used.get(call.step_id, 0), call.attempt)

    def _request(self, requested: ReplanRequested) -> None:
        self._requested = requested
        self.progress.realigned |= requested.cause == "divergence"
        self.progress.validated |= requested.cause == "validation"

    def _answer(self) -> None:
        """Count a request as answered; an interrupted one is made again."""
        requested, self._requested = self._requested, None
        if requested is not None:
            due = ReplanDue(
                cause=requested.cause,
                steps=requested.steps,
                error_class=requested.error_class,
                reason=requested.reason,
            )
            self.progress.answered(due)
