"""Questions about days: what is on, and what is to be done."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from okso_jupyter.planning.personal_requests.framed_words import OWN, ranged, words_of
from okso_jupyter.planning.personal_requests.reminder_phrases import Call
from okso_jupyter.planning.personal_requests.residues import left_of, span_of
from okso_jupyter.planning.personal_requests.said_texts import is_one_text

#: Words that name events by themselves, and those that do where they are the user's.
_CALENDAR: Final = frozenset(
    "appointment appointments calendar agenda diary termin termine terminen kalender".split()
)
_EVENTS: Final = _CALENDAR | frozenset(
    "event events meeting meetings schedule plans free busy booked happening scheduled planned "
    "commitments engagements frei geplant verplant".split()
)
#: These do so where they are asked of the user.
_OWN_EVENTS: Final = _EVENTS | frozenset("on doing going time day vor los zeit".split())
_DOING: Final = frozenset("coming day available anybody meet".split())
#: The same for things to do.
_DUE: Final = frozenset(
    "due overdue outstanding reminder reminders to-dos todo todos erinnerung erinnerungen "
    "fällig to-do-list aufgabenliste".split()
)
_TASKS: Final = _DUE | frozenset(
    "to-do task tasks pending plate chores errands aufgabe aufgaben offen erledigen tun need "
    "left must muss".split()
)
_LEFT: Final = frozenset("do done remaining waiting still soll steht offene offenen".split())
_TO_DO: Final = re.compile(r"(?i)\bto do\b")


def days_asked(request: str, now: datetime) -> Call | None:
    """Return the call of a question what is on or to be done; None for any other request.

    Args:
        request: The request without courtesy.
        now: The present local time, without a zone.
    """
    said = _TO_DO.sub("to-do", request)
    words = words_of(said)
    is_own = not OWN.isdisjoint(words)
    if "how" in words and not is_own:
        return None  # "how many tasks are open" may be of a table
    if left_of(said, _TASKS if is_own else _DUE, _LEFT | _TASKS) == []:
        return "reminders_list", {}
    for rest, (first, last) in ranged(said, now):
        other = " ".join(rest)
        if left_of(other, _TASKS, _LEFT) == []:
            return "reminders_list", {"until": last.isoformat()}
        if left_of(other, _OWN_EVENTS if is_own else _EVENTS, _DOING) == []:
            return "calendar_list", {"start": first.isoformat(), "end": last.isoformat()}
    return _searched(said)


def _searched(said: str) -> Call | None:
    """Return the search for an event that a question is about."""
    left = left_of(said, _CALENDAR, _EVENTS | _DOING)
    if left is None or OWN.isdisjoint(words_of(said)):
        return None
    if not left:
        return "calendar_list", {}
    text = span_of(said, left)
    return ("calendar_search", {"input": text}) if is_one_text(text) else None
