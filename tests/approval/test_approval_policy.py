"""Approval policies, approval functions and their precedence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter.approval.policy import decide, settle
from okso_jupyter.effects.effect import as_effects
from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Feedback
from tests.bench import END, Bench
from tests.each_row import each_row


def _approve(_plan: Plan) -> str:
    return "approve"


@each_row(
    ("policy", "approve_all", "force_confirm", "holds"),
    [
        ("ask", False, False, "ask"),
        ("auto", False, False, "auto"),
        ("ask", True, False, "auto"),
        ("auto", True, True, "ask"),
        ("ask", True, True, "ask"),
        ("deny", True, False, "deny"),
        ("deny", False, True, "deny"),
        (_approve, True, True, _approve),
    ],
)
def test_force_confirm_has_precedence(
    policy: Any,
    approve_all: bool,  # noqa: FBT001  a row of a table
    force_confirm: bool,  # noqa: FBT001  a row of a table
    holds: Any,
) -> None:
    """FORCE_CONFIRM beats APPROVE_ALL and auto; deny and functions are unaffected."""
    assert settle(policy, approve_all=approve_all, force_confirm=force_confirm) == holds


@pytest.mark.parametrize("policy", ["yes", "", None, 1])
def test_an_unknown_policy_is_an_error(policy: Any) -> None:
    """An unknown policy is refused, and the error lists the valid ones."""
    with pytest.raises(UsageError, match="ask, auto, deny or a function"):
        settle(policy)


def test_auto_approves_exactly_what_was_shown(proposal: ApprovalRequest) -> None:
    """The approval holds the fingerprints of the whole plan and of every step."""
    approval = decide(proposal, "auto", front_end="headless")
    assert (approval.decision, approval.by) == ("approve", "auto")
    assert approval.shown == proposal.fingerprint
    assert approval.steps == proposal.step_fingerprints


def test_deny_rejects_and_covers_nothing(proposal: ApprovalRequest) -> None:
    """A rejection by the policy deny covers no step."""
    approval = decide(proposal, "deny")
    assert (approval.decision, approval.by, dict(approval.steps)) == ("reject", "deny", {})


def test_ask_without_a_user_fails_at_once(proposal: ApprovalRequest) -> None:
    """The policy ask fails at once in a headless process; the hint lists the alternatives."""
    with pytest.raises(ApprovalError) as caught:
        decide(proposal, "ask", front_end="headless")
    assert all(way in caught.value.hint for way in ("--yes", "--approve auto|deny", "OKSO_APPROVE"))


@pytest.mark.parametrize("effect", ["irreversible", "writes"])
def test_auto_refuses_steps_that_need_a_person(proposal: ApprovalRequest, effect: str) -> None:
    """Auto refuses irreversible and protected steps and names the step and the reason."""
    doubt = "it touches the protected .bashrc"
    risky = replace(
        proposal.steps[1],
        effects=as_effects(effect),
        needs_person=effect == "writes",
        doubt=doubt if effect == "writes" else "",
    )
    shown = replace(proposal, steps=(proposal.steps[0], risky, proposal.steps[2]))
    why = "it cannot be undone" if effect == "irreversible" else doubt
    with pytest.raises(ApprovalError, match=rf"step 2 \(file_write\): {why}, and no person"):
        decide(shown, "auto", front_end="headless")


@pytest.mark.parametrize(
    ("args", "filled", "why"),
    [
        ({"path": ".bashrc", "content": "x"}, (),
         "step 1 (file_write): it touches the protected .bashrc, and "),
        ({"path": "", "content": "x"}, ({"path": "b.txt"},),
         "step 1 (file_write): filled in since the plan was approved: path, and "),
    ],
)  # fmt: skip
def test_auto_names_the_actual_reason(
    bench: Bench, args: dict[str, str], filled: tuple[object, ...], why: str
) -> None:
    """The error of auto names the actual reason and not another possible one."""
    plan = [{"tool": "file_write", "args": args}, END]
    with bench.session(*filled) as session, pytest.raises(ApprovalError) as caught:
        session.execute(plan, approve="auto")
    assert f"auto does not approve {why}" in caught.value.message


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_function_decides_on_the_plan(proposal: ApprovalRequest, answer: str) -> None:
    """A function receives the plan as shown, and its answer is the decision."""
    seen: list[Plan] = []

    def approver(plan: Plan) -> str:
        seen.append(plan)
        return answer

    approval = decide(proposal, approver)
    assert seen == [proposal.plan]
    assert (approval.decision, approval.by) == (answer, "callable")
    assert bool(approval.steps) == (answer == "approve")


def test_feedback_of_a_function_is_not_an_approval(proposal: ApprovalRequest) -> None:
    """Feedback from a function keeps its text and covers no step."""
    approval = decide(proposal, lambda _plan: Feedback(" use b.txt "))
    assert (approval.decision, approval.feedback) == ("feedback", "use b.txt")
    assert not approval.steps


@pytest.mark.parametrize("answer", [True, None, "yes", "feedback", Feedback("  "), ["approve"]])
def test_an_invalid_answer_of_a_function_is_an_error(
    proposal: ApprovalRequest, answer: Any
) -> None:
    """Any other answer of a function is an error that quotes the answer."""
    with pytest.raises(ApprovalError) as caught:
        decide(proposal, lambda _plan: answer)
    assert repr(answer) in caught.value.message
