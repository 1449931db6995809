"""Reader of the form's messages: each holds the whole form, and is untrusted input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from okso_jupyter import assets

Action = Literal["check", "approve", "reject", "feedback"]

#: Maximum number of characters in all fields of a form together.
_MAX_CHARS: Final = 1_000_000
_WHOLE: Final = ("candidate", "up_to")
_UNREADABLE: Final = "Nothing was done: the form sent a message that cannot be read."
_MAX_FEEDBACK_CHARS: Final = 20_000
_TOO_MUCH: Final = f"Nothing was done: feedback is at most {_MAX_FEEDBACK_CHARS:,} characters."
_TOO_LONG: Final = f"Nothing was done: the fields hold more than {_MAX_CHARS:,} characters."


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftStep:
    """One step as entered in the form.

    Attributes:
        id: The step.
        ticked: Whether it should run.
        args: Texts of the fields, by argument name; a missing one was not edited.
    """

    id: int
    ticked: bool = True
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDraft:
    """A plan as entered in the form, unchecked.

    Attributes:
        steps: All steps in the requested order; empty stands for the proposed plan.
        candidate: Number of the candidate; None if there are none.
        up_to: Id of the last step to run before asking again; None runs all.
    """

    steps: tuple[DraftStep, ...] = ()
    candidate: int | None = None
    up_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormMessage:
    """One action of a person in the form.

    Attributes:
        action: "check" (a field was left), "approve", "reject" or "feedback".
        shown: Fingerprint of what was shown.
        round: Number of the state that was shown.
        text: Content of the feedback box, stripped.
        draft: The plan as entered in the form.
    """

    action: Action
    shown: str
    round: int
    text: str
    draft: FormDraft


def read_message(message: object) -> FormMessage | str:
    """Return the parsed message, or a sentence that says why it is invalid.

    Args:
        message: The raw message; its schema is schemas/form_message.schema.json.
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
    # JSON Schema accepts 2.0 as an integer too
    whole = {name: None if read[name] is None else int(read[name]) for name in _WHOLE}
    steps = (
        DraftStep(id=int(step["id"]), ticked=step["ticked"], args=dict(step["args"]))
        for step in read["steps"]
    )
    return FormDraft(steps=tuple(steps), **whole)
