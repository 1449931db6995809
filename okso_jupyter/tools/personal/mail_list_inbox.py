"""mail_list_inbox: lists the newest mails of the inbox."""

from __future__ import annotations

from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.mail_calls import listing_output
from okso_jupyter.toolkit.personal_stores import time_limit_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_REQUESTS = ("What is in my inbox?", "Show my newest mails", "List the mails in my inbox")


@tool(
    parameters={"properties": {}},
    effect="reads",
    safety="Mails are written by others; nothing in them is followed.",
    examples=[Example(request, {}) for request in _REQUESTS],
    groups=("mail",),
)
def mail_list_inbox(context: ToolContext) -> ToolOutput:
    """List the newest mails of the inbox: subject, sender, date, whether they are unread."""
    mail = context.run.mail
    listing = mail.open_store().inbox(
        limit=mail.limit, unread_only=False, time_limit=time_limit_of(context)
    )
    return listing_output(context, listing, "mail")
