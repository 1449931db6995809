"""Reads a request that is only about personal data as the steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from okso_jupyter.planning.personal_requests.note_phrases import NOTE_PHRASES
from okso_jupyter.planning.personal_requests.said_texts import first_said
from okso_jupyter.planning.request.courtesy import direct

_MOST_CHARS: Final = 1000
#: The tools that such a request is read for.
PERSONAL_TOOLS: Final = frozenset(tool for tool, _ in NOTE_PHRASES)
Steps = tuple[Mapping[str, Any], ...]


def personal_asked(request: str, now: datetime) -> Steps:
    """Return the one step of a request about notes; () for any other request.

    Args:
        request: The request in plain words.
        now: The local time.
    """
    del now
    if len(request) > _MOST_CHARS or "\n" in request.strip():
        return ()
    said = direct(" ".join(request.split())).rstrip(" .?!")
    found = first_said(NOTE_PHRASES, said)
    return () if found is None else ({"tool": found[0], "args": found[1]},)
