"""Live state of a run: the same while it executes and, from its records, afterwards.

So a cell, the next kernel and another notebook see the same state.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never, get_args

from okso_jupyter.journal.events import (
    ArgumentsFilled,
    BudgetRaised,
    BudgetReached,
    CallStarted,
    DecisionMade,
    PlanMade,
    ProposalShown,
    ReplanFailed,
    ReplanRequested,
    RunMoved,
    StepMoved,
)
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.plan import Plan

LiveEvent = (
    PlanMade
    | RunMoved
    | StepMoved
    | CallStarted
    | ProposalShown
    | DecisionMade
    | ArgumentsFilled
    | ReplanRequested
    | ReplanFailed
    | BudgetReached
    | BudgetRaised
)


@dataclass(kw_only=True)
class LiveFold(Fold[LiveEvent]):
    """Live state of a run.

    Attributes:
        live: The state, an immutable value.
    """

    takes = get_args(LiveEvent)
    live: Live

    def apply(self, event: LiveEvent, at: str) -> None:
        """Replace the state by the next one."""
        self.live = _after(self.live, event, at)


def _after(live: Live, event: LiveEvent, at: str) -> Live:
    match event:
        case PlanMade(plan=plan, cause=cause):
            newer = live.with_plan(Plan.from_dict(plan), cause or "")
        case RunMoved(after=after):
            newer = live.in_state(after, datetime.fromisoformat(at))
        case StepMoved(step_id=step_id, before=before, after=state, reason=reason):
            newer = live.step_moved(step_id, (before, state), reason, datetime.fromisoformat(at))
        case CallStarted(call=call):
            newer = live.called(call)
        case ProposalShown(about=about, steps=steps):
            newer = live.asked([] if about == "plan" else list(steps))
        case DecisionMade():
            newer = live.asked([])
        case ArgumentsFilled(step_id=step_id, filled=filled, sources=sources):
            newer = live.filled(step_id, filled, sources)
        case ReplanRequested() | ReplanFailed():
            newer = live.with_decision(_in_words(event))
        case BudgetReached() | BudgetRaised():
            newer = live.with_decision(event.words)
        case _:
            assert_never(event)
    return newer


def _in_words(event: ReplanRequested | ReplanFailed) -> str:
    is_asked = isinstance(event, ReplanRequested)
    return f"{'another plan is asked for' if is_asked else 'there is no new plan'}: {event.reason}"
