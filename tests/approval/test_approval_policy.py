"""Who decides: policies, functions, and what wins over what."""

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


def _approve(_plan: Plan) -> str:
    return "approve"


@pytest.mark.parametrize(
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
def test_confirming_wins(policy: Any, approve_all: bool, force_confirm: bool, holds: Any) -> None:  # noqa: FBT001  a row of a table
    """FORCE_CONFIRM beats APPROVE_ALL and auto; deny and functions stay."""
    assert settle(policy, approve_all=approve_all, force_confirm=force_confirm) == holds


@pytest.mark.parametrize("policy", ["yes", "", None, 1])
def test_an_unknown_policy_is_an_error(policy: Any) -> None:
    """A policy that does not exist is refused with the ones that do."""
    with pytest.raises(UsageError, match="ask, auto, deny or a function"):
        settle(policy)


def test_auto_approves_exactly_what_was_shown(proposal: ApprovalRequest) -> None:
    """The approval names the whole and every step."""
    approval = decide(proposal, "auto", front_end="headless")
    assert (approval.decision, approval.by) == ("approve", "auto")
    assert approval.shown == proposal.fingerprint
    assert approval.steps == proposal.step_fingerprints


def test_deny_rejects_and_covers_nothing(proposal: ApprovalRequest) -> None:
    """A rejection names no step."""
    approval = decide(proposal, "deny")
    assert (approval.decision, approval.by, dict(approval.steps)) == ("reject", "deny", {})


def test_ask_without_anybody_is_an_error_at_once(proposal: ApprovalRequest) -> None:
    """Nobody to ask means an error that names every way out."""
    with pytest.raises(ApprovalError) as caught:
        decide(proposal, "ask", front_end="headless")
    assert all(way in caught.value.hint for way in ("--yes", "--approve auto|deny", "OKSO_APPROVE"))


@pytest.mark.parametrize("effect", ["irreversible", "writes"])
def test_auto_leaves_some_steps_to_a_person(proposal: ApprovalRequest, effect: str) -> None:
    """What cannot be undone or is protected is refused headless, naming the step and why."""
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
def test_the_reason_that_holds_is_named(
    bench: Bench, args: dict[str, str], filled: tuple[object, ...], why: str
) -> None:
    """And no other one that might have held."""
    plan = [{"tool": "file_write", "args": args}, END]
    with bench.session(*filled) as session, pytest.raises(ApprovalError) as caught:
        session.execute(plan, approve="auto")
    assert f"auto does not approve {why}" in caught.value.message


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_function_decides_on_the_plan(proposal: ApprovalRequest, answer: str) -> None:
    """A function gets the plan as shown, and its answer is the decision."""
    seen: list[Plan] = []

    def approver(plan: Plan) -> str:
        seen.append(plan)
        return answer

    approval = decide(proposal, approver)
    assert seen == [proposal.plan]
    assert (approval.decision, approval.by) == (answer, "callable")
    assert bool(approval.steps) == (answer == "approve")


def test_feedback_of_a_function_is_no_approval(proposal: ApprovalRequest) -> None:
    """Feedback keeps its text and covers nothing."""
    approval = decide(proposal, lambda _plan: Feedback(" use b.txt "))
    assert (approval.decision, approval.feedback) == ("feedback", "use b.txt")
    assert not approval.steps


@pytest.mark.parametrize("answer", [True, None, "yes", "feedback", Feedback("  "), ["approve"]])
def test_any_other_answer_is_an_error_that_names_it(proposal: ApprovalRequest, answer: Any) -> None:
    """A function that answers something else has approved nothing."""
    with pytest.raises(ApprovalError) as caught:
        decide(proposal, lambda _plan: answer)
    assert repr(answer) in caught.value.message
