"""Reading what the form sends: one message with the whole form, and nothing in it is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from okso_jupyter import assets

Action = Literal["check", "approve", "reject", "feedback"]

#: Characters that all fields of a form may hold together.
_MAX_CHARS: Final = 1_000_000
_WHOLE: Final = ("candidate", "up_to")
_UNREADABLE: Final = "Nothing was done: the form sent a message that cannot be read."
_MAX_FEEDBACK_CHARS: Final = 20_000
_TOO_MUCH: Final = f"Nothing was done: feedback is at most {_MAX_FEEDBACK_CHARS:,} characters."
_TOO_LONG: Final = f"Nothing was done: the fields hold more than {_MAX_CHARS:,} characters."


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftStep:
    """One step as it stands in the form.

    Attributes:
        id: The step.
        ticked: Whether it is to run.
        args: Texts of the fields, by name of the argument; one that is missing was not touched.
    """

    id: int
    ticked: bool = True
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDraft:
    """A plan as it stands in the form, nothing of it checked.

    Attributes:
        steps: Every step in the order wanted; none stands for the plan as it was proposed.
        candidate: Number of the candidate; None where there are none.
        up_to: Id of the last step to run before asking again; None runs all.
    """

    steps: tuple[DraftStep, ...] = ()
    candidate: int | None = None
    up_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormMessage:
    """What a person did in the form.

    Attributes:
        action: "check" (a field was left), "approve", "reject" or "feedback".
        shown: Fingerprint of what they looked at.
        round: Number of the state that they looked at.
        text: What is in the feedback box, without blanks around it.
        draft: The plan as it stands in the form.
    """

    action: Action
    shown: str
    round: int
    text: str
    draft: FormDraft


def read_message(message: object) -> FormMessage | str:
    """Return a message of the form, or a sentence that says why it is none.

    Args:
        message: What arrived; schemas/form_message.schema.json says what is expected.
    """
    try:
        problem = assets.first_violation("form_message.schema.json", message)
    except RecursionError:
        return _UNREADABLE
    if problem is not None:
        return _UNREADABLE
    read = cast(dict[str, Any], message)
    texts = [text for step in read["draft"]["steps"] for text in step["args"].values()]
    if sum(map(len, texts)) > _MAX_CHARS:
        return _TOO_LONG
    if len(read["text"]) > _MAX_FEEDBACK_CHARS:
        return _TOO_MUCH
    return FormMessage(
        action=read["action"],
        shown=read["shown"],
        round=int(read["round"]),
        text=read["text"].strip(),
        draft=_draft(read["draft"]),
    )


def _draft(read: Mapping[str, Any]) -> FormDraft:
    # JSON Schema takes 2.0 for a whole number too
    whole = {name: None if read[name] is None else int(read[name]) for name in _WHOLE}
    steps = (
        DraftStep(id=int(step["id"]), ticked=step["ticked"], args=dict(step["args"]))
        for step in read["steps"]
    )
    return FormDraft(steps=tuple(steps), **whole)
