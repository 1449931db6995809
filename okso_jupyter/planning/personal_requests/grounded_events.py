"""Questions when or where an event is, as a search for the event that exists."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.planning.personal_requests.framed_words import OWN, words_of
from okso_jupyter.planning.personal_requests.known_titles import meant_title
from okso_jupyter.planning.personal_requests.reminder_phrases import Call
from okso_jupyter.planning.personal_requests.said_texts import is_one_text

_WHEN: Final = re.compile(
    r"(?i)(?:when|where|(?:at )?what time|(?:on )?(?:what|which) (?:day|date)|wann|wo|"
    r"um wie viel uhr|um wieviel uhr|an welchem tag)(?:'s| is| are| was| do| does| am| will| did|"
    r" ist| sind| findet| habe| beginnt| geht| fängt)? (?P<about>.+)"
)
#: Words that say of an event only that it is.
_SAID: Final = re.compile(
    r"(?i)\b(?:i|we|you|my|our|the|next|going|having|have|meet(?:ing)? with|seeing|supposed|to|be|"
    r"starts?|begins?|ends?|take[sn]? place|happen(?:s|ing)?|scheduled|again|on|planned|der|die|"
    r"das|mein[e]?|unser[e]?|statt|los|an|nächste[rs]?)\b"
)


def known_event_asked(request: str, titles: Callable[[], Sequence[str]]) -> Call | None:
    """Return the call of a question about an event that exists; None for any other request.

    Args:
        request: The request without courtesy.
        titles: Returns the titles of the events; read only where the request may name one.
    """
    match = _WHEN.fullmatch(request)
    if match is None or not is_one_text(match["about"]):
        return None
    meant = meant_title(_SAID.sub(" ", match["about"]), titles())
    most = 1 if not OWN.isdisjoint(words_of(request)) else 0
    if meant is None or meant.extra > most:
        return None
    return "calendar_search", {"input": meant.title}
