"""Buttons of a run that has ended: they have the steps of its plans allowed from now on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from okso_jupyter.kernel import interrupt
from okso_jupyter.magic.clickable import KeptButtons, can_click
from okso_jupyter.results import Run

if TYPE_CHECKING:
    from okso_jupyter.session.session import Session

_KEPT: Final = KeptButtons()


def offer_rules(run: Run, open_session: Callable[[], Session]) -> None:
    """Add the buttons to each plan of a run in which a person approved what a rule may allow.

    Args:
        run: The run.
        open_session: Opens a session with the notebook's settings and tools.
    """
    if not can_click():
        return
    for plan, steps in learnable(run).items():
        with interrupt.deferred():
            from okso_jupyter.magic.policy_learning import rule_offer  # noqa: PLC0415  with a form alone
            from okso_jupyter.widgets.rule_buttons import RuleButtons  # noqa: PLC0415  loads ipywidgets

            buttons = RuleButtons(plan, steps, lambda i: rule_offer(open_session, run.id, i))
            _KEPT.keep((run.id, plan), buttons)


def learnable(run: Run) -> Mapping[str, Mapping[int, str]]:
    """Return what each step is called that a rule may allow, by the plan that was approved last.

    Returns:
        By fingerprint of an approved plan, words by id of its steps.
    """
    from okso_jupyter.policies.back_test import KINDS, past_steps  # noqa: PLC0415  with a form alone
    from okso_jupyter.policies.learned_rule import why_never  # noqa: PLC0415  with a form alone

    approved = {
        past.scope.step.id: past
        for past in past_steps(run.id, (r.event for r in run.records if isinstance(r.event, KINDS)))
        if past.outcome == "approved" and past.by == "user"
    }
    ruled = {use.step_id for use in run.rules_matched}
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for step_id, past in approved.items():
        step = past.scope.step
        if not step.is_final and step_id not in ruled and not why_never(past.scope):
            found[past.shown][step_id] = f"step {step_id} ({step.tool})"
    return found
