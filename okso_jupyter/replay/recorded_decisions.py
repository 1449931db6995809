"""Policies that decide as a recording says: about what was shown to the letter, and nothing else.

A run that is played back touches nothing, so that where it lies does not matter. A decision that is
to let a live run go on counts elsewhere only for steps that a policy may decide about; a step that
needs a person wants that person's decision about the same step in the same folder.
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
    """Knows decisions, such as a boundary that is played back."""

    def decided(self, portable_fingerprint: str) -> Mapping[str, Any]:
        """Return the decision about what has this fingerprint; ReplayMissError if there is none."""


class DraftEditor(Protocol):
    """Makes of a plan what a person once made of it."""

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Return what can be approved."""


def sealed_part(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the seal of a person's decision is of, as the journal holds it.

    The run is part of it: the decision cannot be passed off as one of another run.
    """
    names = ("run", "decision", "shown", "by", "up_to")
    steps = {str(step_id): name for step_id, name in decision["steps"].items()}
    return {**{name: decision.get(name) for name in names}, "steps": steps}


def portable_fingerprint(proposal: ApprovalRequest) -> str:
    """Return the fingerprint of what is shown, its folder left out."""
    return replace(proposal, folder="").fingerprint


def _for_policy(proposal: ApprovalRequest) -> ApprovalRequest:
    """Return a proposal none of whose steps is marked as one for a person."""
    return replace(
        proposal, steps=tuple(replace(shown, needs_person=False) for shown in proposal.steps)
    )


@dataclass(frozen=True, slots=True)
class ReplayedDecisions:
    """Decides for a run that is played back.

    Attributes:
        boundary: Knows what was decided.
    """

    boundary: RecordedDecision

    def decide(self, proposal: ApprovalRequest, editor: DraftEditor | None) -> Approval:
        """Return what was decided.

        Raises:
            ReplayMissError: This was never shown.
        """
        gave = self._gave(proposal)
        return _about(_edited(proposal, gave, editor), gave)

    def _gave(self, proposal: ApprovalRequest) -> Mapping[str, Any]:
        """Return what was decided about a proposal.

        A version that recorded it may have left steps to a policy that are for a person now;
        nothing is touched here, so that this makes no difference.
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
        is_trusted: Whether the user trusts the file, with every decision in it.
    """

    path: Path
    known: Mapping[str, tuple[Mapping[str, Any], ...]]
    is_trusted: bool = False

    @classmethod
    def open(cls, name: str) -> Self:
        """Read the decisions of a recording.

        Raises:
            RecordingError: It cannot be read.
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
        """Return what was decided about the same proposal.

        Raises:
            ReplayMissError: This was never shown, or a step of it needs a person who saw just this.
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
        """Raise ReplayMissError for an approval of what needs a person, unless it was one's own."""
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
    """Return what was decided about: what a person made of the proposal, if they did."""
    edited = gave.get("edited")
    return editor.adopt(edited) if edited and editor is not None else proposal


def _about(proposal: ApprovalRequest, gave: Mapping[str, Any]) -> Approval:
    """Return a recorded decision as one about what is shown here."""
    shown, steps = proposal.fingerprints
    known = {spec.name: gave[spec.name] for spec in fields(Approval) if spec.name in gave}
    approved = {i: name for i, name in steps.items() if str(i) in map(str, gave["steps"])}
    return Approval(**{**known, "shown": shown, "steps": approved})
