"""PlanEditor: turns form drafts into approval requests with effects, previews and points.

An edited plan is a new version of the plan. Its effects, previews and fingerprints are computed
anew, as for any plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from okso_jupyter.approval.editing.close_readings import close_readings
from okso_jupyter.approval.editing.edit_scoring import EditScorer, compared
from okso_jupyter.approval.editing.edited_plan import EditedPlan, Origin, read_draft
from okso_jupyter.approval.editing.fields import Edited
from okso_jupyter.approval.editing.flawed_plans import with_flaws
from okso_jupyter.approval.form.message import DraftStep, FormDraft
from okso_jupyter.approval.form.model import Alternative, FormModel, StepCard
from okso_jupyter.approval.request_builder import RequestBuilder, check_tools, with_open_slots
from okso_jupyter.errors import ApprovalError, PlanError
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan, outline
from okso_jupyter.plan.records import Candidate, Scorecard
from okso_jupyter.plan.revision import Revision
from okso_jupyter.planning.table_questions.query_tool import query_in
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.rehearsal import Rehearser

#: The arguments of a query that say which columns there are.
_OF_TABLES: Final = ("source", "joins", "computed")


@dataclass(slots=True, kw_only=True)
class PlanEditor:
    """The editor of one approval request.

    Attributes:
        base: The request before any edit.
        request_builder: Computes effects and previews of steps.
        judge: Scores edited plans.
        for_person: Steps that no policy may decide about: the reason in words, by id.
        is_begun: Whether the run has begun, so that an edited plan is a proposed new version.
        proposals: The edited requests that can be approved, by fingerprint.
    """

    base: ApprovalRequest
    request_builder: RequestBuilder
    judge: EditScorer
    for_person: Mapping[int, str] = field(default_factory=dict)
    is_begun: bool = False
    proposals: dict[str, ApprovalRequest] = field(default_factory=dict)
    _origins: dict[int | None, Origin] = field(init=False, default_factory=dict)

    def proposal(self, shown: str) -> ApprovalRequest:
        """Return the approval request with this fingerprint; the unedited one if there is none."""
        return self.proposals.get(shown, self.base)

    def form_model(self, draft: FormDraft) -> FormModel:
        """Return the view model for a draft.

        Raises:
            ApprovalError: The draft does not belong to this plan.
        """
        if not self._origins:
            self._offer_all()
        origin = self._origins.get(draft.candidate or self.judge.alternatives.chosen)
        if origin is None:
            msg = f"there is no candidate {draft.candidate}"
            raise ApprovalError(msg)
        reading = self._checked(
            read_draft(origin, draft, self.request_builder.tools, self._columns_of)
        )
        rehearser = Rehearser(self.request_builder.resources)
        steps = {
            one.step.id: self._shown(one, rehearser if reading.runs(one.step.id) else None)
            for one in reading.steps
        }
        steps |= {s.step.id: s for s in self._judged(reading, steps)}
        reading = _without_denied(reading, steps)
        proposal = self._proposal(reading, steps) if reading.is_good else None
        before = self.judge(self.base.plan, self.judge.alternatives.chosen)
        after = self.judge(reading.plan, origin.candidate) if proposal else None
        if proposal is not None:
            proposal = _rescored(proposal, before, after)
        if proposal is not None:
            self.proposals[proposal.fingerprint] = proposal
        return FormModel(
            proposal=proposal or self.base,
            cards=tuple(self._card(one, reading, steps[one.step.id]) for one in reading.steps),
            draft=_complete(draft, reading),
            problem=reading.errors.get(0, ""),
            score=None if after is None else after.score,
            score_before=None if before is None else before.score,
            score_notes=compared(before, after),
            alternatives=self._alternatives(),
            readings=close_readings(self.judge.alternatives.candidates),
        )

    def _columns_of(self, args: Mapping[str, object]) -> tuple[str, ...]:
        """Return the columns of the tables that are there; nothing where one is not."""
        query = query_in({name: args[name] for name in _OF_TABLES if name in args})
        table = self.judge.sample(query) if query is not None else None
        return tuple(table.columns) if table is not None else ()

    def _checked(self, reading: EditedPlan) -> EditedPlan:
        """Return an edited plan with its certain failures as errors, if PLAN_CHECKS is on."""
        if not self.request_builder.settings.plan_checks:
            return reading
        resources = self.request_builder.resources
        return with_flaws(
            reading,
            flaws_of(
                reading.plan,
                self.request_builder.tools,
                resources.workspace,
                folder=resources.folder,
                ended=reading.origin.ended,
            ),
        )

    def adopt(self, edited: Mapping[str, Any]) -> ApprovalRequest:
        """Return a request for a plan that was edited before, so that it can be approved unchanged.

        Args:
            edited: Plan, cause and reason, as in the journal.

        Raises:
            PlanError: The plan is invalid or names unknown tools.
        """
        plan = replace(Plan.from_dict(edited["plan"]), version=self.base.plan.version + 1)
        check_tools(plan, self.request_builder.tools)
        ended = {shown.step.id: shown for shown in self.base.steps if shown.ended}
        rehearser = Rehearser(self.request_builder.resources)
        proposal = replace(
            self.base,
            plan=plan,
            steps=self.request_builder.judge.judged(
                ended.get(step.id)
                or self.request_builder.shown(
                    step, rehearser, doubt=self.for_person.get(step.id, "")
                )
                for step in plan.steps
            ),
            revision=Revision(
                older=self.base.plan, newer=plan, cause=edited["cause"], reason=edited["reason"]
            ),
        )
        self.proposals[proposal.fingerprint] = proposal
        return proposal

    def _offer_all(self) -> None:
        """Collect the plans that can be chosen: the shown one and the valid candidates."""
        alternatives = self.judge.alternatives
        for one in alternatives.candidates:
            self._offer(one)
        self._origins[alternatives.chosen] = Origin(
            plan=self.base.plan,
            candidate=alternatives.chosen,
            note=self.base.candidates_note,
            doubt=self.base.doubt,
            ended=frozenset(shown.step.id for shown in self.base.steps if shown.ended),
        )

    def _offer(self, one: Candidate) -> None:
        """Offer a candidate as an alternative if it is valid for these tools."""
        try:
            check_tools(one.plan, self.request_builder.tools)
        except PlanError:
            return
        newer = replace(
            with_open_slots(one.plan, self.request_builder.tools),
            version=self.base.plan.version + 1,
            request=self.base.plan.request,
        )
        note = f"candidate {one.index}, chosen by you"
        self._origins[one.index] = Origin(
            plan=newer, candidate=one.index, note=note, doubt=one.doubt
        )

    def _alternatives(self) -> tuple[Alternative, ...]:
        """Return the candidates to choose from, one for each distinct sequence of calls."""
        alternatives = self.judge.alternatives
        offered = [one for one in alternatives.candidates if one.index in self._origins]
        distinct = {
            _calls(self._origins[one.index].plan): one
            for one in sorted(
                offered, key=lambda one: (one.index == alternatives.chosen, -one.index)
            )
        }
        return tuple(
            Alternative(candidate=one.index, score=one.scorecard.score, outline=outline(one.plan))
            for one in sorted(distinct.values(), key=lambda one: one.index)
        )

    def _shown(self, edited: Edited, rehearser: Rehearser | None) -> ShownStep | None:
        """Return a step with its effects and preview; None while its arguments have errors.

        Args:
            edited: The step.
            rehearser: Has rehearsed the steps before it; None for a step that does not run.
        """
        step = edited.step
        ended = next((s for s in self.base.steps if s.ended and s.step.id == step.id), None)
        if ended is not None or not edited.is_good:
            return ended
        return self.request_builder.shown(step, rehearser, doubt=self.for_person.get(step.id, ""))

    def _judged(
        self, reading: EditedPlan, steps: Mapping[int, ShownStep | None]
    ) -> tuple[ShownStep, ...]:
        """Return the steps that run, with the rules that decide about them."""
        shown = (steps[step.id] for step in reading.plan.steps)
        is_other = reading.origin.plan is not self.base.plan
        draft = () if is_other else reading.plan.steps
        return self.request_builder.judge.judged((one for one in shown if one is not None), draft)

    def _card(self, edited: Edited, reading: EditedPlan, shown: ShownStep | None) -> StepCard:
        """Return the form's card of a step; a step that does not run shows no errors."""
        step_id, tool = edited.step.id, self.request_builder.tools[edited.step.tool]
        proposed = reading.origin.plan.step(step_id)
        if not reading.runs(step_id):
            edited = edited.without_errors
        return StepCard(
            step=edited.step,
            shown=shown,
            fields=edited.fields,
            is_ticked=step_id not in reading.unticked,
            off_reason=reading.off.get(step_id, ""),
            can_edit=step_id not in reading.origin.ended,
            error=edited.error or reading.errors.get(step_id, ""),
            effects=shown.effects if shown else tool.effect_of(edited.step.args),
            before=None if edited.step == proposed else proposed,
        )

    def _proposal(self, reading: EditedPlan, steps: dict[int, ShownStep | None]) -> ApprovalRequest:
        """Return the approval request for an edited plan."""
        plan, origin = reading.plan, reading.origin
        if _text(plan) == _text(self.base.plan):
            return self.base
        is_edited = _text(plan) != _text(origin.plan)
        is_other = origin.plan is not self.base.plan
        words = f"candidate {origin.candidate}" if is_other else ""
        revision = Revision(
            older=self.base.plan,
            newer=replace(plan, version=self.base.plan.version + 1),
            cause="candidate" if is_other else "edit",
            reason=", ".join(filter(None, (words, _order_words(origin.plan, plan)))),
        )
        return replace(
            self.base,
            plan=revision.newer,
            steps=tuple(shown for s in plan.steps if (shown := steps[s.id]) is not None),
            candidates_note=f"edited by you; {origin.note}" if is_edited else origin.note,
            chosen=origin.candidate,
            not_taken_up=self.judge.not_taken_up(plan),
            doubt=origin.doubt,
            revision=revision,
        )


