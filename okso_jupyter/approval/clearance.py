"""Clearance: the gate at the dispatcher. What was approved passes once; nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.effects import NOT_REPEATABLE, Effects, beyond, in_words
from okso_jupyter.plan.plan import attempts_of
from okso_jupyter.plan.proposal import Proposal, ShownStep, covers, step_fingerprint
from okso_jupyter.plan.records import Approval, ToolCall


@dataclass(slots=True)
class Clearance:
    """Says of every call whether an approval covers it.

    An approval covers a step as it was shown, for the attempts that were shown, up to the first
    one that has an effect.

    Attributes:
        effects_of: Effects of a call with its final arguments.
        preview_of: What a call would change, as text, at this moment.
        default_retries: PLAN_MAX_RETRIES.
    """

    effects_of: Callable[[ToolCall], Effects]
    preview_of: Callable[[ToolCall], str]
    default_retries: int | None
    _granted: dict[int, ShownStep] = field(default_factory=dict)
    _attempts: dict[int, int] = field(default_factory=dict)
    _spent: set[int] = field(default_factory=set)

    def grant(self, proposal: Proposal, approval: Approval) -> None:
        """Take in an approval.

        Raises:
            ApprovalError: It is none, or is about something else than this proposal.
        """
        if approval.decision != "approve" or approval.shown != proposal.fingerprint:
            msg = "the approval is not about the plan that is about to run"
            raise ApprovalError(msg)
        for shown in proposal.steps:
            if approval.steps.get(shown.step.id) == step_fingerprint(shown, proposal.folder):
                self._granted[shown.step.id] = shown

    def __call__(self, call: ToolCall) -> None:
        """Let a call pass and count it.

        Raises:
            ApprovalError: No approval covers it; the reason is named.
        """
        reason = self._objection(call)
        if reason:
            msg = f"step {call.step_id} ({call.tool}) does not run: {reason}"
            raise ApprovalError(msg, hint="approve the plan again")
        self._attempts[call.step_id] = self._attempts.get(call.step_id, 0) + 1
        if self.effects_of(call) & NOT_REPEATABLE:
            self._spent.add(call.step_id)

    def _objection(self, call: ToolCall) -> str:
        """Return why a call may not pass, or an empty text."""
        if call.step_id not in self._granted:
            return "nobody approved it"
        shown = self._granted[call.step_id]
        if call.step_id in self._spent:
            return "its approval was used up by an earlier attempt"
        if self._attempts.get(call.step_id, 0) >= attempts_of(shown.step, self.default_retries):
            return "more attempts than were approved"
        if not covers(shown.step, call.tool, call.args):
            return "its arguments are not those that were approved"
        more = beyond(shown.effects, self.effects_of(call))
        if more:
            return f"it would do more than was shown: {in_words(more)}"
        return "what it would change is no longer what was shown" if self.drifted(call) else ""

    def drifted(self, call: ToolCall) -> bool:
        """Say whether an approved call would no longer change what was shown."""
        shown = self._granted.get(call.step_id)
        if shown is None or shown.step.open_args or not shown.preview:
            return False
        return self.preview_of(call) != shown.preview
