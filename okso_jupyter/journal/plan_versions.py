"""Versions of a run's plan and its latest planning call, read from its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from okso_jupyter.journal.events import (
    AnswerChecked,
    CandidateScored,
    DecisionMade,
    ModelUsed,
    ObservationMade,
    PlanMade,
    PlanProposed,
)
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.plan.revision import Revision


def revisions_of(records: Iterable[Record]) -> tuple[Revision, ...]:
    """Return every version that was shown, paired with the version that it was to replace.

    While a run executes, a proposal replaces the latest approved version; before that, it
    replaces the version shown last.

    Args:
        records: The records of one run, in order.
    """
    found: list[Revision] = []
    standing: Plan | None = None
    for event in events_of(records, PlanMade, PlanProposed, DecisionMade):
        match event:
            case (PlanMade() | PlanProposed()) as made:
                plan = Plan.from_dict(made.plan)
                if standing is not None and plan.version <= standing.version:
                    continue
                if all(plan.version != revision.newer.version for revision in found):
                    cause, reason = made.cause or "planned", made.reason or ""
                    found.append(Revision(older=standing, newer=plan, cause=cause, reason=reason))
                if isinstance(made, PlanMade):
                    standing = plan
            case DecisionMade(decision=decision) if found and not found[-1].decision:
                found[-1] = replace(found[-1], decision=decision)
    return tuple(found)


def newest_planning(records: Sequence[Record]) -> list[Record]:
    """Return the records of a run from its latest planning call that gave candidates onwards."""
    newest = max((r.seq for r in records if r.kind == CandidateScored.kind), default=0)
    asked = (r.seq for r in records if _is_planner(r))
    begun = max((seq for seq in asked if seq < newest), default=0)
    return [record for record in records if record.seq > begun]


def _is_planner(record: Record) -> bool:
    """Return whether a record names the planner's model."""
    return any(used.role == "planner" for used in events_of([record], ModelUsed))


def superseded(records: Iterable[Record]) -> list[Plan]:
    """Return the versions of the plan that were approved before the latest one.

    Args:
        records: The records of one run, in order.
    """
    approved: list[Plan] = []
    newest: Mapping[str, Any] = {}
    version = 0
    for event in events_of(records, PlanMade, DecisionMade):
        match event:
            case PlanMade(plan=plan):
                newest = plan
                version = int(newest["version"])
            case DecisionMade(is_approval=True) if newest:
                approved.append(Plan.from_dict(newest))
                newest = {}
    return [plan for plan in approved if plan.version < version]


def verdict_on_answer(records: Sequence[Record]) -> AnswerChecked | None:
    """Return the result of the check of a run's answer; None if the answer was not checked.

    An answer that replaced a rejected one is not checked again.
    """
    for event in reversed(events_of(records, AnswerChecked, ObservationMade)):
        match event:
            case AnswerChecked():
                return event
            case ObservationMade(observation=seen):
                if seen.status == "completed" and seen.call.tool == FINAL_TOOL:
                    return None
    return None
