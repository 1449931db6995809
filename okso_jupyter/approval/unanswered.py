"""Rejections that end an unanswered wait: time-out, or the cell was run again."""

from __future__ import annotations

from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval


def timed_out(proposal: ApprovalRequest, timeout_s: float | None) -> Approval:
    """Return the rejection for a wait that was not answered within `timeout_s` seconds."""
    reason = f"no decision within {timeout_s:g} s" if timeout_s is not None else "no decision"
    return Approval(decision="reject", shown=proposal.fingerprint, by="timeout", reason=reason)


def superseded(proposal: ApprovalRequest) -> Approval:
    """Return the rejection for a wait whose cell was run again."""
    reason = "its cell was run again"
    return Approval(decision="reject", shown=proposal.fingerprint, by="superseded", reason=reason)
