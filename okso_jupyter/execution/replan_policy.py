"""Replan policy: when the rest of a plan has to be planned again."""

from __future__ import annotations

from collections.abc import Sequence

from okso_jupyter.legible import sentence
from okso_jupyter.plan.plan_progress import PlanProgress, ReplanCause, ReplanDue
from okso_jupyter.settings import Settings


def may_be_due(progress: PlanProgress, settings: Settings) -> bool:
    """Return whether failures may call for a new plan: a cheap check before `replan_due`.

    Examining all failures at every step is slow if many steps failed.
    """
    in_a_row = progress.failures_in_a_row >= settings.react_replan_failure_threshold
    return settings.after_failure == "replan" and (
        in_a_row or not progress.fatal <= progress.replanned
    )


def replan_due(
    failed: Sequence[int], progress: PlanProgress, settings: Settings
) -> ReplanDue | None:
    """Return a request for a new plan, or None.

    One is due after a fatal failure or several failures in a row, if ON_FAILURE is "replan".

    Args:
        failed: Ids of the finally failed steps without a request for a new plan.
        progress: Progress of the run.
        settings: ON_FAILURE and REACT_REPLAN_FAILURE_THRESHOLD.
    """
    if not failed or settings.after_failure != "replan":
        return None
    cause: ReplanCause = "in_a_row"
    if any(progress.failures[step_id].error_class == "fatal" for step_id in failed):
        cause = "failure"
    elif progress.failures_in_a_row < settings.react_replan_failure_threshold:
        return None
    seen = [progress.failures[step_id] for step_id in failed]
    reasons = (f"step {o.call.step_id} ({o.call.tool}) failed: {o.error}" for o in seen)
    return ReplanDue(
        cause=cause,
        steps=tuple(failed),
        error_class=seen[-1].error_class,
        reason=sentence("; ".join(reasons)),
    )
