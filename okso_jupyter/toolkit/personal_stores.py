"""Stores of personal data that tools use, and what their previews and outputs share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime

from okso_jupyter.errors import OksoError
from okso_jupyter.personal.calendar.calendar_store import CalendarStore
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.ical.moments import zone_of
from okso_jupyter.personal.notes.note_store import NoteStore
from okso_jupyter.personal.opened_stores import open_calendar, open_notes, open_reminders
from okso_jupyter.personal.reminders.task_store import TaskStore
from okso_jupyter.toolkit.context import ToolContext


def note_store(context: ToolContext) -> NoteStore:
    """Return the store of notes; raise OksoError if it cannot be opened."""
    return open_notes(context.workspace, context.run.personal, time_limit_of(context))


def task_store(context: ToolContext) -> TaskStore:
    """Return the store of reminders; raise OksoError if it cannot be opened."""
    return open_reminders(context.workspace, context.run.personal, time_limit_of(context))


def calendar_store(context: ToolContext) -> CalendarStore:
    """Return the store of events; raise OksoError if it cannot be opened."""
    return open_calendar(context.workspace, context.run.personal, time_limit_of(context))


def time_limit_of(context: ToolContext) -> TimeLimit:
    """Return when a call must have ended, a little before it is ended."""
    return TimeLimit(time.monotonic() + 0.9 * context.timeout_s, context.cancelled)


def now_in_zone(context: ToolContext) -> datetime:
    """Return the present time in the user's zone; raise ToolError if TIME_ZONE is not a zone."""
    return datetime.now(zone_of(context.run.personal.time_zone))


def preview_of(rehearsed: Callable[[], str]) -> str:
    """Return what a call on a forecast shows, or why it fails."""
    try:
        return rehearsed()
    except OksoError as error:
        return error.message


def with_unread(text: str, unread: Sequence[str]) -> str:
    """Return a text with a sentence for each entry that could not be read."""
    return "\n".join([text, *(f"({reason})" for reason in unread)])