def _without_denied(reading: EditedPlan, steps: Mapping[int, ShownStep | None]) -> EditedPlan:
    """Return an edited plan in which each step that a rule denies is an error."""
    denied = {i: shown.denial for i, shown in steps.items() if shown is not None and shown.denial}
    return replace(reading, errors={**denied, **reading.errors}) if denied else reading


def _rescored(
    proposal: ApprovalRequest, before: Scorecard | None, after: Scorecard | None
) -> ApprovalRequest:
    """Return the request with the new points in its verdict."""
    if before is None or after is None or before.score == after.score:
        return proposal
    verdict, semicolon, rest = proposal.candidates_note.partition("; ")
    was, now = (f"{round(card.score, 2):g}" for card in (before, after))
    said = f"{verdict}, {now} points, before your changes {was}"
    return replace(proposal, candidates_note=f"{said}{semicolon}{rest}")


def _text(plan: Plan) -> str:
    """Return the steps of a plan as JSON: unlike ==, it tells 1 from true."""
    return json.dumps([step.to_dict() for step in plan.steps], sort_keys=True)


def _calls(plan: Plan) -> str:
    """Return the steps of a plan as JSON, without thoughts, titles and descriptions."""
    bare = (replace(step, thought="", title="", description="") for step in plan.steps)
    return _text(plan.with_steps(bare))


def _order_words(older: Plan, newer: Plan) -> str:
    """Return the new order of the steps in words; empty if the order is unchanged."""
    order = [step.id for step in newer.steps]
    if order == [step.id for step in older.steps if step.id in order]:
        return ""
    return f"in the order {', '.join(map(str, order))}"


def _complete(draft: FormDraft, reading: EditedPlan) -> FormDraft:
    """Return a draft that lists every step."""
    steps = tuple(
        DraftStep(
            id=one.step.id,
            ticked=one.step.id not in reading.unticked,
            args={field.name: field.text for field in one.fields},
        )
        for one in reading.steps
    )
    return FormDraft(steps=steps, candidate=reading.origin.candidate, up_to=draft.up_to)
