"""View model of the approval form, and the protocol of the editor that builds it from a draft."""

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

Kind = Literal["text", "number", "boolean", "choice", "json", "rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPart:
    """One column of a field that is a list: a part of every item.

    Attributes:
        name: Its name in the item; empty if an item is a single value.
        choices: The values to choose from; empty for a free text.
        is_required: Whether every item has it.
    """

    name: str
    choices: tuple[str, ...] = ()
    is_required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One argument of a step.

    Attributes:
        name: Its name.
        kind: The kind of input element.
        text: Content of the field, with secrets redacted and hidden characters escaped.
        choices: The values to choose from.
        parts: What each item of a list ("rows") consists of; its text is JSON.
        is_required: Whether the tool requires it.
        is_open: Whether it is filled in when the step is due.
        error: What is wrong with it; empty if nothing is.
        description: The tool's description of it.
        was: Its text before a person's edit; None if it was not edited.
    """

    name: str
    kind: Kind
    text: str
    choices: tuple[str, ...] = ()
    parts: tuple[FieldPart, ...] = ()
    is_required: bool = False
    is_open: bool = False
    error: str = ""
    description: str = ""
    was: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCard:
    """One step as the form shows it.

    Attributes:
        step: The step, as far as its fields can be parsed.
        shown: Its effects and preview; None while its fields have errors.
        fields: Its arguments.
        is_ticked: Whether it is ticked.
        off_reason: Why it does not run although it is ticked; empty if it runs.
        can_edit: Whether it may be edited, unticked and moved.
        error: What is wrong with the step as a whole; empty if nothing is.
        effects: Effects of the arguments parsed so far, for a step whose fields have errors.
        before: The step as it was proposed; None if it was not edited.
    """

    step: Step
    shown: ShownStep | None
    fields: tuple[Field, ...] = ()
    is_ticked: bool = True
    off_reason: str = ""
    can_edit: bool = False
    error: str = ""
    effects: Effects = frozenset()
    before: Step | None = None

    @property
    def ended(self) -> str:
        """Outcome of the step if it has already run; else empty."""
        return self.shown.ended if self.shown else ""

    @property
    def errors(self) -> tuple[str, ...]:
        """All error messages of the step and its fields."""
        return tuple(filter(None, (self.error, *(one.error for one in self.fields))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A candidate that can be chosen instead of the shown one.

    Attributes:
        candidate: Its number.
        score: Its points.
        outline: Its steps, one per line.
    """

    candidate: int
    score: float
    outline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedReading:
    """What a question about a table may mean.

    Attributes:
        candidate: Number of the candidate.
        words: What it would do, word by word, and whether a word tells it from the others.
    """

    candidate: int
    words: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormModel:
    """Everything the form shows at one moment.

    Attributes:
        proposal: The request that an approval covers; the unedited one while there are errors.
        cards: All steps in the order shown, including those that do not run.
        draft: The draft that the model was built from, with every step listed.
        problem: What is wrong with the plan as a whole; empty if nothing is.
        score: Points of the plan as shown; None if it has no score.
        score_before: Points of the plan as proposed.
        score_notes: The differences between the two scores, one sentence per rule.
        alternatives: The candidates, including the shown one.
        readings: Close readings of the question, to choose from; empty if one is well ahead.
    """

    proposal: ApprovalRequest
    cards: tuple[StepCard, ...]
    draft: FormDraft = field(default_factory=FormDraft)
    problem: str = ""
    score: float | None = None
    score_before: float | None = None
    score_notes: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    readings: tuple[OfferedReading, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """All error messages; the plan cannot be approved while there are any."""
        own = (self.problem,) if self.problem else ()
        return (*own, *(error for card in self.cards for error in card.errors))

    @property
    def shown(self) -> str:
        """Fingerprint of what an approval covers; empty while there are errors."""
        return "" if self.problems else self.proposal.fingerprint


class FormEditor(Protocol):
    """Turns drafts into approval requests; only its requests can be approved."""

    def form_model(self, draft: FormDraft) -> FormModel:
        """Return what is to be shown for a draft.

        Raises:
            ApprovalError: The draft does not belong to this plan.
        """

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Return a request for a plan that was edited before, so that it can be approved unchanged.

        Args:
            edited: Plan, cause and reason, as in the journal.

        Raises:
            OksoError: The edited plan cannot be used here.
        """


@dataclass(frozen=True, slots=True)
class ReadOnlyEditor:
    """FormEditor for an approval request that cannot be edited."""

    proposal: ApprovalRequest

    def form_model(self, draft: FormDraft) -> FormModel:
        """Return the view model of the unchanged request.

        Raises:
            ApprovalError: The draft changes something.
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
    """Return whether a draft changes nothing."""
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
    """Return the arguments of a step as read-only text fields."""
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
