"""Steps of a run: progress, calls with and without a result, the answer's check, undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, assert_never, get_args

from okso_jupyter.journal.events import (
    AnswerChecked,
    ArgumentsFilled,
    CallStarted,
    ObservationMade,
    PlanMade,
    ReplanFailed,
    ReplanRequested,
    ReversalAdvanced,
    ReversalEnded,
    ReversalStarted,
    StepMoved,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.plan_progress import PlanProgress, ReplanDue
from okso_jupyter.plan.records import Observation, ToolCall

CallEvent = CallStarted | ObservationMade


@dataclass(kw_only=True)
class CallFold(Fold[CallEvent]):
    """Calls of a run, and what was observed.

    Attributes:
        begun: The call of each step that began and has no result, by step id.
        ended: Every call that has a result, with it; none that is known to have changed nothing.
        observed: Every result, also of steps that were skipped.
        used_tools: Names of the tools that were called.
    """

    takes = get_args(CallEvent)
    begun: dict[int, CallStarted] = field(default_factory=dict)
    ended: list[tuple[CallStarted, Observation]] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    used_tools: set[str] = field(default_factory=set)

    @property
    def lost_calls(self) -> dict[int, ToolCall]:
        """The calls that may have had their effect and have no result, by step id."""
        return {i: begun.call for i, begun in self.begun.items() if not begun.is_repeatable}

    def apply(self, event: CallEvent, at: str) -> None:
        """Change the calls as an event says."""
        del at
        match event:
            case CallStarted():
                self.begun[event.step_id] = event
                self.used_tools.add(event.tool)
            case ObservationMade(observation=seen):
                self.observed.append(seen)
                started = self.begun.pop(seen.call.step_id, None)
                if started is not None and not event.changed_nothing:
                    self.ended.append((started, seen))
            case _:
                assert_never(event)


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


VerdictEvent = AnswerChecked | ObservationMade


@dataclass(kw_only=True)
class VerdictFold(Fold[VerdictEvent]):
    """The check of a run's answer.

    Attributes:
        verdict: Its result; None if the answer was not checked, such as one that replaced a
            rejected one.
    """

    takes = get_args(VerdictEvent)
    verdict: AnswerChecked | None = None

    def apply(self, event: VerdictEvent, at: str) -> None:
        """Keep the result of a check until there is another answer."""
        del at
        match event:
            case AnswerChecked():
                self.verdict = event
            case ObservationMade(observation=seen):
                is_answer = seen.status == "completed" and seen.call.tool == FINAL_TOOL
                self.verdict = None if is_answer else self.verdict
            case _:
                assert_never(event)


ReversalEvent = ReversalStarted | ReversalAdvanced | ReversalEnded


@dataclass(kw_only=True)
class ReversalFold(Fold[ReversalEvent]):
    """Undo and redo of a run.

    Attributes:
        last: The last completed reversal; None if there was none.
        begun: The reversal that began and has not ended, or None.
        at: How many of its changes are recorded as made.
    """

    takes = get_args(ReversalEvent)
    last: Literal["undo", "redo"] | None = None
    begun: Literal["undo", "redo"] | None = None
    at: int = 0

    @property
    def is_undone(self) -> bool:
        """Whether the changes are currently undone."""
        return self.last == "undo"

    def apply(self, event: ReversalEvent, at: str) -> None:
        """Change the reversals as an event says."""
        del at
        match event:
            case ReversalStarted(direction=direction):
                self.begun, self.at = direction, 0
            case ReversalAdvanced(at=made):
                self.at = made
            case ReversalEnded(direction=direction, outcome=outcome):
                self.begun = None
                self.last = direction if outcome == "done" else self.last
            case _:
                assert_never(event)
