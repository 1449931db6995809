"""Requests about the calendar, as a tool and its arguments."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from okso_jupyter.planning.personal_requests.new_event import GATHERING, new_event_asked
from okso_jupyter.planning.personal_requests.reminder_phrases import Call
from okso_jupyter.planning.personal_requests.said_texts import (
    TEXT,
    Phrase,
    first_said,
    is_one_text,
    phrase,
    plain,
)
from okso_jupyter.planning.personal_requests.spoken_ranges import spoken_range

_CALENDAR: Final = r"(?:(?:my|the|our|meine[nm]?|den|dem|im) )?(?:calendar|agenda|diary|kalender)"
_EVENTS: Final = r"(?:appointments?|events?|meetings?|schedule|calendar|agenda|termine?|kalender)"
_RANGE: Final = r"(?P<range>.+?)"
_ON: Final = r"(?: (?:on|up|happening|scheduled|planned|going on))?"
_LISTED: Final = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        rf"what(?:'s| is){_ON}(?: (?:in|on|for))? {_CALENDAR}(?: {_RANGE})?",
        rf"what(?:'s| is) (?:on|up|happening|scheduled|planned|going on) {_RANGE}",
        rf"what (?:do i have|have i got|am i doing){_ON} {_RANGE}",
        rf"(?:what|which|how many) {_EVENTS} (?:do i have|are there|have i got){_ON} {_RANGE}",
        (
            r"(?:show|list|give|zeige?)(?: me| mir)?(?: all)?(?: of)? (?:my|the|meine[n]?) "
            rf"{_EVENTS}"
            rf"(?: {_RANGE})?"
        ),
        (
            rf"(?:do i have|is there|have i got) (?:anything|something|any {_EVENTS}|an? {_EVENTS})"
            rf"{_ON}(?: in {_CALENDAR})? {_RANGE}"
        ),
        rf"am i (?:free|busy) {_RANGE}",
        rf"(?:who|whom) (?:am i|do i) meet(?:ing)? {_RANGE}",
        rf"how does (?:my )?{_RANGE} look(?: like)?(?: in {_CALENDAR})?",
        rf"what does (?:my )?{_RANGE} look like(?: in {_CALENDAR})?",
        rf"(?:is there )?anything on {_RANGE}",
        rf"was (?:steht|ist|liegt|habe ich) {_RANGE} (?:an|los|vor|in meinem kalender)",
    )
)
_WORDS: Final = rf"(?P<input>{TEXT})"
_SEARCHED: Final[tuple[Phrase, ...]] = (
    phrase(
        "calendar_search",
        rf"(?:find|search for|look for|look up|suche|finde) {_WORDS} in {_CALENDAR}",
    ),
    phrase("calendar_search", rf"(?:search|look in|durchsuche) {_CALENDAR} (?:for|nach) {_WORDS}"),
    phrase(
        "calendar_search",
        rf"(?:when|at what time|wann) (?:is|are|does|ist|geht|beginnt|startet) "
        rf"(?:my|our|mein[e]?) (?:next )?{_WORDS}",
    ),
    phrase(
        "calendar_search",
        rf"(?:when|at what time|wann) (?:is|are|ist) (?:the|der|die|das) (?:next )?"
        rf"(?P<input>(?=.*\b{GATHERING}s?\b){TEXT})",
    ),
    phrase(
        "calendar_search",
        rf"(?:when|at what time) (?:do|will|am) i (?:meet(?:ing)?|see(?:ing)?|have) "
        rf"(?:the |my )?{_WORDS}",
    ),
    phrase("calendar_search", rf"is there (?:an? |the )?{_WORDS} in {_CALENDAR}"),
    phrase(
        "calendar_search",
        rf"is (?:an? |the |my )?{_WORDS} (?:(?:entered|listed|noted|anywhere|already) )+(?:in|on) "
        rf"{_CALENDAR}",
    ),
    phrase(
        "calendar_search",
        r"(?:find|search for|search|look for|look up|show|get|pull up|suche?|finde?|zeige?)"
        r"(?: me| mir)?(?: the| my| any| den| einen)? (?:calendar )?"
        r"(?:entry|entries|events?|appointments?|kalendereintrag|eintrag|termine?)"
        rf" (?:for|about|on|of|called|named|with|für|zu|zum|zur|mit) (?:the |my )?{_WORDS}",
    ),
    phrase(
        "calendar_search",
        r"(?:on )?(?:what|which) day (?:is|was|were|are) (?:the |my |our )?"
        rf"(?P<input>(?=.*\b{GATHERING}s?\b){TEXT})",
    ),
)


#: "When is my physio session? Look it up in the calendar".
_LOOKED_UP: Final = re.compile(
    r"(?i)[?.,;]+ (?:please |can you )?(?:look|check|see|search|find|schau)"
    rf"(?: (?:it|that|this|for it))?(?: up| nach)?(?: (?:in|on))? {_CALENDAR}(?: nach)?$|"
    r"[?.,;]+ (?:list|show)(?: me)? (?:the |my )?(?:events|appointments|meetings|termine)$"
)


_EVENT_AT_END: Final = re.compile(r"(?i) (?:appointment|event|meeting|termin)$")
#: What is asked of an event, where the calendar is to be looked into.
_OF_EVENT: Final = re.compile(
    r"(?i)(?:(?:on |at )?(?:what|which) (?:day|date|time)|when|where|wann|wo)"
    r"(?:'s| is| was| are| were| ist| war)(?: (?:the|my|our|mein|meine|der|die|das))?(?: next)? "
    r"(?P<input>[^:?]+)"
)


def event_asked(request: str, now: datetime) -> Call | None:
    """Return the call of a request about the calendar; None for any other.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    said = _LOOKED_UP.sub("", request)
    if said != request and (asked := _OF_EVENT.fullmatch(said)) and is_one_text(asked["input"]):
        named = _EVENT_AT_END.sub("", asked["input"])
        return "calendar_search", {"input": plain(named)}
    return _listed(said, now) or first_said(_SEARCHED, said) or new_event_asked(said, now)


def _listed(request: str, now: datetime) -> Call | None:
    for pattern in _LISTED:
        match = pattern.fullmatch(request)
        if match is None:
            continue
        if not match["range"]:
            return "calendar_list", {}
        found = spoken_range(match["range"], now)
        if found:
            start, end = found
            return "calendar_list", {"start": start.isoformat(), "end": end.isoformat()}
    return None
