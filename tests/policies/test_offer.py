"""The card of an approved plan offers to allow its steps from now on, where a rule may."""

from __future__ import annotations

from okso_jupyter.effects.effect import as_effects
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval
from okso_jupyter.views.plan_html import decided_card


def card(*, by: str = "user", effect: str = "writes") -> str:
    """Return the card of an approved plan of one step."""
    plan = Plan.from_dict([{"tool": "file_write", "args": {"path": "a.txt", "content": "x"}}])
    shown = ShownStep(step=plan.steps[0], effects=as_effects(effect))
    proposal = ApprovalRequest(plan=plan, steps=(shown,))
    fingerprint, steps = proposal.fingerprints
    approval = Approval(decision="approve", shown=fingerprint, by=by, steps=steps)
    return decided_card(proposal, approval, decided_at="12:00")


def test_a_step_that_a_person_approved_is_offered() -> None:
    """The fold has the command that shows the rule."""
    assert "Always allow this" in card()
    assert "<code>%okso policy offer 1</code>" in card()


def test_nothing_else_is_offered() -> None:
    """No irreversible or undeclared step, and nothing that no person approved."""
    assert "Always allow" not in card(effect="irreversible")
    assert "Always allow" not in card(effect="undeclared")
    assert "Always allow" not in card(by="auto")
