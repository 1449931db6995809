"""Merge of a replanned rest into a plan: started steps stay, pending ones are replaced."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from okso_jupyter.errors import PlanError
from okso_jupyter.plan.plan import Condition, Plan, Step, check_rules
from okso_jupyter.plan.states import StepState


def merged(
    older: Plan,
    proposed: Plan,
    states: Mapping[int, StepState],
    *,
    failed: Sequence[int],
    above: int,
) -> Plan:
    """Return a plan in which a proposal replaces all pending steps.

    Started steps keep their ids. The proposed steps are numbered on from `above`, with the
    references among them. If the proposal begins with calls that have completed, those steps are
    reused instead of being run again.

    Args:
        older: The plan so far.
        proposed: Steps for the rest of the work, numbered among themselves.
        states: State of every step that was scheduled, by id.
        failed: Ids of the failed steps; new steps replace them, one each while there are any.
        above: Highest id that any version of the plan has had.

    Raises:
        PlanError: The proposal is empty, repeats the pending steps, or breaks a rule of plans.
    """
    kept = [s for s in older.steps if states.get(s.id, StepState.PENDING) is not StepState.PENDING]
    ids = _repeated(kept, proposed, states)
    news = [step for step in proposed.steps if step.id not in ids]
    _check_new(older, news, states, failed)
    ids |= {step.id: above + place for place, step in enumerate(news, start=1)}
    steps = [_renumbered(step, ids) for step in news]
    plan = older.with_steps([*kept, *_standing_in(steps, kept, failed)])
    check_rules(plan)
    return plan


def _repeated(
    kept: Sequence[Step], proposed: Plan, states: Mapping[int, StepState]
) -> dict[int, int]:
    """Return the first proposed steps that repeat completed calls, with the ids of those steps."""
    done = [step for step in kept if states[step.id] is StepState.COMPLETED and not step.is_final]
    found: dict[int, int] = {}
    for step in proposed.steps:
        same = next((d for d in done if _call(d) == _call(step)), None)
        if same is None:
            break
        found[step.id] = same.id
        done.remove(same)
    return found


def _check_new(
    older: Plan, news: Sequence[Step], states: Mapping[int, StepState], failed: Sequence[int]
) -> None:
    """Raise PlanError for a proposal without a new call, or equal to the previous plan."""
    calls = [_call(step) for step in news if not step.is_final]
    if not calls:
        msg = "the proposal has no step that does anything new"
        raise PlanError(msg, rule="empty_replan")
    due = [
        step
        for step in older.steps
        if step.id in failed or states.get(step.id, StepState.PENDING) is StepState.PENDING
    ]
    if calls == [_call(step) for step in due if not step.is_final]:
        msg = "the proposal is what was planned before"
        raise PlanError(msg, rule="same_replan")


def _call(step: Step) -> str:
    """Return tool and arguments as one text, equal for equal calls."""
    return json.dumps([step.tool, dict(step.args)], sort_keys=True, default=str)


def _renumbered(step: Step, ids: Mapping[int, int]) -> Step:
    """Return a proposed step with the ids of the whole plan."""
    condition = ""
    if step.condition:
        asked = Condition.parse(step.condition, step=step.id)
        condition = f"step_{ids[asked.step_id]}_{asked.outcome}"
    return replace(
        step,
        id=ids[step.id],
        depends_on=tuple(ids[other] for other in step.depends_on),
        condition=condition,
        replaces=None,
    )


def _standing_in(
    steps: Sequence[Step], kept: Sequence[Step], failed: Sequence[int]
) -> Sequence[Step]:
    """Return the steps, some of them replacing failed ones; the same tool is preferred."""
    tools = {step.id: step.tool for step in kept}
    replaced: dict[int, int] = {}
    for lost in failed:
        free = [step for step in steps if not step.is_final and step.id not in replaced]
        alike = [step for step in free if step.tool == tools.get(lost)]
        for chosen in (alike or free)[:1]:
            replaced[chosen.id] = lost
    return [replace(step, replaces=replaced.get(step.id)) for step in steps]
