"""TaskStore: what a store of reminders does, and the reminders that it holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any, Protocol

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolFailedError, ToolNotFoundError
from okso_jupyter.personal.ical.moments import Moment, end_of_day, in_words, iso, start_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """One thing to do.

    Attributes:
        title: What it is.
        due: Until when; None if no time is set.
        notes: More about it.
        is_done: Whether it is completed.
        recurs: Whether it comes again after it is done.
        repeat: How often a new one comes again: "daily", "weekly", "monthly", "yearly" or "".
        path: Where it lies: a file, or the store's own name of it.
        uid: Its id, which is the same in all programs.
    """

    title: str
    due: Moment | None = None
    notes: str = ""
    is_done: bool = False
    recurs: bool = False
    repeat: str = ""
    path: str = ""
    uid: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the reminder as JSON data."""
        return {
            "title": self.title, "due": iso(self.due), "notes": self.notes, "path": self.path,
            "done": self.is_done, "recurs": self.recurs,
        }  # fmt: skip

    def in_words(self, zone: tzinfo) -> str:
        """Return the reminder on one line."""
        due = f" (due {in_words(self.due, zone)})" if self.due else ""
        return f"{self.title}{due}{f', {self.repeat}' if self.repeat else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderCollection:
    """The reminders of a store at one moment.

    Attributes:
        reminders: The reminders.
        unread: A sentence for each entry that could not be read, such as a damaged file.
    """

    reminders: tuple[Reminder, ...] = ()
    unread: tuple[str, ...] = ()

    def open_until(self, until: date | None, zone: tzinfo) -> tuple[Reminder, ...]:
        """Return what is not done, earliest first; what has no time comes last.

        Args:
            until: The last day on which they are due; None for all.
            zone: The user's zone.
        """
        far = datetime.max.replace(tzinfo=zone)
        keyed = [
            (start_of(one.due, zone) if one.due else far, one.title.casefold(), one)
            for one in self.reminders
            if not one.is_done
        ]
        last = None if until is None else end_of_day(until, zone)
        kept = [entry for entry in keyed if last is None or entry[0] < last]
        return tuple(one for *_, one in sorted(kept, key=lambda entry: entry[:2]))

    def named(self, title: str) -> Reminder:
        """Return the one open reminder with a title, or at a path; letter case does not count.

        Raises:
            ToolNotFoundError: There is none, or it is done already.
            ToolFailedError: Several open reminders have this title.
        """
        wanted = title.strip().casefold()
        found = [r for r in self.reminders if wanted in {r.title.casefold(), r.path.casefold()}]
        left = [one for one in found if not one.is_done]
        if len(left) > 1:
            paths = ", ".join(one.path for one in left)
            msg = f"{len(left)} open reminders have the title {title.strip()!r}: {paths}"
            raise ToolFailedError(msg, hint="name one of them by its path")
        if not left:
            why = " that is not done" if found else ""
            more = f"; {self.unread[0]}" if self.unread else ""
            msg = f"there is no reminder {title.strip()!r}{why}{more}"
            raise ToolNotFoundError(msg, hint="reminders_list shows the titles")
        return left[0]


class TaskStore(Protocol):
    """A place where reminders are kept."""

    def read(self) -> ReminderCollection:
        """Return every reminder; raise ToolError if the store does not answer."""

    def draft(self, title: str, due: Moment | None, notes: str, repeat: str) -> Reminder:
        """Return a new reminder with the place that it would get."""

    def create(self, reminder: Reminder, now: datetime) -> Changes:
        """Add a reminder that was drafted; raise ToolError if it cannot be written."""

    def complete(self, title: str, now: datetime) -> tuple[Reminder, Changes]:
        """Mark a reminder as done; one that recurs gets its next time instead.

        Raises:
            ToolError: No open reminder, or several, have this title, or it cannot be written.
        """
