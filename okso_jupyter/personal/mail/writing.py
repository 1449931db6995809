"""Writing: an `OutgoingMail` as the bytes of a message (RFC 5322)."""

from __future__ import annotations

import mimetypes
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final

from okso_jupyter.personal.mail.mail_records import OutgoingMail

_UNKNOWN_TYPE: Final = "application/octet-stream"


def message_of(mail: OutgoingMail, sender: str) -> EmailMessage:
    """Return the message of a mail, with its date and a new id.

    Args:
        mail: The mail; its addresses and subject have been checked.
        sender: Address that it comes from; empty where none is known, as in a draft.
    """
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))  # for servers without 8BITMIME
    if sender:
        message["From"] = Address(addr_spec=sender)
    message["To"] = [Address(addr_spec=address) for address in mail.recipients]
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(datetime.now(UTC).astimezone())
    # the host's own name stays on this machine
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "localhost")
    message.set_content(mail.body)
    for part in mail.attachments:
        kind = mimetypes.guess_type(part.name)[0] or _UNKNOWN_TYPE
        main, _, sub = kind.partition("/")
        message.add_attachment(part.data, maintype=main, subtype=sub, filename=part.name)
    return message
