"""reminders_complete: marks a reminder as done."""

from __future__ import annotations

from okso_jupyter.effects.effect import Effect
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.personal_stores import now_in_zone, preview_of, task_store
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


def _preview(
    context: ToolContext,
    input: str = "",  # noqa: A002  okso's name for a lone text argument
) -> str:
    """Return the reminder that would be done."""

    def shown() -> str:
        reminder = task_store(context).read().named(input)
        said = reminder.in_words(zone_of(context.run.personal.time_zone))
        again = "\nIt recurs: its next time takes the place of this one." if reminder.recurs else ""
        return f"{reminder.path}\n\ndone: {said}{again}"

    return preview_of(shown)


@tool(
    parameters={
        "properties": {"input": {"type": "string", "minLength": 1, "x-ground": "text"}},
        "required": ["input"],
    },
    effect=(Effect.READS, Effect.WRITES),
    examples=(
        Example("Mark 'call the lab' as done", {"input": "call the lab"}),
        Example("Tick off the reminder 'buy tea'", {"input": "buy tea"}),
    ),
    preview=_preview,
    rehearses=True,
    groups=("personal",),
)
def reminders_complete(
    context: ToolContext,
    input: str,  # noqa: A002  okso's name for a lone text argument
) -> ToolOutput:
    """Mark a reminder as done, named by its title."""
    reminder, changes = task_store(context).complete(input, now_in_zone(context))
    zone = zone_of(context.run.personal.time_zone)
    state = "is done" if reminder.is_done else f"comes again: {reminder.in_words(zone)}"
    return ToolOutput(value=reminder.to_json(), text=f"{reminder.title!r} {state}", changes=changes)
