"""What is said of a step of which nobody knows whether it took effect: done, again, or left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from okso_jupyter.approval.policy import Approver
from okso_jupyter.errors import UsageError
from okso_jupyter.plan.records import Approval, Feedback

What = Literal["done", "again", "leave out", "open"]

#: How the three are said where a plan is approved; for who decides in a form or at a terminal.
HOW: Final = (
    "approve to run it again, reject to leave it out, or say as feedback that it is done: "
    '"done", or "done: " and its result'
)
_DONE: Final = "done"
_ANSWERS: Final = ("done", "done: RESULT", "again", "leave out")
_PERSONS: Final = frozenset({"user", "callable", "journal"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one step.

    Attributes:
        what: What is to become of it; "open" where nothing that holds was said.
        result: What it gave, for one that is done.
    """

    what: What
    result: str = ""


def answer_of(approval: Approval) -> Answer:
    """Return what a decision about an uncertain step says; a policy's "no" leaves it open."""
    if approval.decision == "approve":
        return Answer("again")
    if approval.decision == "reject":
        return Answer("leave out" if approval.by in _PERSONS else "open")
    word, _, result = approval.feedback.partition(":")
    if word.strip().lower() != _DONE:
        return Answer("open")
    return Answer("done", result.strip() or "a person found it done")


def approvers(said: Mapping[int, str] | None) -> dict[int, Approver]:
    """Return who gives the answers that a program has given beforehand, by step id.

    Raises:
        UsageError: One is none of the answers.
    """
    return {step_id: _approver(step_id, answer) for step_id, answer in (said or {}).items()}


def _approver(step_id: int, answer: object) -> Approver:
    text = str(answer).strip()
    decision: object = {"again": "approve", "leave out": "reject"}.get(text)
    if text.partition(":")[0].strip().lower() == _DONE:
        decision = Feedback(text)
    if decision is None:
        msg = f"{answer!r} is no answer to what became of step {step_id}"
        raise UsageError(msg, hint=f"the answers are {', '.join(map(repr, _ANSWERS))}")
    return lambda _plan: decision
