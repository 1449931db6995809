"""VtodoFolder: reminders as iCalendar tasks (VTODO), one file each, as todoman keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, tzinfo
from typing import Any

import icalendar
from dateutil.rrule import rrulestr

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolFailedError
from okso_jupyter.personal.ical.ical_files import IcalFile, IcalFiles, moment_of, stamped, text_of
from okso_jupyter.personal.ical.moments import Moment, iso, start_of
from okso_jupyter.personal.reminders.task_store import Reminder, ReminderCollection


@dataclass(frozen=True, slots=True)
class VtodoFolder:
    """A folder of iCalendar files with tasks.

    Attributes:
        files: The files.
        zone: The user's zone.
    """

    files: IcalFiles
    zone: tzinfo

    def read(self) -> ReminderCollection:
        """Return the reminders of the folder; none if it does not exist yet."""
        files = list(self.files)
        found = (_reminder(file, todo) for file in files for todo in _todos(file))
        unread = tuple(file.problem for file in files if file.problem)
        return ReminderCollection(reminders=tuple(found), unread=unread)

    def draft(self, title: str, due: Moment | None, notes: str, repeat: str) -> Reminder:
        """Return a new reminder with its file."""
        uid = self.files.free_uid(title, iso(due))
        path = self.files.path_of(uid)
        return Reminder(
            title=title,
            due=due,
            notes=notes,
            recurs=bool(repeat),
            repeat=repeat,
            path=path,
            uid=uid,
        )

    def create(self, reminder: Reminder, now: datetime) -> Changes:
        """Write a reminder as a new file; raise ToolError if it cannot be written."""
        todo = icalendar.Todo()
        todo.add("uid", reminder.uid)
        todo.add("summary", reminder.title)
        todo.add("status", "NEEDS-ACTION")
        todo.add("created", now.astimezone(UTC))
        stamped(todo, now)
        if reminder.due:
            todo.add("due", reminder.due)
        if reminder.repeat:
            # a task that recurs needs a beginning, too
            todo.add("dtstart", reminder.due)
            todo.add("rrule", {"freq": reminder.repeat})
        if reminder.notes:
            todo.add("description", reminder.notes)
        return self.files.create(reminder.uid, todo)

    def complete(self, title: str, now: datetime) -> tuple[Reminder, Changes]:
        """Mark a reminder as done in its file; what else the file holds stays."""
        reminder = self.read().named(title)
        file = next(file for file in self.files if file.path == reminder.path)
        todo = next(todo for todo in _todos(file) if text_of(todo, "uid") == reminder.uid)
        following = _next_due(todo)
        if following is None:
            _finish(todo, now)
        else:
            _move(todo, following)
        stamped(todo, now)
        done = replace(reminder, is_done=following is None, due=following or reminder.due)
        return done, self.files.edit(file)


def _todos(file: IcalFile) -> Iterator[icalendar.Component]:
    yield from file.calendar.walk("VTODO")


def _reminder(file: IcalFile, todo: icalendar.Component) -> Reminder:
    status = text_of(todo, "status").upper()
    return Reminder(
        title=text_of(todo, "summary"),
        due=moment_of(todo, "due"),
        notes=text_of(todo, "description"),
        is_done=status in {"COMPLETED", "CANCELLED"} or "completed" in todo,
        recurs="rrule" in todo,
        path=file.path,
        uid=text_of(todo, "uid"),
    )


def _finish(todo: icalendar.Component, now: datetime) -> None:
    for name in ("status", "completed", "percent-complete"):
        todo.pop(name, None)
    todo.add("status", "COMPLETED")
    todo.add("completed", now.astimezone(UTC))
    todo.add("percent-complete", 100)


def _next_due(todo: icalendar.Component) -> Moment | None:
    """Return when a task that recurs is due next; None where it does not come again.

    Raises:
        ToolFailedError: Its rule cannot be read.
    """
    due = moment_of(todo, "due")
    if "rrule" not in todo or due is None:
        return None
    held: Any = todo["rrule"]
    is_one = isinstance(held, icalendar.vRecur)
    written = held.to_ical().decode() if is_one else "several rules"
    # a day, or a time without a zone, stays one
    start = due if isinstance(due, datetime) else datetime.combine(due, time())
    try:
        following = rrulestr(written, dtstart=start).after(start)
    except ValueError as error:
        msg = f"{text_of(todo, 'summary')!r} recurs by a rule that cannot be read: {written}"
        raise ToolFailedError(msg) from error
    return following if following is None or isinstance(due, datetime) else following.date()


def _move(todo: icalendar.Component, due: Moment) -> None:
    """Set when a task is due; its beginning moves as far, and its rule has one time less."""
    rule = todo.get("rrule")
    if isinstance(rule, icalendar.vRecur) and rule.get("COUNT"):
        rule["COUNT"] = [int(rule["COUNT"][0]) - 1]
    before, start = moment_of(todo, "due"), moment_of(todo, "dtstart")
    if start is not None and before is not None and type(start) is type(before):
        zone = UTC  # for times alone; days have none
        moved = start + (start_of(due, zone) - start_of(before, zone))
        todo.pop("dtstart")
        todo.add("dtstart", moved)
    todo.pop("due")
    todo.add("due", due)
