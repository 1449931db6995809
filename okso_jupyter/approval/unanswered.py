"""What a wait comes to when nobody answers: in time, or before the cell is run once more."""

from __future__ import annotations

from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval


def timed_out(proposal: ApprovalRequest, timeout_s: float | None) -> Approval:
    """Return the rejection that a wait ends in when nobody answers."""
    reason = f"no decision within {timeout_s:g} s" if timeout_s is not None else "no decision"
    return Approval(decision="reject", shown=proposal.fingerprint, by="timeout", reason=reason)


def superseded(proposal: ApprovalRequest) -> Approval:
    """Return the rejection that a wait ends in when its cell is run once more."""
    reason = "its cell was run again"
    return Approval(decision="reject", shown=proposal.fingerprint, by="superseded", reason=reason)
