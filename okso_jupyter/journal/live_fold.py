"""Fold from events to `Live`: computes the state of a run one event at a time.

The same fold runs on events while the run executes and on journal records afterwards, so a cell,
the next kernel and another notebook see the same state.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import assert_never, get_args

from okso_jupyter.journal.events import (
    ArgumentsFilled,
    CallStarted,
    DecisionMade,
    Event,
    PlanMade,
    ProposalShown,
    ReplanFailed,
    ReplanRequested,
    RunMoved,
    StepMoved,
)
from okso_jupyter.journal.store import Record, with_events
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.plan import Plan

#: Events that change the live state; all others leave it unchanged.
_LiveEvent = (
    PlanMade
    | RunMoved
    | StepMoved
    | CallStarted
    | ProposalShown
    | DecisionMade
    | ArgumentsFilled
    | ReplanRequested
    | ReplanFailed
)


def live_of(run_id: str, records: Iterable[Record]) -> Live:
    """Return the live state of a run computed from its records.

    Args:
        run_id: The run.
        records: Its records, in order.

    Raises:
        JournalError: A record that changes the live state is damaged.
    """
    live = Live(run_id=run_id)
    for record, event in with_events(records, *get_args(_LiveEvent)):
        live = _after(live, event, record.at)
    return live


def live_after(live: Live, event: Event, at: str) -> Live:
    """Return the state after one more event; most kinds change nothing.

    Args:
        live: The state before.
        event: What happened.
        at: When it was recorded, ISO 8601.
    """
    return _after(live, event, at) if isinstance(event, _LiveEvent) else live


def _after(live: Live, event: _LiveEvent, at: str) -> Live:
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
        case _:
            assert_never(event)
    return newer


def _in_words(event: ReplanRequested | ReplanFailed) -> str:
    is_asked = isinstance(event, ReplanRequested)
    return f"{'another plan is asked for' if is_asked else 'there is no new plan'}: {event.reason}"
