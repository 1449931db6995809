"""Reader of form drafts: which steps remain, in which order, and what is wrong with them.

A draft is untrusted input: it can omit steps, reorder them and change argument values, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from okso_jupyter.approval.editing.fields import Edited, edited, names_of
from okso_jupyter.approval.editing.offered_choices import ColumnsOf
from okso_jupyter.approval.form.message import DraftStep, FormDraft
from okso_jupyter.approval.request_builder import check_tools
from okso_jupyter.errors import ApprovalError, PlanError
from okso_jupyter.plan.plan import Plan, Step, predecessors
from okso_jupyter.toolkit.catalog import ToolCatalog

#: Plan rules whose errors name the position of a step instead of its id.
_BY_PLACE = frozenset({"schema", "depth"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A proposed plan, before a person edits it.

    Attributes:
        plan: The plan.
        candidate: Number of the candidate; None if the plan is not a candidate.
        note: How the plan was chosen.
        doubt: Why no policy may decide about it, in words; empty if one may.
        ended: Ids of the steps that have already run.
    """

    plan: Plan
    candidate: int | None = None
    note: str = ""
    doubt: str = ""
    ended: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedPlan:
    """The plan described by a draft.

    Attributes:
        origin: The plan as it was proposed.
        steps: All steps in the requested order.
        unticked: Ids of the steps that are not ticked.
        off: Why ticked steps still do not run, by step id.
        errors: Errors of whole steps, by step id; key 0 is the plan.
    """

    origin: Origin
    steps: tuple[Edited, ...]
    unticked: frozenset[int]
    off: Mapping[int, str]
    errors: Mapping[int, str]

    @property
    def plan(self) -> Plan:
        """The steps that run."""
        return _kept(self.origin, self.steps, self.unticked, self.off)

    @property
    def is_good(self) -> bool:
        """Whether the plan can be approved; errors in steps that do not run are ignored."""
        return not self.errors and all(one.is_good for one in self.steps if self.runs(one.step.id))

    def runs(self, step_id: int) -> bool:
        """Return whether a step is part of the plan."""
        return step_id not in self.unticked and step_id not in self.off


def read_draft(
    origin: Origin,
    draft: FormDraft,
    tools: ToolCatalog,
    columns_of: ColumnsOf = lambda _args: (),
) -> EditedPlan:
    """Return the plan described by a draft.

    Args:
        origin: The plan as it was proposed.
        draft: The draft; a draft without steps stands for the proposed plan.
        tools: The catalogue.
        columns_of: Returns the columns of the tables that a call reads.

    Raises:
        ApprovalError: The draft does not belong to this plan.
    """
    wanted = {step.id: step for step in _checked(origin, draft, tools)}
    order = _order(origin, list(wanted)) if wanted else list(origin.plan.steps)
    nothing = DraftStep(id=0)
    steps = tuple(
        Edited(step=step, fields=())
        if step.id in origin.ended
        else edited(step, tools[step.tool], wanted.get(step.id, nothing).args, columns_of)
        for step in order
    )
    unticked = {i for i, step in wanted.items() if not step.ticked} - origin.ended
    off = off_reasons(origin, [one.step for one in steps], unticked)
    plan = _kept(origin, steps, unticked, off)
    errors = dict(_errors(origin, plan, tools, draft.up_to))
    return EditedPlan(
        origin=origin, steps=steps, unticked=frozenset(unticked), off=off, errors=errors
    )


def _kept(
    origin: Origin, steps: Sequence[Edited], unticked: Collection[int], off: Collection[int]
) -> Plan:
    return origin.plan.with_steps(
        one.step for one in steps if one.step.id not in unticked and one.step.id not in off
    )


def _checked(origin: Origin, draft: FormDraft, tools: ToolCatalog) -> tuple[DraftStep, ...]:
    """Return the steps of a draft; raise ApprovalError if they do not match the plan's."""
    ids = [step.id for step in draft.steps]
    known = {step.id: step for step in origin.plan.steps}
    if draft.up_to is not None and draft.up_to not in known:
        msg = f"there is no step {draft.up_to} to stop after"
        raise ApprovalError(msg)
    if ids and sorted(ids) != sorted(known):
        msg = "the form sent other steps than those of the plan"
        raise ApprovalError(msg)
    for step in draft.steps:
        tool = tools[known[step.id].tool]
        strange = set(step.args) - set(names_of(known[step.id], tool))
        if strange:
            msg = f"step {step.id} ({tool.name}) has no argument {min(strange)!r}"
            raise ApprovalError(msg)
    return draft.steps


