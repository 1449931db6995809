"""What the form shows at one moment, and the editor that makes it out of a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from okso_jupyter.approval.form.message import DraftStep, FormDraft
from okso_jupyter.effects.effect import Effects
from okso_jupyter.errors import ApprovalError
from okso_jupyter.legible import visible
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Step
from okso_jupyter.views import plan_text

Kind = Literal["text", "number", "boolean", "choice", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One argument of a step.

    Attributes:
        name: Its name.
        kind: What it is edited with.
        text: What stands in the field, legible and without secrets.
        choices: What there is to choose from.
        is_required: Whether the tool cannot do without it.
        is_open: Whether it is filled in when the step is due.
        error: What is wrong with it; empty when nothing is.
        description: What the tool says about it.
    """

    name: str
    kind: Kind
    text: str
    choices: tuple[str, ...] = ()
    is_required: bool = False
    is_open: bool = False
    error: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCard:
    """One step.

    Attributes:
        step: The step, as far as its fields can be read.
        shown: What it would do; None while its fields are not right.
        fields: Its arguments.
        is_ticked: Whether it is ticked.
        off_reason: Why it does not run although it is ticked; empty when it does.
        can_edit: Whether it may be edited, unticked and moved.
        error: What is wrong with the step as a whole; empty when nothing is.
        effects: What it could do while its fields are not right, as far as they can be read.
    """

    step: Step
    shown: ShownStep | None
    fields: tuple[Field, ...] = ()
    is_ticked: bool = True
    off_reason: str = ""
    can_edit: bool = False
    error: str = ""
    effects: Effects = frozenset()

    @property
    def ended(self) -> str:
        """How the step came out, where it ran already."""
        return self.shown.ended if self.shown else ""

    @property
    def errors(self) -> tuple[str, ...]:
        """All that is wrong with it."""
        return tuple(filter(None, (self.error, *(one.error for one in self.fields))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A candidate that can be chosen in place of the one that is shown.

    Attributes:
        candidate: Its number.
        score: Its points.
        outline: Its steps, one on a line.
    """

    candidate: int
    score: float
    outline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormModel:
    """What the form shows.

    Attributes:
        proposal: What an approval is about; while something is wrong, what was proposed.
        cards: Every step in the order shown, those included that do not run.
        draft: What the sheet was made of, complete.
        problem: What is wrong with the plan as a whole; empty when nothing is.
        score: Points of the plan as it is shown; None where there is none.
        score_before: Points of what was proposed.
        score_notes: What parts the two, a sentence for each rule.
        alternatives: The candidates, the shown one among them.
    """

    proposal: ApprovalRequest
    cards: tuple[StepCard, ...]
    draft: FormDraft = field(default_factory=FormDraft)
    problem: str = ""
    score: float | None = None
    score_before: float | None = None
    score_notes: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong; nothing can be approved while there is anything."""
        own = (self.problem,) if self.problem else ()
        return (*own, *(error for card in self.cards for error in card.errors))

    @property
    def shown(self) -> str:
        """Fingerprint of what an approval is about; empty while something is wrong."""
        return "" if self.problems else self.proposal.fingerprint


class FormEditor(Protocol):
    """Where drafts are turned into what can be approved; nothing else is ever approved."""

    def form_model(self, draft: FormDraft) -> FormModel:
        """Return what is to be shown for a draft.

        Raises:
            ApprovalError: The draft is no draft of this plan.
        """

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Return what a person once made of the plan, to be approved as it was then.

        Args:
            edited: Plan, cause and reason, as the journal has them.

        Raises:
            OksoError: It cannot be had here.
        """


@dataclass(frozen=True, slots=True)
class ReadOnlyEditor:
    """An editor for what can be decided about as it is, and not edited."""

    proposal: ApprovalRequest

    def form_model(self, draft: FormDraft) -> FormModel:
        """Return the proposal as it is.

        Raises:
            ApprovalError: The draft is anything else.
        """
        cards = tuple(
            StepCard(step=s.step, shown=s, fields=_as_shown(s)) for s in self.proposal.steps
        )
        given = FormDraft(steps=tuple(DraftStep(id=card.step.id) for card in cards))
        if draft.candidate is not None or draft.up_to is not None or not _is_same(draft, cards):
            msg = "this can be approved or turned down as it is, and not be edited"
            raise ApprovalError(msg)
        return FormModel(proposal=self.proposal, cards=cards, draft=given)

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Refuse to edit.

        Raises:
            ApprovalError: Always.
        """
        del edited
        msg = "this can be approved or turned down as it is, and not be edited"
        raise ApprovalError(msg)


def _is_same(draft: FormDraft, cards: tuple[StepCard, ...]) -> bool:
    """Say whether a draft changes nothing."""
    if not draft.steps:
        return True
    wanted = [(step.id, step.ticked) for step in draft.steps]
    if wanted != [(card.step.id, True) for card in cards]:
        return False
    texts = [{one.name: one.text for one in card.fields} for card in cards]
    return all(
        step.args.items() <= known.items() for step, known in zip(draft.steps, texts, strict=True)
    )


def _as_shown(shown: ShownStep) -> tuple[Field, ...]:
    """Return the arguments of a step as fields that say what they are."""
    step = shown.step
    return tuple(
        Field(
            name=name,
            kind="text",
            text="" if name in step.open_args else visible(plan_text.value_text(value)),
            is_open=name in step.open_args,
        )
        for name, value in step.args.items()
    )
