"""Handling of plans that cannot run: flaws are recorded, shown at their fields, and refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.approval.editing.edited_plan import EditedPlan
from okso_jupyter.approval.editing.fields import Edited
from okso_jupyter.approval.form.model import Field
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.flaws import Flaw, flaws_text
from okso_jupyter.plan.plan import Plan
from okso_jupyter.replay.boundary import Take

#: Recordings made before plans were checked have no such entry and replay without flaws.
_ENTRY: Final = "flaws"


def flaws_found(plan: Plan, found: Take, live: Callable[[], Iterable[Flaw]]) -> tuple[Flaw, ...]:
    """Return the flaws of a plan: as found now, or as recorded in a replay.

    Args:
        plan: The plan.
        found: Records the flaws, or returns the recorded ones.
        live: Checks the plan now.
    """

    def look() -> list[dict[str, Any]] | None:
        return [flaw.to_dict() for flaw in live()] or None

    asked = [[step.id, step.tool, dict(step.args)] for step in plan.steps]
    return tuple(Flaw.from_dict(one) for one in found(_ENTRY, asked, look) or ())


def with_flaws(reading: EditedPlan, flaws: Iterable[Flaw]) -> EditedPlan:
    """Return an edited plan with flaws as errors at its fields; steps with errors keep theirs."""
    by_step: dict[int, Flaw] = {}
    for flaw in flaws:
        by_step.setdefault(flaw.step_id, flaw)
    steps = (
        _marked(one, by_step[one.step.id]) if one.is_good and one.step.id in by_step else one
        for one in reading.steps
    )
    return replace(reading, steps=tuple(steps))


def _marked(one: Edited, flaw: Flaw) -> Edited:
    if flaw.argument not in [field.name for field in one.fields]:
        return replace(one, error=flaw.message)
    return replace(one, fields=tuple(_with_error(field, flaw) for field in one.fields))


def _with_error(field: Field, flaw: Flaw) -> Field:
    return replace(field, error=flaw.message) if field.name == flaw.argument else field


def cannot_run(plan: Plan, flaws: Iterable[Flaw]) -> ApprovalError:
    """Return the error for a flawed plan that cannot be edited where it is approved."""
    msg = f"the plan cannot run: {flaws_text(flaws, plan)}"
    hint = "correct the request or the plan, or run it anyway with PLAN_CHECKS=false"
    return ApprovalError(msg, hint=hint)
