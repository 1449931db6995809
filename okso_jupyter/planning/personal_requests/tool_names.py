"""Names of the tools that requests for personal data are read for."""

from __future__ import annotations

from typing import Final

SEND_TOOL: Final = "mail_send"
DRAFT_TOOL: Final = "mail_draft"
MAIL_TOOLS: Final = frozenset(
    {DRAFT_TOOL, SEND_TOOL, "mail_list_inbox", "mail_list_unread", "mail_search"}
)
#: The workflow that lists what is due, on and unread in a note.
REVIEW_TOOL: Final = "workflow_weekly_review"
#: Tools for notes, reminders and events.
PERSONAL_TOOLS: Final = frozenset(
    {
        REVIEW_TOOL,
        *("notes_create", "notes_append", "notes_list", "notes_search", "notes_read"),
        *("reminders_create", "reminders_list", "reminders_complete"),
        *("calendar_create", "calendar_list", "calendar_search"),
    }
)
