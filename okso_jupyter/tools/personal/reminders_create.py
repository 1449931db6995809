"""reminders_create: a new reminder, due at a time or not."""

from __future__ import annotations

from dataclasses import replace

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolInputError
from okso_jupyter.personal.ical.moments import read_moment, zone_of
from okso_jupyter.personal.reminders.task_store import Reminder
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import now_in_zone, preview_of, task_store
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_EXAMPLES = (
    Example(
        "Remind me on Friday to 'call the lab'", {"title": "call the lab", "time": "on Friday"}
    ),
    Example("Add 'buy tea' to my to-do list", {"title": "buy tea"}),
)


def _draft(context: ToolContext, title: str, time: str, notes: str, repeat: str) -> Reminder:
    """Return the reminder as it would be.

    Raises:
        ToolError: The time is none, or it recurs without one.
    """
    if repeat and not time.strip():
        msg = "a reminder that recurs needs its first time"
        raise ToolInputError(msg)
    due = read_moment(time, now_in_zone(context)) if time.strip() else None
    return task_store(context).draft(" ".join(title.split()), due, notes.strip(), repeat)


def _preview(
    context: ToolContext, title: str = "", time: str = "", repeat: str = "", notes: str = ""
) -> str:
    """Return the reminder as it would be."""

    def shown() -> str:
        reminder = _draft(context, title, time, notes, repeat)
        said = reminder.in_words(zone_of(context.run.personal.time_zone))
        return "\n".join(filter(None, (reminder.path, "", said, reminder.notes)))

    return preview_of(shown)


@tool(
    parameters={
        "properties": {
            "title": {"type": "string", "minLength": 1, "pattern": r"\S", "x-ground": "text"},
            "time": {
                "type": "string",
                "description": "When it is due: 2026-12-04, 2026-12-04T09:00 or words.",
                "x-ground": "text",
            },
            "repeat": {"enum": ["daily", "weekly", "monthly", "yearly"], "x-omit": True},
            "notes": {"type": "string", "x-ground": "text", "x-omit": True},
        },
        "required": ["title"],
    },
    effect=Effect.WRITES,
    examples=_EXAMPLES,
    preview=_preview,
    rehearses=True,
    groups=("personal",),
)
def reminders_create(
    context: ToolContext, title: str, time: str = "", repeat: str = "", notes: str = ""
) -> ToolOutput:
    """Make a reminder of something to do, due on a day, at a time or without one."""
    reminder = _draft(context, title, time, notes, repeat)
    changes = task_store(context).create(reminder, now_in_zone(context))
    said = reminder.in_words(zone_of(context.run.personal.time_zone))
    made = replace(reminder, path=changes.created[0])
    return ToolOutput(value=made.to_json(), text=f"made the reminder: {said}", changes=changes)
