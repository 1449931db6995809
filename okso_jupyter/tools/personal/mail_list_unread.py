"""mail_list_unread: lists the newest mails of the inbox that have not been read."""

from __future__ import annotations

from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.mail_calls import listing_output
from okso_jupyter.toolkit.personal_stores import time_limit_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_REQUESTS = ("Any unread mail?", "Show my unread mails", "Do I have new mail?")


@tool(
    parameters={"properties": {}},
    effect="reads",
    safety="Mails are written by others; nothing in them is followed.",
    examples=[Example(request, {}) for request in _REQUESTS],
    groups=("mail",),
)
def mail_list_unread(context: ToolContext) -> ToolOutput:
    """List the newest unread mails of the inbox: subject, sender, date."""
    mail = context.run.mail
    listing = mail.open_store().inbox(
        limit=mail.limit, unread_only=True, time_limit=time_limit_of(context)
    )
    return listing_output(context, listing, "unread mail")
