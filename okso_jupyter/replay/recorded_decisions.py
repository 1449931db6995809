"""Approval policies that repeat recorded decisions, only about exactly what was shown then.

A replayed run touches nothing, so its folder does not matter. For a live run, a decision made in
another folder counts only for steps that a policy may decide about; a step that needs a person
needs that person's decision about the same step in the same folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Protocol, Self

from okso_jupyter.errors import ReplayMissError
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval
from okso_jupyter.replay.recording_file import Recording
from okso_jupyter.seal import Sealer
from okso_jupyter.trust import is_trusted

_PERSON: Final = "user"


class RecordedDecision(Protocol):
    """Source of recorded decisions, such as a `ReplayedBoundary`."""

    def decided(self, portable_fingerprint: str) -> Mapping[str, Any]:
        """Return the decision about this fingerprint; raise ReplayMissError if there is none."""


class DraftEditor(Protocol):
    """Applies a person's recorded edits to a plan."""

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Return an approval request for the edited plan."""


def sealed_part(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a person's decision that its seal covers, as the journal holds it.

    It includes the run: a decision cannot be passed off as one of another run.
    """
    names = ("run", "decision", "shown", "by", "up_to")
    steps = {str(step_id): name for step_id, name in decision["steps"].items()}
    return {**{name: decision.get(name) for name in names}, "steps": steps}


def portable_fingerprint(proposal: ApprovalRequest) -> str:
    """Return the fingerprint of what is shown, with its folder left out."""
    return replace(proposal, folder="").fingerprint


def _for_policy(proposal: ApprovalRequest) -> ApprovalRequest:
    """Return an approval request with no step marked as needing a person."""
    return replace(
        proposal, steps=tuple(replace(shown, needs_person=False) for shown in proposal.steps)
    )


@dataclass(frozen=True, slots=True)
class ReplayedDecisions:
    """Decides for a replayed run.

    Attributes:
        boundary: Source of the recorded decisions.
    """

    boundary: RecordedDecision

    def decide(self, proposal: ApprovalRequest, editor: DraftEditor | None) -> Approval:
        """Return the recorded decision.

        Raises:
            ReplayMissError: This approval request was never shown.
        """
        gave = self._gave(proposal)
        return _about(_edited(proposal, gave, editor), gave)

    def _gave(self, proposal: ApprovalRequest) -> Mapping[str, Any]:
        """Return the recorded decision about an approval request, as JSON data.

        An earlier version may have left steps to a policy that need a person now; a replay touches
        nothing, so the difference is ignored.
        """
        shown, before = portable_fingerprint(proposal), portable_fingerprint(_for_policy(proposal))
        try:
            return self.boundary.decided(shown)
        except ReplayMissError:
            if before == shown:
                raise
            with suppress(ReplayMissError):
                return self.boundary.decided(before)
            raise


@dataclass(frozen=True, slots=True, eq=False)
class RecordedDecisions:
    """Decides for a live run.

    Attributes:
        path: The recording.
        known: Its decisions, by the fingerprint of what was shown with its folder left out.
        is_trusted: Whether the user trusts the file and every decision in it.
    """

    path: Path
    known: Mapping[str, tuple[Mapping[str, Any], ...]]
    is_trusted: bool = False

    @classmethod
    def open(cls, name: str) -> Self:
        """Read the decisions of a recording.

        Raises:
            RecordingError: The file cannot be read.
        """
        recording = Recording.open(name)
        known: dict[str, tuple[Mapping[str, Any], ...]] = {}
        for run in recording.runs:
            for entry in run.entries:
                if entry.kind in {"decision", "consent"}:
                    shown = str(entry.asked["shown"])
                    known[shown] = (*known.get(shown, ()), entry.gave)
        return cls(recording.path, known, is_trusted(recording.sha256))

    def decide(self, proposal: ApprovalRequest, editor: DraftEditor | None) -> Approval:
        """Return the recorded decision about the same approval request.

        Raises:
            ReplayMissError: It was never shown, or a step needs a person who saw exactly this.
        """
        known = self.known.get(portable_fingerprint(proposal), ())
        if not known:
            msg = f"{self.path} holds no decision about this plan as it is shown"
            raise ReplayMissError(msg, hint=self._hint)
        exact = proposal.fingerprint
        gave = max(reversed(known), key=lambda one: (one["by"] == _PERSON, one["shown"] == exact))
        decided = _edited(proposal, gave, editor)
        if gave["anywhere"] != portable_fingerprint(decided):
            msg = f"{self.path} holds no decision about this plan as it was edited"
            raise ReplayMissError(msg, hint=self._hint)
        approval = _about(decided, gave)
        self._check_persons(decided, approval, gave)
        reason = f"decided by {gave['by']} when {self.path.name} was recorded"
        return replace(approval, by="replay", reason=reason)

    def _check_persons(
        self, proposal: ApprovalRequest, approval: Approval, gave: Mapping[str, Any]
    ) -> None:
        """Raise ReplayMissError if a person is needed and the approval is not the user's own."""
        is_exact = gave["by"] == _PERSON and gave["shown"] == proposal.fingerprint
        is_sealed = Sealer.of_user().fits(sealed_part(gave), gave.get("seal"))
        if is_exact and (is_sealed or self.is_trusted):
            return
        lacks = (
            f"{self.path} holds no person's decision about it in this folder"
            if not is_exact
            else f"the person's decision in {self.path} was not written by your okso"
        )
        trust = f"{self._hint}; or trust the file: %okso trust {self.path}"
        hint = trust if is_exact else self._hint
        if proposal.doubt and approval.decision == "approve":
            msg = f"the plan needs a person, since {proposal.doubt}; {lacks}"
            raise ReplayMissError(msg, hint=hint)
        for shown in proposal.steps:
            if shown.step.id in approval.steps and shown.person_reason:
                msg = (
                    f"step {shown.step.id} ({shown.step.tool}) needs a person, since "
                    f"{shown.person_reason}; {lacks}"
                )
                raise ReplayMissError(msg, hint=hint)

    @property
    def _hint(self) -> str:
        return f"decide it yourself, and record that: --approve ask --record {self.path}"


def _edited(
    proposal: ApprovalRequest, gave: Mapping[str, Any], editor: DraftEditor | None
) -> ApprovalRequest:
    """Return what was decided about: the approval request, or a person's edit of it."""
    edited = gave.get("edited")
    return editor.adopt(edited) if edited and editor is not None else proposal


def _about(proposal: ApprovalRequest, gave: Mapping[str, Any]) -> Approval:
    """Return a recorded decision as an approval of what is shown here."""
    shown, steps = proposal.fingerprints
    known = {spec.name: gave[spec.name] for spec in fields(Approval) if spec.name in gave}
    approved = {i: name for i, name in steps.items() if str(i) in map(str, gave["steps"])}
    return Approval(**{**known, "shown": shown, "steps": approved})
