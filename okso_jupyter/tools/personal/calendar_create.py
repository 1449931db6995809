"""calendar_create: a new event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolError, ToolInputError
from okso_jupyter.personal.calendar.calendar_store import CalendarEvent, drafted
from okso_jupyter.personal.ical.moments import read_moment, zone_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import calendar_store, now_in_zone, preview_of
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example(
        "Put a 'group meeting' on Monday at 10 in the calendar",
        {"title": "group meeting", "start": "on Monday at 10"},
    ),
    Example(
        "Schedule 'Open house' for 12 December", {"title": "Open house", "start": "12 December"}
    ),
)


def _event(context: ToolContext, args: Mapping[str, str]) -> CalendarEvent:
    """Return the event of a call.

    Args:
        context: The context of the call.
        args: The arguments; okso's `input` has title, start and location as lines.

    Raises:
        ToolError: A part is missing, or a time is none.
    """
    lines = [line.strip() for line in args.get("input", "").splitlines()]
    title, start, location = (
        args.get(name) or (lines[number] if number < len(lines) else "")
        for number, name in enumerate(("title", "start", "location"))
    )
    if not title.strip() or not start.strip():
        msg = f"an event needs a title and a start, and the {'start' if title else 'title'} is open"
        raise ToolInputError(msg)
    now = now_in_zone(context)
    end = args.get("end", "").strip()
    ends = read_moment(end, now) if end else None
    event = drafted(" ".join(title.split()), read_moment(start, now), ends, location.strip())
    return calendar_store(context).place(replace(event, repeat=args.get("repeat", "")))


def _clashes(context: ToolContext, event: CalendarEvent) -> list[str]:
    """Return the events at the same time, in words; why they are not known is one of them."""
    zone = zone_of(context.run.personal.time_zone)
    if not isinstance(event.start, datetime) or not isinstance(event.end, datetime):
        return []
    # an event that began the day before may last until this one
    first = event.start.date() - timedelta(days=1)
    try:
        there = calendar_store(context).between(first, event.end.date()).events
    except ToolError as error:  # a server that is slow to list may well take an event
        return [f"not known, {error.message}"]
    found = (one for one in there if one.overlaps(event, zone) and one.uid != event.uid)
    return [one.in_words(zone) for one in found]


def _preview(context: ToolContext, **args: str) -> str:
    """Return the event as it would be, and the events at the same time."""

    def shown() -> str:
        zone = zone_of(context.run.personal.time_zone)
        event = _event(context, args)
        clashes = [f"At the same time: {words}" for words in _clashes(context, event)]
        return "\n".join([event.path, "", f"{event.in_words(zone)} [{zone}]", *clashes])

    return preview_of(shown)


@tool(
    parameters={
        "properties": {
            "title": {"type": "string", "minLength": 1, "x-ground": "text"},
            "start": {
                "type": "string",
                "minLength": 1,
                "description": "2026-12-04T09:00, words, or a day: 2026-12-04 is all day.",
                "x-ground": "text",
            },
            "end": {
                "type": "string",
                "description": "An hour later if left out; of whole days the last one.",
                "x-ground": "text",
                "x-omit": True,
            },
            "location": {"type": "string", "x-ground": "text", "x-omit": True},
            "repeat": {"enum": ["daily", "weekly", "monthly", "yearly"], "x-omit": True},
            "input": {"type": "string", "minLength": 1, "x-omit": True},
        },
        "anyOf": [{"required": ["title", "start"]}, {"required": ["input"]}],
    },
    effect=(Effect.READS, Effect.WRITES),
    examples=_EXAMPLES,
    preview=_preview,
    rehearses=True,
    groups=("personal",),
)
def calendar_create(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    title: str = "",
    start: str = "",
    *,
    end: str = "",
    location: str = "",
    repeat: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Put an event into the calendar, at a time or on whole days."""
    args = {"title": title, "start": start, "end": end, "location": location, "input": input}
    args["repeat"] = repeat
    event = _event(context, args)
    zone = zone_of(context.run.personal.time_zone)
    clashes = _clashes(context, event)
    changes = calendar_store(context).create(event, now_in_zone(context))
    also = f" (at the same time: {'; '.join(clashes)})" if clashes else ""
    return ToolOutput(
        value={**event.to_json(), "path": changes.created[0], "at_the_same_time": clashes},
        text=f"made the event: {event.in_words(zone)}{also}",
        changes=changes,
    )
