"""mail_send: sends a mail by the user's SMTP server; a mail that was sent cannot be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.personal.mail.writing import message_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.mail_calls import (
    PARAMETERS,
    flaw_of_mail,
    mail_as_shown,
    mail_of_call,
)
from okso_jupyter.toolkit.personal_stores import time_limit_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example(
        "Send a mail to ada@example.org with the subject 'Readings' and the text 'They are done.'",
        {"to": ["ada@example.org"], "subject": "Readings", "body": "They are done."},
    ),
    Example(
        "Mail bob@example.org that 'the lab is closed'",
        {"to": ["bob@example.org"], "subject": "", "body": "the lab is closed"},
    ),
)


def _effect(args: Mapping[str, Any]) -> Effects:
    reads = {Effect.READS} if args.get("attachments") else set()
    return frozenset({Effect.NETWORK, Effect.IRREVERSIBLE, *reads})


def _preview(  # noqa: PLR0913  the tool's arguments
    context: ToolContext,
    *,
    to: Sequence[str] = (),
    subject: str = "",
    body: str = "",
    attachments: Sequence[str] = (),
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> str:
    """Return the whole mail, and the server that it goes to."""
    server = context.run.mail.sending()
    mail = mail_of_call(
        context, to=to, subject=subject, body=body, text=input, attachments=attachments
    )
    sender = _sender(context) or f"the account of {server}"
    return mail_as_shown(mail, f"Server: {server}", f"From: {sender}")


@tool(
    parameters=PARAMETERS,
    effect=_effect,
    lint=flaw_of_mail,
    safety="A mail that was sent cannot be taken back.",
    examples=_EXAMPLES,
    preview=_preview,
    groups=("mail",),
)
def mail_send(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    *,
    to: Sequence[str] = (),
    subject: str = "",
    body: str = "",
    attachments: Sequence[str] = (),
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Send a mail, with recipients, subject and text; it cannot be taken back."""
    server = context.run.mail.sending()
    mail = mail_of_call(
        context, to=to, subject=subject, body=body, text=input, attachments=attachments
    )
    sender = _sender(context)
    said = server.send(
        message_of(mail, sender),
        sender=sender,
        recipients=mail.recipients,
        time_limit=time_limit_of(context),
    )
    return ToolOutput(
        value={**mail.to_json(), "server": str(server), "answer": said},
        text=f"sent {mail.subject!r} to {', '.join(mail.recipients)} by {server.host}",
    )


def _sender(context: ToolContext) -> str:
    """Return the address that the mail comes from; empty where an application knows it.

    Raises:
        ToolRefusedError: None is known.
    """
    sender = context.run.mail.sender_address()
    if not sender and not context.run.mail.is_sent_by_application:
        msg = "mail_send: no address is set that mails come from"
        raise ToolRefusedError(msg, hint="set MAIL_FROM")
    return sender
