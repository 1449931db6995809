"""Statements that something is done, as the reminder that they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.personal_requests.known_titles import content_words, is_past, meant_title
from okso_jupyter.planning.personal_requests.reminder_phrases import Call

#: What is done to an entry of a list when it is done.
_TICKED: Final = re.compile(
    r"(?i)\b(?:tick(?:ed)?|check(?:ed)? .*off|check off|cross(?:ed)?|strike|struck|scratch|mark|"
    r"done|finished|completed?|off (?:my|the) list|hake?|abhaken|abgehakt|streiche?n?|erledigt|"
    r"fertig)\b"
)
#: Requests for something else about reminders, and questions.
_OTHERWISE: Final = re.compile(
    r"(?i)^(?:remind|add|put|create|make|new|set|show|list|what|which|who|when|how|is|are|was|do|"
    r"did|does|have|has|can|find|search|open|read|erinnere|zeige?|welche|wann|wie|schreibe?)\b"
    r"(?!.*\b(?:mark|tick|cross|check)\b)|\?$|[^\s@]\.[a-z]\w{0,4}\b|[\"\u201c\u201e]|(?<!\w)'"
)


def done_reminder(request: str, titles: Callable[[], Sequence[str]]) -> Call | None:
    """Return the call for a reminder that a request says is done; None for any other request.

    Where the request says to tick it off, most words of the title do; else all of them, one in
    the past: "I watered the tomatoes".

    Args:
        request: The request without courtesy.
        titles: Returns the titles of the open reminders; read only where the request may name one.
    """
    if _OTHERWISE.search(request):
        return None
    said = _TICKED.sub(" ", request)
    if said == request and not any(map(is_past, content_words(request))):
        return None
    meant = meant_title(said, titles())
    if meant is None:
        return None
    is_ticked = said != request
    is_clear = meant.is_whole or meant.hits > 1 or not meant.extra
    is_told = meant.is_whole and meant.is_past and meant.extra <= 1
    return (
        ("reminders_complete", {"input": meant.title})
        if (is_told or (is_ticked and is_clear))
        else None
    )
