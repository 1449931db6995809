"""What the tools for mail share: the mail of a call as it is shown, and listings as outputs."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.amounts import counted, size_in_words
from okso_jupyter.documents import ConversionLimits
from okso_jupyter.errors import ToolError, ToolRefusedError
from okso_jupyter.legible import visible
from okso_jupyter.personal.mail.mail_records import (
    Attachment,
    MailListing,
    OutgoingMail,
    ReceivedMail,
)
from okso_jupyter.personal.mail.okso_form import checked_mail
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import UNTRUSTED, entry, headed
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.workspace.text_files import encode_text

#: Longest text of a mail in an output, in characters.
_MAX_TEXT_CHARS: Final = 2000
_MAX_ATTACHED_BYTES: Final = 20 * 1024 * 1024
_HTML_S: Final = 10.0

#: Schemas of the arguments of a mail that is written.
PARAMETERS: Final[dict[str, Any]] = {
    "properties": {
        "to": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 1,
            "description": "Addresses that the request names",
            "x-ground": "address",
        },
        "subject": {"type": "string", "x-ground": "text"},
        "body": {"type": "string", "x-ground": "text", "x-fill": True},
        "attachments": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "x-ground": "file",
            "x-omit": True,
        },
        "input": {"type": "string", "minLength": 1, "x-omit": True},
    },
    "anyOf": [{"required": ["to"]}, {"required": ["input"]}],
}


def flaw_of_mail(args: Mapping[str, Any]) -> str:
    """Return why a call with these arguments can write no mail; an empty text if it can."""
    try:
        checked_mail(args.get("to", ()), args.get("subject", ""), "", args.get("input", ""))
    except ToolError as error:
        return error.message
    return ""


def mail_of_call(  # noqa: PLR0913  the arguments of the tools
    context: ToolContext,
    *,
    to: Sequence[str],
    subject: str,
    body: str,
    text: str,
    attachments: Sequence[str],
) -> OutgoingMail:
    """Return the mail of a call, with the contents of its attachments.

    Raises:
        ToolError: It cannot be written, or a file cannot be read.
    """
    mail = checked_mail(to, subject, body, text, tuple(_attached(context, attachments)))
    encode_text(mail.body, "the text of the mail")
    return mail


def _attached(context: ToolContext, paths: Sequence[str]) -> list[Attachment]:
    found, left_bytes = [], _MAX_ATTACHED_BYTES
    for path in paths:
        data = context.workspace.read_bytes(path, max_bytes=_MAX_ATTACHED_BYTES)
        left_bytes -= len(data)
        if left_bytes < 0:
            msg = f"the attachments are larger than {size_in_words(_MAX_ATTACHED_BYTES)} together"
            raise ToolRefusedError(msg)
        found.append(Attachment(name=posixpath.basename(path), data=data))
    return found


def mail_as_shown(mail: OutgoingMail, *first: str) -> str:
    """Return a mail as it would be: every recipient, the whole text, each attachment.

    Args:
        mail: The mail.
        first: Lines before it.
    """
    parts = [f"{part.name} ({size_in_words(len(part.data))})" for part in mail.attachments]
    head = [
        *first,
        f"To: {', '.join(mail.recipients)}",
        f"Subject: {mail.subject}",
        f"Attachments: {', '.join(parts) or 'none'}",
    ]
    return "\n".join([*head, "", mail.body])


def listing_output(
    context: ToolContext, listing: MailListing, what: str, of_what: str = ""
) -> ToolOutput:
    """Return a listing as the output of a call; every text in it is marked as written by others.

    Args:
        context: The context of the call.
        listing: The listing.
        what: What was listed, such as "unread mail", in the singular.
        of_what: What follows it, such as " with 'invoice'".
    """
    mails = [_as_json(context, mail) for mail in listing.mails]
    value = {
        "place": listing.place,
        "total": listing.total,
        "mails": mails,
        "untrusted": UNTRUSTED,
        "damaged": list(listing.damaged),
        "not_looked_at": listing.not_looked_at,
    }
    lines = [_headline(listing, what, of_what), *(line for mail in mails for line in _lines(mail))]
    lines += [f"(left as it is: {damaged})" for damaged in listing.damaged]
    if listing.not_looked_at:
        lines.append(f"({counted(listing.not_looked_at, 'mail')} not looked at: no time was left)")
    return ToolOutput(value=value, text="\n".join(lines))


def _headline(listing: MailListing, what: str, of_what: str) -> str:
    if not listing.total:
        return f"No {what}{of_what} in {listing.place}."
    shown = len(listing.mails)
    rest = f", the newest {shown} of them" if shown < listing.total else ""
    return headed(f"{counted(listing.total, what)}{of_what} in {listing.place}{rest}")


def _as_json(context: ToolContext, mail: ReceivedMail) -> dict[str, Any]:
    text = mail.whole_text or _as_text(context, mail.html)
    return {
        "subject": visible(mail.subject),
        "from": visible(mail.sender),
        "date": mail.date,
        "unread": mail.is_unread,
        "text": visible(text[:_MAX_TEXT_CHARS]),
        "is_cut": len(text) > _MAX_TEXT_CHARS,
        "attachments": [visible(name) for name in mail.attachments],
    }


def _as_text(context: ToolContext, html: str) -> str:
    """Return HTML as text, read in the document worker; no address in it is fetched."""
    if not html:
        return ""
    limits = ConversionLimits(max_chars=200_000, timeout_s=min(_HTML_S, context.timeout_s))
    try:
        found = context.run.documents.read(
            html.encode(), "html", limits=limits, cancelled=context.cancelled, charset="utf-8"
        )
    except ToolError as error:
        return f"(the mail is HTML that could not be read: {error.message})"
    return found.markdown.strip()


def _lines(mail: dict[str, Any]) -> list[str]:
    """Return a mail as lines, in the order in which okso has them; its text is quoted."""
    unread = "yes" if mail["unread"] else "no"
    day = f" | {mail['date'][:16].replace('T', ' ')}" if mail["date"] else ""
    parts = f" | Attachments: {', '.join(mail['attachments'])}" if mail["attachments"] else ""
    first = f"{mail['subject']} | From: {mail['from']}{day} | Unread: {unread}{parts}"
    more = " […]" if mail["is_cut"] else ""
    return entry(first, f"{mail['text']}{more}")
