"""Answers about an uncertain step, whose effect is not known: done, again, or leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from okso_jupyter.approval.policy import Approver
from okso_jupyter.errors import UsageError
from okso_jupyter.plan.records import Approval, Feedback

What = Literal["done", "again", "leave out", "open"]

#: The question; the form of the answer depends on the front end.
QUESTION: Final = "was it done, is it to run again, or to be left out?"
_DONE: Final = "done"
_ANSWERS: Final = ("done", "done: RESULT", "again", "leave out")
_PERSONS: Final = frozenset({"user", "callable"})


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer about one step.

    Attributes:
        what: What to do with the step; "open" if there was no valid answer.
        result: The result of a step that was done.
    """

    what: What
    result: str = ""


def answer_of(approval: Approval) -> Answer:
    """Return the answer in a decision about an uncertain step; a policy's "no" leaves it open."""
    if approval.decision == "approve":
        return Answer("again")
    if approval.decision == "reject":
        return Answer("leave out" if approval.by in _PERSONS else "open")
    word, _, result = approval.feedback.partition(":")
    if word.strip().lower() != _DONE:
        return Answer("open")
    return Answer("done", result.strip() or "a person found it done")


def approvers(said: Mapping[int, str] | None) -> dict[int, Approver]:
    """Return approvers that give the answers of a program, by step id.

    Raises:
        UsageError: The id of a step is no whole number, or an answer is not a valid one.
    """
    odd = next((step_id for step_id in said or {} if type(step_id) is not int), None)
    if odd is not None:
        msg = f"uncertain names the step {odd!r}, and the ids of steps are whole numbers"
        raise UsageError(msg, hint='write the number without quotes, such as {2: "again"}')
    return {step_id: _approver(step_id, answer) for step_id, answer in (said or {}).items()}


def _approver(step_id: int, answer: object) -> Approver:
    text = str(answer).strip()
    decision: object = {"again": "approve", "leave out": "reject"}.get(text)
    if text.partition(":")[0].strip().lower() == _DONE:
        decision = Feedback(text)
    if decision is None:
        msg = f"{answer!r} is not an answer to what became of step {step_id}"
        raise UsageError(msg, hint=f"the answers are {', '.join(map(repr, _ANSWERS))}")
    return lambda _plan: decision


def read_answers(words: Sequence[str]) -> dict[int, str]:
    """Return the answers in the words after the id of a run, by step id.

    Args:
        words: Such as 2=again, 3=done: RESULT and 4=leave out.

    Raises:
        UsageError: A word names no step, a step is named twice, or an answer is not valid.
    """
    said: dict[int, str] = {}
    for word in words:
        step, equals, answer = word.partition("=")
        if not equals or not step.isascii() or not step.isdecimal():
            msg = f"{word!r} is not of the form STEP=ANSWER"
            raise UsageError(msg, hint='such as: 2=again, "2=done: RESULT" or "2=leave out"')
        if int(step) in said:
            msg = f"step {int(step)} is answered twice"
            raise UsageError(msg, hint="give one answer for each step")
        said[int(step)] = answer.strip()
    approvers(said)
    return said
