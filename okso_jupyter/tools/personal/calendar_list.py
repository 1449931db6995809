"""calendar_list: what is on in a range of days."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolInputError
from okso_jupyter.personal.ical.moments import read_moment, zone_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, entry, listed
from okso_jupyter.toolkit.personal_stores import calendar_store, now_in_zone, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

#: Days after today that are listed where no range is named.
_DAYS_AHEAD: Final = 6
#: Longest range: a daily event has this many occurrences, and no more are shown.
_MOST_DAYS: Final = 731


def _range(now: datetime, start: str, end: str) -> tuple[date, date]:
    """Return the first and the last day.

    Raises:
        ToolInputError: One is none, the last one is before the first, or the range is too long.
    """
    first = _day(start, now) if start.strip() else now.date()
    last = _day(end, now) if end.strip() else first
    if not start.strip() and not end.strip():
        last = first + timedelta(days=_DAYS_AHEAD)
    if last < first:
        msg = f"the range ends on {last}, before it begins on {first}"
        raise ToolInputError(msg)
    if (last - first).days > _MOST_DAYS:
        msg = f"the range has {(last - first).days} days, and at most {_MOST_DAYS} are listed"
        raise ToolInputError(msg)
    return first, last


def _day(text: str, now: datetime) -> date:
    moment = read_moment(text, now)
    return moment.date() if isinstance(moment, datetime) else moment


@tool(
    parameters={
        "properties": {
            "start": {"type": "string", "description": "First day, such as 2026-12-04."},
            "end": {"type": "string", "description": "Last day; the first if left out."},
        },
    },
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(
        Example("What is on tomorrow?", {"start": "tomorrow"}),
        Example("Show my calendar", {}),
    ),
    groups=("personal",),
)
def calendar_list(context: ToolContext, start: str = "", end: str = "") -> ToolOutput:
    """List what is on from a day to another; the next seven days if none is named."""
    zone = zone_of(context.run.personal.time_zone)
    first, last = _range(now_in_zone(context), start, end)
    found = calendar_store(context).between(first, last)
    entries = (entry(event.in_words(zone)) for event in found.events)
    days = str(first) if first == last else f"from {first} to {last}"
    lines = listed(f"{counted(len(found.events), 'event')}, {days}", entries)
    return ToolOutput(
        value={
            "start": first.isoformat(),
            "end": last.isoformat(),
            "events": [event.to_json() for event in found.events],
            "untrusted": UNTRUSTED,
            "unread": list(found.unread),
        },
        text=with_unread(lines if found.events else f"nothing is on {days}", found.unread),
        changes=Changes(touched=tuple(dict.fromkeys(event.path for event in found.events))),
    )
