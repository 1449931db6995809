"""mail_draft: keeps a mail among the drafts, where a mail program finds it; nothing is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.mail.writing import message_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.mail_calls import PARAMETERS, flaw_of_mail, mail_as_shown, mail_of_call
from okso_jupyter.toolkit.personal_stores import time_limit_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example(
        "Draft a mail to ada@example.org with the subject 'Readings' and the text 'They are done.'",
        {"to": ["ada@example.org"], "subject": "Readings", "body": "They are done."},
    ),
    Example(
        "Write a draft to bob@example.org saying 'See you on Monday'",
        {"to": ["bob@example.org"], "subject": "", "body": "See you on Monday"},
    ),
)


def _effect(args: Mapping[str, Any]) -> Effects:
    reads = {Effect.READS} if args.get("attachments") else set()
    return frozenset({Effect.WRITES, *reads})


def _preview(  # noqa: PLR0913  the tool's arguments
    context: ToolContext,
    *,
    to: Sequence[str] = (),
    subject: str = "",
    body: str = "",
    attachments: Sequence[str] = (),
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> str:
    """Return the draft as it would be, and where."""
    mail = mail_of_call(
        context, to=to, subject=subject, body=body, text=input, attachments=attachments
    )
    place = context.run.mail.drafts_store().drafts_place
    return mail_as_shown(mail, f"A draft in {place}; nothing is sent")


@tool(
    parameters=PARAMETERS,
    effect=_effect,
    lint=flaw_of_mail,
    safety="Nothing is sent.",
    examples=_EXAMPLES,
    preview=_preview,
    groups=("mail",),
)
def mail_draft(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    *,
    to: Sequence[str] = (),
    subject: str = "",
    body: str = "",
    attachments: Sequence[str] = (),
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Write a mail as a draft, with recipients, subject and text; nothing is sent."""
    settings = context.run.mail
    mail = mail_of_call(
        context, to=to, subject=subject, body=body, text=input, attachments=attachments
    )
    message = message_of(mail, settings.sender_address())
    saved = settings.drafts_store().save_draft(
        message.as_bytes(), time_limit=time_limit_of(context)
    )
    created = tuple(change.path for change in saved.changes)
    return ToolOutput(
        value={**mail.to_json(), "path": saved.path},
        text=f"kept a draft to {', '.join(mail.recipients)}: {mail.subject} ({saved.path})",
        changes=Changes(created=created, details=saved.changes),
    )