def _order(origin: Origin, wanted: Sequence[int]) -> list[Step]:
    """Return the steps in the requested order; steps that have ended keep their positions."""
    left = iter([step_id for step_id in wanted if step_id not in origin.ended])
    return [
        step if step.id in origin.ended else origin.plan.step(next(left))
        for step in origin.plan.steps
    ]


def off_reasons(origin: Origin, steps: Sequence[Step], unticked: Collection[int]) -> dict[int, str]:
    """Return why ticked steps do not run, by id: they depend on a step that does not run.

    Args:
        origin: The plan as it was proposed.
        steps: All steps in the requested order.
        unticked: Ids of the steps that are not ticked.
    """
    off: dict[int, str] = {}
    before = -1
    while before != len(off):
        before = len(off)
        for step in steps:
            if step.id in origin.ended or step.id in unticked or step.id in off:
                continue
            reason = _reason(step, unticked, off) or _starved(origin, step, steps, unticked, off)
            if reason:
                off[step.id] = reason
    return off


def _reason(step: Step, unticked: Collection[int], off: Mapping[int, str]) -> str:
    """Return which needed step does not run, in words; empty if all run."""
    needed = predecessors(step) | ({step.replaces} if step.replaces is not None else set())
    for other in sorted(needed):
        if other in unticked:
            return f"needs step {other}, which is not ticked"
        if other in off:
            return f"needs step {other}, which does not run"
    return ""


def _starved(
    origin: Origin,
    step: Step,
    steps: Sequence[Step],
    unticked: Collection[int],
    off: Mapping[int, str],
) -> str:
    """Return a message if no earlier step is left to fill a step's open arguments from."""
    if step.is_final or not step.open_args or origin.plan.steps[0].id == step.id:
        return ""
    earlier = [one.id for one in steps[: [one.id for one in steps].index(step.id)]]
    if any(one not in unticked and one not in off for one in earlier):
        return ""
    names = ", ".join(step.open_args)
    return f"needs an earlier step to fill {names} from, and none runs"


def _errors(
    origin: Origin, plan: Plan, tools: ToolCatalog, up_to: int | None
) -> Iterator[tuple[int, str]]:
    """Yield the errors of whole steps as (step id, message); id 0 is the plan."""
    if all(step.id in origin.ended for step in plan.steps):
        yield 0, "No step is left to run: tick at least one"
        return
    yield from _out_of_order(origin, plan)
    try:
        Plan.from_dict(plan.to_dict())
        check_tools(plan, tools)
    except PlanError as error:
        named = error.step
        if named is not None and error.rule in _BY_PLACE:
            named = plan.steps[named - 1].id
        yield named or 0, error.message
    if up_to is not None:
        yield from _cut_off(origin, plan, up_to)


def _out_of_order(origin: Origin, plan: Plan) -> Iterator[tuple[int, str]]:
    """Yield an error for each step that was moved before a step it waits for."""
    was = {step.id: place for place, step in enumerate(origin.plan.steps)}
    now = {step.id: place for place, step in enumerate(plan.steps)}
    for step in plan.steps:
        for other in sorted(predecessors(step)):
            if was[other] < was[step.id] and now[other] > now[step.id]:
                yield step.id, f"it waits for step {other}, which comes after it"


def _cut_off(origin: Origin, plan: Plan, up_to: int) -> Iterator[tuple[int, str]]:
    """Yield the reasons why the run cannot stop after step `up_to`."""
    places = {step.id: place for place, step in enumerate(plan.steps)}
    if up_to not in places or up_to in origin.ended:
        yield 0, f"Step {up_to} does not run, so that nothing can stop after it"
        return
    for step in plan.steps[: places[up_to] + 1]:
        for other in sorted(predecessors(step)):
            if places[other] > places[up_to]:
                yield step.id, f"it waits for step {other}, which comes after step {up_to}"
