"""Reads a request that is only about personal data as the steps of a plan."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from okso_jupyter.planning.personal_requests.event_phrases import event_asked
from okso_jupyter.planning.personal_requests.note_phrases import NOTE_PHRASES
from okso_jupyter.planning.personal_requests.reminder_phrases import reminder_asked
from okso_jupyter.planning.personal_requests.said_texts import first_said
from okso_jupyter.planning.request.courtesy import direct

_MOST_CHARS: Final = 1000
#: The workflow that lists what is due, on and unread in a note.
REVIEW_TOOL: Final = "workflow_weekly_review"
_REVIEW: Final = re.compile(
    r"(?i)(?:(?:do|make|write|prepare|start|give me|show me|create) )?(?:my|a|the) weekly review"
    r"(?: as a note)?|review my week|mache? (?:meinen|den|einen) wochenrückblick"
)
_WEEK: Final = timedelta(days=7)
#: The tools that such a request is read for.
PERSONAL_TOOLS: Final = frozenset(
    {
        REVIEW_TOOL,
        *(tool for tool, _ in NOTE_PHRASES),
        *("reminders_create", "reminders_list", "reminders_complete"),
        *("calendar_create", "calendar_list", "calendar_search"),
    }
)
Steps = tuple[Mapping[str, Any], ...]


def personal_asked(request: str, now: datetime) -> Steps:
    """Return the one step of a request about notes, reminders or events; () for any other.

    Args:
        request: The request in plain words.
        now: The present time, in the user's zone.
    """
    if len(request) > _MOST_CHARS or "\n" in request.strip():
        return ()
    said = direct(" ".join(request.split())).rstrip(" .?!")
    local = now.replace(tzinfo=None)
    if _REVIEW.fullmatch(said):
        args = {"title": f"Weekly review {local:%Y-%m-%d}", "until": f"{local + _WEEK:%Y-%m-%d}"}
        return ({"tool": REVIEW_TOOL, "args": args},)
    found = (
        first_said(NOTE_PHRASES, said) or reminder_asked(said, local) or event_asked(said, local)
    )
    return () if found is None else ({"tool": found[0], "args": found[1]},)
