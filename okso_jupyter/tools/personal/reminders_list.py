"""reminders_list: what is to be done."""

from __future__ import annotations

from datetime import datetime

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.ical.moments import read_moment, zone_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, entry, listed
from okso_jupyter.toolkit.personal_stores import now_in_zone, task_store, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={
        "properties": {
            "until": {
                "type": "string",
                "description": "The last day on which they are due, such as 2026-12-04.",
                "x-omit": True,
            }
        },
    },
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(Example("Show my reminders", {}), Example("What do I have to do?", {})),
    groups=("personal",),
)
def reminders_list(context: ToolContext, until: str = "") -> ToolOutput:
    """List the reminders that are not done, earliest first, all or those due until a day."""
    zone = zone_of(context.run.personal.time_zone)
    found = task_store(context).read()
    last = read_moment(until, now_in_zone(context)) if until.strip() else None
    day = last.date() if isinstance(last, datetime) else last
    reminders = found.open_until(day, zone)
    entries = (entry(one.in_words(zone)) for one in reminders)
    lines = listed(counted(len(reminders), "reminder"), entries)
    none = f"nothing is due until {day}" if day else "there is nothing to do"
    return ToolOutput(
        value={
            "reminders": [one.to_json() for one in reminders],
            "untrusted": UNTRUSTED,
            "unread": list(found.unread),
        },
        text=with_unread(lines if reminders else none, found.unread),
        changes=Changes(touched=tuple(one.path for one in reminders)),
    )
