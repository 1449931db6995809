"""A value is typed if a person put it into the plan and approved it; nobody else's value is."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from okso_jupyter.journal.events import DecisionMade, PlanMade, PlanProposed
from okso_jupyter.plan.plan import Step
from okso_jupyter.policies.typed_values import TypedValues


def plan(version: int, **args: Any) -> dict[str, Any]:
    """Return a plan of one step as JSON data."""
    return {"version": version, "steps": [{"id": 1, "tool": "file_write", "args": args}]}


def decided(
    by: str = "user", decision: Literal["approve", "reject", "feedback"] = "approve", run: str = "r"
) -> DecisionMade:
    """Return a decision."""
    return DecisionMade(
        decision=decision, shown="", by=by, reason="", feedback="", steps={}, run=run
    )


def kept(*events: PlanMade | PlanProposed | DecisionMade, step_id: int = 1) -> Any:
    """Return the words that were proposed in the content "coffee beans" of a step, or None."""
    found = TypedValues()
    for event in events:
        found = found.after(event, "r")
    step = Step(id=step_id, tool="file_write", args={"content": "coffee beans"})
    return found.kept_words(step, "content")


FIRST = PlanMade(plan=plan(1, content="tea"))
EDIT = PlanMade(plan=plan(2, content="coffee beans"), cause="edit")


def test_an_approved_edit_is_typed() -> None:
    """Words of the proposed value stay known; of another step's they do not count."""
    assert kept(FIRST, EDIT, decided()) == frozenset()
    proposed = PlanMade(plan=plan(1, content="tea beans"))
    assert kept(proposed, EDIT, decided()) == {"beans"}


@pytest.mark.parametrize("by", ["callable", "auto", "rule", "replay", "journal", "timeout"])
def test_nobody_else_types(by: str) -> None:
    """An edit that a function, policy, rule or recording decided about, and what follows it."""
    adopted = PlanProposed(plan=EDIT.plan, cause="edit")
    assert kept(FIRST, EDIT, decided(by)) is None
    assert kept(FIRST, adopted, decided(by), EDIT, decided()) is None


@pytest.mark.parametrize(
    "last", [decided(decision="feedback"), decided(decision="reject"), decided(run="other")]
)
def test_an_edit_that_was_not_approved_here_is_not_typed(last: DecisionMade) -> None:
    """Feedback, a rejection and the decision of another run approve nothing."""
    assert kept(FIRST, EDIT, last) is None
    assert kept(FIRST, EDIT, last, decided()) is None


def test_what_any_other_version_has_is_not_typed() -> None:
    """Not the value of a candidate or new plan, nor that of an edit that was taken back."""
    for cause in (None, "candidate", "failure", "feedback"):
        other = PlanProposed(plan=plan(3, content="coffee beans"), cause=cause)
        assert kept(FIRST, other, decided()) is None
        assert kept(FIRST, EDIT, decided(), other, decided()) is None


def test_a_value_is_typed_in_its_step_alone() -> None:
    """The same value in another step is the model's."""
    assert kept(FIRST, EDIT, decided(), step_id=2) is None
    assert kept(FIRST, PlanMade(plan=plan(2, path="coffee beans"), cause="edit"), decided()) is None


def test_an_argument_that_is_filled_later_is_not_typed() -> None:
    """What stood in it when it was approved was a gap."""
    gap = PlanMade(plan=plan(2, content={"__fill__": True}), cause="edit")
    found = TypedValues().after(FIRST, "r").after(gap, "r").after(decided(), "r")
    step = Step(id=1, tool="file_write", args={"content": {"__fill__": True}})
    assert found.kept_words(step, "content") is None
    assert kept(FIRST, gap, decided()) is None
