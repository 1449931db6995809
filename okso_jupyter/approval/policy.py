"""Approval policy: whether a person, a fixed policy or a function decides about a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol, cast, runtime_checkable

from okso_jupyter.approval.form.model import FormEditor
from okso_jupyter.approval.person import DEFAULT_TIMEOUT_S, ask
from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import FrontEnd, detect
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval, Decision, Feedback

#: Takes the plan as shown; returns "approve", "reject" or Feedback("text").
Approver = Callable[[Plan], object]


@runtime_checkable
class Decider(Protocol):
    """A decider that gets the whole approval request instead of only the plan."""

    def decide(self, proposal: ApprovalRequest, editor: FormEditor | None) -> Approval:
        """Return the decision on the request or an edit of it; raise OksoError if there is none."""
        ...


Policy = Literal["ask", "auto", "deny"] | Approver | Decider

_NAMES: Final = ("ask", "auto", "deny")


def settle(policy: object, *, approve_all: bool = False, force_confirm: bool = False) -> Policy:
    """Return the policy in effect after the settings are applied.

    FORCE_CONFIRM turns `auto` into `ask` and overrides APPROVE_ALL, which turns `ask` into
    `auto`; `deny` and a function are unchanged.

    Args:
        policy: "ask", "auto", "deny", a function of the plan, or a Decider.
        approve_all: The setting APPROVE_ALL.
        force_confirm: The setting FORCE_CONFIRM.

    Raises:
        UsageError: The policy is not one of these.
    """
    if isinstance(policy, Decider) or callable(policy):
        return cast(Decider | Approver, policy)
    if policy not in _NAMES:
        msg = f"approve is one of {', '.join(_NAMES)} or a function of the plan, not {policy!r}"
        raise UsageError(msg)
    if policy == "deny":
        return "deny"
    if force_confirm:
        return "ask"
    return "auto" if approve_all or policy == "auto" else "ask"


def decide(  # noqa: PLR0913  all but the first two are named at every call
    proposal: ApprovalRequest,
    policy: Policy,
    *,
    timeout_s: float | None = DEFAULT_TIMEOUT_S,
    front_end: FrontEnd | None = None,
    editor: FormEditor | None = None,
    always_ask: bool = False,
) -> Approval:
    """Return the decision on an approval request.

    Args:
        proposal: What would run, as it is shown.
        policy: The result of `settle`, or a Decider.
        timeout_s: Seconds a person has to decide; None waits for ever.
        front_end: Where the code runs; None detects it.
        editor: Applies a person's edits; without one the request cannot be edited.
        always_ask: Whether a person is asked even about what rules allow (FORCE_CONFIRM).

    Raises:
        ApprovalError: Only a person may decide and none can be asked here, or a function returned
            an invalid answer.
        KeyboardInterrupt: The user stopped the cell.
    """
    if isinstance(policy, Decider):
        return policy.decide(proposal, editor)
    if policy == "deny":
        return _decided(proposal, "reject", by="deny", reason="the policy is deny")
    front_end = detect() if front_end is None else front_end
    ruled = _by_rules(
        proposal,
        can_edit=policy == "ask" and editor is not None and front_end != "headless",
        can_allow=policy == "ask" and not always_ask,
    )
    if ruled is not None:
        return ruled
    if callable(policy) and not proposal.budget:
        return _ask_function(proposal, policy)
    if policy == "auto" and not proposal.is_for_person:
        return _decided(proposal, "approve", by="auto", reason="the policy is auto")
    if policy == "auto" and front_end == "headless":
        raise _person_wanted(proposal)
    return ask(proposal, timeout_s=timeout_s, front_end=front_end, editor=editor)


def _by_rules(proposal: ApprovalRequest, *, can_edit: bool, can_allow: bool) -> Approval | None:
    """Return the decision of the rules of policy files; None where they leave it to others.

    Args:
        proposal: What would run.
        can_edit: Whether a person is shown it, who can leave out what a rule denies.
        can_allow: Whether rules may approve it.
    """
    if proposal.denial:
        reject = _decided(proposal, "reject", by="rule", reason=proposal.denial)
        return None if can_edit else reject
    if can_allow and proposal.is_allowed:
        return _decided(proposal, "approve", by="rule", reason=_allowed_by(proposal))
    return None


def _allowed_by(proposal: ApprovalRequest) -> str:
    """Return which rules allow all of it, each named by its place."""
    places = dict.fromkeys(shown.rule.place for shown in proposal.due if shown.rule is not None)
    return f"allowed by {', '.join(places)}"


def _ask_function(proposal: ApprovalRequest, approver: Approver) -> Approval:
    """Return a function's decision on the plan."""
    with interrupt.let_through():
        answer = approver(proposal.plan.copy())
    by, reason = "callable", "a function decided"
    if isinstance(answer, Feedback) and answer.text.strip():
        return Approval(
            decision="feedback",
            shown=proposal.fingerprint,
            by=by,
            reason=reason,
            feedback=answer.text.strip(),
        )
    if isinstance(answer, str) and answer in {"approve", "reject"}:
        return _decided(proposal, cast(Decision, answer), by=by, reason=reason)
    msg = f"the approver answered {answer!r}"
    hint = 'an approver returns "approve", "reject" or Feedback("what should be different")'
    raise ApprovalError(msg, hint=hint)


def _decided(proposal: ApprovalRequest, decision: Decision, *, by: str, reason: str) -> Approval:
    """Return a decision; only an approval lists the steps it covers."""
    shown, steps = proposal.fingerprints
    return Approval(
        decision=decision,
        shown=shown,
        by=by,
        reason=reason,
        steps=steps if decision == "approve" else {},
    )


def _person_wanted(proposal: ApprovalRequest) -> ApprovalError:
    """Return the error that lists what `auto` may not approve, each with its reason."""
    plan = [f"the plan: {proposal.doubt}"] if proposal.doubt else []
    steps = [
        f"step {shown.step.id} ({shown.step.tool}): {shown.person_reason}"
        for shown in proposal.steps
        if shown.person_reason
    ]
    msg = f"auto does not approve {'; '.join([*plan, *steps])}, and no person can be asked here"
    hint = "decide in a notebook or terminal, or give a function as approve="
    return ApprovalError(msg, hint=hint)


def name_of(policy: Policy) -> str:
    """Return the policy's name in the journal."""
    if isinstance(policy, str):
        return policy
    return "callable" if callable(policy) else getattr(policy, "name", "recording")
