"""AppleReminders: the open reminders of one list of Reminders."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.personal.apple.apple_items import AppleItems, Item
from okso_jupyter.personal.ical.moments import Moment, iso, moment_in
from okso_jupyter.personal.reminders.task_store import Reminder, ReminderCollection
from okso_jupyter.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class AppleReminders:
    """The reminders of a list.

    Attributes:
        items: The list.
        workspace: Keeps for undo what is changed.
        zone: The user's zone.
    """

    items: AppleItems
    workspace: Workspace
    zone: tzinfo

    def read(self) -> ReminderCollection:
        """Return the open reminders; those that are done may be thousands."""
        found = self.items.listed()
        return ReminderCollection(reminders=tuple(map(self._reminder, found)))

    def draft(self, title: str, due: Moment | None, notes: str, repeat: str) -> Reminder:
        """Return a new reminder; Reminders gives it its id when it is made.

        Raises:
            ToolRefusedError: It is to recur, which no script of Reminders can say.
        """
        if repeat:
            msg = "Reminders takes no reminder that recurs from a script"
            raise ToolRefusedError(msg, hint="make it there, or leave the repetition out")
        path = f"a new reminder in {self.items}"
        return Reminder(title=title, due=due, notes=notes, path=path)

    def create(self, reminder: Reminder, now: datetime) -> Changes:
        """Add a reminder that was drafted; raise ToolError if it cannot be written."""
        del now  # Reminders has its own clock
        kind = "time" if isinstance(reminder.due, datetime) else "day"
        when = {kind: iso(reminder.due)}
        return self.items.create(title=reminder.title, notes=reminder.notes, **when)

    def complete(self, title: str, now: datetime) -> tuple[Reminder, Changes]:
        """Mark a reminder as done; of one that recurs Reminders makes the next itself."""
        del now
        reminder = self.read().named(title)
        item_id = self.items.id_of(reminder.path)
        changes = self.items.edit(item_id, self.workspace, lambda item: {**item, "completed": True})
        return replace(reminder, is_done=True), changes

    def _reminder(self, item: Item) -> Reminder:
        return Reminder(
            title=item["title"],
            due=moment_in(item["due"], self.zone) if item["due"] else None,
            notes=item["notes"],
            path=self.items.path_of(item["id"]),
            uid=item["id"],
        )
