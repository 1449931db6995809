"""Reads a request that is only about personal data as the steps of a plan."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any, Final

from okso_jupyter.planning.personal_requests.asked_days import days_asked
from okso_jupyter.planning.personal_requests.asked_notes import notes_asked
from okso_jupyter.planning.personal_requests.cued_note import cued_note
from okso_jupyter.planning.personal_requests.cued_reminder import cued_reminder
from okso_jupyter.planning.personal_requests.event_phrases import event_asked
from okso_jupyter.planning.personal_requests.grounded_events import known_event_asked
from okso_jupyter.planning.personal_requests.grounded_notes import known_note_asked
from okso_jupyter.planning.personal_requests.grounded_reminders import done_reminder
from okso_jupyter.planning.personal_requests.known_titles import Kind, TitlesOf
from okso_jupyter.planning.personal_requests.note_phrases import NOTE_PHRASES
from okso_jupyter.planning.personal_requests.reminder_phrases import Call, reminder_asked
from okso_jupyter.planning.personal_requests.said_texts import first_said
from okso_jupyter.planning.personal_requests.spelling import mended
from okso_jupyter.planning.personal_requests.spoken_ranges import spoken_range
from okso_jupyter.planning.personal_requests.spoken_zones import in_zone, zone_said
from okso_jupyter.planning.personal_requests.tool_names import REVIEW_TOOL
from okso_jupyter.planning.request.courtesy import direct

_MOST_CHARS: Final = 1000
_REVIEW: Final = re.compile(
    r"(?i)(?:(?:do|make|write|prepare|start|give me|show me|create) )?(?:my|a|the) weekly review"
    r"(?: as a note)?|review my week|mache? (?:meinen|den|einen) wochenrückblick"
)
_BITTE: Final = re.compile(r"(?i) (?:bitte|mal|eigentlich|denn)(?=[ :])")
#: Says of a request only that it comes after something else.
_ASIDE: Final = re.compile(r"(?i)^(?:also|and|then|oh|ah|und|ach|finally|so|right)[ ,:]+")
#: "Remind me when the seminar is" asks, and so does "remind yourself what ...".
_ASKED_AGAIN: Final = re.compile(
    r"(?i)^(?:remind|tell) (?:me|yourself)(?: again)? (?=(?:when|what time|where|who|what the)\b)"
)
#: Is no part of what is searched for.
_ARTICLE: Final = re.compile(r"(?i)^(?:the|a|an|my|our|der|die|das|den|dem) (?=\S)")
#: A request that ends with another one.
_TWO: Final = re.compile(
    r"(?i)(?P<first>.+?)(?:[,;.]| and| und)+ (?:also |then |dann |auch )?"
    r"(?P<second>(?:remind me|set (?:me )?a reminder|erinnere? mich|(?:put|add|write|schedule|book|"
    r"note) (?!it\b|that\b|this\b|them\b))\b.+)"
)
_THAT_DAY: Final = re.compile(r"(?i)\b(?:on )?(?:that|the same) day\b|\b(?:an dem|am selben) tag\b")
_MAKING: Final = frozenset({"reminders_create", "calendar_create", "notes_create", "notes_append"})
_AGAIN: Final = re.compile(r"(?i)\b(?:every|each|jede[nrms]?|daily|weekly|täglich|wöchentlich)\b")
_STARTING: Final = re.compile(
    r"(?i),? \b(?:starting|beginning|first time|erstmals|beginnend|angefangen)"
    r"(?: on| from| ab| am)? (?P<when>[^,.;]+?)(?=[,.;]|$)"
)
_WEEK: Final = timedelta(days=7)
Steps = tuple[Mapping[str, Any], ...]


def _no_titles(_kind: Kind) -> tuple[str, ...]:
    return ()


def personal_asked(request: str, now: datetime, titles: TitlesOf = _no_titles) -> Steps:
    """Return the one step of a request about notes, reminders or events; () for any other.

    Args:
        request: The request in plain words.
        now: The present time, in the user's zone.
        titles: Returns the titles that the user's stores hold.
    """
    if len(request) > _MOST_CHARS or "\n" in request.strip():
        return ()
    said = _bare(direct(_BITTE.sub("", mended(" ".join(request.split())))).rstrip(" .?!"))
    local = now.replace(tzinfo=None)
    if (zoned := zone_said(said)) is not None:
        zone, plain = zoned
        call = _call(plain, now.astimezone(zone).replace(tzinfo=None), titles)
        times = ("time", "start", "end")
        return (
            ()
            if call is None
            else (
                {
                    "tool": call[0],
                    "args": {
                        n: in_zone(v, zone, now.tzinfo) if n in times else v
                        for n, v in call[1].items()
                    },
                },
            )
        )
    if _REVIEW.fullmatch(said):
        args = {"title": f"Weekly review {local:%Y-%m-%d}", "until": f"{local + _WEEK:%Y-%m-%d}"}
        return ({"tool": REVIEW_TOOL, "args": args},)
    return _steps(said, local, titles)


def _steps(said: str, now: datetime, titles: TitlesOf) -> Steps:
    """Return the steps of a request: one, or two where each half of it is a request of its own."""
    two = _TWO.match(said)
    if two and (first := _call(two["first"], now, titles)):
        day = str(first[1].get("start") or first[1].get("time") or "")[:10]
        second = _call(_THAT_DAY.sub(f"on {day}", two["second"]), now, titles)
        if second and {first[0], second[0]} <= _MAKING:
            return tuple({"tool": tool, "args": args} for tool, args in (first, second))
    found = _call(*_begun(said, now), titles)
    return () if found is None else ({"tool": found[0], "args": found[1]},)


def _begun(said: str, now: datetime) -> tuple[str, datetime]:
    """Return a request without the day from which something comes again, and the time before it."""
    match = _STARTING.search(said) if _AGAIN.search(said) else None
    days = spoken_range(match["when"], now) if match else None
    if match is None or days is None:
        return said, now
    before = datetime.combine(days[0], time()) - timedelta(minutes=1)
    return f"{said[: match.start()]}{said[match.end() :]}", max(before, now)


def _bare(said: str) -> str:
    """Return a request without words before it, and as a question if it is one in disguise."""
    plain = _ASIDE.sub("", said)
    return _ASKED_AGAIN.sub("", plain) or said


def _call(said: str, now: datetime, titles: TitlesOf) -> Call | None:
    """Return the call of a request: what exists is named before what is new."""
    found = (
        cued_note(said, partial(titles, "notes"))
        or known_note_asked(said, partial(titles, "notes"))
        or done_reminder(said, partial(titles, "reminders"))
        or known_event_asked(said, partial(titles, "calendar"))
        or first_said(NOTE_PHRASES, said)
        or reminder_asked(said, now)
        or cued_reminder(said, now)
        or event_asked(said, now)
        or notes_asked(said)
        or days_asked(said, now)
    )
    if found is None or not found[0].endswith("_search"):
        return found
    return found[0], {name: _ARTICLE.sub("", text) for name, text in found[1].items()}
