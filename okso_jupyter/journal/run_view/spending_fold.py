"""What a run has spent: calls, tokens, working time, bytes written, requests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, get_args

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.journal.events import (
    BudgetRaised,
    BudgetReached,
    CallStarted,
    CompletionMade,
    DecisionMade,
    ObservationMade,
    PlanMade,
    ProposalShown,
    RunMoved,
    RunStarted,
    SearchDecided,
    SpanEnded,
    StepMoved,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.spending import Spent, sends
from okso_jupyter.plan.states import RunEvent, RunState

SpendingEvent = (
    RunStarted
    | CompletionMade
    | SearchDecided
    | PlanMade
    | RunMoved
    | ProposalShown
    | DecisionMade
    | StepMoved
    | CallStarted
    | ObservationMade
    | BudgetReached
    | BudgetRaised
    | SpanEnded
)
#: States in which the run works; in any other one it waits.
_WORKING: Final = frozenset({RunState.DRAFT, RunState.EXECUTING})


@dataclass(kw_only=True)
class SpendingFold(Fold[SpendingEvent]):
    """What a run has spent so far.

    The time between two events is working time, unless a person was being asked, the run did not
    work, or its process had ended.

    Attributes:
        spent: What was spent up to the last event.
        reached: Every budget that was used up, in order.
        raised: What a person allowed since, by the name of the budget.
    """

    takes = get_args(SpendingEvent)
    spent: Spent = field(default_factory=Spent)
    reached: list[BudgetReached] = field(default_factory=list)
    raised: dict[str, float] = field(default_factory=dict)
    _last: datetime | None = None
    _state: RunState = RunState.DRAFT
    _is_asked: bool = False

    def apply(self, event: SpendingEvent, at: str) -> None:
        """Add what an event tells of."""
        moment = datetime.fromisoformat(at)
        if not _ends_a_wait(event):
            self.spent = self.spent_at(moment)
        self._last = moment
        self.spent += spent_by(event)
        match event:
            case BudgetReached():
                self.reached.append(event)
            case BudgetRaised(name=name, limit=limit):
                self.raised[name] = limit
            case ProposalShown():
                self._is_asked = True
            case DecisionMade():
                self._is_asked = False
            case RunMoved(after=after):
                self._state, self._is_asked = after, False
            case _:
                pass

    def spent_at(self, moment: datetime) -> Spent:
        """Return what is spent at a moment after the last event."""
        if self._last is None or self._is_asked or self._state not in _WORKING:
            return self.spent
        passed_s = max(0.0, (moment - self._last).total_seconds())
        return replace(self.spent, work_s=self.spent.work_s + passed_s)


def spent_by(event: object) -> Spent:
    """Return what one event tells was spent; its time is not in it."""
    match event:
        case CompletionMade():
            read = max(0, event.prompt_tokens - event.cached_tokens)
            return Spent(tokens=read + event.output_tokens)
        case CallStarted(effects=effects):
            return Spent(steps=1, requests=int(sends(effects)))
        case ObservationMade(observation=observation):
            return Spent(written_bytes=_written_bytes(observation.changes))
        case _:
            return Spent()


def _written_bytes(changes: Changes) -> int:
    """Return the bytes of the files that a call created or changed; a move writes none."""
    return sum(
        change.after.size_bytes or 0
        for change in changes.details
        if change.after is not None and change.kind in {"created", "overwritten"}
    )


def _ends_a_wait(event: SpendingEvent) -> bool:
    """Return whether the run did not work before this event.

    A person was asked about a search, a plan was executed some time after it was made, or the
    process had ended.
    """
    is_lost = isinstance(event, RunMoved) and event.event is RunEvent.LOSE
    return is_lost or isinstance(event, SearchDecided | PlanMade)
