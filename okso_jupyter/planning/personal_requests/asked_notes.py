"""Questions about notes: which there are, and which say something of a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.personal_requests.framed_words import OWN, words_of
from okso_jupyter.planning.personal_requests.residues import left_of, span_of
from okso_jupyter.planning.personal_requests.said_texts import is_one_text

_NOTES: Final = frozenset("notes note notizen notiz".split())
#: What is done with a note, which says that notes are meant.
_NOTING: Final = frozenset("noted jot jotted scribbled scribble notiert aufgeschrieben".split())
#: Notes of nobody else: what is called so in a table has other words beside it.
_ANY: Final = re.compile(
    r"(?i)\b(?:(?:any|every|each|which|is there an?) notes?|welche[rsn]?|notiz(?:en)?)\b"
)
_ALL: Final = frozenset("notes notizen every each".split())
#: What the user wrote is in a note if it is about something.
_WRITING: Final = frozenset("wrote write written".split())


def notes_asked(request: str) -> tuple[str, Mapping[str, str]] | None:
    """Return the call of a question about notes in general; None for any other request.

    Args:
        request: The request without courtesy.
    """
    words = words_of(request)
    left = left_of(request, _NOTES | _NOTING)
    if left is None and "i" in words and "about" in words:
        left = left_of(request, _WRITING)
    if left is None or (OWN.isdisjoint(words) and not _ANY.search(request)):
        return None
    if not left:
        return ("notes_list", {}) if not _ALL.isdisjoint(words) else None
    text = span_of(request, left)
    return ("notes_search", {"input": text}) if is_one_text(text) else None
