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
_TOGETHER: Final = (
    r"(?:in\s+(?:total|all|sum|summe)|(?:all\s+)?together|altogether|overall|zusammen|insgesamt|"
    r"alles\s+zusammen)"
)
_THAT: Final = (
    r"(?:all\s+(?:of\s+)?)?(?:that|this|it|they|these|those|them|das|dies|die|sie|es)"
    r"(?:\s+(?:all|alles|alle))?"
)
_MONEY: Final = r"(?:(?:how\s+much|wie\s?viel)(?:\s+(?:money|geld))?|what|was)"
_IS: Final = (
    r"(?:is|are|was|were|does|do|did|ist|sind|war|waren|macht|machen|ergibt|ergeben|kostet|kosten)"
)
#: Asks which rows were counted or summed: "which ones?", "welche sind das?".
_WHICH_ONES: Final = re.compile(
    r"(?i)^\W*(?:(?:and|und|so|ok(?:ay)?)\b\W*)?(?:"
    r"(?:which|welche|who|wer)(?:\s+(?:ones?|rows?|genau|exactly))?"
    r"(?:\s+(?:are|were|is|was|sind|waren|ist|war)(?:\s+(?:they|those|these|that|it|das|die|es))"
    r"(?:\s+(?:denn|genau|exactly|alle|all))?)?|"
    r"what\s+are\s+(?:they|those|these)|"
    r"(?:show|list|name|give|zeige?|nenne?|liste)\s+(?:me\s+|mir\s+)?"
    r"(?:all\s+(?:of\s+)?)?(?:them|those|these|sie|diese|die)(?:\s+(?:all|alle|auf))?"
    r")\W*$"
)
#: Asks what the rows before come to: "how much is that in total?".
_TOTAL: Final = re.compile(
    rf"(?i)^\W*(?:(?:and|und|so|ok(?:ay)?)\b\W*)?(?:"
    rf"(?P<asked>{_MONEY}|(?:how\s+many|wie\s?viele?)\s+(?P<noun>[^\W\d_]+))\s+{_IS}\s+{_THAT}"
    rf"(?P<behind>(?:\s+(?:come|add|amount|make|cost|worth|up|to|wert|kosten|machen))*"
    rf"(?:\s+{_TOGETHER})?)|(?P<only>{_TOGETHER})"
    rf")\W*$"
)
#: Feedback that turns a plan down and says no more, so that another reading is wanted.
_TURNS_DOWN: Final = re.compile(
    r"(?i)^\W*(?:no|nope|nein|not (?:this|that|it|quite|right|what))\b|"
    r"\b(?:wrong|falsch|else|another|other|otherwise|different(?:ly)?|anders|andere[rsn]?)\b"
)


def may_follow(request: str) -> bool:
    """Return whether a request begins or ends as one that goes on from the last one."""
    if len(request.split()) > MOST_WORDS:
        return False
    return bool(_OPENS.search(request) or asks_which(request) or total_asked(request) is not None)


def asks_which(request: str) -> bool:
    """Return whether a request only asks which rows were meant before: "which ones?"."""
    return _WHICH_ONES.search(request) is not None


def total_asked(request: str) -> str | None:
    """Return what the rows before are summed of: "hours", or "" for their amount.

    None where a request does not only ask for this: "what is that?" asks for no amount.
    """
    found = _TOTAL.search(request)
    if found is None:
        return None
    is_plain = found["asked"] and found["asked"].lower() in {"what", "was"}
    return None if is_plain and not found["behind"] else found["noun"] or ""


def turns_down(feedback: str) -> bool:
    """Return whether feedback says that a plan is wrong, or that another one is wanted."""
    return _TURNS_DOWN.search(feedback) is not None
