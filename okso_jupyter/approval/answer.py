"""Reading the one message that the form sends, and trusting nothing in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast, get_args

from okso_jupyter.plan.records import Decision

_DECISIONS: Final = get_args(Decision)
_KEYS: Final = frozenset({"decision", "feedback", "shown"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person decided in the form.

    Attributes:
        decision: "approve", "reject" or "feedback".
        text: The feedback, or the reason of a rejection; empty on approval.
    """

    decision: Decision
    text: str = ""


def read_answer(message: object, *, shown: str) -> Answer | str:
    """Return the answer in a message of the form, or a sentence that says why it is none.

    Args:
        message: What arrived: {"decision", "feedback", "shown"}, if it is well-formed.
        shown: Fingerprint of what the form shows.
    """
    if not isinstance(message, dict) or set(message) != _KEYS:
        return "Nothing was decided: the form sent a message that cannot be read."
    decision, feedback = message["decision"], message["feedback"]
    if decision not in _DECISIONS or not isinstance(feedback, str):
        return "Nothing was decided: the form sent a decision that does not exist."
    if message["shown"] != shown:
        return "Nothing was decided: that answer is about another plan than the one shown here."
    return _judge(cast(Decision, decision), feedback.strip())


def _judge(decision: Decision, text: str) -> Answer | str:
    """Return the answer, unless decision and text do not go together."""
    if decision == "feedback" and not text:
        return "Nothing was sent: first write what should be different."
    if decision == "approve" and text:
        return (
            "Nothing was approved: there is feedback in the box. Send it, or clear the box to "
            "approve the plan as it is."
        )
    return Answer(decision=decision, text=text)
