"""calendar_search: the events that hold some words."""

from __future__ import annotations

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import Effect
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.outside_texts import NOT_FOLLOWED, UNTRUSTED, entry, listed
from okso_jupyter.toolkit.personal_stores import calendar_store, now_in_zone, with_unread
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


@tool(
    parameters={
        "properties": {"input": {"type": "string", "minLength": 1, "x-ground": "text"}},
        "required": ["input"],
    },
    effect=Effect.READS,
    safety=NOT_FOLLOWED,
    examples=(
        Example("When is the 'group seminar'?", {"input": "group seminar"}),
        Example("Find 'dentist' in my calendar", {"input": "dentist"}),
    ),
    groups=("personal",),
)
def calendar_search(
    context: ToolContext,
    input: str,  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Find events by words in their title, place or description, with their next time."""
    zone = zone_of(context.run.personal.time_zone)
    found = calendar_store(context).search(input, now_in_zone(context))
    entries = (entry(event.in_words(zone)) for event in found.events)
    lines = listed(counted(len(found.events), "event"), entries)
    return ToolOutput(
        value={
            "events": [event.to_json() for event in found.events],
            "untrusted": UNTRUSTED,
            "unread": list(found.unread),
        },
        text=with_unread(lines if found.events else f"no event holds {input!r}", found.unread),
        changes=Changes(touched=tuple(event.path for event in found.events)),
    )
