"""ApprovalGate: checks each call at the dispatcher; an approved call passes once."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.effects.effect import NOT_REPEATABLE, Effects, beyond, in_words
from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.errors import ApprovalError, DriftedError, RuleDriftedError
from okso_jupyter.plan.approval_request import ApprovalRequest, inputs_sha256
from okso_jupyter.plan.approval_scope import ApprovalScope, Grant, Grants, digest_of_text
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.records import Approval, StepStatus, ToolCall
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.toolkit.context import RedirectRefusal, no_refusal

#: What to do about a call that a rule denies.
HOW_TO_PERMIT: Final = "leave the step out, or change the rule: %okso policy shows the rules"
#: Approvers that no person stands behind: what they approve, a rule may still leave to a person.
_UNATTENDED: Final = frozenset({"auto", "rule"})


@dataclass(slots=True, kw_only=True)
class ApprovalGate:
    """Lets a call pass only if an approval covers it.

    An approval covers a step exactly as it was shown, in that version of the plan and for the
    number of attempts shown, until an attempt succeeds, may have had an effect, or has an unknown
    outcome. A newer version of the plan ends all approvals of the older one.

    Attributes:
        effects_of: Returns the effects of a call with its final arguments.
        preview_of: Returns what a call would change now, as text.
        rehearsal_of: Returns the file effects that a call would have now; None if unknown.
        left_by_run: Returns the fingerprint of what the run itself left at a path, or None.
        folder: The working folder that calls run in.
        data: Notebook variables that Python steps read and write.
        may_replace: Paths whose content any policy may let be overwritten.
        grants: The approvals; those of a resumed run come from its journal.
        rule_of: Returns the rule of a policy file that decides about a call with its final
            arguments, or None if none matches; itself None in a replay, where no rule is asked.
        refusal_of: Returns what the rules say to redirects of a call.
    """

    effects_of: Callable[[ToolCall], Effects]
    preview_of: Callable[[ToolCall], str]
    rehearsal_of: Callable[[ToolCall], Rehearsal | None]
    left_by_run: Callable[[str], str | None]
    folder: str
    data: RunInputs = field(default_factory=RunInputs)
    may_replace: frozenset[str] = frozenset()
    grants: Grants = field(default_factory=Grants)
    rule_of: Callable[[ToolCall], MatchedRule | None] | None = None
    refusal_of: Callable[[ToolCall], RedirectRefusal] = lambda _call: no_refusal

    def withdraw(self, proposal: ApprovalRequest) -> None:
        """Withdraw the approvals of steps that are about to be shown again."""
        self.grants.withdraw(shown.step.id for shown in proposal.due)

    def grant(self, proposal: ApprovalRequest, approval: Approval) -> None:
        """Grant the steps that an approval covers.

        Raises:
            ApprovalError: It is not an approval, belongs to another request, or to a version of the
                plan that was replaced by a newer one.
        """
        fingerprint, steps = proposal.fingerprints
        if approval.decision != "approve" or approval.shown != fingerprint:
            msg = "the approval is not about the plan that is about to run"
            raise ApprovalError(msg)
        if proposal.denial:
            raise ApprovalError(proposal.denial, hint=HOW_TO_PERMIT)
        if proposal.plan.version < self.grants.plan_version:
            msg = f"version {proposal.plan.version} of the plan was replaced by a newer one"
            raise ApprovalError(msg, hint="approve the newest version")
        approved = {i for i, name in steps.items() if approval.steps.get(i) == name}
        self.grants.add(proposal.terms, approved, by=approval.by)

    def __call__(self, call: ToolCall) -> Effects:
        """Let an approved call pass, count the attempt and return the effects of the call.

        Raises:
            RuleDriftedError: No person approved it, and no rule allows it as it is now.
            DriftedError: What the call reads or changes was changed from outside the run.
            ApprovalError: No approval covers it; the message gives the reason.
        """
        effects = self.effects_of(call)
        reason = self._objection(call, effects)
        if reason:
            msg = f"step {call.step_id} ({call.tool}) does not run: {reason}"
            raise ApprovalError(msg, hint="approve the plan again")
        self._check_rules(call)
        if self._drifted(call):
            msg = f"step {call.step_id} ({call.tool}) does not run: {DriftedError.reason}"
            raise DriftedError(msg, hint="approve the plan again")
        self.grants.count(call.step_id, is_repeatable=not effects & NOT_REPEATABLE)
        return effects

    def _check_rules(self, call: ToolCall) -> None:
        """Raise ApprovalError for a call that a rule denies, or leaves to a person who saw nothing.

        Rules see the filled arguments here: those of the plan were matched when it was shown.
        """
        if self.rule_of is None:
            return
        rule = self.rule_of(call)
        decision = rule.decision if rule else None
        by = self.grants.of_step[call.step_id].by
        if decision == "deny":
            msg = f"step {call.step_id} ({call.tool}) does not run: {rule}"
            raise ApprovalError(msg, hint=HOW_TO_PERMIT)
        if (decision == "ask" and by in _UNATTENDED) or (decision is None and by == "rule"):
            msg = f"step {call.step_id} ({call.tool}) does not run: {RuleDriftedError.reason}"
            raise RuleDriftedError(msg, hint="approve it")

    def redirect_refusal(self, call: ToolCall) -> RedirectRefusal:
        """Return what says why a call must not follow a redirect."""
        return self.refusal_of(call)

    def note(self, step_id: int, status: StepStatus) -> None:
        """Record the outcome of a call: success or "uncertain" ends the approval of its step."""
        self.grants.note(step_id, status)

    def is_good(self, step_id: int) -> bool:
        """Return whether a step is approved and has attempts left."""
        grant = self.grants.of_step.get(step_id)
        return grant is not None and grant.is_good

    def written_unseen(self, step_id: int) -> tuple[str, ...]:
        """Return the open arguments of a step that was approved to overwrite a file.

        The new content has not been shown to anyone yet.
        """
        grant = self.grants.of_step.get(step_id)
        if grant is None or set(grant.terms.losses) <= self.may_replace:
            return ()
        return grant.terms.step.open_args

    def _drifted(self, call: ToolCall) -> bool:
        """Return whether an approved call would no longer change what was shown.

        Changes made by the run itself do not count.
        """
        grant = self.grants.of_step.get(call.step_id)
        if grant is None:
            return False
        terms = grant.terms
        if terms.looked is not None:
            return self._drifted_files(terms.looked, terms.losses, call)
        if terms.step.open_args or not terms.preview_sha256:
            return False
        return digest_of_text(self.preview_of(call)) != terms.preview_sha256

    def _drifted_files(
        self, looked: Mapping[str, str], losses: Container[str], call: ToolCall
    ) -> bool:
        """Return whether a call's files changed from outside, or it would lose more than shown."""
        now = self.rehearsal_of(call)
        if now is None:
            return True
        if any(effect.path not in losses for effect in now.losses):
            return True
        return any(
            mark not in (looked.get(path, ""), self.left_by_run(path))
            for path, mark in now.looked.items()
        )

    def _objection(self, call: ToolCall, effects: Effects) -> str:
        """Return why a call may not pass; empty if it may."""
        grant = self.grants.of_step.get(call.step_id)
        if grant is None:
            return "it was not approved"
        return _used_up(grant, call) or self._changed(grant.terms, call, effects)

    def _changed(self, terms: ApprovalScope, call: ToolCall, effects: Effects) -> str:
        """Return how a call differs from what was shown; empty if it does not."""
        if not terms.covers(call.tool, call.args):
            return "its arguments are not those that were approved"
        if terms.folder != self.folder:
            return "it would run in another folder than was shown"
        if terms.inputs_sha256 != inputs_sha256(self.data, terms.effects):
            return "what goes into Python is not what was shown"
        more = beyond(terms.effects, effects)
        if more:
            return f"it would do more than was shown: {in_words(more)}"
        return ""


def _used_up(grant: Grant, call: ToolCall) -> str:
    """Return why an approval does not cover another call; empty if it does."""
    if grant.terms.plan_version != call.plan_version:
        return f"it was approved in version {grant.terms.plan_version} of the plan"
    if grant.is_spent:
        return "its approval was used up by an earlier attempt"
    return "more attempts than were approved" if grant.attempts >= grant.terms.attempts else ""
