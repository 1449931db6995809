"""The one text that okso's mail tools take: recipients, subject and body, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from okso_jupyter.personal.mail.mail_addresses import checked_recipients, checked_subject
from okso_jupyter.personal.mail.mail_records import Attachment, OutgoingMail


def checked_mail(
    to: Iterable[str],
    subject: str,
    body: str,
    text: str = "",
    attachments: tuple[Attachment, ...] = (),
) -> OutgoingMail:
    """Return a mail whose addresses and subject have been checked.

    Args:
        to: Its recipients.
        subject: Its subject.
        body: Its text.
        text: All of these in place of them: line 1 the recipients, with commas between them, line
            2 the subject, and the text.
        attachments: What goes with it.

    Raises:
        ToolInputError: A recipient is not an address, or something would become another header.
    """
    if text:
        first, _, rest = text.partition("\n")
        subject, _, body = rest.partition("\n")
        to, subject = first.removesuffix("\r").split(","), subject.removesuffix("\r")
    return OutgoingMail(
        recipients=checked_recipients(to),
        subject=checked_subject(subject),
        body=body,
        attachments=attachments,
    )
