"""The versions of a run's plan and its newest planning call, read back from its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from okso_jupyter.journal.store import Record
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.plan.revision import Revision


def revisions_of(records: Iterable[Record]) -> tuple[Revision, ...]:
    """Return every version that was shown, beside the one that it was to take the place of.

    While a run executes, a proposal takes the place of the newest version that was approved;
    before, of the one that was shown last.

    Args:
        records: The records of one run, in order.
    """
    found: list[Revision] = []
    standing: Plan | None = None
    for record in records:
        if record.kind in {"plan", "proposed"}:
            plan = Plan.from_dict(record.body["plan"])
            if standing is not None and plan.version <= standing.version:
                continue
            if all(plan.version != revision.newer.version for revision in found):
                cause, reason = record.body.get("cause", "planned"), record.body.get("reason", "")
                found.append(Revision(older=standing, newer=plan, cause=cause, reason=reason))
            if record.kind == "plan":
                standing = plan
        elif record.kind == "decision" and found and not found[-1].decision:
            found[-1] = replace(found[-1], decision=record.body["decision"])
    return tuple(found)


def newest_planning(records: Sequence[Record]) -> list[Record]:
    """Return the records of one run from the newest planning call on that gave candidates."""
    newest = max((r.seq for r in records if r.kind == "candidate"), default=0)
    asked = (r.seq for r in records if r.kind == "model" and r.body["role"] == "planner")
    begun = max((seq for seq in asked if seq < newest), default=0)
    return [record for record in records if record.seq > begun]


def superseded(records: Iterable[Record]) -> list[Plan]:
    """Return the versions of the plan that were approved before the newest one.

    Args:
        records: The records of one run, in order.
    """
    approved: list[Plan] = []
    newest: Mapping[str, Any] = {}
    version = 0
    for record in records:
        if record.kind == "plan":
            newest = record.body["plan"]
            version = int(newest["version"])
        elif record.kind == "decision" and record.body["decision"] == "approve" and newest:
            approved.append(Plan.from_dict(newest))
            newest = {}
    return [plan for plan in approved if plan.version < version]


def verdict_on_answer(records: Sequence[Record]) -> Mapping[str, Any]:
    """Return what the check of a run's answer said; empty where that was not checked.

    An answer that took the place of one that would not do is not checked again.
    """
    for record in reversed(records):
        if record.kind == "validation":
            return record.body
        is_ended = record.kind == "observation" and record.body["status"] == "completed"
        if is_ended and record.body["call"]["tool"] == FINAL_TOOL:
            return {}
    return {}
