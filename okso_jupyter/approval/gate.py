"""ApprovalGate: checks each call at the dispatcher; an approved call passes once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.effects.effect import NOT_REPEATABLE, Effects, beyond, in_words
from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.errors import ApprovalError, DriftedError
from okso_jupyter.journal.events import CallStarted, DecisionMade, ObservationMade, ProposalShown
from okso_jupyter.journal.store import Record, events_of
from okso_jupyter.plan.approval_request import ApprovalRequest, inputs_sha256
from okso_jupyter.plan.approval_scope import ApprovalScope, digest_of_text
from okso_jupyter.plan.records import Approval, StepStatus, ToolCall
from okso_jupyter.plan.run_inputs import RunInputs

#: Outcomes after which a step may not run again under the same approval.
_ENDS: Final = frozenset({"completed", "uncertain"})


@dataclass(slots=True)
class _Grant:
    """An approval of one step and the attempts used so far."""

    terms: ApprovalScope
    attempts: int = 0
    is_spent: bool = False


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
    """

    effects_of: Callable[[ToolCall], Effects]
    preview_of: Callable[[ToolCall], str]
    rehearsal_of: Callable[[ToolCall], Rehearsal | None]
    left_by_run: Callable[[str], str | None]
    folder: str
    data: RunInputs = field(default_factory=RunInputs)
    may_replace: frozenset[str] = frozenset()
    _grants: dict[int, _Grant] = field(default_factory=dict)
    _plan_version: int = 0

    def withdraw(self, proposal: ApprovalRequest) -> None:
        """Withdraw the approvals of steps that are about to be shown again."""
        self._withdraw(shown.step.id for shown in proposal.due)

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
        if proposal.plan.version < self._plan_version:
            msg = f"version {proposal.plan.version} of the plan was replaced by a newer one"
            raise ApprovalError(msg, hint="approve the newest version")
        approved = {i for i, name in steps.items() if approval.steps.get(i) == name}
        self._grant(proposal.terms, approved)

    def restore(self, records: Iterable[Record]) -> None:
        """Restore the approvals, and the attempts used, from a run's journal.

        An approval whose scope cannot be read back exactly, for example after redaction, is left
        out, so its step needs a new approval. An interrupted attempt without lasting effects does
        not count.

        Args:
            records: The records of the run, in order.
        """
        shown: ProposalShown | None = None
        begun: dict[int, bool] = {}
        kinds = (ProposalShown, DecisionMade, CallStarted, ObservationMade)
        for event in events_of(records, *kinds):
            match event:
                case ProposalShown() as shown:
                    if shown.about != "part":
                        self._withdraw(_read_terms(shown))
                case DecisionMade() as made if shown is not None:
                    self._restore_decided(shown, made)
                case CallStarted(step_id=step_id, is_repeatable=is_repeatable):
                    self._count(step_id, is_repeatable=is_repeatable)
                    begun[step_id] = is_repeatable
                case ObservationMade(observation=seen):
                    self.note(seen.call.step_id, seen.status)
                    begun.pop(seen.call.step_id, None)
        self._give_back(step_id for step_id, is_repeatable in begun.items() if is_repeatable)

    def _restore_decided(self, shown: ProposalShown, made: DecisionMade) -> None:
        """Restore a decision of the journal if it approves what was last shown."""
        is_about = shown.fingerprint == made.shown and shown.about != "part"
        if made.is_approval and is_about:
            terms = _read_terms(shown)
            approved = {i for i in terms if made.steps.get(i) == terms[i].fingerprint}
            self._grant(terms, approved)

    def __call__(self, call: ToolCall) -> None:
        """Let an approved call pass and count the attempt.

        Raises:
            DriftedError: What the call reads or changes was changed from outside the run.
            ApprovalError: No approval covers it; the message gives the reason.
        """
        reason = self._objection(call)
        if reason:
            msg = f"step {call.step_id} ({call.tool}) does not run: {reason}"
            raise ApprovalError(msg, hint="approve the plan again")
        if self._drifted(call):
            msg = f"step {call.step_id} ({call.tool}) does not run: {DriftedError.reason}"
            raise DriftedError(msg, hint="approve the plan again")
        self._count(call.step_id, is_repeatable=not self.effects_of(call) & NOT_REPEATABLE)

    def note(self, step_id: int, status: StepStatus) -> None:
        """Record the outcome of a call: success or "uncertain" ends the approval of its step."""
        if status in _ENDS and step_id in self._grants:
            self._grants[step_id].is_spent = True

    def is_good(self, step_id: int) -> bool:
        """Return whether a step is approved and has attempts left."""
        grant = self._grants.get(step_id)
        return grant is not None and not grant.is_spent and grant.attempts < grant.terms.attempts

    def written_unseen(self, step_id: int) -> tuple[str, ...]:
        """Return the open arguments of a step that was approved to overwrite a file.

        The new content has not been shown to anyone yet.
        """
        grant = self._grants.get(step_id)
        if grant is None or set(grant.terms.losses) <= self.may_replace:
            return ()
        return grant.terms.step.open_args

    def _drifted(self, call: ToolCall) -> bool:
        """Return whether an approved call would no longer change what was shown.

        Changes made by the run itself do not count.
        """
        grant = self._grants.get(call.step_id)
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

    def _withdraw(self, step_ids: Iterable[int]) -> None:
        for step_id in step_ids:
            self._grants.pop(step_id, None)

    def _grant(self, shown: Mapping[int, ApprovalScope], approved: Container[int]) -> None:
        """Grant the approved steps; a newer plan version ends all earlier grants."""
        version = max((terms.plan_version for terms in shown.values()), default=0)
        if version > self._plan_version:
            self._grants.clear()
            self._plan_version = version
        for step_id, terms in shown.items():
            if step_id in approved:
                self._grants[step_id] = _Grant(terms)

    def _give_back(self, step_ids: Iterable[int]) -> None:
        """Uncount one attempt of each step."""
        for step_id in step_ids:
            if step_id in self._grants:
                self._grants[step_id].attempts = max(0, self._grants[step_id].attempts - 1)

    def _count(self, step_id: int, *, is_repeatable: bool) -> None:
        """Count an attempt; one that is not repeatable uses up the approval."""
        if step_id in self._grants:
            self._grants[step_id].attempts += 1
            self._grants[step_id].is_spent |= not is_repeatable

    def _objection(self, call: ToolCall) -> str:
        """Return why a call may not pass; empty if it may."""
        grant = self._grants.get(call.step_id)
        if grant is None:
            return "nobody approved it"
        return _used_up(grant, call) or self._changed(grant.terms, call)

    def _changed(self, terms: ApprovalScope, call: ToolCall) -> str:
        """Return how a call differs from what was shown; empty if it does not."""
        if not terms.covers(call.tool, call.args):
            return "its arguments are not those that were approved"
        if terms.folder != self.folder:
            return "it would run in another folder than was shown"
        if terms.inputs_sha256 != inputs_sha256(self.data, terms.effects):
            return "what goes into Python is not what was shown"
        more = beyond(terms.effects, self.effects_of(call))
        if more:
            return f"it would do more than was shown: {in_words(more)}"
        return ""


def _used_up(grant: _Grant, call: ToolCall) -> str:
    """Return why an approval does not cover another call; empty if it does."""
    if grant.terms.plan_version != call.plan_version:
        return f"it was approved in version {grant.terms.plan_version} of the plan"
    if grant.is_spent:
        return "its approval was used up by an earlier attempt"
    return "more attempts than were approved" if grant.attempts >= grant.terms.attempts else ""


def _read_terms(shown: ProposalShown) -> dict[int, ApprovalScope]:
    """Return the approval scopes that were shown, by step id."""
    return {terms.step.id: terms for terms in map(ApprovalScope.from_dict, shown.terms)}
