"""Going on: whether a request goes on from the last query, or feedback turns a plan down."""

from __future__ import annotations

import re
from typing import Final

#: A longer request says by itself what it wants.
MOST_WORDS: Final = 12
#: How a request begins, or ends, that goes on from the last one.
_OPENS: Final = re.compile(
    r"(?i)^\W*(?:and|und|what about|how about|was ist mit|only|just|nur|now|jetzt|same|instead|"
    r"by|per|for|in|overall|insgesamt|the|as|als|show|zeige?|plot|draw|make|without|ohne)\b|\b(?:instead|stattdessen)\W*$"
)
#: Feedback that turns a plan down and says no more, so that another reading is wanted.
_TURNS_DOWN: Final = re.compile(
    r"(?i)^\W*(?:no|nope|nein|not (?:this|that|it|quite|right|what))\b|"
    r"\b(?:wrong|falsch|else|another|other|otherwise|different(?:ly)?|anders|andere[rsn]?)\b"
)


def may_follow(request: str) -> bool:
    """Return whether a request begins or ends as one that goes on from the last one."""
    return len(request.split()) <= MOST_WORDS and _OPENS.search(request) is not None


def turns_down(feedback: str) -> bool:
    """Return whether feedback says that a plan is wrong, or that another one is wanted."""
    return _TURNS_DOWN.search(feedback) is not None
