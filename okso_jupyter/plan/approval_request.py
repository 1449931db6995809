"""ApprovalRequest: a plan as shown for approval, with the fingerprints that bind a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_effects import FileEffect, Rehearsal
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.approval_scope import ApprovalScope, digest, digest_of_text
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Candidate
from okso_jupyter.plan.revision import Revision
from okso_jupyter.plan.run_inputs import RunInputs

#: Most losses that a reason lists.
_NAMED_LOSSES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Result of a step that has already run.

    Attributes:
        how: Its state, such as "completed".
        observed: Its output, or why there is none, as text.
    """

    how: str
    observed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """One step as it is shown.

    Attributes:
        step: The step.
        effects: Effects of its call.
        preview: The expected changes as text, such as a diff; empty if there is none.
        safety: A safety note of the tool; empty if it has none.
        timeout_s: Seconds that it may take; None if unknown.
        needs_person: Whether it touches something that no policy may decide about, such as a
            protected name.
        doubt: Why it needs a person, in words; empty if no reason is known.
        attempts: How often it may be tried.
        ended: State of the step, such as "completed", if it ran under an earlier version of the
            plan; empty if it is still to run.
        observed: Its output, as text; empty if it is still to run.
        rehearsal: What the call does to files, after the steps before it; None for a tool without a
            rehearsal.
        may_replace: Paths whose content any policy may discard.
        rule: The rule of a policy file that decides about it; None if none matches.
        trifecta: What it contributes to a plan that reads private data, meets untrusted content and
            can send something out, in words; empty if the plan cannot do all three.
    """

    step: Step
    effects: Effects
    preview: str = ""
    safety: str = ""
    timeout_s: float | None = None
    needs_person: bool = False
    doubt: str = ""
    attempts: int = 1
    ended: str = ""
    observed: str = ""
    rehearsal: Rehearsal | None = None
    may_replace: frozenset[str] = frozenset()
    rule: MatchedRule | None = None
    trifecta: str = ""

    @property
    def losses(self) -> tuple[FileEffect, ...]:
        """Effects that lose content which the run did not create itself."""
        return () if self.ended or self.rehearsal is None else self.rehearsal.losses

    @property
    def person_reason(self) -> str:
        """Why only a person may approve the step; empty if a policy may."""
        if self.ended:
            return ""
        if Effect.IRREVERSIBLE in self.effects:
            return "it cannot be undone"
        guarded = [effect for effect in self.losses if effect.path not in self.may_replace]
        if guarded:
            return f"it {' and '.join(map(str, guarded[:_NAMED_LOSSES]))}"
        if Effect.UNDECLARED in self.effects:
            return "its effects are not declared, so it may do anything"
        if self.needs_person:
            return self.doubt or "a person has to decide about it"
        return str(self.rule) if self.rule is not None and self.rule.decision == "ask" else ""

    @property
    def denial(self) -> str:
        """The rule that denies the step, in words; empty if none does."""
        is_denied = self.rule is not None and self.rule.decision == "deny" and not self.ended
        return str(self.rule) if is_denied else ""

    @property
    def can_be_learnt(self) -> bool:
        """Whether a rule that allows it from now on may be offered."""
        is_new = self.rule is None and not self.ended and not self.step.is_final
        return is_new and not self.person_reason and not self.step.open_args

    @property
    def is_allowed(self) -> bool:
        """Whether it may run without anybody being asked: a rule allows it, or it answers."""
        is_ruled = self.rule is not None and self.rule.decision == "allow"
        return (is_ruled or self.step.is_final) and not self.person_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """A plan as it is shown for approval.

    Attributes:
        plan: The plan.
        steps: Its steps with everything that is shown of them, in the plan's order.
        folder: The working folder, as shown.
        request: The user's request.
        candidates_note: How sure the plan is, such as "3 of 3 agree, 72 of 72 points"; after a
            semicolon what else is known of how it was chosen.
        candidates: The candidates that it was chosen from.
        chosen: Number of the candidate that it is, or was made from; None if it is not from one.
        not_taken_up: Values that the request names and no step uses.
        doubt: Why no policy may decide about the plan as a whole, in words; empty if one may.
        budget: Which budgets are used up, in words, so that a person is asked to allow more; empty
            if none is. It is in the fingerprint: an earlier approval of the plan allows no more.
        data: Values that go from the notebook into Python, and names that are returned.
        revision: Changes since the previous version; None for a first plan.
        is_begun: Whether the run has begun, so that some steps may have run already.
        is_uncertain: Whether it asks about its only step, of which the outcome is unknown.
        run_id: The run that it belongs to; empty if there is none that could be resumed.

    Raises:
        ApprovalError: The steps shown are not the plan's.
    """

    plan: Plan
    steps: tuple[ShownStep, ...]
    folder: str = "."
    request: str = ""
    candidates_note: str = ""
    candidates: tuple[Candidate, ...] = ()
    chosen: int | None = None
    not_taken_up: tuple[str, ...] = ()
    doubt: str = ""
    budget: str = ""
    data: RunInputs = field(default_factory=RunInputs)
    revision: Revision | None = None
    is_begun: bool = False
    is_uncertain: bool = False
    run_id: str = ""

    def __post_init__(self) -> None:
        """Check that the steps shown are the plan's, so that exactly those are approved."""
        if tuple(shown.step for shown in self.steps) != self.plan.steps:
            msg = "the steps shown are not the steps of the plan"
            raise ApprovalError(msg)

    @property
    def due(self) -> tuple[ShownStep, ...]:
        """The steps that would run: all that have not ended."""
        return tuple(shown for shown in self.steps if not shown.ended)

    @property
    def is_for_person(self) -> bool:
        """Whether only a person may approve it: the plan as a whole, or one of its steps."""
        return bool(self.doubt) or any(shown.person_reason for shown in self.steps)

    @property
    def denial(self) -> str:
        """Why rules deny it, naming each denied step; empty if they deny no step."""
        denied = [shown for shown in self.due if shown.denial]
        return "; ".join(f"step {s.step.id} ({s.step.tool}): {s.denial}" for s in denied)

    @property
    def is_allowed(self) -> bool:
        """Whether rules allow all of it, so that nobody has to be asked."""
        is_ruled = any(shown.rule is not None for shown in self.due)
        return is_ruled and not self.doubt and all(shown.is_allowed for shown in self.due)

    @property
    def terms(self) -> dict[int, ApprovalScope]:
        """The scope of an approval, by the id of every step that would run."""
        return {shown.step.id: self._terms_of(shown) for shown in self.due}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that would run, as 64 hexadecimal digits."""
        return self.fingerprints[0]

    @property
    def step_fingerprints(self) -> dict[int, str]:
        """Fingerprint of every step that would run, by its id."""
        return self.fingerprints[1]

    @property
    def fingerprints(self) -> tuple[str, dict[int, str]]:
        """Fingerprint of everything that would run, and of every step that would run, by its id.

        Computed on every access and not cached: the approver could have changed what was shown.
        """
        prints = {step_id: terms.fingerprint for step_id, terms in self.terms.items()}
        document = {
            "request": self.request,
            "data": asdict(self.data),
            "steps": [
                [shown.step.id, prints.get(shown.step.id, shown.ended)] for shown in self.steps
            ],
            **({"budget": self.budget} if self.budget else {}),
        }
        return digest(document), prints

    def until(self, step_id: int | None, prints: Mapping[int, str]) -> dict[int, str]:
        """Return the fingerprints of the steps that would run, up to a given one.

        Args:
            step_id: The last step; None for all.
            prints: Fingerprints by step id.
        """
        due = [shown.step.id for shown in self.due]
        last = len(due) if step_id is None else due.index(step_id) + 1
        return {due_id: prints[due_id] for due_id in due[:last]}

    def _terms_of(self, shown: ShownStep) -> ApprovalScope:
        return ApprovalScope(
            step=shown.step,
            plan_version=self.plan.version,
            effects=shown.effects,
            needs_person=shown.needs_person,
            attempts=shown.attempts,
            timeout_s=shown.timeout_s,
            folder=self.folder,
            inputs_sha256=inputs_sha256(self.data, shown.effects),
            preview_sha256=digest_of_text(shown.preview),
            looked=dict(shown.rehearsal.looked) if shown.rehearsal else None,
            losses=tuple(sorted({effect.path for effect in shown.losses})),
        )


def inputs_sha256(data: RunInputs, effects: Effects) -> str:
    """Return the hash of the inputs of code that a step runs; empty if it runs none."""
    runs_code = Effect.RUNS_CODE in effects or Effect.UNDECLARED in effects
    return digest(asdict(data)) if runs_code else ""
